package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The delivery rules, the row of copies that arrive only in part. copyMessages may leave some out without saying which, or refuse
// although some were sent: then the items go one by one, and the reader is told that some may be there twice.

var saysDoubled = sentence("album_doubled")

func TestFaultAlbumOfWhichSomeGotLostFollowsItemByItem(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 2)
		for i := range 4 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.after(20 * time.Second)
		seen := w.onOtherSide(thread, topic)
		wantTexts(t, "the other side", albumsIn(seen),
			[]string{"hello", "[photo 3, photo 4]", "photo 1", "photo 2", "photo 3", "photo 4", saysDoubled})
		w.wantLedgerRight(7, topic, 5)
		for _, r := range w.ledger(7)[1:] { // the ledger has what is known, not the unknown two
			if int(r.InGroup) == seen[len(seen)-7].ID || int(r.InPrivate) == seen[len(seen)-6].ID {
				t.Errorf("the ledger has %+v", r)
			}
		}
		w.wantNothingOwed()
		w.wantNoContent()
	})
}

// None of it arrived, and still Telegram said ok.
func TestFaultAlbumThatGotLostWholeFollowsItemByItem(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 3)
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.after(20 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", "photo 1", "photo 2", "photo 3", saysDoubled})
		w.wantLedgerRight(7, topic, 4)
	})
}

func TestFaultAlbumOfWhichOneFailedFollowsItemByItem(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400,
			`Bad Request: failed to send message #2 with the error message "message thread not found"`) // which is said of one only
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.tg.Say(7, "after it")
		w.tg.Post(admin, topic, "after it")
		w.after(20 * time.Second)
		var album []string
		for _, s := range albumsIn(w.onOtherSide(thread, topic)) {
			if s != "hello" && s != "after it" {
				album = append(album, s)
			}
		}
		wantTexts(t, "the album", album, []string{"photo 1", "photo 2", "photo 3", saysDoubled})
		w.wantDone("createForumTopic", 1)
		w.wantLedgerRight(7, topic, 6)
		w.wantNothingOwed()
	})
}

// A kind that the person takes from nobody: the others arrive, and the admin is told about that one, under it.
func TestFaultItemThatThePersonDoesNotTakeIsToldUnderIt(t *testing.T) {
	w, thread := met(t)
	w.tg.ForbidVoice(7)
	ids := w.tg.PostAlbum(admin, thread, emulator.Document("1"), emulator.Voice("2"), emulator.Document("3"))
	w.after(20 * time.Second)
	w.wantAlbumsInChat(7, "hello", "[document 1, document 3]", "document 1", "document 3", saysDoubled)
	notice := last(t, w.tg.Topic(thread))
	if notice.Text != sentence("failed_voice_forbidden") || notice.ReplyTo != ids[1] {
		t.Errorf("the admin reads %q under %d", notice.Text, notice.ReplyTo)
	}
	w.wantNothingOwed()
}

// What can't be copied into the topic is forwarded there, or described, in its place, and the person is told.
func TestFaultItemThatCannotBeCarriedIntoTheTopicIsDescribedInItsPlace(t *testing.T) {
	w, thread := met(t)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, `Bad Request: failed to send message #2 with the error message "no"`)
	first := w.tg.Album(7, photo("1"), emulator.Quiz(), photo("3"))
	w.tg.Refuse(emulator.Fault{Method: "forwardMessage"}, 400, "Bad Request: the message can't be forwarded")
	w.after(20 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", "photo 1", "A message (quiz) could not be shown here…", "photo 3", saysDoubled)
	notice := w.message(w.tg.Chat(7), "Sorry, this message (quiz)")
	if notice.ReplyTo != first[1] {
		t.Errorf("the person's notice replies to %d, want %d", notice.ReplyTo, first[1])
	}
	w.wantNothingOwed()
	w.wantLedgerRows(3)
}

// All the sources were deleted before we came to copy them: the album is sent anew from what the updates told.
func TestFaultAlbumWhoseSourcesAreGoneIsSentAnew(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		var ids []int
		ids = append(ids, w.itemOf("a", thread, "1"), w.itemOf("a", thread, ""), w.itemOf("a", thread, "3"))
		w.settle()
		w.forget(thread, ids...)
		w.after(10 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", "[photo 1, photo, photo 3]"})
		w.wantDone("sendMediaGroup", 1)
		w.wantLedgerRows(4)
		w.wantNothingOwed()
		w.wantNoContent()
	})
}

// forget deletes what itemOf wrote.
func (w *world) forget(thread int, ids ...int) {
	for _, id := range ids {
		if thread == 0 {
			w.tg.Delete(7, id)
		} else {
			w.tg.DeletePost(id)
		}
	}
}

func TestFaultAlbumOfWhichOneSourceIsGoneIsThereWithAllItsItems(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		var ids []int
		for i := range 3 {
			ids = append(ids, w.itemOf("a", thread, itoa(i+1)))
		}
		w.settle()
		w.forget(thread, ids[1])
		w.after(20 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)),
			[]string{"hello", "[photo 1, photo 3]", "photo 1", "photo 2", "photo 3", saysDoubled})
		w.wantDone("sendPhoto", 1)
		w.wantLedgerRows(4)
		w.wantNothingOwed()
	})
}

// Telegram refuses the copies of an album outright, and the album anew too: the items go alone, and nothing is doubled.
func TestFaultAlbumThatIsRefusedAsAWholeGoesItemByItem(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.Refuse(emulator.Fault{Method: "copyMessages", Count: -1}, 400, "Bad Request: messages can't be forwarded")
		w.tg.Refuse(emulator.Fault{Method: "sendMediaGroup", Count: -1}, 400, "Bad Request: wrong file identifier")
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.after(20 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", "photo 1", "photo 2", "photo 3"})
		w.wantLedgerRight(7, topic, 4)
		w.wantNothingOwed()
	})
}

func TestFaultFloodedAlbumGoesWholeAfterTheWait(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.Flood(emulator.Fault{Method: "copyMessages"}, 20)
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.after(20 * time.Second)
		w.wantTried("copyMessages", 1)
		w.restart() // the rest outlives it
		w.after(10 * time.Second)
		w.wantTried("copyMessages", 2)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(3)})
		w.wantLedgerRight(7, topic, 4)
		w.wantNothingOwed()
	})
}

func TestFaultAlbumWhoseAnswerIsLostIsSentOnceMore(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.LostReply(emulator.Fault{Method: "copyMessages"})
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.after(20 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(3), albumOf(3)})
		w.wantLedgerRight(7, topic, 4)
		w.wantNothingOwed()
		w.wantNoContent()
	})
}

func TestFaultAlbumWithoutAnAnswerTwiceMayNotHaveArrivedAndCanBeTriedAgain(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.LostReply(emulator.Fault{Method: "copyMessages", Count: 2})
		first := w.itemOf("a", thread, "1")
		w.itemOf("a", thread, "2")
		w.after(5 * time.Minute)
		w.wantTried("copyMessages", 2)
		side, presser, chat, begins := w.tg.Chat(7), int64(7), int64(7), "Your message may not have reached the team"
		if thread != 0 {
			side, presser, chat, begins = w.tg.Topic(thread), admin, w.tg.Group(), "This may not have arrived"
		}
		notice := w.message(side, begins)
		if notice.ReplyTo != first {
			t.Errorf("the notice replies to %d, want the first item %d", notice.ReplyTo, first)
		}
		w.wantNothingOwed()
		w.pressAgain(presser, chat, notice)
		w.after(10 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(2), albumOf(2), albumOf(2)})
		w.wantLedgerRight(7, topic, 3)
		w.wantNoContent()
		if thread == 0 {
			side = w.tg.Chat(7)
		} else {
			side = w.tg.Topic(thread)
		}
		w.message(side, "This message has now been delivered.")
	})
}

// An item that joins after a doubtful try would be in one try and not in the other: it follows the album.
func TestFaultItemThatComesAfterADoubtfulTryFollowsTheAlbum(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.LostReply(emulator.Fault{Method: "copyMessages"})
		w.itemOf("a", thread, "1")
		w.itemOf("a", thread, "2")
		w.settle()
		w.clock.Advance(time.Second)
		w.settle()
		w.itemOf("a", thread, "3")
		w.after(20 * time.Second)
		seen := w.onOtherSide(thread, topic)
		wantTexts(t, "the other side", albumsIn(seen), []string{"hello", albumOf(2), albumOf(2), "photo 3"})
		if m := last(t, seen); m.ReplyTo != seen[len(seen)-3].ID {
			t.Errorf("the late item replies to %d, want %d", m.ReplyTo, seen[len(seen)-3].ID)
		}
	})
}

func TestFaultDeathBeforeAnAlbumIsSentLosesNothing(t *testing.T) {
	dyingWithAnAlbum(t, false, albumOf(3))
}

// Nobody knows that it arrived, and so it arrives once more.
func TestFaultDeathBeforeTheAnswerToAnAlbumLosesNothing(t *testing.T) {
	dyingWithAnAlbum(t, true, albumOf(3), albumOf(3))
}

func dyingWithAnAlbum(t *testing.T, carriedOut bool, want ...string) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.intake()
		w.clock.Advance(time.Second)
		w.dieDuring(emulator.Fault{Method: "copyMessages"}, carriedOut)
		w.after(20 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), append([]string{"hello"}, want...))
		w.wantLedgerRight(7, topic, 4)
		w.wantNothingOwed()
		w.wantNoContent()
	}, calm)
}

// The program dies between two items that go alone: those that stand are not sent again.
func TestFaultDeathBetweenTheItemsOfAnAlbumRepeatsOneAtMost(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, `Bad Request: failed to send message #1 with the error message "x"`)
		for i := range 4 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.intake()
		w.clock.Advance(time.Second)
		died := false
		w.tg.OnCall(func(c emulator.Call) {
			if c.Method == "copyMessage" && c.Executed && !died {
				died = true
				w.tg.LostReply(emulator.Fault{Method: "copyMessage"}) // strikes the second item
			}
		})
		w.drain()
		w.restart()
		w.after(20 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)),
			[]string{"hello", "photo 1", "photo 2", "photo 2", "photo 3", "photo 4", saysDoubled})
		w.wantLedgerRight(7, topic, 5)
		w.wantNothingOwed()
	})
}

func TestFaultAlbumToAPersonWhoBlockedTheBotIsToldOnceAndCanBeTriedAgain(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	ids := w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(20 * time.Second)
	notice := w.message(w.tg.Topic(thread), "Not delivered: this person has blocked the bot.")
	if notice.ReplyTo != ids[0] {
		t.Errorf("the notice replies to %d, want the first item %d", notice.ReplyTo, ids[0])
	}
	w.wantTried("copyMessages", 1)
	w.wantTried("sendMediaGroup", 0)
	if n := w.column("SELECT COUNT(*) FROM album_items WHERE content IS NOT NULL"); n != "3" {
		t.Errorf("%s items are kept for a further try, want 3", n)
	}
	w.pressAgain(admin, w.tg.Group(), notice) // in vain
	w.after(20 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), "Not delivered: this person has blocked the bot.")
	w.restart()
	w.tg.Unblock(7)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.Topic(thread), "Not delivered"))
	w.after(20 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(3))
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), "This message has now been delivered.")
	w.wantLedgerRight(7, thread, 4)
	w.wantNoContent()
	w.wantNothingOwed()
}

// The sources may be gone when the album is tried again: what was kept is enough.
func TestFaultAlbumTriedAgainAfterItsSourcesAreGoneIsSentAnew(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	ids := w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(20 * time.Second)
	w.tg.Unblock(7)
	w.forget(thread, ids...)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.Topic(thread), "Not delivered"))
	w.after(20 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(3))
	w.wantTopic(thread, "hello", "This message has now been delivered.")
}

func TestFaultAlbumMeetingABrokenGatewayGoesWholeWhenOthersSucceed(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.BadGateway(emulator.Fault{Method: "copyMessages", Count: 2})
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.after(time.Minute)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(3)})
		w.wantTried("copyMessages", 3)
		w.wantLedgerRight(7, topic, 4)
	})
}

// The person blocks the bot between two items: the rest is told once, and brought by a further try without what stands already.
func TestFaultAlbumCutByABlockIsTriedAgainFromThere(t *testing.T) {
	w, thread := met(t)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, `Bad Request: failed to send message #1 with the error message "x"`)
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Executed {
			w.tg.OnCall(nil)
			w.tg.Block(7)
		}
	})
	ids := w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(20 * time.Second)
	notice := w.message(w.tg.Topic(thread), "Not delivered: this person has blocked the bot.")
	if notice.ReplyTo != ids[0] {
		t.Errorf("the notice replies to %d, want the first item %d", notice.ReplyTo, ids[0])
	}
	w.tg.Unblock(7)
	w.pressAgain(admin, w.tg.Group(), notice)
	w.after(20 * time.Second)
	if got := albumsIn(w.tg.Chat(7)); len(got) < 4 || got[1] != "photo 1" || got[2] != "photo 2" || got[3] != "photo 3" {
		t.Errorf("the person reads %q", got)
	}
	w.message(w.tg.Topic(thread), "This message has now been delivered.")
	w.wantLedgerRight(7, thread, 4)
	w.wantNothingOwed()
	w.wantNoContent()
}
