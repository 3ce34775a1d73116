package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Nobody ever sees what belongs to another: private chats number their messages alike, and an edit still goes to its own person's copy only.
func TestAnEditNeverReachesAnotherPersonsChat(t *testing.T) {
	w := newWorld(t)
	threads := map[int64]int{}
	mine := map[int64]int{}
	for _, user := range []int64{7, 8} {
		mine[user] = w.tg.Say(user, "mine")
		w.settle()
		threads[user] = w.topicOf(user)
	}
	if mine[7] != mine[8] {
		t.Fatalf("the story needs equal numbers, not %d and %d", mine[7], mine[8])
	}
	w.tg.EditText(8, mine[8], "changed by 8")
	w.settle()
	w.wantTopic(threads[7], "mine")
	w.wantTopic(threads[8], "changed by 8")

	// Also while neither is sent.
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2}, 10)
	for _, user := range []int64{7, 8} {
		mine[user] = w.tg.Say(user, "second")
	}
	w.settle()
	if n := len(w.owed()); n != 2 || mine[7] != mine[8] {
		t.Fatalf("the story needs two calls about messages of one number, not %d about %d and %d", n, mine[7], mine[8])
	}
	w.tg.EditText(7, mine[7], "second, changed by 7")
	w.intake()
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Count: 2}, 400, "Bad Request: the message can't be copied") // sent from what we keep
	w.after(20 * time.Second)
	w.wantTopic(threads[7], "mine", "second, changed by 7")
	w.wantTopic(threads[8], "changed by 8", "second")

	// An answer to one of them changes for that one, though the other has a message of that number, too.
	post := w.tg.Post(admin, threads[7], "answer")
	w.settle()
	w.tg.Post(admin, threads[8], "another answer")
	w.settle()
	w.tg.EditPost(admin, post, "better answer")
	w.settle()
	w.wantChat(7, "mine", "second, changed by 7", "better answer")
	w.wantChat(8, "changed by 8", "second", "another answer")
}
