package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A /del that Telegram refuses takes nothing else with it: the change and the reaction that were on their way still come.
func TestARefusedDelCancelsNothing(t *testing.T) {
	w, thread := met(t, generous)
	answer := w.tg.Post(admin, thread, "one")
	w.settle()
	w.tg.EditPost(admin, answer, "two")
	w.settle()
	w.tg.Refuse(emulator.Fault{Method: "deleteMessages", Chat: 7}, 400, "Bad Request: message can't be deleted for everyone")
	w.tg.EditPost(admin, answer, "three") // waits for its five seconds
	w.tg.ReactPost(admin, answer, "👍")
	w.tg.PostReply(admin, thread, answer, "/del")
	w.after(20 * time.Second)
	w.wantChat(7, "hello", "three")
	if got := last(t, w.tg.Chat(7)).Reactions[w.tg.BotID()]; got != "👍" {
		t.Errorf("the person sees the reaction %q", got)
	}
}

// The newer form of a message goes out while the older is taken back: it is removed when it arrives.
func TestANewerFormThatArrivesWhileItIsTakenBackIsRemoved(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Send(7, emulator.Sticker())
	w.after(6 * time.Second)
	older := last(t, w.tg.Topic(thread)).ID
	deleting, release := w.tg.Hold(emulator.Fault{Method: "deleteMessages", Chat: 7})
	w.tg.PostReply(admin, thread, older, "/del")
	w.intake()
	deleted := w.draining()
	w.await(deleting, "the deletion")
	copied, answer := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()})
	w.tg.EditContent(7, msg, emulator.Sticker())
	w.intake()
	sent := w.draining()
	w.await(copied, "the newer form")
	release(true)
	w.await(deleted, "the deletion's settle")
	answer(true)
	w.await(sent, "the newer form's settle")
	w.after(20 * time.Second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantNothingOwed()
}
