package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A change is at Telegram when the next one comes, and its answer is lost: it is made again after the later one, which must not be
// undone by that. Edits collapse into the last.
func TestLastEditStandsWhenAnEarlierOneIsMadeAgain(t *testing.T) {
	w := newWorld(t)
	calm(w)
	w.tg.Say(7, "hello")
	first := w.tg.Say(7, "one")
	w.settle()
	thread := w.thread("User 7")
	arrived, release := w.tg.Hold(emulator.Fault{Method: "editMessageText"})
	w.tg.EditText(7, first, "two")
	w.intake()
	ended := w.draining()
	w.await(arrived, "the first edit")
	w.tg.EditText(7, first, "three")
	w.intake()
	release(false)
	w.await(ended, "the end of the first try")
	w.after(30 * time.Second)
	w.wantTopic(thread, "hello", "three")
	w.wantNothingOwed()
}

// The same of reactions: the last change decides.
func TestLastReactionStandsWhenAnEarlierOneIsMadeAgain(t *testing.T) {
	w := newWorld(t)
	calm(w)
	thread := w.talk(7)
	post := w.tg.Post(admin, thread, "answer")
	w.settle()
	arrived, release := w.tg.Hold(emulator.Fault{Method: "setMessageReaction"})
	w.tg.ReactPost(admin, post, "👍")
	w.intake()
	w.clock.Advance(2 * time.Second)
	ended := w.draining()
	w.await(arrived, "the first reaction")
	w.tg.ReactPost(admin, post, "🔥")
	w.intake()
	release(false)
	w.await(ended, "the end of the first try")
	w.after(30 * time.Second)
	var got []string
	for _, m := range w.tg.Chat(7) {
		for _, emoji := range m.Reactions {
			got = append(got, emoji)
		}
	}
	if strings.Join(got, " ") != "🔥" {
		t.Errorf("the person sees %q, want the last", got)
	}
	w.wantNothingOwed()
}
