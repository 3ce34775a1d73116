package outbox

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hodor/db"
	"hodor/internal/desk"
)

// kinded is a debt of the lane into a topic, of a kind that somebody wrote.
func kinded(id int, kind string, due time.Time) db.Debt {
	d := debt(id, aTopic, desk.Written, due)
	d.Kind = kind
	return d
}

const (
	aRelay    = "relay_to_topic"
	anEdit    = "edit_copy"
	aReaction = "react"
)

// An edit waits for its five seconds, a reaction for its second: the messages behind them do not.
func TestQueueChangeOfAMessageThatWaitsLetsOthersPass(t *testing.T) {
	for _, kind := range []string{anEdit, aReaction} {
		q := newQueue()
		q.add(kinded(1, kind, noon.Add(5*time.Second)))
		q.add(kinded(2, aRelay, noon))
		q.add(kinded(3, aRelay, noon))
		wantPops(t, q, noon, 2)
		q.release(aTopic)
		wantPops(t, q, noon, 3)
		q.release(aTopic)
		wantPops(t, q, noon)
		if at := q.wakeAt(); !at.Equal(noon.Add(5 * time.Second)) {
			t.Errorf("%s: the lane is looked at again at %s", kind, at)
		}
		wantPops(t, q, noon.Add(5*time.Second), 1)
	}
}

// A change that is due goes in its turn, and no later than the messages behind it.
func TestQueueChangeThatIsDueGoesInItsTurn(t *testing.T) {
	q := newQueue()
	for id, kind := range []string{aRelay, anEdit, aRelay, aReaction} {
		q.add(kinded(id+1, kind, noon))
	}
	for id := 1; id <= 4; id++ {
		wantPops(t, q, noon, id)
		q.release(aTopic)
	}
}

// A message in back-off holds up all that was written after it: what changes a message must not come before that message.
func TestQueueMessageInBackOffIsNotOvertakenByChanges(t *testing.T) {
	for _, kind := range []string{anEdit, aReaction, aRelay, "say", "unsend", "open_topic"} {
		q := newQueue()
		q.add(kinded(1, aRelay, noon.Add(time.Minute)))
		q.add(kinded(2, kind, noon))
		wantPops(t, q, noon)
		wantPops(t, q, noon.Add(time.Minute), 1)
		q.release(aTopic)
		wantPops(t, q, noon.Add(time.Minute), 2)
	}
}

// Nor do changes that wait open a way around the message.
func TestQueueMessageBehindAWaitingChangeStillHoldsUpTheOthers(t *testing.T) {
	q := newQueue()
	q.add(kinded(1, anEdit, noon.Add(5*time.Second)))
	q.add(kinded(2, aRelay, noon.Add(3*time.Second)))
	q.add(kinded(3, anEdit, noon))
	q.add(kinded(4, aRelay, noon))
	wantPops(t, q, noon)
	if at := q.wakeAt(); !at.Equal(noon.Add(3 * time.Second)) {
		t.Errorf("the lane is looked at again at %s, want when the message falls due", at)
	}
	wantPops(t, q, noon.Add(3*time.Second), 2)
	q.release(aTopic)
	wantPops(t, q, noon.Add(3*time.Second), 3)
	q.release(aTopic)
	wantPops(t, q, noon.Add(3*time.Second), 4)
}

// A call that was cancelled while it was in back-off falls due at once: the lane looks at it, finds it gone, and goes on.
func TestQueueCancelledCallLetsItsLaneGo(t *testing.T) {
	q := newQueue()
	q.add(kinded(1, aRelay, noon.Add(10*time.Minute)))
	q.add(kinded(2, aRelay, noon))
	wantPops(t, q, noon)
	q.add(kinded(1, aRelay, noon)) // what a cancelled call is told as
	wantPops(t, q, noon, 1)
	q.release(aTopic)
	wantPops(t, q, noon, 2)
}

// An item that joins an album puts its relay off: the debt is the same one, with another moment.
func TestQueueCallThatIsPutOffStandsInItsLaneOnce(t *testing.T) {
	q := newQueue()
	for _, after := range []time.Duration{time.Second, 1500 * time.Millisecond, 2 * time.Second} {
		q.add(kinded(1, aRelay, noon.Add(after)))
	}
	wantPops(t, q, noon.Add(1999*time.Millisecond))
	wantPops(t, q, noon.Add(2*time.Second), 1)
	q.release(aTopic)
	if len(q.lanes) != 0 {
		t.Errorf("something is left of it: %+v", q.lanes)
	}
}

// Whatever is owed and whenever it is due: what is taken is the first that is due, and every message before it that is not taken yet
// would have been taken before it.
func TestQueueNothingOvertakesAMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, now := newQueue(), noon
		var open []db.Debt
		for id := range rapid.IntRange(1, 12).Draw(t, "calls") {
			d := kinded(id+1, rapid.SampledFrom([]string{aRelay, anEdit, aReaction}).Draw(t, "kind"),
				noon.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "due"))*time.Second))
			q.add(d)
			open = append(open, d)
		}
		for len(open) > 0 {
			var want []db.Debt
			for _, d := range open {
				if !d.Due.After(now) {
					want = append(want, d)
				}
				if d.Due.After(now) && d.Kind == aRelay {
					break
				}
			}
			id := popped(q, now)
			if len(want) == 0 {
				if id != 0 {
					t.Fatalf("call %d is taken although none may go; open %+v", id, open)
				}
				wake := q.wakeAt()
				if !wake.After(now) {
					t.Fatalf("nothing may go, and the lane is looked at again at %s", wake)
				}
				now = wake
				continue
			}
			if id != int(want[0].ID) {
				t.Fatalf("call %d is taken, want %d; open %+v", id, want[0].ID, open)
			}
			at, _ := slices.BinarySearchFunc(open, desk.CallID(id), func(d db.Debt, id desk.CallID) int { return cmp.Compare(d.ID, id) })
			open = slices.Delete(open, at, at+1)
			q.release(aTopic)
		}
	})
}
