package bot_test

import (
	"context"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The delivery rules: what is not sent yet is not sent when it is taken back; what is at Telegram is judged when that is known.

// delayed is a world in which Telegram lets nothing be sent to person 7 for a minute, and an admin has written twice.
func delayed(t *testing.T) (w *world, thread, first, second int) {
	t.Helper()
	w, thread = met(t, generous)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 60)
	first = w.tg.Post(admin, thread, "one")
	second = w.tg.Post(admin, thread, "two")
	w.settle()
	w.wantChat(7, "hello")
	return w, thread, first, second
}

func TestDelOfWhatIsNotSentYetCancelsIt(t *testing.T) {
	w, thread, first, second := delayed(t)
	w.takesBack(thread, first)
	w.wantTopic(thread, "hello", "two")
	w.after(2 * minute)
	w.wantChat(7, "hello", "two")
	w.takesBack(thread, second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantNothingOwed()
	if got := w.column("SELECT count(*) FROM outbox WHERE kind = 'relay_to_user' AND content IS NOT NULL"); got != "0" {
		t.Errorf("%s settled calls keep a text", got)
	}
}

// A message in back-off holds up those behind it; when it is taken back they go at once.
func TestDelOfWhatWaitsLetsTheLaneGoOnAtOnce(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessage", Chat: 7, Count: 4})
	first := w.tg.Post(admin, thread, "one")
	w.tg.Post(admin, thread, "two")
	w.settle()
	w.after(minute) // three tries are in vain; the fourth is minutes away
	w.tg.Heal()
	w.wantChat(7, "hello")
	w.takesBack(thread, first)
	w.wantChat(7, "hello", "two")
	w.wantTopic(thread, "hello", "two")
}

func TestDelOfWhatIsNotSentOutlivesARestart(t *testing.T) {
	w, thread, first, _ := delayed(t)
	w.tg.PostReply(admin, thread, first, "/del")
	w.intake()
	w.restart()
	w.after(2 * minute)
	w.wantChat(7, "hello", "two")
	w.wantTopic(thread, "hello", "two")
}

// An admin's message whose first try got lost may have arrived: it is not sent again, and the admin is told.
func TestDelOfADoubtfulMessageSaysThatItMayHaveArrived(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: 7})
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.wantChat(7, "hello", "oops") // which nobody knows
	command := w.takesBack(thread, msg)
	w.after(2 * minute)
	w.wantChat(7, "hello", "oops")
	w.wantTopic(thread, "hello", "/del", saysDelMaybe)
	if got := last(t, w.tg.Topic(thread)).ReplyTo; got != command {
		t.Errorf("the answer replies to %d", got)
	}
	w.wantDone("copyMessage", 2) // the person's hello, and the lost one
}

// While Telegram has it in hand, nothing can be said. When it has arrived, it goes; when nobody knows, it is not sent again, and that is
// said.
func TestDelOfWhatIsAtTelegramWaitsForTheOutcome(t *testing.T) {
	for _, answered := range []bool{true, false} {
		w, thread := met(t, generous, calm)
		arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: 7})
		msg := w.tg.Post(admin, thread, "oops")
		w.intake()
		ended := make(chan struct{})
		go func() { defer close(ended); w.box.Drain(context.Background()) }()
		w.await(arrived, "the copy")
		w.tg.PostReply(admin, thread, msg, "/del")
		w.intake()
		w.wantTried("deleteMessages", 0)
		release(answered)
		w.await(ended, "the end")
		w.after(minute)
		if answered {
			w.wantChat(7, "hello")
			w.wantTopic(thread, "hello")
		} else {
			w.wantChat(7, "hello", "oops")
			w.wantTopic(thread, "hello", "/del", saysDelMaybe)
		}
		w.wantNothingOwed()
	}
}

// Telegram has it in hand and does not take it: then it is not sent again.
func TestDelOfWhatTelegramThenDoesNotTake(t *testing.T) {
	for name, fault := range map[string]func(*world, emulator.Fault){
		"a flood wait":  func(w *world, f emulator.Fault) { w.tg.Flood(f, 30) },
		"a bad gateway": func(w *world, f emulator.Fault) { w.tg.BadGateway(f) },
		"a cut line":    func(w *world, f emulator.Fault) { w.tg.ResetBefore(f) },
		"a block": func(w *world, f emulator.Fault) {
			w.tg.Refuse(f, 403, "Forbidden: bot was blocked by the user")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, generous, calm)
			on := emulator.Fault{Method: "copyMessage", Chat: 7}
			arrived, release := w.tg.Hold(on)
			fault(w, on)
			msg := w.tg.Post(admin, thread, "oops")
			w.intake()
			ended := make(chan struct{})
			go func() { defer close(ended); w.box.Drain(context.Background()) }()
			w.await(arrived, "the copy")
			w.tg.PostReply(admin, thread, msg, "/del")
			w.intake()
			release(true)
			w.await(ended, "the end")
			copies := w.tried("copyMessage")
			w.tg.Post(admin, thread, "go on")
			w.after(2 * minute)
			w.wantChat(7, "hello", "go on")
			w.wantTried("copyMessage", copies+1)
			w.wantNothingOwed()
		})
	}
}

// The notice of a message that is tried again goes with it: "Trying again" must not stand for ever.
func TestDelEndsTheNoticeOfAFurtherTry(t *testing.T) {
	w, thread, notice := blocked(t, generous)
	w.tg.Unblock(7)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 60)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.settle()
	w.message(w.tg.Topic(thread), "Trying again…")
	w.takesBack(thread, notice.ReplyTo)
	w.after(2 * minute)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// The album is still being collected: nothing of it has gone, and nothing of it goes, late items included.
func TestDelOfAnAlbumBeingCollected(t *testing.T) {
	for _, item := range []int{0, 1} {
		w, thread := met(t, generous)
		album := w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"))
		group := last(t, w.tg.Topic(thread)).GroupID
		w.intake()
		w.takesBack(thread, album[item])
		w.wantTopic(thread, "hello")
		w.tg.PostContent(admin, thread, emulator.Photo("three").InAlbum(group))
		w.after(10 * time.Second)
		w.wantChat(7, "hello")
		w.wantNothingOwed()
		w.wantDone("copyMessages", 0)
	}
}

// An album that waits for its tokens is taken back, and those behind it go.
func TestDelOfAnAlbumThatWaits(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Flood(emulator.Fault{Method: "copyMessages", Chat: 7}, 60)
	album := w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"))
	w.after(3 * time.Second)
	w.tg.Post(admin, thread, "behind it")
	w.settle()
	w.takesBack(thread, album[1])
	w.after(2 * minute)
	w.wantChat(7, "hello", "behind it")
	w.wantTopic(thread, "hello", "behind it")
	w.wantNothingOwed()
}

// A late item that is on its way when the album is taken back goes with it.
func TestDelOfAnAlbumWithALateItemOnItsWay(t *testing.T) {
	w, thread := met(t, generous)
	first := w.tg.PostContent(admin, thread, emulator.Photo("one").InAlbum("a"))
	w.tg.PostContent(admin, thread, emulator.Photo("two").InAlbum("a"))
	w.after(3 * time.Second)
	w.wantChat(7, "hello", "one", "two")
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.PostContent(admin, thread, emulator.Photo("three").InAlbum("a"))
	w.settle()
	w.wantChat(7, "hello", "one", "two")
	w.takesBack(thread, first)
	w.after(minute)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantNothingOwed()
}

// The change of a message that waits for its five seconds is not owed any more when the message is taken back.
func TestDelOfAMessageWhoseEditWaits(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "first")
	w.settle()
	w.tg.EditPost(admin, msg, "second")
	w.settle()
	w.tg.EditPost(admin, msg, "third") // waits, since the second has just gone
	w.settle()
	w.takesBack(thread, msg)
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantNothingOwed()
}

// A message that did not reach a person who has blocked the bot goes from the topic, and is not offered to be tried again.
func TestDelOfARefusedMessage(t *testing.T) {
	w, thread, notice := blocked(t, generous)
	again := w.again(notice)
	w.takesBack(thread, notice.ReplyTo)
	for _, text := range w.topicTexts(thread) {
		if text == "are you there?" {
			t.Errorf("the topic shows %q", w.topicTexts(thread))
		}
	}
	w.tg.Unblock(7)
	w.settle()
	query := w.tg.Press(admin, w.tg.Group(), notice.ID, again)
	w.after(10 * time.Second)
	w.wantToast(query, "This button is no longer in use.")
	w.wantChat(7, "hello")
}
