package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
	"hodor/internal/text"
)

// E1, E4: the first message makes a topic, its card, pinned without a sound, and brings the message; the pin's notice is removed.
func TestFirstContactMakesATopicWithAPinnedCard(t *testing.T) {
	w := newWorld(t)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Ann", LastName: "Lee", Username: "ann", LanguageCode: "de"})
	w.tg.Say(7, "hello")
	w.settle()
	thread := w.thread("Ann")
	w.wantCard(thread, "👤 Ann Lee (@ann)", "ID: 7", "Language: de", "First contact: 2026-01-02 03:04 UTC", "Not verified")
	pin := w.callsOf("pinChatMessage")
	if len(pin) != 1 || pin[0].Params["disable_notification"] != "true" {
		t.Errorf("pinned by %+v", pin)
	}
	for _, m := range w.tg.Topic(thread) {
		if m.Service == "pinned_message" {
			t.Error("the notice of the pin stands in the topic")
		}
	}
	if w.binding(7).Card != desk.MessageID(w.card(thread).ID) {
		t.Errorf("the card %d is remembered as %d", w.card(thread).ID, w.binding(7).Card)
	}
	w.wantTopic(thread, "hello")
}

// E4
func TestTopicsAreNamedAfterTheirPeople(t *testing.T) {
	for _, c := range []struct {
		person emulator.Person
		title  string
		line   string
	}{
		{emulator.Person{ID: 7, FirstName: "Ann", LastName: "Lee"}, "Ann", "👤 Ann Lee"},
		{emulator.Person{ID: 7, FirstName: "  ", Username: "ann"}, "@ann", "👤 @ann"},
		{emulator.Person{ID: 7, FirstName: "\u3164", Username: "ann"}, "@ann", "👤 @ann"},
		{emulator.Person{ID: 7, FirstName: ""}, "ID_7", "👤 ID_7"},
		{emulator.Person{ID: 7, LastName: "Lee"}, "ID_7", "👤 Lee"},
		{emulator.Person{ID: 7, FirstName: "<b>Ann</b>", LastName: "_x*"}, "<b>Ann</b>", "👤 <b>Ann</b> _x*"},
		{emulator.Person{ID: 7, FirstName: "{{.ID}}", LastName: "&amp;"}, "{{.ID}}", "👤 {{.ID}} &amp;"},
		{emulator.Person{ID: 7, FirstName: "two\nlines"}, "two lines", "👤 two lines"},
		{emulator.Person{ID: 7, FirstName: strings.Repeat("é", 64), LastName: strings.Repeat("y", 64)}, strings.Repeat("é", 64),
			"👤 " + strings.Repeat("é", 64) + " " + strings.Repeat("y", 64)},
		{emulator.Person{ID: 7, FirstName: strings.Repeat("語", 150)}, strings.Repeat("語", 128), "👤 " + strings.Repeat("語", 150)},
	} {
		t.Run(c.title, func(t *testing.T) {
			w := newWorld(t)
			w.tg.Know(c.person)
			w.tg.Say(7, "hello")
			w.settle()
			thread := w.thread(c.title)
			if line, _, _ := strings.Cut(w.card(thread).Text, "\n"); line != c.line {
				t.Errorf("the card says %q, want %q", line, c.line)
			}
			w.wantTopic(thread, "hello")
		})
	}
}

// The id on the card leads to the person, wherever else its digits stand.
func TestTheCardLinksToThePerson(t *testing.T) {
	for _, name := range []string{"Ann", "👩‍👩‍👧 𝒜nn", "7", "ID: 7", "👤 ID: 7 7", "7\nID: 7", "ID_7"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.tg.Know(emulator.Person{ID: 7, FirstName: name})
			w.tg.Say(7, "hello")
			w.settle()
			card := w.card(w.topicOf(7))
			if len(card.Entities) != 1 {
				t.Fatalf("entities %+v", card.Entities)
			}
			link := card.Entities[0]
			units := utf16.Encode([]rune(card.Text))
			before, linked := string(utf16.Decode(units[:link.Offset])), string(utf16.Decode(units[link.Offset:link.Offset+link.Length]))
			if linked != "7" || link.URL != "tg://user?id=7" || string(link.Type) != "text_link" {
				t.Errorf("linked is %q to %s", linked, link.URL)
			}
			if !strings.HasSuffix(before, "\nID: ") || strings.Count(before, "\n") != 1 {
				t.Errorf("linked stands behind %q", before)
			}
		})
	}
}

// E13, E17–E24: what holds is on the card, in one order; what does not is not.
func TestTheCardShowsWhatHolds(t *testing.T) {
	off := func(w *world) {
		w.tune = func(o *outbox.Options) { o.Verify = db.Settings{VerifyMode: "math"} }
	}
	set := func(column string) func(*world) {
		return func(w *world) { w.byHand("UPDATE users SET " + column) }
	}
	note := func(s string) func(*world) {
		return func(w *world) { w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, s) }) }
	}
	for _, c := range []struct {
		name   string
		world  func(*world)
		change []func(*world)
		want   string // the lines after the first contact
	}{
		{name: "E19 not verified", want: "Not verified"},
		{name: "E20 verified", change: []func(*world){set("is_verified = 1, verified_at = '2026-01-01T00:00:00.000Z'")}, want: "✅ Verified"},
		{name: "E21 verification off", world: off, change: []func(*world){set("is_verified = 1")}, want: "Verification is off"},
		{name: "E26 archived while off", world: off, change: []func(*world){set("status = 'deleted', is_verified = 1")}, want: "Not verified"},
		{name: "E23 risk", change: []func(*world){set("is_risk = 1")}, want: "Not verified\n⚠️ Marked as a risk"},
		{name: "banned", change: []func(*world){set("is_banned = 1")}, want: "Not verified\n🚫 Banned: what they write is not passed on"},
		{name: "blocked", change: []func(*world){set("unreachable = 'blocked'")}, want: "Not verified\n🔕 Has blocked the bot"},
		{name: "deactivated", change: []func(*world){set("unreachable = 'deactivated'")}, want: "Not verified\nThis account no longer exists"},
		{name: "note", change: []func(*world){note("pays late")}, want: "Not verified\n📝 pays late"},
		{name: "E24 blank note", change: []func(*world){note(" \n ")}, want: "Not verified"},
		{name: "a note that looks like markup", change: []func(*world){note("<b>&amp;</b> {{.ID}}")}, want: "Not verified\n📝 <b>&amp;</b> {{.ID}}"},
		{name: "E22 all of it", change: []func(*world){note("n"), set("is_banned = 1, is_risk = 1, unreachable = 'blocked'")},
			want: "Not verified\n🚫 Banned: what they write is not passed on\n⚠️ Marked as a risk\n🔕 Has blocked the bot\n📝 n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.world == nil {
				c.world = func(*world) {}
			}
			w, thread := met(t, c.world)
			for _, change := range c.change {
				change(w)
			}
			w.change(7, func(*db.Tx) error { return nil })
			w.after(5 * time.Second)
			w.wantCard(thread, "👤 User 7", "ID: 7", "Language: –", "First contact: 2026-01-02 03:04 UTC", c.want)
		})
	}
}

// E17, E18: a note made while there is no card is on the card that comes.
func TestANoteIsOnTheNewCardToo(t *testing.T) {
	w, thread := met(t)
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "pays late") })
	w.tg.DeleteTopic(thread)
	w.after(5 * time.Second)
	w.tg.Say(7, "again")
	w.settle()
	if got := w.card(w.topicOf(7)).Text; !strings.HasSuffix(got, "\n📝 pays late") {
		t.Errorf("the new card shows %q", got)
	}
}

// A long note and a long name are cut so that the card fits and our own words stay.
func TestALongNoteDoesNotBreakTheCard(t *testing.T) {
	w, thread := met(t)
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, strings.Repeat("🙂", 5000)) })
	w.after(5 * time.Second)
	card := w.card(thread)
	if n := text.Units(card.Text); n > 4096 || n < 4000 {
		t.Errorf("the card has %d units", n)
	}
	if !strings.Contains(card.Text, "Not verified\n📝 🙂") || !strings.HasSuffix(card.Text, "🙂…") {
		t.Errorf("the card ends in %q", card.Text[len(card.Text)-40:])
	}
}

// The card is in the group's language, what is said to people in theirs.
func TestEverybodyReadsTheirOwnLanguage(t *testing.T) {
	chinese := func(w *world) {
		w.tune = func(o *outbox.Options) {
			catalogue, err := text.Load("zh-hans", nil, nil)
			if err != nil {
				w.t.Fatal(err)
			}
			o.Text = catalogue
		}
	}
	w := newWorld(t, chinese)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Ann", LanguageCode: "en-GB"})
	w.tg.Know(emulator.Person{ID: 8, FirstName: "Bo", LanguageCode: "pl"})
	w.tg.Say(7, "/start")
	w.tg.Say(8, "/start")
	w.settle()
	if got := w.card(w.thread("Ann")).Text; !strings.Contains(got, "语言：en-GB") {
		t.Errorf("the card shows %q", got)
	}
	w.wantChat(7, "/start", saysWelcome)
	w.wantChat(8, "/start", "您好！…")
}

// Changes of a card within seconds make one edit, behind the messages; each kind of change is on it.
func TestManyChangesOfACardAreOneEdit(t *testing.T) {
	w, thread := met(t)
	w.tg.ResetCalls()
	w.ban(7, true)
	w.change(7, func(tx *db.Tx) error { return tx.SetRisk(7, true) })
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "x") })
	w.after(5 * time.Second)
	if n := w.count("editMessageText"); n != 1 {
		t.Errorf("the card was edited %d times", n)
	}
	if got := w.card(thread).Text; !strings.HasSuffix(got, "not passed on\n⚠️ Marked as a risk\n📝 x") {
		t.Errorf("the card shows %q", got)
	}
	w.ban(7, false)
	w.after(5 * time.Second)
	if got := w.card(thread).Text; !strings.HasSuffix(got, "Not verified\n⚠️ Marked as a risk\n📝 x") {
		t.Errorf("after the ban the card shows %q", got)
	}
}

// E9: a card that Telegram refuses holds up nothing; the next message sends it.
func TestARefusedCardIsSentWithTheNextMessage(t *testing.T) {
	w := newWorld(t)
	w.tg.Refuse(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()}, 400, "Bad Request: something about this text")
	w.tg.Say(7, "hello")
	w.settle()
	thread := w.thread("User 7")
	w.wantTopic(thread, "hello")
	if w.binding(7).Card != 0 {
		t.Errorf("card %d is remembered", w.binding(7).Card)
	}
	w.tg.Say(7, "again")
	w.settle()
	w.wantCard(thread, "👤 User 7", "ID: 7", "Language: –", "First contact: 2026-01-02 03:04 UTC", "Not verified")
	w.wantTopic(thread, "hello", "again")
}

// E10: without the right to pin everything else goes on, and the card can be edited.
func TestWithoutTheRightToPinTheCardStands(t *testing.T) {
	w := newWorld(t)
	w.tg.SetRight("can_pin_messages", false)
	w.tg.Say(7, "hello")
	w.settle()
	thread := w.thread("User 7")
	w.wantTopic(thread, "👤 User 7…", "hello")
	w.ban(7, true)
	w.after(5 * time.Second)
	if got := w.tg.Topic(thread)[1].Text; !strings.HasSuffix(got, "not passed on") {
		t.Errorf("the card shows %q", got)
	}
	if left := w.ready.NotReady(); len(left) != 0 {
		t.Errorf("not ready: %v", left)
	}
}

// E11: an edit of the card that is refused hinders nothing.
func TestARefusedCardEditHindersNothing(t *testing.T) {
	w, thread := met(t)
	w.tg.Refuse(emulator.Fault{Method: "editMessageText"}, 403, "Forbidden: CHAT_ADMIN_REQUIRED")
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna"})
	w.tg.Say(7, "I married")
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "I married")
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows", n)
	}
}

// A card that somebody deleted by hand is not edited for ever: the next message brings a new one, as after E9.
func TestADeletedCardComesBack(t *testing.T) {
	w, thread := met(t)
	w.tg.DeletePost(w.card(thread).ID)
	w.ban(7, true)
	w.after(5 * time.Second)
	w.ban(7, false)
	w.after(5 * time.Second)
	w.tg.Say(7, "again")
	w.settle()
	w.wantCard(thread, "👤 User 7", "ID: 7", "Language: –", "First contact: 2026-01-02 03:04 UTC", "Not verified")
}

// E13–E15: the team is reminded of a marked person once a day, behind the first message; /start is none.
func TestTheTeamIsRemindedOfARiskOnceADay(t *testing.T) {
	w, thread := met(t)
	w.change(7, func(tx *db.Tx) error { return tx.SetRisk(7, true) })
	reminder := "⚠️ User 7 is marked as a risk. Please be careful."
	w.after(minute)
	w.tg.Say(7, "/start")
	w.after(minute)
	w.wantTopic(thread, "hello")
	for i := range 3 {
		w.tg.Say(7, fmt.Sprint("m", i))
		w.after(minute)
	}
	w.wantTopic(thread, "hello", "m0", reminder, "m1", "m2")
	w.after(24 * time.Hour)
	w.tg.Say(7, "next day")
	w.after(minute)
	w.wantTopic(thread, "hello", "m0", reminder, "m1", "m2", "next day", reminder)
}
