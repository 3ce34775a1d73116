package outbox

import (
	"context"
	"time"

	"github.com/go-telegram/bot"

	"hodor/internal/desk"
)

// health remembers which calls got an answer without a verdict, and waits for a sign that Telegram works again: some other call
// that succeeds, at need a getMe of our own. So an outage of hours gives up nothing and multiplies nothing.
type health struct {
	failed  map[desk.CallID]time.Time // calls that must not be tried before something succeeds
	success time.Time
	wanted  bool // somebody waits
	asking  bool
	asked   int       // how often in vain
	nextAsk time.Time // not before
	halted  string    // why nothing at all is sent; empty if all is well
}

// haltedAsk is how often we look whether a refused token is accepted again.
const haltedAsk = 5 * time.Minute

func (h *health) gate(id desk.CallID, now time.Time) time.Time {
	failedAt, ill := h.failed[id]
	if h.halted == "" && (!ill || h.success.After(failedAt)) {
		return now
	}
	h.wanted = true
	return now.Add(aWhile)
}

func (h *health) fail(id desk.CallID, now time.Time) {
	if h.failed == nil {
		h.failed = make(map[desk.CallID]time.Time)
	}
	h.failed[id] = now
	h.nextAsk = later(h.nextAsk, now.Add(backoff(0)))
}

// succeed notes a success; true if somebody waited for it.
func (h *health) succeed(now time.Time) bool {
	h.success, h.asked = now, 0
	waited := h.wanted || h.halted != ""
	h.wanted, h.halted = false, ""
	clear(h.failed)
	return waited
}

// healthy notes that Telegram works and takes our token, and wakes who waited for it.
func (o *Outbox) healthy(now time.Time) {
	halted := o.health.halted != ""
	if o.health.succeed(now) {
		o.queue.wakeAll()
	}
	if halted {
		o.Ready.Clear(desk.Identity)
		o.Log.Info().Msg("Telegram accepts the token again")
	}
}

// askAt is when to ask; zero if nobody waits.
func (h *health) askAt() time.Time {
	if !h.wanted || h.asking {
		return time.Time{}
	}
	return h.nextAsk
}

func (h *health) begin(now time.Time) bool {
	if !h.wanted || h.asking || h.nextAsk.After(now) {
		return false
	}
	h.asking = true
	return true
}

// askHealth calls getMe: if it succeeds, Telegram works.
func (o *Outbox) askHealth(ctx context.Context) {
	v := judge(o.client.ask(ctx, func(ctx context.Context, b *bot.Bot) error { _, err := b.GetMe(ctx); return err }))
	o.mu.Lock()
	h := &o.health
	h.asking = false
	if v.meaning == delivered {
		o.healthy(o.Now())
	} else {
		h.asked++
		h.nextAsk = o.Now().Add(backoff(h.asked))
		if h.halted != "" {
			h.nextAsk = o.Now().Add(haltedAsk)
		}
	}
	o.mu.Unlock()
	o.poke()
}

// halt stops everything: the token is refused.
func (o *Outbox) halt(reason string) {
	o.mu.Lock()
	first := o.health.halted == ""
	o.health.halted = reason
	o.health.nextAsk = o.Now().Add(haltedAsk)
	o.mu.Unlock()
	if o.Ready.Fail(desk.Identity, "Telegram refuses the token: "+reason); first {
		o.Log.Error().Str("reason", reason).Msg("Telegram refuses the token; nothing is sent until it is accepted again")
	}
}
