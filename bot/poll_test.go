package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"hodor/bot"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// A listener is a world whose updates come by polling, one step at a time.
type listener struct {
	*world
	poller *bot.Poller
}

func newListener(t *testing.T, change ...func(*world)) *listener {
	t.Helper()
	l := &listener{world: newWorld(t, change...)}
	l.tg.TakeUpdates() // who joined the group is of no interest here
	l.begin()
	return l
}

// begin makes a poller as a start of the program does.
func (l *listener) begin() { l.poller = l.at(l.api + "/bot" + l.tg.Token() + "/getUpdates") }

func (l *listener) at(url string) *bot.Poller {
	return &bot.Poller{URL: url, Bot: l.bot, Ready: l.ready, Now: l.clock.Now, Log: zerolog.New(l.log)}
}

// step asks once, without waiting for updates to come, and wants to be told to wait so long before the next.
func (l *listener) step(wait time.Duration) {
	l.t.Helper()
	got, err := l.poller.Step(context.Background(), 0)
	if err != nil || got != wait {
		l.t.Fatalf("a step: wait %v, %v; want %v", got, err, wait)
	}
}

// questions are the parameters of each getUpdates that reached Telegram.
func (l *listener) questions() []map[string]string {
	var list []map[string]string
	for _, c := range l.tg.Calls() {
		if c.Method == "getUpdates" {
			list = append(list, c.Params)
		}
	}
	return list
}

// wantOffset compares the offset of the last question; 0 is none at all.
func (l *listener) wantOffset(want int64) {
	l.t.Helper()
	all := l.questions()
	got, given := all[len(all)-1]["offset"]
	if (want != 0) != given || given && got != strconv.FormatInt(want, 10) {
		l.t.Fatalf("asked with offset %q, want %d", got, want)
	}
}

// wantNotReady compares what readiness says of the source; "" is that all is well.
func (l *listener) wantNotReady(part string) {
	l.t.Helper()
	why, ill := l.ready.NotReady()[desk.Source]
	if ill != (part != "") || !strings.Contains(why, part) {
		l.t.Fatalf("not ready: %v %q, want %q", ill, why, part)
	}
}

// claimed are the numbers of the updates that are on disk.
func (l *listener) claimed() string {
	l.t.Helper()
	return l.column("SELECT COALESCE(group_concat(update_id, ' '), '') FROM (SELECT update_id FROM processed_updates ORDER BY update_id)")
}

// The first question has no offset, which would confirm; each has the whole list of kinds, without which Telegram keeps an older one.
func TestPollAsksInFull(t *testing.T) {
	l := newListener(t)
	l.tg.Say(7, "hello")
	for range 2 {
		l.step(0)
	}
	for i, q := range l.questions() {
		var kinds []string
		if err := json.Unmarshal([]byte(q["allowed_updates"]), &kinds); err != nil {
			t.Fatal(err)
		}
		want := []string{"message", "edited_message", "callback_query", "message_reaction", "my_chat_member", "chat_member"}
		if !slices.Equal(kinds, want) || q["limit"] != "100" {
			t.Errorf("question %d: %v, limit %s", i, kinds, q["limit"])
		}
		if _, given := q["offset"]; given != (i > 0) {
			t.Errorf("question %d: offset %q", i, q["offset"])
		}
	}
}

// The long question waits at Telegram, and what is said meanwhile comes at once.
func TestPollWaitsAtTelegram(t *testing.T) {
	l := newListener(t)
	arrived, release := l.tg.Hold(emulator.Fault{Method: "getUpdates"})
	answered := make(chan time.Duration)
	go func() {
		wait, err := l.poller.Step(context.Background(), 50*time.Second)
		if err != nil {
			t.Error(err)
		}
		answered <- wait
	}()
	<-arrived
	release(true)
	l.tg.Say(7, "hello")
	if wait := <-answered; wait != 0 || l.claimed() == "" || l.questions()[0]["timeout"] != "50" {
		t.Errorf("wait %v, claimed %q, asked %v", wait, l.claimed(), l.questions())
	}
}

// Promise 1: as long as updates cannot be stored the offset stays, so that the same come again; then each is applied once.
func TestPollMovesOnOnlyWhenStored(t *testing.T) {
	l := newListener(t)
	for _, text := range []string{"one", "two", "three"} {
		l.tg.Say(7, text)
	}
	l.byHand(full)
	l.step(time.Second)
	l.step(2 * time.Second)
	l.wantOffset(0)
	l.wantNotReady("database")
	if l.claimed() != "" || l.tg.Updates() != 3 {
		t.Fatalf("claimed %q, %d wait", l.claimed(), l.tg.Updates())
	}
	l.byHand(empty)
	l.step(0)
	l.wantNotReady("")
	l.step(0)
	if l.tg.Updates() != 0 {
		t.Errorf("%d updates wait", l.tg.Updates())
	}
	l.settle()
	l.wantTopic(l.topicOf(7), "one", "two", "three")
	if log := l.log.String(); strings.Contains(log, "three") {
		t.Errorf("the log says\n%s", log)
	}
}

// An offset that was reached stays when the next batch cannot be stored.
func TestPollKeepsItsPlaceWhenTheDatabaseFails(t *testing.T) {
	l := newListener(t)
	l.tg.SetNextUpdateID(41)
	l.tg.Say(7, "one")
	l.step(0)
	l.tg.Say(7, "two")
	l.byHand(full)
	l.step(time.Second)
	l.wantOffset(42)
	l.byHand(empty)
	l.step(0)
	l.wantOffset(42)
	l.step(0)
	l.wantOffset(43)
	if got := l.claimed(); got != "41 42" {
		t.Errorf("claimed %s", got)
	}
}

// Promise 1: the program dies between Telegram's answer and the commit, or between the commit and the next question. Either way the
// same updates come again, and are applied once.
func TestPollAfterACrash(t *testing.T) {
	for name, crash := range map[string]func(*listener){
		"before the commit": func(l *listener) { _ = l.db.Close(); l.step(time.Second) },
		"after the commit":  func(l *listener) { l.step(0); _ = l.db.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			l := newListener(t)
			l.tg.Say(7, "one")
			l.tg.Say(7, "two")
			crash(l)
			l.start()
			l.begin()
			l.step(0)
			l.wantOffset(0)
			if l.tg.Updates() != 2 {
				t.Fatalf("%d updates came again", l.tg.Updates())
			}
			l.settle()
			l.wantTopic(l.topicOf(7), "one", "two")
		})
	}
}

// B1: Telegram's answer is lost on the way, so it gives the same again.
func TestPollWhenTheAnswerIsLost(t *testing.T) {
	l := newListener(t)
	l.tg.Say(7, "hello")
	l.tg.LostReply(emulator.Fault{Method: "getUpdates"})
	l.step(time.Second)
	l.wantNotReady("Telegram cannot be reached")
	l.step(0)
	l.step(0)
	l.settle()
	l.wantTopic(l.topicOf(7), "hello")
}

// More than fit into one answer come in several, in order, and none is left.
func TestPollTakesMoreThanABatch(t *testing.T) {
	l := newListener(t, limited(1000))
	l.tg.SetNextUpdateID(1001)
	for n := range 250 {
		l.tg.Say(7, fmt.Sprint("message ", n))
	}
	for _, offset := range []int64{0, 1101, 1201, 1251} {
		l.step(0)
		l.wantOffset(offset)
	}
	if l.tg.Updates() != 0 {
		t.Errorf("%d wait", l.tg.Updates())
	}
	order := l.column(`SELECT group_concat(m, ' ') FROM (SELECT json_extract(payload, '$.source') AS m FROM outbox WHERE kind = 'relay_to_topic' ORDER BY id)`)
	var want []string
	for _, m := range l.tg.Chat(7) {
		want = append(want, itoa(m.ID))
	}
	if order != strings.Join(want, " ") {
		t.Errorf("owed are the messages %s", order)
	}
}

// Promise 5: members of a batch that nobody can read hinder neither the others nor the next question.
func TestPollPassesWhatItCannotRead(t *testing.T) {
	l := newListener(t)
	l.tg.SetNextUpdateID(501)
	l.tg.Say(7, "one")
	for _, junk := range []string{`{"update_id":0,"message":{"message_id":"nine"}}`, `{"update_id":0,"message":"what?"}`, `{"update_id":0,"telepathy":{}}`,
		`{"update_id":0}`, `{"update_id":"no number"}`, `{"update_id":0,"message":{"message_id":-5}}`} {
		l.tg.Inject(junk)
	}
	l.tg.Say(7, "two")
	l.step(0)
	l.step(0)
	l.wantOffset(509)
	if l.tg.Updates() != 0 {
		t.Errorf("%d wait", l.tg.Updates())
	}
	l.settle()
	l.wantTopic(l.topicOf(7), "one", "two")
}

// B3: nor does one that we cannot handle; it is kept, and Telegram may forget it.
func TestPollPassesWhatItCannotHandle(t *testing.T) {
	l := newListener(t)
	l.byHand(poison)
	l.tg.Say(13, "unlucky")
	l.tg.Say(7, "hello")
	l.step(0)
	l.step(0)
	if l.tg.Updates() != 0 {
		t.Errorf("%d wait", l.tg.Updates())
	}
	l.settle()
	l.wantTopic(l.topicOf(7), "hello")
}

// A10: after a long quiet the ids may start again at a lower number, which an offset would throw away. So after 24 hours we ask without.
func TestPollAsksWithoutOffsetAfterADayOfQuiet(t *testing.T) {
	l := newListener(t)
	l.tg.SetNextUpdateID(9001)
	l.tg.Say(7, "before")
	l.step(0)
	l.clock.Advance(24 * time.Hour)
	l.step(0)
	l.wantOffset(9002)
	l.clock.Advance(time.Second)
	l.step(0)
	l.wantOffset(0)
	l.clock.Advance(7 * 24 * time.Hour)
	l.tg.SetNextUpdateID(5)
	l.tg.Say(7, "after a week")
	l.step(0)
	l.step(0)
	l.wantOffset(6)
	if l.tg.Updates() != 0 || l.claimed() != "5 9001" {
		t.Errorf("%d wait, claimed %s", l.tg.Updates(), l.claimed())
	}
}

// Two who poll with one token: the one who is told so goes on at first, since at a restart the other is just ending.
func TestPollIsToldOfAnother(t *testing.T) {
	l := newListener(t)
	other := l.at(l.poller.URL)
	told := make(chan time.Duration)
	go func() {
		wait, err := l.poller.Step(context.Background(), 50*time.Second)
		if err != nil {
			t.Error(err)
		}
		told <- wait
	}()
	for {
		select {
		case wait := <-told:
			if wait != time.Second {
				t.Errorf("waits %v", wait)
			}
			l.step(0)
			l.wantNotReady("")
			return
		default:
			if _, err := other.Step(context.Background(), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// 409 for less than a minute is put up with; for a minute it ends the program in one sentence.
func TestPollGivesUpAfterAMinuteOfConflict(t *testing.T) {
	l := newListener(t)
	l.setWebhook("http://127.0.0.1:1/elsewhere", "")
	l.step(time.Second)
	l.wantNotReady("Conflict")
	l.clock.Advance(59 * time.Second)
	l.step(2 * time.Second)
	l.setWebhook("", "")
	l.step(0)
	l.wantNotReady("Conflict") // an answer now and then does not end it
	l.clock.Advance(time.Hour)
	l.step(0)
	l.wantNotReady("")
	l.setWebhook("http://127.0.0.1:1/elsewhere", "") // another minute begins
	l.step(time.Second)
	l.clock.Advance(time.Minute)
	_, err := l.poller.Step(context.Background(), 0)
	if err == nil || !strings.Contains(err.Error(), "only one instance") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a minute of conflict: %v", err)
	}
	l.wantSilent(err)
}

// Nor does another stay unnoticed because each of the two gets an answer now and then: on a busy bot that is how two programs share
// out one desk's messages.
func TestPollNoticesAConflictBetweenAnswers(t *testing.T) {
	l := newListener(t)
	for range 12 { // four minutes
		l.tg.Refuse(emulator.Fault{Method: "getUpdates"}, 409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
		if _, err := l.poller.Step(context.Background(), 0); err != nil {
			return
		}
		l.clock.Advance(10 * time.Second)
		l.tg.Say(7, "hello")
		l.step(0)
		l.clock.Advance(10 * time.Second)
	}
	t.Error("four minutes of conflict, and nobody is told")
}

// Run returns that sentence, which ends the program.
func TestPollRunEndsWithTheConflict(t *testing.T) {
	l := newListener(t)
	l.setWebhook("http://127.0.0.1:1/elsewhere", "")
	l.poller.Now = func() time.Time { l.clock.Advance(30 * time.Second); return l.clock.Now() }
	if err := l.poller.Run(context.Background()); err == nil {
		t.Error("goes on")
	}
}

// 429 names how long to wait; a refused token is asked about again, but rarely; other refusals and pages of HTML with patience.
func TestPollWaitsAsItIsTold(t *testing.T) {
	polls := emulator.Fault{Method: "getUpdates"}
	for _, c := range []struct {
		name   string
		strike func(*emulator.Telegram)
		wait   time.Duration
		says   string
	}{
		{"429", func(tg *emulator.Telegram) { tg.Flood(polls, 17) }, 17 * time.Second, "Too Many Requests"},
		{"429 without a time", func(tg *emulator.Telegram) { tg.Refuse(polls, 429, "Too Many Requests") }, time.Second, "Too Many Requests"},
		{"401", func(tg *emulator.Telegram) { tg.Refuse(polls, 401, "Unauthorized") }, 5 * time.Minute, "token"},
		{"500", func(tg *emulator.Telegram) { tg.InternalError(polls) }, time.Second, "Internal Server Error"},
		{"HTML", func(tg *emulator.Telegram) { tg.BadGateway(polls) }, time.Second, "502"},
		{"cut", func(tg *emulator.Telegram) { tg.ResetBefore(polls) }, time.Second, "cannot be reached"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newListener(t)
			l.tg.Say(7, "hello")
			c.strike(l.tg)
			l.step(c.wait)
			l.wantNotReady(c.says)
			l.wantOffset(0)
			l.step(0)
			l.wantNotReady("")
			if l.claimed() == "" {
				t.Error("nothing has come")
			}
			l.wantSilent(nil)
		})
	}
}

// The network goes and comes back: readiness with it, at growing intervals, with one line in the log for one reason.
func TestPollThroughAnOutage(t *testing.T) {
	l := newListener(t)
	l.step(0)
	l.tg.Down(true)
	for _, seconds := range []time.Duration{1, 2, 5, 10, 30, 30} {
		l.step(seconds * time.Second)
		l.wantNotReady("Telegram cannot be reached")
	}
	l.tg.Say(7, "anybody there?")
	l.tg.Down(false)
	l.step(0)
	l.wantNotReady("")
	if l.claimed() == "" {
		t.Error("what was said meanwhile has not come")
	}
	l.wantSilent(nil)
	l.tg.BadGateway(emulator.Fault{Method: "getUpdates"})
	l.step(time.Second) // patience begins anew
}

// After an outage the desk is ready as soon as Telegram takes the question, not only when somebody writes or 50 seconds are over.
func TestPollIsReadyAgainBeforeAnybodyWrites(t *testing.T) {
	l := newListener(t)
	l.tg.Down(true)
	l.step(time.Second)
	l.tg.Down(false)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if _, err := l.poller.Step(ctx, 50*time.Second); err != nil {
		t.Fatal(err)
	}
	l.wantNotReady("")
}

// A stop is obeyed at once, wherever the question is; what came in with it is neither stored nor confirmed.
func TestPollStopsAtOnce(t *testing.T) {
	for name, hold := range map[string]func(*emulator.Telegram, emulator.Fault) (<-chan struct{}, func(bool)){
		"while Telegram waits": (*emulator.Telegram).Hold, "before the answer": (*emulator.Telegram).HoldAnswer,
	} {
		t.Run(name, func(t *testing.T) {
			l := newListener(t)
			l.tg.Say(7, "hello")
			arrived, release := hold(l.tg, emulator.Fault{Method: "getUpdates"})
			defer release(true)
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error)
			go func() { ended <- l.poller.Run(ctx) }()
			<-arrived
			stop()
			if err := <-ended; err != nil {
				t.Errorf("a stop is an error: %v", err)
			}
			if l.claimed() != "" || l.tg.Updates() != 1 {
				t.Errorf("claimed %q, %d wait", l.claimed(), l.tg.Updates())
			}
			l.wantNotReady("")
			if log := l.log.String(); strings.Contains(log, "warn") || strings.Contains(log, "error") {
				t.Errorf("the log complains:\n%s", log)
			}
		})
	}
}

// Nor does a stop wait for a pause to end: Telegram wants five hours of quiet, and we leave now.
func TestPollStopsInAPause(t *testing.T) {
	l := newListener(t)
	l.tg.Flood(emulator.Fault{Method: "getUpdates", Count: -1}, 18000)
	ctx, stop := context.WithCancel(context.Background())
	l.tg.OnCall(func(emulator.Call) { stop() })
	if err := l.poller.Run(ctx); err != nil {
		t.Error(err)
	}
}
