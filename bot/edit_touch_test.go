package bot_test

import (
	"testing"
)

// Telegram also tells of an edit when nothing was edited: a reaction, a loaded preview. That is no further try for what was not relayed.

// What Telegram only says was edited is not relayed for it: a reaction to a refused message is no further try.
func TestARefusedMessageIsNotRelayedBecauseSomethingUnseenChanged(t *testing.T) {
	w, thread := met(t, limited(1))
	refused := w.tg.Say(7, "one too many")
	w.settle()
	w.after(2 * minute)
	w.tg.Touch(7, refused)
	w.settle()
	w.wantTopic(thread, "hello")

	w.tg.CloseTopic(admin, thread)
	post := w.tg.Post(admin, thread, "into the closed topic")
	w.settle()
	w.tg.ReopenTopic(admin, thread)
	w.tg.TouchPost(post)
	w.settle()
	w.wantChat(7, "hello", "one too many", saysTooFast)
}

// An edit that moves the window back would open it: an old message touched in a full minute does not.
func TestATouchOfAnOldMessageDoesNotOpenTheRateWindow(t *testing.T) {
	w, thread := met(t, limited(1))
	refused := w.tg.Say(7, "one too many")
	w.settle()
	w.after(5 * minute)
	w.tg.Say(7, "the one of this minute")
	w.tg.Touch(7, refused)
	w.tg.Say(7, "one too many again")
	w.settle()
	w.wantTopic(thread, "hello", "the one of this minute")
}
