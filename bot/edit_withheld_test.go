package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A copy shows what the message says when it is made. So an answer that becomes talk among the team, or a command, while it is on its way
// must not be sent any more, whichever way it goes.

// A copy shows what the message says when it is made: an answer that became talk before it was sent is not sent at all.
func TestAnAnswerEditedIntoTalkBeforeItIsSentIsNotSent(t *testing.T) {
	w, thread := met(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 20)
	post := w.tg.Post(admin, thread, "answer")
	w.settle()
	w.tg.EditPost(admin, post, "//secret")
	w.after(30 * time.Second)
	w.wantChat(7, "hello")
	w.tg.EditPost(admin, post, "answer after all")
	w.settle()
	w.wantChat(7, "hello", "answer after all")
	w.wantNothingAtRest()
}

// The same while it is at Telegram, which then refuses it for now.
func TestAnAnswerEditedIntoTalkWhileItIsOnItsWayIsNotSentAgain(t *testing.T) {
	w, thread := met(t)
	arrived, release := w.tg.Hold(emulator.Fault{Method: "copyMessage", Chat: 7})
	post := w.tg.Post(admin, thread, "answer")
	w.intake()
	done := make(chan struct{})
	go func() { defer close(done); w.drain() }()
	w.await(arrived, "the copy")
	w.tg.EditPost(admin, post, "//secret")
	w.intake()
	w.tg.Heal()
	release(false) // cut before it was carried out
	w.await(done, "the drain")
	w.after(30 * time.Second)
	w.wantChat(7, "hello")
}

// An edit that waits for its five seconds is not sent when the message has become talk, and what is sent anew is not copied from it.
func TestAnEditOvertakenByTalkIsNotSent(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "one")
	w.settle()
	w.tg.EditPost(admin, post, "two")
	w.settle()
	w.tg.EditPost(admin, post, "three")
	w.settle()
	copied := last(t, w.tg.Chat(7))
	w.tg.Delete(7, copied.ID) // so that it would have to be sent anew
	w.tg.EditPost(admin, post, "//secret")
	w.after(30 * time.Second)
	w.wantChat(7, "hello")
}

// An album that becomes talk while it is gathered is withdrawn.
func TestAnAlbumThatBecomesTalkWhileItIsGatheredIsNotSent(t *testing.T) {
	w, thread := met(t)
	items := w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"))
	w.settle()
	w.tg.EditPost(admin, items[0], "//one")
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
}
