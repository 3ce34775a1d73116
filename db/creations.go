package db

import (
	"time"

	"hodor/internal/desk"
)

// A Creation is a topic asked of Telegram whose thread id we do not know yet.
type Creation struct {
	User          desk.UserID
	Title         string
	CalledAt      time.Time
	DoubtfulSince time.Time // zero while the answer is awaited
}

const creationColumns = "user_id, title, called_at, doubtful_since"

func (c *Creation) fields() []any {
	return []any{&c.User, &c.Title, moment{&c.CalledAt}, moment{&c.DoubtfulSince}}
}

// CreationFor is the creation begun for a person; false if none is.
func (v View) CreationFor(user desk.UserID) (c Creation, found bool, err error) {
	found, err = v.one("SELECT "+creationColumns+" FROM topic_creations WHERE bot_id = ? AND chat_id = ? AND user_id = ?",
		[]any{v.bot, v.group, user}, c.fields()...)
	return c, found, wrapf(err, "read the topic creation for user %d", user)
}

// Creations are all that have begun: one in flight, and those in doubt.
func (v View) Creations() ([]Creation, error) {
	var list []Creation
	err := v.each("SELECT "+creationColumns+" FROM topic_creations WHERE bot_id = ? AND chat_id = ?", []any{v.bot, v.group},
		func(scan func(...any) error) error {
			var c Creation
			err := scan(c.fields()...)
			list = append(list, c)
			return err
		})
	return list, wrapf(err, "read the topic creations")
}

// BeginCreation notes that a topic of this title is being asked of Telegram now. It takes the place of an earlier one for the person
// that was in doubt: should that one's topic show up after all, nobody owns it.
func (tx *Tx) BeginCreation(user desk.UserID, title string) error {
	return wrapf(tx.do(`INSERT INTO topic_creations (bot_id, user_id, chat_id, title, called_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (bot_id, user_id) DO UPDATE SET chat_id = excluded.chat_id, title = excluded.title,
			called_at = excluded.called_at, doubtful_since = NULL`,
		tx.bot, user, tx.group, title, stamp(tx.Now)), "begin a topic for user %d", user)
}

// DoubtCreation notes that its answer was lost.
func (tx *Tx) DoubtCreation(user desk.UserID) error {
	tx.news.Topics = true
	return wrapf(tx.do("UPDATE topic_creations SET doubtful_since = ? WHERE bot_id = ? AND user_id = ?", stamp(tx.Now), tx.bot, user),
		"doubt the topic for user %d", user)
}

// DoubtCreations notes at a start that every answer still awaited is lost.
func (tx *Tx) DoubtCreations() error {
	return wrapf(tx.do("UPDATE topic_creations SET doubtful_since = ? WHERE bot_id = ? AND doubtful_since IS NULL", stamp(tx.Now), tx.bot),
		"doubt the topics asked for")
}

// EndCreation forgets it: its topic is known, or was refused.
func (tx *Tx) EndCreation(user desk.UserID) error {
	tx.news.Topics = true
	return wrapf(tx.do("DELETE FROM topic_creations WHERE bot_id = ? AND user_id = ?", tx.bot, user), "end the topic for user %d", user)
}
