package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The items of an album are edited one by one, like any other message.

// album sends an album of photos with these captions into this side, and nothing more.
func (y way) album(captions ...string) []int {
	y.t.Helper()
	var items []emulator.Content
	for _, c := range captions {
		items = append(items, emulator.Photo(c))
	}
	if y.toTopic {
		return y.tg.Album(7, items...)
	}
	return y.tg.PostAlbum(admin, y.thread, items...)
}

// wantOneAlbum tells that all that the other side has is one album.
func (y way) wantOneAlbum(captions ...string) {
	y.t.Helper()
	y.wantThere(captions...)
	for _, m := range y.there() {
		if m.GroupID == "" || m.GroupID != y.there()[0].GroupID {
			y.t.Errorf("%q stands in album %q, the first in %q", m.Text, m.GroupID, y.there()[0].GroupID)
		}
	}
}

func TestAnItemsCaptionAndMediumAreChangedInTheAlbum(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		items := y.album("one", "", "three")
		y.settle()
		y.after(2 * time.Second)
		y.wantOneAlbum("one", "", "three")
		y.reword(items[0], "first")
		y.reword(items[1], "second")
		y.wantOneAlbum("first", "second", "three")
		y.edit(items[2], emulator.Video("third"))
		y.wantOneAlbum("first", "second", "third")
		for i, m := range y.there() {
			wantLike(t, y.source(items[i]), m)
		}
		y.wantEditsOf(y.there()[0].ID, "editMessageCaption")
		y.wantEditsOf(y.there()[1].ID, "editMessageCaption")
		y.wantEditsOf(y.there()[2].ID, "editMessageMedia")
		y.wantNothingAtRest()
	})
}

// While the album is still gathered, the newest form is what is sent.
func TestAnItemChangedWhileTheAlbumIsGatheredIsSentInItsNewestForm(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		items := y.album("one", "two")
		y.settle()
		y.wantThere() // still gathered
		y.reword(items[0], "first")
		y.edit(items[1], emulator.Video("second"))
		y.after(2 * time.Second)
		y.wantOneAlbum("first", "second")
		for i, m := range y.there() {
			wantLike(t, y.source(items[i]), m)
			y.wantEditsOf(m.ID)
			y.touch(items[i]) // the ledger knows what is shown
			y.wantEditsOf(m.ID)
		}
		y.wantNothingAtRest()
	})
}

// Sent anew from the updates, the newest form is sent as well.
func TestAnItemChangedWhileTheAlbumIsGatheredIsSentByTheFallback(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		y.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, "Bad Request: messages can't be forwarded")
		items := y.album("one", "two")
		y.settle()
		y.reword(items[1], "second")
		y.after(2 * time.Second)
		y.wantThere("one", "second")
		y.wantEditsOf(y.there()[1].ID)
	})
}

// What cannot be changed within an album is sent anew, as a reply to the item.
func TestAnItemThatCannotBeChangedIsSentAnew(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		items := y.album("one", "two")
		y.after(2 * time.Second)
		y.edit(items[1], emulator.Document("a file"))
		y.wantThere("one", "two", "a file")
		wantMarked(t, last(t, y.there()), "a file", y.there()[1].ID)
	})
}

// An album of which nothing was relayed: an item that is changed comes alone.
func TestAnItemOfARefusedAlbumComesAloneWhenItIsChanged(t *testing.T) {
	w, thread := met(t, limited(1))
	items := w.tg.Album(7, emulator.Photo("one"), emulator.Photo("two"))
	w.settle()
	w.after(2 * minute)
	w.wantTopic(thread, "hello")
	w.tg.EditText(7, items[1], "second")
	w.settle()
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "second")
	wantMarked(t, last(t, w.tg.Topic(thread)), "second", 0)
}
