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
	reacts map[desk.ChatID]*rate.Limiter
	chosen map[desk.ChatID]int   // calls that may go, and have not spent their tokens yet; chat 0 is all
	albums map[desk.CallID]aside // for whom several tokens are put aside
	tidied time.Time
	flood  struct { // the last 429
		chat desk.ChatID
		at   time.Time
	}
}

// aside are tokens put aside: how many, and from when on they are there.
type aside struct {
	items int
	at    time.Time
}

// Reactions have no published limit and take no tokens. A person who plays with them must not bring a flood wait upon the team's.
const (
	reactionEvery = time.Second
	reactionBurst = 10
)

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
		reacts: make(map[desk.ChatID]*rate.Limiter),
		chosen: make(map[desk.ChatID]int),
		albums: make(map[desk.CallID]aside),
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

// tokenAt is when the chat will have a token beyond those that are chosen for already; now if it has.
func (p *pace) tokenAt(chat desk.ChatID, now time.Time) time.Time {
	return later(availableAt(p.bucket(chat), now, p.chosen[chat]), availableAt(p.global, now, p.chosen[0]))
}

// choose sets a token aside for a call that may go.
func (p *pace) choose(chat desk.ChatID) {
	p.chosen[chat]++
	p.chosen[0]++
}

// decided ends what choose began: the call has spent its token, or does not go.
func (p *pace) decided(chat desk.ChatID) {
	for _, c := range []desk.ChatID{chat, 0} {
		if p.chosen[c]--; p.chosen[c] <= 0 {
			delete(p.chosen, c)
		}
	}
}

func availableAt(b *rate.Limiter, now time.Time, chosen int) time.Time {
	missing := float64(chosen+1) - b.TokensAt(now)
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
// would take each token as it comes, and it would never have them all. Those who are chosen already go first.
func (p *pace) promise(call desk.CallID, chat desk.ChatID, now time.Time, items int) time.Time {
	have := p.albums[call]
	if items > have.items {
		have.at = later(have.at, later(putAside(p.bucket(chat), now, have.items, items, p.chosen[chat]),
			putAside(p.global, now, have.items, items, p.chosen[0])))
		have.items = items
		p.albums[call] = have
	}
	return have.at
}

// putAside takes what is missing of the tokens of so many items.
func putAside(b *rate.Limiter, now time.Time, have, items, chosen int) time.Time {
	b.ReserveN(now, min(items, b.Burst())-min(have, b.Burst()))
	return availableAt(b, now, chosen-1)
}

// reactionAt is when a reaction may be set in the chat, which is then counted; now if it may be.
func (p *pace) reactionAt(chat desk.ChatID, now time.Time) time.Time {
	b := p.reacts[chat]
	if b == nil {
		b = rate.NewLimiter(rate.Every(reactionEvery), reactionBurst)
		p.reacts[chat] = b
	}
	if at := availableAt(b, now, 0); at.After(now) {
		return at
	}
	b.AllowN(now, 1)
	return now
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
	if f == sends || f == edits || f == creations { // who take its tokens
		drain(p.bucket(chat), now)
	}
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
	for call, have := range p.albums {
		if now.Sub(have.at) > forgetPromise {
			delete(p.albums, call) // it went another way
		}
	}
	for chat, b := range p.reacts {
		if b.TokensAt(now) >= reactionBurst {
			delete(p.reacts, chat)
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
