package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hodor/internal/emulator"
)

const (
	killPeople = 20
	killTeam   = 100 // the admin who answers
)

// A crowd writes without a pause: people in private, an admin in every topic that there is.
type crowd struct {
	m    *machine
	mu   sync.Mutex
	said map[int64][]string // by person, in order
	told map[int64][]string // to a person, in order
	stop chan struct{}
	done sync.WaitGroup
}

func (c *crowd) start() {
	c.said, c.told, c.stop = map[int64][]string{}, map[int64][]string{}, make(chan struct{})
	c.done.Go(func() {
		pause := time.NewTicker(4 * time.Millisecond)
		defer pause.Stop()
		for n := 0; ; n++ {
			select {
			case <-c.stop:
				return
			case <-pause.C:
				c.speak(n)
			}
		}
	})
}

func (c *crowd) speak(n int) {
	user := int64(1 + rand.IntN(killPeople))
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf("person %d message %d", user, n)
	thread, _ := c.m.topicOf(fmt.Sprintf("User %d", user))
	if thread != 0 && rand.IntN(3) == 0 {
		c.told[user] = append(c.told[user], text)
		c.m.tg.Post(killTeam, thread, text)
		return
	}
	c.said[user] = append(c.said[user], text)
	c.m.tg.Say(user, text)
}

func (c *crowd) end() { close(c.stop); c.done.Wait() }

// The promise of the whole program: whatever the power does, nothing is lost, doubled without a doubt, reordered or put into another
// topic.
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

// missing names something that has neither arrived nor been told of; "" if there is no such thing.
func (c *crowd) missing() string {
	for user := int64(1); user <= killPeople; user++ {
		thread, err := c.m.topicOf(fmt.Sprintf("User %d", user))
		if err != nil {
			return err.Error()
		}
		if what := absent(c.said[user], c.m.tg.Topic(thread), c.m.tg.Chat(user)); what != "" {
			return what
		}
		if what := absent(c.told[user], c.m.tg.Chat(user), c.m.tg.Topic(thread)); what != "" {
			return what
		}
	}
	return ""
}

// absent is the first text that is not shown on the far side and under which, on the near side, no notice stands.
func absent(texts []string, far, near []emulator.Message) string {
	shown := map[string]bool{}
	for _, m := range far {
		shown[m.Text] = true
	}
	for _, text := range texts {
		if shown[text] {
			continue
		}
		at := slices.IndexFunc(near, func(m emulator.Message) bool { return m.Text == text })
		if at < 0 || !slices.ContainsFunc(near, func(m emulator.Message) bool { return m.FromBot && m.ReplyTo == near[at].ID }) {
			return text
		}
	}
	return ""
}

func (c *crowd) judge(t *testing.T, kills int) {
	doubled, told, messages := 0, 0, 0
	for user := int64(1); user <= killPeople; user++ {
		thread, err := c.m.topicOf(fmt.Sprintf("User %d", user))
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []struct {
			said []string
			far  []emulator.Message
		}{{c.said[user], c.m.tg.Topic(thread)}, {c.told[user], c.m.tg.Chat(user)}} {
			d, lost := compare(t, side.said, copies(side.far), user)
			doubled, told, messages = doubled+d, told+lost, messages+len(side.said)
		}
	}
	t.Logf("%d kills, %d messages: %d arrived twice after a doubt, %d were told as uncertain", kills, messages, doubled, told)
	// At a kill at most so many calls are under way, and each lane has one.
	if limit := kills * 2 * killPeople; doubled > limit {
		t.Errorf("%d doubles, more than there can have been doubts (%d)", doubled, limit)
	}
	if n := len(c.m.tg.Topics()) - deleted(c.m.tg.Topics()); n != killPeople {
		t.Errorf("%d topics for %d people", n, killPeople)
	}
}

// copies are the texts that the desk brought, in order.
func copies(messages []emulator.Message) []string {
	var list []string
	for _, m := range messages {
		if m.FromBot && strings.HasPrefix(m.Text, "person ") {
			list = append(list, m.Text)
		}
	}
	return list
}

// compare checks order and ownership, and counts doubles and what is missing.
func compare(t *testing.T, said, got []string, user int64) (doubled, missing int) {
	t.Helper()
	place := map[string]int{}
	for i, text := range said {
		place[text] = i
	}
	seen, last := map[string]int{}, -1
	for _, text := range got {
		at, ours := place[text]
		if !ours {
			t.Errorf("person %d has a message of another: %q", user, text)
			continue
		}
		seen[text]++
		switch seen[text] {
		case 1:
			if at < last {
				t.Errorf("person %d: %q came after a later one", user, text)
			}
			last = at
		case 2:
			doubled++
		default:
			t.Errorf("person %d: %q came %d times", user, text, seen[text])
		}
	}
	return doubled, len(said) - len(seen)
}

func deleted(topics []emulator.Topic) (n int) {
	for _, topic := range topics {
		if topic.Deleted {
			n++
		}
	}
	return n
}
