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

var (
	stormSeed  = flag.Uint64("seed", 0, "the seed of the only storm to run")
	stormCount = flag.Int("storms", 0, "how many storms to run, each from a seed of its own")
)

// Whatever people, admins, Telegram, the network and the power do, in whatever order: nothing is lost, doubled without a doubt, shown
// to others or out of order, and both sides show the same in the end. Promises 1–4, 7
func TestStorm(t *testing.T) {
	seeds := []uint64{1, 2, 3, 4, 5}
	switch {
	case *stormSeed != 0:
		seeds = []uint64{*stormSeed}
	case *stormCount != 0:
		seeds = nil
		for range *stormCount {
			seeds = append(seeds, 1+rand.Uint64N(1_000_000_000))
		}
	case testing.Short():
		seeds = seeds[:2]
	default:
		seeds = append(seeds, 1+rand.Uint64N(1_000_000_000)) // its name is in the output
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s := newStorm(t, seed)
			for range 220 {
				s.step()
			}
			s.calm()
			s.check()
		})
	}
}

// A storm is a world in which anything happens. What people and admins do in it is in storm_talk_test.go.
type storm struct {
	*world
	rnd     *rand.Rand
	people  []int64
	past    [][]byte // updates that were delivered
	crash   int      // stages until the program dies; 0 if it does not
	deaths  []time.Time
	deleted time.Time // when a topic was last deleted by hand
	trail   []string
	talk

	// what it led to, read when it is over
	seen
}

func newStorm(t *testing.T, seed uint64) *storm {
	s := &storm{rnd: rand.New(rand.NewPCG(seed, 0)), people: []int64{11, 12, 13, 14, 15, 16}, talk: newTalk()}
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
			s.deaths = append(s.deaths, s.clock.Now())
			s.restart()
		default:
			panic(p)
		}
	}()
	s.box.Drain(context.Background())
}

// take hands over all that Telegram has for us.
func (s *storm) take() {
	updates := s.tg.TakeUpdates()
	s.past = append(s.past, updates...)
	if err := s.bot.Handle(context.Background(), updates...); err != nil {
		s.t.Fatal(err)
	}
	s.heard(s.clock.Now())
}

func (s *storm) pass(d time.Duration) {
	for ; d > 0; d -= 5 * time.Second {
		s.clock.Advance(min(d, 5*time.Second))
		s.take()
		s.drain()
	}
}

func (s *storm) note(format string, args ...any) {
	s.trail = append(s.trail, s.clock.Now().Format("15:04:05.0 ")+fmt.Sprintf(format, args...))
}

func pick[T any](s *storm, list []T) T { return list[s.rnd.IntN(len(list))] }

func (s *storm) once(in int) bool { return s.rnd.IntN(in) == 0 }

// step is one thing that happens, and perhaps the desk's turn after it.
func (s *storm) step() {
	things := []struct {
		weight int
		happen func()
	}{
		{25, s.say}, {18, s.answer}, {8, s.album}, {12, s.nextItem}, {18, s.edit}, {12, s.react}, {6, s.del}, {2, s.teamTalk},
		{5, s.repeat}, {25, s.strike}, {4, s.deleteTopic}, {4, s.turnTopic}, {3, s.rename},
		{3, s.block}, {3, s.kill}, {2, func() { s.note("restart"); s.restart() }}, {2, s.outage}, {4, s.renameTopic},
		{12, func() { s.pass(time.Duration(1+s.rnd.IntN(40)) * time.Second) }},
		{8, func() { s.clock.Advance(time.Duration(100+s.rnd.IntN(1200)) * time.Millisecond) }},
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

func (s *storm) topic(thread int) emulator.Topic {
	list := s.tg.Topics()
	i := slices.IndexFunc(list, func(tp emulator.Topic) bool { return tp.Thread == thread })
	if i < 0 {
		return emulator.Topic{Deleted: true}
	}
	return list[i]
}

func (s *storm) alive(thread int) bool { return !s.topic(thread).Deleted }

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
	f := emulator.Fault{Method: pick(s, []string{"", "", "copyMessage", "copyMessage", "copyMessages", "copyMessages", "sendMediaGroup",
		"sendMessage", "createForumTopic", "createForumTopic", "editMessageText", "editMessageCaption", "editMessageMedia",
		"setMessageReaction", "deleteMessages", "deleteMessage", "pinChatMessage", "reopenForumTopic", "editForumTopic", "getChat"}),
		Chat: pick(s, []int64{0, s.tg.Group(), pick(s, s.people)})}
	name, arm := "", func() {}
	switch s.rnd.IntN(7) {
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
	case 5:
		f.Method = "copyMessages"
		name, arm = "part of an album", func() { s.tg.PartialCopy(f, 1) }
		if s.once(2) {
			name, arm = "refused part", func() { s.tg.Refuse(f, 400, `Bad Request: failed to send message #1 with the error message "x"`) }
		}
	case 6:
		f.Method = pick(s, []string{"copyMessage", "copyMessages", "editMessageText", "editMessageCaption", "editMessageMedia"})
		name, arm = "refusal", func() { s.tg.Refuse(f, 400, "Bad Request: not today") }
	}
	s.note("%s of %q in %d", name, f.Method, f.Chat)
	arm()
}

func (s *storm) rename() {
	user := pick(s, s.people)
	s.tg.Know(emulator.Person{ID: user, FirstName: pick(s, []string{"Ann", "Bob", fmt.Sprint("Person ", user)})})
}

func (s *storm) renameTopic() {
	if thread := s.topicOf(pick(s, s.people)); s.alive(thread) {
		s.tg.RenameTopic(admin, thread, fmt.Sprint("VIP ", s.rnd.IntN(3)))
	}
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
