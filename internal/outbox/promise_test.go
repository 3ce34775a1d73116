package outbox

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"hodor/internal/desk"
)

// With the tokens there an album goes at once, and what it costs is spent: as many as it has items.
func TestPromiseOfAnAlbumTakesATokenForEachItem(t *testing.T) {
	p := newPace(usual)
	if at := p.promise(1, theGroup, noon, 7); !at.Equal(noon) {
		t.Errorf("with a full bucket it goes after %s", at.Sub(noon))
	}
	if n := paying(p, theGroup, noon); n != 13 {
		t.Errorf("%d tokens are left of 20, want 13", n)
	}
	if n := paying(p, 7, noon); n != 5 {
		t.Errorf("another chat has %d tokens, want 5", n)
	}
}

// The promise is what makes it fair: whoever comes later cannot take the tokens that the album waits for.
func TestPromiseIsNotTakenByOthers(t *testing.T) {
	p := newPace(usual)
	paying(p, theGroup, noon)
	at := p.promise(1, theGroup, noon, 10)
	if wait := at.Sub(noon); wait < 29*time.Second || wait > 31*time.Second {
		t.Fatalf("with an empty bucket ten items wait %s, want 30 s", wait)
	}
	for now := noon; now.Before(at); now = now.Add(time.Second) {
		if n := paying(p, theGroup, now); n != 0 {
			t.Fatalf("%s after the promise others have %d tokens", now.Sub(noon), n)
		}
	}
	if again := p.promise(1, theGroup, at, 10); !again.Equal(at) {
		t.Errorf("at its moment it waits another %s", again.Sub(at))
	}
	if n := paying(p, theGroup, at.Add(6*time.Second)); n < 1 || n > 2 {
		t.Errorf("six seconds later others have %d tokens, want what ran in since", n)
	}
}

// Looked at again and again, it costs once.
func TestPromiseIsMadeOnce(t *testing.T) {
	p := newPace(usual)
	at := p.promise(1, theGroup, noon, 10)
	for n := range 50 {
		if again := p.promise(1, theGroup, noon.Add(time.Duration(n)*time.Millisecond), 10); !again.Equal(at) {
			t.Fatalf("at look %d it may go at %s, before at %s", n, again, at)
		}
	}
	if n := paying(p, theGroup, noon); n != 10 {
		t.Errorf("%d tokens are left of 20, want 10", n)
	}
}

// A person's bucket holds five, an album up to ten: it costs a full bucket and does not wait for ever.
func TestPromiseIsAtMostAFullBucket(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		chat   desk.ChatID
		items  int
		again  time.Duration // until a second such album may go
	}{
		"a person":                   {usual, 7, 10, 5 * time.Second},
		"a group with a small limit": {Limits{GroupPerMinute: 6, PrivatePerSecond: 1, GlobalPerSecond: 30}, theGroup, 10, time.Minute},
		"a group with one a minute":  {Limits{GroupPerMinute: 1, PrivatePerSecond: 1, GlobalPerSecond: 30}, theGroup, 10, time.Minute},
		"all together have few":      {Limits{GroupPerMinute: 20, PrivatePerSecond: 1, GlobalPerSecond: 2}, 7, 10, 5 * time.Second},
	} {
		p := newPace(c.limits)
		if at := p.promise(1, c.chat, noon, c.items); !at.Equal(noon) {
			t.Errorf("%s: with a full bucket it waits %s", name, at.Sub(noon))
		}
		if n := paying(p, c.chat, noon); n != 0 {
			t.Errorf("%s: %d tokens are left of a full bucket", name, n)
		}
		if wait := p.promise(2, c.chat, noon, c.items).Sub(noon); wait < c.again-time.Second || wait > c.again+time.Second {
			t.Errorf("%s: the second waits %s, want %s", name, wait, c.again)
		}
	}
}

// What nobody came for is forgotten, so that memory does not grow, and never before its moment.
func TestPromiseNobodyComesForIsForgotten(t *testing.T) {
	p := newPace(Limits{GroupPerMinute: 1, PrivatePerSecond: 1, GlobalPerSecond: 30})
	paying(p, theGroup, noon)
	at := p.promise(1, theGroup, noon, 10)
	for now := noon; !now.After(at.Add(forgetPromise)); now = now.Add(2 * tidyEvery) {
		p.tidy(now)
		if p.albums[1].items == 0 {
			t.Fatalf("it is forgotten %s before its time", at.Add(forgetPromise).Sub(now))
		}
	}
	p.tidy(at.Add(forgetPromise + 2*tidyEvery))
	if p.albums[1].items != 0 {
		t.Error("it is kept for ever")
	}
}

// Whatever albums and messages ask for, no window sees more than the bucket and what runs into it.
func TestPromiseNoWindowSeesMoreThanItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type send struct {
			at time.Time
			n  int
		}
		p := newPace(usual)
		var sent []send
		now := noon
		for call := range rapid.IntRange(2, 30).Draw(t, "calls") {
			if items := rapid.IntRange(1, 10).Draw(t, "items"); items > 1 {
				now = later(now, p.tokenAt(theGroup, now)) // its lane waits for one token before it is planned
				now = later(now, p.promise(desk.CallID(call+1), theGroup, now, items))
				sent = append(sent, send{now, items})
			} else {
				now = later(now, p.tokenAt(theGroup, now))
				p.spend(theGroup, now)
				sent = append(sent, send{now, 1})
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "pause")) * time.Millisecond)
		}
		for i := range sent {
			n := 0
			for j := i; j < len(sent); j++ {
				n += sent[j].n
				window := sent[j].at.Sub(sent[i].at)
				if most := 20 + int(window.Seconds()/3) + 1; n > most {
					t.Fatalf("%d sends within %s, want at most %d", n, window, most)
				}
			}
		}
	})
}
