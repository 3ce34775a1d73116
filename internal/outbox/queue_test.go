package outbox

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hodor/db"
	"hodor/internal/desk"
)

func debt(id int, lane desk.Lane, p desk.Priority, due time.Time) db.Debt {
	return db.Debt{ID: desk.CallID(id), Lane: lane, Priority: p, Due: due}
}

// popped takes the most urgent call as next does; 0 if there is none.
func popped(q *queue, now time.Time) int {
	l := q.pop(now)
	if l == nil {
		return 0
	}
	q.take(l, l.first)
	return int(l.first.ID)
}

func wantPops(t *testing.T, q *queue, now time.Time, want ...int) {
	t.Helper()
	var got []int
	for {
		id := popped(q, now)
		if id == 0 {
			break
		}
		got = append(got, id)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v are taken, want %v", got, want)
	}
}

func TestQueueTakesOneOfALaneAtATimeInOrder(t *testing.T) {
	q := newQueue()
	for _, id := range []int{3, 1, 2} {
		q.add(debt(id, aTopic, desk.Written, noon))
	}
	wantPops(t, q, noon, 1)
	q.release(aTopic)
	wantPops(t, q, noon, 2)
	q.add(debt(2, aTopic, desk.Written, noon)) // to be sent again
	q.release(aTopic)
	wantPops(t, q, noon, 2)
	q.release(aTopic)
	wantPops(t, q, noon, 3)
	q.release(aTopic)
	if len(q.lanes) != 0 {
		t.Errorf("empty lanes are kept: %v", q.lanes)
	}
}

func TestQueueTakesByPriorityThenByAge(t *testing.T) {
	q := newQueue()
	for i, p := range []desk.Priority{desk.Bulk, desk.Upkeep, desk.Noticed, desk.Written, desk.Written} {
		q.add(debt(i+1, desk.UserLane(desk.UserID(i+1)), p, noon))
	}
	wantPops(t, q, noon, 4, 5, 3, 2, 1)
}

func TestQueueHeadInBackOffHoldsUpItsOwnPriorityOnly(t *testing.T) {
	q := newQueue()
	later := noon.Add(time.Minute)
	q.add(debt(1, aTopic, desk.Written, later))
	q.add(debt(2, aTopic, desk.Written, noon))
	q.add(debt(3, aTopic, desk.Noticed, noon))
	wantPops(t, q, noon, 3)
	q.release(aTopic)
	wantPops(t, q, noon)
	if at := q.wakeAt(); !at.Equal(later) {
		t.Errorf("the lane is looked at again at %s, want %s", at, later)
	}
	wantPops(t, q, later, 1)
}

func TestQueueUpkeepWaitingForItsMinuteHoldsUpNothing(t *testing.T) {
	q := newQueue()
	q.add(debt(1, aTopic, desk.Upkeep, noon.Add(time.Minute)))
	q.add(debt(2, aTopic, desk.Upkeep, noon.Add(3*time.Second)))
	q.add(debt(3, aTopic, desk.Bulk, noon))
	wantPops(t, q, noon, 3)
	q.release(aTopic)
	wantPops(t, q, noon.Add(3*time.Second), 2)
	q.release(aTopic)
	if at := q.wakeAt(); !at.IsZero() && at.After(noon.Add(time.Minute)) {
		t.Errorf("the lane sleeps until %s", at)
	}
	wantPops(t, q, noon.Add(time.Minute), 1)
}

func TestQueueParkedLaneWakesAtItsMomentOrWithNews(t *testing.T) {
	for name, wake := range map[string]func(*queue) time.Time{
		"its moment":   func(*queue) time.Time { return noon.Add(time.Hour) },
		"a new debt":   func(q *queue) time.Time { q.add(debt(9, aTopic, desk.Bulk, noon)); return noon },
		"news for all": func(q *queue) time.Time { q.wakeAll(); return noon },
	} {
		q := newQueue()
		q.add(debt(1, aTopic, desk.Written, noon))
		q.park(q.pop(noon), noon.Add(time.Hour))
		wantPops(t, q, noon.Add(time.Hour-1))
		q.park(q.lanes[aTopic], noon.Add(time.Hour))
		now := wake(q)
		if id := popped(q, now); id != 1 {
			t.Errorf("%s wakes call %d, want 1", name, id)
		}
	}
}

func TestQueueNewsDoNotWakeALaneThatIsBusy(t *testing.T) {
	q := newQueue()
	q.add(debt(1, aTopic, desk.Written, noon))
	wantPops(t, q, noon, 1)
	q.add(debt(2, aTopic, desk.Written, noon))
	q.wakeAll()
	wantPops(t, q, noon)
	q.release(aTopic)
	wantPops(t, q, noon, 2)
}

// All senders were busy while a message waited for its repeat and a notice of its lane was ready: when both may go, the message does.
func TestQueueMessageThatFallsDueGoesBeforeANoticeThatWasReadyBefore(t *testing.T) {
	q := newQueue()
	q.add(debt(1, aPerson, desk.Written, noon))
	q.add(debt(2, aTopic, desk.Written, noon.Add(time.Second)))
	q.add(debt(3, aTopic, desk.Noticed, noon))
	if id := popped(q, noon); id != 1 { // the last free sender
		t.Fatalf("call %d is taken, want 1", id)
	}
	if id := popped(q, noon.Add(2*time.Second)); id != 2 {
		t.Errorf("call %d is taken, want the message 2", id)
	}
}

// A queueModel says what the queue must do, without heaps.
type queueModel struct {
	q      *queue
	now    time.Time
	last   int
	debts  map[int]db.Debt         // not settled and not under way
	under  map[int]db.Debt         // under way
	parked map[desk.Lane]time.Time // lanes that are left alone
	taken  map[int]int             // how often
}

func (m *queueModel) busy(l desk.Lane) bool {
	for _, d := range m.under {
		if d.Lane == l {
			return true
		}
	}
	return false
}

// blocked tells whether an earlier call of its lane and priority is not settled; upkeep has no order.
func (m *queueModel) blocked(d db.Debt) bool {
	if d.Priority == desk.Upkeep {
		return false
	}
	for _, other := range m.debts {
		if other.Lane == d.Lane && other.Priority == d.Priority && other.ID < d.ID {
			return true
		}
	}
	return false
}

// ready are the calls that may go now, the most urgent first.
func (m *queueModel) ready() (list []db.Debt) {
	for _, d := range m.debts {
		if !d.Due.After(m.now) && !m.busy(d.Lane) && !m.blocked(d) && !m.parked[d.Lane].After(m.now) {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b db.Debt) int { return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID)) })
	return list
}

func (m *queueModel) owe(t *rapid.T) {
	m.last++
	d := debt(m.last, desk.UserLane(desk.UserID(rapid.IntRange(1, 4).Draw(t, "lane"))), desk.Priority(rapid.IntRange(0, 3).Draw(t, "priority")),
		m.now.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 3, 60}).Draw(t, "due"))*time.Second))
	m.debts[m.last] = d
	delete(m.parked, d.Lane)
	m.q.add(d)
}

func (m *queueModel) take(t *rapid.T) {
	ready := m.ready()
	l := m.q.pop(m.now)
	switch {
	case l == nil && len(ready) == 0:
		m.checkSleep(t)
		return
	case l == nil:
		t.Fatalf("nothing is taken although %+v may go", ready)
	case len(ready) == 0:
		t.Fatalf("%+v is taken although nothing may go", l.first)
	case l.first.ID != ready[0].ID:
		t.Fatalf("%+v is taken, want %+v", l.first, ready[0])
	}
	d := l.first
	if rapid.IntRange(0, 3).Draw(t, "gate") == 0 {
		until := m.now.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "until")) * time.Second)
		m.q.park(l, until)
		m.parked[l.key] = until
		return
	}
	m.q.take(l, d)
	delete(m.debts, int(d.ID))
	m.under[int(d.ID)] = d
	m.taken[int(d.ID)]++
}

// checkSleep: with nothing to do, the queue names a moment not after the first at which there is something.
func (m *queueModel) checkSleep(t *rapid.T) {
	wake := m.q.wakeAt()
	for _, d := range m.debts {
		if m.busy(d.Lane) || m.blocked(d) {
			continue
		}
		first := later(d.Due, m.parked[d.Lane])
		if wake.IsZero() || wake.After(first) {
			t.Fatalf("it sleeps until %s, but %+v may go at %s", wake, d, first)
		}
	}
	if !wake.IsZero() && !wake.After(m.now) {
		t.Fatalf("there is nothing to do, and it sleeps until %s, now or before", wake)
	}
}

func (m *queueModel) end(t *rapid.T) {
	if len(m.under) == 0 {
		return
	}
	ids := make([]int, 0, len(m.under))
	for id := range m.under {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	id := rapid.SampledFrom(ids).Draw(t, "call")
	d := m.under[id]
	delete(m.under, id)
	if rapid.Bool().Draw(t, "again") {
		d.Due = m.now.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "back-off")) * time.Second)
		m.debts[id] = d
		m.q.add(d)
	}
	m.q.release(d.Lane)
	delete(m.parked, d.Lane)
}

func newQueueModel() *queueModel {
	return &queueModel{q: newQueue(), now: noon, debts: map[int]db.Debt{}, under: map[int]db.Debt{}, parked: map[desk.Lane]time.Time{},
		taken: map[int]int{}}
}

// Whatever the interleaving of debts, time, parked lanes, repeats and news: one of a lane at a time, in order within a priority,
// the most urgent first, upkeep blocks nothing, and nothing is forgotten.
func TestQueueKeepsItsOrderWhateverTheInterleaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newQueueModel()
		t.Repeat(map[string]func(*rapid.T){
			"owe":  m.owe,
			"take": m.take,
			"end":  m.end,
			"time": func(t *rapid.T) {
				for len(m.ready()) > 0 { // with senders free, time passes only when nothing can go
					m.take(t)
				}
				m.now = m.now.Add(time.Duration(rapid.IntRange(1, 40).Draw(t, "seconds")) * time.Second)
			},
			"news": func(*rapid.T) {
				m.q.wakeAll()
				clear(m.parked)
			},
		})
		m.drainAll(t)
	})
}

// drainAll lets everything end; then everything was taken.
func (m *queueModel) drainAll(t *rapid.T) {
	for _, d := range m.under {
		m.q.release(d.Lane)
		delete(m.parked, d.Lane)
	}
	clear(m.under)
	for range 10_000 {
		ready := m.ready()
		l := m.q.pop(m.now)
		if l != nil {
			if len(ready) == 0 || l.first.ID != ready[0].ID {
				t.Fatalf("%+v is taken, want one of %+v", l.first, ready)
			}
			d := l.first
			m.q.take(l, d)
			delete(m.debts, int(d.ID))
			m.taken[int(d.ID)]++
			m.q.release(d.Lane)
			delete(m.parked, d.Lane)
			continue
		}
		wake := m.q.wakeAt()
		if wake.IsZero() {
			break
		}
		m.now = wake
	}
	if len(m.debts) != 0 {
		t.Fatalf("never taken: %+v", m.debts)
	}
	for id := 1; id <= m.last; id++ {
		if m.taken[id] == 0 {
			t.Fatalf("call %d was never taken", id)
		}
	}
	if len(m.q.lanes) != 0 || len(m.q.ready) != 0 || len(m.q.timed) != 0 {
		t.Fatalf("something is left: %v", m.q.lanes)
	}
}
