package bot_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A side is where somebody writes: a person in private or, with a thread, an admin in the person's topic.
type side struct {
	*world
	person int64
	thread int
}

func (s side) inTopic() bool { return s.thread != 0 }

// messages is what stands there.
func (s side) messages() []emulator.Message {
	if s.inTopic() {
		return s.tg.Topic(s.thread)
	}
	return s.tg.Chat(s.person)
}

// message is one of them as it stands there now.
func (s side) message(id int) emulator.Message {
	s.t.Helper()
	list := s.messages()
	i := slices.IndexFunc(list, func(m emulator.Message) bool { return m.ID == id })
	if i < 0 {
		s.t.Fatalf("message %d does not stand there", id)
	}
	return list[i]
}

// write is one message or, of several contents, an album; to 0 is no reply.
func (s side) write(to int, contents ...emulator.Content) []int {
	switch {
	case len(contents) > 1 && s.inTopic():
		return s.tg.PostAlbumReply(admin, s.thread, to, contents...)
	case len(contents) > 1:
		return s.tg.AlbumReply(s.person, to, contents...)
	case s.inTopic():
		return []int{s.tg.PostReplyWith(admin, s.thread, to, contents[0])}
	}
	return []int{s.tg.ReplyWith(s.person, to, contents[0])}
}

func (s side) reword(msg int, text string) {
	if s.inTopic() {
		s.tg.EditPost(admin, msg, text)
		return
	}
	s.tg.EditText(s.person, msg, text)
}

func (s side) replace(msg int, by emulator.Content) {
	if s.inTopic() {
		s.tg.EditPostContent(admin, msg, by)
		return
	}
	s.tg.EditContent(s.person, msg, by)
}

func (s side) touch(msg int) {
	if s.inTopic() {
		s.tg.TouchPost(msg)
		return
	}
	s.tg.Touch(s.person, msg)
}

func (s side) move(msg int) {
	if s.inTopic() {
		s.tg.MovePost(msg, 48.1, 11.5)
		return
	}
	s.tg.Move(s.person, msg, 48.1, 11.5)
}

func (s side) vote(msg int) {
	if s.inTopic() {
		s.tg.VotePost(admin, msg, 1)
		return
	}
	s.tg.Vote(s.person, msg, 1)
}

func (s side) react(msg int, emoji string) {
	if s.inTopic() {
		s.tg.ReactPost(admin, msg, emoji)
		return
	}
	s.tg.React(s.person, msg, emoji)
}

// A difference is what became otherwise on a side.
type difference struct{ added, changed, removed []emulator.Message }

func (d difference) none() bool { return len(d.added)+len(d.changed)+len(d.removed) == 0 }

// String names what differs, for a test that did not expect it.
func (d difference) String() string {
	var parts []string
	for what, list := range map[string][]emulator.Message{"added": d.added, "changed": d.changed, "removed": d.removed} {
		for _, m := range list {
			parts = append(parts, fmt.Sprintf("%s %d %s %q in reply to %d", what, m.ID, m.Kind, m.Text, m.ReplyTo))
		}
	}
	slices.Sort(parts)
	return "(" + strings.Join(parts, "; ") + ")"
}

// differ compares what stood somewhere with what stands there now, and leaves out what the actor did there.
func differ(t testing.TB, before, after []emulator.Message, own ...int) (d difference) {
	t.Helper()
	was := map[int]emulator.Message{}
	for _, m := range before {
		was[m.ID] = m
	}
	for _, m := range after {
		old, stood := was[m.ID]
		delete(was, m.ID)
		switch {
		case slices.Contains(own, m.ID):
		case !stood:
			d.added = append(d.added, m)
		case !looksLike(t, old, m):
			d.changed = append(d.changed, m)
		}
	}
	for _, m := range before {
		if _, gone := was[m.ID]; gone {
			d.removed = append(d.removed, m)
		}
	}
	return d
}

func looksLike(t testing.TB, a, b emulator.Message) bool {
	t.Helper()
	same := reflect.DeepEqual(body(t, a), body(t, b))
	a.Raw, b.Raw = nil, nil
	return same && reflect.DeepEqual(a, b)
}

// An effect is what everybody sees of something that somebody did on one side: there, and on the other.
type effect struct{ here, there difference }

// watch does something on a side that may be seen on the other, and lets time pass. What it returns are the messages that it wrote or
// changed itself. Whatever is done, nobody else may see anything of it, and nothing may be left to do.
func (p pair) watch(from side, d time.Duration, do func() (own []int)) effect {
	p.t.Helper()
	to := p.opposite(from)
	here, there, elsewhere := from.messages(), to.messages(), p.elsewhere()
	own := do()
	p.settle()
	p.after(d)
	for i, place := range p.elsewhere() {
		if d := differ(p.t, elsewhere[i], place); !d.none() {
			p.t.Errorf("seen where nobody of the two is: %s", d)
		}
	}
	p.wantNothingOwed()
	return effect{differ(p.t, here, from.messages(), own...), differ(p.t, there, to.messages())}
}

// A pair is a person and the team, who write to each other while others write there, too.
type pair struct {
	*world
	person, team side
	others       []side
}

const bystander = 8

// newPair is a person and the team who have both written once, and another person who has, too.
func newPair(t testing.TB) pair {
	t.Helper()
	w := newWorld(t, generous, limited(1000))
	p := pair{world: w}
	for _, user := range []int64{7, bystander} {
		thread := w.talk(user)
		w.tg.Post(admin, thread, "good morning")
		w.after(5 * time.Second)
		p.others = append(p.others, side{w, user, 0}, side{w, user, thread})
	}
	p.person, p.team, p.others = p.others[0], p.others[1], p.others[2:]
	return p
}

func (p pair) opposite(s side) side {
	if s.inTopic() {
		return p.person
	}
	return p.team
}

// elsewhere is all that stands where neither of the two writes.
func (p pair) elsewhere() [][]emulator.Message {
	places := [][]emulator.Message{p.tg.General()}
	for _, s := range p.others {
		places = append(places, s.messages())
	}
	if n := len(p.tg.Topics()); n != 2 {
		p.t.Errorf("there are %d topics", n)
	}
	return places
}
