package emulator

import "github.com/go-telegram/bot/models"

// A target is where a send goes, and how.
type target struct {
	chat      *chat
	thread    int
	replyTo   int
	quote     fields
	protected bool
	inline    fields
}

// chatOf finds the chat of a call and whether the bot may be there at all.
func (t *Telegram) chatOf(p *params, name string) (*chat, *refusal) {
	if p.text(name) == "" {
		return nil, bad("%s is empty", name)
	}
	id := p.int64(name)
	c := t.chats[id]
	if c == nil && t.people[id] != nil { // somebody the bot has seen, though never in private
		c = t.private(id)
	}
	switch {
	case c == nil:
		return nil, bad("chat not found")
	case c.movedTo != 0:
		refused := bad("group chat was upgraded to a supergroup chat")
		refused.migrateTo = c.movedTo
		return nil, refused
	case c.kicked:
		return nil, forbidden("bot was kicked from the supergroup chat")
	}
	return c, nil
}

// reachable says whether the person whose chat it is lets the bot do anything there. Deletions need not ask.
func (c *chat) reachable() *refusal {
	switch {
	case c.person != nil && c.person.IsBot:
		return forbidden("the bot can't send messages to the bot")
	case c.deactivated:
		return forbidden("user is deactivated")
	case c.blocked:
		return forbidden("bot was blocked by the user")
	case c.person != nil && !c.started:
		return forbidden("bot can't initiate conversation with a user")
	}
	return nil
}

// writable says whether the bot may write into this chat.
func (c *chat) writable() *refusal {
	if c.muted {
		return bad("have no write access to the chat")
	}
	return c.reachable()
}

// aim works out where a send goes: chat, topic, reply, buttons.
func (t *Telegram) aim(p *params) (*target, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	if refused := c.writable(); refused != nil {
		return nil, refused
	}
	to := &target{chat: c, thread: p.int("message_thread_id"), protected: p.bool("protect_content")}
	if refused := t.aimTopic(to); refused != nil {
		return nil, refused
	}
	if refused := t.aimReply(to, p); refused != nil {
		return nil, refused
	}
	if refused := t.open(to); refused != nil {
		return nil, refused
	}
	to.inline, refused = buttons(p, c)
	return to, refused
}

// aimTopic checks the thread. In a group that is no forum Telegram ignores it without a word.
func (t *Telegram) aimTopic(to *target) *refusal {
	switch {
	case to.thread == 0:
	case to.chat.person != nil:
		return bad(noThread)
	case !to.chat.forum:
		to.thread = 0
	case to.chat.live(to.thread) == nil:
		return bad(noThread)
	}
	return nil
}

type replyParameters struct {
	MessageID                int                    `json:"message_id"`
	ChatID                   int64                  `json:"chat_id"`
	AllowSendingWithoutReply bool                   `json:"allow_sending_without_reply"`
	Quote                    string                 `json:"quote"`
	QuoteParseMode           string                 `json:"quote_parse_mode"`
	QuoteEntities            []models.MessageEntity `json:"quote_entities"`
	QuotePosition            int                    `json:"quote_position"`
}

// aimReply finds the message to reply to. Without a thread of its own the send follows it into its topic. Only a message that
// is gone can be left unanswered; one in another topic, or a wrong quote, refuses whatever is allowed.
func (t *Telegram) aimReply(to *target, p *params) *refusal {
	var reply replyParameters
	if refused := p.json("reply_parameters", &reply); refused != nil || reply.MessageID == 0 {
		return refused
	}
	if reply.ChatID != 0 && reply.ChatID != to.chat.id {
		t.unmodelled = append(t.unmodelled, "reply_parameters: chat_id of another chat")
		return bad("the emulator does not model replies to other chats")
	}
	answered := to.chat.message(reply.MessageID)
	elsewhere := answered != nil && to.chat.forum && to.thread != 0 && answered.thread != to.thread
	switch {
	case elsewhere, answered == nil && !reply.AllowSendingWithoutReply:
		return bad("message to be replied not found")
	case answered == nil:
		return nil
	}
	to.replyTo = answered.id
	if to.chat.forum {
		to.thread = answered.thread
	}
	if reply.Quote == "" {
		return nil
	}
	var refused *refusal
	to.quote, refused = t.quoteIn(answered, reply)
	return refused
}

// open refuses what goes into a closed topic.
func (t *Telegram) open(to *target) *refusal {
	c := to.chat
	if !c.forum {
		return nil
	}
	closed := c.generalClosed
	if to.thread != 0 {
		closed = c.topic(to.thread).closed
	}
	if closed && !(t.ClosedTopicsAcceptAdmins && c.rights["can_manage_topics"]) {
		return bad("TOPIC_CLOSED")
	}
	return nil
}

// put sends a message there. The caller has spent its budget.
func (t *Telegram) put(to *target, m *message) *message {
	m.author = author{person: t.bot}
	m.thread, m.replyTo, m.quote = to.thread, to.replyTo, to.quote
	m.protected, m.inline = to.protected, to.inline
	return t.add(to.chat, m)
}

// welcome refuses what this person's privacy does not let through.
func (c *chat) welcome(kind string) *refusal {
	if c.noVoice && (kind == "voice" || kind == "video_note") {
		return bad("VOICE_MESSAGES_FORBIDDEN")
	}
	return nil
}
