package db

import (
	"time"

	"hodor/internal/desk"
)

// Unreachable says why a message to a person was last refused; empty when none was.
type Unreachable string

const (
	Reachable   Unreachable = ""
	Blocked     Unreachable = "blocked"
	Deactivated Unreachable = "deactivated"
	NotStarted  Unreachable = "not_started"
)

// A User is a person who has written to the bot.
type User struct {
	desk.Person
	Archived    bool // status is 'deleted': the conversation was ended by /archive
	Banned      bool
	Risk        bool
	Verified    bool
	Unreachable Unreachable
	FirstSeen   time.Time
	LastSeen    time.Time // to the minute
}

const userColumns = `user_id, first_name, last_name, username, language_code, status = 'deleted', is_banned, is_risk, is_verified,
	unreachable, first_seen_at, last_seen_at`

func (u *User) fields() []any {
	return []any{&u.ID, &u.FirstName, &u.LastName, &u.Username, &u.LanguageCode, &u.Archived, &u.Banned, &u.Risk, &u.Verified,
		&u.Unreachable, moment{&u.FirstSeen}, moment{&u.LastSeen}}
}

// User is the person with this id; false if they never wrote.
func (v View) User(id desk.UserID) (u User, found bool, err error) {
	found, err = v.one("SELECT "+userColumns+" FROM users WHERE bot_id = ? AND user_id = ?", []any{v.bot, id}, u.fields()...)
	return u, found, wrapf(err, "read user %d", id)
}

// A Meeting is what a person's message told us of the person.
type Meeting struct {
	User
	New     bool // never seen before
	Renamed bool // some name is another than last time
	Changed bool // something that the card shows is
	Back    bool // they were taken for unreachable
}

// Meet remembers a person who wrote. It touches nothing that the team decides, nor the first contact (S1–S4).
func (tx *Tx) Meet(p desk.Person) (Meeting, error) {
	known, found, err := tx.User(p.ID)
	if err != nil {
		return Meeting{}, err
	}
	if !found {
		return tx.meetFirst(p)
	}
	m := Meeting{User: known,
		Renamed: known.FirstName != p.FirstName || known.LastName != p.LastName || known.Username != p.Username}
	m.Back = known.Unreachable != Reachable
	m.Changed = m.Renamed || m.Back || known.LanguageCode != p.LanguageCode
	minute := tx.Now.Truncate(time.Minute)
	if !m.Changed && known.LastSeen.Equal(minute) {
		return m, nil // the common case writes nothing: a page of users for each message is the dearest thing there is
	}
	m.Person, m.Unreachable, m.LastSeen = p, Reachable, minute
	err = tx.do(`UPDATE users SET first_name = ?, last_name = ?, username = ?, language_code = ?, unreachable = '', last_seen_at = ?
		WHERE bot_id = ? AND user_id = ?`, p.FirstName, p.LastName, p.Username, p.LanguageCode, stamp(minute), tx.bot, p.ID)
	return m, wrapf(err, "refresh user %d", p.ID)
}

func (tx *Tx) meetFirst(p desk.Person) (Meeting, error) {
	m := Meeting{User: User{Person: p, FirstSeen: tx.Now, LastSeen: tx.Now.Truncate(time.Minute)}, New: true}
	err := tx.do(`INSERT INTO users (bot_id, user_id, first_name, last_name, username, language_code, first_seen_at, last_seen_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, tx.bot, p.ID, p.FirstName, p.LastName, p.Username, p.LanguageCode, stamp(m.FirstSeen), stamp(m.LastSeen))
	return m, wrapf(err, "insert user %d", p.ID)
}

// A noticeColumn holds when a person was last told something of a sort.
type noticeColumn string

const (
	welcomeSlot noticeColumn = "last_notice_at"
	refusalSlot noticeColumn = "refusal_notice_at"
	riskSlot    noticeColumn = "risk_notice_at"
)

// Notices a person gets at most once in a while, and the reminder about a person marked as risk.
const (
	NoticeEvery = 60 * time.Second
	RiskEvery   = 24 * time.Hour
)

// WinWelcome is the one decision whether the person may be greeted now: once a minute, shared with the challenge (S5).
func (tx *Tx) WinWelcome(id desk.UserID) (bool, error) {
	return tx.winUserSlot(id, welcomeSlot, NoticeEvery, "")
}

// WinRefusal is the one decision whether the person may be told of a refusal now.
func (tx *Tx) WinRefusal(id desk.UserID) (bool, error) {
	return tx.winUserSlot(id, refusalSlot, NoticeEvery, "")
}

// WinRiskReminder is the one decision whether the team is reminded of a marked person now (S10).
func (tx *Tx) WinRiskReminder(id desk.UserID) (bool, error) {
	return tx.winUserSlot(id, riskSlot, RiskEvery, " AND is_risk = 1")
}

// winUserSlot wins if the slot was never taken, or its time is over, or it was taken in a future that no clock of ours has seen.
func (tx *Tx) winUserSlot(id desk.UserID, slot noticeColumn, every time.Duration, also string) (bool, error) {
	column := string(slot)
	n, err := tx.change("UPDATE users SET "+column+" = ? WHERE bot_id = ? AND user_id = ?"+also+
		" AND ("+column+" IS NULL OR "+column+" <= ? OR "+column+" > ?)",
		stamp(tx.Now), tx.bot, id, stamp(tx.Now.Add(-every)), stamp(tx.Now.Add(every)))
	return n == 1, wrapf(err, "take a notice slot of user %d", id)
}

// SetUnreachable remembers that a message to the person was refused, or that they are back; true if that is news.
func (tx *Tx) SetUnreachable(id desk.UserID, why Unreachable) (bool, error) {
	n, err := tx.change("UPDATE users SET unreachable = ? WHERE bot_id = ? AND user_id = ? AND unreachable <> ?",
		why, tx.bot, id, why)
	return n == 1, wrapf(err, "mark user %d", id)
}

// SetActive ends the archived state; the conversation goes on.
func (tx *Tx) SetActive(id desk.UserID) error {
	return wrapf(tx.do("UPDATE users SET status = 'active' WHERE bot_id = ? AND user_id = ? AND status <> 'active'", tx.bot, id),
		"set user %d active", id)
}

// SetBanned bans or frees a person; a ban also ends a pending challenge.
func (tx *Tx) SetBanned(id desk.UserID, banned bool) error {
	query := "UPDATE users SET is_banned = 0 WHERE bot_id = ? AND user_id = ?"
	if banned {
		query = `UPDATE users SET is_banned = 1, verify_answer = NULL, verify_msg_id = NULL, verify_request_hash = NULL,
			verify_request_expires_at = NULL, verify_request_generation = NULL, verify_submit_not_before = NULL
			WHERE bot_id = ? AND user_id = ?`
	}
	return wrapf(tx.do(query, tx.bot, id), "ban user %d", id)
}

// SetRisk marks or unmarks a person; the reminder begins anew.
func (tx *Tx) SetRisk(id desk.UserID, risk bool) error {
	return wrapf(tx.do("UPDATE users SET is_risk = ?, risk_notice_at = NULL WHERE bot_id = ? AND user_id = ?", risk, tx.bot, id),
		"mark user %d", id)
}
