package emulator

// InAlbum makes the content a member of the album of this name. Each member is sent on its own, also long after the others,
// as when a slow upload comes late.
func (c Content) InAlbum(id string) Content {
	c.album = id
	return c
}

// Album sends several as one album. The bot is told of each on its own.
func (t *Telegram) Album(user int64, contents ...Content) []int {
	return t.AlbumReply(user, 0, contents...)
}

// AlbumReply answers a message of the private chat with an album: every member is a reply.
func (t *Telegram) AlbumReply(user int64, to int, contents ...Content) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writeAlbum(t.visit(user), 0, to, t.as(user), contents)
}

// PostAlbum writes several into a topic as one album.
func (t *Telegram) PostAlbum(user int64, thread int, contents ...Content) []int {
	return t.PostAlbumReply(user, thread, 0, contents...)
}

// PostAlbumReply answers a message in a topic with an album: every member is a reply.
func (t *Telegram) PostAlbumReply(user int64, thread, to int, contents ...Content) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writeAlbum(t.group, t.placed(thread), to, t.inGroup(user), contents)
}

func (t *Telegram) writeAlbum(c *chat, thread, to int, who author, contents []Content) []int {
	id := t.nextID("album")
	var ids []int
	for _, content := range contents {
		ids = append(ids, t.write(c, thread, to, who, content.InAlbum(id)))
	}
	return ids
}
