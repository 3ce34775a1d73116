package bot_test

import (
	"testing"

	"hodor/internal/emulator"
)

// The last change of a reaction decides, however the changes come to us.

// The change comes while the one before is at Telegram, of which the answer is lost: what was before must not come back.
func TestTheLastReactionStandsAlsoIfTheOneBeforeIsTriedAgain(t *testing.T) {
	for name, byPerson := range map[string]bool{"by the person": true, "by an admin": false} {
		t.Run(name, func(t *testing.T) {
			w, thread, hello, answer := spoken(t, calm)
			set := func(emoji string) {
				if byPerson {
					w.tg.React(7, hello, emoji)
				} else {
					w.tg.ReactPost(admin, answer, emoji)
				}
			}
			set("👍")
			w.intake()
			w.clock.Advance(reacts)
			arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "setMessageReaction"})
			ended := w.draining()
			w.await(arrived, "the first reaction")
			set("")
			w.react()
			release(false)
			w.await(ended, "the settle")
			w.after(minute)
			if byPerson {
				w.wantReaction(w.tg.Topic(thread), "hello", "")
			} else {
				w.wantReaction(w.tg.Chat(7), "an answer", "")
			}
			w.wantNothingOwed()
		})
	}
}

// Telegram hands over many updates at once, after an outage above all.
func TestChangesOfAReactionInOneBatchAreOneCallForTheLast(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	for _, emoji := range []string{"👍", "👎", "🔥"} {
		w.tg.React(7, hello, emoji)
		w.tg.ReactPost(admin, answer, emoji)
	}
	w.tg.ReactPost(admin2, answer, "🎉")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "🔥")
	w.wantReaction(w.tg.Chat(7), "an answer", "🎉")
	w.wantDone("setMessageReaction", 2)
}
