package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// What Telegram tells of as an edit though nobody made one brings nothing to the other side that was kept from it.

// An album whose caption begins with // stays among the team, also when another of its items changes or seems to.
func TestAnItemOfTeamTalkStaysAmongTheTeamWhenItChanges(t *testing.T) {
	w, thread := met(t)
	ids := w.tg.PostAlbum(admin, thread, emulator.Photo("// only for us"), emulator.Photo(""))
	w.settle()
	w.after(5 * time.Second)
	w.wantChat(7, "hello")
	w.tg.TouchPost(ids[1])
	w.settle()
	w.after(6 * time.Second)
	w.wantChat(7, "hello")
	w.tg.EditPost(admin, ids[1], "look at his passport")
	w.settle()
	w.after(6 * time.Second)
	w.wantChat(7, "hello")
}

// A preview that Telegram loads under an answer which did not arrive is no new try of it.
func TestAPreviewUnderWhatDidNotArriveIsNoNewTry(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	answer := w.tg.Post(admin, thread, "see https://example.org")
	w.settle()
	w.wantTopic(thread, "hello", "see https://example.org", "Not delivered: this person has blocked the bot.")
	w.tg.TouchPost(answer)
	w.settle()
	w.after(6 * time.Second)
	w.wantTopic(thread, "hello", "see https://example.org", "Not delivered: this person has blocked the bot.")
}

// Nor is it told twice of a person's message that it could not be shown.
func TestWhatCouldNotBeShownIsToldOnce(t *testing.T) {
	w, thread := met(t)
	sent := w.tg.Send(7, emulator.PaidMedia().Protected())
	w.settle()
	w.tg.Touch(7, sent)
	w.settle()
	w.after(6 * time.Second)
	w.wantTopic(thread, "hello", "A message (paid media) could not be shown here…")
	w.wantChat(7, "hello", "", "Sorry, this message (paid media)…")
}
