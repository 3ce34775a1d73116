package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, the rows about people, about other refusals and their fallbacks, and the buttons under notices.

func TestFaultUnreachablePersonIsToldRememberedAndForgiven(t *testing.T) {
	for _, c := range []struct {
		name, notice, card string
		begin              func(*world)
		why                db.Unreachable
		again              bool
	}{
		{"blocked", "Not delivered: this person has blocked the bot.", "🔕 Has blocked the bot",
			func(w *world) { w.tg.Block(7); w.tg.TakeUpdates() }, db.Blocked, true},
		{"deactivated", "Not delivered: this person's account no longer exists.", "This account no longer exists",
			func(w *world) { w.tg.Deactivate(7) }, db.Deactivated, false},
		{"may not be written to first", "Not delivered: this person has not started the bot, and a bot may not write first.", "🔕 Has not started the bot",
			func(w *world) {
				w.tg.Refuse(emulator.Fault{Chat: 7, Count: -1}, 403, "Forbidden: bot can't initiate conversation with a user")
			}, db.NotStarted, false},
		{"chat not found", "Not delivered: this person has not started the bot, and a bot may not write first.", "🔕 Has not started the bot",
			func(w *world) { w.tg.Refuse(emulator.Fault{Chat: 7, Count: -1}, 400, "Bad Request: chat not found") }, db.NotStarted, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			thread := w.talk(7)
			c.begin(w)
			post := w.tg.Post(admin, thread, "an answer")
			w.after(10 * time.Second)
			notice := w.message(w.tg.Topic(thread), c.notice)
			if notice.ReplyTo != post || (len(notice.Buttons) > 0) != c.again {
				t.Errorf("the notice replies to %d and has the buttons %v", notice.ReplyTo, notice.Buttons)
			}
			if u, _ := w.user(7); u.Unreachable != c.why {
				t.Errorf("the person is remembered as %q, want %q", u.Unreachable, c.why)
			}
			if m := w.card(thread); !strings.Contains(m.Text, c.card) {
				t.Errorf("the card does not say so: %q", m.Text)
			}
			if n := w.triedIn("copyMessage", 7); n != 1 {
				t.Errorf("it was tried %d times", n)
			}
			w.wantReady(desk.Group) // "chat not found" of a person says nothing of the group
			w.tg.Heal()
			w.tg.Unblock(7)
			w.tg.Say(7, "I am back")
			w.after(70 * time.Second) // what people do to their card goes there once a minute
			if u, _ := w.user(7); u.Unreachable != db.Reachable {
				t.Errorf("who writes is reachable, not %q", u.Unreachable)
			}
			if m := w.card(thread); strings.Contains(m.Text, c.card) {
				t.Errorf("the card still says so: %q", m.Text)
			}
		})
	}
}

func TestFaultNoticeToABlockedPersonMarksThemAndEnds(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.ban(7, true)
	w.tg.Say(7, "hm")
	w.intake()
	w.tg.Block(7)
	w.after(10 * time.Second)
	if u, _ := w.user(7); u.Unreachable != db.Blocked {
		t.Errorf("the person is %q", u.Unreachable)
	}
	w.wantNothingOwed()
}

func TestFaultDeletedQuestionIsSentAnewFromTheUpdate(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Delete(7, w.tg.Say(7, "never mind"))
	w.tg.Delete(7, w.tg.Send(7, emulator.Photo("a picture")))
	w.settle()
	w.wantTopic(thread, "hello", "never mind", "a picture")
	w.wantDone("sendPhoto", 1)
}

func TestFaultDeletedAnswerIsSentAnewFromTheUpdate(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.DeletePost(w.tg.Post(admin, thread, "an answer"))
	w.tg.DeletePost(w.tg.PostContent(admin, thread, emulator.Document("a file")))
	w.settle()
	w.wantChat(7, "hello", "an answer", "a file")
}

func TestFaultQuestionThatCannotBeCopiedIsForwarded(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	quiz := w.tg.Send(7, emulator.Quiz())
	w.settle()
	m := last(t, w.tg.Topic(thread))
	if m.ForwardedFrom != (emulator.Ref{Chat: 7, Message: quiz}) {
		t.Errorf("the topic ends with %q, forwarded from %v", m.Text, m.ForwardedFrom)
	}
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows", n)
	}
}

func TestFaultQuestionThatCannotBeCarriedIsNamedInTheTopicAndItsWriterTold(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	poll := w.tg.Send(7, emulator.Poll())
	w.tg.Delete(7, poll)
	w.settle()
	w.wantTopic(thread, "hello", "A message (poll) could not be shown here, and its sender has been told. Telegram says: "+
		"Bad Request: message to forward not found")
	w.message(w.tg.Chat(7), "Sorry, this message (poll) could not be passed on")
	w.wantNothingOwed()
}

func TestFaultAnswerThatCannotBeCarriedIsToldAndNeverForwarded(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	post := w.tg.PostContent(admin, thread, emulator.Quiz())
	w.settle()
	if m := w.message(w.tg.Topic(thread), "Not delivered: Telegram does not let a message of this kind (quiz) be copied."); m.ReplyTo != post {
		t.Errorf("the notice replies to %d, want %d", m.ReplyTo, post)
	}
	w.wantTried("forwardMessage", 0)
}

func TestFaultUnknownRefusalGoesDownTheFallbacksAndIsTold(t *testing.T) {
	for _, no := range []struct {
		status int
		said   string
	}{{400, "Bad Request: SOMETHING_NEW"}, {403, "Forbidden: for a reason of tomorrow"}, {404, "Not Found: nothing here"},
		{409, "Conflict: with the weather"}, {413, "Request Entity Too Large"}, {418, "I'm a teapot"}} {
		t.Run(no.said, func(t *testing.T) {
			w := newWorld(t)
			thread := w.talk(7)
			w.tg.Refuse(emulator.Fault{Chat: 7, Count: -1}, no.status, no.said)
			post := w.tg.Post(admin, thread, "an answer")
			w.after(time.Minute)
			if m := w.message(w.tg.Topic(thread), "Not delivered"); m.ReplyTo != post {
				t.Errorf("the notice replies to %d, want %d", m.ReplyTo, post)
			}
			if copies, sends := w.triedIn("copyMessage", 7), w.triedIn("sendMessage", 7); copies != 1 || sends != 1 {
				t.Errorf("%d copies and %d sends were tried, want one each", copies, sends)
			}
			w.wantNothingOwed()
		})
	}
}

func TestFaultUnknownRefusalInTheTopicEndsWithAWordToTheWriter(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.tg.Refuse(emulator.Fault{Chat: w.tg.Group(), Count: -1}, 400, "Bad Request: SOMETHING_NEW")
	mine := w.tg.Say(7, "a question")
	w.after(time.Minute)
	if m := w.message(w.tg.Chat(7), "Sorry, your message could not be delivered"); m.ReplyTo != mine {
		t.Errorf("the notice replies to %d, want %d", m.ReplyTo, mine)
	}
	w.wantTried("forwardMessage", 1)
	w.wantNothingOwed()
}

func TestFaultVoiceForbiddenIsSaidInPlainWords(t *testing.T) {
	for _, content := range []emulator.Content{emulator.Voice("hm"), emulator.VideoNote()} {
		w := newWorld(t)
		thread := w.talk(7)
		w.tg.ForbidVoice(7)
		post := w.tg.PostContent(admin, thread, content)
		w.settle()
		m := w.message(w.tg.Topic(thread), "Not delivered: this person's privacy settings allow no voice")
		if m.ReplyTo != post || len(m.Buttons) != 0 {
			t.Errorf("the notice replies to %d with buttons %v", m.ReplyTo, m.Buttons)
		}
	}
}

// blockedAnswer is a notice with a Try again button, about a message that would arrive now.
func blockedAnswer(t *testing.T) (w *world, thread int, notice emulator.Message) {
	t.Helper()
	w = newWorld(t)
	thread = w.talk(7)
	w.tg.Block(7)
	w.tg.Post(admin, thread, "an answer")
	w.after(10 * time.Second)
	w.tg.Unblock(7)
	w.after(10 * time.Second)
	return w, thread, w.message(w.tg.Topic(thread), "Not delivered")
}

func TestFaultTryAgainPressedTwiceSendsOnce(t *testing.T) {
	w, thread, notice := blockedAnswer(t)
	data := w.again(notice)
	first := w.tg.Press(admin, w.tg.Group(), notice.ID, data)
	second := w.tg.Press(admin2, w.tg.Group(), notice.ID, data)
	w.after(10 * time.Second)
	w.wantToast(first, "Trying again…")
	w.wantToast(second, "This button is no longer in use.")
	w.wantChat(7, "hello", "an answer")
	w.wantTopic(thread, "hello", "an answer", "This message has now been delivered.")
	third := w.tg.Press(admin, w.tg.Group(), notice.ID, data)
	w.after(10 * time.Second)
	w.wantToast(third, "This button is no longer in use.")
	w.wantChat(7, "hello", "an answer")
}

// The outcome has the last word under the message, whatever delays the word before.
func TestFaultOutcomeOfTryAgainIsNotOverwrittenByALateTryingAgain(t *testing.T) {
	w, thread, notice := blockedAnswer(t)
	w.tg.InternalError(emulator.Fault{Method: "editMessageText"}) // "Trying again…"
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.after(time.Minute)
	w.wantTopic(thread, "hello", "an answer", "This message has now been delivered.")
}

// The delivery rules, "Button answers".

func TestFaultPressIsAnsweredOnceOrNotAtAll(t *testing.T) {
	for name, strike := range map[string]func(*emulator.Telegram, emulator.Fault){
		"500": (*emulator.Telegram).InternalError, "502": (*emulator.Telegram).BadGateway, "cut": (*emulator.Telegram).ResetBefore,
		"429": func(tg *emulator.Telegram, f emulator.Fault) { tg.Flood(f, 1) },
		"401": func(tg *emulator.Telegram, f emulator.Fault) { tg.Refuse(f, 401, "Unauthorized") },
		"too old": func(tg *emulator.Telegram, f emulator.Fault) {
			tg.Refuse(f, 400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			strike(w.tg, emulator.Fault{Method: "answerCallbackQuery"})
			w.tg.Press(7, 7, 1, "x")
			w.after(2 * time.Minute)
			w.wantTried("answerCallbackQuery", 1)
			w.wantNothingOwed()
			if name == "too old" && strings.Contains(w.log.String(), `"level":"warn"`) {
				t.Errorf("the log warns of a success: %s", w.log)
			}
		})
	}
}

func TestFaultPressOlderThanFifteenSecondsIsDropped(t *testing.T) {
	w := newWorld(t)
	soon := w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.clock.Advance(14 * time.Second)
	w.drain()
	late := w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.clock.Advance(16 * time.Second)
	w.drain()
	if len(w.tg.Answers(soon)) != 1 || len(w.tg.Answers(late)) != 0 {
		t.Errorf("the earlier press has %d answers, the one of 16 s ago %d", len(w.tg.Answers(soon)), len(w.tg.Answers(late)))
	}
	w.wantNothingOwed()
}

func TestFaultPressWaitsForNoBucketAndNoRest(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	var many []desk.Call
	for range 40 {
		many = append(many, desk.Say{To: desk.UserLane(7), Lines: []desk.Text{{Key: "welcome"}}},
			desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{{Key: "help_head"}}})
	}
	w.owe(many...)
	w.settle() // the buckets of the person and of the group are empty
	var queries []string
	for range 50 {
		queries = append(queries, w.tg.Press(7, 7, 1, "x"), w.tg.Press(admin, w.tg.Group(), thread, "r:none"))
	}
	w.settle()
	if slices.ContainsFunc(queries, func(q string) bool { return len(w.tg.Answers(q)) != 1 }) {
		t.Error("a press waits while a bucket is empty")
	}
}
