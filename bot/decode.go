package bot

import (
	"encoding/json"
	"slices"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

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
	case u.Edited != nil:
		return decodeMessage(u.Edited, bot, group).edited()
	case u.Reaction != nil:
		return decodeReaction(u.Reaction, group)
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
		return arrival{event: decodeGroup(&m, raw, bot, group), group: sign(m.Chat, max(m.Date, m.EditDate))}
	case desk.ChatID(m.Chat.ID) == group && m.MigrateTo != 0:
		return arrival{event: groupMoved{desk.ChatID(m.MigrateTo)}}
	}
	return arrival{event: ignored{}}
}

// edited is what the change of such a message means. What moves or is voted on by itself was changed by nobody.
func (a arrival) edited() arrival {
	switch e := a.event.(type) {
	case personWrote:
		if byHand(e.content) {
			a.event = personEdited{e}
			return a
		}
	case groupWrote:
		if byHand(e.content) {
			a.event = groupEdited{e}
			return a
		}
	}
	a.event = ignored{}
	return a
}

// byHand tells whether somebody can change a message of this kind; a location changes because its sender moves, a poll by its votes.
func byHand(kind string) bool {
	return kind != "location" && kind != "venue" && kind != "poll" && kind != "dice"
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
		at: moment(max(m.Date, m.EditDate)), said: m.said(kind, raw),
	}
}

// said reads what is carried of the message. In a topic everything silently replies to the topic's creation, which is no reply.
func (m *wireMessage) said(kind string, raw json.RawMessage) said {
	s := said{message: desk.MessageID(m.ID), text: m.Text + m.Caption, content: kind, album: string(m.Album), dated: m.EditDate > 0, raw: raw}
	creation := m.ReplyTo.TopicCreated || m.Thread != nil && *m.Thread == m.ReplyTo.ID
	if m.ReplyTo.ID > 0 && !creation {
		s.replyTo = desk.MessageID(m.ReplyTo.ID)
	}
	return s
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
	return groupWrote{author: who, thread: thread, said: m.said(kind, raw)}
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

// decodeReaction brings a list of reactions down to one: the newest of Telegram's own emoji. Others cannot be given by a bot, and a
// change among them is none.
func decodeReaction(raw json.RawMessage, group desk.ChatID) arrival {
	var r wireReaction
	if json.Unmarshal(raw, &r) != nil || r.ID <= 0 {
		return arrival{event: ignored{}}
	}
	before, now := emoji(r.Old), emoji(r.New)
	if slices.Equal(before, now) {
		return arrival{event: ignored{}}
	}
	what := reacted{message: desk.MessageID(r.ID), emoji: newest(before, now)}
	switch {
	case r.Chat.Type == "private" && r.User != nil && !r.User.IsBot && r.User.ID == r.Chat.ID && r.User.ID > 0:
		return arrival{event: personReacted{desk.UserID(r.User.ID), what}}
	case desk.ChatID(r.Chat.ID) != group:
		return arrival{event: ignored{}}
	}
	who, known := r.author(group)
	if !known {
		return arrival{event: ignored{}}
	}
	return arrival{event: groupReacted{who, what}}
}

func (r *wireReaction) author(group desk.ChatID) (author, bool) {
	switch {
	case r.Actor != nil:
		return author{anonymous: true}, desk.ChatID(r.Actor.ID) == group
	case r.User == nil || r.User.IsBot || r.User.ID <= 0:
		return author{}, false
	}
	return author{user: desk.UserID(r.User.ID)}, true
}

func emoji(list []wireReactionEmoji) (known []string) {
	for _, r := range list {
		if r.Type == "emoji" && r.Emoji != "" {
			known = append(known, string(r.Emoji))
		}
	}
	return known
}

// newest is what was added last or, if nothing was, the last that is left.
func newest(before, now []string) string {
	last := ""
	for _, e := range now {
		if last == "" || slices.Contains(before, last) || !slices.Contains(before, e) {
			last = e
		}
	}
	return last
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
