package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hodor/db"
	"hodor/internal/emulator"
)

// How the two sides look after a storm: both show the same.

// checkForms: what was edited shows its last form on the other side, in its newest copy.
func (s *storm) checkForms() {
	inGeneral := s.toldInGeneral
	for _, p := range s.pieces {
		copies := s.copies[p]
		if len(copies) == 0 || s.undone[p] || p.mayMiss {
			continue
		}
		if p.atOnce == len(p.forms) && s.marked[p] > 0 && !s.excused(p) {
			s.wrong(p, "was edited before it was sent, and is marked as edited")
		}
		m := copies[len(copies)-1]
		if slices.Contains(p.forms[p.since:], form{m.Kind, m.Text, m.File}) || s.excused(p) {
			continue
		}
		if p.out && inGeneral > 0 {
			inGeneral--
			continue
		}
		s.wrong(p, "shows a %s %q %s, want %v", m.Kind, m.Text, m.File, p.forms[p.since:])
	}
}

// certain are the items that came while the album was still gathered, whatever the weather: within a second of the one before.
func (b *bundle) certain() (items []*piece) {
	for _, p := range b.items {
		if n := len(items); n > 0 && (p.heardAt.Sub(items[n-1].heardAt) >= time.Second || p.heardAt.Sub(items[0].heardAt) >= 8*time.Second) {
			break
		}
		items = append(items, p)
	}
	return items
}

// checkAlbums: an album is an album on the other side, unless it was said there that it came piece by piece, or its writer was told that
// something did not come.
func (s *storm) checkAlbums() {
	said := map[int64]int{}
	for _, user := range s.people {
		said[user] = s.said(user, sentence("album_doubled"))
	}
	said[s.tg.Group()] = s.said(s.tg.Group(), sentence("album_doubled"))
	for _, b := range s.albums {
		items := b.certain()
		first := items[0]
		came := slices.ContainsFunc(items, func(p *piece) bool { // … where it can still be said
			return slices.ContainsFunc(s.unmarked(p), func(m emulator.Message) bool { return p.out || s.alive(m.Thread) })
		})
		if len(items) < 2 || !came || s.excused(first) || s.undone[first] || first.mayMiss || s.wholeIn(items) {
			continue
		}
		far := s.tg.Group()
		if first.out {
			far = first.user
		}
		if first.out && !s.alive(first.thread) && s.toldInGeneral > 0 {
			continue
		}
		if said[far]--; said[far] < 0 {
			s.t.Errorf("%s is not whole on the other side: %s", b, s.scattered(items))
		}
	}
	for _, b := range s.albums {
		s.checkLate(b)
	}
}

// wholeIn tells that some one album on the other side holds all the items, in their order.
func (s *storm) wholeIn(items []*piece) bool {
	for _, of := range s.copies[items[0]] {
		at := of.ID
		for _, p := range items[1:] {
			i := slices.IndexFunc(s.copies[p], func(m emulator.Message) bool { return m.GroupID == of.GroupID && m.ID > at })
			if of.GroupID == "" || i < 0 {
				at = -1
				break
			}
			at = s.copies[p][i].ID
		}
		if at >= 0 {
			return true
		}
	}
	return false
}

func (s *storm) scattered(items []*piece) string {
	var list []string
	for _, p := range items {
		list = append(list, p.tag)
		for _, m := range s.copies[p] {
			list = append(list, fmt.Sprintf("%d of album %q", m.ID, m.GroupID))
		}
	}
	return strings.Join(list, ", ")
}

// checkLate: what comes late follows as a reply to its album.
func (s *storm) checkLate(b *bundle) {
	first, head := b.items[0], s.copies[b.items[0]]
	if len(head) != 1 || s.excused(first) || s.undone[first] || first.mayMiss || s.marked[first] > 0 {
		return
	}
	for _, p := range b.items[1:] {
		copies := s.copies[p]
		if len(copies) != 1 || s.marked[p] > 0 || copies[0].GroupID != "" || copies[0].Thread != head[0].Thread || s.refused[p] || s.refused[first] {
			continue
		}
		if copies[0].ReplyTo != head[0].ID {
			s.wrong(p, "came late and replies to %d, not to its album (%d)", copies[0].ReplyTo, head[0].ID)
		}
	}
}

// only is the one copy of a message that stands on both sides without a doubt; false if there is none, or several.
func (s *storm) only(p *piece) (emulator.Message, bool) {
	copies := s.copies[p]
	if _, stands := s.sources[p]; !stands || len(copies) != 1 || s.placed[p] != 1 || s.marked[p] > 0 || s.excused(p) || p.mayMiss ||
		s.undone[p] || !p.out && !s.alive(copies[0].Thread) {
		return emulator.Message{}, false
	}
	return copies[0], true
}

// farOf is the number, on the other side, of a message that stands on both; ok is false where nobody can say.
func (s *storm) farOf(chat int64, id int) (far int, of *piece, ok bool) {
	if p := s.bySource[emulator.Ref{Chat: chat, Message: id}]; p != nil {
		m, ok := s.only(p)
		return m.ID, p, ok
	}
	for p := range s.copies {
		if m, ok := s.only(p); ok && m.ID == id && (p.out && chat == p.user || !p.out && chat == s.tg.Group()) {
			return p.id, p, true
		}
	}
	return 0, nil, false
}

// checkReplies: a reply points to the same message on the other side, and quotes the same of it.
func (s *storm) checkReplies() {
	for _, p := range s.pieces {
		m, ok := s.only(p)
		if p.replyTo == 0 || !ok || s.refused[p] || p.album != nil && p.album.items[0] != p {
			continue
		}
		far, target, ok := s.farOf(p.chat, p.replyTo)
		if !ok || p.out && target.out && !s.alive(target.thread) || !p.out && s.threadOf(target) != m.Thread {
			continue
		}
		if m.ReplyTo != far {
			s.wrong(p, "replies to %d, not to %d, the other side of %q", m.ReplyTo, far, target.tag)
		}
		if p.quote != "" && len(target.forms) == 1 && m.Quote != p.quote {
			s.wrong(p, "quotes %q, not %q", m.Quote, p.quote)
		}
	}
}

// threadOf is where a message stands in the group.
func (s *storm) threadOf(p *piece) int {
	if p.out {
		return p.thread
	}
	return s.copies[p][0].Thread
}

// checkLedger: what stands on both sides is in the ledger, once, and what is in the ledger stands.
func (s *storm) checkLedger() {
	rows, newest := map[*piece]int{}, map[*piece]db.Relayed{}
	for _, user := range s.people {
		for _, row := range s.ledger(user) {
			source := emulator.Ref{Chat: user, Message: int(row.InPrivate)}
			if row.Direction == db.Out {
				source = emulator.Ref{Chat: s.tg.Group(), Message: int(row.InGroup)}
			}
			p := s.bySource[source]
			if p == nil || p.user != user || p.out != (row.Direction == db.Out) {
				s.t.Errorf("the ledger of %d has a row of nobody's: %+v", user, row)
				continue
			}
			if _, stands := s.copyAs(p, row); row.Removed {
				if stands && s.alive(int(row.Thread)) {
					s.wrong(p, "was taken back, and stands as before: %+v", row)
				}
				continue
			}
			newest[p] = row
			if s.alive(int(row.Thread)) {
				rows[p]++
			}
			if _, stands := s.copyAs(p, row); !stands {
				s.wrong(p, "does not stand as the ledger says: %+v", row)
			}
		}
	}
	for p, row := range newest { // of older copies it does not matter what they show
		sure := p.since == len(p.forms)-1 && !s.excused(p)
		if m, _ := s.copyAs(p, row); sure && m.Kind != row.Content || !p.out && m.Thread != int(row.Thread) {
			s.wrong(p, "stands as %+v, and the ledger says %+v", m, row)
		}
	}
	for _, p := range s.pieces {
		_, stands := s.only(p)
		if stands && rows[p] != 1 || rows[p] > 1+s.marked[p] && !s.refused[p] {
			s.wrong(p, "has %d rows in the ledger and %d copies", rows[p], len(s.copies[p]))
		}
	}
}

// copyAs is the copy that a row of the ledger speaks of.
func (s *storm) copyAs(p *piece, row db.Relayed) (emulator.Message, bool) {
	as := int(row.InGroup)
	if p.out {
		as = int(row.InPrivate)
	}
	i := slices.IndexFunc(s.copies[p], func(m emulator.Message) bool { return m.ID == as })
	if i < 0 {
		return emulator.Message{}, false
	}
	return s.copies[p][i], true
}
