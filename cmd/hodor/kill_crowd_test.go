package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"hodor/internal/emulator"
)

const (
	killPeople = 20
	killTeam   = 100 // the admin who answers
)

// A crowd writes without a pause: people in private, an admin in every topic that there is. Some of it is albums, whose items come at once
// or one by one, and some is changed, reacted to or taken back, also before it is sent.
type crowd struct {
	m      *machine
	mu     sync.Mutex
	said   map[int64][]*utterance // by person, in order
	told   map[int64][]*utterance // to a person, in order
	dels   []del
	albums int
	stop   chan struct{}
	done   sync.WaitGroup
}

// An utterance is one message, or one item of an album.
type utterance struct {
	user     int64
	thread   int // of an admin's
	id       int
	text     string // with which each of its forms begins
	edits    int
	last     string       // its newest form
	reaction string       // what its writer reacted to it with last
	album    []*utterance // all items so far, in the first of them; nil for one alone
	first    *utterance   // of its album
	name     string       // of its album, while items are still to come
	asked    bool         // it was asked to be taken back
}

// A del is a /del.
type del struct {
	thread, command int
	of              *utterance
}

func (c *crowd) start() {
	c.said, c.told, c.stop = map[int64][]*utterance{}, map[int64][]*utterance{}, make(chan struct{})
	c.done.Go(func() {
		pause := time.NewTicker(4 * time.Millisecond)
		defer pause.Stop()
		for n := 0; ; n++ {
			select {
			case <-c.stop:
				return
			case <-pause.C:
				c.act(n)
			}
		}
	})
}

func (c *crowd) end() { close(c.stop); c.done.Wait() }

func (c *crowd) act(n int) {
	user := int64(1 + rand.IntN(killPeople))
	c.mu.Lock()
	defer c.mu.Unlock()
	topic, _ := c.m.topicOf(fmt.Sprintf("User %d", user))
	thread, list := 0, c.said[user]
	if topic != 0 && rand.IntN(3) == 0 {
		thread, list = topic, c.told[user]
	}
	switch k := rand.IntN(40); {
	case k < 8 && len(list) > 0:
		c.edit(list[max(0, len(list)-1-rand.IntN(5))])
	case k < 10 && len(list) > 0:
		c.react(list[max(0, len(list)-1-rand.IntN(10))])
	case k == 10 && topic != 0:
		c.takeBack(user, topic)
	case k < 14 && len(list) > 0 && list[len(list)-1].name != "":
		c.addItem(list[len(list)-1], n)
	case k < 18:
		c.sendAlbum(user, thread, n)
	default:
		c.speak(&utterance{user: user, thread: thread, text: fmt.Sprintf("person %d message %d.", user, n)}, emulator.Text)
	}
}

// speak sends it, and remembers it.
func (c *crowd) speak(u *utterance, content func(string) emulator.Content) {
	u.last = u.text
	what := content(u.text)
	if u.name != "" {
		what = what.InAlbum(u.name)
	}
	if u.thread != 0 {
		u.id = c.m.tg.PostContent(killTeam, u.thread, what)
		c.told[u.user] = append(c.told[u.user], u)
		return
	}
	u.id = c.m.tg.Send(u.user, what)
	c.said[u.user] = append(c.said[u.user], u)
}

func (c *crowd) sendAlbum(user int64, thread, n int) {
	c.albums++
	name := fmt.Sprint("killed ", c.albums)
	first := &utterance{user: user, thread: thread, text: fmt.Sprintf("person %d message %d-0.", user, n), name: name}
	first.first = first
	first.album = []*utterance{first}
	if rand.IntN(5) == 0 { // what Telegram refuses in part goes one by one
		c.m.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, `Bad Request: failed to send message #1 with the error message "x"`)
	}
	c.speak(first, emulator.Photo)
	for range rand.IntN(4) {
		c.addItem(first, n)
	}
}

func (c *crowd) addItem(of *utterance, n int) {
	first := of.first
	if len(first.album) == 10 {
		return
	}
	item := &utterance{user: first.user, thread: first.thread, first: first, name: first.name,
		text: fmt.Sprintf("person %d message %d-%d.", first.user, n, len(first.album))}
	first.album = append(first.album, item)
	c.speak(item, emulator.Photo)
}

func (c *crowd) edit(u *utterance) {
	if u.asked {
		return
	}
	u.edits++
	u.last = fmt.Sprintf("%s edit %d", u.text, u.edits)
	if u.thread != 0 {
		c.m.tg.EditPost(killTeam, u.id, u.last)
	} else {
		c.m.tg.EditText(u.user, u.id, u.last)
	}
}

// react gives a reaction to what stands on both sides: before, Telegram may tell of the reaction first.
func (c *crowd) react(u *utterance) {
	if u.first != nil || u.asked || len(c.copiesOf(u)) == 0 {
		return
	}
	u.reaction = []string{"👍", "❤", "🔥"}[rand.IntN(3)]
	if u.thread != 0 {
		c.m.tg.ReactPost(killTeam, u.id, u.reaction)
	} else {
		c.m.tg.React(u.user, u.id, u.reaction)
	}
}

// takeBack lets the admin reply with /del to something of late in the topic, his own or the person's.
func (c *crowd) takeBack(user int64, thread int) {
	own := slices.Concat(c.said[user], c.told[user])
	list := slices.DeleteFunc(c.m.tg.Topic(thread), func(m emulator.Message) bool { return !strings.HasPrefix(m.Text, "person ") })
	if len(list) == 0 {
		return
	}
	m := list[max(0, len(list)-1-rand.IntN(8))]
	at := slices.IndexFunc(own, func(u *utterance) bool { return strings.HasPrefix(m.Text, u.text) })
	if at < 0 {
		return // not what is wrong here: the judge sees it
	}
	for _, u := range own[at].whole() {
		u.asked, u.name = true, "" // nothing more comes of its album
	}
	c.dels = append(c.dels, del{thread, c.m.tg.PostReply(killTeam, thread, m.ID, "/del"), own[at]})
}

// whole is the message, or all of its album.
func (u *utterance) whole() []*utterance {
	if u.first != nil {
		return u.first.album
	}
	return []*utterance{u}
}

// copiesOf are its copies on the other side, in order.
func (c *crowd) copiesOf(u *utterance) []emulator.Message {
	far := c.m.tg.Chat(u.user)
	if u.thread == 0 {
		thread, _ := c.m.topicOf(fmt.Sprintf("User %d", u.user))
		far = c.m.tg.Topic(thread)
	}
	return slices.DeleteFunc(far, func(m emulator.Message) bool { return !m.FromBot || !strings.HasPrefix(m.Text, u.text) })
}
