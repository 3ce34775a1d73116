package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
	words "hodor/internal/text"
)

// What the stories about faults need beside the world itself.

// talk lets somebody write for the first time, and returns the topic.
func (w *world) talk(user int64) (thread int) {
	w.t.Helper()
	w.tg.Say(user, "hello")
	w.settle()
	return w.thread(fmt.Sprintf("User %d", user))
}

// drain sends what can be sent, without looking at what Telegram has for us.
func (w *world) drain() { w.box.Drain(context.Background()) }

// deliver hands over updates that were taken from Telegram before.
func (w *world) deliver(raws ...[]byte) {
	w.t.Helper()
	if err := w.bot.Handle(context.Background(), raws...); err != nil {
		w.t.Fatal(err)
	}
}

// owe adds calls, as an update would.
func (w *world) owe(calls ...desk.Call) {
	w.t.Helper()
	dbtest.Update(w.t, w.db, func(tx *db.Tx) error { return tx.Owe(calls...) })
}

// owed are the calls that are not settled.
func (w *world) owed() (rows []db.CallRow) {
	w.t.Helper()
	dbtest.View(w.t, w.db, func(v db.View) error {
		debts, _, err := v.OpenDebts()
		for _, d := range debts {
			row, _, _, readErr := v.CallByID(d.ID)
			if readErr != nil {
				return readErr
			}
			rows = append(rows, row)
		}
		return err
	})
	return rows
}

// owedOf is the one open call of a kind.
func (w *world) owedOf(kind string) db.CallRow {
	w.t.Helper()
	var found []db.CallRow
	for _, row := range w.owed() {
		if row.Kind == kind {
			found = append(found, row)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d calls of kind %s are owed, want 1", len(found), kind)
	}
	return found[0]
}

func (w *world) wantNothingOwed() {
	w.t.Helper()
	for _, row := range w.owed() {
		w.t.Errorf("still owed: %s in %s, state %s, due %s", row.Kind, row.Lane, row.State, row.Due)
	}
}

// tried is how often a method was called, whatever became of it.
func (w *world) tried(method string) int {
	n := 0
	for _, c := range w.tg.Calls() {
		if c.Method == method {
			n++
		}
	}
	return n
}

// triedIn is how often a method was called for one chat.
func (w *world) triedIn(method string, chat int64) int {
	n := 0
	for _, c := range w.tg.Calls() {
		if c.Method == method && c.Params["chat_id"] == fmt.Sprint(chat) {
			n++
		}
	}
	return n
}

func (w *world) wantTried(method string, want int) {
	w.t.Helper()
	if got := w.tried(method); got != want {
		w.t.Errorf("%s was called %d times, want %d", method, got, want)
	}
}

func (w *world) wantDone(method string, want int) {
	w.t.Helper()
	if got := w.count(method); got != want {
		w.t.Errorf("%s was carried out %d times, want %d", method, got, want)
	}
}

// general are the texts in General, or in the common chat while topics are off.
func (w *world) general() []string { return texts(w.tg.General()) }

// message is the one message that begins so.
func (w *world) message(list []emulator.Message, head string) emulator.Message {
	w.t.Helper()
	var found []emulator.Message
	var seen []string
	for _, m := range list {
		seen = append(seen, m.Text)
		if strings.HasPrefix(m.Text, head) {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d messages begin with %q in %q", len(found), head, seen)
	}
	return found[0]
}

// pressAgain presses the only button under a message; everything that follows happens. It returns what the presser is shown.
func (w *world) pressAgain(user, chat int64, m emulator.Message) string {
	w.t.Helper()
	if len(m.Buttons) != 1 || len(m.Buttons[0]) != 1 {
		w.t.Fatalf("under %q stands no single button: %v", m.Text, m.Buttons)
	}
	query := w.tg.Press(user, chat, m.ID, m.Buttons[0][0].Data)
	w.settle()
	answers := w.tg.Answers(query)
	if len(answers) != 1 {
		w.t.Fatalf("a press was answered %d times", len(answers))
	}
	return answers[0].Text
}

// notReady is why a part is not ready; empty if it is.
func (w *world) notReady(p desk.Part) string { return w.ready.NotReady()[p] }

func (w *world) wantNotReady(p desk.Part, saying string) {
	w.t.Helper()
	if why := w.notReady(p); !strings.Contains(why, saying) || why == "" {
		w.t.Errorf("readiness says %q of the %s, want something with %q", why, p, saying)
	}
}

func (w *world) wantReady(p desk.Part) {
	w.t.Helper()
	if why := w.notReady(p); why != "" {
		w.t.Errorf("readiness says %q of the %s", why, p)
	}
}

// sent are the calls of a kind that were settled as sent.
func (w *world) sent(kind string) (n int) {
	w.t.Helper()
	dbtest.View(w.t, w.db, func(v db.View) error {
		rows, err := v.SentSince(kind, time.Time{})
		n = len(rows)
		return err
	})
	return n
}

// dieDuring ends the program while Telegram has a call in hand, carried out or not, and starts it again.
func (w *world) dieDuring(f emulator.Fault, carriedOut bool) {
	w.t.Helper()
	arrived, release := w.tg.Hold(f)
	if carriedOut {
		w.tg.Heal()
		arrived, release = w.tg.HoldAnswer(f)
	}
	old, ended := w.box, make(chan struct{})
	go func() { defer close(ended); old.Drain(context.Background()) }()
	w.await(arrived, "a call of "+f.Method)
	w.restart()
	release(false)
	w.await(ended, "the end of the old program")
}

// await waits for something that is bound to happen.
func (w *world) await(c <-chan struct{}, what string) {
	w.t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		w.t.Fatalf("waited in vain for %s", what)
	}
}

// patience is how long a test waits before it calls a thing hung.
const patience = 20 * time.Second

// calm lets several goroutines log.
func calm(w *world) { w.tuned(func(o *outbox.Options) { o.Log = zerolog.Nop() }) }

// generous takes the budget out of a story that is about something else.
func generous(w *world) {
	w.tuned(func(o *outbox.Options) { o.Limits.GroupPerMinute, o.Limits.GlobalPerSecond = 10_000, 10_000 })
}

func (w *world) tuned(with func(*outbox.Options)) {
	before := w.tune
	w.tune = func(o *outbox.Options) {
		if before != nil {
			before(o)
		}
		with(o)
	}
}

// A bell rings whenever something happened that a running desk does by itself.
type bell chan struct{}

func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}

// newRunning is a world whose outbox runs by itself until stop, which waits for its end.
func newRunning(t testing.TB, change ...func(*world)) (w *world, b bell, run func() (stop func())) {
	t.Helper()
	b = make(bell, 1)
	ringing := func(w *world) {
		w.tuned(func(o *outbox.Options) { o.Trace = func(outbox.Stage, desk.CallID) { b.ring() } })
		w.tg.OnCall(func(emulator.Call) { b.ring() })
	}
	w = newWorld(t, append([]func(*world){calm, ringing}, change...)...)
	return w, b, func() func() {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { defer close(ended); w.box.Run(ctx) }()
		return func() { cancel(); w.await(ended, "the outbox to end") }
	}
}

// until waits for a condition that only calls and settles can bring about.
func (w *world) until(b bell, what string, holds func() bool) {
	w.t.Helper()
	deadline := time.After(patience)
	for !holds() {
		select {
		case <-b:
		case <-deadline:
			w.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// A syncedLog is a log that several goroutines may write and the test may read.
type syncedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write keeps a line.
func (l *syncedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *syncedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *syncedLog) logger() zerolog.Logger { return zerolog.New(l) }

// sentence is the English text of a key without placeholders.
func sentence(key string) string {
	catalogue, err := words.Load("en", nil, nil)
	if err != nil {
		panic(err)
	}
	return catalogue.Group(desk.Text{Key: key})
}

// sending are the calls that Telegram has in hand.
func (w *world) sending() []desk.CallID {
	w.t.Helper()
	var under []desk.CallID
	dbtest.View(w.t, w.db, func(v db.View) (err error) { _, under, err = v.OpenDebts(); return err })
	return under
}

// ringing is a log that only rings the bell.
func ringing(b bell) zerolog.Logger { return zerolog.New(ringer{b}) }

type ringer struct{ bell bell }

// Write rings.
func (r ringer) Write(p []byte) (int, error) {
	r.bell.ring()
	return len(p), nil
}
