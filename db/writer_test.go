package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// slot takes a notice slot: the smallest change that can be counted afterwards.
func slot(name string) func(*db.Tx) error {
	return func(tx *db.Tx) error {
		_, err := tx.WinSlot(name, time.Hour)
		return err
	}
}

// slots are those taken, in order of their names.
func (r *room) slots() (names []string) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		names, err = v.Texts("SELECT slot FROM notice_slots ORDER BY slot")
		return err
	})
	return names
}

func TestWaitingUpdatesShareACommit(t *testing.T) {
	r := newRoom(t)
	commits := 0
	r.Listen(func(db.News) { commits++ })
	release := r.hold()
	var outcomes []<-chan error
	var want []string
	for i := range 100 {
		name := fmt.Sprintf("%03d", i)
		want = append(want, name)
		outcomes = append(outcomes, r.later(func(tx *db.Tx) error {
			tx.SawGroupChange()
			return slot(name)(tx)
		}))
	}
	release()
	for _, o := range outcomes {
		if err := <-o; err != nil {
			t.Error(err)
		}
	}
	r.reopen()
	same(t, "kept", r.slots(), want)
	if commits != 1 {
		t.Errorf("%d commits for 100 updates that waited, want 1", commits)
	}
}

func TestManyWritersAtOnceEachHaveTheirOutcome(t *testing.T) {
	r := newRoom(t)
	bad := errors.New("bad")
	var all sync.WaitGroup
	var want []string
	for g := range 16 {
		for i := range 20 {
			if i%5 != 3 {
				want = append(want, fmt.Sprintf("%02d-%02d", g, i))
			}
		}
		all.Go(func() {
			for i := range 20 {
				err := r.Update(context.Background(), func(tx *db.Tx) error {
					if err := slot(fmt.Sprintf("%02d-%02d", g, i))(tx); err != nil || i%5 != 3 {
						return err
					}
					return bad
				})
				if (i%5 == 3) != errors.Is(err, bad) || (i%5 != 3 && err != nil) {
					t.Errorf("writer %d, update %d: %v", g, i, err)
				}
			}
		})
	}
	all.Wait()
	same(t, "kept", r.slots(), want)
}

// One that fails, one that panics and one that breaks a constraint undo themselves alone, wherever in the batch they stand.
func TestBadUpdateUndoesOnlyItself(t *testing.T) {
	bad := errors.New("no good")
	faults := map[string]func(*db.Tx) error{
		"an error":      func(*db.Tx) error { return bad },
		"a panic":       func(*db.Tx) error { panic("no good") },
		"a constraint":  func(tx *db.Tx) error { return tx.Exec("INSERT INTO settings (key, value) VALUES ('no good', NULL)") },
		"no such table": func(tx *db.Tx) error { return tx.Exec("INSERT INTO no_good VALUES (1)") },
		"a nil call":    func(*db.Tx) error { var none desk.Call; _ = none.Lane(); return nil },
	}
	for name, fault := range faults {
		for _, at := range []int{0, 3, 6} {
			t.Run(fmt.Sprint(name, at), func(t *testing.T) {
				r := newRoom(t)
				release := r.hold()
				var outcomes []<-chan error
				for i := range 7 {
					outcomes = append(outcomes, r.later(func(tx *db.Tx) error {
						if err := slot(fmt.Sprint(i))(tx); err != nil || i != at {
							return err
						}
						return fault(tx)
					}))
				}
				release()
				want := []string{"0", "1", "2", "3", "4", "5", "6"}
				want = slices.Delete(want, at, at+1)
				for i, o := range outcomes {
					if err := <-o; (err != nil) != (i == at) {
						t.Errorf("update %d of the batch: %v", i, err)
					}
				}
				same(t, "kept", r.slots(), want)
			})
		}
	}
}

func TestPanicIsToldWithItsStack(t *testing.T) {
	r := newRoom(t)
	err := r.Update(context.Background(), func(*db.Tx) error { panic("boom") })
	refused(t, err, "panic: boom", "writer_test.go")
	r.update(slot("still writing"))
}

// A failed update is tried again without the others: its second run must not see what the first one did.
func TestEachRunBeginsOnACleanSlate(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	runs := 0
	good := r.later(func(tx *db.Tx) error {
		runs++
		if fresh, err := tx.WinSlot("mine", time.Hour); err != nil || !fresh {
			return fmt.Errorf("run %d sees an earlier one: %v", runs, err)
		}
		return tx.Owe(desk.OpenTopic{User: 7})
	})
	bad := r.later(func(*db.Tx) error { return errors.New("bad") })
	release()
	if err := <-good; err != nil {
		t.Error(err)
	}
	refused(t, <-bad, "bad")
	if runs < 2 {
		t.Errorf("%d runs: the two did not share a batch", runs)
	}
	if n := r.number("SELECT count(*) FROM outbox"); n != 1 {
		t.Errorf("%d calls owed, want 1", n)
	}
}

// What an update reads is what those before it in the batch wrote, as if each had its own commit.
func TestLaterUpdateOfABatchSeesTheEarlier(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	verdicts := make([]bool, 2)
	var outcomes []<-chan error
	for i := range verdicts {
		outcomes = append(outcomes, r.later(func(tx *db.Tx) (err error) {
			verdicts[i], err = tx.WinSlot("one", time.Hour)
			return err
		}))
	}
	release()
	for _, o := range outcomes {
		if err := <-o; err != nil {
			t.Error(err)
		}
	}
	same(t, "who won", verdicts, []bool{true, false})
}

func TestCancelledBeforeItIsSubmittedChangesNothing(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	var outcomes []<-chan error
	for range db.BatchLimit {
		outcomes = append(outcomes, r.later(func(*db.Tx) error { return nil })) // nobody else fits in front of the writer
	}
	ctx, cancel := context.WithCancel(context.Background())
	outcome := make(chan error, 1)
	go func() { outcome <- r.Update(ctx, slot("given up")) }()
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it cancelled", err)
	}
	release()
	for _, o := range outcomes {
		if err := <-o; err != nil {
			t.Error(err)
		}
	}
	same(t, "kept", r.slots(), nil)
}

// Whoever leaves after submitting learns the truth, not that they left.
func TestCancelledWhileTheWriterHasItIsStillAnswered(t *testing.T) {
	r := newRoom(t)
	ctx, cancel := context.WithCancel(context.Background())
	err := r.Update(ctx, func(tx *db.Tx) error {
		cancel()
		return slot("kept")(tx)
	})
	if err != nil {
		t.Error(err)
	}
	same(t, "kept", r.slots(), []string{"kept"})
}

func TestCloseAnswersEverybody(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	outcomes := make(map[string]<-chan error)
	for i := range 20 {
		name := fmt.Sprintf("%02d", i)
		outcomes[name] = r.later(slot(name))
	}
	closed := make(chan error, 1)
	go func() { closed <- r.Close() }()
	release()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	var told []string
	for name, o := range outcomes {
		if err := <-o; err == nil {
			told = append(told, name)
		} else {
			refused(t, err, "closed")
		}
	}
	slices.Sort(told)
	refused(t, r.Update(context.Background(), slot("late")), "closed")
	if !r.Closed() {
		t.Error("closed and does not say so")
	}
	r.DB = dbtest.OpenAt(t, r.path, r.clock.Now)
	if kept := r.slots(); strings.Join(kept, " ") != strings.Join(told, " ") {
		t.Errorf("kept %q, told %q", kept, told)
	}
}

// The instant of a transaction is one, by the clock that Open was given.
func TestNowStandsStill(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error {
		before := tx.Now
		r.clock.Advance(time.Hour)
		if !tx.Now.Equal(before) {
			t.Error("time passes inside a transaction")
		}
		return slot("x")(tx)
	})
	same(t, "taken at", r.texts("SELECT taken_at FROM notice_slots"), []string{"2026-01-02T03:04:05.000Z"})
}

// texts reads one column.
func (r *room) texts(query string, args ...any) (list []string) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		list, err = v.Texts(query, args...)
		return err
	})
	return list
}

// Somebody else holds the database for longer than our patience: who waits is told so at once, and not each after a patience of their
// own; when it is free, they come again in their order.
func TestLockedDatabaseIsToldToAllWhoWaitAtOnce(t *testing.T) {
	r := newRoom(t)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	begun := 0 // a transaction asks for the time once
	r.DB = dbtest.OpenAt(t, r.path, func() time.Time { begun++; return r.clock.Now() })
	r.update(func(tx *db.Tx) error { return tx.Exec("PRAGMA busy_timeout = 100") })
	busy, free := make(chan struct{}), make(chan struct{})
	pause := sync.OnceFunc(func() { close(busy); <-free })
	r.Listen(func(db.News) { pause() }) // the writer is held up, and holds nothing itself
	first := make(chan error, 1)
	go func() {
		first <- r.Update(context.Background(), func(tx *db.Tx) error { tx.SawGroupChange(); return nil })
	}()
	<-busy
	other, err := sql.Open("sqlite", "file:"+r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	var updates []db.Incoming
	var want []string
	for i := range 8 {
		want = append(want, fmt.Sprint(i))
		updates = append(updates, db.Incoming{ID: desk.UpdateID(i + 1), Apply: slot(want[i])})
	}
	outcome := make(chan []error, 1)
	go func() { outcome <- r.Claim(context.Background(), updates...) }()
	r.queued(len(updates))
	before := begun
	close(free)
	for i, err := range <-outcome {
		if err == nil || !db.Unavailable(err) {
			t.Errorf("update %d: %v, want that the database cannot be used", i, err)
		}
	}
	if err := <-first; err != nil || begun != before+1 {
		t.Errorf("%v; for one batch %d transactions waited for the database", err, begun-before)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if n := r.number("SELECT count(*) FROM processed_updates"); n != 0 {
		t.Errorf("%d updates are kept", n)
	}
	for i, err := range r.Claim(context.Background(), updates...) {
		if err != nil {
			t.Errorf("update %d, come again: %v", i, err)
		}
	}
	same(t, "kept", r.texts("SELECT slot FROM notice_slots ORDER BY taken_at, slot"), want)
}

// What was asked for is at fault, and would be again; or the database is, and it will do later.
func TestUnavailableIsTheDatabaseAndNeverTheUpdate(t *testing.T) {
	r := newRoom(t)
	for name, fault := range map[string]func(*db.Tx) error{
		"a constraint": func(tx *db.Tx) error { return tx.Exec("INSERT INTO settings (key, value) VALUES ('x', NULL)") },
		"no table":     func(tx *db.Tx) error { return tx.Exec("INSERT INTO no_good VALUES (1)") },
		"an error":     func(*db.Tx) error { return errors.New("no good") },
		"a panic":      func(*db.Tx) error { panic("no good") },
	} {
		if err := r.Update(context.Background(), fault); err == nil || db.Unavailable(err) {
			t.Errorf("%s: %v counts as the database's fault", name, err)
		}
	}
	if db.Unavailable(nil) {
		t.Error("nothing at all is a fault")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Update(context.Background(), slot("late")); !db.Unavailable(err) {
		t.Errorf("%v does not count as the database's fault", err)
	}
}
