package outbox

import (
	"testing"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// reacting is an outbox with an admin's message to 7 at Telegram, and 7's reaction to it taken: what the person reacted to is not known
// yet, because the answer that says its number has not come.
func reacting(t *testing.T) (o *Outbox, d *db.DB, relay taken, reaction []db.Debt) {
	t.Helper()
	o, d, _ = newBox(t, zerolog.Nop())
	o.group.proof = o.Now()
	dbtest.Update(t, d, func(tx *db.Tx) error {
		if err := tx.BindTopic(7, 20, "Ann"); err != nil {
			return err
		}
		return tx.Owe(desk.RelayToUser{Copied: desk.Copied{User: 7, Source: 40, Content: "text"}})
	})
	out := o.take(t.Context(), o.next().calls)
	if len(out) != 1 {
		t.Fatalf("%d calls are at Telegram, want the relay", len(out))
	}
	dbtest.Update(t, d, func(tx *db.Tx) error {
		return tx.Owe(desk.React{To: desk.TopicLane(7), Message: 900, Emoji: "👍", At: tx.Now})
	})
	reaction = o.next().calls
	if len(reaction) != 1 || reaction[0].Kind != "react" {
		t.Fatalf("%+v are next, want the reaction", reaction)
	}
	return o, d, out[0], reaction
}

// arrive settles the relay: it became message 900.
func arrive(t *testing.T, o *Outbox, d *db.DB, relay taken) {
	t.Helper()
	s := settlement{box: o, request: relay.request, verdict: verdict{meaning: delivered},
		result: result{message: 900, messages: []desk.MessageID{900}}}
	dbtest.Update(t, d, func(tx *db.Tx) error { return s.settle(tx, relay.row) })
	o.mu.Lock()
	defer o.mu.Unlock()
	o.landed(o.chatOf(relay.row.Lane))
	o.queue.release(relay.row.Lane)
	o.laneSettled(relay.row.Lane)
}

// wantReaction: the reaction is next, and its message is known.
func wantReaction(t *testing.T, o *Outbox) {
	t.Helper()
	out := o.take(t.Context(), o.next().calls)
	if len(out) != 1 || out[0].row.Kind != "react" || out[0].request.chat != o.db.Group() {
		t.Errorf("%+v go out, want the reaction", out)
	}
}

// A reaction to a message whose sending is not settled waits for exactly that, and is judged then.
func TestTakeWaitsBehindWhatAnotherLaneHasAtTelegram(t *testing.T) {
	o, d, relay, reaction := reacting(t)
	if out := o.take(t.Context(), reaction); len(out) != 0 {
		t.Fatalf("%d calls go out, want that the reaction waits", len(out))
	}
	if n := len(o.afterLane[desk.UserLane(7)]); n != 1 {
		t.Errorf("%d calls wait for the lane to the person, want 1", n)
	}
	if w := o.next(); len(w.calls) != 0 {
		t.Fatalf("%+v are looked at again before anything is settled", w.calls)
	}
	o.mu.Lock()
	o.laneSettled(desk.UserLane(8)) // another's
	o.mu.Unlock()
	if w := o.next(); len(w.calls) != 0 {
		t.Fatalf("%+v are looked at again because of another lane", w.calls)
	}
	arrive(t, o, d, relay)
	wantReaction(t, o)
	if len(o.afterLane) != 0 {
		t.Errorf("some still wait: %v", o.afterLane)
	}
}

// It settles in the very moment in which it is decided that the reaction waits: the news comes before anybody stands where it is
// waited for, and must not be lost on it.
func TestTakeLosesNoNewsOfALaneWhileItDecidesToWait(t *testing.T) {
	o, d, relay, reaction := reacting(t)
	var waiting []paused
	dbtest.Update(t, d, func(tx *db.Tx) (err error) {
		_, waiting, err = o.takeAll(tx, reaction)
		return err
	})
	if len(waiting) != 1 || waiting[0].behind != desk.UserLane(7) {
		t.Fatalf("%+v wait, want the reaction, behind the lane to the person", waiting)
	}
	arrive(t, o, d, relay)
	o.back(reaction, nil, waiting, 0, false, o.group.proof)
	wantReaction(t, o)
}

// A message that did not go out brings nothing: whoever waited for it is judged without it, and nobody waits for ever.
func TestTakeJudgesWhoWaitedForALaneThatFailed(t *testing.T) {
	o, d, relay, reaction := reacting(t)
	o.take(t.Context(), reaction)
	o.carry(t.Context(), relay) // nobody listens where it is sent
	out := o.take(t.Context(), o.next().calls)
	if len(out) != 0 || len(o.afterLane) != 0 {
		t.Errorf("%d calls go out and %d wait, want none", len(out), len(o.afterLane))
	}
	dbtest.View(t, d, func(v db.View) error {
		row, _, _, err := v.CallByID(reaction[0].ID)
		if row.State != db.Dropped {
			t.Errorf("the reaction is %s, want that it is left out", row.State)
		}
		return err
	})
}

// Away is what a lane has at Telegram, and not what it is about to take.
func TestQueueLaneIsAwayWhileItsCallIsAtTelegram(t *testing.T) {
	q := newQueue()
	if q.away(aPerson) {
		t.Error("a lane that is not there is away")
	}
	q.add(debt(1, aPerson, desk.Written, noon))
	wantPops(t, q, noon, 1)
	if q.away(aPerson) {
		t.Error("a call that is being decided on is away")
	}
	q.lanes[aPerson].away = true
	q.add(debt(2, aPerson, desk.Written, noon))
	q.release(aPerson)
	if q.away(aPerson) {
		t.Error("a settled call is away")
	}
}
