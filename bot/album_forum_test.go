package bot_test

import (
	"slices"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, "Forum switched off": an album that Telegram poured into the common chat is taken back, every item of it, and
// delivered again.

func TestFaultAlbumOnItsWayWhileTopicsAreOffWaitsAndArrivesWhole(t *testing.T) {
	w, thread := met(t)
	w.after(20 * time.Second) // what we knew of the group is no proof any more
	w.tg.Send(7, photo("1").InAlbum("a"))
	w.settle()
	w.tg.SetForum(false)
	w.tg.Send(7, photo("2").InAlbum("a"))
	w.after(20 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.tg.Send(7, photo("3").InAlbum("a"))
	w.after(20 * time.Second)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3))
	w.wantCommonChat(saysForumOff)
	w.wantLedgerRight(7, thread, 4)
	w.wantNothingOwed()
	w.wantNoContent()
}

func TestFaultAlbumCopiedSinceTheLastProofIsTakenBackWhole(t *testing.T) {
	w, thread := met(t)
	w.after(3 * time.Second)
	w.tg.SetForum(false) // nobody is told
	w.tg.Album(7, photos(4)...)
	w.tg.Say(7, "these are mine")
	w.after(2 * time.Second)
	w.wantCommonChat("1", "2", "3", "4", "these are mine")
	w.after(10 * time.Second)
	w.tg.Say(7, "are you there?")
	w.after(5 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.restart()
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantAlbumsInTopic(thread, "hello", albumOf(4), "these are mine", "are you there?")
	w.wantCommonChat(saysForumOff)
	w.wantLedgerRight(7, thread, 7)
	w.wantNothingOwed()
	w.wantNoContent()
}

// The album is at Telegram when topics are found off.
func TestFaultAlbumUnderWayWhenTheForumIsFoundOffIsTakenBackWhole(t *testing.T) {
	w, b, run := newRunning(t)
	thread := w.talk(7)
	w.talk(8)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessages", Chat: w.tg.Group()})
	w.tg.Album(7, photos(3)...)
	w.intake()
	w.clock.Advance(time.Second)
	stop := run()
	w.await(arrived, "the album")
	w.tg.Post(outsider, 0, "no topics any more?")
	w.intake()
	w.until(b, "it is found out", func() bool { return slices.Contains(w.general(), sentence("forum_off")) })
	release(true)
	w.until(b, "the album is settled", func() bool { return len(w.sending()) == 0 })
	stop()
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3))
	w.wantCommonChat("no topics any more?", saysForumOff)
	w.wantLedgerRight(7, thread, 4)
}

// A group of media, sent anew, tells in its answer where it landed: every item of it is taken back.
func TestFaultAlbumSentAnewIntoTheCommonChatIsTakenBackWhole(t *testing.T) {
	w, thread := met(t)
	w.after(3 * time.Second)
	ids := w.tg.Album(7, photos(3)...)
	w.settle()
	w.forget(0, ids...)
	w.tg.SetForum(false)
	w.after(20 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3))
	w.wantCommonChat(saysForumOff)
	w.wantLedgerRows(4)
	w.wantNothingOwed()
}
