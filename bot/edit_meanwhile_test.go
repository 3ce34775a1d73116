package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Changes that meet something else on its way: another change, an album of which a part stands, a message that is taken back.

// Two changes of a copy that is gone, the second while the first is at Telegram, are one new message.
func TestAnEditDuringAnEditThatIsRefusedIsOneNewMessage(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		if y.toTopic {
			y.tg.DeletePost(y.the().ID)
		} else {
			y.tg.Delete(7, y.the().ID)
		}
		arrived, release := y.tg.Hold(emulator.Fault{Method: "editMessageText", Chat: y.chat()})
		y.edits(id, emulator.Text("two"))
		y.intake()
		done := make(chan struct{})
		go func() { defer close(done); y.drain() }()
		y.await(arrived, "the edit")
		y.edits(id, emulator.Text("three"))
		y.intake()
		release(true)
		y.await(done, "the drain")
		y.after(20 * time.Second)
		y.wantThere("three")
		y.wantNothingAtRest()
	})
}

// An album that goes piece by piece: what stands already is changed there, what does not is sent in its newest form.
func TestAnItemChangedWhileTheAlbumGoesPieceByPiece(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		y.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 3) // nothing of it arrives
		items := y.album("one", "two", "three")
		y.settle()
		arrived, release := y.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: y.chat()})
		y.clock.Advance(time.Second)
		done := make(chan struct{})
		go func() { defer close(done); y.drain() }()
		y.await(arrived, "the first item")
		y.tg.Heal()
		y.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: y.chat()}, 20)
		release(true)
		y.await(done, "the drain")
		y.wantThere("one")
		y.reword(items[0], "first")
		y.reword(items[2], "third")
		y.after(40 * time.Second)
		y.wantThere("first", "two", "third", sentence("album_doubled"))
	})
}

// A message taken back stays away, though a change of it waited for its five seconds.
func TestAnEditThatWaitedDoesNotBringBackWhatWasTakenBack(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		y.reword(id, "two")
		y.reword(id, "three") // waits
		inGroup := id
		if y.toTopic {
			inGroup = y.the().ID
		}
		y.tg.PostReply(admin, y.thread, inGroup, "/del")
		y.settle()
		y.wantThere()
		y.after(30 * time.Second)
		y.wantThere()
		y.wantNothingAtRest()
	})
}

// The same for a change that rests after a 429.
func TestAnEditThatRestsDoesNotBringBackWhatWasTakenBack(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		arrived, release := y.tg.Hold(emulator.Fault{Method: "editMessageText", Chat: y.chat()})
		y.tg.Flood(emulator.Fault{Method: "editMessageText", Chat: y.chat()}, 20)
		y.edits(id, emulator.Text("two"))
		y.intake()
		done := make(chan struct{})
		go func() { defer close(done); y.drain() }()
		y.await(arrived, "the edit")
		inGroup := id
		if y.toTopic {
			inGroup = y.the().ID
		}
		y.tg.PostReply(admin, y.thread, inGroup, "/del")
		y.intake()
		release(true)
		y.await(done, "the drain")
		y.after(time.Minute)
		y.wantThere()
		y.wantNothingAtRest()
	})
}
