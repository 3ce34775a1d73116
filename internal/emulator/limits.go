package emulator

import (
	"math"
	"time"
)

// pace holds what was lately done, for Options.Limits. The numbers of sends are Telegram's published ones; the real ones move.
type pace struct {
	sends     window           // into groups
	deletions window           // in groups: calls, however many messages they delete
	buckets   map[int64]bucket // private chats; key 0 is the whole bot
}

// A window is when what counts was done in a group, within the last minute.
type window map[int64][]time.Time

type bucket struct {
	tokens float64
	at     time.Time
}

const (
	groupPerMinute   = 20
	deletesPerMinute = 40 // in a group; a number of ours, since Telegram publishes none
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
		return tooMany(inSeconds(wait))
	}
	t.pace.take(c, now, n)
	return nil
}

// spendDeletion takes one call that deletes from the group's budget of deletions. It is apart from that of sends, as families of
// methods seem to be at Telegram: a group that takes no more sends can still be tidied. Private chats have no such limit.
func (t *Telegram) spendDeletion(c *chat) *refusal {
	if !t.limits || c.person != nil {
		return nil
	}
	now := t.now()
	if wait := t.pace.deletions.wait(c.id, now, 1, deletesPerMinute); wait > 0 {
		return tooMany(inSeconds(wait))
	}
	t.pace.deletions.take(c.id, now, 1)
	return nil
}

// inSeconds is a wait as retry_after tells it: after it the call is let through.
func inSeconds(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

func (p *pace) wait(c *chat, now time.Time, n int) time.Duration {
	wait := p.bucketWait(0, now, n, globalPerSecond, globalPerSecond)
	if c.person != nil {
		return max(wait, p.bucketWait(c.id, now, n, privatePerSecond, privateBurst))
	}
	return max(wait, p.sends.wait(c.id, now, n, groupPerMinute))
}

func (p *pace) take(c *chat, now time.Time, n int) {
	p.drain(0, now, n, globalPerSecond, globalPerSecond)
	if c.person != nil {
		p.drain(c.id, now, n, privatePerSecond, privateBurst)
		return
	}
	p.sends.take(c.id, now, n)
}

// wait says how long n more must wait where a minute holds no more than limit; what is larger than that needs an empty minute.
func (w window) wait(chat int64, now time.Time, n, limit int) time.Duration {
	recent := w[chat]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Minute {
		recent = recent[1:]
	}
	w[chat] = recent
	over := len(recent) + min(n, limit) - limit
	if over <= 0 {
		return 0
	}
	return time.Minute - now.Sub(recent[min(over, len(recent))-1])
}

func (w window) take(chat int64, now time.Time, n int) {
	for range n {
		w[chat] = append(w[chat], now)
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
