package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The delivery rules where an album meets a topic that is not there, closed or gone.

func TestFirstContactByAnAlbumMakesTopicCardAndAlbum(t *testing.T) {
	w := newWorld(t)
	w.tg.Album(7, photos(3)...)
	w.after(10 * time.Second)
	thread := w.thread("User 7")
	w.wantAlbumsInTopic(thread, albumOf(3))
	w.card(thread)
	if got, want := strings.Join(w.intoGroup(), " "), "createForumTopic sendMessage copyMessages pinChatMessage deleteMessage"; got != want {
		t.Errorf("the calls are %s, want %s", got, want)
	}
	w.wantLedgerRight(7, thread, 3)
	w.wantNothingOwed()
}

// Topic and card take a token each, and the album as many as it has items.
func TestFirstContactByAnAlbumIsPaidByTheGroupsBucket(t *testing.T) {
	w := newWorld(t, limited(100))
	w.tg.Album(7, photos(10)...)
	w.settle()
	w.clock.Advance(time.Second)
	w.settle()
	thread := w.thread("User 7")
	w.wantAlbumsInTopic(thread, albumOf(10))
	for range 20 {
		w.tg.Say(7, "x")
	}
	w.settle()
	w.wantDone("copyMessage", 8) // 20 less topic, card and ten
}

func TestAnAlbumReopensAClosedTopic(t *testing.T) {
	for _, told := range []bool{true, false} {
		w, thread := met(t)
		w.tg.CloseTopic(admin, thread)
		if told {
			w.settle()
		} else {
			w.tg.TakeUpdates() // the service message never comes: TOPIC_CLOSED is the news
		}
		w.tg.ResetCalls()
		w.tg.Album(7, photos(3)...)
		w.after(10 * time.Second)
		w.wantAlbumsInTopic(thread, "hello", albumOf(3))
		if w.tg.Topics()[0].Closed {
			t.Error("the topic is closed")
		}
		if got, want := strings.Join(w.intoGroup(), " "), "reopenForumTopic copyMessages"; got != want {
			t.Errorf("the calls are %s, want %s", got, want)
		}
		w.wantLedgerRight(7, thread, 4)
		w.wantNothingOwed()
	}
}

func TestAnAlbumIntoADeletedTopicArrivesWholeInTheNewOneOnce(t *testing.T) {
	w, first := met(t)
	w.tg.DeleteTopic(first)
	w.tg.Album(7, photos(3)...)
	w.tg.Say(7, "these are mine")
	w.after(10 * time.Second)
	second := w.thread("User 7")
	if second == first {
		t.Fatal("no new topic was made")
	}
	w.wantAlbumsInTopic(second, albumOf(3), "these are mine")
	w.card(second)
	w.wantDone("createForumTopic", 2)
	w.wantDone("copyMessages", 1)
	w.wantAlbumsInChat(7, "hello", albumOf(3), "these are mine")
	w.wantNothingOwed()
	w.wantNoContent()
	if rows := w.ledger(7); len(rows) != 5 || int(rows[1].Thread) != second {
		t.Errorf("the ledger is %+v", rows)
	}
}

// The topic goes when a part of the album stands in it already: all of it is sent into the new one.
func TestAnAlbumWhoseTopicGoesInTheMiddleArrivesWholeInTheNewOne(t *testing.T) {
	w, first := met(t)
	w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 1)
	w.tg.Album(7, photos(3)...)
	w.settle()
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Executed { // the first item, alone
			w.tg.OnCall(nil)
			w.tg.DeleteTopic(first)
		}
	})
	w.after(10 * time.Second)
	second := w.thread("User 7")
	w.wantAlbumsInTopic(second, albumOf(3))
	w.wantDone("createForumTopic", 2)
	w.wantNothingOwed()
	in := 0
	for _, r := range w.ledger(7) {
		if int(r.Thread) == second {
			in++
		}
	}
	if in != 3 {
		t.Errorf("%d items are in the ledger with the new topic, want 3", in)
	}
}

func TestAnAlbumWhoseTopicVanishesTwiceIsToldOnceAndCanBeTriedAgain(t *testing.T) {
	w, _ := met(t)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages", Chat: w.tg.Group(), Count: 2}, 400, gone)
	ids := w.tg.Album(7, photos(3)...)
	w.after(time.Minute)
	w.wantDone("createForumTopic", 2)
	w.wantGeneral("The topic of User 7 (7) vanished twice while a message was on its way into it…")
	w.wantAlbumsInChat(7, "hello", albumOf(3), "Sorry, your message could not be delivered…")
	if m := last(t, w.tg.Chat(7)); m.ReplyTo != ids[0] {
		t.Errorf("the person's notice replies to %d, want %d", m.ReplyTo, ids[0])
	}
	w.wantNothingOwed()
	if n := w.column("SELECT COUNT(*) FROM album_items WHERE content IS NOT NULL"); n != "3" {
		t.Errorf("%s items are kept for a further try, want 3", n)
	}
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.General(), "The topic of User 7"))
	w.after(10 * time.Second)
	w.wantAlbumsInTopic(w.topicOf(7), albumOf(3))
	w.wantNoContent()
	w.wantNothingOwed()
}
