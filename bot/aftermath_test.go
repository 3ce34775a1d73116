package bot_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hodor/db"
	"hodor/internal/emulator"
)

// What must hold after a storm. Everything is read from what Telegram was asked and carried out: topics deleted by hand show nothing.

// An arrived is a message of somebody that Telegram put somewhere for us.
type arrived struct {
	chat   int64
	thread int
	text   string
}

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
	list := s.arrivals()
	s.checkPeople(list)
	s.checkAdmins(list)
	s.checkOwners(list)
	s.checkDoubles(list)
	s.checkTopics()
	s.checkLedger(list)
}

// arrivals are the messages of people and admins that were put on the other side, in order.
func (s *storm) arrivals() []arrived {
	known := make(map[string]bool)
	source := make(map[emulator.Ref]string)
	for _, m := range s.wrote {
		known[m.text], source[emulator.Ref{Chat: m.user, Message: m.id}] = true, m.text
	}
	for _, m := range s.posted {
		known[m.text], source[emulator.Ref{Chat: s.tg.Group(), Message: m.id}] = true, m.text
	}
	var list []arrived
	for _, c := range s.tg.Calls() {
		a := arrived{chat: number(c, "chat_id"), thread: int(number(c, "message_thread_id"))}
		switch {
		case !c.Executed:
			continue
		case c.Method == "copyMessage", c.Method == "forwardMessage":
			a.text = source[emulator.Ref{Chat: number(c, "from_chat_id"), Message: int(number(c, "message_id"))}]
		case known[c.Params["text"]]:
			a.text = c.Params["text"]
		case known[c.Params["caption"]]:
			a.text = c.Params["caption"]
		default:
			continue
		}
		list = append(list, a)
	}
	return list
}

func number(c emulator.Call, name string) int64 {
	n, _ := strconv.ParseInt(c.Params[name], 10, 64)
	return n
}

// checkPeople: every message of a person came into the group, or the person was told; and what came, came in order.
func (s *storm) checkPeople(list []arrived) {
	first := make(map[string]int)
	for i, a := range list {
		if _, seen := first[a.text]; !seen && a.chat == s.tg.Group() {
			first[a.text] = i
		}
	}
	newest := make(map[int64]written)
	for _, m := range s.wrote {
		at, came := first[m.text]
		if !came {
			if !s.toldInPrivate(m) {
				s.t.Errorf("%q is lost", m.text)
			}
			continue
		}
		if before, ok := newest[m.user]; ok && first[before.text] > at {
			s.t.Errorf("%q came before %q", m.text, before.text)
		}
		newest[m.user] = m
	}
}

// toldInPrivate: a notice of ours replies to the message, or was meant to when the person could not be reached.
func (s *storm) toldInPrivate(m written) bool {
	for _, c := range s.tg.Calls() {
		if c.Method == "sendMessage" && number(c, "chat_id") == m.user && repliesTo(c) == m.id && (c.Executed || c.Status == 403) {
			return true
		}
	}
	return false
}

func repliesTo(c emulator.Call) int {
	var reply struct {
		ID int `json:"message_id"`
	}
	_ = json.Unmarshal([]byte(c.Params["reply_parameters"]), &reply)
	return reply.ID
}

// checkAdmins: every admin's message came to its person, or the admin was told under it, or in General where that could not be.
func (s *storm) checkAdmins(list []arrived) {
	came := make(map[string]bool)
	for _, a := range list {
		came[fmt.Sprint(a.chat, a.text)] = true
	}
	told := make(map[int]bool)
	inGeneral := 0
	for _, c := range s.tg.Calls() {
		if c.Method != "sendMessage" || !c.Executed || number(c, "chat_id") != s.tg.Group() {
			continue
		}
		told[repliesTo(c)] = true
		if strings.HasPrefix(c.Params["text"], "About a message to") {
			inGeneral++
		}
	}
	s.checkOrder(list)
	for _, m := range s.posted {
		switch {
		case came[fmt.Sprint(m.user, m.text)], told[m.id], s.bad[m.thread]:
		case inGeneral > 0:
			inGeneral--
		default:
			s.t.Errorf("%q is lost", m.text)
		}
	}
}

// checkOrder: what admins wrote to one person came in the order in which they wrote it.
func (s *storm) checkOrder(list []arrived) {
	written := make(map[string]int)
	for i, m := range s.posted {
		written[m.text] = i
	}
	newest, seen := make(map[int64]int), make(map[string]bool)
	for _, a := range list {
		i, ok := written[a.text]
		if !ok || seen[a.text] {
			continue
		}
		if seen[a.text] = true; i < newest[a.chat] {
			s.t.Errorf("%q came after %q", a.text, s.posted[newest[a.chat]].text)
		}
		newest[a.chat] = max(newest[a.chat], i)
	}
}

// checkLedger: what came and was not reported as doubtful stands in the ledger, once.
func (s *storm) checkLedger(list []arrived) {
	came := make(map[string]bool)
	for _, a := range list {
		came[a.text] = true
	}
	for _, user := range s.people {
		rows := make(map[int]int)
		for _, row := range s.ledger(user) {
			if row.Direction == db.In {
				rows[int(row.InPrivate)]++
			}
		}
		for _, m := range s.wrote {
			if n := rows[m.id]; m.user == user && (n > 1 || n == 0 && came[m.text] && !s.toldInPrivate(m)) {
				s.t.Errorf("%q has %d rows in the ledger", m.text, n)
			}
		}
	}
}

// checkOwners: no topic ever showed two people's messages, and no person ever read what was meant for another. Promise 7
func (s *storm) checkOwners(list []arrived) {
	owner := make(map[int]int64)
	for _, a := range list {
		var user int64
		if _, err := fmt.Sscanf(a.text, "from %d:", &user); err == nil {
			if a.chat != s.tg.Group() || a.thread <= 1 {
				s.t.Errorf("%q was put into %d/%d", a.text, a.chat, a.thread)
			}
			if was, ok := owner[a.thread]; ok && was != user {
				s.t.Errorf("topic %d shows messages of %d and %d", a.thread, was, user)
			}
			owner[a.thread] = user
		} else if _, err := fmt.Sscanf(a.text, "to %d:", &user); err != nil || a.chat != user {
			s.t.Errorf("%q was put into %d/%d", a.text, a.chat, a.thread)
		}
	}
}

// checkDoubles: what arrived more than once, did so because an answer was lost or the program died.
func (s *storm) checkDoubles(list []arrived) {
	count := make(map[string]int)
	doubles, doubts := 0, s.crashes
	for _, a := range list {
		if count[a.text]++; count[a.text] > 1 {
			doubles++
		}
		if count[a.text] > 2 {
			s.t.Errorf("%q arrived %d times", a.text, count[a.text])
		}
	}
	for _, c := range s.tg.Calls() {
		if c.Status == 0 {
			doubts++
		}
	}
	if doubles > doubts {
		s.t.Errorf("%d doubles after %d doubts", doubles, doubts)
	}
	s.t.Logf("%d messages in, %d out, %d doubles after %d doubts, %d deaths, %d topics", len(s.wrote), len(s.posted), doubles, doubts, s.crashes, len(s.tg.Topics()))
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
