package db_test

import (
	"context"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// A room is a database, its clock and the file it is in.
type room struct {
	*testing.T
	*db.DB
	clock *dbtest.Clock
	path  string
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{T: t, clock: dbtest.NewClock(), path: filepath.Join(t.TempDir(), "hodor.db")}
	r.DB = dbtest.OpenAt(t, r.path, r.clock.Now)
	return r
}

// update changes the database or ends the test.
func (r *room) update(fn func(*db.Tx) error) {
	r.Helper()
	dbtest.Update(r.T, r.DB, fn)
}

// view reads the database or ends the test.
func (r *room) view(fn func(db.View) error) {
	r.Helper()
	dbtest.View(r.T, r.DB, fn)
}

// reopen ends the program and starts it again.
func (r *room) reopen() {
	r.Helper()
	if err := r.Close(); err != nil {
		r.Fatal(err)
	}
	r.DB = dbtest.OpenAt(r.T, r.path, r.clock.Now)
}

// number reads one number; the query must find it.
func (r *room) number(query string, args ...any) (n int64) {
	r.Helper()
	r.view(func(v db.View) error {
		found, err := v.Scan(query, args, &n)
		if !found && err == nil {
			r.Fatalf("%s: no row", query)
		}
		return err
	})
	return n
}

// decided runs one decision and returns its verdict.
func (r *room) decided(fn func(*db.Tx) (bool, error)) (verdict bool) {
	r.Helper()
	r.update(func(tx *db.Tx) (err error) {
		verdict, err = fn(tx)
		return err
	})
	return verdict
}

// hold keeps the writer busy until release is called, so that what is submitted meanwhile gathers into one batch.
func (r *room) hold() (release func()) {
	r.Helper()
	busy, free := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- r.Update(context.Background(), func(*db.Tx) error {
			close(busy)
			<-free
			return nil
		})
	}()
	<-busy
	return func() {
		r.Helper()
		close(free)
		if err := <-done; err != nil {
			r.Error(err)
		}
	}
}

// queued returns once n jobs wait for the writer.
func (r *room) queued(n int) {
	for r.Waiting() < n {
		runtime.Gosched()
	}
}

// later submits an update behind what waits already, and returns where its outcome will be.
func (r *room) later(fn func(*db.Tx) error) <-chan error {
	outcome, before := make(chan error, 1), r.Waiting()
	go func() { outcome <- r.Update(context.Background(), fn) }()
	r.queued(before + 1)
	return outcome
}

// person is somebody with an id and a first name.
func person(id desk.UserID) desk.Person { return desk.Person{ID: id, FirstName: "Ann"} }

// meet makes a person known.
func (r *room) meet(id desk.UserID) {
	r.Helper()
	r.update(func(tx *db.Tx) error {
		_, err := tx.Meet(person(id))
		return err
	})
}

// same ends the test unless both are deeply equal.
func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// refused ends the test unless err mentions all of the words.
func refused(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("accepted, want an error about %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Fatalf("error %q does not mention %q", err, w)
		}
	}
}
