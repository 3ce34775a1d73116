package emulator

import (
	"math"
	"time"
)

// pace holds what was lately sent, for Options.Limits. The numbers are Telegram's published ones; the real ones move.
type pace struct {
	windows map[int64][]time.Time // group sends of the last minute
	buckets map[int64]bucket      // private chats; key 0 is the whole bot
}

type bucket struct {
	tokens float64
	at     time.Time
}

const (
	groupPerMinute   = 20
	privateBurst     = 5
	privatePerSecond = 1
	globalPerSecond  = 30
)

// spend takes n sends to a chat from its budget, or says how long to wait. Sends, edits and topic creation share it.
func (t *Telegram) spend(c *chat, n int) *refusal {
	if !t.limits {
		return nil
	}
	now := t.now()
	if wait := t.pace.wait(c, now, n); wait > 0 {
		return tooMany(max(1, int(math.Ceil(wait.Seconds()))))
	}
	t.pace.take(c, now, n)
	return nil
}

func (p *pace) wait(c *chat, now time.Time, n int) time.Duration {
	wait := p.bucketWait(0, now, n, globalPerSecond, globalPerSecond)
	if c.person != nil {
		return max(wait, p.bucketWait(c.id, now, n, privatePerSecond, privateBurst))
	}
	recent := p.windows[c.id]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Minute {
		recent = recent[1:]
	}
	p.windows[c.id] = recent
	n = min(n, groupPerMinute)
	if over := len(recent) + n - groupPerMinute; over > 0 {
		wait = max(wait, time.Minute-now.Sub(recent[min(over, len(recent))-1]))
	}
	return wait
}

func (p *pace) take(c *chat, now time.Time, n int) {
	p.drain(0, now, n, globalPerSecond, globalPerSecond)
	if c.person != nil {
		p.drain(c.id, now, n, privatePerSecond, privateBurst)
		return
	}
	for range n {
		p.windows[c.id] = append(p.windows[c.id], now)
	}
}

func (p *pace) level(key int64, now time.Time, perSecond, burst float64) float64 {
	b, ok := p.buckets[key]
	if !ok {
		return burst
	}
	return min(burst, b.tokens+now.Sub(b.at).Seconds()*perSecond)
}

func (p *pace) bucketWait(key int64, now time.Time, n int, perSecond, burst float64) time.Duration {
	missing := min(float64(n), burst) - p.level(key, now, perSecond, burst)
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing / perSecond * float64(time.Second))
}

func (p *pace) drain(key int64, now time.Time, n int, perSecond, burst float64) {
	if p.buckets == nil {
		p.buckets = map[int64]bucket{}
	}
	p.buckets[key] = bucket{tokens: p.level(key, now, perSecond, burst) - float64(n), at: now}
}
