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
