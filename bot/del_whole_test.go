package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// What was taken back is gone as a whole, stays gone, and what cannot go is said.

// A person's edit waits for its five seconds when the message is taken back: it must not come again.
func TestDelOfAPersonsMessageWhoseEditWaits(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Say(7, "first")
	w.settle()
	w.tg.EditText(7, msg, "second")
	w.settle()
	w.tg.EditText(7, msg, "third")
	w.settle()
	w.takesBack(thread, w.inTopic(thread, "second"))
	w.after(20 * time.Second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantNothingOwed()
}

// The newer form of a sticker is still on its way into the topic when the older is taken back: it must not come.
func TestDelOfAPersonsMessageWhoseNewerFormIsOnItsWay(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Send(7, emulator.Sticker())
	w.after(6 * time.Second)
	older := last(t, w.tg.Topic(thread)).ID
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 30)
	w.tg.EditContent(7, msg, emulator.Sticker())
	w.settle()
	w.takesBack(thread, older)
	w.after(2 * minute)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// The newer form of an admin's sticker is still on its way; the older stands at the person, and goes too.
func TestDelOfAnAdminsMessageWhoseNewerFormIsOnItsWay(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.PostContent(admin, thread, emulator.Sticker())
	w.after(6 * time.Second)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.EditPostContent(admin, msg, emulator.Sticker())
	w.settle()
	w.takesBack(thread, msg)
	w.after(2 * minute)
	w.wantTopic(thread, "hello")
	w.wantChat(7, "hello")
}

// An album goes piece by piece: what of it has arrived is taken back, what has not is not sent.
func TestDelOfAnAlbumThatGoesPieceByPiece(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages", Chat: 7}, 400, `Bad Request: failed to send message #1 with the error message "X"`)
	n := 0
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Params["chat_id"] == "7" {
			if n++; n == 1 {
				w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 60)
			}
		}
	})
	album := w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"), emulator.Photo("three"))
	w.after(3 * time.Second)
	w.wantChat(7, "hello", "one")
	w.takesBack(thread, album[1])
	w.after(2 * minute)
	w.wantChat(7, "hello")
	if got := w.topicTexts(thread); strings.Contains(strings.Join(got, "|"), "one") {
		t.Errorf("the topic shows %q", got)
	}
}

// A caption too long for its medium stands as a message of its own, and is the message all the same.
func TestDelOfAMessageWithALongCaption(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 400, "Bad Request: message to copy not found")
	msg := w.tg.PostContent(admin, thread, emulator.Photo(strings.Repeat("long ", 300)))
	w.after(5 * time.Second)
	if n := len(w.tg.Chat(7)); n != 3 {
		t.Fatalf("%d messages stand in the private chat", n)
	}
	w.takesBack(thread, msg)
	w.wantTopic(thread, "hello")
	w.wantChat(7, "hello")
}

// Somebody edits a message while its removal waits: it does not come again.
func TestDelIsNotUndoneByAnEdit(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.Flood(emulator.Fault{Method: "deleteMessages", Chat: 7}, 30)
	w.takesBack(thread, msg)
	w.tg.EditPost(admin, msg, "oops, edited")
	w.after(2 * minute)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// The same when the bot may not delete in the group, and the message stands there still.
func TestDelIsNotUndoneByALaterEdit(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.SetRight("can_delete_messages", false)
	w.takesBack(thread, msg)
	w.wantChat(7, "hello")
	w.tg.EditPost(admin, msg, "oops, edited")
	w.after(2 * minute)
	w.wantChat(7, "hello")
}

// A dice in private may be deleted after a day only: it is not older than 48 hours.
func TestDelOfAFreshDiceGivesTheRightReason(t *testing.T) {
	w, thread := met(t)
	msg := w.tg.PostContent(admin, thread, emulator.Dice())
	w.settle()
	w.takesBack(thread, msg)
	if got := last(t, w.tg.Topic(thread)).Text; !strings.HasPrefix(got, "Nothing was removed. Telegram says:") {
		t.Errorf("the admin reads %q", got)
	}
}

// The team's side stays because the bot may not delete there: the admin has to know that the person's is gone.
func TestDelWithoutTheRightSaysWhatIsLeft(t *testing.T) {
	w, thread := met(t)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.SetRight("can_delete_messages", false)
	w.takesBack(thread, msg)
	w.wantChat(7, "hello")
	if got := last(t, w.tg.Topic(thread)).Text; !strings.HasPrefix(got, "Removed from the person's chat.") {
		t.Errorf("the topic shows %q", w.topicTexts(thread))
	}
}

// Telegram took the message long after it was written: its copy may be deleted, itself not.
func TestDelOfAMessageThatIsOldInTheGroupOnly(t *testing.T) {
	w, thread := met(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 3*3600)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.after(4 * time.Hour)
	w.wantChat(7, "hello", "oops")
	w.clock.Advance(45 * time.Hour)
	w.settle()
	w.takesBack(thread, msg)
	w.wantChat(7, "hello")
	if got := last(t, w.tg.Topic(thread)); got.ID == msg || !strings.HasPrefix(got.Text, "Removed from the person's chat.") {
		t.Errorf("the topic shows %q", w.topicTexts(thread))
	}
}

// What may have arrived is not said to stand nowhere.
func TestDelOfAnUncertainMessageDoesNotPromiseThatItIsNowhere(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: 7, Count: 2})
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.after(minute)
	w.wantChat(7, "hello", "oops", "oops")
	w.takesBack(thread, msg)
	if got := last(t, w.tg.Topic(thread)).Text; got == saysDelUnknown {
		t.Errorf("the admin reads %q", got)
	}
}

// What comes late of an album that was taken back goes nowhere.
func TestDelOfAnAlbumHoldsForItsLateItems(t *testing.T) {
	w, thread := met(t, generous)
	first := w.tg.PostContent(admin, thread, emulator.Photo("one").InAlbum("a"))
	w.tg.PostContent(admin, thread, emulator.Photo("two").InAlbum("a"))
	w.after(3 * time.Second)
	w.takesBack(thread, first)
	w.tg.PostContent(admin, thread, emulator.Photo("three").InAlbum("a"))
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
}

// A late item that is not sent yet is of its album: all of it goes.
func TestDelInReplyToALateItemOnItsWay(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.PostContent(admin, thread, emulator.Photo("one").InAlbum("a"))
	w.tg.PostContent(admin, thread, emulator.Photo("two").InAlbum("a"))
	w.after(3 * time.Second)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	late := w.tg.PostContent(admin, thread, emulator.Photo("three").InAlbum("a"))
	w.settle()
	w.takesBack(thread, late)
	w.after(minute)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}
