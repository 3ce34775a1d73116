package bot_test

import (
	"strings"
	"testing"
	"time"
)

// What falls due together is paid together: an album leaves at once only if the bucket holds its tokens beside those of the others.
func TestAnAlbumAndMessagesAtOnceDoNotOverdrawTheGroupsBucket(t *testing.T) {
	w := newWorld(t, limited(100))
	for user := range int64(16) {
		w.tg.Say(10+user, "hello")
	}
	w.after(10 * minute)
	w.tg.ResetCalls()
	at := w.clock.Now()
	w.tg.Album(10, photos(10)...)
	w.intake()
	w.clock.Advance(time.Second)
	for user := range int64(15) {
		w.tg.Say(11+user, "x")
	}
	w.settle()
	if n := w.sentIntoGroup(at); n > 20 {
		t.Errorf("%d messages were sent into the group at once, the bucket holds 20", n)
	}
	w.after(30 * time.Second)
	w.wantDone("copyMessages", 1)
	w.wantDone("copyMessage", 15)
}

// Items that join while the album waits for its tokens are paid, too.
func TestItemsThatJoinAWaitingAlbumArePaid(t *testing.T) {
	w, _ := met(t, limited(1000))
	w.tg.Say(8, "hello")
	w.after(3 * minute)
	for range 20 {
		w.tg.Say(8, "x")
	}
	w.settle()
	w.tg.ResetCalls()
	at := w.clock.Now()
	w.itemOf("a", 0, "1")
	w.itemOf("a", 0, "2")
	w.after(4 * time.Second)
	for i := range 8 {
		w.itemOf("a", 0, itoa(i+3))
	}
	w.settle()
	for range 40 {
		w.tg.Say(8, "x")
	}
	for range 40 {
		w.after(time.Second)
		since := int(w.clock.Now().Sub(at) / time.Second)
		if n := w.sentIntoGroup(at); n > since/3+1 {
			t.Fatalf("%d messages were sent within %d s of an empty bucket, which gains one in 3 s", n, since)
		}
	}
	w.wantDone("copyMessages", 1)
}

// The limit on all sends holds for albums, too.
func TestAlbumsToManyPeopleKeepTheLimitOnAllSends(t *testing.T) {
	w := newWorld(t, limited(100))
	for user := range int64(8) {
		w.tg.Say(10+user, "hello")
	}
	w.after(10 * minute)
	w.tg.ResetCalls()
	for user := range int64(8) {
		w.tg.PostAlbum(admin, w.topicOf(10+user), photos(10)...)
	}
	w.settle()
	w.clock.Advance(time.Second)
	w.settle()
	n := 0
	for _, c := range w.callsOf("copyMessages") {
		n += strings.Count(c.Params["message_ids"], ",") + 1
	}
	if n > 30 {
		t.Errorf("%d messages were sent at once, the limit on all is 30", n)
	}
	w.after(10 * time.Second)
	w.wantDone("copyMessages", 8)
}
