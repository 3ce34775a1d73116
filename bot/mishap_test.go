package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// A trigger in the database makes our handling fail as a defect of ours would: for messages of person 13 only, or of all.
const (
	poison = `CREATE TRIGGER poison BEFORE INSERT ON users WHEN NEW.user_id = 13 BEGIN SELECT RAISE(ABORT, 'poisoned'); END`
	cure   = `DROP TRIGGER poison`
)

// poisoned is a world in which the update of person 13 has failed once; its number is returned.
func poisoned(t *testing.T) (*world, int64) {
	t.Helper()
	w, _ := met(t)
	w.byHand(poison)
	w.tg.Say(13, "unlucky")
	raws := w.tg.TakeUpdates()
	if err := w.bot.Handle(context.Background(), raws...); err != nil {
		t.Fatal(err)
	}
	w.settle()
	return w, numbered(t, raws[0])
}

// B2 in our form: what we cannot handle is rolled back whole, kept with its text, and told to nobody yet.
func TestWhatWeCannotHandleIsKept(t *testing.T) {
	w, id := poisoned(t)
	status, attempts, raw := w.update(id)
	if status != "processing" || attempts != 1 || !strings.Contains(raw, "unlucky") {
		t.Errorf("kept as %s, %d attempts, %q", status, attempts, raw)
	}
	if _, found := w.user(13); found {
		t.Error("half of it is there")
	}
	if got := w.column("SELECT count(*) FROM outbox WHERE lane LIKE '%/13'"); got != "0" {
		t.Errorf("%s calls are owed for it", got)
	}
	w.wantGeneral()
}

// B4: tried again after a minute, not before; when the cause is gone it is as if nothing had been.
func TestAKeptUpdateIsTriedAgainAfterAMinute(t *testing.T) {
	w, id := poisoned(t)
	w.byHand(cure)
	w.clock.Advance(59 * time.Second)
	w.retry()
	if _, found := w.user(13); found {
		t.Fatal("tried before its time")
	}
	w.clock.Advance(time.Second)
	w.retry()
	w.wantTopic(w.topicOf(13), "unlucky")
	if status, _, raw := w.update(id); status != "processed" || raw != "" {
		t.Errorf("kept as %s with %q", status, raw)
	}
	w.wantGeneral()
}

// B3, T8: after three tries it is kept as failed, General is told once, and it is never tried again.
func TestAnUpdateThatFailsThreeTimesIsGivenUpAndTold(t *testing.T) {
	w, id := poisoned(t)
	for try := 2; try <= 6; try++ {
		w.clock.Advance(minute)
		w.retry()
		status, attempts, raw := w.update(id)
		want := fmt.Sprint(map[bool]string{true: "processing", false: "failed"}[try < 3], min(try, 3))
		if got := fmt.Sprint(status, attempts); got != want || !strings.Contains(raw, "unlucky") {
			t.Errorf("after %d minutes: %s with %q, want %s", try-1, got, raw, want)
		}
	}
	w.wantGeneral(fmt.Sprintf("A message or event could not be processed in three tries (update %d). Whoever runs hodor finds the reason in the log.", id))
	w.byHand(cure)
	w.clock.Advance(minute)
	w.retry()
	if _, found := w.user(13); found {
		t.Error("tried again after it was given up")
	}
}

// B15, B17: neither a kept nor a failed update is handled when Telegram brings it again.
func TestARepeatOfAKeptUpdateDoesNothing(t *testing.T) {
	w, id := poisoned(t)
	_, _, raw := w.update(id)
	for range 3 {
		w.handle(raw)
		if status, attempts, _ := w.update(id); status != "processing" || attempts != 1 {
			t.Errorf("kept as %s after %d attempts", status, attempts)
		}
	}
	w.byHand(cure)
	w.handle(raw)
	if _, found := w.user(13); found {
		t.Error("handled by a repeat")
	}
	w.clock.Advance(minute)
	w.retry()
	w.handle(raw)
	w.wantTopic(w.topicOf(13), "unlucky")
}

// Promise 5: one bad update in a batch delays nobody, and the order of the others stays.
func TestABadUpdateDelaysNobody(t *testing.T) {
	w, thread := met(t)
	w.byHand(poison)
	w.tg.Say(7, "one")
	w.tg.Say(13, "unlucky")
	w.tg.Say(8, "me too")
	w.tg.Say(7, "two")
	w.settle()
	w.wantTopic(thread, "hello", "one", "two")
	w.wantTopic(w.topicOf(8), "me too")
}

// A kept update outlives a restart.
func TestAKeptUpdateOutlivesARestart(t *testing.T) {
	w, _ := poisoned(t)
	w.byHand(cure)
	w.restart()
	w.clock.Advance(minute)
	w.retry()
	w.wantTopic(w.topicOf(13), "unlucky")
}

// Promise 6: the log tells of a failure without a word of the message.
func TestTheLogOfAFailureHoldsNoText(t *testing.T) {
	w, id := poisoned(t)
	for range 3 {
		w.clock.Advance(minute)
		w.retry()
	}
	if log := w.log.String(); strings.Contains(log, "unlucky") || strings.Contains(log, w.tg.Token()) || !strings.Contains(log, fmt.Sprint(id)) {
		t.Errorf("the log says\n%s", log)
	}
}

// B1, B16, T5: an update brought again changes nothing and calls nobody.
func TestARepeatedUpdateDoesNothing(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(7, "hello")
	raws := w.tg.TakeUpdates()
	for range 3 {
		if err := w.bot.Handle(context.Background(), append(raws, raws...)...); err != nil {
			t.Fatal(err)
		}
		w.settle()
	}
	w.restart()
	if err := w.bot.Handle(context.Background(), raws...); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.wantTopic(w.topicOf(7), "hello")
	if n := w.count("copyMessage"); n != 1 {
		t.Errorf("copied %d times", n)
	}
}

// B3 of HTTP, A3: what is no update at all is forgotten without an error and without a row.
func TestWhatIsNoUpdateIsForgotten(t *testing.T) {
	w := newWorld(t)
	w.settle()
	before := w.column("SELECT count(*) FROM processed_updates")
	for _, raw := range []string{"", "null", "[]", "{}", `{"update_id":"5"}`, `{"update_id":1.5}`, `{"update_id":null}`, `{"update_id":1e400}`,
		`{"update_id":99999999999999999999}`, `{"message":{}}`, "\x00\xff", `{"update_id":5`} {
		if err := w.bot.Handle(context.Background(), []byte(raw)); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
	if after := w.column("SELECT count(*) FROM processed_updates"); after != before {
		t.Errorf("%s rows, were %s", after, before)
	}
}

// A5 in our form: without a database nothing is taken over; it comes again.
func TestWithoutDatabaseAnUpdateMustComeAgain(t *testing.T) {
	w := newWorld(t)
	w.settle()
	w.tg.Say(7, "hello")
	raws := w.tg.TakeUpdates()
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.bot.Handle(context.Background(), raws...); err == nil {
		t.Fatal("taken over without a database")
	}
	w.start()
	if err := w.bot.Handle(context.Background(), raws...); err != nil {
		t.Fatal(err)
	}
	w.settle()
	w.wantTopic(w.topicOf(7), "hello")
}

// T1–T8: one person's life at the desk, in order.
func TestJourney(t *testing.T) {
	w := newWorld(t, limited(3))
	w.tg.Say(7, "/start")
	w.settle()
	w.wantChat(7, "/start", saysWelcome) // T2
	first := w.tg.Say(7, "my parcel is lost")
	w.settle()
	thread := w.topicOf(7)
	w.wantTopic(thread, "my parcel is lost") // T3
	w.tg.Post(admin, thread, "which number?")
	w.tg.Post(outsider, thread, "poor thing")
	w.settle()
	w.wantChat(7, "/start", saysWelcome, "my parcel is lost", "which number?") // T4
	w.handle(`{"update_id":4,"message":{"message_id":` + itoa(first) + `,"date":1767323045,"chat":{"id":7,"type":"private"},"from":{"id":7,"first_name":"User 7"},"text":"my parcel is lost"}}`)
	w.wantTopic(thread, "my parcel is lost", "which number?", "poor thing") // T5: update 4 was its first message
	w.after(minute)
	w.tg.Post(admin, thread, "/help")
	w.settle()
	w.wantTopic(thread, "my parcel is lost", "which number?", "poor thing", "/help", saysHelp)
	w.ban(7, true)
	w.tg.Say(7, "idiots")
	w.settle()
	w.ban(7, false)
	w.after(minute)
	for _, text := range []string{"sorry", "it is 42", "please", "and 43", "and 44"} {
		w.tg.Say(7, text)
		w.settle()
	}
	w.wantTopic(thread, "my parcel is lost", "which number?", "poor thing", "/help", saysHelp, "sorry", "it is 42", "please") // T6, T7
	w.wantChat(7, "/start", saysWelcome, "my parcel is lost", "which number?", "idiots", saysBanned, "sorry", "it is 42", "please",
		"and 43", saysTooFast, "and 44")
}

// A database that somebody else holds is nobody's poison: the updates come again, all of them and in their order.
func TestALockedDatabaseKeepsNoUpdateAndNoneOvertakes(t *testing.T) {
	t.Parallel() // it waits for the database's patience
	w, thread := met(t)
	other := w.shell()
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"one", "two", "three", "four"} {
		w.tg.Say(7, said)
	}
	raws := w.tg.TakeUpdates()
	// Whoever comes back to the database for them finds it free: what was refused must not be put aside there.
	free := sync.OnceFunc(func() {
		if _, err := other.Exec("ROLLBACK"); err != nil {
			t.Error(err)
		}
	})
	if err := w.bot.Handle(&looks{Context: context.Background(), after: len(raws), do: free}, raws...); err == nil {
		t.Error("taken over although the database is locked")
	}
	free()
	for _, raw := range raws {
		if status, _, _ := w.update(numbered(t, raw)); status != "" {
			t.Errorf("an update is kept as %s", status)
		}
	}
	w.deliver(raws...) // as Telegram brings them again
	w.tg.Say(7, "five")
	w.settle()
	w.wantTopic(thread, "hello", "one", "two", "three", "four", "five")
}

// looks is a context that does something when it is looked at more often than so many times.
type looks struct {
	context.Context
	after int
	do    func()
}

// Err is looked at once for each thing that is asked of the database.
func (l *looks) Err() error {
	if l.after--; l.after < 0 {
		l.do()
	}
	return l.Context.Err()
}
