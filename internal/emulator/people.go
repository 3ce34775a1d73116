package emulator

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
	t.remember(content.Kind, content.body, upload{})
	m := t.add(c, &message{
		thread: thread, replyTo: replyTo, author: who, kind: content.Kind, body: content.body, origin: content.origin,
		quote: c.message(replyTo).quoted(content.quote), protected: content.protected, album: content.album,
	})
	t.tellMessage(m)
	return m.id
}

// Delete deletes a message of the private chat for both sides. Telegram tells bots nothing of it.
func (t *Telegram) Delete(user int64, msg int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.private(user).remove(msg)
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
	c := t.chatIn(chat)
	return t.press(t.person(user), c, t.pressed(c, msg), data)
}

// PressWithoutThread is Press where the message does not tell the topic it stands in, as sometimes happens at Telegram.
func (t *Telegram) PressWithoutThread(user, chat int64, msg int, data string) (queryID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.chatIn(chat)
	under := t.pressed(c, msg)
	for _, tells := range []string{"message_thread_id", "is_topic_message", "reply_to_message"} {
		delete(under, tells)
	}
	return t.press(t.person(user), c, under, data)
}

func (t *Telegram) chatIn(id int64) *chat {
	if c := t.chats[id]; c != nil {
		return c
	}
	return t.private(id)
}

// pressed is the message under which a button was pressed, an inaccessible one if it is gone.
func (t *Telegram) pressed(c *chat, msg int) fields {
	if m := c.message(msg); m != nil {
		return t.object(m)
	}
	return fields{"chat": chatObject(c), "message_id": msg, "date": 0}
}

func (t *Telegram) press(who *Person, c *chat, under fields, data string) string {
	id := t.nextID("query")
	t.queries[id] = &query{asked: t.now()}
	t.tell("callback_query", "callback:"+number(who.ID), fields{
		"id": id, "from": user(who), "message": under, "chat_instance": "instance" + number(c.id), "data": data,
	})
	return id
}
