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

// A lane is one lane's debts, each priority in order. It is ready while it has a call that is due, timed while it has to be looked at
// again at a moment, and may be both: then something more urgent falls due.
type lane struct {
	key   desk.Lane
	busy  bool // one of its calls is taken …
	away  bool // … and at Telegram
	debts [desk.Bulk + 1][]db.Debt
	first db.Debt   // while ready: what it would send
	until time.Time // while timed

	readyAt, timedAt int // its place in the heaps, from 1; 0 if it is in none
}

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

// hasten gives a debt that was put off until a moment its own moment back, unless it was put off anew since, or is taken.
func (q *queue) hasten(d db.Debt, from time.Time) {
	l := q.lanes[d.Lane]
	if l == nil {
		return
	}
	line := l.debts[d.Priority]
	if at := slices.IndexFunc(line, func(have db.Debt) bool { return have.ID == d.ID && have.Due.Equal(from) }); at >= 0 {
		line[at].Due = d.Due
		q.wake(l)
	}
}

// topicAway tells whether a call into some person's topic is at Telegram.
func (q *queue) topicAway() bool {
	for key, l := range q.lanes {
		if l.away && key.Kind == desk.ToTopic {
			return true
		}
	}
	return false
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
	l.busy, l.away = false, false
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

// next is the lane's first debt that is due: by priority, and within one by order. wakeAt is when something more urgent falls due, or
// anything if nothing is; zero if never.
func (l *lane) next(now time.Time) (first db.Debt, found bool, wakeAt time.Time) {
	for _, line := range l.debts {
		for _, d := range line {
			if !d.Due.After(now) {
				return d, true, wakeAt
			}
			wakeAt = earliest(wakeAt, d.Due)
			if !letsPass(d) {
				break
			}
		}
	}
	return db.Debt{}, false, wakeAt
}

// letsPass tells whether those behind a debt may go while it waits: a card edit that waits for its minute holds up nothing, nor does
// the change of a message that stands already. Where a newer change passes an older one of the same message, the older is dropped.
func letsPass(d db.Debt) bool {
	return d.Priority == desk.Upkeep || d.Kind == desk.EditCopy{}.Kind() || d.Kind == desk.React{}.Kind()
}

// away tells whether a call of the lane is at Telegram: what it becomes there is not known yet.
func (q *queue) away(key desk.Lane) bool {
	l := q.lanes[key]
	return l != nil && l.away
}

// wake makes the lane be looked at again.
func (q *queue) wake(l *lane) {
	if !l.busy {
		q.park(l, time.Time{})
	}
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
	q.lookAt(l, until)
}

func (q *queue) lookAt(l *lane, at time.Time) {
	l.until = at
	heap.Push(&q.timed, l)
}

func (q *queue) leave(l *lane) {
	if l.readyAt > 0 {
		heap.Remove(&q.ready, l.readyAt-1)
	}
	if l.timedAt > 0 {
		heap.Remove(&q.timed, l.timedAt-1)
	}
}

// pop is the lane with the most urgent call that is due now; nil if there is none. The caller takes its call or parks the lane.
func (q *queue) pop(now time.Time) *lane {
	for len(q.timed) > 0 && !q.timed[0].until.After(now) {
		l := q.timed[0]
		q.leave(l)
		first, found, wakeAt := l.next(now)
		if found {
			l.first = first
			heap.Push(&q.ready, l)
		}
		if !wakeAt.IsZero() {
			q.lookAt(l, wakeAt)
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

// rank is the priority among lanes. What only changes a message that stands does not count in the rate window: nobody's message waits for
// it, and no notice for more than what is older.
func rank(d db.Debt) desk.Priority {
	if letsPass(d) {
		return max(d.Priority, desk.Noticed)
	}
	return d.Priority
}

// readyHeap orders by rank, then by age.
type readyHeap []*lane

func (h readyHeap) Len() int { return len(h) }
func (h readyHeap) Less(i, j int) bool {
	a, b := h[i].first, h[j].first
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID)) < 0
}
func (h readyHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i]; h[i].readyAt, h[j].readyAt = i+1, j+1 }
func (h *readyHeap) Push(l any)   { *h = append(*h, l.(*lane)); l.(*lane).readyAt = len(*h) }
func (h *readyHeap) Pop() any {
	l := popLast((*[]*lane)(h))
	l.readyAt = 0
	return l
}

// timedHeap orders by moment.
type timedHeap []*lane

func (h timedHeap) Len() int           { return len(h) }
func (h timedHeap) Less(i, j int) bool { return h[i].until.Before(h[j].until) }
func (h timedHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].timedAt, h[j].timedAt = i+1, j+1 }
func (h *timedHeap) Push(l any)        { *h = append(*h, l.(*lane)); l.(*lane).timedAt = len(*h) }
func (h *timedHeap) Pop() any {
	l := popLast((*[]*lane)(h))
	l.timedAt = 0
	return l
}

func popLast(h *[]*lane) *lane {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
