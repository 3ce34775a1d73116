package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Ways by which a message that became talk among the team could still be copied to its person as it reads now.

func TestAnAnswerAndItsChangeIntoTalkInOneBatchAreNotSent(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "answer")
	w.tg.EditPost(admin, post, "//secret")
	w.settle()
	w.wantChat(7, "hello")
}

// A refused answer that became talk is not sent by a further try either: a copy would show the talk.
func TestARefusedAnswerEditedIntoTalkIsNotSentByAFurtherTry(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	post := w.tg.Post(admin, thread, "answer")
	w.settle()
	notice := w.message(w.tg.Topic(thread), "Not delivered")
	w.tg.EditPost(admin, post, "//secret")
	w.tg.Unblock(7)
	w.settle()
	w.pressAgain(admin, w.tg.Group(), notice)
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
}

// A change of a copy that is gone would be sent anew; not when the message has become talk while the change was at Telegram.
func TestAnEditOnItsWayOvertakenByTalkIsNotSentAnew(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "one")
	w.settle()
	w.tg.Delete(7, last(t, w.tg.Chat(7)).ID)
	arrived, release := w.tg.Hold(emulator.Fault{Method: "editMessageText", Chat: 7})
	w.tg.EditPost(admin, post, "two")
	w.intake()
	done := make(chan struct{})
	go func() { defer close(done); w.drain() }()
	w.await(arrived, "the edit")
	w.tg.EditPost(admin, post, "//secret")
	w.intake()
	release(true)
	w.await(done, "the drain")
	w.after(30 * time.Second)
	w.wantChat(7, "hello")
}

// An answer that became talk while it was at Telegram, and is refused there, is not offered to be tried again.
func TestAnAnswerOnItsWayThatBecameTalkAndIsRefusedIsNotTriedAgain(t *testing.T) {
	w, thread := met(t)
	arrived, release := w.tg.Hold(emulator.Fault{Method: "copyMessage", Chat: 7})
	post := w.tg.Post(admin, thread, "answer")
	w.intake()
	done := make(chan struct{})
	go func() { defer close(done); w.drain() }()
	w.await(arrived, "the copy")
	w.tg.EditPost(admin, post, "//secret")
	w.tg.Block(7)
	w.intake()
	release(true)
	w.await(done, "the drain")
	w.settle()
	w.tg.Unblock(7)
	w.settle()
	for _, m := range w.tg.Topic(thread) {
		if len(m.Buttons) == 1 && m.Buttons[0][0].Text == "Try again" {
			w.pressAgain(admin, w.tg.Group(), m)
		}
	}
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
}
