package outbox

import (
	"cmp"
	"container/heap"
	"slices"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// A queue holds what is owed, by lanes. It is a hint kept in memory, so that nobody has to search the table: the row decides. It
// is not safe for use by several goroutines.
type queue struct {
	lanes map[desk.Lane]*lane
	ready readyHeap // lanes that may have something to send now
	timed timedHeap // lanes that have nothing before a moment
}

// A lane is one lane's debts, each priority in order.
type lane struct {
	key   desk.Lane
	busy  bool // one of its calls is under way
	debts [desk.Bulk + 1][]db.Debt
	in    spot
	index int       // in its heap
	until time.Time // while timed
	first db.Debt   // while ready: what it would send
}

type spot int

const (
	nowhere spot = iota
	inReady
	inTimed
)

func newQueue() *queue { return &queue{lanes: make(map[desk.Lane]*lane)} }

// add puts a debt into its lane, at its place in the order.
func (q *queue) add(d db.Debt) {
	l := q.lanes[d.Lane]
	if l == nil {
		l = &lane{key: d.Lane}
		q.lanes[d.Lane] = l
	}
	line := l.debts[d.Priority]
	at, there := slices.BinarySearchFunc(line, d.ID, func(have db.Debt, id desk.CallID) int { return cmp.Compare(have.ID, id) })
	if there {
		line[at] = d
	} else {
		l.debts[d.Priority] = slices.Insert(line, at, d)
	}
	q.wake(l)
}

// take removes the debt from its lane, which is busy until release.
func (q *queue) take(l *lane, d db.Debt) {
	q.leave(l)
	l.busy = true
	line := l.debts[d.Priority]
	if at := slices.IndexFunc(line, func(have db.Debt) bool { return have.ID == d.ID }); at >= 0 {
		l.debts[d.Priority] = slices.Delete(line, at, at+1)
	}
}

// release lets the lane's next call go.
func (q *queue) release(key desk.Lane) {
	l := q.lanes[key]
	l.busy = false
	if l.empty() {
		q.leave(l)
		delete(q.lanes, key)
		return
	}
	q.wake(l)
}

func (l *lane) empty() bool {
	for _, line := range l.debts {
		if len(line) > 0 {
			return false
		}
	}
	return true
}

// next is the lane's first debt that is due: by priority, and within one by order. Upkeep has no order, so that a card edit that
// waits for its minute holds up nothing. Otherwise when the earliest will be due; the zero moment if there is nothing.
func (l *lane) next(now time.Time) (first db.Debt, found bool, wakeAt time.Time) {
	for p, line := range l.debts {
		if desk.Priority(p) != desk.Upkeep && len(line) > 1 {
			line = line[:1]
		}
		for _, d := range line {
			if !d.Due.After(now) {
				return d, true, time.Time{}
			}
			if wakeAt.IsZero() || d.Due.Before(wakeAt) {
				wakeAt = d.Due
			}
		}
	}
	return db.Debt{}, false, wakeAt
}

// wake makes the lane be looked at again.
func (q *queue) wake(l *lane) {
	if l.busy {
		return
	}
	q.leave(l)
	q.timedUntil(l, time.Time{})
}

// wakeAll makes every lane be looked at again: something changed that many may have waited for.
func (q *queue) wakeAll() {
	for _, l := range q.lanes {
		q.wake(l)
	}
}

// park lets the lane be until the moment.
func (q *queue) park(l *lane, until time.Time) {
	q.leave(l)
	q.timedUntil(l, until)
}

func (q *queue) timedUntil(l *lane, until time.Time) {
	l.in, l.until = inTimed, until
	heap.Push(&q.timed, l)
}

func (q *queue) leave(l *lane) {
	switch l.in {
	case inReady:
		heap.Remove(&q.ready, l.index)
	case inTimed:
		heap.Remove(&q.timed, l.index)
	}
	l.in = nowhere
}

// pop is the lane with the most urgent call that is due now; nil if there is none. The caller takes its call or parks the lane.
func (q *queue) pop(now time.Time) *lane {
	for len(q.timed) > 0 && !q.timed[0].until.After(now) {
		l := q.timed[0]
		q.leave(l)
		d, found, wakeAt := l.next(now)
		switch {
		case found:
			l.in, l.first = inReady, d
			heap.Push(&q.ready, l)
		case !wakeAt.IsZero():
			q.timedUntil(l, wakeAt)
		}
	}
	if len(q.ready) == 0 {
		return nil
	}
	l := q.ready[0]
	q.leave(l)
	return l
}

// wakeAt is when the next parked lane has to be looked at; the zero moment if none has.
func (q *queue) wakeAt() time.Time {
	if len(q.timed) == 0 {
		return time.Time{}
	}
	return q.timed[0].until
}

// readyHeap orders by priority, then by age.
type readyHeap []*lane

func (h readyHeap) Len() int { return len(h) }
func (h readyHeap) Less(i, j int) bool {
	a, b := h[i].first, h[j].first
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID)) < 0
}
func (h readyHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i]; h[i].index, h[j].index = i, j }
func (h *readyHeap) Push(l any)   { l.(*lane).index = len(*h); *h = append(*h, l.(*lane)) }
func (h *readyHeap) Pop() any     { return popLast((*[]*lane)(h)) }

// timedHeap orders by moment.
type timedHeap []*lane

func (h timedHeap) Len() int           { return len(h) }
func (h timedHeap) Less(i, j int) bool { return h[i].until.Before(h[j].until) }
func (h timedHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].index, h[j].index = i, j }
func (h *timedHeap) Push(l any)        { l.(*lane).index = len(*h); *h = append(*h, l.(*lane)) }
func (h *timedHeap) Pop() any          { return popLast((*[]*lane)(h)) }

func popLast(h *[]*lane) *lane {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
