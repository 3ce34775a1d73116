package bot_test

import (
	"testing"
	"time"
)

// Changes that meet a person who cannot be written to, and those that meet a message which was taken back.

const saysChangeBlocked = "About your change of this message:\nNot delivered: this person has blocked the bot."

// The admin is told under the message that the change did not arrive. Nothing is offered: a further change is the further try, and the
// old one must not undo it.
func TestAnEditToWhoBlockedTheBotIsTold(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "answer")
	w.settle()
	w.tg.Block(7)
	w.settle()
	w.tg.EditPost(admin, post, "better answer")
	w.settle()
	w.wantChat(7, "hello", "answer")
	w.wantTopic(thread, "hello", "better answer", saysChangeBlocked)
	notice := w.message(w.tg.Topic(thread), "About your change")
	if notice.ReplyTo != post || len(notice.Buttons) != 0 {
		t.Errorf("the notice replies to %d with %+v, want to %d", notice.ReplyTo, notice.Buttons, post)
	}
	if u, _ := w.user(7); u.Unreachable != "blocked" {
		t.Errorf("the person is remembered as %q", u.Unreachable)
	}
	w.tg.Unblock(7)
	w.tg.EditPost(admin, post, "best answer")
	w.settle()
	w.wantChat(7, "hello", "best answer")
	w.after(10 * time.Second)
	w.wantNothingOwed()
}

// An edit of an answer that never arrived is a new try, and is told of like one.
func TestAnEditOfAnAnswerThatDidNotArriveIsANewTry(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	post := w.tg.Post(admin, thread, "one")
	w.settle()
	w.message(w.tg.Topic(thread), "Not delivered")
	w.tg.Unblock(7)
	w.tg.EditPost(admin, post, "two")
	w.settle()
	w.wantChat(7, "hello", "two")
	wantMarked(t, last(t, w.tg.Chat(7)), "two", 0)
}
