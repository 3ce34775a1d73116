package bot_test

import (
	"testing"

	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

// A /del whose last try was under way when the program died is answered: the admin must not believe that the person lost the message.
func TestDelThatDiedWithItsLastTryIsAnswered(t *testing.T) {
	w, thread := met(t, generous, func(w *world) { w.tuned(func(o *outbox.Options) { o.MaxAttempts = 1 }) })
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.PostReply(admin, thread, msg, "/del")
	w.intake()
	w.dieDuring(emulator.Fault{Method: "deleteMessages"}, false)
	w.after(2 * minute)
	w.wantChat(7, "hello", "oops")
	w.wantTopic(thread, "hello", "oops", "/del", "…")
}

// The notice of a failure that was about to be said does not offer to send what was taken back.
func TestDelBeforeTheNoticeIsSaid(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 403, "Forbidden: bot was blocked by the user")
	w.tg.Flood(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()}, 60)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.Heal()
	w.tg.PostReply(admin, thread, msg, "/del")
	w.settle()
	w.after(3 * minute)
	w.wantTopic(thread, "hello")
}

// What is edited after it was refused arrives; the notice that it did not is not left standing.
func TestNoticeAfterTheNewerFormArrived(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7, Count: 1}, 403, "Forbidden: bot was blocked by the user")
	msg := w.tg.Post(admin, thread, "one")
	w.settle()
	w.tg.Heal()
	w.tg.EditPost(admin, msg, "two")
	w.settle()
	w.after(minute)
	w.wantChat(7, "hello", "two")
	w.wantTopic(thread, "hello", "two")
}
