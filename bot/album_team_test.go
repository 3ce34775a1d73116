package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Who may answer with an album, and what its captions can mean: the gates of the group decide for all of it, and say so once.

// A caption that is team talk or a command keeps the whole album in the topic, whichever item wears it.
func TestAnAlbumWithACommandOrTeamTalkIsNotPassedOn(t *testing.T) {
	for _, c := range []struct {
		caption string
		says    []string
	}{
		{"// for us only", nil},
		{"/help", []string{saysHelp}},
		{"/del", []string{sentence("del_how")}},
		{"/nonsense", []string{saysUnknown}},
		{"/help@another_bot", nil},
	} {
		for at := range 3 {
			w, thread := met(t)
			w.tg.Say(7, "a word")
			w.settle()
			items := []emulator.Content{photo(""), photo(""), photo("")}
			items[at] = photo(c.caption)
			w.tg.PostAlbum(admin, thread, items...)
			w.after(10 * time.Second)
			t.Logf("%q on item %d", c.caption, at)
			w.wantChat(7, "hello", "a word")
			w.wantDone("copyMessages", 0)
			shown := w.topicTexts(thread)
			wantTexts(t, "the topic after the album", shown[5:], c.says)
			w.wantNothingOwed()
			w.wantNoContent()
			w.tg.Post(admin, thread, "for you")
			w.settle()
			w.wantChat(7, "hello", "a word", "for you")
		}
	}
}

// An item that comes long after the caption is not passed on, either.
func TestALateItemOfTeamTalkStaysAmongTheTeam(t *testing.T) {
	w, thread := met(t)
	w.itemOf("a", thread, "// for us only")
	w.after(time.Minute)
	w.restart()
	w.itemOf("a", thread, "late")
	w.after(time.Minute)
	w.wantChat(7, "hello")
	w.wantNothingOwed()
}

// The caption comes when the album has been sent: what comes after it stays in the topic.
func TestTeamTalkOnALateItemStopsWhatComesAfterIt(t *testing.T) {
	w, thread := met(t)
	w.itemOf("a", thread, "1")
	w.itemOf("a", thread, "2")
	w.after(2 * time.Second)
	w.itemOf("a", thread, "// oh no")
	w.itemOf("a", thread, "4")
	w.after(5 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(2))
}

// /del as the caption of an album is a command like any other: it takes back what the album replies to.
func TestDelAsTheCaptionOfAnAlbumTakesBackWhatItRepliesTo(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "a slip")
	w.settle()
	w.wantChat(7, "hello", "a slip")
	w.tg.PostAlbumReply(admin, thread, post, photo("/del"), photo(""))
	w.after(5 * time.Second)
	w.wantChat(7, "hello")
	w.wantDone("copyMessages", 0)
}

// A person's caption is never a command.
func TestAPersonsCaptionIsNoCommand(t *testing.T) {
	for _, caption := range []string{"/start", "// just a line", "/help"} {
		w, thread := met(t)
		w.tg.Album(7, photo(caption), photo(""))
		w.after(5 * time.Second)
		w.wantAlbumsInTopic(thread, "hello", "[photo "+caption+", photo]")
	}
}

func TestAnAlbumInAClosedTopicIsAnsweredOnce(t *testing.T) {
	w, thread := met(t, likeTelegram)
	w.tg.CloseTopic(admin, thread)
	w.settle()
	ids := w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(5 * time.Second)
	w.wantChat(7, "hello")
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), saysClosed)
	if m := last(t, w.tg.Topic(thread)); m.ReplyTo != ids[0] {
		t.Errorf("the answer replies to %d, want %d", m.ReplyTo, ids[0])
	}
	w.tg.ReopenTopic(admin, thread)
	w.tg.PostAlbum(admin, thread, photos(2)...)
	w.after(5 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(2))
}

// Closed between two items: what was decided for the first holds.
func TestATopicClosedAmidAnAlbumHoldsForTheNext(t *testing.T) {
	w, thread := met(t, likeTelegram)
	w.itemOf("a", thread, "1")
	w.tg.CloseTopic(admin, thread)
	w.itemOf("a", thread, "2")
	w.after(5 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(2))
}

func TestAnAlbumInATopicWithoutPersonIsAnsweredOnce(t *testing.T) {
	w, _ := met(t)
	plans := w.tg.OpenTopic(admin, "Plans")
	w.tg.PostAlbum(admin, plans, photos(3)...)
	w.after(5 * time.Second)
	w.tg.PostAlbum(admin, plans, photos(2)...)
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(plans, albumOf(3), saysNoPerson, albumOf(2))
	w.wantDone("copyMessages", 0)
	w.wantChat(7, "hello")
}

func TestAnOutsidersAlbumStaysInTheTopicWithoutAWord(t *testing.T) {
	w, thread := met(t)
	w.tg.PostAlbum(outsider, thread, photos(3)...)
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3))
	w.wantChat(7, "hello")
	w.tg.PostAlbum(outsider, thread, photo(""), photo("/help"))
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), "[photo, photo /help]", saysAdmins)
	w.wantChat(7, "hello")
	w.wantNoContent()
}

func TestAnAnonymousAdministratorsAlbumIsAnsweredOnceOrPassedOn(t *testing.T) {
	w, thread := met(t)
	for i := range 3 {
		w.tg.PostAnonymousReplyWith(thread, 0, photo(itoa(i+1)).InAlbum("a"))
	}
	w.after(5 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), saysAnonymous)
	w.wantChat(7, "hello")

	w, thread = met(t, withGroupAdmins)
	for i := range 3 {
		w.tg.PostAnonymousReplyWith(thread, 0, photo(itoa(i+1)).InAlbum("a"))
	}
	w.after(5 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(3))
	w.wantAlbumsInTopic(thread, "hello", albumOf(3))
}

func TestAnAlbumInGeneralGoesNowhere(t *testing.T) {
	w, thread := met(t)
	w.tg.PostAlbum(admin, 0, photos(3)...)
	w.after(5 * time.Second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantGeneral("1", "2", "3")
	w.wantNothingOwed()
}

// The reminder that a banned person cannot answer is for the album, not for each item.
func TestAnAlbumToABannedPersonArrivesWithOneReminder(t *testing.T) {
	w, thread := met(t)
	w.ban(7, true)
	w.after(10 * time.Second)
	w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(5 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(3))
	w.wantAlbumsInTopic(thread, "hello", albumOf(3), "User 7 is banned…")
}
