package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/outbox"
)

// The delivery rules, Budget: an album costs as many as it has items, at most one full bucket.

func groupPerMinute(n int) func(*world) {
	return func(w *world) { w.tuned(func(o *outbox.Options) { o.Limits.GroupPerMinute = n }) }
}

// sentIntoGroup is how many messages were sent into the group since a moment.
func (w *world) sentIntoGroup(since time.Time) (n int) {
	for _, c := range w.tg.Calls() {
		if !c.Executed || c.At.Before(since) || c.Params["chat_id"] != itoa(int(w.tg.Group())) {
			continue
		}
		switch {
		case c.Method == "copyMessages":
			n += strings.Count(c.Params["message_ids"], ",") + 1
		case costs[c.Method]:
			n++
		}
	}
	return n
}

func TestAnAlbumOfTenCostsTenTokens(t *testing.T) {
	w, thread := met(t, limited(100))
	w.after(2 * minute)
	w.tg.ResetCalls()
	w.tg.Album(7, photos(10)...)
	w.settle()
	w.after(time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(10))
	for range 20 {
		w.tg.Say(7, "x")
	}
	w.settle()
	w.wantDone("copyMessage", 10)
	w.after(31 * time.Second)
	w.wantDone("copyMessage", 20)
}

func TestAnAlbumWaitsForAllItsTokens(t *testing.T) {
	w, thread := met(t, limited(100))
	w.after(2 * minute)
	for range 15 {
		w.tg.Say(7, "x")
	}
	w.tg.Album(7, photos(10)...)
	w.after(time.Second)
	w.wantDone("copyMessages", 0)
	w.after(12 * time.Second)
	w.wantDone("copyMessages", 0)
	w.after(4 * time.Second) // five more tokens take fifteen seconds
	w.wantDone("copyMessages", 1)
	if got := albumsIn(w.tg.Topic(thread)); got[len(got)-1] != albumOf(10) {
		t.Errorf("the topic shows %q", got)
	}
}

// More items than the bucket holds would wait for ever.
func TestAnAlbumCostsOneFullBucketAtMost(t *testing.T) {
	w, thread := met(t, limited(100), groupPerMinute(5))
	w.after(3 * minute)
	w.tg.Album(7, photos(10)...)
	w.after(2 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(10))
	w.tg.Say(7, "and more")
	w.after(9 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(10))
	w.after(4 * time.Second)
	w.wantAlbumsInTopic(thread, "hello", albumOf(10), "and more")
}

// Others write as fast as the bucket fills: the album has its turn all the same.
func TestAnAlbumIsNotStarvedBySingleMessages(t *testing.T) {
	for _, perMinute := range []int{20, 5} {
		w, thread := met(t, limited(1000), groupPerMinute(perMinute))
		w.tg.Say(8, "hello")
		w.after(3 * minute)
		for range perMinute {
			w.tg.Say(8, "x")
		}
		w.settle()
		w.tg.Album(7, photos(10)...)
		for range 80 { // never at the very moment of a new token
			w.tg.Say(8, "x")
			w.clock.Advance(930 * time.Millisecond)
			w.settle()
		}
		if got := albumsIn(w.tg.Topic(thread)); got[len(got)-1] != albumOf(10) {
			t.Errorf("with %d a minute: after 75 s the topic shows %q", perMinute, got)
		}
		w.wantDone("copyMessages", 1)
	}
}

// Answers never wait behind the group's budget, albums neither.
func TestAnAdminsAlbumDoesNotWaitForTheGroup(t *testing.T) {
	w, thread := met(t, limited(100))
	for range 40 {
		w.tg.Say(7, "x")
	}
	w.tg.PostAlbum(admin, thread, photos(3)...)
	w.settle()
	w.after(time.Second)
	if got := albumsIn(w.tg.Chat(7)); got[len(got)-1] != albumOf(3) {
		t.Errorf("the person reads %q", got)
	}
}

// One person gets five at once, then one a second: an album of ten empties that bucket and waits for it once.
func TestAnAlbumOfTenToAPersonCostsTheirBucket(t *testing.T) {
	w, thread := met(t)
	w.after(time.Minute)
	w.tg.PostAlbum(admin, thread, photos(10)...)
	w.tg.Post(admin, thread, "one more")
	w.settle()
	w.after(time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(10))
	w.after(2 * time.Second)
	w.wantAlbumsInChat(7, "hello", albumOf(10), "one more")
}
