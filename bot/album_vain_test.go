package bot_test

import (
	"slices"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Every item is refused when it is tried again: the notice tells how it ended and does not promise for ever to try.
func TestFaultAlbumTriedAgainInVainEndsInItsNotice(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	w.tg.PostAlbum(admin, thread, photos(2)...)
	w.after(20 * time.Second)
	w.tg.Unblock(7)
	for _, method := range []string{"copyMessages", "copyMessage", "sendMediaGroup", "sendPhoto"} {
		w.tg.Refuse(emulator.Fault{Method: method, Count: -1}, 400, "Bad Request: not today")
	}
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.Topic(thread), "Not delivered"))
	w.after(time.Minute)
	w.wantNothingOwed()
	if shown := w.topicTexts(thread); slices.Contains(shown, sentence("trying_again")) {
		t.Errorf("the topic shows %q", shown)
	}
}

// An item that is refused for a passing reason can be tried again, as a message can.
func TestFaultItemThatIsRefusedCanBeTriedAgain(t *testing.T) {
	w, thread := met(t)
	for _, method := range []string{"copyMessages", "copyMessage", "sendMediaGroup", "sendPhoto"} {
		w.tg.Refuse(emulator.Fault{Method: method, Count: -1}, 400, "Bad Request: not today")
	}
	w.tg.PostAlbum(admin, thread, photos(2)...)
	w.after(20 * time.Second)
	w.wantChat(7, "hello")
	w.tg.Heal()
	at := slices.IndexFunc(w.tg.Topic(thread), func(m emulator.Message) bool { return len(m.Buttons) > 0 })
	if at < 0 {
		t.Fatal("nothing can be tried again")
	}
	w.pressAgain(admin, w.tg.Group(), w.tg.Topic(thread)[at])
	w.after(20 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(2))
}

// That some of it may be there twice is said at the end, though a further try was needed to get there.
func TestFaultAlbumCutByABlockStillTellsThatSomeMayBeDoubled(t *testing.T) {
	w, thread := met(t)
	w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 1)
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Executed {
			w.tg.OnCall(nil)
			w.tg.Block(7)
		}
	})
	w.tg.PostAlbum(admin, thread, photos(3)...)
	w.after(20 * time.Second)
	w.tg.Unblock(7)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.Topic(thread), "Not delivered"))
	w.after(20 * time.Second)
	w.wantAlbumsInChat(7, "hello", "[photo 2, photo 3]", "photo 1", "photo 2", "photo 3", saysDoubled)
}

// A message that in the end can only be described was not delivered: the notice of the first failure says so.
func TestFaultMessageTriedAgainAndOnlyDescribedEndsInItsNotice(t *testing.T) {
	w, thread := met(t)
	w.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2})
	w.tg.Send(7, photo("1"))
	w.after(time.Minute)
	for _, method := range []string{"copyMessage", "sendPhoto", "forwardMessage"} {
		w.tg.Refuse(emulator.Fault{Method: method, Count: -1}, 400, "Bad Request: not today")
	}
	w.pressAgain(7, 7, w.message(w.tg.Chat(7), "Your message may not have reached the team"))
	w.after(time.Minute)
	w.wantNothingOwed()
	w.wantTopic(thread, "hello", "1", "1", "A message (photo) could not be shown here…")
	if shown := w.chatTexts(7); slices.Contains(shown, sentence("trying_again")) {
		t.Errorf("the person reads %q", shown)
	}
}

// A second vanishing of the topic, after a further try, ends in the notice of the first.
func TestFaultTopicGoneTwiceOnAFurtherTryEndsInItsNotice(t *testing.T) {
	w, _ := met(t)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 4}, 400, gone)
	w.tg.Say(7, "again")
	w.after(time.Minute)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.General(), "The topic of User 7"))
	w.after(time.Minute)
	if shown := w.general(); slices.Contains(shown, sentence("trying_again")) {
		t.Errorf("General shows %q", shown)
	}
}
