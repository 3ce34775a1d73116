package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

// The delivery rules, the rows of the line to Telegram: refused connections, answers without a verdict, a refused token.

func TestFaultRefusedConnectionBacksOffUncountedAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "from the team")
	w.tg.Say(7, "from the person")
	w.intake()
	w.restart() // a kept connection that is just being cut is another story: that of a lost answer
	w.tg.Down(true)
	for i, want := range []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
		10 * time.Minute, 10 * time.Minute, 10 * time.Minute, 10 * time.Minute, 10 * time.Minute} {
		w.drain()
		row := w.owedOf("relay_to_user")
		wait := row.Due.Sub(w.clock.Now())
		if wait < want || wait > want+want/5 {
			t.Errorf("after failure %d it waits %s, want %s and up to a fifth more", i+1, wait, want)
		}
		if row.Attempts != 0 || row.Doubts != 0 {
			t.Errorf("after failure %d: %d attempts and %d doubts are counted", i+1, row.Attempts, row.Doubts)
		}
		w.clock.Advance(wait + time.Millisecond) // the database keeps whole ones
	}
	w.tg.Down(false)
	w.after(15 * time.Minute)
	w.wantTopic(thread, "hello", "from the team", "from the person")
	w.wantChat(7, "hello", "from the person", "from the team")
	w.wantNothingOwed()
}

func TestFaultNewcomerDuringAnOutageGetsOneTopicAfterwards(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(7, "anybody?")
	w.tg.Say(8, "me too")
	w.intake()
	w.tg.Down(true)
	for range 60 {
		w.drain()
		w.clock.Advance(time.Minute)
	}
	w.tg.Down(false)
	w.after(15 * time.Minute)
	w.wantTopic(w.thread("User 7"), "anybody?")
	w.wantTopic(w.thread("User 8"), "me too")
	w.wantDone("createForumTopic", 2)
	w.wantNothingOwed()
}

func TestFaultOutageOfHoursGivesUpNothingAndMultipliesNothing(t *testing.T) {
	for name, strike := range map[string]func(*emulator.Telegram, emulator.Fault){
		"HTML": (*emulator.Telegram).BadGateway, "500": (*emulator.Telegram).InternalError} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			thread := w.talk(7)
			w.tg.Post(admin, thread, "from the team")
			w.tg.Say(7, "from the person")
			w.tg.Say(8, "a newcomer")
			w.tg.ResetCalls()
			strike(w.tg, emulator.Fault{Count: -1})
			strike(w.tg, emulator.Fault{Method: "getMe", Count: -1})
			w.after(5 * time.Hour)
			for _, method := range []string{"copyMessage", "createForumTopic"} {
				if n := w.tried(method); n > 2 {
					t.Errorf("%s was tried %d times during the outage", method, n)
				}
			}
			for _, row := range w.owed() {
				if row.Attempts > 1 {
					t.Errorf("%s has used %d of its tries on an outage", row.Kind, row.Attempts)
				}
			}
			if n := w.tried("getMe"); n < 20 || n > 80 {
				t.Errorf("in 5 h of outage getMe was asked %d times", n)
			}
			w.tg.Heal()
			w.after(12 * time.Minute)
			w.wantTopic(thread, "hello", "from the team", "from the person")
			w.wantChat(7, "hello", "from the person", "from the team")
			w.wantTopic(w.thread("User 8"), "a newcomer")
			w.wantNothingOwed()
		})
	}
}

func TestFaultBrokenAnswerIsTriedAgainOnceAnotherCallSucceeded(t *testing.T) {
	w := newWorld(t)
	one, two := w.talk(7), w.talk(8)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessage", Chat: 7})
	w.tg.Post(admin, one, "for seven")
	w.settle()
	if row := w.owedOf("relay_to_user"); row.Attempts != 1 || row.Doubts != 0 {
		t.Errorf("after a 502: %d attempts and %d doubts, want it counted and not in doubt", row.Attempts, row.Doubts)
	}
	w.tg.Post(admin, two, "for eight")
	w.after(2 * time.Second)
	w.wantChat(7, "hello", "for seven")
	w.wantTried("getMe", 0)
}

func TestFaultBrokenAnswerAsksGetMeWhenNothingElseIsOwed(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessage", Chat: 7})
	w.tg.BadGateway(emulator.Fault{Method: "getMe"})
	w.tg.Post(admin, thread, "for seven")
	w.settle()
	w.after(3 * time.Second)
	w.wantChat(7, "hello")
	w.wantTried("getMe", 1)
	w.after(6 * time.Second)
	w.wantChat(7, "hello", "for seven")
	w.wantTried("getMe", 2)
}

func TestFaultAfterEightTriesTheAdminIsToldAndMayTryAgain(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.InternalError(emulator.Fault{Method: "copyMessage", Chat: 7, Count: -1})
	answer := w.tg.Post(admin, thread, "an answer")
	w.after(3 * time.Hour)
	if n := w.triedIn("copyMessage", 7); n != 8 {
		t.Errorf("%d tries, want relay.max_attempts", n)
	}
	notice := w.message(w.tg.Topic(thread), "Not delivered: Telegram did not take it in 8 tries.")
	if notice.ReplyTo != answer {
		t.Errorf("the notice replies to %d, want the admin's message %d", notice.ReplyTo, answer)
	}
	w.tg.Heal()
	w.pressAgain(admin2, w.tg.Group(), notice)
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "an answer")
	w.wantTopic(thread, "hello", "an answer", "This message has now been delivered.")
	w.wantNothingOwed()
}

func TestFaultAfterEightTriesThePersonIsToldAndMayTryAgain(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.InternalError(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: -1})
	mine := w.tg.Say(7, "a question")
	w.after(3 * time.Hour)
	notice := w.message(w.tg.Chat(7), "Sorry, your message could not be delivered")
	if notice.ReplyTo != mine {
		t.Errorf("the notice replies to %d, want the person's message %d", notice.ReplyTo, mine)
	}
	w.tg.Heal()
	w.pressAgain(7, 7, notice)
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "a question")
	w.wantChat(7, "hello", "a question", "This message has now been delivered.")
}

func TestFaultRefusedTokenRestsEverythingUntilItIsAcceptedAgain(t *testing.T) {
	log := new(syncedLog)
	w := newWorld(t, func(w *world) { w.tuned(func(o *outbox.Options) { o.Log = log.logger() }) })
	one, two := w.talk(7), w.talk(8)
	w.tg.Refuse(emulator.Fault{Count: -1}, 401, "Unauthorized")
	w.tg.Refuse(emulator.Fault{Method: "getMe", Count: -1}, 401, "Unauthorized")
	w.tg.Post(admin, one, "for seven")
	w.settle()
	w.wantNotReady(desk.Identity, "Unauthorized")
	w.tg.ResetCalls()
	w.tg.Post(admin, two, "for eight")
	w.tg.Say(7, "hello?")
	w.after(20 * time.Minute)
	for _, c := range w.tg.Calls() {
		if c.Method != "getMe" {
			t.Errorf("%s although the token is refused", c.Method)
		}
	}
	if n := w.tried("getMe"); n < 3 || n > 5 {
		t.Errorf("in 20 min the token was looked at %d times, want every 5 min", n)
	}
	if n := strings.Count(log.String(), "Telegram refuses the token"); n != 1 {
		t.Errorf("%d log lines say that the token is refused, want 1", n)
	}
	w.tg.Heal()
	w.after(7 * time.Minute)
	w.wantReady(desk.Identity)
	w.wantChat(7, "hello", "hello?", "for seven")
	w.wantChat(8, "hello", "for eight")
	w.wantTopic(one, "hello", "for seven", "hello?")
}

// A press is answered even while all rests. If its answer shows that the token is good, the whole desk is ready again.
func TestFaultTokenAcceptedOfAnyCallMakesReadyAgain(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage"}, 401, "Unauthorized")
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	w.wantNotReady(desk.Identity, "Unauthorized")
	w.tg.Press(7, 7, 1, "x")
	w.after(2 * time.Second)
	w.wantChat(7, "hello", "an answer")
	w.wantReady(desk.Identity)
}
