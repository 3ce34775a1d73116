package emulator

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/go-telegram/bot/models"
)

// A Message is a message as people see it.
type Message struct {
	ID            int
	Thread        int   // 0: General or no topic
	From          int64 // who it seems to come from; the bot's id for the bot
	FromBot       bool  // whether our bot wrote it
	Kind          string
	Text          string // the text or caption
	Entities      []models.MessageEntity
	File          string // the file_unique_id of the medium: copies have the same
	ReplyTo       int    // as people see it: without the silent reply to a topic's first message
	Quote         string // the part that it quotes of the message it replies to
	Edited        bool
	Reactions     map[int64]string // by who gave them, the bot's too; several are separated by spaces
	Service       string           // the kind of a service message, "forum_topic_created"; empty for what people write
	Pinned        bool
	Protected     bool
	Buttons       [][]Button
	GroupID       string // of its album
	CopiedFrom    Ref
	ForwardedFrom Ref
	Date          time.Time
	Raw           json.RawMessage // as the Bot API shows it
}

// A Topic is a topic of the support group, a deleted one too.
type Topic struct {
	Thread          int
	Name            string
	Closed, Deleted bool
	CreatedByBot    bool
}

func (t *Telegram) seen(m *message) Message {
	raw, err := json.Marshal(t.object(m))
	if err != nil {
		panic("emulator: " + err.Error())
	}
	text, entities := m.text()
	shown := Message{
		ID: m.id, Thread: m.thread, From: m.author.person.ID, FromBot: t.byBot(m), Kind: m.kind, Text: text,
		File: m.file(), ReplyTo: m.replyTo, Edited: !m.edited.IsZero(), Reactions: m.reactionsSeen(), Pinned: m.pinned,
		Protected: m.protected, Buttons: m.buttonRows(), GroupID: m.album, CopiedFrom: m.copiedFrom,
		ForwardedFrom: m.forwardedFrom, Date: m.date, Raw: raw,
	}
	shown.Quote, _ = m.quote["text"].(string)
	shown.Entities, _ = entities.([]models.MessageEntity)
	if m.service {
		shown.Service = m.kind
	}
	return shown
}

func (t *Telegram) look(c *chat, wanted func(*message) bool) []Message {
	var list []Message
	for _, m := range c.messages {
		if wanted(m) {
			list = append(list, t.seen(m))
		}
	}
	return list
}

// Chat is the private chat of a person, in order, without what was deleted.
func (t *Telegram) Chat(user int64) []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.look(t.private(user), func(*message) bool { return true })
}

// Topic is what stands in a topic of the support group, service messages included.
func (t *Telegram) Topic(thread int) []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.look(t.group, func(m *message) bool { return m.thread == thread })
}

// General is what stands in General. While topics are off it is the common chat, in which everything stands; what was
// written into a topic before keeps its Thread.
func (t *Telegram) General() []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.look(t.group, func(m *message) bool { return m.thread == 0 || !t.group.forum })
}

// Topics are the topics of the support group in the order in which they were opened.
func (t *Telegram) Topics() []Topic {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Topic
	for _, tp := range t.group.topics {
		list = append(list, Topic{Thread: tp.thread, Name: tp.name, Closed: tp.closed, Deleted: tp.deleted, CreatedByBot: tp.byBot})
	}
	return list
}

// Commands is the menu that setMyCommands set for a scope, as JSON was sent for it ("" is the default), and a language.
func (t *Telegram) Commands(scope, language string) map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := map[string]string{}
	for _, c := range t.commands[menu(&params{values: map[string]string{"scope": scope, "language_code": language}})] {
		list[c.Command] = c.Description
	}
	return list
}

// Calls are the calls made so far, in the order in which they were done, or the last of them (Options.KeepCalls).
func (t *Telegram) Calls() []Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Concat(t.calls.calls[t.calls.oldest:], t.calls.calls[:t.calls.oldest])
}

// ResetCalls forgets them.
func (t *Telegram) ResetCalls() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls.calls, t.calls.oldest = nil, 0
}

// OnCall sets an observer. It is told of each call after it was done and before it is answered, from the call's own goroutine.
func (t *Telegram) OnCall(seen func(Call)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls.seen = seen
}

// Unmodelled are the methods and parameters that were used although the emulator does not model them. A test fails on any.
func (t *Telegram) Unmodelled() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.unmodelled)
}
