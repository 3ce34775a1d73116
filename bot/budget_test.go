package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/emulator"
)

// costs are the calls that Telegram counts against the group's twenty a minute.
var costs = map[string]bool{"createForumTopic": true, "editForumTopic": true, "editMessageText": true, "sendMessage": true, "copyMessage": true}

// The delivery rules, Budget: what each event costs the group, call by call.
func TestWhatEachEventCostsTheGroup(t *testing.T) {
	const (
		topic = "createForumTopic"
		send  = "sendMessage"
		relay = "copyMessage"
		edit  = "editMessageText"
		title = "editForumTopic"
		pin   = "pinChatMessage"
		clean = "deleteMessage"
		open  = "reopenForumTopic"
	)
	calls := func(list ...string) string { return strings.Join(list, " ") }
	rename := func(w *world, first, last string) {
		w.tg.Know(emulator.Person{ID: 7, FirstName: first, LastName: last})
	}
	for _, c := range []struct {
		event  string
		before func(*world, int)
		does   func(*world, int)
		sends  int
		calls  string
	}{
		{event: "first contact", does: func(w *world, _ int) { w.tg.Say(8, "hello") }, sends: 3, calls: calls(topic, send, relay, pin, clean)},
		{event: "first contact by /start", does: func(w *world, _ int) { w.tg.Say(8, "/start") }, sends: 2, calls: calls(topic, send, pin, clean)},
		{event: "a later message", does: func(w *world, _ int) { w.tg.Say(7, "hi") }, sends: 1, calls: relay},
		{event: "a photo", does: func(w *world, _ int) { w.tg.Send(7, emulator.Photo("x")) }, sends: 1, calls: relay},
		{event: "/start again", does: func(w *world, _ int) { w.tg.Say(7, "/start") }},
		{event: "an album of three", does: func(w *world, _ int) {
			w.tg.Album(7, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"))
		}, sends: 3, calls: "copyMessages"},
		{event: "an answer", does: func(w *world, thread int) { w.tg.Post(admin, thread, "hi") }},
		{event: "team talk", does: func(w *world, thread int) { w.tg.Post(admin, thread, "// hi") }},
		{event: "an outsider's chatter", does: func(w *world, thread int) { w.tg.Post(outsider, thread, "hi") }},
		{event: "/help", does: func(w *world, thread int) { w.tg.Post(admin, thread, "/help") }, sends: 1, calls: send},
		{event: "a message into a closed topic", before: func(w *world, thread int) { w.tg.CloseTopic(admin, thread) },
			does: func(w *world, _ int) { w.tg.Say(7, "hi") }, sends: 1, calls: calls(open, relay)},
		{event: "a message into a deleted topic", before: func(w *world, thread int) { w.tg.DeleteTopic(thread) },
			does: func(w *world, _ int) { w.tg.Say(7, "hi") }, sends: 3, calls: calls(topic, send, relay, pin, clean)},
		{event: "another first name", does: func(w *world, _ int) { rename(w, "Anna", ""); w.tg.Say(7, "hi") }, sends: 3, calls: calls(relay, edit, title)},
		{event: "another last name", does: func(w *world, _ int) { rename(w, "User 7", "Lee"); w.tg.Say(7, "hi") }, sends: 2, calls: calls(relay, edit)},
		{event: "a ban", does: func(w *world, _ int) { w.ban(7, true) }, sends: 1, calls: edit},
		{event: "three changes of the card at once", does: func(w *world, _ int) {
			w.ban(7, true)
			w.change(7, func(tx *db.Tx) error { return tx.SetRisk(7, true) })
			w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "x") })
		}, sends: 1, calls: edit},
		{event: "a banned person's message", before: func(w *world, _ int) { w.ban(7, true) }, does: func(w *world, _ int) { w.tg.Say(7, "hi") }},
		{event: "a message too many", before: func(w *world, _ int) { w.rules.MaxMessagesPerMinute = 1; w.restart(); w.tg.Say(7, "one") },
			does: func(w *world, _ int) { w.tg.Say(7, "two") }},
		{event: "the first message of a risk today", before: func(w *world, _ int) {
			w.change(7, func(tx *db.Tx) error { return tx.SetRisk(7, true) })
		}, does: func(w *world, _ int) { w.tg.Say(7, "hi") }, sends: 2, calls: calls(relay, send)},
		{event: "the second message of a risk today", before: func(w *world, _ int) {
			w.change(7, func(tx *db.Tx) error { return tx.SetRisk(7, true) })
			w.tg.Say(7, "one")
		}, does: func(w *world, _ int) { w.tg.Say(7, "two") }, sends: 1, calls: relay},
		{event: "a block", does: func(w *world, _ int) { w.tg.Block(7) }, sends: 1, calls: edit},
		{event: "an answer that meets a block", before: func(w *world, _ int) { w.tg.Block(7) },
			does: func(w *world, thread int) { w.tg.Post(admin, thread, "hi") }, sends: 1, calls: send},
		{event: "a topic closed by hand", does: func(w *world, thread int) { w.tg.CloseTopic(admin, thread) }},
		{event: "a topic renamed by hand", does: func(w *world, thread int) { w.tg.RenameTopic(admin, thread, "VIP") }},
		{event: "a topic opened by hand", does: func(w *world, _ int) { w.tg.OpenTopic(admin, "Plans") }},
	} {
		w, thread := met(t)
		w.after(2 * minute)
		if c.before != nil {
			c.before(w, thread)
			w.settle()
			w.after(10 * time.Second)
		}
		w.tg.ResetCalls()
		c.does(w, thread)
		w.settle()
		w.after(10 * time.Second)
		got := w.intoGroup()
		sends := 0
		for _, method := range got {
			if costs[method] {
				sends++
			}
		}
		for _, call := range w.callsOf("copyMessages") { // costs as many as it carries
			sends += strings.Count(call.Params["message_ids"], ",") + 1
		}
		t.Logf("%-36s %d  %s", c.event, sends, strings.Join(got, " "))
		if strings.Join(got, " ") != c.calls || sends != c.sends {
			t.Errorf("%s costs %d sends: %s\nwant %d: %s", c.event, sends, strings.Join(got, " "), c.sends, c.calls)
		}
	}
}

// The group's bucket: twenty sends at once, then one every three seconds; people's messages go before cards.
func TestTheGroupGetsTwentyAMinute(t *testing.T) {
	w, thread := met(t, limited(100))
	w.after(2 * minute)
	w.tg.ResetCalls()
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "later") })
	w.clock.Advance(5 * time.Second)
	for range 30 {
		w.tg.Say(7, "x")
	}
	w.settle()
	if n := len(w.callsOf("copyMessage")); n != 20 || w.count("editMessageText") != 0 {
		t.Errorf("%d messages at once, the card %d times", n, w.count("editMessageText"))
	}
	w.after(33 * time.Second)
	if n := w.count("copyMessage"); n != 30 || w.count("editMessageText") != 0 {
		t.Errorf("%d messages after half a minute, the card %d times", n, w.count("editMessageText"))
	}
	w.after(4 * time.Second)
	if got := w.card(thread).Text; !strings.HasSuffix(got, "📝 later") {
		t.Errorf("in the end the card shows %q", got)
	}
}

// Answers never wait behind the group's budget.
func TestAnswersDoNotWaitForTheGroup(t *testing.T) {
	w, thread := met(t, limited(100))
	for range 40 {
		w.tg.Say(7, "x")
	}
	w.tg.Post(admin, thread, "calm down")
	w.settle()
	if got := last(t, w.tg.Chat(7)).Text; got != "calm down" {
		t.Errorf("the person reads %q", got)
	}
}
