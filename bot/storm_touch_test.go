package bot_test

import (
	"fmt"
	"time"

	"hodor/internal/emulator"
)

// What is done, in a storm, to messages that stand, and to topics and chats.

// react gives, changes or takes back a reaction on either side. In an album Telegram shows a bot's on the first item, and so only that
// one is reacted to.
func (s *storm) react() {
	user := pick(s, s.people)
	chat, thread := user, 0
	if s.once(2) {
		if chat, thread = s.tg.Group(), s.topicOf(user); !s.alive(thread) {
			return
		}
	}
	m, ok := s.anyMessage(chat, thread)
	if !ok {
		return
	}
	if p := s.pieceOf(chat, m); p.album != nil && p.album.items[0] != p {
		return
	}
	for range 1 + s.rnd.IntN(2) {
		emoji := pick(s, []string{"", "👍", "❤", "🔥", "😁", "🦖"})
		s.note("reaction %q to %d in %d/%d", emoji, m.ID, chat, thread)
		before := m.Reactions[user]
		if chat == user {
			s.tg.React(user, m.ID, emoji)
		} else {
			before = m.Reactions[admin]
			s.tg.ReactPost(admin, m.ID, emoji)
		}
		if before != emoji {
			s.reacted[emulator.Ref{Chat: chat, Message: m.ID}] = &reaction{user, emoji, s.clock.Now()}
		}
		m.Reactions = map[int64]string{user: emoji, admin: emoji}
	}
}

// del takes a message back.
func (s *storm) del() {
	thread := s.topicOf(pick(s, s.people))
	if !s.alive(thread) {
		return
	}
	m, ok := s.anyMessage(s.tg.Group(), thread)
	if !ok {
		return
	}
	p := s.pieceOf(s.tg.Group(), m)
	r := &removal{piece: p, target: m.ID, thread: thread, at: s.clock.Now(), unsettled: s.topic(thread).Closed}
	r.command = s.tg.PostReply(admin, thread, m.ID, "/del")
	s.removals = append(s.removals, r)
	s.note("/del %d of %q (%d in topic %d)", r.command, p.tag, m.ID, thread)
}

func (s *storm) deleteTopic() {
	thread := s.topicOf(pick(s, s.people))
	if !s.alive(thread) || s.clock.Now().Sub(s.deleted) < 20*time.Second {
		return // more at once would stop the desk, as it should
	}
	s.note("topic %d is deleted", thread)
	s.deleted = s.clock.Now()
	s.gone[thread] = s.tg.Topic(thread)
	s.unsettle(thread)
	for _, p := range s.pieces {
		if p.out && p.thread == thread && p.heardAt.IsZero() {
			p.mayMiss = true // the desk may hear of it when the topic is nobody's any more
		}
	}
	s.tg.DeleteTopic(thread)
}

func (s *storm) turnTopic() {
	thread := s.topicOf(pick(s, s.people))
	if !s.alive(thread) {
		return
	}
	if s.once(2) {
		s.note("topic %d is closed", thread)
		s.unsettle(thread)
		s.tg.CloseTopic(admin, thread)
		return
	}
	s.note("topic %d is opened", thread)
	s.tg.ReopenTopic(admin, thread)
}

// unsettle notes that a topic was closed or deleted. Of what the desk has not heard yet nobody can say whether it comes before or after,
// and what it wants to say there need not be said.
func (s *storm) unsettle(thread int) {
	for _, p := range s.pieces {
		if p.out && p.thread == thread {
			p.since = p.told
		}
	}
	for _, r := range s.removals {
		if r.thread == thread {
			r.unsettled = true
		}
	}
}

func (s *storm) block() {
	user := pick(s, s.people)
	s.blocked[user] = s.clock.Now()
	if s.once(2) {
		s.note("%d blocks", user)
		s.locked[user] = true
		s.tg.Block(user)
		return
	}
	s.locked[user] = false
	s.note("%d unblocks", user)
	s.tg.Unblock(user)
}

// edit changes something that somebody wrote, rather of late, once or more.
func (s *storm) edit() {
	if len(s.pieces) == 0 {
		return
	}
	p := pick(s, s.pieces[max(0, len(s.pieces)-12):])
	if s.once(4) {
		p = pick(s, s.pieces)
	}
	now := p.forms[len(p.forms)-1]
	if _, stands := s.source(p); !stands || p.private || now.kind == "sticker" || p.out && !s.alive(p.thread) {
		return
	}
	for range 1 + s.rnd.IntN(2) {
		s.editOnce(p)
	}
}

func (s *storm) editOnce(p *piece) {
	now := p.forms[len(p.forms)-1]
	text := fmt.Sprintf("%s form %d", p.tag, len(p.forms))
	var c emulator.Content
	switch {
	case now.kind == "voice" || s.once(2) || now.kind == "text" && !s.once(4):
		s.note("%q becomes %q", p.tag, text)
		if p.out {
			s.tg.EditPost(admin, p.id, text)
		} else {
			s.tg.EditText(p.user, p.id, text)
		}
		s.newForm(p)
		return
	case p.album != nil && p.album.items[0].forms[0].kind == "document":
		c = emulator.Document(text)
	case p.album != nil:
		c = pick(s, []func(string) emulator.Content{emulator.Photo, emulator.Video})(text)
	default:
		c = pick(s, []func(string) emulator.Content{emulator.Photo, emulator.Video, emulator.Document, emulator.Animation})(text)
	}
	s.note("%q becomes a %s with %q", p.tag, c.Kind, text)
	if p.out {
		s.tg.EditPostContent(admin, p.id, c)
	} else {
		s.tg.EditContent(p.user, p.id, c)
	}
	s.newForm(p)
}
