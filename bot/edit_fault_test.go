package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The delivery rules for edits: one may be made twice, for that does no harm; none is lost without a word.

// After a lost answer the change is made again, and the last form stands.
func TestFaultLostAnswerToAnEditMakesItAgain(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		y.tg.LostReply(emulator.Fault{Method: "editMessageText", Chat: y.chat()})
		y.reword(id, "two")
		y.reword(id, "three")
		y.after(10 * time.Second)
		y.wantThere("three")
		if len(y.editsTried(y.chat(), y.the().ID)) < 2 {
			t.Error("the edit was not made again")
		}
		y.wantNothingAtRest()
	})
}

// The answer to the message itself is lost: the form that came meanwhile is what is sent again.
func TestFaultAnEditAfterTheLostAnswerToItsMessage(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		y.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: y.chat()})
		id := y.write(emulator.Text("one"))
		y.reword(id, "two")
		y.after(10 * time.Second)
		y.wantThere("one", "two") // twice at most, and the newer form is there
		y.reword(id, "three")
		y.wantThere("one", "three")
		y.wantNothingAtRest()
	})
}

// A 429 on edits rests edits in that chat, and messages go on.
func TestFaultFloodOnEditsRestsOnlyEdits(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		first, second := y.write(emulator.Text("a")), y.write(emulator.Text("b"))
		y.tg.Flood(emulator.Fault{Method: "editMessageText", Chat: y.chat()}, 30)
		y.reword(first, "a1")
		y.reword(second, "b1")
		y.write(emulator.Text("c"))
		y.after(5 * time.Second) // the bucket is empty after a 429
		y.wantThere("a", "b", "c")
		y.wantTried("editMessageText", 1)
		y.reword(first, "a2")
		y.after(20 * time.Second)
		y.wantThere("a", "b", "c")
		y.wantTried("editMessageText", 1)
		y.after(10 * time.Second)
		y.wantThere("a2", "b1", "c")
		y.wantNothingAtRest()
	})
}

// The program dies while an edit is at Telegram, carried out or not.
func TestFaultACrashDuringAnEdit(t *testing.T) {
	for name, carriedOut := range map[string]bool{"carried out": true, "not carried out": false} {
		t.Run(name, func(t *testing.T) {
			editedBothWays(t, func(t *testing.T, y way) {
				id := y.write(emulator.Text("one"))
				y.edits(id, emulator.Text("two"))
				y.intake()
				y.dieDuring(emulator.Fault{Method: "editMessageText", Chat: y.chat()}, carriedOut)
				y.tg.Heal()
				y.after(10 * time.Second)
				y.wantThere("two")
				y.wantNothingAtRest()
			})
		})
	}
}

// What waits for its five seconds outlives the program, and so does the moment of the last call.
func TestFaultACrashBetweenTwoEdits(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		y.reword(id, "two")
		y.reword(id, "three")
		y.restart()
		y.clock.Advance(2 * time.Second)
		y.settle()
		y.wantThere("two")
		y.after(3 * time.Second)
		y.wantThere("three")
		y.wantEdits("editMessageText", "editMessageText")
	})
}

// An edit that never arrives is reported to who made it. The next one arrives.
func TestFaultAnEditGivenUpIsTold(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		copied := y.the()
		y.tg.BadGateway(emulator.Fault{Method: "editMessageText", Chat: y.chat(), Count: -1})
		y.reword(id, "two")
		y.after(3 * time.Hour)
		y.wantTried("editMessageText", 8)
		y.tg.Heal()
		here, says := y.tg.Topic(y.thread), "About your change of this message:\nNot delivered: Telegram did not take it in 8 tries."
		if y.toTopic {
			here, says = y.tg.Chat(7), "Sorry, your message could not be delivered to the team. Please try again later."
		}
		if notice := last(t, here); notice.Text != says || notice.ReplyTo != id || len(notice.Buttons) != 0 {
			t.Fatalf("the notice is %q in reply to %d with %+v, want to %d", notice.Text, notice.ReplyTo, notice.Buttons, id)
		}
		y.wantThere("one")
		y.reword(id, "three")
		y.after(2 * minute)
		y.wantThere("three")
		if y.the().ID != copied.ID {
			t.Error("the copy is another")
		}
		y.wantNothingOwed()
	})
}
