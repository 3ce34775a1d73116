package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// An answer that never arrived was taken back; its topic's message is still there when somebody changes it.
func TestAnEditOfWhatWasTakenBackBeforeItArrivedIsNotSent(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	answer := w.tg.Post(admin, thread, "answer")
	w.settle()
	w.tg.PostReply(admin, thread, answer, "/del")
	w.intake()
	w.tg.EditPost(admin, answer, "another answer")
	w.tg.Unblock(7)
	w.settle()
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// An album that may not have arrived can be tried again for its other items, though one of them was changed and came anew.
func TestAnEditOfOneItemLeavesTheOthersToBeTriedAgain(t *testing.T) {
	w, thread := met(t)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessages", Chat: 7, Count: -1})
	items := w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"))
	w.after(3 * time.Hour)
	w.tg.Heal()
	notice := w.message(w.tg.Topic(thread), "Not delivered")
	w.tg.EditPost(admin, items[0], "one, better")
	w.settle()
	w.wantChat(7, "hello", "one, better")
	w.pressAgain(admin, w.tg.Group(), notice)
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "one, better", "one, better", "two")
	w.wantNothingOwed()
}
