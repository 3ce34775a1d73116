package emulator

import "time"

// deleteLimit is how old a message may be that a bot deletes.
const deleteLimit = 48 * time.Hour

// deletable says why a bot may not delete a message.
func (t *Telegram) deletable(m *message) *refusal {
	age := t.now().Sub(m.date)
	if m.chat.person == nil {
		mine := t.byBot(m) && !m.service
		if m.kind == "forum_topic_created" || age >= deleteLimit || !mine && !m.chat.rights["can_delete_messages"] {
			return bad("message can't be deleted")
		}
		return nil
	}
	if age >= deleteLimit || m.kind == "dice" && age < 24*time.Hour {
		return bad("message can't be deleted for everyone")
	}
	return nil
}

func deleteMessage(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	m := c.message(p.int("message_id"))
	if m == nil {
		return nil, bad("message to delete not found")
	}
	if refused := t.deletable(m); refused != nil {
		return nil, refused
	}
	if refused := t.spendDeletion(c); refused != nil {
		return nil, refused
	}
	c.remove(m.id)
	return true, nil
}

// deleteMessages deletes all or, if one of them may not go, none. Those that are gone already do not count.
func deleteMessages(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	ids, refused := messageIDs(p)
	if refused != nil {
		return nil, refused
	}
	for _, id := range ids {
		if m := c.message(id); m != nil {
			if refused := t.deletable(m); refused != nil {
				return nil, refused
			}
		}
	}
	if refused := t.spendDeletion(c); refused != nil {
		return nil, refused
	}
	for _, id := range ids {
		c.remove(id)
	}
	return true, nil
}

// pinning finds the chat in which the bot may pin.
func (t *Telegram) pinning(p *params) (*chat, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused == nil {
		refused = c.writable()
	}
	if refused == nil && c.person == nil && !c.rights["can_pin_messages"] {
		refused = bad("not enough rights to manage pinned messages in the chat")
	}
	return c, refused
}

// pinChatMessage pins, and says so with a service message of the bot's in the same topic.
func pinChatMessage(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.pinning(p)
	if refused != nil {
		return nil, refused
	}
	m := c.message(p.int("message_id"))
	switch {
	case m == nil:
		return nil, bad("message to pin not found")
	case m.service:
		return nil, bad("message can't be pinned")
	case m.pinned:
		return true, nil
	}
	m.pinned = true
	t.serve(c, m.thread, author{person: t.bot}, "pinned_message", t.bare(m))
	return true, nil
}

// unpinChatMessage unpins one message, or the newest that is pinned.
func unpinChatMessage(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.pinning(p)
	if refused != nil {
		return nil, refused
	}
	wanted := p.int("message_id")
	for i := len(c.messages) - 1; i >= 0; i-- {
		if m := c.messages[i]; m.pinned && (wanted == 0 || wanted == m.id) {
			m.pinned = false
			return true, nil
		}
	}
	return nil, bad("message to unpin not found")
}

func unpinAllForumTopicMessages(t *Telegram, p *params) (any, *refusal) {
	c, _, refused := t.topicOf(p)
	if refused != nil {
		return nil, refused
	}
	if !c.rights["can_pin_messages"] {
		return nil, bad("not enough rights to manage pinned messages in the chat")
	}
	for _, m := range c.messages {
		if m.thread == p.int("message_thread_id") {
			m.pinned = false
		}
	}
	return true, nil
}
