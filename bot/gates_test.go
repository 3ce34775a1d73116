package bot_test

import (
	"fmt"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/emulator"
)

// D7, D8: a banned person gets one notice a minute and nothing else happens: no topic, no card, no count.
func TestABannedPersonIsToldOnceAMinute(t *testing.T) {
	w, thread := met(t)
	w.ban(7, true)
	w.after(minute)
	rate := w.column("SELECT rate_count || rate_window_start FROM users")
	w.tg.ResetCalls()
	first := w.tg.Say(7, "let me in")
	w.settle()
	if got := last(t, w.tg.Chat(7)); got.ReplyTo != first {
		t.Errorf("the notice replies to %d", got.ReplyTo)
	}
	w.tg.Send(7, emulator.Photo("please"))
	w.tg.Say(7, "/start")
	w.after(59 * time.Second)
	w.wantChat(7, "hello", "let me in", saysBanned, "please", "/start")
	w.after(time.Second)
	w.tg.Say(7, "still?")
	w.settle()
	w.wantChat(7, "hello", "let me in", saysBanned, "please", "/start", "still?", saysBanned)
	w.wantTopic(thread, "hello")
	if calls := w.intoGroup(); len(calls) != 0 {
		t.Errorf("the group was called: %q", calls)
	}
	if now := w.column("SELECT rate_count || rate_window_start FROM users"); now != rate {
		t.Errorf("the window went from %s to %s", rate, now)
	}
}

// A person who is banned before the team ever heard of them gets no topic.
func TestABannedPersonMakesNoTopic(t *testing.T) {
	w := newWorld(t)
	w.byHand("INSERT INTO users (bot_id, user_id, is_banned, first_seen_at, last_seen_at) VALUES (1000, 7, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')")
	w.tg.Say(7, "hello")
	w.settle()
	w.wantChat(7, "hello", saysBanned)
	if n := len(w.tg.Topics()); n != 0 {
		t.Errorf("%d topics", n)
	}
}

// T6: freed, the person is heard again at once, in the same topic.
func TestAFreedPersonIsHeardAgain(t *testing.T) {
	w, thread := met(t)
	w.ban(7, true)
	w.tg.Say(7, "one")
	w.settle()
	w.ban(7, false)
	w.tg.Say(7, "two")
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "two")
	w.wantChat(7, "hello", "one", saysBanned, "two")
}

// D10 as changed, T7: with a limit of three the fourth is refused with a notice that names the three; the rest of the minute is silent;
// then everything passes again. D11
func TestTooManyMessagesAMinuteAreRefusedWithOneNotice(t *testing.T) {
	w := newWorld(t, limited(3))
	for i := 1; i <= 6; i++ {
		w.tg.Say(7, fmt.Sprint("m", i))
	}
	w.settle()
	w.wantTopic(w.topicOf(7), "m1", "m2", "m3")
	w.wantChat(7, "m1", "m2", "m3", "m4", "m5", "m6",
		"That was a bit fast for us: at most 3 messages a minute are passed on, and what came beyond them was not. Please write again in a minute.")
	notice := last(t, w.tg.Chat(7))
	if refused := w.tg.Chat(7)[3].ID; notice.ReplyTo != refused {
		t.Errorf("the notice replies to %d, not to %d", notice.ReplyTo, refused)
	}
	w.after(minute)
	w.tg.Say(7, "m7")
	w.settle()
	w.wantTopic(w.topicOf(7), "m1", "m2", "m3", "m7")
	if n := len(w.ledger(7)); n != 4 {
		t.Errorf("the ledger has %d rows", n)
	}
}

// The notice has a slot of its own: another burst in the next minute is told of again.
func TestEveryMinuteOfTooManyIsTold(t *testing.T) {
	w := newWorld(t, limited(1))
	for i := range 3 {
		w.tg.Say(7, fmt.Sprint("passes", i))
		w.tg.Say(7, fmt.Sprint("refused", i))
		w.settle()
		w.after(minute)
	}
	w.wantTopic(w.topicOf(7), "passes0", "passes1", "passes2")
	w.wantChat(7, "passes0", "refused0", saysTooFast, "passes1", "refused1", saysTooFast, "passes2", "refused2", saysTooFast)
}

// The window is that of message.date: what piled up while we were down was written slowly, and all of it passes.
func TestABacklogAfterAnOutageIsNotPunished(t *testing.T) {
	w := newWorld(t, limited(3))
	for i := range 12 {
		w.tg.Say(7, fmt.Sprint("m", i))
		w.clock.Advance(20 * time.Second)
	}
	w.settle()
	w.after(minute)
	want := make([]string, 12)
	for i := range want {
		want[i] = fmt.Sprint("m", i)
	}
	w.wantTopic(w.topicOf(7), want...)
	w.wantChat(7, want...)
}

// And what was written fast while we were down is refused all the same, with one notice.
func TestABurstInABacklogIsStillABurst(t *testing.T) {
	w := newWorld(t, limited(3))
	for i := range 5 {
		w.tg.Say(7, fmt.Sprint("m", i))
	}
	w.clock.Advance(time.Hour)
	w.settle()
	w.wantTopic(w.topicOf(7), "m0", "m1", "m2")
	w.wantChat(7, "m0", "m1", "m2", "m3", "m4", saysTooFast)
}

// D11, S9: the window begins with its first message and ends sixty seconds later, on the second.
func TestTheWindowEndsOnTheSecond(t *testing.T) {
	w := newWorld(t, limited(1))
	w.tg.Say(7, "first")
	w.settle()
	w.clock.Advance(59 * time.Second)
	w.tg.Say(7, "too early")
	w.settle()
	w.clock.Advance(time.Second)
	w.tg.Say(7, "in time")
	w.settle()
	w.wantTopic(w.topicOf(7), "first", "in time")
}

// One person's flood is nobody else's.
func TestEverybodyHasTheirOwnWindow(t *testing.T) {
	w := newWorld(t, limited(1))
	for _, user := range []int64{7, 8, 7, 9} {
		w.tg.Say(user, fmt.Sprint("from ", user))
	}
	w.settle()
	for _, user := range []int64{7, 8, 9} {
		w.wantTopic(w.topicOf(user), fmt.Sprint("from ", user))
	}
}

// D14–D16: /start in any form greets once a minute, makes topic and card, and is not relayed; /startups is.
func TestStartGreetsAndIsNotRelayed(t *testing.T) {
	w := newWorld(t)
	for _, text := range []string{"/start", "/start@hodor_test_bot", "/start promo-42"} {
		w.tg.Say(7, text)
		w.settle()
	}
	w.wantChat(7, "/start", saysWelcome, "/start@hodor_test_bot", "/start promo-42")
	thread := w.thread("User 7")
	w.wantTopic(thread)
	w.card(thread)
	if n := len(w.ledger(7)); n != 0 {
		t.Errorf("the ledger has %d rows", n)
	}
	w.tg.Say(7, "/startups")
	w.settle()
	w.wantTopic(thread, "/startups")
	w.after(minute)
	w.tg.Say(7, "/start")
	w.settle()
	if got := len(w.chatTexts(7)); got != 7 {
		t.Errorf("the chat shows %q", w.chatTexts(7))
	}
	if n := w.count("createForumTopic"); n != 1 {
		t.Errorf("%d topics were made", n)
	}
}

// D16: the slot is free again after sixty seconds, not before.
func TestTheWelcomeSlotIsAMinute(t *testing.T) {
	w := newWorld(t)
	for range 2 {
		w.tg.Say(7, "/start")
		w.settle()
		w.clock.Advance(59 * time.Second)
	}
	w.wantChat(7, "/start", saysWelcome, "/start")
	w.clock.Advance(2 * time.Second)
	w.tg.Say(7, "/start")
	w.settle()
	w.wantChat(7, "/start", saysWelcome, "/start", "/start", saysWelcome)
}

// Welcome and refusals have slots of their own. (The relay rules.)
func TestAWelcomeDoesNotSwallowARefusal(t *testing.T) {
	w := newWorld(t, limited(1))
	w.tg.Say(7, "/start")
	w.tg.Say(7, "hello")
	w.settle()
	w.wantChat(7, "/start", "hello", saysWelcome, saysTooFast)
}

// /start counts in the window like anything else, and beyond it is refused like anything else. Reference §7, step 11
func TestStartCounts(t *testing.T) {
	w := newWorld(t, limited(2))
	for _, text := range []string{"/start", "/start", "hello", "/start"} {
		w.tg.Say(7, text)
	}
	w.settle()
	w.wantChat(7, "/start", "/start", "hello", "/start", saysWelcome, saysTooFast)
	w.wantTopic(w.topicOf(7))
}

// The gates stand in order: who is banned is told that, however many messages they sent.
func TestTheBanStandsBeforeTheWindow(t *testing.T) {
	w := newWorld(t, limited(1))
	w.tg.Say(7, "one")
	w.settle()
	w.ban(7, true)
	w.tg.Say(7, "two")
	w.tg.Say(7, "three")
	w.settle()
	w.wantChat(7, "one", "two", "three", saysBanned)
}

// D27, D28: what nobody can place leaves no trace.
func TestAMessageWithoutContentLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	for _, body := range []string{`"from":{"id":7,"first_name":"A"}`, `"from":{"id":7,"first_name":"A"},"text":""`, `"text":"hi"`,
		`"from":{"id":7,"first_name":"A"},"pinned_message":{"message_id":1}`} {
		w.tg.Inject(`{"message":{"message_id":3,"date":1767323045,"chat":{"id":7,"type":"private"},` + body + `}}`)
	}
	w.settle()
	if _, found := w.user(7); found || len(w.tg.Calls()) > 1 {
		t.Errorf("a trace is left: %+v", w.tg.Calls())
	}
	if got := w.column("SELECT count(*) FROM processed_updates WHERE status = 'processed'"); got != "7" { // with the team's joining
		t.Errorf("%s updates are claimed", got)
	}
}

// D9: a notice that Telegram refuses is swallowed, one that meets an outage arrives later.
func TestABanNoticeMeetsTrouble(t *testing.T) {
	w, _ := met(t)
	w.ban(7, true)
	w.tg.InternalError(emulator.Fault{Method: "sendMessage", Chat: 7})
	w.tg.Say(7, "one")
	w.after(minute)
	w.wantChat(7, "hello", "one", saysBanned)
	w.tg.Refuse(emulator.Fault{Method: "sendMessage", Chat: 7, Count: -1}, 403, "Forbidden: bot was blocked by the user")
	w.tg.Say(7, "two")
	w.after(minute)
	w.wantChat(7, "hello", "one", saysBanned, "two")
	if u, _ := w.user(7); u.Unreachable != db.Blocked {
		t.Errorf("marked as %q", u.Unreachable)
	}
}

// S1–S4, D29: names are refreshed, what the team decided and the first contact stay.
func TestNamesAreRefreshedAndDecisionsStay(t *testing.T) {
	w, _ := met(t)
	w.byHand("UPDATE users SET is_risk = 1, is_verified = 1, verified_at = '2026-01-01T00:00:00.000Z'")
	decided := func() string {
		return w.column("SELECT is_risk || is_verified || is_banned || verified_at || first_seen_at || id FROM users")
	}
	before := decided()
	w.after(time.Hour)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna", Username: "anna", LanguageCode: "fr"})
	w.tg.Say(7, "hi")
	w.settle()
	if u, _ := w.user(7); u.FirstName != "Anna" || u.Username != "anna" || u.LanguageCode != "fr" {
		t.Errorf("remembered as %+v", u.Person)
	}
	if after := decided(); after != before {
		t.Errorf("decided %s, was %s", after, before)
	}
}
