package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// What of an album stands in the common chat while the rest of it is still on its way is taken back, too.
func TestFaultItemsCopiedSinceTheLastProofAreTakenBackThoughTheirAlbumIsNotSettled(t *testing.T) {
	w, thread := met(t)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, `Bad Request: failed to send message #1 with the error message "x"`)
	w.tg.Album(7, photos(3)...)
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Executed {
			w.tg.OnCall(nil)
			w.tg.Flood(emulator.Fault{Method: "copyMessage"}, 30) // strikes the second item
		}
	})
	w.after(5 * time.Second)
	w.wantCommonChat("1")
	w.after(30 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(3 * time.Minute)
	w.wantAlbumsInTopic(thread, "hello", "photo 1", "photo 2", "photo 3", saysDoubled)
	w.wantCommonChat(saysForumOff)
	w.wantLedgerRight(7, thread, 4)
	w.wantNothingOwed()
}

// An album of which one item could not be carried is settled as refused; the others stand where they must not.
func TestFaultIncompleteAlbumInTheCommonChatIsTakenBack(t *testing.T) {
	w, _ := met(t)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages"}, 400, `Bad Request: failed to send message #2 with the error message "x"`)
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Executed {
			w.tg.OnCall(nil) // the second item is refused in every way, the last being a line
			for _, method := range []string{"copyMessage", "sendPhoto", "forwardMessage", "sendMessage"} {
				w.tg.Refuse(emulator.Fault{Method: method, Chat: w.tg.Group()}, 400, "Bad Request: no")
			}
		}
	})
	w.tg.Album(7, photo("1"), photo("2"))
	w.after(15 * time.Second)
	w.tg.Say(7, "are you there?")
	w.after(10 * time.Second)
	w.wantCommonChat(saysForumOff)
}

// Copies that Telegram named, but too few of them, stand in the common chat, too.
func TestFaultPartOfAnAlbumInTheCommonChatIsTakenBack(t *testing.T) {
	w, thread := met(t)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 1)
	w.tg.Album(7, photos(3)...)
	w.after(20 * time.Second)
	w.tg.Say(7, "are you there?")
	w.after(10 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(3 * time.Minute)
	w.wantCommonChat(saysForumOff)
	w.wantAlbumsInTopic(thread, "hello", "[photo 1, photo 2, photo 3]", "are you there?", saysDoubled)
}
