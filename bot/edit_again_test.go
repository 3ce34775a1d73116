package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A further try of a change that was reported as not delivered.

// The change of a message that was reported as not delivered takes its place: a further try of the old form would bring it twice.
func TestAnEditOfWhatWasReportedLostTakesThePlaceOfAFurtherTry(t *testing.T) {
	w, thread := met(t)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: -1})
	mine := w.tg.Say(7, "one")
	w.after(3 * time.Hour)
	w.tg.Heal()
	notice := w.message(w.tg.Chat(7), "Sorry, your message could not be delivered")
	w.tg.EditText(7, mine, "two")
	w.settle()
	w.wantTopic(thread, "hello", "two")
	if got := w.pressAgain(7, 7, notice); got != "This button is no longer in use." {
		t.Errorf("the press is answered with %q", got)
	}
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "two")
}
