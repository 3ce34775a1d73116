package bot_test

import (
	"testing"

	"hodor/internal/emulator"
)

// The edit comes while the one before is at Telegram, of which the answer is lost: what was before must not come back.
func TestTheLastEditStandsAlsoIfTheOneBeforeIsTriedAgain(t *testing.T) {
	for name, byAdmin := range map[string]bool{"by an admin": true, "by the person": false} {
		t.Run(name, func(t *testing.T) {
			w, thread, hello, answer := spoken(t, calm)
			edit := func(text string) {
				if byAdmin {
					w.tg.EditPost(admin, answer, text)
				} else {
					w.tg.EditText(7, hello, text)
				}
				w.intake()
			}
			arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "editMessageText"})
			edit("the first edit")
			ended := w.draining()
			w.await(arrived, "the first edit")
			edit("the last edit")
			w.settle()
			release(false)
			w.await(ended, "the settle")
			w.after(minute)
			if byAdmin {
				w.wantChat(7, "hello", "the last edit")
			} else {
				w.wantTopic(thread, "the last edit", "an answer")
			}
			w.wantNothingOwed()
		})
	}
}
