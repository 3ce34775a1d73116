package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The promise of the whole program: whatever the power does, nothing is lost, doubled without a doubt, reordered or put into another
// topic; what was changed shows its last form, and what was taken back is gone.
func TestKilledAtAnyMomentNothingIsLost(t *testing.T) {
	for _, mode := range []string{"polling", "webhook"} {
		t.Run(mode, func(t *testing.T) { killTest(t, mode) })
	}
}

func killTest(t *testing.T, mode string) {
	m := newMachine(t, mode)
	m.tg.Join(killTeam)
	c := &crowd{m: m}
	c.start()
	kills := 0
	for range 20 {
		m.start("")
		// As long as a start takes, and some of the work after it: any moment of both may be the last.
		<-time.After(50*time.Millisecond + rand.N(350*time.Millisecond))
		m.kill()
		kills++
	}
	for _, stage := range []string{"taken", "answered", "settled"} {
		for range 4 {
			m.start(fmt.Sprintf("%s:%d", stage, 1+rand.IntN(40)))
			m.wait()
			kills++
		}
	}
	c.end()
	m.tg.Heal() // what was to be refused and was not asked for
	m.start("")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%d updates wait; missing: %q; topics: %+v", m.tg.Updates(), c.missing(), m.tg.Topics())
		}
	})
	eventually(t, 2*time.Minute, "everything is delivered or told", func() bool { return m.tg.Updates() == 0 && c.missing() == "" })
	if code := m.stop(); code != 0 {
		t.Errorf("stopping ended with %d", code)
	}
	c.judge(t, kills)
}

// A side is one direction of a conversation.
type side struct {
	user      int64
	list      []*utterance
	near, far []emulator.Message
}

func (c *crowd) sides() (list []side, err error) {
	for user := int64(1); user <= killPeople; user++ {
		thread, err := c.m.topicOf(fmt.Sprintf("User %d", user))
		if err != nil {
			return nil, err
		}
		chat, topic := c.m.tg.Chat(user), c.m.tg.Topic(thread)
		list = append(list, side{user, c.said[user], chat, topic}, side{user, c.told[user], topic, chat})
	}
	return list, nil
}

// missing names something that has neither arrived in its last form nor been told of, or was neither taken back nor kept with a word; ""
// if there is no such thing.
func (c *crowd) missing() string {
	sides, err := c.sides()
	if err != nil {
		return err.Error()
	}
	for _, s := range sides {
		newest, standing, answered := map[string]emulator.Message{}, map[int]bool{}, map[int]bool{}
		for _, m := range s.far {
			if m.FromBot {
				newest[base(m.Text)] = m
			}
		}
		for _, m := range s.near {
			standing[m.ID] = true
			if m.FromBot {
				answered[m.ReplyTo] = true
			}
		}
		for _, u := range s.list {
			if what := u.missing(newest, standing, answered, c.m.tg.BotID()); what != "" {
				return what
			}
		}
	}
	for _, d := range c.dels {
		topic := c.m.tg.Topic(d.thread)
		if slices.ContainsFunc(topic, func(m emulator.Message) bool { return m.ID == d.command }) &&
			!slices.ContainsFunc(topic, func(m emulator.Message) bool { return m.FromBot && m.ReplyTo == d.command }) {
			return fmt.Sprintf("the /del of %q", d.of.text)
		}
	}
	return ""
}

func (u *utterance) missing(newest map[string]emulator.Message, standing, answered map[int]bool, bot int64) string {
	told := answered[u.id] || answered[u.whole()[0].id]
	m, came := newest[u.text]
	switch {
	case !standing[u.id] && u.asked, told:
	case !standing[u.id]:
		return u.text + " where it was written"
	case !came && !u.asked: // an item that came after its album was taken back is not wanted
		return u.text
	case came && m.Text != u.last:
		return fmt.Sprintf("%q, which shows %q", u.last, m.Text)
	case came && u.edits == 0 && u.reaction != "" && m.Reactions[bot] != u.reaction:
		return fmt.Sprintf("the reaction %s to %q", u.reaction, u.text)
	}
	return ""
}

// base is the text with which all forms of a message begin.
func base(text string) string {
	head, _, _ := strings.Cut(text, " edit ")
	return head
}

func (c *crowd) judge(t *testing.T, kills int) {
	sides, err := c.sides()
	if err != nil {
		t.Fatal(err)
	}
	doubled, told, messages, left, back, whole := 0, 0, 0, 0, 0, 0
	for _, s := range sides {
		d, lost := compare(t, s)
		doubled, told, messages = doubled+d, told+lost, messages+len(s.list)
		for _, u := range s.list {
			if gone := !slices.ContainsFunc(s.near, func(m emulator.Message) bool { return m.ID == u.id }); gone {
				back++
				left += len(c.copiesOf(u))
			}
			whole += u.isWhole(s.far)
		}
	}
	t.Logf("%d kills, %d messages, %d albums (%d whole): %d arrived twice after a doubt, %d were told as uncertain or taken back; of %d taken back %d stand",
		kills, messages, c.albums, whole, doubled, told, back, left)
	// At a kill at most so many calls are under way, and each lane has one; an album is up to ten messages.
	if limit := kills * 2 * killPeople * 10; doubled > limit {
		t.Errorf("%d doubles, more than there can have been doubts (%d)", doubled, limit)
	}
	if left > kills*10 {
		t.Errorf("%d copies stand of what was taken back, more than can have been sent in doubt", left)
	}
	if whole == 0 {
		t.Error("not one album came as an album")
	}
	if n := len(c.m.tg.Topics()) - deleted(c.m.tg.Topics()); n != killPeople {
		t.Errorf("%d topics for %d people", n, killPeople)
	}
}

// isWhole is 1 for the first item of an album that came as one.
func (u *utterance) isWhole(far []emulator.Message) int {
	if u.first != u || len(u.album) < 2 {
		return 0
	}
	albums := map[string]int{}
	for _, m := range far {
		if slices.ContainsFunc(u.album, func(i *utterance) bool { return i.text == base(m.Text) }) && m.GroupID != "" {
			albums[m.GroupID]++
		}
	}
	for _, n := range albums {
		if n == len(u.album) {
			return 1
		}
	}
	return 0
}

// compare checks order and ownership, and counts doubles and what is missing. An item of an album stands where its first item does or, if
// it came late, where it was written.
func compare(t *testing.T, s side) (doubled, missing int) {
	t.Helper()
	place := map[string]int{}
	for i, u := range s.list {
		place[u.text] = i
	}
	seen := map[string]int{}
	var before []int
	for _, m := range s.far {
		if !m.FromBot || !strings.HasPrefix(m.Text, "person ") {
			continue
		}
		at, ours := place[base(m.Text)]
		if !ours {
			t.Errorf("person %d has a message of another: %q", s.user, m.Text)
			continue
		}
		u, most := s.list[at], 2
		if u.first != nil {
			most = 4 // as a whole, and again one by one
		}
		seen[u.text]++
		switch n := seen[u.text]; {
		case n == 1:
			for _, i := range before {
				if other := s.list[i]; u.mustPrecede(other, place) && u.edits == 0 && other.edits == 0 {
					t.Errorf("person %d: %q came after %q", s.user, u.text, other.text)
				}
			}
			before = append(before, at)
		case n == 2:
			doubled++
		case n > most+2*u.edits: // a change may be sent anew, which is a message like any other
			t.Errorf("person %d: %q came %d times", s.user, u.text, n)
		}
	}
	return doubled, len(s.list) - len(seen)
}

// mustPrecede tells that u was written before other, wherever in its album that may stand.
func (u *utterance) mustPrecede(other *utterance, place map[string]int) bool {
	from := place[other.text]
	if other.first != nil && other.first != u.first {
		from = place[other.first.text]
	}
	return place[u.text] < from
}

func deleted(topics []emulator.Topic) (n int) {
	for _, topic := range topics {
		if topic.Deleted {
			n++
		}
	}
	return n
}
