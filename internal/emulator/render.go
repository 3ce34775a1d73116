package emulator

import "strconv"

func number(n int64) string { return strconv.FormatInt(n, 10) }

// user is a person as the Bot API shows them.
func user(p *Person) fields {
	f := fields{"id": p.ID, "is_bot": p.IsBot, "first_name": p.FirstName}
	put(f, "last_name", p.LastName)
	put(f, "username", p.Username)
	put(f, "language_code", p.LanguageCode)
	return f
}

// put sets a field that is absent when empty.
func put(f fields, name, value string) {
	if value != "" {
		f[name] = value
	}
}

const groupTitle = "Support"

// chatObject is a chat as it stands in a message.
func chatObject(c *chat) fields {
	if p := c.person; p != nil {
		f := fields{"id": c.id, "type": "private", "first_name": p.FirstName}
		put(f, "last_name", p.LastName)
		put(f, "username", p.Username)
		return f
	}
	f := fields{"id": c.id, "type": "supergroup", "title": groupTitle}
	if c.forum {
		f["is_forum"] = true
	}
	return f
}

// object is a message as the Bot API shows it, with the message it answers.
func (t *Telegram) object(m *message) fields {
	f := t.bare(m)
	if answered := m.answered(); answered != nil {
		f["reply_to_message"] = t.bare(answered)
	}
	if m.quote != nil {
		f["quote"] = m.quote
	}
	return f
}

// answered is what a message replies to. Telegram says of every message in a topic that it answers the one that opened it.
func (m *message) answered() *message {
	if m.replyTo != 0 {
		return m.chat.message(m.replyTo)
	}
	if m.thread != 0 && m.thread != m.id && m.chat.forum {
		return m.chat.message(m.thread)
	}
	return nil
}

// bare is a message without the one it answers.
func (t *Telegram) bare(m *message) fields {
	f := make(fields, len(m.body)+12)
	for name, value := range m.body {
		f[name] = value
	}
	f["message_id"] = m.id
	f["chat"] = chatObject(m.chat)
	f["date"] = m.date.Unix()
	m.author.sign(f)
	if m.thread != 0 && m.chat.forum {
		f["message_thread_id"] = m.thread
		f["is_topic_message"] = true
	}
	if !m.edited.IsZero() {
		f["edit_date"] = m.edited.Unix()
	}
	if m.origin != nil {
		f["forward_origin"] = m.origin
	}
	if m.protected {
		f["has_protected_content"] = true
	}
	put(f, "media_group_id", m.album)
	if m.inline != nil {
		f["reply_markup"] = m.inline
	}
	return f
}

func (a author) sign(f fields) {
	if a.person != nil {
		f["from"] = user(a.person)
	}
	if a.senderChat != nil {
		f["sender_chat"] = a.senderChat
	}
	put(f, "author_signature", a.signature)
}

// tellMessage tells the bot of a message, if the bot is there to see it.
func (t *Telegram) tellMessage(m *message) {
	if !m.chat.kicked {
		t.tell("message", messageKey(m.chat.id), t.object(m))
	}
}

// tellEdit tells the bot of the new version of a message. Of its own it is told nothing.
func (t *Telegram) tellEdit(m *message) {
	if m != nil && !t.byBot(m) && !m.chat.kicked {
		t.tell("edited_message", messageKey(m.chat.id), t.object(m))
	}
}

// serve adds a service message and tells of it, the bot's own included: those Telegram does deliver.
func (t *Telegram) serve(c *chat, thread int, who author, kind string, body any) *message {
	m := t.add(c, &message{thread: thread, author: who, kind: kind, service: true, body: fields{kind: body}})
	t.tellMessage(m)
	return m
}

// member is a ChatMember of the group.
func (t *Telegram) member(c *chat, p *Person) fields {
	f := fields{"user": user(p), "status": c.status(p.ID)}
	switch f["status"] {
	case "creator":
		f["is_anonymous"] = false
	case "administrator":
		f["can_be_edited"] = false
		f["is_anonymous"] = false
		for _, right := range botRights {
			f[right] = p != t.bot || c.rights[right]
		}
	case "restricted":
		f["is_member"] = true
		f["until_date"] = 0
		for _, right := range permissions {
			f[right] = false
		}
	case "kicked":
		f["until_date"] = 0
	}
	return f
}

func (c *chat) status(id int64) string {
	if status := c.members[id]; status != "" {
		return status
	}
	return "left"
}

// permissions are what ordinary members may do.
var permissions = []string{
	"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes",
	"can_send_voice_notes", "can_send_polls", "can_send_other_messages", "can_add_web_page_previews", "can_react_to_messages",
	"can_edit_tag", "can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics",
}
