package bot_test

import (
	"testing"

	"hodor/internal/emulator"
)

// Where Telegram takes an album in no way at all, the tries come to an end and its writer is told.
func TestAnAlbumThatRepliesAndIsTakenInNoWayIsGivenUp(t *testing.T) {
	w, thread := met(t, generous)
	for _, method := range []string{"sendMediaGroup", "copyMessages", "copyMessage", "sendPhoto"} {
		w.tg.Refuse(emulator.Fault{Method: method, Chat: 7, Count: -1}, 400, "Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN")
	}
	w.tg.PostAlbumReply(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, emulator.Photo("one"), emulator.Photo("two"))
	w.intake()
	w.after(minute)
	if n := w.tried("sendMediaGroup") + w.tried("copyMessages"); n > 4 {
		t.Errorf("the album was tried %d times as a whole", n)
	}
	w.wantNothingOwed()
	w.wantTopic(thread, "hello", "one", "two", "Not delivered…", "Not delivered…")
}
