package bot_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hodor/internal/emulator"
)

// What must hold after a storm: of what was lost, doubled, mixed up or shown to others. How the two sides look is in
// aftermath_sides_test.go and aftermath_touch_test.go.

// A seen is what can be seen when the storm is over.
type seen struct {
	copies        map[*piece][]emulator.Message // of each message on the other side, by number, also where the topic was deleted
	sources       map[*piece]emulator.Message   // what stands where it was written, unless the topic was deleted
	calls         []emulator.Call
	placed        map[*piece]int        // how often it was sent to the other side …
	marked        map[*piece]int        // … and how often of these marked as an edit
	refused       map[*piece]bool       // Telegram refused to carry it in some way
	notices       map[emulator.Ref]bool // messages under which the desk said something, or tried to when the person could not be reached
	toldInGeneral int                   // how many failures were told of in General
	undone        map[*piece]bool       // taken back
}

var (
	tagRule  = regexp.MustCompile(`(from|to) \d+: \d+;`)
	fileRule = regexp.MustCompile(`AgAC([a-z]+\d+)`)
)

func (s *storm) check() {
	s.t.Helper()
	defer func() {
		if s.t.Failed() {
			s.t.Logf("what happened:\n%s", strings.Join(s.trail, "\n"))
		}
	}()
	if n := s.box.Owed(); n != 0 {
		s.t.Errorf("%d calls are still owed: %s", n, s.column("SELECT group_concat(kind || ' ' || lane || ' ' || state || ' due ' || due_at) FROM outbox WHERE state IN ('owed', 'sending')"))
	}
	if ill := s.ready.NotReady(); len(ill) != 0 {
		s.t.Errorf("not ready: %v", ill)
	}
	s.look()
	s.checkRemovals() // first: what was taken back need not be there
	s.checkArrived()
	s.checkOrder(false)
	s.checkOrder(true)
	s.checkOwners()
	s.checkDoubles()
	s.checkTopics()
	s.checkForms()
	s.checkAlbums()
	s.checkReplies()
	s.checkReactions()
	s.checkLedger()
	s.checkEditPace()
	s.checkNoText()
}

// look reads what stands, and what was asked of Telegram.
func (s *storm) look() {
	s.seen = seen{copies: map[*piece][]emulator.Message{}, sources: map[*piece]emulator.Message{}, calls: s.tg.Calls(),
		placed: map[*piece]int{}, marked: map[*piece]int{}, refused: map[*piece]bool{}, notices: map[emulator.Ref]bool{}, undone: map[*piece]bool{}}
	for _, user := range s.people {
		s.lookAt(user, s.tg.Chat(user), false)
	}
	for _, tp := range s.tg.Topics() {
		if tp.Deleted {
			s.lookAt(s.tg.Group(), s.gone[tp.Thread], true)
		} else {
			s.lookAt(s.tg.Group(), s.tg.Topic(tp.Thread), false)
		}
	}
	for _, m := range s.tg.General() {
		if p := s.pieceOf(s.tg.Group(), m); p != nil {
			s.wrong(p, "stands in General")
		}
	}
	for _, c := range s.calls {
		s.lookAtCall(c)
	}
}

func (s *storm) lookAt(chat int64, list []emulator.Message, gone bool) {
	for _, m := range list {
		p := s.pieceOf(chat, m)
		switch {
		case p == nil:
		case m.FromBot:
			s.copies[p] = append(s.copies[p], m)
			slices.SortFunc(s.copies[p], func(a, b emulator.Message) int { return a.ID - b.ID })
		case !gone:
			s.sources[p] = m
		}
	}
}

func (s *storm) lookAtCall(c emulator.Call) {
	chat := number(c, "chat_id")
	for _, p := range s.carriedBy(c) {
		if c.Executed && !strings.HasPrefix(c.Method, "edit") {
			s.placed[p]++
			if strings.Contains(c.Params["reply_markup"], `"e:"`) {
				s.marked[p]++
			}
		}
		s.refused[p] = s.refused[p] || c.Status == 400
	}
	if c.Method != "sendMessage" || !c.Executed && c.Status != 403 {
		return
	}
	if id := repliesTo(c); id != 0 {
		s.notices[emulator.Ref{Chat: chat, Message: id}] = true
	}
	if strings.HasPrefix(c.Params["text"], "About a message to") {
		s.toldInGeneral++
	}
}

// carriedBy are the messages of people and admins that a call puts somewhere, or changes there.
func (s *storm) carriedBy(c emulator.Call) (list []*piece) {
	from := emulator.Ref{Chat: number(c, "from_chat_id"), Message: int(number(c, "message_id"))}
	switch c.Method {
	case "copyMessage", "forwardMessage":
		return append(list, s.bySource[from])
	case "copyMessages":
		var ids []int
		_ = json.Unmarshal([]byte(c.Params["message_ids"]), &ids)
		for _, id := range ids {
			list = append(list, s.bySource[emulator.Ref{Chat: from.Chat, Message: id}])
		}
		return list
	}
	for name, value := range c.Params {
		if name == "reply_parameters" {
			continue // what it quotes is another's
		}
		for _, tag := range tagRule.FindAllString(value, -1) {
			list = append(list, s.byTag[tag])
		}
		for _, file := range fileRule.FindAllStringSubmatch(value, -1) {
			list = append(list, s.byFile["AQAD"+file[1]])
		}
	}
	slices.SortFunc(list, func(a, b *piece) int { return strings.Compare(a.tag, b.tag) })
	return slices.Compact(list)
}

func number(c emulator.Call, name string) int64 {
	n, _ := strconv.ParseInt(c.Params[name], 10, 64)
	return n
}

func repliesTo(c emulator.Call) int {
	var reply struct {
		ID int `json:"message_id"`
	}
	_ = json.Unmarshal([]byte(c.Params["reply_parameters"]), &reply)
	return reply.ID
}

// excused: its writer was told that it, or a change of it, did not or may not have come; of an album that is said under the first item.
func (s *storm) excused(p *piece) bool {
	under := s.notices[emulator.Ref{Chat: p.chat, Message: p.id}]
	return under || p.album != nil && s.notices[emulator.Ref{Chat: p.chat, Message: p.album.items[0].id}]
}

// checkArrived: every message came to the other side, or its writer was told, in General where that could not be said under it.
func (s *storm) checkArrived() {
	inGeneral, spoken := s.toldInGeneral, map[*bundle]bool{}
	for _, p := range s.pieces {
		if p.private && s.placed[p] != 0 {
			s.wrong(p, "of the team was sent on")
		}
		switch {
		case p.private, p.mayMiss, s.undone[p], len(s.copies[p]) > 0, s.excused(p):
		case p.out && p.album != nil && spoken[p.album]:
		case p.out && inGeneral > 0:
			inGeneral--
			spoken[p.album] = true // one notice speaks for an album
		default:
			s.wrong(p, "is lost")
		}
	}
}

// checkOrder: what was written one after the other came so. An item of an album stands where the first did or, if it came late, where it
// was written.
func (s *storm) checkOrder(out bool) {
	type place struct {
		p             *piece
		at, from, own int // where it stands; the first and last of all messages between which that must be
	}
	newest := map[int64][]place{}
	for i, p := range s.pieces {
		anew := s.refused[p] && len(p.forms) > 1 && len(s.copies[p]) > 1 // an edit, and even its mark was refused
		if p.out != out || p.mayMiss || s.undone[p] || anew || len(s.unmarked(p)) == 0 {
			continue
		}
		now := place{p, s.copies[p][0].ID, i, i}
		if p.album != nil {
			now.from = slices.Index(s.pieces, p.album.items[0])
			all := s.unmarked(p)
			now.at = all[len(all)-1].ID // a part may have come first, and then all of it
		}
		for _, before := range newest[p.user] {
			same := p.album != nil && before.p.album == p.album
			if (same && !s.excused(p) || before.own < now.from) && before.at > now.at {
				s.wrong(p, "came before %q", before.p.tag)
			}
		}
		newest[p.user] = append(newest[p.user], now)
	}
}

// unmarked are the copies of a message that were not sent anew, marked, because it was edited and could not be changed. Those came last.
// The mark itself may have gone with a further edit.
func (s *storm) unmarked(p *piece) []emulator.Message {
	all := s.copies[p]
	return all[:max(0, len(all)-s.marked[p])]
}

// checkOwners: no topic ever showed two people's messages, and no person ever read what was meant for another. Promise 7
func (s *storm) checkOwners() {
	owner := map[int]int64{}
	for _, c := range s.calls {
		if !c.Executed {
			continue
		}
		chat, thread := number(c, "chat_id"), int(number(c, "message_thread_id"))
		for _, p := range s.carriedBy(c) {
			edit := strings.HasPrefix(c.Method, "edit")
			if p.out && chat != p.user || !p.out && (chat != s.tg.Group() || thread <= 1 && !edit) || p.private {
				s.wrong(p, "was put into %d/%d by %s", chat, thread, c.Method)
			}
			if p.out || edit {
				continue
			}
			if was, ok := owner[thread]; ok && was != p.user {
				s.t.Errorf("topic %d shows messages of %d and %d", thread, was, p.user)
			}
			owner[thread] = p.user
		}
	}
	for p, copies := range s.copies {
		for _, m := range copies {
			if !p.out && owner[m.Thread] != p.user {
				s.wrong(p, "stands in topic %d", m.Thread)
			}
		}
	}
}

// checkDoubles: what arrived more than once, did so because an answer was lost, the program died, or an album came in part.
func (s *storm) checkDoubles() {
	doubles, doubts, most := 0, len(s.deaths), 2
	for _, c := range s.calls {
		n := max(1, len(s.carriedBy(c)))
		if c.Status == 0 {
			doubts += n
		}
		if c.Method == "copyMessages" && (c.Status == 200 || c.Status == 400) {
			doubts += n // as a whole, and again one by one
			most = 4
		}
	}
	doubts += 9 * len(s.deaths)
	for p := range s.copies {
		n := len(s.unmarked(p))
		doubles += max(0, n-1)
		if n > 2 && p.album == nil || n > most {
			s.wrong(p, "arrived %d times", n)
		}
	}
	if doubles > doubts {
		s.t.Errorf("%d doubles after %d doubts", doubles, doubts)
	}
	s.t.Logf("%d messages, %d albums, %d doubles, %d deaths, %d topics, %d of %d taken back", len(s.pieces), len(s.albums), doubles,
		len(s.deaths), len(s.tg.Topics()), len(s.undone), len(s.removals))
}
