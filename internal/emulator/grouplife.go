package emulator

// OpenTopic opens a topic by hand.
func (t *Telegram) OpenTopic(user int64, name string) (thread int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.openTopic(t.group, t.inGroup(user), topic{name: cleanName(name), color: topicColors[0]}).thread
}

// CloseTopic closes a topic by hand; thread 0 is General. One that is closed stays so, and nothing is said.
func (t *Telegram) CloseTopic(user int64, thread int) { t.turnByHand(user, thread, true) }

// ReopenTopic opens it again.
func (t *Telegram) ReopenTopic(user int64, thread int) { t.turnByHand(user, thread, false) }

func (t *Telegram) turnByHand(user int64, thread int, closed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	who := t.inGroup(user)
	if thread == 0 {
		if t.group.generalClosed != closed {
			t.group.generalClosed = closed
			t.serve(t.group, 0, who, turned(closed), fields{})
		}
		return
	}
	if tp := t.group.live(thread); tp != nil && tp.closed != closed {
		t.turnTopic(t.group, tp, who, closed)
	}
}

// RenameTopic renames a topic by hand.
func (t *Telegram) RenameTopic(user int64, thread int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tp := t.group.live(thread); tp != nil && tp.name != cleanName(name) {
		t.editTopic(t.group, tp, t.inGroup(user), fields{"name": cleanName(name)})
	}
}

// DeleteTopic deletes a topic and all in it by hand. The bot is told nothing.
func (t *Telegram) DeleteTopic(thread int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tp := t.group.live(thread); tp != nil {
		t.group.deleteTopic(tp)
	}
}

// SetForum switches topics off or on. While they are off every thread id is ignored and all lands in the common chat; topics
// and what is in them come back with the switch. The bot is told nothing but by is_forum of what follows.
func (t *Telegram) SetForum(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.group.forum = on
}

// SetRight gives the bot a right in the group or takes it, by its Bot API name; can_send is the right to write at all.
func (t *Telegram) SetRight(right string, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changeBot(func(c *chat) {
		if right == "can_send" {
			c.muted = !on
			return
		}
		if _, known := c.rights[right]; !known {
			panic("emulator: no right is called " + right)
		}
		c.rights[right] = on
	})
}

// Kick throws the bot out of the group.
func (t *Telegram) Kick() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changeBot(func(c *chat) { c.kicked = true })
}

// Readmit takes it back, with the rights it had.
func (t *Telegram) Readmit() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changeBot(func(c *chat) { c.kicked = false })
}

// changeBot changes the bot's standing in the group and tells it so.
func (t *Telegram) changeBot(change func(*chat)) {
	was := t.member(t.group, t.bot)
	change(t.group)
	t.group.members[t.bot.ID] = t.group.standing()
	t.tellMembership("my_chat_member", t.group, t.owner, was, t.member(t.group, t.bot))
}

// standing is the bot's status in the group.
func (c *chat) standing() string {
	switch {
	case c.kicked:
		return "kicked"
	case c.muted:
		return "restricted"
	}
	return "administrator"
}

// MigrateGroup moves the group to a new id. Members and rights move along; topics and messages do not: the new group has ids
// of its own. Calls with the old id are told the new one.
func (t *Telegram) MigrateGroup(newID int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.group
	fresh := newGroup(newID, t.owner, t.bot)
	fresh.members, fresh.rights, fresh.forum = old.members, old.rights, old.forum
	fresh.kicked, fresh.muted = old.kicked, old.muted
	t.serve(old, 0, author{person: groupAnonymousBot, senderChat: chatObject(old)}, "migrate_to_chat_id", newID)
	old.movedTo = newID
	t.chats[newID], t.group = fresh, fresh
	t.serve(fresh, 0, author{person: groupAnonymousBot, senderChat: chatObject(fresh)}, "migrate_from_chat_id", old.id)
}
