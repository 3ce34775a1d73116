package db

import (
	"time"

	"hodor/internal/desk"
)

// A Topic is where a person's conversation stands in the group. Thread 0 means that there is none at the moment, and the next
// message opens one: it never was, or was deleted by hand, or stands in a group that is not ours any more.
type Topic struct {
	User         desk.UserID
	Thread       desk.ThreadID
	Title        string
	TitleByAdmin bool // somebody of the team renamed it, and so it stays
	Closed       bool
	Card         desk.MessageID
	Note         string
	EditedAt     time.Time // title or card
}

// Ids of another group are never used: such a binding counts as gone, and only the note counts.
const topicColumns = `user_id, CASE WHEN chat_id = ?1 THEN thread_id END, title, CASE WHEN chat_id = ?1 THEN title_by_admin ELSE 0 END,
	status = 'closed' AND chat_id = ?1, CASE WHEN chat_id = ?1 THEN pinned_msg_id END, note, edited_at`

func (t *Topic) fields() []any {
	return []any{&t.User, orZero[desk.ThreadID]{&t.Thread}, &t.Title, &t.TitleByAdmin, &t.Closed,
		orZero[desk.MessageID]{&t.Card}, &t.Note, moment{&t.EditedAt}}
}

// TopicOf is the person's topic; the zero Topic if they never had one.
func (v View) TopicOf(user desk.UserID) (t Topic, err error) {
	_, err = v.one("SELECT "+topicColumns+" FROM topics WHERE bot_id = ?2 AND user_id = ?3", []any{v.group, v.bot, user}, t.fields()...)
	return t, wrapf(err, "read the topic of user %d", user)
}

// TopicIn is the topic with this thread id; false if no person has it.
func (v View) TopicIn(thread desk.ThreadID) (t Topic, found bool, err error) {
	found, err = v.one("SELECT "+topicColumns+" FROM topics WHERE bot_id = ?2 AND chat_id = ?1 AND thread_id = ?3",
		[]any{v.group, v.bot, thread}, t.fields()...)
	return t, found, wrapf(err, "read topic %d", thread)
}

// BindTopic gives the person this thread. A note that was there stays.
func (tx *Tx) BindTopic(user desk.UserID, thread desk.ThreadID, title string) error {
	return wrapf(tx.do(`INSERT INTO topics (bot_id, user_id, chat_id, thread_id, title, created_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (bot_id, user_id) DO UPDATE SET chat_id = excluded.chat_id, thread_id = excluded.thread_id,
			title = excluded.title, title_by_admin = 0, status = 'open', pinned_msg_id = NULL, edited_at = NULL,
			created_at = excluded.created_at, closed_at = NULL`,
		tx.bot, user, tx.group, thread, title, stamp(tx.Now)), "bind topic %d to user %d", thread, user)
}

// UnbindTopic forgets a thread that is gone; the note stays. False if the person has another by now.
func (tx *Tx) UnbindTopic(user desk.UserID, thread desk.ThreadID) (bool, error) {
	n, err := tx.change(`UPDATE topics SET thread_id = NULL, pinned_msg_id = NULL, status = 'open', closed_at = NULL
		WHERE bot_id = ? AND user_id = ? AND chat_id = ? AND thread_id = ?`, tx.bot, user, tx.group, thread)
	return n == 1, wrapf(err, "forget topic %d", thread)
}

// CloseTopic notes that the topic is closed; the first time stays (G1). False if no person has it.
func (tx *Tx) CloseTopic(thread desk.ThreadID) (bool, error) {
	n, err := tx.change(`UPDATE topics SET status = 'closed', closed_at = COALESCE(closed_at, ?)
		WHERE bot_id = ? AND chat_id = ? AND thread_id = ?`, stamp(tx.Now), tx.bot, tx.group, thread)
	return n == 1, wrapf(err, "close topic %d", thread)
}

// ReopenTopic notes that the topic is open. False if no person has it.
func (tx *Tx) ReopenTopic(thread desk.ThreadID) (bool, error) {
	n, err := tx.change(`UPDATE topics SET status = 'open', closed_at = NULL
		WHERE bot_id = ? AND chat_id = ? AND thread_id = ?`, tx.bot, tx.group, thread)
	return n == 1, wrapf(err, "reopen topic %d", thread)
}

// SetCard remembers the card's message in the person's topic; 0 forgets it.
func (tx *Tx) SetCard(user desk.UserID, card desk.MessageID) error {
	return wrapf(tx.do("UPDATE topics SET pinned_msg_id = ? WHERE bot_id = ? AND user_id = ? AND chat_id = ?",
		numberOrNull(card), tx.bot, user, tx.group), "set the card of user %d", user)
}

// SetTitle remembers the name that we gave the topic.
func (tx *Tx) SetTitle(user desk.UserID, title string) error {
	return wrapf(tx.do("UPDATE topics SET title = ?, edited_at = ? WHERE bot_id = ? AND user_id = ? AND chat_id = ?",
		title, stamp(tx.Now), tx.bot, user, tx.group), "rename the topic of user %d", user)
}

// SetEdited remembers that the card was edited now.
func (tx *Tx) SetEdited(user desk.UserID) error {
	return wrapf(tx.do("UPDATE topics SET edited_at = ? WHERE bot_id = ? AND user_id = ? AND chat_id = ?",
		stamp(tx.Now), tx.bot, user, tx.group), "note the edit of the card of user %d", user)
}

// SetTitleByAdmin remembers a name that somebody of the team chose, which is left alone from then on.
func (tx *Tx) SetTitleByAdmin(thread desk.ThreadID, title string) error {
	return wrapf(tx.do(`UPDATE topics SET title = ?, title_by_admin = 1
		WHERE bot_id = ? AND chat_id = ? AND thread_id = ?`, title, tx.bot, tx.group, thread), "keep the name of topic %d", thread)
}

// SetNote keeps what the team noted of the person; empty removes it.
func (tx *Tx) SetNote(user desk.UserID, note string) error {
	return wrapf(tx.do("UPDATE topics SET note = ? WHERE bot_id = ? AND user_id = ?", note, tx.bot, user),
		"note on user %d", user)
}
