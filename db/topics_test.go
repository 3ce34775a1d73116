package db_test

import (
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

func (r *room) topicOf(user desk.UserID) (topic db.Topic) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		topic, err = v.TopicOf(user)
		return err
	})
	return topic
}

func (r *room) topicIn(thread desk.ThreadID) (topic db.Topic, found bool) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		topic, found, err = v.TopicIn(thread)
		return err
	})
	return topic, found
}

func (r *room) bind(user desk.UserID, thread desk.ThreadID) {
	r.Helper()
	r.update(func(tx *db.Tx) error { return tx.BindTopic(user, thread, "Ann") })
}

// furnish gives a bound topic everything that a topic can have.
func (r *room) furnish(user desk.UserID, thread desk.ThreadID) {
	r.Helper()
	r.bind(user, thread)
	r.update(func(tx *db.Tx) error {
		for _, fn := range []func() error{
			func() error { return tx.SetCard(user, 40) },
			func() error { return tx.SetNote(user, "vip") },
			func() error { return tx.SetTitle(user, "Anna") },
			func() error { return tx.SetTitleByAdmin(thread, "Boss") },
			func() error { _, err := tx.CloseTopic(thread); return err },
		} {
			if err := fn(); err != nil {
				return err
			}
		}
		return nil
	})
}

// S13
func TestTopicIsFoundFromBothSides(t *testing.T) {
	r := newRoom(t)
	same(t, "before", r.topicOf(7), db.Topic{})
	if _, found := r.topicIn(2); found {
		t.Error("a topic nobody has is found")
	}
	r.furnish(7, 2)
	want := db.Topic{User: 7, Thread: 2, Title: "Boss", TitleByAdmin: true, Closed: true, Card: 40, Note: "vip", EditedAt: r.clock.Now()}
	same(t, "by person", r.topicOf(7), want)
	got, found := r.topicIn(2)
	same(t, "by thread", got, want)
	if !found {
		t.Error("not found by thread")
	}
}

// S13, S17
func TestTopicHasOnePerson(t *testing.T) {
	r := newRoom(t)
	r.bind(7, 2)
	err := r.Update(t.Context(), func(tx *db.Tx) error { return tx.BindTopic(8, 2, "Bob") })
	refused(t, err, "bind topic 2 to user 8", "UNIQUE")
	same(t, "owner", r.topicOf(7).Thread, 2)
	same(t, "other", r.topicOf(8), db.Topic{})
}

func TestNewBindingReplacesTheOldAndKeepsTheNote(t *testing.T) {
	r := newRoom(t)
	r.furnish(7, 2)
	r.clock.Advance(time.Hour)
	r.bind(7, 3)
	same(t, "topic", r.topicOf(7), db.Topic{User: 7, Thread: 3, Title: "Ann", Note: "vip"})
	if _, found := r.topicIn(2); found {
		t.Error("the old thread is still somebody's")
	}
}

func TestUnbindingKeepsTheNote(t *testing.T) {
	r := newRoom(t)
	r.furnish(7, 2)
	unbind := func(thread desk.ThreadID) bool {
		return r.decided(func(tx *db.Tx) (bool, error) { return tx.UnbindTopic(7, thread) })
	}
	if unbind(3) || r.topicOf(7).Thread != 2 {
		t.Error("forgot a topic that is not the one which is gone")
	}
	if !unbind(2) || unbind(2) {
		t.Error("not forgotten exactly once")
	}
	got := r.topicOf(7)
	if got.Thread != 0 || got.Card != 0 || got.Closed || got.Note != "vip" {
		t.Errorf("left: %+v", got)
	}
	r.bind(8, 2) // the number is free
}

// G1: the first time of closing stays.
func TestClosingAndReopening(t *testing.T) {
	r := newRoom(t)
	r.bind(7, 2)
	closeIt := func(tx *db.Tx) (bool, error) { return tx.CloseTopic(2) }
	if !r.decided(closeIt) {
		t.Error("not closed")
	}
	first := r.texts("SELECT closed_at FROM topics")
	r.clock.Advance(time.Hour)
	if !r.decided(closeIt) {
		t.Error("closing again finds nobody")
	}
	same(t, "closed at", r.texts("SELECT closed_at FROM topics"), first)
	if !r.decided(func(tx *db.Tx) (bool, error) { return tx.ReopenTopic(2) }) || r.topicOf(7).Closed {
		t.Error("not reopened")
	}
	same(t, "closed at", r.texts("SELECT closed_at FROM topics WHERE closed_at IS NOT NULL"), nil)
	if r.decided(func(tx *db.Tx) (bool, error) { return tx.CloseTopic(3) }) ||
		r.decided(func(tx *db.Tx) (bool, error) { return tx.ReopenTopic(3) }) {
		t.Error("a topic that nobody has was closed or reopened")
	}
}

func (r *room) move(to desk.ChatID) bool {
	r.Helper()
	return r.decided(func(tx *db.Tx) (bool, error) { return tx.MoveGroup(to) })
}

// Ids of another group are never used: bindings count as gone, the note stays, ledger rows are unknown.
func TestIdsOfTheFormerGroupAreNotSeen(t *testing.T) {
	r := newRoom(t)
	now := r.clock.Now()
	r.furnish(7, 2)
	r.update(func(tx *db.Tx) error {
		if err := tx.WriteLedger(db.Relayed{User: 7, Thread: 2, Direction: db.In, InGroup: 5, InPrivate: 6, Content: "text"}); err != nil {
			return err
		}
		if err := tx.SetGroupAdmin(9, true); err != nil {
			return err
		}
		if err := tx.BeginCreation(8, "Bob"); err != nil {
			return err
		}
		return tx.NoteSighting(4, "Bob", now)
	})
	r.move(-1009)
	same(t, "topic", r.topicOf(7), db.Topic{User: 7, Title: "Boss", Note: "vip", EditedAt: now})
	if _, found := r.topicIn(2); found {
		t.Error("a thread of the former group is found")
	}
	r.view(func(v db.View) error {
		ledger, err := v.Ledger(7)
		same(t, "ledger", ledger, nil)
		admin, err2 := v.IsGroupAdmin(9)
		begun, err3 := v.Creations()
		same(t, "creations", begun, nil)
		_, sighted, err4 := v.SightingOf(4)
		if admin || sighted {
			t.Errorf("administrator %v, unowned topic %v of the former group", admin, sighted)
		}
		for _, e := range []error{err, err2, err3, err4} {
			if e != nil {
				t.Error(e)
			}
		}
		return nil
	})
}

// A change meant for a thread of this group does not touch what is left of the former one.
func TestFormerGroupIsNotTouched(t *testing.T) {
	r := newRoom(t)
	r.furnish(7, 2)
	r.move(-1009)
	before := r.dump()
	r.update(func(tx *db.Tx) error {
		for _, fn := range []func() (bool, error){
			func() (bool, error) { return tx.UnbindTopic(7, 2) },
			func() (bool, error) { return tx.CloseTopic(2) },
			func() (bool, error) { return tx.ReopenTopic(2) },
			func() (bool, error) { return false, tx.SetCard(7, 99) },
			func() (bool, error) { return false, tx.SetTitle(7, "x") },
			func() (bool, error) { return false, tx.SetEdited(7) },
			func() (bool, error) { return false, tx.SetTitleByAdmin(2, "x") },
			func() (bool, error) { return false, tx.StrikeLedger(5) },
		} {
			if changed, err := fn(); err != nil || changed {
				t.Errorf("changed %v, %v", changed, err)
			}
		}
		return nil
	})
	same(t, "rows", r.dump(), before)
	r.bind(8, 2) // the same number in the new group is another topic
	r.bind(7, 3)
	same(t, "note", r.topicOf(7), db.Topic{User: 7, Thread: 3, Title: "Ann", Note: "vip"})
}

func TestMovedGroupIsFollowedAfterARestart(t *testing.T) {
	r := newRoom(t)
	if r.move(dbtest.Group) {
		t.Error("moved to where it was")
	}
	if !r.move(-1009) || r.Group() != -1009 || r.move(-1009) {
		t.Error("not moved exactly once")
	}
	r.view(func(v db.View) error { same(t, "view", v.Group(), desk.ChatID(-1009)); return nil })
	r.reopen()
	same(t, "after a restart", r.Group(), desk.ChatID(-1009))
	r.move(-1010)
	r.reopen()
	same(t, "after a second move", r.Group(), desk.ChatID(-1010))
}

// A view's group is the one of its snapshot for an update too: a later update of the same batch is in the new group already.
func TestMoveHoldsForTheRestOfTheBatch(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	moved := r.later(func(tx *db.Tx) error { _, err := tx.MoveGroup(-1009); return err })
	bound := r.later(func(tx *db.Tx) error { return tx.BindTopic(7, 2, "Ann") })
	release()
	if err1, err2 := <-moved, <-bound; err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	same(t, "bound in the new group", r.topicOf(7).Thread, desk.ThreadID(2))
}

// S12
func TestSettings(t *testing.T) {
	r := newRoom(t)
	defaults := db.Settings{VerifyEnabled: true, VerifyMode: "button", VerifyGeneration: 4}
	for _, c := range []struct {
		rows []string
		want db.Settings
	}{
		{nil, defaults},
		{[]string{"verify_enabled", "0", "verify_mode", "turnstile", "verify_generation", "7"}, db.Settings{VerifyMode: "turnstile", VerifyGeneration: 7}},
		{[]string{"verify_enabled", "1", "verify_mode", "math", "verify_generation", "0"}, db.Settings{VerifyEnabled: true, VerifyMode: "math"}},
		{[]string{"verify_enabled", "yes", "verify_mode", "MATH", "verify_generation", "-1"}, defaults},
		{[]string{"verify_enabled", "", "verify_mode", "", "verify_generation", ""}, defaults},
		{[]string{"verify_enabled", " 0", "verify_mode", "math ", "verify_generation", "1.5"}, defaults},
		{[]string{"verify_enabled", "false", "verify_generation", "99999999999999999999"}, defaults},
		{[]string{"something_else", "1"}, defaults},
	} {
		r.update(func(tx *db.Tx) error {
			if err := tx.Exec("DELETE FROM settings"); err != nil {
				return err
			}
			for i := 0; i < len(c.rows); i += 2 {
				if err := tx.Exec("INSERT INTO settings (key, value) VALUES (?, ?)", c.rows[i], c.rows[i+1]); err != nil {
					return err
				}
			}
			return nil
		})
		r.view(func(v db.View) error {
			got, err := v.Settings(defaults)
			same(t, "settings", got, c.want)
			return err
		})
	}
}
