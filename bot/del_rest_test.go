package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// An album goes one by one; its first item has arrived when a later one is made team talk. /del in reply to that one takes back what the
// person has, too, and never only the topic's side.
func TestDelOfAnItemThatWasHiddenTakesTheOthersBack(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages", Count: -1}, 400, "Bad Request: WEIRD")
	w.tg.Refuse(emulator.Fault{Method: "sendMediaGroup", Count: -1}, 400, "Bad Request: WEIRD")
	ids := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"))
	w.intake()
	n := 0
	w.tg.OnCall(func(c emulator.Call) {
		if c.Method == "copyMessage" && c.Params["chat_id"] == "7" {
			if n++; n == 1 {
				w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 60)
			}
		}
	})
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "1")
	w.tg.EditPost(admin, ids[2], "// not that one")
	w.after(5 * time.Second)
	w.tg.PostReply(admin, thread, ids[2], "/del")
	w.after(3 * minute)
	w.wantChat(7, "hello")
}

// The same while Telegram has an item in hand that it then refuses.
func TestDelOfAnItemThatIsRefusedMeanwhileTakesTheOthersBack(t *testing.T) {
	w, thread := met(t, generous, calm)
	w.tg.Refuse(emulator.Fault{Method: "copyMessages", Count: -1}, 400, "Bad Request: WEIRD")
	w.tg.Refuse(emulator.Fault{Method: "sendMediaGroup", Count: -1}, 400, "Bad Request: WEIRD")
	ids := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"))
	w.intake()
	for len(w.chatTexts(7)) < 2 {
		w.after(time.Second)
	}
	w.wantChat(7, "hello", "1")
	w.clock.Advance(2 * time.Second)
	w.during(emulator.Fault{Method: "copyMessage", Chat: 7}, func(f emulator.Fault) {
		w.tg.Refuse(f, 400, "Bad Request: WEIRD")
	}, func() { w.tg.PostReply(admin, thread, ids[1], "/del") })
	w.after(3 * minute)
	w.wantChat(7, "hello")
}
