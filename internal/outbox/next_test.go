package outbox

import (
	"testing"
	"time"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/internal/desk"
)

// A call has fallen due and no sender is free: to look at it again and again helps nobody, the next landing will tell.
func TestNextSleepsWhileAllSendersAreBusy(t *testing.T) {
	o, _, _ := newBox(t, zerolog.Nop())
	o.group.wanted = false // no question is open
	o.free = 1
	now := o.Now()
	o.queue.add(db.Debt{ID: 1, Lane: desk.UserLane(7), Kind: "say", Due: now})
	o.queue.add(db.Debt{ID: 2, Lane: desk.UserLane(8), Kind: "say", Due: now.Add(-time.Second)})
	o.queue.add(db.Debt{ID: 3, Lane: desk.UserLane(9), Kind: "say", Due: now.Add(time.Minute)})
	work := o.next()
	if len(work.calls) != 1 || o.free != 0 {
		t.Fatalf("%d calls are taken and %d senders free, want 1 and 0", len(work.calls), o.free)
	}
	for range 3 {
		if work := o.next(); len(work.calls) != 0 || !work.wakeAt.IsZero() {
			t.Fatalf("%d calls are taken, and the next look is at %v: with no sender free it has to be when one lands", len(work.calls), work.wakeAt)
		}
	}
	o.landed(o.chatOf(work.calls[0].Lane))
	o.queue.release(work.calls[0].Lane)
	if work := o.next(); len(work.calls) != 1 {
		t.Errorf("%d calls are taken when one has landed, want 1", len(work.calls))
	}
	o.landed(0)
	if work := o.next(); !work.wakeAt.Equal(now.Add(time.Minute)) {
		t.Errorf("with a sender free the next look is at %v, want in a minute", work.wakeAt)
	}
}

// Each look at a lane whose chat has no place puts it in line; it must not stand there once for each look.
func TestAirLaneStandsInLineOnce(t *testing.T) {
	a := air{calls: make(map[desk.ChatID]int), crowd: make(map[desk.ChatID][]desk.Lane), waits: make(map[desk.Lane]bool)}
	const chat, senders = desk.ChatID(-100), 4
	a.rise(chat)
	a.rise(chat)
	one, two := desk.TopicLane(7), desk.TopicLane(8)
	for range 100 {
		for _, l := range []desk.Lane{one, two} {
			if !a.full(chat, l, senders) {
				t.Fatal("a third call finds a place where half of four may be")
			}
		}
	}
	if n := len(a.crowd[chat]); n != 2 {
		t.Fatalf("%d stand in line, want the two lanes", n)
	}
	for _, want := range []desk.Lane{one, two} {
		a.land(chat)
		if got, waits := a.next(chat, senders); !waits || got != want {
			t.Errorf("the place goes to %v, want %v", got, want)
		}
		a.rise(chat)
	}
	a.land(chat)
	if l, waits := a.next(chat, senders); waits {
		t.Errorf("%v still stands in line", l)
	}
	a.rise(chat)
	if !a.full(chat, one, senders) || len(a.crowd[chat]) != 1 {
		t.Errorf("who had a place may stand in line again: %v", a.crowd)
	}
}
