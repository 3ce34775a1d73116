package emulator

import (
	"encoding/json"
	"net/http"
	"time"
)

const maxPoll = 50 * time.Second

// getUpdates is the long poll. It holds the lock only while it looks.
func getUpdates(t *Telegram, r *http.Request, p *params) (any, *refusal) {
	ended, refused := t.beginPoll(p)
	if refused != nil {
		return nil, refused
	}
	defer t.endPoll(ended)
	timeout := time.NewTimer(min(maxPoll, time.Duration(p.int("timeout"))*time.Second))
	defer timeout.Stop()
	for {
		batch, arrived := t.batch(p)
		if len(batch) > 0 || p.int("timeout") <= 0 {
			return batch, nil
		}
		select {
		case <-arrived:
		case <-timeout.C:
			return batch, nil
		case <-ended:
			return nil, conflict(otherPoller)
		case <-r.Context().Done():
			return batch, nil
		case <-t.ctx.Done():
			return batch, nil
		}
	}
}

// beginPoll ends the poll that is under way: the newest poller wins, the other is told 409.
func (t *Telegram) beginPoll(p *params) (chan struct{}, *refusal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.updates.webhook.url != "" {
		return nil, conflict(webhookActive)
	}
	if refused := t.updates.allow(p); refused != nil {
		return nil, refused
	}
	if t.updates.poller != nil {
		close(t.updates.poller)
	}
	t.updates.poller = make(chan struct{})
	return t.updates.poller, nil
}

func (t *Telegram) endPoll(mine chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.updates.poller == mine {
		t.updates.poller = nil
	}
}

// batch confirms everything below offset and returns what waits from there on.
func (t *Telegram) batch(p *params) ([]json.RawMessage, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q, offset := &t.updates, p.int64("offset")
	if offset < 0 {
		offset = q.fromEnd(t.now(), int(-offset))
	}
	q.confirm(offset)
	limit := p.int("limit")
	if limit < 1 || limit > 100 {
		limit = 100
	}
	batch := []json.RawMessage{}
	for _, u := range q.alive(t.now(), limit) {
		batch = append(batch, u.raw)
	}
	return batch, q.arrived
}

// fromEnd is the id of the n-th update from the end, 0 if there are not so many.
func (q *updates) fromEnd(now time.Time, n int) int64 {
	alive := q.alive(now, -1)
	if n > len(alive) {
		return 0
	}
	return alive[len(alive)-n].id
}

// confirm forgets what the bot has: the updates before the first whose id is not below offset.
func (q *updates) confirm(offset int64) {
	for len(q.waiting) > 0 && (q.waiting[0].gone || q.waiting[0].id < offset) {
		if q.waiting[0].gone {
			q.gone--
		}
		q.waiting[0].gone = true // the webhook's lanes may hold it too
		q.waiting = q.waiting[1:]
	}
}
