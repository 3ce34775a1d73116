package outbox

import (
	"time"

	"golang.org/x/time/rate"

	"hodor/internal/desk"
)

// A family is a group of methods that Telegram limits together.
type family string

const (
	sends     family = "sends"
	edits     family = "edits"
	creations family = "topic creation"
	deletions family = "deletions"
	reactions family = "reactions"
	free      family = "free" // limited by nothing that we know: answers to presses, pins
	every     family = ""     // of a rest: all of them
)

// Limits are how fast we send, below what Telegram refuses.
type Limits struct {
	GroupPerMinute   int
	PrivatePerSecond float64
	GlobalPerSecond  float64
}

const privateBurst = 5

// A second 429 in another chat within this time means that Telegram is fed up with the bot, not with a chat.
const floodsTogether = 5 * time.Second

// pace knows how many tokens each chat has and which chats rest. It is not safe for use by several goroutines.
type pace struct {
	limits Limits
	global *rate.Limiter
	group  *rate.Limiter
	people map[desk.ChatID]*rate.Limiter
	rests  map[rest]time.Time
	albums map[desk.CallID]time.Time // for whom several tokens are put aside, and from when on they are there
	tidied time.Time
	flood  struct { // the last 429
		chat desk.ChatID
		at   time.Time
	}
}

// A rest is what is left alone: chat 0 is every chat, family "" every method.
type rest struct {
	chat   desk.ChatID
	family family
}

func newPace(l Limits) *pace {
	return &pace{
		limits: l,
		global: rate.NewLimiter(rate.Limit(l.GlobalPerSecond), max(1, int(l.GlobalPerSecond))),
		group:  rate.NewLimiter(rate.Limit(float64(l.GroupPerMinute)/60), l.GroupPerMinute),
		people: make(map[desk.ChatID]*rate.Limiter),
		rests:  make(map[rest]time.Time),
		albums: make(map[desk.CallID]time.Time),
	}
}

func (p *pace) bucket(chat desk.ChatID) *rate.Limiter {
	if chat < 0 {
		return p.group
	}
	b := p.people[chat]
	if b == nil {
		b = rate.NewLimiter(rate.Limit(p.limits.PrivatePerSecond), privateBurst)
		p.people[chat] = b
	}
	return b
}

// resting is until when calls of this family into this chat have to wait; the zero moment if they need not.
func (p *pace) resting(chat desk.ChatID, f family, now time.Time) time.Time {
	var until time.Time
	for _, r := range []rest{{0, every}, {chat, every}, {chat, f}} {
		if t := p.rests[r]; t.After(now) && t.After(until) {
			until = t
		}
	}
	return until
}

// tokenAt is when the chat will have a token beyond those promised already; now if it has.
func (p *pace) tokenAt(chat desk.ChatID, now time.Time, promised, promisedAll int) time.Time {
	return later(availableAt(p.bucket(chat), now, promised), availableAt(p.global, now, promisedAll))
}

func availableAt(b *rate.Limiter, now time.Time, promised int) time.Time {
	missing := float64(promised+1) - b.TokensAt(now)
	if missing <= 0 {
		return now
	}
	// Rounded up: a wake-up a nanosecond early would find nothing and turn in circles.
	return now.Add(time.Duration(missing/float64(b.Limit())*float64(time.Second)) + time.Millisecond)
}

// spend uses one token of the chat and one of all. A token not there is borrowed: whoever decided to send has looked before.
func (p *pace) spend(chat desk.ChatID, now time.Time) {
	p.bucket(chat).ReserveN(now, 1)
	p.global.ReserveN(now, 1)
}

// promise puts aside what an album of so many items costs, at most a full bucket, and says from when on it may go. Otherwise others
// would take each token as it comes, and it would never have them all.
func (p *pace) promise(call desk.CallID, chat desk.ChatID, now time.Time, items int) time.Time {
	at, promised := p.albums[call]
	if !promised {
		bucket := p.bucket(chat)
		at = now.Add(bucket.ReserveN(now, min(items, bucket.Burst())).DelayFrom(now))
		p.global.ReserveN(now, min(items, p.global.Burst()))
		p.albums[call] = at
	}
	return at
}

// promised tells whether tokens are put aside for the call.
func (p *pace) promised(call desk.CallID) bool {
	_, promised := p.albums[call]
	return promised
}

// flooded makes rest what a 429 asks for, and returns it so that it can be kept.
func (p *pace) flooded(chat desk.ChatID, f family, now time.Time, wait time.Duration) rest {
	r := rest{chat, f}
	if f == free {
		return r // limited together with nothing, so nothing else rests
	}
	if p.otherFamilyRests(r, now) {
		r.family = every
	}
	if p.flood.chat != 0 && p.flood.chat != chat && now.Sub(p.flood.at) <= floodsTogether {
		r = rest{}
	}
	p.flood.chat, p.flood.at = chat, now
	p.rests[r] = later(p.rests[r], now.Add(wait))
	drain(p.bucket(chat), now)
	return r
}

func (p *pace) otherFamilyRests(r rest, now time.Time) bool {
	for other, until := range p.rests {
		if other.chat == r.chat && other.family != r.family && other.family != every && until.After(now) {
			return true
		}
	}
	return false
}

// drain empties a bucket: what it promised, Telegram has just refused.
func drain(b *rate.Limiter, now time.Time) {
	if n := int(b.TokensAt(now)); n > 0 {
		b.AllowN(now, n)
	}
}

// forgetPromise is how long tokens are put aside for who does not come for them.
const forgetPromise = 10 * time.Minute

// tidyEvery is how often what says nothing any more is looked for.
const tidyEvery = time.Minute

// tidy drops the rests that are over and the buckets that are full again.
func (p *pace) tidy(now time.Time) {
	if now.Sub(p.tidied) < tidyEvery {
		return
	}
	p.tidied = now
	for r, until := range p.rests {
		if !until.After(now) {
			delete(p.rests, r)
		}
	}
	for call, at := range p.albums {
		if now.Sub(at) > forgetPromise {
			delete(p.albums, call) // it went another way
		}
	}
	for chat, b := range p.people {
		if b.TokensAt(now) >= privateBurst {
			delete(p.people, chat)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
