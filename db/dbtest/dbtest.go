// Package dbtest makes databases for tests: real files, really migrated, gone with the test.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// The bot and the group of a test database.
const (
	Bot   desk.BotID  = 1000
	Group desk.ChatID = -1001234567890
)

// Open is a new migrated database of Bot and Group, closed when the test ends.
func Open(t testing.TB, now func() time.Time) *db.DB {
	t.Helper()
	return OpenAt(t, filepath.Join(t.TempDir(), "hodor.db"), now)
}

// OpenAt opens the database in a file, as Open does.
func OpenAt(t testing.TB, path string, now func() time.Time) *db.DB {
	t.Helper()
	if _, err := os.Stat(path); os.IsNotExist(err) {
		if err := os.WriteFile(path, migrated(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := db.Open(context.Background(), db.Options{Path: path, Bot: Bot, Group: Group, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !d.Closed() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return d
}

// migrated is a database just migrated. It is made once: hundreds of tests begin with it, and each migration costs several flushes.
var migrated = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "hodor-migrated")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "hodor.db")
	d, err := db.Open(context.Background(), db.Options{Path: path, Bot: Bot, Group: Group, Now: NewClock().Now})
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		panic(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return file
})

// Update changes the database or ends the test.
func Update(t testing.TB, d *db.DB, fn func(*db.Tx) error) {
	t.Helper()
	if err := d.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// View reads the database or ends the test.
func View(t testing.TB, d *db.DB, fn func(db.View) error) {
	t.Helper()
	if err := d.View(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// A Clock is a time that only tests move.
type Clock struct{ at chan time.Time }

// NewClock starts at a whole second.
func NewClock() *Clock {
	c := &Clock{at: make(chan time.Time, 1)}
	c.at <- time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return c
}

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	t := <-c.at
	c.at <- t
	return t
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.at <- (<-c.at).Add(d) }
