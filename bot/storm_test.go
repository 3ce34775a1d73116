package bot_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

var stormSeed = flag.Uint64("seed", 0, "the seed of the only storm to run")

// Whatever people, admins, Telegram, the network and the power do, in whatever order: nothing is lost, doubled without a doubt, shown
// to others or out of order. Promises 1–4, 7
func TestStorm(t *testing.T) {
	seeds := []uint64{1, 2, 3, 4, 5, 6, 7, 8}
	switch {
	case *stormSeed != 0:
		seeds = []uint64{*stormSeed}
	case testing.Short():
		seeds = seeds[:2]
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s := newStorm(t, seed)
			for range 200 {
				s.step()
			}
			s.calm()
			s.check()
		})
	}
}

// A storm is a world in which anything happens.
type storm struct {
	*world
	rnd     *rand.Rand
	people  []int64
	wrote   []written
	posted  []written
	past    [][]byte // updates that were delivered
	crash   int      // stages until the program dies; 0 if it does not
	crashes int
	deleted time.Time // when a topic was last deleted by hand
	bad     map[int]bool
	trail   []string
}

// A written is one message and what it says, which no other says.
type written struct {
	user   int64
	thread int // of an admin's message
	id     int
	text   string
}

func newStorm(t *testing.T, seed uint64) *storm {
	s := &storm{rnd: rand.New(rand.NewPCG(seed, 0)), people: []int64{11, 12, 13, 14, 15, 16}, bad: make(map[int]bool)}
	s.world = newWorld(t, limited(100000), func(w *world) {
		w.tune = func(o *outbox.Options) { o.Trace = s.trace }
	})
	for i, user := range s.people {
		name := fmt.Sprint("Person ", user)
		if i < 2 {
			name = "Ann" // two of the same name: a topic that shows up must not go to the other
		}
		s.tg.Know(emulator.Person{ID: user, FirstName: name})
	}
	return s
}

// trace lets the program die at a stage of a call.
func (s *storm) trace(stage outbox.Stage, _ desk.CallID) {
	if s.crash == 0 {
		return
	}
	if s.crash--; s.crash == 0 {
		panic(died(stage))
	}
}

type died outbox.Stage

// drain sends what can be sent; if the program dies meanwhile, it starts again.
func (s *storm) drain() {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case died:
			s.note("died when %s", p)
			s.crashes++
			s.restart()
		default:
			panic(p)
		}
	}()
	s.box.Drain(context.Background())
}

func (s *storm) take() {
	updates := s.tg.TakeUpdates()
	s.past = append(s.past, updates...)
	if err := s.bot.Handle(context.Background(), updates...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *storm) pass(d time.Duration) {
	for ; d > 0; d -= 5 * time.Second {
		s.clock.Advance(min(d, 5*time.Second))
		s.take()
		s.drain()
	}
}

func (s *storm) note(format string, args ...any) {
	s.trail = append(s.trail, s.clock.Now().Format("15:04:05 ")+fmt.Sprintf(format, args...))
}

func pick[T any](s *storm, list []T) T { return list[s.rnd.IntN(len(list))] }

// step is one thing that happens, and perhaps the desk's turn after it.
func (s *storm) step() {
	things := []struct {
		weight int
		happen func()
	}{
		{30, s.say}, {20, s.answer}, {5, s.repeat}, {25, s.strike}, {4, s.deleteTopic}, {4, s.turnTopic}, {3, s.rename},
		{3, s.block}, {3, s.kill}, {2, func() { s.note("restart"); s.restart() }}, {2, s.outage}, {4, s.renameTopic},
		{15, func() { s.pass(time.Duration(1+s.rnd.IntN(40)) * time.Second) }},
	}
	total := 0
	for _, thing := range things {
		total += thing.weight
	}
	n := s.rnd.IntN(total)
	for _, thing := range things {
		if n -= thing.weight; n < 0 {
			thing.happen()
			break
		}
	}
	switch s.rnd.IntN(4) {
	case 0:
		s.take()
	case 1:
		s.drain()
	case 2:
		s.take()
		s.drain()
	}
}

func (s *storm) say() {
	user := pick(s, s.people)
	for range 1 + s.rnd.IntN(3) {
		text := fmt.Sprintf("from %d: %d", user, len(s.wrote))
		content := emulator.Text(text)
		if s.rnd.IntN(3) == 0 {
			content = emulator.Photo(text)
		}
		s.wrote = append(s.wrote, written{user: user, id: s.tg.Send(user, content), text: text})
		s.note("%d says %q", user, text)
	}
}

func (s *storm) answer() {
	user := pick(s, s.people)
	thread := s.topicOf(user)
	if !s.alive(thread) {
		return
	}
	text := fmt.Sprintf("to %d: %d", user, len(s.posted))
	s.posted = append(s.posted, written{user: user, thread: thread, id: s.tg.Post(admin, thread, text), text: text})
	s.note("an admin writes %q in %d", text, thread)
}

func (s *storm) alive(thread int) bool {
	return slices.ContainsFunc(s.tg.Topics(), func(tp emulator.Topic) bool { return tp.Thread == thread && !tp.Deleted })
}

func (s *storm) repeat() {
	if len(s.past) == 0 {
		return
	}
	if err := s.bot.Handle(context.Background(), pick(s, s.past)); err != nil {
		s.t.Fatal(err)
	}
}

// strike arms one fault.
func (s *storm) strike() {
	f := emulator.Fault{Method: pick(s, []string{"", "copyMessage", "copyMessage", "sendMessage", "createForumTopic", "createForumTopic",
		"editMessageText", "pinChatMessage", "deleteMessage", "reopenForumTopic", "editForumTopic", "getChat", "deleteForumTopic"}),
		Chat: pick(s, []int64{0, s.tg.Group(), pick(s, s.people)})}
	name, arm := "", func() {}
	switch s.rnd.IntN(5) {
	case 0:
		name, arm = "lost reply", func() { s.tg.LostReply(f) }
	case 1:
		name, arm = "reset", func() { s.tg.ResetBefore(f) }
	case 2:
		name, arm = "bad gateway", func() { s.tg.BadGateway(f) }
	case 3:
		name, arm = "internal error", func() { s.tg.InternalError(f) }
	case 4:
		name, arm = "flood", func() { s.tg.Flood(f, 1+s.rnd.IntN(20)) }
	}
	s.note("%s of %q in %d", name, f.Method, f.Chat)
	arm()
}

func (s *storm) deleteTopic() {
	thread := s.topicOf(pick(s, s.people))
	if !s.alive(thread) || s.clock.Now().Sub(s.deleted) < 20*time.Second {
		return // more at once would stop the desk, as it should
	}
	s.note("topic %d is deleted", thread)
	s.deleted = s.clock.Now()
	s.bad[thread] = true
	s.tg.DeleteTopic(thread)
}

func (s *storm) turnTopic() {
	thread := s.topicOf(pick(s, s.people))
	if !s.alive(thread) {
		return
	}
	if s.rnd.IntN(2) == 0 {
		s.note("topic %d is closed", thread)
		s.tg.CloseTopic(admin, thread)
		return
	}
	s.tg.ReopenTopic(admin, thread)
}

func (s *storm) renameTopic() {
	if thread := s.topicOf(pick(s, s.people)); s.alive(thread) {
		s.tg.RenameTopic(admin, thread, fmt.Sprint("VIP ", s.rnd.IntN(3)))
	}
}

func (s *storm) rename() {
	user := pick(s, s.people)
	s.tg.Know(emulator.Person{ID: user, FirstName: pick(s, []string{"Ann", "Bob", fmt.Sprint("Person ", user)})})
}

func (s *storm) block() {
	user := pick(s, s.people)
	if s.rnd.IntN(2) == 0 {
		s.note("%d blocks", user)
		s.tg.Block(user)
		return
	}
	s.note("%d unblocks", user)
	s.tg.Unblock(user)
}

func (s *storm) kill() { s.crash = 1 + s.rnd.IntN(9) }

// outage is a while in which nothing works.
func (s *storm) outage() {
	s.note("outage")
	s.tg.BadGateway(emulator.Fault{Count: -1})
	s.tg.BadGateway(emulator.Fault{Method: "getMe", Count: -1})
	s.pass(time.Duration(1+s.rnd.IntN(120)) * time.Second)
	s.tg.Heal()
}

// calm heals everything and waits until all is done.
func (s *storm) calm() {
	s.note("calm")
	s.crash = 0
	s.tg.Heal()
	s.pass(30 * time.Minute)
	s.restart() // also what a stop after too many vanished topics asks for
	s.pass(30 * time.Minute)
}
