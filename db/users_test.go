package db_test

import (
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// user is what is known of person 7.
func (r *room) user() (u db.User) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		u, _, err = v.User(7)
		return err
	})
	return u
}

func (r *room) met(p desk.Person) (m db.Meeting) {
	r.Helper()
	r.update(func(tx *db.Tx) (err error) {
		m, err = tx.Meet(p)
		return err
	})
	return m
}

var ann = desk.Person{ID: 7, FirstName: "Ann", LastName: "Lee", Username: "annlee", LanguageCode: "de"}

// S1
func TestFirstMeeting(t *testing.T) {
	r := newRoom(t)
	now := r.clock.Now()
	want := db.User{Person: ann, FirstSeen: now, LastSeen: now.Truncate(time.Minute)}
	same(t, "meeting", r.met(ann), db.Meeting{User: want, New: true})
	same(t, "user", r.user(), want)
}

// S2
func TestChangedNamesAreNoticed(t *testing.T) {
	for name, change := range map[string]func(*desk.Person){
		"first name":    func(p *desk.Person) { p.FirstName = "Anna" },
		"last name":     func(p *desk.Person) { p.LastName = "" },
		"username":      func(p *desk.Person) { p.Username = "anna" },
		"language only": func(p *desk.Person) { p.LanguageCode = "fr" },
	} {
		r := newRoom(t)
		first := r.met(ann).FirstSeen
		r.clock.Advance(time.Hour)
		changed := ann
		change(&changed)
		m := r.met(changed)
		if m.New || !m.Changed || m.Renamed != (name != "language only") {
			t.Errorf("%s: %+v", name, m)
		}
		u := r.user()
		same(t, name, u.Person, changed)
		same(t, name+": first contact", u.FirstSeen, first)
		if m = r.met(changed); m.Renamed || m.Changed {
			t.Errorf("%s: new a second time", name)
		}
	}
}

// S3: the common case changes nothing but when the person was last seen, and that once a minute.
func TestMeetingAgainUnchanged(t *testing.T) {
	r := newRoom(t)
	want := r.met(ann).User
	r.clock.Advance(90 * time.Minute)
	want.LastSeen = r.clock.Now().Truncate(time.Minute)
	same(t, "meeting", r.met(ann), db.Meeting{User: want})
	same(t, "user", r.user(), want)
	r.clock.Advance(time.Second)
	r.update(func(tx *db.Tx) error {
		tx.OnStatement(func(query string) {
			if strings.HasPrefix(query, "UPDATE") || strings.HasPrefix(query, "INSERT") {
				t.Errorf("a message of the same minute costs a write: %s", query)
			}
		})
		_, err := tx.Meet(ann)
		return err
	})
}

// S4, S8: names come and go; what the team decided stays.
func TestMeetingTouchesNothingTheTeamDecided(t *testing.T) {
	r := newRoom(t)
	r.met(ann)
	decided := `status = 'deleted', is_banned = 1, is_risk = 1, is_verified = 1, verified_at = 'v', verify_answer = 3,
		verify_msg_id = 4, verify_request_hash = 'h', last_notice_at = 'n', risk_notice_at = 'r', rate_count = 9`
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE users SET " + decided) })
	columns := `SELECT concat_ws(' ', status, is_banned, is_risk, is_verified, verified_at, verify_answer, verify_msg_id,
		verify_request_hash, last_notice_at, risk_notice_at, rate_count) FROM users`
	before := r.texts(columns)
	renamed := ann
	renamed.FirstName = "Anna"
	m := r.met(renamed)
	if !m.Archived || !m.Banned || !m.Risk || !m.Verified || !m.Renamed {
		t.Errorf("meeting does not tell what holds: %+v", m)
	}
	same(t, "decided", r.texts(columns), before)
}

func TestUnreachablePersonIsBackWhenTheyWrite(t *testing.T) {
	r := newRoom(t)
	r.met(ann)
	for _, why := range []db.Unreachable{db.Blocked, db.Deactivated, db.NotStarted} {
		mark := func(tx *db.Tx) (bool, error) { return tx.SetUnreachable(7, why) }
		if !r.decided(mark) || r.user().Unreachable != why {
			t.Errorf("%s is no news", why)
		}
		if r.decided(mark) {
			t.Errorf("%s is news twice", why)
		}
		if m := r.met(ann); !m.Changed || m.Renamed || m.Unreachable != db.Reachable || r.user().Unreachable != db.Reachable {
			t.Errorf("after %s: %+v", why, m)
		}
	}
	if r.decided(func(tx *db.Tx) (bool, error) { return tx.SetUnreachable(8, db.Blocked) }) {
		t.Error("news of somebody who never wrote")
	}
}

// S8
func TestBanAndRiskToggle(t *testing.T) {
	r := newRoom(t)
	r.met(ann)
	for _, on := range []bool{true, true, false, false, true} {
		r.update(func(tx *db.Tx) error { return tx.SetBanned(7, on) })
		if u := r.user(); u.Banned != on || u.Risk {
			t.Errorf("banned %v: %+v", on, u)
		}
	}
	for _, on := range []bool{true, true, false, false} {
		r.update(func(tx *db.Tx) error { return tx.SetRisk(7, on) })
		if u := r.user(); u.Risk != on || !u.Banned {
			t.Errorf("risk %v: %+v", on, u)
		}
	}
}

// Reference §18: a ban ends the pending challenge; lifting it brings none back.
func TestBanEndsAPendingChallenge(t *testing.T) {
	r := newRoom(t)
	r.met(ann)
	r.update(func(tx *db.Tx) error {
		return tx.Exec(`UPDATE users SET verify_answer = 3, verify_msg_id = 4, verify_request_hash = 'h',
			verify_request_expires_at = 'e', verify_request_generation = 1, verify_submit_not_before = 's'`)
	})
	r.update(func(tx *db.Tx) error { return tx.SetBanned(7, true) })
	same(t, "left of the challenge", r.texts(`SELECT concat_ws(' ', verify_answer, verify_msg_id, verify_request_hash,
		verify_request_expires_at, verify_request_generation, verify_submit_not_before) FROM users`), []string{""})
}

func TestArchivedPersonBecomesActive(t *testing.T) {
	r := newRoom(t)
	r.met(ann)
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE users SET status = 'deleted'") })
	if !r.user().Archived {
		t.Error("not archived")
	}
	r.update(func(tx *db.Tx) error { return tx.SetActive(7) })
	if r.user().Archived {
		t.Error("still archived")
	}
}

// What each bot knows of a person is its own.
func TestAnotherBotsUsersAreNotSeen(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error { return tx.Exec(wholeRows["users"].insert()) })
	r.view(func(v db.View) error {
		if _, found, err := v.User(7); found || err != nil {
			t.Errorf("found %v, %v", found, err)
		}
		return nil
	})
	if !r.met(ann).New {
		t.Error("met another bot's user")
	}
}

// S14
func TestIdentityIsWhatTelegramSaidLast(t *testing.T) {
	r := newRoom(t)
	identity := func() (i db.Identity, found bool) {
		r.view(func(v db.View) (err error) {
			i, found, err = v.Identity()
			return err
		})
		return i, found
	}
	if _, found := identity(); found {
		t.Error("a name before Telegram told one")
	}
	for _, want := range []db.Identity{{"desk_bot", "Desk"}, {"help_bot", "Help"}} {
		r.update(func(tx *db.Tx) error { return tx.SetIdentity(want) })
		if got, found := identity(); !found || got != want {
			t.Errorf("got %+v, %v", got, found)
		}
		r.clock.Advance(time.Hour)
	}
	same(t, "rows, and the first binding", r.texts("SELECT bot_id || ' ' || created_at FROM bots"),
		[]string{"1000 2026-01-02T03:04:05.000Z"})
}
