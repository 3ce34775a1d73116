package bot

import (
	"encoding/json"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// An event is what an update means to the desk. The set of events is closed.
type event interface{ isEvent() }

type (
	// personWrote: somebody wrote to the bot in private.
	personWrote struct {
		person  desk.Person
		message desk.MessageID
		at      time.Time // by Telegram's clock
		text    string
		content string
		raw     json.RawMessage
	}

	// groupWrote: somebody wrote in the group, in a topic or, if thread is 0, in General.
	groupWrote struct {
		author  author
		thread  desk.ThreadID
		message desk.MessageID
		text    string // or the caption: a command may stand in either
		content string
		raw     json.RawMessage
	}

	// pressed: somebody pressed a button of ours.
	pressed struct {
		query   string
		by      author
		lang    string
		chat    desk.ChatID
		message desk.MessageID
		data    string
	}

	// topicMade: the bot itself made a topic, now or as an answer that got lost.
	topicMade struct {
		thread desk.ThreadID
		title  string
		at     time.Time
	}

	// topicRenamed: somebody of the team renamed a topic.
	topicRenamed struct {
		thread desk.ThreadID
		title  string
	}

	topicClosed   struct{ thread desk.ThreadID }
	topicReopened struct{ thread desk.ThreadID }

	// cardPinned: Telegram's notice of a pin of ours.
	cardPinned struct {
		thread desk.ThreadID
		notice desk.MessageID
	}

	// reachChanged: a person blocked the bot, or let it in again.
	reachChanged struct {
		user    desk.UserID
		blocked bool
	}

	// placeChanged: the bot's own rights in the group are others now.
	placeChanged struct{}

	// adminChanged: somebody became, or is no more, an administrator of the group.
	adminChanged struct {
		user desk.UserID
		is   bool
	}

	// groupMoved: the group has another id.
	groupMoved struct{ to desk.ChatID }

	// ignored: nothing of ours.
	ignored struct{}
)

func (personWrote) isEvent()   {}
func (groupWrote) isEvent()    {}
func (pressed) isEvent()       {}
func (topicMade) isEvent()     {}
func (topicRenamed) isEvent()  {}
func (topicClosed) isEvent()   {}
func (topicReopened) isEvent() {}
func (cardPinned) isEvent()    {}
func (reachChanged) isEvent()  {}
func (placeChanged) isEvent()  {}
func (adminChanged) isEvent()  {}
func (groupMoved) isEvent()    {}
func (ignored) isEvent()       {}

// An author is who wrote in the group. A person is known by id; an anonymous administrator is the group itself.
type author struct {
	user      desk.UserID
	anonymous bool
}

// An arrival is a decoded update.
type arrival struct {
	id       desk.UpdateID
	applied  bool // it was no repeat
	numbered bool // it has an id: one that has none cannot be claimed
	event    event
	group    *db.ForumSign // what it shows of the support group, if it is from there
}

// decode says what an update means. It is pure and never fails: what cannot be read is ignored (C1–C21).
func decode(raw []byte, bot desk.BotID, group desk.ChatID) arrival {
	var u wireUpdate
	if json.Unmarshal(raw, &u) != nil {
		return arrival{event: ignored{}}
	}
	a := u.decode(bot, group)
	if u.ID != nil {
		a.id, a.numbered = desk.UpdateID(*u.ID), true
	}
	return a
}

func (u *wireUpdate) decode(bot desk.BotID, group desk.ChatID) arrival {
	switch {
	case u.CallbackQuery != nil:
		return decodePress(u.CallbackQuery, group)
	case u.Message != nil:
		return decodeMessage(u.Message, bot, group)
	case u.MyChatMember != nil:
		return decodeOwnPlace(u.MyChatMember, group)
	case u.ChatMember != nil:
		return decodeMember(u.ChatMember, group)
	}
	return arrival{event: ignored{}}
}

func decodeMessage(raw json.RawMessage, bot desk.BotID, group desk.ChatID) arrival {
	var m wireMessage
	if json.Unmarshal(raw, &m) != nil || m.ID <= 0 {
		return arrival{event: ignored{}}
	}
	switch {
	case m.Chat.Type == "private" && m.Chat.ID > 0:
		return arrival{event: decodePrivate(&m, raw)}
	case desk.ChatID(m.Chat.ID) == group && m.Chat.Type == "supergroup":
		return arrival{event: decodeGroup(&m, raw, bot, group), group: sign(m.Chat, m.Date)}
	case desk.ChatID(m.Chat.ID) == group && m.MigrateTo != 0:
		return arrival{event: groupMoved{desk.ChatID(m.MigrateTo)}}
	}
	return arrival{event: ignored{}}
}

func sign(c wireChat, date int64) *db.ForumSign {
	return &db.ForumSign{IsForum: c.IsForum, At: moment(date)}
}

// moment is a date as Telegram writes it. One that no calendar of four digits has is none.
func moment(date int64) time.Time {
	if date < 0 || date > maxDate {
		date = 0
	}
	return time.Unix(date, 0)
}

const maxDate = 253402300799 // the end of the year 9999

func decodePrivate(m *wireMessage, raw json.RawMessage) event {
	kind := m.kind(raw)
	if m.From == nil || m.From.ID != m.Chat.ID || m.From.IsBot || kind == "" {
		return ignored{}
	}
	return personWrote{
		person: desk.Person{ID: desk.UserID(m.From.ID), FirstName: m.From.FirstName, LastName: m.From.LastName,
			Username: m.From.Username, LanguageCode: m.From.LanguageCode},
		message: desk.MessageID(m.ID), at: moment(m.Date), text: m.Text, content: kind, raw: raw,
	}
}

func decodeGroup(m *wireMessage, raw json.RawMessage, bot desk.BotID, group desk.ChatID) event {
	if m.MigrateTo != 0 {
		return groupMoved{desk.ChatID(m.MigrateTo)}
	}
	thread, valid := m.topicThread()
	if !valid || m.From == nil {
		return ignored{}
	}
	ours := m.From.ID == int64(bot)
	if e := decodeService(m, thread, ours); e != nil {
		return e
	}
	who, speaks := m.author(group)
	kind := m.kind(raw)
	if ours || !speaks || kind == "" {
		return ignored{}
	}
	return groupWrote{author: who, thread: thread, message: desk.MessageID(m.ID), text: m.Text + m.Caption, content: kind, raw: raw}
}

// topicThread is the topic a message stands in; 0 is General. A thread id without is_topic_message is a chain of replies in General;
// one that is there and not positive is a message nobody can place.
func (m *wireMessage) topicThread() (thread desk.ThreadID, valid bool) {
	if m.Thread == nil {
		return 0, true
	}
	if *m.Thread <= 0 {
		return 0, false
	}
	if !m.IsTopic || *m.Thread == 1 {
		return 0, true
	}
	return desk.ThreadID(*m.Thread), true
}

// decodeService reads what tells about topics instead of saying something; nil if it is no such message.
func decodeService(m *wireMessage, thread desk.ThreadID, ours bool) event {
	switch {
	case m.TopicClosed != nil && m.TopicReopened != nil:
		return ignored{}
	case m.TopicClosed != nil && thread != 0:
		return topicClosed{thread}
	case m.TopicReopened != nil && thread != 0:
		return topicReopened{thread}
	case m.TopicCreated != nil && ours && thread != 0:
		return topicMade{thread, m.TopicCreated.Name, moment(m.Date)}
	case m.TopicEdited != nil && !ours && thread != 0 && m.TopicEdited.Name != "":
		return topicRenamed{thread, m.TopicEdited.Name}
	case m.Pinned != nil && ours:
		return cardPinned{thread, desk.MessageID(m.ID)}
	}
	return nil
}

// author is who speaks; false for other bots, and for those who write as a channel or another group.
func (m *wireMessage) author(group desk.ChatID) (author, bool) {
	switch {
	case m.SenderChat != nil:
		return author{anonymous: true}, desk.ChatID(m.SenderChat.ID) == group
	case m.From.IsBot || m.From.ID <= 0:
		return author{}, false
	}
	return author{user: desk.UserID(m.From.ID)}, true
}

func decodePress(raw json.RawMessage, group desk.ChatID) arrival {
	var p wirePress
	if json.Unmarshal(raw, &p) != nil || p.ID == "" || p.From == nil || p.From.ID <= 0 || p.Message == nil || p.Message.ID <= 0 {
		return arrival{event: ignored{}}
	}
	chat := desk.ChatID(p.Message.Chat.ID)
	inGroup := chat == group
	if !inGroup && (p.Message.Chat.Type != "private" || p.Message.Chat.ID != p.From.ID) {
		return arrival{event: ignored{}}
	}
	// A press tells who presses, also in a group where that person writes anonymously.
	e := pressed{query: p.ID, by: author{user: desk.UserID(p.From.ID)}, chat: chat, message: desk.MessageID(p.Message.ID), data: p.Data}
	if !inGroup {
		e.lang = p.From.LanguageCode
	}
	return arrival{event: e}
}

func decodeOwnPlace(raw json.RawMessage, group desk.ChatID) arrival {
	var m wireMember
	if json.Unmarshal(raw, &m) != nil {
		return arrival{event: ignored{}}
	}
	switch {
	case desk.ChatID(m.Chat.ID) == group:
		return arrival{event: placeChanged{}, group: sign(m.Chat, m.Date)}
	case m.Chat.Type == "private" && m.Chat.ID > 0:
		return arrival{event: reachChanged{desk.UserID(m.Chat.ID), m.New.Status == "kicked"}}
	}
	return arrival{event: ignored{}}
}

func decodeMember(raw json.RawMessage, group desk.ChatID) arrival {
	var m wireMember
	if json.Unmarshal(raw, &m) != nil || desk.ChatID(m.Chat.ID) != group || m.New.User.ID <= 0 {
		return arrival{event: ignored{}}
	}
	is := m.New.Status == "creator" || m.New.Status == "administrator"
	return arrival{event: adminChanged{desk.UserID(m.New.User.ID), is}, group: sign(m.Chat, m.Date)}
}
