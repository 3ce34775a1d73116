package outbox

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"hodor/internal/desk"
)

var (
	noon     = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	usual    = Limits{GroupPerMinute: 20, PrivatePerSecond: 1, GlobalPerSecond: 30}
	theGroup = desk.ChatID(-100)
)

// paying spends tokens as long as there are any, and returns how many.
func paying(p *pace, chat desk.ChatID, now time.Time) (n int) {
	for ; n < 1000 && !p.tokenAt(chat, now).After(now); n++ {
		p.spend(chat, now)
	}
	return n
}

func TestPaceBucketsAreAsLargeAsTheyAreSaidToBe(t *testing.T) {
	for name, c := range map[string]struct {
		chat  desk.ChatID
		burst int
		every time.Duration
	}{
		"the group": {theGroup, 20, 3 * time.Second},
		"a person":  {7, 5, time.Second},
	} {
		p := newPace(usual)
		if n := paying(p, c.chat, noon); n != c.burst {
			t.Errorf("%s: %d at once, want %d", name, n, c.burst)
		}
		at := p.tokenAt(c.chat, noon)
		if wait := at.Sub(noon); wait < c.every || wait > c.every+10*time.Millisecond {
			t.Errorf("%s: the next after %s, want %s", name, wait, c.every)
		}
		if n := paying(p, c.chat, at); n != 1 {
			t.Errorf("%s: at that moment %d, want 1", name, n)
		}
		if n := paying(p, c.chat, at.Add(time.Hour)); n != c.burst {
			t.Errorf("%s: after an hour %d, want %d", name, n, c.burst)
		}
	}
}

func TestPaceAllChatsTogetherHaveALimit(t *testing.T) {
	p := newPace(usual)
	n := 0
	for chat := desk.ChatID(1); chat <= 100; chat++ {
		n += paying(p, chat, noon)
	}
	if n != 30 {
		t.Errorf("%d at once, want 30", n)
	}
	if at := p.tokenAt(101, noon); !at.After(noon) {
		t.Error("a chat of its own has a token although all together have none")
	}
}

func TestPaceOneChatTakesNothingFromAnother(t *testing.T) {
	p := newPace(usual)
	paying(p, theGroup, noon)
	if n := paying(p, 7, noon); n != 5 {
		t.Errorf("with the group's bucket empty a person has %d tokens, want 5", n)
	}
	if n := paying(p, 8, noon); n != 5 {
		t.Errorf("with another's bucket empty a person has %d tokens, want 5", n)
	}
}

// A call is chosen some time before it spends its token: until then nobody else may count on that.
func TestPaceTokensOfTheChosenAreNotGivenTwice(t *testing.T) {
	p := newPace(usual)
	for n := range 5 {
		if p.tokenAt(7, noon).After(noon) {
			t.Errorf("with %d chosen there is none left of 5", n)
		}
		p.choose(7)
	}
	if at := p.tokenAt(7, noon); at.Sub(noon) < time.Second {
		t.Errorf("a sixth is there after %s", at.Sub(noon))
	}
	if p.decided(7); p.tokenAt(7, noon).After(noon) {
		t.Error("who does not go leaves no token")
	}
	for range 4 {
		p.decided(7)
	}
	if len(p.chosen) != 0 {
		t.Errorf("%d chats are kept in mind for nothing", len(p.chosen))
	}
}

// A wake-up at the moment that tokenAt names always finds a token, or the outbox would turn in circles.
func TestPaceTokenIsThereWhenItIsSaidToBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPace(Limits{GroupPerMinute: rapid.IntRange(1, 60).Draw(t, "group"), PrivatePerSecond: rapid.Float64Range(0.1, 5).Draw(t, "private"),
			GlobalPerSecond: rapid.Float64Range(1, 40).Draw(t, "global")})
		now := noon
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			chat := rapid.SampledFrom([]desk.ChatID{theGroup, 7, 8}).Draw(t, "chat")
			at := p.tokenAt(chat, now)
			if at.Before(now) {
				t.Fatalf("a token at %s, before now", at)
			}
			now = at
			if again := p.tokenAt(chat, now); again.After(now) {
				t.Fatalf("at the moment named there is none before another %s", again.Sub(now))
			}
			p.spend(chat, now)
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "pause")) * time.Millisecond)
		}
	})
}

// Whatever is asked for, no minute sees more than the bucket and what runs into it.
func TestPaceNoWindowSeesMoreThanItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPace(usual)
		var sent []time.Time
		now := noon
		for range 200 {
			now = later(now, p.tokenAt(theGroup, now))
			p.spend(theGroup, now)
			sent = append(sent, now)
			now = now.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "pause")) * time.Millisecond)
		}
		for i := range sent {
			for j := i; j < len(sent); j++ {
				window := sent[j].Sub(sent[i])
				if n, most := j-i+1, 20+int(window.Seconds()/3)+1; n > most {
					t.Fatalf("%d sends within %s, want at most %d", n, window, most)
				}
			}
		}
	})
}

func TestPaceFloodRestsTheFamilyThenTheChatThenEverything(t *testing.T) {
	p := newPace(usual)
	if r := p.flooded(theGroup, sends, noon, time.Minute); r != (rest{theGroup, sends}) {
		t.Fatalf("the first rests %+v", r)
	}
	resting := func(chat desk.ChatID, f family, now time.Time) time.Duration {
		if until := p.resting(chat, f, now); until.After(now) {
			return until.Sub(now)
		}
		return 0
	}
	for _, f := range []family{edits, creations, deletions, reactions, every} {
		if resting(theGroup, f, noon) != 0 {
			t.Errorf("after a 429 of sends %q rests too", f)
		}
	}
	if resting(theGroup, sends, noon) != time.Minute || resting(7, sends, noon) != 0 {
		t.Errorf("sends into the group rest %s, to a person %s", resting(theGroup, sends, noon), resting(7, sends, noon))
	}
	now := noon.Add(10 * time.Second)
	if r := p.flooded(theGroup, edits, now, time.Minute); r != (rest{theGroup, every}) {
		t.Fatalf("the second family rests %+v", r)
	}
	if resting(theGroup, deletions, now) != time.Minute || resting(7, edits, now) != 0 {
		t.Error("the chat does not rest, or others do")
	}
	now = now.Add(4 * time.Second)
	if r := p.flooded(7, sends, now, 20*time.Second); r != (rest{}) {
		t.Fatalf("the second chat within 5 s rests %+v", r)
	}
	if resting(8, reactions, now) != 20*time.Second {
		t.Error("not everything rests")
	}
	if resting(theGroup, sends, now) != 56*time.Second {
		t.Errorf("the group rests %s more, want its own deadline", resting(theGroup, sends, now))
	}
	now = now.Add(time.Hour)
	p.tidy(now)
	if len(p.rests) != 0 || resting(theGroup, sends, now) != 0 {
		t.Errorf("after an hour these rests are kept: %v", p.rests)
	}
}

func TestPaceFloodsFarApartRestTheirChatsOnly(t *testing.T) {
	p := newPace(usual)
	p.flooded(7, sends, noon, time.Minute)
	if r := p.flooded(8, sends, noon.Add(floodsTogether+time.Millisecond), time.Minute); r != (rest{8, sends}) {
		t.Errorf("a 429 of another chat after more than 5 s rests %+v", r)
	}
	if r := p.flooded(8, sends, noon.Add(6*time.Second), time.Minute); r != (rest{8, sends}) {
		t.Errorf("the same chat and family again rests %+v", r)
	}
}

func TestPaceSecondFamilyAfterTheFirstHasRestedIsAFirstAgain(t *testing.T) {
	p := newPace(usual)
	p.flooded(7, sends, noon, time.Second)
	if r := p.flooded(7, edits, noon.Add(10*time.Second), time.Second); r != (rest{7, edits}) {
		t.Errorf("it rests %+v", r)
	}
}

func TestPaceShorterFloodDoesNotShortenALonger(t *testing.T) {
	p := newPace(usual)
	p.flooded(7, sends, noon, time.Hour)
	p.flooded(7, sends, noon, time.Second)
	if until := p.resting(7, sends, noon); until.Sub(noon) != time.Hour {
		t.Errorf("it rests for %s", until.Sub(noon))
	}
}

// A press is in no chat: its 429 is no second chat's, and a chat's is none to it.
func TestPaceFloodOfAPressTouchesNoChat(t *testing.T) {
	p := newPace(usual)
	p.flooded(7, sends, noon, time.Minute)
	p.flooded(0, free, noon, time.Minute)
	if until := p.resting(8, sends, noon); until.After(noon) {
		t.Errorf("another chat rests until %s", until)
	}
}

func TestPaceFloodEmptiesTheBucket(t *testing.T) {
	for _, chat := range []desk.ChatID{theGroup, 7} {
		p := newPace(usual)
		p.flooded(chat, sends, noon, time.Second)
		if n := paying(p, chat, noon); n != 0 {
			t.Errorf("chat %d still has %d tokens", chat, n)
		}
		if n := paying(p, 8, noon); n != 5 {
			t.Errorf("another chat has %d tokens, want 5", n)
		}
	}
}

func TestPaceForgetsFullBucketsOnly(t *testing.T) {
	p := newPace(usual)
	paying(p, 7, noon)
	p.spend(8, noon)
	p.tidy(noon.Add(2 * time.Second))
	if _, kept := p.people[7]; !kept {
		t.Error("a bucket that is not full is forgotten")
	}
	if _, kept := p.people[8]; kept {
		t.Error("a full bucket is kept")
	}
}
