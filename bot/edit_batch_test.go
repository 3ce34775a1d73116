package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Telegram may hand over many updates at once, after an outage above all: what comes in one batch is treated as if it had come one by
// one.

// A message and its change in one batch are one message in its newest form.
func TestAnEditInOneBatchWithItsMessageIsOneMessage(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.writes(emulator.Text("one"))
		y.edits(id, emulator.Text("two"))
		y.settle()
		y.wantThere("two")
		y.wantEdits()
		if len(y.the().Buttons) != 0 {
			t.Error("it is marked as an edit, though nobody has seen another form")
		}
		y.wantNothingAtRest()
	})
}

func TestAnEditInOneBatchWithTheFirstContactIsOneMessage(t *testing.T) {
	w := newWorld(t)
	id := w.tg.Say(7, "one")
	w.tg.EditText(7, id, "two")
	w.settle()
	w.wantTopic(w.topicOf(7), "two")
}

// Several changes in one batch become one call: the last.
func TestEditsInOneBatchBecomeOne(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		for _, form := range []string{"two", "three", "four"} {
			y.edits(id, emulator.Text(form))
		}
		y.settle()
		y.wantThere("four")
		y.wantEdits("editMessageText")
	})
}

// The gate of the rate counts each of what came in one batch once.
func TestARefusedMessageAndItsEditsInOneBatchCountOnce(t *testing.T) {
	w, thread := met(t, limited(2))
	w.tg.Say(7, "second")
	refused := w.tg.Say(7, "one too many")
	w.settle()
	w.after(minute)
	w.tg.EditText(7, refused, "better")
	w.tg.EditText(7, refused, "best")
	w.settle()
	w.tg.Say(7, "next")
	w.settle()
	w.wantTopic(thread, "hello", "second", "best", "next")
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "second", "best", "next")
}
