package db_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"hodor/db"
)

// count counts a message of person 7 and tells whether it passed.
func (r *room) count(written time.Time, limit int) bool {
	r.Helper()
	return r.decided(func(tx *db.Tx) (bool, error) { return tx.CountMessage(7, written, limit) })
}

// S9
func TestRateWindow(t *testing.T) {
	const limit = 3
	type message struct {
		at   time.Duration // when it was written
		pass bool
	}
	for name, messages := range map[string][]message{
		"N pass, N+1 does not":         {{0, true}, {0, true}, {0, true}, {0, false}, {0, false}},
		"resets exactly after 60 s":    {{0, true}, {1, true}, {2, true}, {59999 * time.Millisecond, false}, {60 * time.Second, true}},
		"60 s from the first, not the": {{0, true}, {30 * time.Second, true}, {59 * time.Second, true}, {61 * time.Second, true}},
		"a new window counts afresh": {{0, true}, {0, true}, {0, true}, {time.Minute, true}, {time.Minute, true}, {time.Minute, true},
			{time.Minute, false}},
		"refused ones do not lengthen it": {{0, true}, {0, true}, {0, true}, {50 * time.Second, false}, {60 * time.Second, true}},
		"an older one counts in it":       {{0, true}, {-10 * time.Second, true}, {-59 * time.Second, true}, {-time.Second, false}},
		"an older one moves no start":     {{0, true}, {-30 * time.Second, true}, {45 * time.Second, true}, {59 * time.Second, false}},
		// The window's start is up to 60 s ahead of the message: it counts on.
		"start just ahead counts on": {{60 * time.Second, true}, {0, true}, {0, true}, {0, false}},
		// Further ahead a clock was wrong, and the start counts as past.
		"start far ahead is past": {{60*time.Second + time.Millisecond, true}, {0, true}, {0, true}, {0, true}, {0, false}},
		"a full window far ahead": {{time.Hour, true}, {time.Hour, true}, {time.Hour, true}, {time.Hour, false}, {0, true}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.meet(7)
			start := r.clock.Now()
			for i, m := range messages {
				if got := r.count(start.Add(m.at), limit); got != m.pass {
					t.Errorf("message %d, written at %v: passes %v, want %v", i+1, m.at, got, m.pass)
				}
			}
		})
	}
}

// An outage of an hour: what was written in six different minutes arrives at once, and all of it passes.
func TestRateGoesByWhenItWasWritten(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	start := r.clock.Now()
	r.clock.Advance(time.Hour)
	for minute := range 6 {
		for i := range 2 {
			if !r.count(start.Add(time.Duration(minute)*time.Minute), 2) {
				t.Errorf("message %d of minute %d is refused", i+1, minute)
			}
		}
	}
}

func TestRateOfOnePersonIsNotAnothers(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	r.meet(8)
	now := r.clock.Now()
	if !r.count(now, 1) || r.count(now, 1) {
		t.Error("limit 1 does not hold")
	}
	if !r.decided(func(tx *db.Tx) (bool, error) { return tx.CountMessage(8, now, 1) }) {
		t.Error("another person is refused")
	}
}

// Windows are kept in memory, and a restart must let nobody write on who had written enough.
func TestFullRateWindowOutlivesARestart(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	now := r.clock.Now()
	for range 3 {
		r.count(now, 3)
	}
	r.reopen()
	if r.count(now.Add(59*time.Second), 3) {
		t.Error("passes after a restart")
	}
	if !r.count(now.Add(60*time.Second), 3) {
		t.Error("the window does not end after a restart")
	}
}

// What is rolled back was not counted: it comes again and is counted then.
func TestUndoneMessageIsNotCounted(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	now, bad := r.clock.Now(), errors.New("bad")
	release := r.hold()
	var outcomes []<-chan error
	for i := range 6 {
		outcomes = append(outcomes, r.later(func(tx *db.Tx) error {
			if pass, err := tx.CountMessage(7, now, 3); err != nil || !pass {
				return fmt.Errorf("message %d: passes %v, %v", i, pass, err)
			}
			if i%2 == 0 {
				return bad
			}
			return nil
		}))
	}
	release()
	for i, o := range outcomes {
		if err := <-o; errors.Is(err, bad) != (i%2 == 0) || (i%2 == 1 && err != nil) {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if r.count(now, 3) {
		t.Error("the three that were kept are not counted")
	}
}

// Windows of long ago are forgotten, those that still count are not.
func TestWindowsAreTidied(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	start := r.clock.Now()
	r.count(start.Add(time.Second), 3)
	r.count(start.Add(time.Second), 3)
	for _, later := range []time.Duration{20 * time.Second, 20 * time.Second, 20 * time.Second} {
		r.clock.Advance(later)
		r.update(slot("some commit"))
	}
	if !r.count(start.Add(time.Minute), 3) || r.count(start.Add(time.Minute), 3) {
		t.Error("not three of a minute")
	}
	r.clock.Advance(time.Hour)
	r.update(slot("some commit"))
	if !r.count(r.clock.Now(), 3) {
		t.Error("refused an hour later")
	}
}

// A slot that may be won once in a window, and where it is kept.
type once struct {
	name   string
	win    func(*db.Tx) (bool, error)
	window time.Duration
	taken  string // SQL that puts another time in its place
}

var slotsWon = []once{
	{"welcome", func(tx *db.Tx) (bool, error) { return tx.WinWelcome(7) }, db.NoticeEvery, "UPDATE users SET last_notice_at = ?"},
	{"refusal", func(tx *db.Tx) (bool, error) { return tx.WinRefusal(7) }, db.NoticeEvery, "UPDATE users SET refusal_notice_at = ?"},
	{"risk", func(tx *db.Tx) (bool, error) { return tx.WinRiskReminder(7) }, db.RiskEvery, "UPDATE users SET risk_notice_at = ?"},
	{"any", func(tx *db.Tx) (bool, error) { return tx.WinSlot("s", 10*time.Minute) }, 10 * time.Minute, "UPDATE notice_slots SET taken_at = ?"},
}

// S5, S10
func TestSlotIsWonOnceInItsWindow(t *testing.T) {
	for _, s := range slotsWon {
		r := newRoom(t)
		r.meet(7)
		r.update(func(tx *db.Tx) error { return tx.SetRisk(7, true) })
		want := func(what string, wins bool) {
			t.Helper()
			if r.decided(s.win) != wins {
				t.Errorf("%s, %s: won %v", s.name, what, !wins)
			}
		}
		want("never taken", true)
		want("at once again", false)
		r.clock.Advance(s.window - time.Millisecond)
		want("one millisecond early", false)
		r.clock.Advance(time.Millisecond)
		want("when the window is over", true)
		want("and counts as taken then", false)
		for ahead, wins := range map[time.Duration]bool{time.Millisecond: false, s.window: false, s.window + time.Millisecond: true} {
			at := r.clock.Now().Add(ahead).Format("2006-01-02T15:04:05.000Z")
			r.update(func(tx *db.Tx) error { return tx.Exec(s.taken, at) })
			want(fmt.Sprint("taken in a future ", ahead, " ahead"), wins)
		}
	}
}

func TestSlotsAreIndependent(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	r.update(func(tx *db.Tx) error { return tx.SetRisk(7, true) })
	for _, s := range slotsWon {
		if !r.decided(s.win) {
			t.Errorf("%s is taken by another", s.name)
		}
	}
	if !r.decided(func(tx *db.Tx) (bool, error) { return tx.WinSlot("another", time.Hour) }) {
		t.Error("a slot of another name is taken")
	}
}

// S5: nobody who was not met is told anything.
func TestUnknownPersonWinsNoSlot(t *testing.T) {
	r := newRoom(t)
	for _, s := range slotsWon[:3] {
		if r.decided(s.win) {
			t.Errorf("%s is won", s.name)
		}
	}
}

// S10: only of marked people; marking anew begins anew; unmarking ends it.
func TestRiskReminderFollowsTheMark(t *testing.T) {
	r := newRoom(t)
	r.meet(7)
	remind := slotsWon[2].win
	mark := func(on bool) { r.update(func(tx *db.Tx) error { return tx.SetRisk(7, on) }) }
	if r.decided(remind) {
		t.Error("reminded of an unmarked person")
	}
	mark(true)
	if !r.decided(remind) || r.decided(remind) {
		t.Error("not reminded once")
	}
	mark(true)
	if !r.decided(remind) {
		t.Error("marked again, and not reminded")
	}
	mark(false)
	r.clock.Advance(db.RiskEvery)
	if r.decided(remind) {
		t.Error("reminded after the mark was taken away")
	}
}

func TestFreedSlotIsWonAtOnce(t *testing.T) {
	r := newRoom(t)
	win := slotsWon[3].win
	r.decided(win)
	r.update(func(tx *db.Tx) error { return tx.FreeSlot("s") })
	if !r.decided(win) {
		t.Error("a freed slot is taken")
	}
}
