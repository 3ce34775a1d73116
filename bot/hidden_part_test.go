package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A part of an album is with the person when the rest is made team talk: the admin is told that this takes nothing back.
func TestTeamTalkThatComesAfterAPartOfTheAlbumIsTold(t *testing.T) {
	w, thread := met(t, generous)
	for _, method := range []string{"copyMessages", "sendMediaGroup"} {
		w.tg.Refuse(emulator.Fault{Method: method, Count: -1}, 400, "Bad Request: WEIRD")
	}
	ids := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"))
	w.intake()
	for len(w.chatTexts(7)) < 2 {
		w.after(time.Second)
	}
	w.intake()
	w.tg.EditPost(admin, ids[2], "// not that one")
	w.after(minute)
	w.wantTopic(thread, "hello", "1", "2", "// not that one", "This change is not passed on…")
}
