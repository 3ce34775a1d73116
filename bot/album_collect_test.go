package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The relay rules, Albums: nothing says which item is the last. They are collected until none came for a second, for eight seconds at
// most, and what has come is on disk; an item that comes later follows as a reply to the album.

// itemOf sends one item of the person's album, or of the admin's if it goes into a topic.
func (w *world) itemOf(album string, thread int, caption string) int {
	if thread == 0 {
		return w.tg.Send(7, photo(caption).InAlbum(album))
	}
	return w.tg.PostContent(admin, thread, photo(caption).InAlbum(album))
}

// onOtherSide is where what itemOf sends has to arrive.
func (w *world) onOtherSide(thread, topic int) []emulator.Message {
	if thread == 0 {
		return w.tg.Topic(topic)
	}
	return w.tg.Chat(7)
}

// bothWays tells a story in both directions: thread is where the items are written, 0 for the private chat.
func eachWay(t *testing.T, story func(t *testing.T, w *world, thread, topic int), change ...func(*world)) {
	t.Helper()
	t.Run("to the topic", func(t *testing.T) { w, topic := met(t, change...); story(t, w, 0, topic) })
	t.Run("to the person", func(t *testing.T) { w, topic := met(t, change...); story(t, w, topic, topic) })
}

func TestAnAlbumWaitsUntilNothingCameForASecond(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		for i := range 4 {
			w.itemOf("a", thread, itoa(i+1))
			w.settle()
			w.clock.Advance(900 * time.Millisecond)
			w.settle()
			wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello"})
		}
		w.clock.Advance(100 * time.Millisecond)
		w.settle()
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(4)})
		w.wantNothingOwed()
	})
}

func TestAnAlbumWaitsEightSecondsAtMostThoughItemsKeepComing(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		for i := range 10 { // one every 850 ms: the tenth comes after 7.65 s
			w.itemOf("a", thread, itoa(i+1))
			w.settle()
			w.clock.Advance(850 * time.Millisecond)
			if i < 9 {
				wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello"})
			}
		}
		w.settle() // 8.5 s after the first
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(10)})
		w.itemOf("a", thread, "11")
		w.after(2 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(10), "photo 11"})
		w.wantLedgerRows(12)
	})
}

// Exactly at eight seconds it goes, though an item came a moment ago.
func TestAnAlbumGoesEightSecondsAfterItsFirstItem(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		for range 8 {
			w.itemOf("a", thread, "x")
			w.settle()
			w.clock.Advance(950 * time.Millisecond)
		}
		w.itemOf("a", thread, "x") // after 7.6 s
		w.settle()
		w.clock.Advance(399 * time.Millisecond)
		w.settle()
		if n := len(w.onOtherSide(thread, topic)); w.tried("copyMessages") != 0 {
			t.Fatalf("it went before its time; %d messages stand there", n)
		}
		w.clock.Advance(time.Millisecond)
		w.settle()
		w.wantDone("copyMessages", 1)
		w.wantLedgerRows(10)
	})
}

func (w *world) wantLedgerRows(want int) {
	w.t.Helper()
	if got := len(w.ledger(7)); got != want {
		w.t.Errorf("the ledger has %d rows, want %d", got, want)
	}
}

func TestAnAlbumIsCollectedAcrossARestart(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.itemOf("a", thread, "1")
		w.itemOf("a", thread, "2")
		w.settle()
		w.clock.Advance(500 * time.Millisecond)
		w.restart()
		w.itemOf("a", thread, "3")
		w.settle()
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello"})
		w.clock.Advance(500 * time.Millisecond)
		w.settle() // a second after the second item, half after the third
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello"})
		w.restart()
		w.after(time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(3)})
		w.wantLedgerRight(7, topic, 4)
		w.wantNoContent()
		w.wantNothingOwed()
	})
}

// However long the program was away, what it had collected goes out, and whole.
func TestAnAlbumThatWasCollectedBeforeAnOutageGoesOutAfterIt(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		for i := range 3 {
			w.itemOf("a", thread, itoa(i+1))
		}
		w.settle()
		w.clock.Advance(3 * time.Hour)
		w.restart()
		w.settle()
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(3)})
	})
}

func TestALateItemFollowsAsAReplyToTheAlbum(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.itemOf("a", thread, "1")
		w.itemOf("a", thread, "2")
		w.after(2 * time.Second)
		before := w.onOtherSide(thread, topic)
		head := before[len(before)-2]
		w.itemOf("a", thread, "late")
		w.settle() // at once: nothing is collected any more
		after := w.onOtherSide(thread, topic)
		wantTexts(t, "the other side", albumsIn(after), []string{"hello", albumOf(2), "photo late"})
		if m := last(t, after); m.ReplyTo != head.ID || head.Text != "1" {
			t.Errorf("the late item replies to %d, want %d, the first of the album", m.ReplyTo, head.ID)
		}
		w.wantLedgerRight(7, topic, 4)
		w.wantNothingOwed()
	})
}

func TestALateItemAfterARestartFollowsAsAReplyToTheAlbum(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.itemOf("a", thread, "1")
		w.itemOf("a", thread, "2")
		w.after(2 * time.Second)
		before := w.onOtherSide(thread, topic)
		w.restart()
		w.after(time.Hour)
		w.itemOf("a", thread, "late")
		w.itemOf("a", thread, "later still")
		w.after(2 * time.Second)
		after := w.onOtherSide(thread, topic)
		wantTexts(t, "the other side", albumsIn(after), []string{"hello", albumOf(2), "photo late", "photo later still"})
		for _, m := range after[len(after)-2:] {
			if m.ReplyTo != before[len(before)-2].ID {
				t.Errorf("%q replies to %d", m.Text, m.ReplyTo)
			}
		}
		w.wantNoContent()
	})
}

// A late item of an album is no message of its own in the rate window: the gates have decided for it.
func TestALateItemIsNoMessageInTheRateWindow(t *testing.T) {
	w, thread := met(t, limited(1))
	w.after(2 * minute)
	w.itemOf("a", 0, "1")
	w.itemOf("a", 0, "2")
	w.after(2 * time.Second)
	w.itemOf("a", 0, "late")
	w.after(2 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(2), "photo late")
	w.wantChat(7, "hello", "1", "2", "late")
}

// An item that comes while the album is at Telegram is late; it must not be lost between the two.
func TestAnItemThatComesWhileTheAlbumIsAtTelegramIsLate(t *testing.T) {
	w, b, run := newRunning(t)
	thread := w.talk(7)
	w.itemOf("a", 0, "1")
	w.itemOf("a", 0, "2")
	w.settle()
	arrived, release := w.tg.Hold(emulator.Fault{Method: "copyMessages"})
	w.clock.Advance(2 * time.Second)
	stop := run()
	w.await(arrived, "the album")
	w.itemOf("a", 0, "3")
	w.intake()
	release(true)
	w.until(b, "all is settled", func() bool { return len(w.owed()) == 0 })
	stop()
	w.wantAlbumsInTopic(thread, "hello", albumOf(2), "photo 3")
	if m := last(t, w.tg.Topic(thread)); m.ReplyTo == 0 {
		t.Error("the late item is no reply")
	}
	w.wantLedgerRight(7, thread, 4)
}

// While an album waits for a reason of its own, items join it still.
func TestAnItemJoinsAnAlbumThatHasToWait(t *testing.T) {
	eachWay(t, func(t *testing.T, w *world, thread, topic int) {
		w.tg.Flood(emulator.Fault{Method: "copyMessages"}, 30)
		w.itemOf("a", thread, "1")
		w.itemOf("a", thread, "2")
		w.after(10 * time.Second)
		w.itemOf("a", thread, "3")
		w.after(25 * time.Second)
		wantTexts(t, "the other side", albumsIn(w.onOtherSide(thread, topic)), []string{"hello", albumOf(3)})
		w.wantTried("copyMessages", 2)
		w.wantLedgerRight(7, topic, 4)
	})
}
