package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hodor/internal/emulator"
)

// What reactions, deletions and the database look like after a storm.

// checkReactions: the bot shows on the other side what somebody reacted with last.
func (s *storm) checkReactions() {
	for at, r := range s.reacted {
		far, p, ok := s.farOf(at.Chat, at.Message)
		if !ok || r.emoji == "🦖" || p.out && !s.alive(p.thread) {
			continue
		}
		if inGroup := at.Chat == s.tg.Group(); inGroup && (!r.at.After(s.blocked[p.user]) || s.locked[p.user]) {
			continue // it may have been blocked on its way
		}
		m := s.sources[p]
		if s.bySource[at] == p {
			m = s.copies[p][0]
		}
		if m.ID != far || p.album != nil && s.reactedElsewhere(p, at) {
			continue
		}
		if got := m.Reactions[s.tg.BotID()]; got != r.emoji {
			s.wrong(p, "was reacted to with %q at %s in %d, and the other side shows %q", r.emoji, r.at.Format("15:04:05.0"), at.Chat, got)
		}
	}
}

// reactedElsewhere: in an album the reaction stands at the first item, and more may come to stand there.
func (s *storm) reactedElsewhere(p *piece, at emulator.Ref) bool {
	return p.album.items[0] != p || slices.ContainsFunc(p.album.items[1:], func(i *piece) bool {
		return s.reacted[emulator.Ref{Chat: i.chat, Message: i.id}] != nil
	})
}

// checkRemovals: what was taken back is gone on both sides, with the command; or it was said under the command why not.
func (s *storm) checkRemovals() {
	for _, r := range s.removals {
		told := s.notices[emulator.Ref{Chat: s.tg.Group(), Message: r.command}]
		alive := s.alive(r.thread)
		gone := alive && !s.stands(s.tg.Group(), r.thread, r.command)
		_, source := s.sources[r.piece]
		switch {
		case gone, told && alive && r.piece.out && !source: // it may have arrived before it was taken back
			s.undo(r, told && !gone)
		case r.unsettled:
			for _, p := range r.piece.whole() {
				p.mayMiss = true
			}
		case !told:
			s.wrong(r.piece, "was not taken back by /del %d, and nothing is said", r.command)
		}
	}
	for p := range s.undone {
		if _, stands := s.sources[p]; stands {
			s.wrong(p, "was taken back and still stands where it was written")
		}
		live := slices.ContainsFunc(s.copies[p], func(m emulator.Message) bool { return p.out || s.alive(m.Thread) })
		if s.placed[p] <= 1 && live && !p.mayMiss {
			s.wrong(p, "was taken back and still stands on the other side")
		}
	}
}

// undo: the message is taken back, with all of its album that was there. What comes of items that came later, nobody can say.
// Nor, if so much was said under the command, whether an earlier try has arrived.
func (s *storm) undo(r *removal, maybe bool) {
	for _, p := range r.piece.whole() {
		_, stands := s.sources[p]
		if p == r.piece || !stands && (!p.out || s.alive(p.thread)) {
			s.undone[p], p.mayMiss = true, p.mayMiss || maybe
		} else {
			p.mayMiss = true
		}
	}
}

func (p *piece) whole() []*piece {
	if p.album == nil {
		return []*piece{p}
	}
	return p.album.items
}

func (s *storm) stands(chat int64, thread, id int) bool {
	return slices.ContainsFunc(s.standing(chat, thread), func(m emulator.Message) bool { return m.ID == id })
}

// checkEditPace: a message is edited at most once in five seconds, but for what was in doubt.
func (s *storm) checkEditPace() {
	newest := map[emulator.Ref]time.Time{}
	for _, c := range s.calls {
		if !strings.HasPrefix(c.Method, "editMessage") || c.Status != 200 || len(s.carriedBy(c)) == 0 {
			continue
		}
		at := emulator.Ref{Chat: number(c, "chat_id"), Message: int(number(c, "message_id"))}
		before, again := newest[at]
		died := slices.ContainsFunc(s.deaths, func(t time.Time) bool { return !t.Before(before) && !t.After(c.At) })
		if newest[at] = c.At; again && c.At.Sub(before) < 5*time.Second && !died {
			s.t.Errorf("message %v was edited at %s and again after %s", at, before.Format("15:04:05.0"), c.At.Sub(before))
		}
	}
}

// checkNoText: what is settled keeps no text.
func (s *storm) checkNoText() {
	for _, query := range []string{
		"SELECT count(*) FROM outbox WHERE content IS NOT NULL AND state <> 'refused'",
		"SELECT count(*) FROM outbox WHERE payload LIKE '%from 1_:%' OR payload LIKE '%to 1_:%' OR reason LIKE '%1_: %;%'",
		"SELECT count(*) FROM album_items i WHERE content IS NOT NULL AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.id = i.call_id AND o.state = 'refused')",
		"SELECT count(*) FROM processed_updates WHERE raw IS NOT NULL",
	} {
		if n := s.column(query); n != "0" {
			s.t.Errorf("%s rows keep text: %s", n, query)
		}
	}
}

// checkTopics: every topic of ours that is there has its person, and no person has two. Promise 4
func (s *storm) checkTopics() {
	owner := make(map[int]int64)
	for _, user := range s.people {
		if thread := s.topicOf(user); thread != 0 {
			owner[thread] = user
		}
	}
	for _, tp := range s.tg.Topics() {
		if _, owned := owner[tp.Thread]; !owned && !tp.Deleted {
			s.t.Errorf("topic %d %q has no person", tp.Thread, tp.Name)
		}
	}
	if n := s.count("deleteForumTopic"); n != 0 {
		s.t.Errorf("%d topics were made in vain", n)
	}
}

// said is how often the desk said a line into a chat, or tried to where that is closed to it.
func (s *storm) said(chat int64, line string) (n int) {
	for _, c := range s.calls {
		if c.Method == "sendMessage" && (c.Executed || c.Status == 403 || c.Description == "Bad Request: TOPIC_CLOSED") && number(c, "chat_id") == chat && c.Params["text"] == line {
			n++
		}
	}
	return n
}

// wrong reports what is not right with a message, and what was done with it.
func (s *storm) wrong(p *piece, format string, args ...any) {
	s.t.Helper()
	var calls []string
	for _, c := range s.calls {
		about := slices.Contains(s.carriedBy(c), p) || repliesTo(c) == p.id && number(c, "chat_id") == p.chat
		for _, m := range s.copies[p] {
			far := s.tg.Group()
			if p.out {
				far = p.user
			}
			about = about || int(number(c, "message_id")) == m.ID && number(c, "chat_id") == far
		}
		if about {
			calls = append(calls, fmt.Sprint(c.At.Format("15:04:05.0 "), c.Method, " ", c.Params, " ", c.Status, " ", c.Executed, " ", c.Description))
		}
	}
	s.t.Errorf("%q (%d in %d/%d, heard %s) %s\n%s", p.tag, p.id, p.chat, p.thread, p.heardAt.Format("15:04:05.0"), fmt.Sprintf(format, args...),
		strings.Join(calls, "\n"))
}
