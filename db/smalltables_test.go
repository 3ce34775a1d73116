package db_test

import (
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

func (r *room) ledger(user desk.UserID) (rows []db.Relayed) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		rows, err = v.Ledger(user)
		return err
	})
	return rows
}

// E1: the ledger knows a message on both sides, and which way it went.
func TestLedgerIsReadOldestFirst(t *testing.T) {
	r := newRoom(t)
	in := db.Relayed{User: 7, Thread: 2, Direction: db.In, InGroup: 50, InPrivate: 60, Content: "photo", At: r.clock.Now()}
	out := db.Relayed{User: 7, Thread: 2, Direction: db.Out, InGroup: 40, InPrivate: 61, Content: "text", At: r.clock.Now()}
	other := db.Relayed{User: 8, Thread: 3, Direction: db.In, InGroup: 51, InPrivate: 60, Content: "text", At: r.clock.Now()}
	for _, row := range []db.Relayed{in, out, other} {
		r.update(func(tx *db.Tx) error { return tx.WriteLedger(row) })
	}
	r.clock.Advance(time.Second)
	r.update(func(tx *db.Tx) error { return tx.WriteLedger(in) })
	later := in
	later.At = r.clock.Now()
	in.Row, out.Row, other.Row, later.Row = 1, 2, 3, 4
	same(t, "ledger", r.ledger(7), []db.Relayed{in, out, later})
	r.update(func(tx *db.Tx) error { return tx.StrikeLedger(50) })
	same(t, "struck", r.ledger(7), []db.Relayed{out})
	same(t, "another's", r.ledger(8), []db.Relayed{other})
}

func (r *room) creation(user desk.UserID) (c db.Creation, found bool) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		c, found, err = v.CreationFor(user)
		return err
	})
	return c, found
}

// A creation is begun, perhaps in doubt, begun anew and ended.
func TestCreationOfATopic(t *testing.T) {
	r := newRoom(t)
	if _, found := r.creation(7); found {
		t.Error("a creation nobody began")
	}
	begun := r.clock.Now()
	r.update(func(tx *db.Tx) error { return tx.BeginCreation(7, "Ann") })
	r.clock.Advance(time.Second)
	got, _ := r.creation(7)
	same(t, "begun", got, db.Creation{User: 7, Title: "Ann", CalledAt: begun})
	r.update(func(tx *db.Tx) error { return tx.DoubtCreation(7) })
	got, _ = r.creation(7)
	same(t, "in doubt", got, db.Creation{User: 7, Title: "Ann", CalledAt: begun, DoubtfulSince: r.clock.Now()})
	r.clock.Advance(time.Second)
	r.update(func(tx *db.Tx) error {
		if err := tx.BeginCreation(7, "Anna"); err != nil {
			return err
		}
		return tx.BeginCreation(8, "Bob")
	})
	var all []db.Creation
	r.view(func(v db.View) (err error) {
		all, err = v.Creations()
		return err
	})
	same(t, "all", all, []db.Creation{{User: 7, Title: "Anna", CalledAt: r.clock.Now()}, {User: 8, Title: "Bob", CalledAt: r.clock.Now()}})
	r.update(func(tx *db.Tx) error { return tx.EndCreation(7) })
	if _, found := r.creation(7); found {
		t.Error("still there after its end")
	}
	if _, found := r.creation(8); !found {
		t.Error("another's is gone")
	}
}

func TestSightingsOfUnownedTopics(t *testing.T) {
	r := newRoom(t)
	at := r.clock.Now()
	note := func(thread desk.ThreadID, title string, at time.Time) {
		r.update(func(tx *db.Tx) error { return tx.NoteSighting(thread, title, at) })
	}
	note(5, "Ann", at)
	note(3, "Ann", at.Add(-time.Second))
	note(4, "Bob", at)
	note(5, "Other", at.Add(time.Hour)) // told twice: the first counts
	seen := func() (threads []desk.ThreadID) {
		r.view(func(v db.View) error {
			list, err := v.Sightings()
			for _, s := range list {
				threads = append(threads, s.Thread)
			}
			return err
		})
		return threads
	}
	same(t, "oldest first", seen(), []desk.ThreadID{3, 4, 5})
	r.update(func(tx *db.Tx) error { return tx.UseSighting(5) })
	r.view(func(v db.View) error {
		got, found, err := v.SightingOf(5)
		same(t, "used", got, db.Sighting{Thread: 5, Title: "Ann", Used: true, At: at})
		if !found {
			t.Error("not found")
		}
		return err
	})
	r.update(func(tx *db.Tx) error { return tx.EndSighting(5) })
	same(t, "after its end", seen(), []desk.ThreadID{3, 4})
}

func TestRestsOutliveARestart(t *testing.T) {
	r := newRoom(t)
	now := r.clock.Now()
	for _, rest := range []db.Rest{{-100, "sends", now.Add(time.Second)}, {-100, "sends", now.Add(2 * time.Second)},
		{-100, "", now.Add(time.Minute)}, {0, "", now.Add(time.Hour)}} {
		r.update(func(tx *db.Tx) error { return tx.SetRest(rest) })
	}
	r.reopen()
	rests := func(at time.Time) (list []db.Rest) {
		r.view(func(v db.View) (err error) {
			list, err = v.Rests(at)
			return err
		})
		return list
	}
	all := []db.Rest{{-100, "", now.Add(time.Minute)}, {-100, "sends", now.Add(2 * time.Second)}, {0, "", now.Add(time.Hour)}}
	same(t, "rests", rests(now), all)
	same(t, "a millisecond before one is over", rests(now.Add(1999*time.Millisecond)), all)
	same(t, "when it is over", rests(now.Add(2*time.Second)), []db.Rest{all[0], all[2]})
	same(t, "by a clock that was put back", rests(now.Add(-time.Millisecond)), nil)
	r.clock.Advance(time.Minute) // the second one ends at this very moment
	r.update(func(tx *db.Tx) error { return tx.EndRests() })
	same(t, "kept", rests(now), all[2:])
}

func TestGroupAdminsAreWhoTelegramTold(t *testing.T) {
	r := newRoom(t)
	are := func(users ...desk.UserID) (list []bool) {
		r.view(func(v db.View) error {
			for _, u := range users {
				is, err := v.IsGroupAdmin(u)
				if err != nil {
					return err
				}
				list = append(list, is)
			}
			return nil
		})
		return list
	}
	set := func(user desk.UserID, is bool) { r.update(func(tx *db.Tx) error { return tx.SetGroupAdmin(user, is) }) }
	set(1, true)
	set(1, true)
	set(2, true)
	set(2, false)
	same(t, "one by one", are(1, 2, 3), []bool{true, false, false})
	r.update(func(tx *db.Tx) error { return tx.SetGroupAdmins([]desk.UserID{2, 3, 3}) })
	same(t, "whole list", are(1, 2, 3), []bool{false, true, true})
	r.update(func(tx *db.Tx) error { return tx.SetGroupAdmins(nil) })
	same(t, "empty list", are(1, 2, 3), []bool{false, false, false})
}

// The proof that the group has topics outlives a restart, and belongs to one group.
func TestForumProofIsOfOneGroup(t *testing.T) {
	r := newRoom(t)
	proof := func() (at time.Time) {
		r.view(func(v db.View) (err error) { at, err = v.ForumProof(); return err })
		return at
	}
	same(t, "at first", proof(), time.Time{})
	seen := r.clock.Now()
	r.update(func(tx *db.Tx) error { return tx.SetForumProof(seen.Add(-time.Minute)) })
	r.update(func(tx *db.Tx) error { return tx.SetForumProof(seen) })
	r.reopen()
	same(t, "after a restart", proof(), seen)
	r.update(func(tx *db.Tx) error { _, err := tx.MoveGroup(-1009999999999); return err })
	same(t, "of another group", proof(), time.Time{})
}

// A clock that was years ahead noted a rest that is to last for years. When it is right again, that rest counts for nothing, and the
// next one takes its place.
func TestRestOfAClockThatWasAheadIsReplaced(t *testing.T) {
	r := newRoom(t)
	const years = 4 * 365 * 24 * time.Hour
	set := func(d time.Duration) {
		r.update(func(tx *db.Tx) error { return tx.SetRest(db.Rest{Chat: -100, Family: "sends", Until: tx.Now.Add(d)}) })
	}
	var rests []db.Rest
	look := func() {
		r.view(func(v db.View) (err error) {
			rests, err = v.Rests(r.clock.Now())
			return err
		})
	}
	r.clock.Advance(years)
	set(5 * time.Second)
	r.clock.Advance(-years)
	look()
	same(t, "while the clock is right and the rest is not", rests, nil)
	set(5 * time.Second)
	look()
	same(t, "replaced", rests, []db.Rest{{Chat: -100, Family: "sends", Until: r.clock.Now().Add(5 * time.Second)}})
	r.clock.Advance(time.Minute)
	look()
	same(t, "over", rests, nil)
	set(time.Minute)
	set(time.Second)
	look()
	same(t, "a longer one stays", rests, []db.Rest{{Chat: -100, Family: "sends", Until: r.clock.Now().Add(time.Minute)}})
}
