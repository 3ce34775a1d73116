package emulator

import "maps"

// Know makes a person known, or renames them. Whoever acts without having been made known is called "User <id>".
func (t *Telegram) Know(p Person) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*t.person(p.ID) = p
}

// Say writes a text to the bot in private and returns its message id.
func (t *Telegram) Say(user int64, text string) int { return t.Send(user, Text(text)) }

// Send writes anything to the bot in private. Who had blocked the bot unblocks it by that.
func (t *Telegram) Send(user int64, content Content) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(t.visit(user), 0, 0, t.as(user), content)
}

// Reply answers a message of the private chat.
func (t *Telegram) Reply(user int64, to int, text string) int {
	return t.ReplyWith(user, to, Text(text))
}

// ReplyWith answers a message of the private chat with anything.
func (t *Telegram) ReplyWith(user int64, to int, content Content) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(t.visit(user), 0, to, t.as(user), content)
}

// Album sends several as one album. The bot is told of each on its own.
func (t *Telegram) Album(user int64, contents ...Content) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writeAlbum(t.visit(user), 0, t.as(user), contents)
}

func (t *Telegram) as(user int64) author { return author{person: t.person(user)} }

// visit is the private chat of somebody who is about to write there.
func (t *Telegram) visit(user int64) *chat {
	c := t.private(user)
	c.started = true
	t.setBlocked(c, false)
	return c
}

// write puts a person's message into a chat and tells the bot.
func (t *Telegram) write(c *chat, thread, replyTo int, who author, content Content) int {
	m := t.written(c, thread, replyTo, who, content)
	t.tellMessage(m)
	return m.id
}

func (t *Telegram) written(c *chat, thread, replyTo int, who author, content Content) *message {
	t.remember(content.Kind, content.body, upload{})
	return t.add(c, &message{
		thread: thread, replyTo: replyTo, author: who, kind: content.Kind, body: content.body,
		origin: content.origin, quote: content.quote, protected: content.protected,
	})
}

func (t *Telegram) writeAlbum(c *chat, thread int, who author, contents []Content) []int {
	id := t.nextID("album")
	var ids []int
	for _, content := range contents {
		m := t.written(c, thread, 0, who, content)
		m.album = id
		t.tellMessage(m)
		ids = append(ids, m.id)
	}
	return ids
}

// EditText changes the text of one's message, or its caption if it is media. A message that is gone stays so.
func (t *Telegram) EditText(user int64, msg int, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rewrite(t.private(user).message(msg), text)
}

// EditContent replaces what one's message holds.
func (t *Telegram) EditContent(user int64, msg int, content Content) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.replace(t.private(user).message(msg), content)
}

func (t *Telegram) rewrite(m *message, text string) {
	switch {
	case m == nil:
	case captioned[m.kind]:
		body := maps.Clone(m.body)
		setCaption(body, text, found(text, nil))
		t.replace(m, Content{Kind: m.kind, body: body})
	default:
		t.replace(m, Text(text))
	}
}

func (t *Telegram) replace(m *message, content Content) {
	if m == nil {
		return
	}
	t.remember(content.Kind, content.body, upload{})
	m.kind, m.body = content.Kind, content.body
	t.tellEdit(m)
}

// Delete deletes a message of the private chat for both sides. Telegram tells bots nothing of it.
func (t *Telegram) Delete(user int64, msg int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.private(user).remove(msg)
}

// React sets one's reaction to a message of the private chat; "" removes it.
func (t *Telegram) React(user int64, msg int, emoji string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reacts(t.private(user), msg, t.person(user), emoji)
}

// reacts tells the bot of a reaction; one by nobody is an anonymous administrator's.
func (t *Telegram) reacts(c *chat, msg int, who *Person, emoji string) {
	m := c.message(msg)
	if m == nil || c.kicked {
		return
	}
	id := c.id
	body := fields{"chat": chatObject(c), "message_id": msg, "date": t.now().Unix()}
	if who != nil {
		id = who.ID
		body["user"] = user(who)
	} else {
		body["actor_chat"] = chatObject(c)
	}
	old := m.react(id, emoji)
	if old == emoji {
		return
	}
	body["old_reaction"], body["new_reaction"] = reactionList(old), reactionList(emoji)
	t.tell("message_reaction", "reaction:"+number(c.id), body)
}

func reactionList(emoji string) []fields {
	if emoji == "" {
		return []fields{}
	}
	return []fields{{"type": "emoji", "emoji": emoji}}
}

// Block makes a person block the bot.
func (t *Telegram) Block(user int64) { t.block(user, true) }

// Unblock takes that back.
func (t *Telegram) Unblock(user int64) { t.block(user, false) }

func (t *Telegram) block(user int64, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setBlocked(t.private(user), on)
}

func (t *Telegram) setBlocked(c *chat, on bool) {
	if c.blocked == on {
		return
	}
	c.blocked = on
	was, is := fields{"user": user(t.bot), "status": "member"}, fields{"user": user(t.bot), "status": "kicked", "until_date": 0}
	if !on {
		was, is = is, was
	}
	t.tellMembership("my_chat_member", c, c.person, was, is)
}

// tellMembership tells of a changed member of a chat: the bot itself, or with chat_member somebody else.
func (t *Telegram) tellMembership(kind string, c *chat, by *Person, was, is fields) {
	key := "chat:" + number(c.id)
	if kind == "chat_member" {
		key = "member:" + number(is["user"].(fields)["id"].(int64))
	}
	t.tell(kind, key, fields{
		"chat": chatObject(c), "from": user(by), "date": t.now().Unix(), "old_chat_member": was, "new_chat_member": is,
	})
}

// Deactivate deletes a person's account.
func (t *Telegram) Deactivate(user int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.private(user).deactivated = true
}

// ForbidVoice makes a person take no voice messages and video notes.
func (t *Telegram) ForbidVoice(user int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.private(user).noVoice = true
}

// Press presses an inline button with this data under a message; the button need not be there any more, nor the message.
func (t *Telegram) Press(user, chat int64, msg int, data string) (queryID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.press(t.person(user), t.chatIn(chat), msg, data)
}

func (t *Telegram) chatIn(id int64) *chat {
	if c := t.chats[id]; c != nil {
		return c
	}
	return t.private(id)
}

func (t *Telegram) press(who *Person, c *chat, msg int, data string) string {
	id := t.nextID("query")
	t.queries[id] = &query{asked: t.now()}
	body := fields{"id": id, "from": user(who), "chat_instance": "instance" + number(c.id), "data": data}
	if m := c.message(msg); m != nil {
		body["message"] = t.object(m)
	} else {
		body["message"] = fields{"chat": chatObject(c), "message_id": msg, "date": 0}
	}
	t.tell("callback_query", "callback:"+number(who.ID), body)
	return id
}
