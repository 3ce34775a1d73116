package outbox

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// newBox is an outbox that nobody runs, of the database at path, in which 7 and 8 are known; it logs to log.
func newBox(t *testing.T, log zerolog.Logger) (o *Outbox, d *db.DB, path string) {
	t.Helper()
	clock := dbtest.NewClock()
	path = filepath.Join(t.TempDir(), "hodor.db")
	d = dbtest.OpenAt(t, path, clock.Now)
	catalogue, err := text.Load("en", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o = New(d, newTestClient(t, "http://127.0.0.1:1"), Options{Now: clock.Now, Log: log, Text: catalogue, MaxAttempts: 8, Senders: 4,
		Ready: desk.NewReadiness(clock.Now), Limits: Limits{GroupPerMinute: 1000, PrivatePerSecond: 1000, GlobalPerSecond: 1000}})
	dbtest.Update(t, d, func(tx *db.Tx) error {
		if _, err := tx.Meet(desk.Person{ID: 7, FirstName: "Ann"}); err != nil {
			return err
		}
		_, err := tx.Meet(desk.Person{ID: 8, FirstName: "Bob"})
		return err
	})
	if err := o.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return o, d, path
}

// damage changes the database behind our back.
func damage(t *testing.T, path, statement string) {
	t.Helper()
	conn, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// meanwhile does something while the transaction that logs is under way, once.
type meanwhile func()

// Write does it.
func (m *meanwhile) Write(p []byte) (int, error) {
	if do := *m; do != nil {
		*m = nil
		do()
	}
	return len(p), nil
}

// 8 waits for the topic that is being made for 7, which settles in the very commit in which it is decided that 8 waits: the news comes
// before 8 stands where news are waited for, and must not be lost on it.
func TestTakeLosesNoNewsOfATopicWhileItDecidesToWait(t *testing.T) {
	for name, moved := range map[string]bool{"settled meanwhile": true, "not settled": false} {
		t.Run(name, func(t *testing.T) {
			var hook meanwhile
			o, d, path := newBox(t, zerolog.New(&hook))
			o.group.proof = o.Now()
			dbtest.Update(t, d, func(tx *db.Tx) error {
				if err := tx.BeginCreation(7, "Ann"); err != nil {
					return err
				}
				return tx.Owe(desk.RelayToTopic{Copied: desk.Copied{User: 8, Source: 1, Content: "text"}}, desk.OpenTopic{User: 9})
			})
			damage(t, path, "UPDATE outbox SET payload = '[' WHERE kind = 'open_topic'") // which is told in the log
			work := o.next()
			if len(work.calls) != 2 || work.calls[0].Lane != desk.TopicLane(8) {
				t.Fatalf("%+v are taken, want the message of 8 and what cannot be read", work.calls)
			}
			if moved {
				hook = func() { o.hear(db.News{Topics: true}) }
			}
			if out := o.take(t.Context(), work.calls); len(out) != 0 {
				t.Fatalf("%d calls go out, want that they wait", len(out))
			}
			again := o.next()
			if looked := len(again.calls) == 1; looked != moved {
				t.Errorf("8 is looked at again: %t, want %t", looked, moved)
			}
			if !moved && len(o.afterTopic) != 1 {
				t.Errorf("%d calls wait for news, want 1", len(o.afterTopic))
			}
		})
	}
}

// A call that has to wait goes back into its lane while the loop sleeps: the loop is told, since it does not know of the moment.
func TestTakeTellsTheLoopOfWhoWaits(t *testing.T) {
	o, d, _ := newBox(t, zerolog.Nop())
	o.group.proof = o.Now()
	dbtest.Update(t, d, func(tx *db.Tx) error {
		if err := tx.BeginCreation(7, "Ann"); err != nil {
			return err
		}
		return tx.Owe(desk.RelayToTopic{Copied: desk.Copied{User: 8, Source: 1, Content: "text"}})
	})
	work := o.next()
	for len(o.wake) > 0 {
		<-o.wake
	}
	if out := o.take(t.Context(), work.calls); len(work.calls) != 1 || len(out) != 0 {
		t.Fatalf("%d calls, of which %d go", len(work.calls), len(out))
	}
	if len(o.wake) != 1 {
		t.Error("the loop sleeps on")
	}
}
