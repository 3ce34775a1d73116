package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// journal is what claimed updates did, in order, as rows that only a commit keeps.
func (r *room) journal() []string {
	r.Helper()
	return r.texts("SELECT kind || ' ' || lane FROM outbox ORDER BY id")
}

// owes is an update whose effect is one call to a person of its number.
func owes(id desk.UpdateID) db.Incoming {
	return db.Incoming{ID: id, Apply: func(tx *db.Tx) error { return tx.Owe(desk.OpenTopic{User: desk.UserID(id)}) }}
}

func effects(ids ...int) (list []string) {
	for _, id := range ids {
		list = append(list, fmt.Sprintf("open_topic topic/%d", id))
	}
	return list
}

// claim claims and wants no error.
func (r *room) claim(updates ...db.Incoming) {
	r.Helper()
	for i, err := range r.Claim(context.Background(), updates...) {
		if err != nil {
			r.Errorf("update %d: %v", updates[i].ID, err)
		}
	}
}

func (r *room) status(id desk.UpdateID) string {
	r.Helper()
	list := r.texts("SELECT status || ' ' || attempts || ' ' || COALESCE(raw, '-') FROM processed_updates WHERE update_id = ?", id)
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// B1, B10, B12, B16
func TestClaimAppliesAnUpdateOnce(t *testing.T) {
	r := newRoom(t)
	r.claim(owes(5))
	same(t, "row", r.status(5), "processed 0 -")
	r.clock.Advance(time.Hour)
	before := r.dump()
	r.claim(owes(5))
	same(t, "a repeat changes", r.dump(), before)
	r.claim(owes(6))
	same(t, "effects", r.journal(), effects(5, 6))
	r.reopen()
	r.claim(owes(5), owes(6))
	same(t, "effects after a restart", r.journal(), effects(5, 6))
}

func TestSameUpdateTwiceInOneCall(t *testing.T) {
	r := newRoom(t)
	r.claim(owes(5), owes(6), owes(5), owes(5), owes(7), owes(6))
	same(t, "effects", r.journal(), effects(5, 6, 7))
}

func TestSameUpdateFromManyAtOnce(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	outcomes := make(chan error, 40)
	for range 10 {
		go func() {
			for _, err := range r.Claim(context.Background(), owes(5), owes(5), owes(5), owes(5)) {
				outcomes <- err
			}
		}()
	}
	r.queued(40)
	release()
	for range 40 {
		if err := <-outcomes; err != nil {
			t.Error(err)
		}
	}
	same(t, "effects", r.journal(), effects(5))
}

func TestClaimKeepsTheOrderGiven(t *testing.T) {
	r := newRoom(t)
	var updates []db.Incoming
	var ids []int
	for i := range 600 { // more than one batch, and falling ids
		ids = append(ids, 1000-i)
		updates = append(updates, owes(desk.UpdateID(1000-i)))
	}
	r.claim(updates...)
	same(t, "order", r.journal(), effects(ids...))
}

// One bad update is not claimed, the others are; it comes again and is applied then.
func TestFailedUpdateIsNotClaimed(t *testing.T) {
	r := newRoom(t)
	bad := owes(6)
	bad.Apply = func(tx *db.Tx) error {
		if err := owes(6).Apply(tx); err != nil {
			return err
		}
		return errors.New("bad")
	}
	failed := r.Claim(context.Background(), owes(5), bad, owes(7))
	if failed[0] != nil || failed[2] != nil {
		t.Errorf("the others: %v, %v", failed[0], failed[2])
	}
	refused(t, failed[1], "bad")
	same(t, "row", r.status(6), "")
	same(t, "effects", r.journal(), effects(5, 7))
	r.claim(owes(6))
	same(t, "effects", r.journal(), effects(5, 7, 6))
}

// The first of two equal ones fails: then the second is the one that counts.
func TestRepeatCountsWhenTheFirstFailed(t *testing.T) {
	r := newRoom(t)
	bad := db.Incoming{ID: 5, Apply: func(*db.Tx) error { return errors.New("bad") }}
	failed := r.Claim(context.Background(), bad, owes(5))
	refused(t, failed[0], "bad")
	if failed[1] != nil {
		t.Error(failed[1])
	}
	same(t, "effects", r.journal(), effects(5))
}

// Every number is an update's, 0 too, whoever else shares the commit.
func TestUpdateZeroIsClaimedBesideOtherWriters(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	other := r.later(slot("before it in the batch"))
	outcome := make(chan []error, 1)
	go func() { outcome <- r.Claim(context.Background(), owes(0)) }()
	r.queued(2)
	release()
	if err := errors.Join(append(<-outcome, <-other)...); err != nil {
		t.Error(err)
	}
	same(t, "row", r.status(0), "processed 0 -")
	same(t, "effects", r.journal(), effects(0))
}

// Once one of the updates could not be handed to the writer, no later one is applied: it would overtake.
func TestCancelledClaimAppliesNothingOutOfOrder(t *testing.T) {
	r := newRoom(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for round := range 20 {
		var updates []db.Incoming
		for i := range 8 {
			updates = append(updates, owes(desk.UpdateID(100*round+i)))
		}
		failed := r.Claim(ctx, updates...)
		first := slices.IndexFunc(failed, func(err error) bool { return err != nil })
		if first < 0 {
			continue
		}
		for i, err := range failed[first:] {
			if err == nil {
				t.Fatalf("update %d failed with %v, and yet the later update %d was applied", first, failed[first], first+i)
			}
		}
	}
}

// keep is what intake does with an update that it failed to handle.
func (r *room) keep(id desk.UpdateID, raw string, attempts int) {
	r.Helper()
	r.update(func(tx *db.Tx) error { return tx.KeepUpdate(id, []byte(raw), attempts) })
}

func (r *room) unfinished(limit int) (list []db.Unfinished) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		list, err = v.UnfinishedUpdates(limit)
		return err
	})
	return list
}

func TestKeptUpdatesComeOldestFirst(t *testing.T) {
	r := newRoom(t)
	start := r.clock.Now()
	raw := "{\"text\":\"é \\u0000 \xff\"}" // whatever came, byte for byte
	r.keep(9, raw, 1)
	r.clock.Advance(time.Second)
	r.keep(3, "{}", 0)
	r.clock.Advance(time.Second)
	r.keep(5, "{}", 1)
	want := []db.Unfinished{{9, []byte(raw), 1, start}, {3, []byte("{}"), 0, start.Add(time.Second)},
		{5, []byte("{}"), 1, start.Add(2 * time.Second)}}
	same(t, "all", r.unfinished(10), want)
	same(t, "the two oldest", r.unfinished(2), want[:2])
	r.reopen()
	same(t, "after a restart", r.unfinished(10), want)
}

// B2, B11: what comes again is left to the one who keeps it.
func TestRepeatOfAKeptUpdateDoesNothing(t *testing.T) {
	r := newRoom(t)
	r.keep(5, "{}", 1)
	r.clock.Advance(time.Hour)
	before := r.dump()
	r.claim(owes(5))
	r.keep(5, "{\"other\":1}", 0)
	same(t, "rows", r.dump(), before)
}

func TestFinishedUpdateForgetsItsText(t *testing.T) {
	r := newRoom(t)
	finish := func(tx *db.Tx) (bool, error) { return tx.FinishUpdate(5) }
	if r.decided(finish) {
		t.Error("finished an update that never came")
	}
	r.keep(5, "{}", 1)
	if !r.decided(finish) {
		t.Error("a kept update is not finished")
	}
	same(t, "row", r.status(5), "processed 1 -")
	if r.decided(finish) {
		t.Error("finished twice")
	}
	r.keep(5, "{}", 1)
	r.claim(owes(5))
	same(t, "effects of a repeat", r.journal(), nil)
	same(t, "unfinished", r.unfinished(10), nil)
}

// B3, B13–B15, B17: three tries, then it is kept as failed with its text, and repeats do nothing.
func TestThirdFailureIsTheLast(t *testing.T) {
	r := newRoom(t)
	fail := func(tx *db.Tx) (bool, error) { return tx.FailUpdate(5) }
	r.keep(5, "{}", 1)
	r.keep(6, "{}", 1)
	r.clock.Advance(db.RetryAfter)
	if r.decided(fail) {
		t.Error("the second failure is the last")
	}
	same(t, "row", r.status(5), "processing 2 {}")
	same(t, "waits from now on, behind the others", r.unfinished(10), []db.Unfinished{
		{6, []byte("{}"), 1, r.clock.Now().Add(-db.RetryAfter)}, {5, []byte("{}"), 2, r.clock.Now()}})
	if !r.decided(fail) {
		t.Error("the third failure is not the last")
	}
	same(t, "row", r.status(5), "failed 3 {}")
	before := r.dump()
	if r.decided(fail) || r.decided(func(tx *db.Tx) (bool, error) { return tx.FinishUpdate(5) }) {
		t.Error("a failed update is still waiting")
	}
	r.claim(owes(5))
	r.keep(5, "{\"other\":1}", 0)
	same(t, "rows", r.dump(), before)
}

// What only had to wait has all its tries left.
func TestWaitingIsNoTry(t *testing.T) {
	r := newRoom(t)
	r.keep(5, "{}", 0)
	var got []bool
	for range db.MaxTries {
		got = append(got, r.decided(func(tx *db.Tx) (bool, error) { return tx.FailUpdate(5) }))
	}
	same(t, "was the last", got, []bool{false, false, true})
}
