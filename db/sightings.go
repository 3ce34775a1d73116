package db

import (
	"time"

	"hodor/internal/desk"
)

// A Sighting is a topic that Telegram reported as made by the bot and that no person has.
type Sighting struct {
	Thread desk.ThreadID
	Title  string
	Used   bool // somebody wrote in it
	At     time.Time
}

// NoteSighting keeps a topic that the bot is said to have made at the given moment.
func (tx *Tx) NoteSighting(thread desk.ThreadID, title string, at time.Time) error {
	tx.news.Topics = true
	return wrapf(tx.do(`INSERT INTO topic_sightings (bot_id, chat_id, thread_id, title, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, tx.bot, tx.group, thread, title, stamp(at)), "note topic %d", thread)
}

// UseSighting notes that somebody wrote in the topic, if it is one that nobody owns; then it is not ours to remove.
func (tx *Tx) UseSighting(thread desk.ThreadID) error {
	return wrapf(tx.do(`UPDATE topic_sightings SET is_used = 1
		WHERE bot_id = ? AND chat_id = ? AND thread_id = ? AND is_used = 0`, tx.bot, tx.group, thread), "note use of topic %d", thread)
}

// SightingOf is the unowned topic with this thread id; false if it is not known as one.
func (v View) SightingOf(thread desk.ThreadID) (s Sighting, found bool, err error) {
	s.Thread = thread
	found, err = v.one(`SELECT title, is_used, created_at FROM topic_sightings
		WHERE bot_id = ? AND chat_id = ? AND thread_id = ?`, []any{v.bot, v.group, thread}, &s.Title, &s.Used, moment{&s.At})
	return s, found, wrapf(err, "read unowned topic %d", thread)
}

// Sightings are all unowned topics, the oldest first.
func (v View) Sightings() ([]Sighting, error) {
	var list []Sighting
	err := v.each(`SELECT thread_id, title, is_used, created_at FROM topic_sightings
		WHERE bot_id = ? AND chat_id = ? ORDER BY thread_id`, []any{v.bot, v.group}, func(scan func(...any) error) error {
		var s Sighting
		err := scan(&s.Thread, &s.Title, &s.Used, moment{&s.At})
		list = append(list, s)
		return err
	})
	return list, wrapf(err, "read unowned topics")
}

// EndSighting forgets a topic that has an owner now, or is removed.
func (tx *Tx) EndSighting(thread desk.ThreadID) error {
	return wrapf(tx.do("DELETE FROM topic_sightings WHERE bot_id = ? AND chat_id = ? AND thread_id = ?", tx.bot, tx.group, thread),
		"forget unowned topic %d", thread)
}
