package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/emulator"
)

// The relay rules, Albums: they stay albums both ways, whole, in their order and with their captions.

// Contents that the stories send.
var (
	photo = emulator.Photo
	video = emulator.Video
)

// photos are as many photos with the captions 1, 2, 3 …
func photos(n int) []emulator.Content {
	var list []emulator.Content
	for i := range n {
		list = append(list, photo(itoa(i+1)))
	}
	return list
}

// albumOf is how albumsIn shows photos(n).
func albumOf(n int) string {
	var items []string
	for i := range n {
		items = append(items, "photo "+itoa(i+1))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// albumsIn shows what people see of a list of messages: an album in brackets, what stands alone by its text.
func albumsIn(messages []emulator.Message) (seen []string) {
	open := ""
	for _, m := range messages {
		if m.Service != "" || m.Pinned {
			continue
		}
		item := m.Text
		if m.Kind != "text" {
			item = strings.TrimSpace(m.Kind + " " + m.Text)
		}
		switch {
		case m.GroupID != "" && m.GroupID == open:
			last := &seen[len(seen)-1]
			*last = strings.TrimSuffix(*last, "]") + ", " + item + "]"
		case m.GroupID != "":
			seen = append(seen, "["+item+"]")
		default:
			seen = append(seen, item)
		}
		open = m.GroupID
	}
	return seen
}

func (w *world) wantAlbumsInTopic(thread int, want ...string) {
	w.t.Helper()
	wantTexts(w.t, "the topic", albumsIn(w.tg.Topic(thread)), want)
}

func (w *world) wantAlbumsInChat(user int64, want ...string) {
	w.t.Helper()
	wantTexts(w.t, "the chat", albumsIn(w.tg.Chat(user)), want)
}

// wantLedgerRight checks that each message written stands in the ledger once, beside the copy of it that people see.
func (w *world) wantLedgerRight(user int64, thread, rows int) {
	w.t.Helper()
	seen := map[int]emulator.Message{}
	for _, m := range w.tg.Topic(thread) {
		seen[m.ID] = m
	}
	private := map[int]emulator.Message{}
	for _, m := range w.tg.Chat(user) {
		private[m.ID] = m
	}
	ledger := w.ledger(user)
	if len(ledger) != rows {
		w.t.Errorf("the ledger has %d rows, want %d: %+v", len(ledger), rows, ledger)
	}
	written := map[[2]int64]bool{}
	for _, r := range ledger {
		source, copied := private[int(r.InPrivate)], seen[int(r.InGroup)]
		key := [2]int64{0, int64(r.InPrivate)}
		if r.Direction == db.Out {
			source, copied = copied, source
			key = [2]int64{1, int64(r.InGroup)}
		}
		if written[key] {
			w.t.Errorf("message %d is in the ledger twice", key[1])
		}
		written[key] = true
		if copied.ID == 0 || source.ID == 0 {
			w.t.Errorf("the ledger has %d and %d, one of which does not stand there", r.InPrivate, r.InGroup)
		} else if copied.Text != source.Text || copied.File != source.File {
			w.t.Errorf("the ledger has %q beside %q", source.Text, copied.Text)
		}
	}
}

// wantNoContent checks that nothing of what people wrote is kept once it is settled.
func (w *world) wantNoContent() {
	w.t.Helper()
	if n := w.column("SELECT COUNT(*) FROM album_items WHERE content IS NOT NULL"); n != "0" {
		w.t.Errorf("%s items of albums still have their content", n)
	}
	if n := w.column("SELECT COUNT(*) FROM outbox WHERE content IS NOT NULL"); n != "0" {
		w.t.Errorf("%s calls still have their content", n)
	}
}

func TestAPersonsAlbumReachesTheTopicWhole(t *testing.T) {
	w, thread := met(t)
	w.tg.Album(7, photo("the sea"), photo(""), photo("the boat"))
	w.settle()
	w.wantAlbumsInTopic(thread, "hello") // more may come
	w.after(time.Second)
	w.wantAlbumsInTopic(thread, "hello", "[photo the sea, photo, photo the boat]")
	w.wantDone("copyMessages", 1)
	w.wantDone("copyMessage", 1) // the hello
	w.wantLedgerRight(7, thread, 4)
	w.wantNoContent()
	w.wantNothingOwed()
}

func TestAnAdminsAlbumReachesThePersonWhole(t *testing.T) {
	w, thread := met(t)
	w.tg.PostAlbum(admin, thread, photo("the sea"), photo(""), photo("the boat"))
	w.settle()
	w.wantAlbumsInChat(7, "hello")
	w.after(time.Second)
	w.wantAlbumsInChat(7, "hello", "[photo the sea, photo, photo the boat]")
	w.wantDone("copyMessages", 1)
	w.wantDone("copyMessage", 1)
	w.wantLedgerRight(7, thread, 4)
	w.wantNoContent()
	w.wantNothingOwed()
}

func TestAlbumsOfEveryKindStayAlbums(t *testing.T) {
	for _, c := range []struct {
		items []emulator.Content
		want  string
	}{
		{[]emulator.Content{photo("1"), video("2"), photo("3"), video("")}, "[photo 1, video 2, photo 3, video]"},
		{[]emulator.Content{emulator.Document("1"), emulator.Document("2")}, "[document 1, document 2]"},
		{[]emulator.Content{emulator.Audio("1"), emulator.Audio(""), emulator.Audio("3")}, "[audio 1, audio, audio 3]"},
		{photos(10), albumOf(10)},
	} {
		w, thread := met(t)
		w.tg.Album(7, c.items...)
		w.after(2 * time.Second)
		w.wantAlbumsInTopic(thread, "hello", c.want)
		w.tg.PostAlbum(admin, thread, c.items...)
		w.after(10 * time.Second)
		w.wantAlbumsInChat(7, "hello", c.want, c.want)
		w.wantLedgerRight(7, thread, 1+2*len(c.items))
		w.wantNothingOwed()
	}
}

// The formatting of a caption, and that it stands above, are carried by the copy.
func TestTheCaptionOfAnAlbumKeepsItsPlaceAndFormatting(t *testing.T) {
	w, thread := met(t)
	w.tg.Album(7, photo("see https://example.org now").CaptionAbove(), photo(""))
	w.after(2 * time.Second)
	first := w.tg.Topic(thread)[len(w.tg.Topic(thread))-2]
	if len(first.Entities) != 1 || !strings.Contains(string(first.Raw), `"show_caption_above_media":true`) {
		t.Errorf("the copy is %s", first.Raw)
	}
}

// Telegram promises no order of the ids that it returns.
func TestAnAlbumWhoseCopiesAreNamedInReverseIsInTheLedgerAsItStands(t *testing.T) {
	w, thread := met(t, func(w *world) { w.tg.CopiesAnswerReversed = true })
	w.tg.Album(7, photos(4)...)
	w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), albumOf(4))
	w.wantAlbumsInChat(7, "hello", albumOf(4), albumOf(3))
	w.wantLedgerRight(7, thread, 8)
	w.wantDone("copyMessages", 2)
}

func TestAnAlbumOfTenIsOneMessageInTheRateWindow(t *testing.T) {
	w, thread := met(t, limited(1))
	w.after(2 * minute)
	w.tg.Album(7, photos(10)...)
	w.after(2 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(10))
	w.wantAlbumsInChat(7, "hello", albumOf(10)) // and no refusal
	w.tg.Say(7, "and a word")
	w.settle()
	w.wantAlbumsInTopic(thread, "hello", albumOf(10))
	w.wantAlbumsInChat(7, "hello", albumOf(10), "and a word", saysTooFast)
}

func TestABannedPersonsAlbumIsRefusedWholeWithOneNotice(t *testing.T) {
	w, thread := met(t)
	w.ban(7, true)
	w.after(10 * time.Second)
	ids := w.tg.Album(7, photos(3)...)
	w.after(10 * time.Second)
	w.wantAlbumsInTopic(thread, "hello")
	w.wantAlbumsInChat(7, "hello", albumOf(3), saysBanned)
	if m := last(t, w.tg.Chat(7)); m.ReplyTo != ids[0] {
		t.Errorf("the notice replies to %d, want the first item %d", m.ReplyTo, ids[0])
	}
	w.wantNoContent()
}

// What was decided for the first item holds for those that come later, though they alone would pass.
func TestAnAlbumTooManyIsRefusedWholeWithOneNotice(t *testing.T) {
	w, thread := met(t, limited(1))
	w.tg.Send(7, photo("1").InAlbum("a"))
	w.settle()
	w.after(55 * time.Second)
	w.tg.Send(7, photo("2").InAlbum("a"))
	w.after(10 * time.Second) // the window of the hello is over
	w.tg.Send(7, photo("3").InAlbum("a"))
	w.after(10 * time.Second)
	w.wantAlbumsInTopic(thread, "hello")
	if n := len(slices.DeleteFunc(w.chatTexts(7), func(s string) bool { return !strings.HasPrefix(s, "That was a bit fast") })); n != 1 {
		t.Errorf("the person was told %d times", n)
	}
	w.tg.Say(7, "now it is calm")
	w.settle()
	w.wantAlbumsInTopic(thread, "hello", "now it is calm")
}

// The gates decide once: a ban between two items tears no album apart.
func TestABanAmidAnAlbumHoldsForTheNext(t *testing.T) {
	w, thread := met(t)
	w.tg.Send(7, photo("1").InAlbum("a"))
	w.settle()
	w.ban(7, true)
	w.tg.Send(7, photo("2").InAlbum("a"))
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(2))
	w.tg.Album(7, photos(2)...)
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(2))
}

func TestTwoAlbumsAtOnceStayApart(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(7, "hello")
	w.tg.Say(8, "hello")
	w.settle()
	for i := range 3 {
		w.tg.Send(7, photo("seven "+itoa(i)).InAlbum("of seven"))
		w.tg.Send(8, photo("eight "+itoa(i)).InAlbum("of eight"))
		w.tg.PostContent(admin, w.topicOf(7), photo("to seven "+itoa(i)).InAlbum("of admin"))
		w.tg.PostContent(admin2, w.topicOf(7), photo("also "+itoa(i)).InAlbum("of admin2"))
	}
	w.after(5 * time.Second)
	w.wantDone("copyMessages", 4)
	for _, want := range []string{"[photo seven 0, photo seven 1, photo seven 2]"} {
		if seen := albumsIn(w.tg.Topic(w.topicOf(7))); !slices.Contains(seen, want) {
			t.Errorf("the topic of 7 shows %q", seen)
		}
	}
	w.wantAlbumsInTopic(w.topicOf(8), "hello", "[photo eight 0, photo eight 1, photo eight 2]")
	got := albumsIn(w.tg.Chat(7))
	wantTexts(t, "the chat", got[len(got)-2:], []string{"[photo to seven 0, photo to seven 1, photo to seven 2]", "[photo also 0, photo also 1, photo also 2]"})
}

// Two people may have albums of the same number in their own chats; nothing mixes them.
func TestAlbumsOfTheSameNumberInTwoChatsStayApart(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(7, "hello")
	w.tg.Say(8, "hello")
	w.settle()
	w.tg.Send(7, photo("seven").InAlbum("same"))
	w.tg.Send(8, photo("eight").InAlbum("same"))
	w.tg.PostContent(admin, w.topicOf(7), photo("answer").InAlbum("same"))
	w.after(5 * time.Second)
	w.wantTopic(w.topicOf(7), "hello", "answer", "seven")
	w.wantTopic(w.topicOf(8), "hello", "eight")
	w.wantChat(7, "hello", "seven", "answer")
	w.wantChat(8, "hello", "eight")
}

func TestWhatFollowsAnAlbumComesAfterIt(t *testing.T) {
	w, thread := met(t)
	w.tg.Album(7, photos(2)...)
	w.tg.Say(7, "these are mine")
	w.tg.PostAlbum(admin, thread, photos(3)...)
	w.tg.Post(admin, thread, "and these are ours")
	w.settle()
	w.wantTopic(thread, "hello", "1", "2", "3", "and these are ours") // what the admin wrote stands there
	w.after(3 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), "and these are ours", albumOf(2), "these are mine")
	w.wantAlbumsInChat(7, "hello", albumOf(2), "these are mine", albumOf(3), "and these are ours")
}

func TestAnAlbumOfOneItemIsAMessage(t *testing.T) {
	w, thread := met(t)
	w.tg.Album(7, photo("alone"))
	w.tg.PostAlbum(admin, thread, video("alone, too"))
	w.after(2 * time.Second)
	if seen := last(t, w.tg.Topic(thread)); seen.Text != "alone" || seen.GroupID != "" {
		t.Errorf("the topic shows %+v", seen)
	}
	if seen := last(t, w.tg.Chat(7)); seen.Text != "alone, too" || seen.GroupID != "" {
		t.Errorf("the chat shows %+v", seen)
	}
	w.wantDone("copyMessages", 0)
	w.wantDone("copyMessage", 3)
	w.wantLedgerRight(7, thread, 3)
	w.wantNoContent()
	w.wantNothingOwed()
}

func TestAnItemThatComesTwiceIsCarriedOnce(t *testing.T) {
	w, thread := met(t)
	w.tg.Album(7, photos(3)...)
	raws := w.tg.TakeUpdates()
	w.deliver(raws[0], raws[1])
	w.deliver(raws[1])
	w.deliver(raws[2], raws[0], raws[2])
	w.after(2 * time.Second)
	w.deliver(raws...)
	w.after(2 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3))
	w.wantLedgerRight(7, thread, 4)
	w.wantNothingOwed()
}
