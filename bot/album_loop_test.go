package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Gone twice is the end, whatever part of the album stood in either topic: never a loop.
func TestAnAlbumWhoseTopicsKeepVanishingInTheMiddleIsNoLoop(t *testing.T) {
	w, _ := met(t, generous)
	w.tg.PartialCopy(emulator.Fault{Method: "copyMessages", Count: -1}, 1)
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Executed {
			w.tg.DeleteTopic(w.lastThread())
		}
	})
	w.tg.Album(7, photos(3)...)
	w.after(time.Minute)
	w.wantDone("createForumTopic", 2)
	w.wantGeneral("The topic of User 7 (7) vanished twice while a message was on its way into it…")
	w.wantNothingOwed()

	// What stood in a topic that is gone does not count as delivered when the album is tried again.
	w.tg.Heal()
	w.tg.OnCall(nil)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.General(), "The topic of User 7"))
	w.after(10 * time.Second)
	w.wantAlbumsInTopic(w.topicOf(7), albumOf(3))
}

// lastThread is the newest topic.
func (w *world) lastThread() int {
	topics := w.tg.Topics()
	return topics[len(topics)-1].Thread
}
