package bot_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

// The delivery rules: what must be on disk, what a death leaves in doubt, and what cannot be read.

const (
	fullDisk = `CREATE TRIGGER full_disk BEFORE UPDATE OF state ON outbox WHEN NEW.state <> 'sending'
		BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`
	freeDisk = "DROP TRIGGER full_disk"
)

func TestFaultSettleThatCannotCommitIsRepeatedAndNothingNewIsTaken(t *testing.T) {
	b := make(bell, 1)
	w := newWorld(t, calm, func(w *world) {
		w.tuned(func(o *outbox.Options) { o.Trace = func(outbox.Stage, desk.CallID) { b.ring() }; o.Log = ringing(b) })
	})
	one, two := w.talk(7), w.talk(8)
	w.tg.Post(admin, one, "an answer")
	w.intake()
	w.byHand(fullDisk)
	ended := w.draining()
	w.until(b, "the settle fails", func() bool { return w.notReady(desk.Settling) != "" })
	w.tg.Post(admin, two, "another") // intake goes on
	w.intake()
	w.await(w.draining(), "a look at what is owed") // while the first settle is tried again and again
	w.wantChat(7, "hello", "an answer")
	w.wantChat(8, "hello")
	w.wantNotReady(desk.Settling, "cannot be written")
	w.byHand(freeDisk)
	w.await(ended, "the settle")
	w.settle()
	w.wantChat(7, "hello", "an answer")
	w.wantChat(8, "hello", "another")
	if n := w.triedIn("copyMessage", 7); n != 1 {
		t.Errorf("Telegram was called %d times for one answer", n)
	}
	w.wantReady(desk.Settling)
	w.wantNothingOwed()
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows, want 2", n)
	}
}

// draining sends what can be sent, beside the test; it closes when that is done.
func (w *world) draining() <-chan struct{} {
	ended := make(chan struct{})
	go func() { defer close(ended); w.box.Drain(context.Background()) }()
	return ended
}

// A take that cannot commit is no send.
func TestFaultTakeThatCannotCommitSendsNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "an answer")
	w.intake()
	w.byHand(`CREATE TRIGGER full_disk BEFORE UPDATE OF state ON outbox BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
	w.after(3 * time.Second)
	w.wantNotReady(desk.Settling, "cannot be written")
	w.wantChat(7, "hello")
	w.byHand(freeDisk)
	w.after(2 * time.Second)
	w.wantReady(desk.Settling)
	w.wantChat(7, "hello", "an answer")
	if n := w.triedIn("copyMessage", 7); n != 1 {
		t.Errorf("Telegram was called %d times", n)
	}
}

func TestFaultDeathWhileAMessageIsCopiedRepeatsItAtMostOnce(t *testing.T) {
	for name, carriedOut := range map[string]bool{"carried out": true, "not carried out": false} {
		for _, toTopic := range []bool{true, false} {
			t.Run(name+map[bool]string{true: ", to the topic", false: ", to the person"}[toTopic], func(t *testing.T) {
				w := newWorld(t, calm)
				thread := w.talk(7)
				f := emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}
				if toTopic {
					w.tg.Say(7, "words")
				} else {
					f.Chat = 7
					w.tg.Post(admin, thread, "words")
				}
				w.intake()
				w.dieDuring(f, carriedOut)
				w.settle()
				copies := []string{"hello", "words", "words"}
				if !carriedOut {
					copies = copies[:2]
				}
				if toTopic {
					w.wantTopic(thread, copies...)
				} else {
					w.wantChat(7, copies...)
				}
				if n := len(w.ledger(7)); n != 2 {
					t.Errorf("the ledger has %d rows, want 2", n)
				}
				w.wantNothingOwed()
			})
		}
	}
}

func TestFaultSecondDeathDuringACopyLeavesItUncertain(t *testing.T) {
	w := newWorld(t, calm)
	thread := w.talk(7)
	post := w.tg.Post(admin, thread, "words")
	w.intake()
	w.dieDuring(emulator.Fault{Method: "copyMessage", Chat: 7}, true)
	w.dieDuring(emulator.Fault{Method: "copyMessage", Chat: 7}, true)
	w.after(time.Minute)
	w.wantChat(7, "hello", "words", "words")
	if m := w.message(w.tg.Topic(thread), "This may not have arrived"); m.ReplyTo != post || len(m.Buttons) != 1 {
		t.Errorf("the notice replies to %d with the buttons %v", m.ReplyTo, m.Buttons)
	}
}

func TestFaultDeathDuringAnyStepOfAFirstContactLosesNothing(t *testing.T) {
	for _, method := range []string{"createForumTopic", "sendMessage", "copyMessage", "pinChatMessage", "deleteMessage"} {
		for name, carriedOut := range map[string]bool{"carried out": true, "not carried out": false} {
			t.Run(method+" "+name, func(t *testing.T) {
				w := newWorld(t, calm)
				w.tg.Say(7, "hello")
				w.intake()
				if method == "deleteMessage" { // follows from an update
					w.drain()
					w.intake()
				}
				w.dieDuring(emulator.Fault{Method: method}, carriedOut)
				w.after(30 * time.Second)
				got := strings.Join(w.topicTexts(w.thread("User 7")), "|")
				if !strings.Contains(got, "hello") || strings.Count(got, "hello") > 2 {
					t.Errorf("the topic shows %q", got)
				}
				if carriedOut && method != "copyMessage" && strings.Count(got, "hello") != 1 {
					t.Errorf("the message was not in doubt and stands %d times: %q", strings.Count(got, "hello"), got)
				}
				w.wantTopics("User 7")
				w.card(w.thread("User 7"))
				w.wantNothingOwed()
			})
		}
	}
}

func TestFaultDeathWhileAPressIsAnsweredIsForgotten(t *testing.T) {
	w := newWorld(t, calm)
	w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.dieDuring(emulator.Fault{Method: "answerCallbackQuery"}, false)
	w.after(10 * time.Second)
	w.wantTried("answerCallbackQuery", 1)
	w.wantNothingOwed()
}

func TestFaultDeathBetweenTwoOfOnePersonKeepsTheirOrder(t *testing.T) {
	w := newWorld(t, calm)
	thread := w.talk(7)
	for _, said := range []string{"one", "two", "three"} {
		w.tg.Say(7, said)
	}
	w.intake()
	w.dieDuring(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, false)
	w.settle()
	w.wantTopic(thread, "hello", "one", "two", "three")
}

func TestFaultCallThatCannotBeReadIsRefusedIntoTheLogAndHoldsUpNothing(t *testing.T) {
	for name, damage := range map[string]string{
		"payload": `UPDATE outbox SET payload = '{"user":' WHERE state = 'owed' AND kind = 'relay_to_topic' AND id = (SELECT min(id) FROM outbox WHERE state = 'owed')`,
		"kind":    `UPDATE outbox SET kind = 'of_tomorrow' WHERE id = (SELECT min(id) FROM outbox WHERE state = 'owed')`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			thread := w.talk(7)
			w.tg.Say(7, "secret words")
			w.tg.Say(7, "after it")
			w.intake()
			w.byHand(damage)
			w.restart()
			w.after(5 * time.Second)
			w.wantTopic(thread, "hello", "after it")
			w.wantNothingOwed()
			log := w.log.String()
			if !strings.Contains(log, "a call cannot be read and is given up") || strings.Contains(log, "secret words") {
				t.Errorf("the log says %s", log)
			}
		})
	}
}

func TestFaultUnreadableCallUnderWayAtADeathHoldsUpNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Say(7, "damaged")
	w.tg.Say(7, "after it")
	w.intake()
	w.byHand(`UPDATE outbox SET payload = '[', state = 'sending' WHERE id = (SELECT min(id) FROM outbox WHERE state = 'owed')`)
	w.restart()
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "after it")
	w.wantNothingOwed()
}

// Promise 6.
func TestFaultTokenAndTextsAreInNoLogLine(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	strikes := []func(emulator.Fault){w.tg.LostReply, w.tg.ResetBefore, w.tg.BadGateway, w.tg.InternalError,
		func(f emulator.Fault) { w.tg.Flood(f, 1) }, func(f emulator.Fault) { w.tg.Refuse(f, 400, "Bad Request: no") }}
	for _, strike := range strikes {
		strike(emulator.Fault{Method: "copyMessage"})
		w.tg.Post(admin, thread, "SECRET ANSWER")
		w.tg.Say(7, "SECRET QUESTION")
		w.after(10 * time.Second)
	}
	w.tg.Say(7, "SECRET QUESTION")
	w.intake()
	w.tg.Down(true)
	w.after(time.Minute)
	log := w.log.String()
	for _, secret := range []string{w.tg.Token(), "TEST", "SECRET"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log contains %q: %s", secret, log)
		}
	}
	if log == "" {
		t.Error("nothing was logged")
	}
}

// A defect of ours, here a damaged row, makes one call impossible to plan. It is given up; the others go on, now and later.
func TestFaultCallThatCannotBePlannedStopsNobodyElse(t *testing.T) {
	for name, c := range map[string]struct {
		damage string
		told   []string // what its writer reads
	}{
		"the person's row": {"UPDATE users SET first_seen_at = 'x' WHERE user_id = 7", []string{"hello", "lost"}},
		"the topic's row":  {"UPDATE topics SET edited_at = 'x' WHERE user_id = 7", []string{"hello", "lost", "Sorry, your message could not be delivered…"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, generous)
			one, two := w.talk(7), w.talk(8)
			post := w.tg.Say(7, "lost")
			w.tg.Say(8, "me too")
			w.intake()
			w.byHand(c.damage)
			w.after(5 * time.Second)
			w.wantTopic(one, "hello")
			w.wantTopic(two, "hello", "me too")
			w.wantReady(desk.Settling)
			w.wantNothingOwed()
			w.wantChat(7, c.told...)
			if m := last(t, w.tg.Chat(7)); m.Text != "lost" && (m.ReplyTo != post || len(m.Buttons) != 1) {
				t.Errorf("the notice replies to %d, with the buttons %v", m.ReplyTo, m.Buttons)
			}
			if !strings.Contains(w.log.String(), "a call cannot be planned and is given up") {
				t.Errorf("the log says %s", w.log)
			}
			w.byHand("UPDATE users SET first_seen_at = last_seen_at")
			w.byHand("UPDATE topics SET edited_at = NULL")
			w.tg.Say(7, "and now?")
			w.after(5 * time.Second)
			w.wantTopic(one, "hello", "and now?")
		})
	}
}

// answering puts itself before Telegram: the next call of the method is not carried out, and answered so.
func answering(method, body string) func(*world) {
	return func(w *world) {
		var once sync.Once
		front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			mine := false
			if strings.HasSuffix(r.URL.Path, "/"+method) {
				once.Do(func() { mine = true })
			}
			if mine {
				_, _ = io.Copy(io.Discard, r.Body)
				_, _ = io.WriteString(rw, body)
				return
			}
			w.tg.ServeHTTP(rw, r)
		}))
		w.t.Cleanup(front.Close)
		w.api = front.URL
	}
}

// A topic without a number cannot be written down, however often it is tried.
func TestFaultAnswerThatCannotBeSettledIsGivenUpAndHoldsUpNothing(t *testing.T) {
	w := newWorld(t, generous, answering("createForumTopic", `{"ok":true,"result":true}`))
	w.tg.Say(7, "hello")
	w.intake()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.box.Drain(ctx)
	if ctx.Err() != nil {
		t.Fatal("it is stuck in a settle that will never commit")
	}
	w.tg.Say(8, "me too")
	w.after(10 * time.Second)
	w.wantTopics("User 8")
	w.wantTopic(w.topicOf(8), "me too")
	w.wantReady(desk.Settling)
	w.wantNothingOwed()
	if !strings.Contains(w.log.String(), "what became of a call cannot be settled; it is given up") {
		t.Errorf("the log says %s", w.log)
	}
	w.wantChat(7, "hello", "Sorry, your message could not be delivered…")
	w.pressAgain(7, 7, last(t, w.tg.Chat(7)))
	w.after(10 * time.Second)
	w.wantTopic(w.thread("User 7"), "hello")
	w.wantChat(7, "hello", saysAfterAll)
}
