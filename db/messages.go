package db

import (
	"time"

	"hodor/internal/desk"
)

// A Direction is which way a message went.
type Direction string

const (
	In  Direction = "in"  // from a person into the topic
	Out Direction = "out" // from the team to the person
)

// A Relayed is a row of the ledger: one message as it stands on both sides. The ledger keeps no text.
type Relayed struct {
	User      desk.UserID
	Thread    desk.ThreadID
	Direction Direction
	InGroup   desk.MessageID
	InPrivate desk.MessageID
	Content   string // the Bot API's name of the kind
	At        time.Time
}

// WriteLedger adds a message that stands on both sides.
func (tx *Tx) WriteLedger(r Relayed) error {
	return wrapf(tx.do(`INSERT INTO messages (bot_id, user_id, chat_id, thread_id, direction, group_msg_id, private_msg_id,
		content_type, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, tx.bot, r.User, tx.group, r.Thread, r.Direction, r.InGroup,
		r.InPrivate, r.Content, stamp(tx.Now)), "write the ledger")
}

// StrikeLedger removes a message from the ledger: it does not stand where the row says.
func (tx *Tx) StrikeLedger(inGroup desk.MessageID) error {
	return wrapf(tx.do("DELETE FROM messages WHERE chat_id = ? AND group_msg_id = ? AND bot_id = ?", tx.group, inGroup, tx.bot),
		"strike the ledger")
}

// Ledger is what was relayed for a person, oldest first.
func (v View) Ledger(user desk.UserID) ([]Relayed, error) {
	var rows []Relayed
	err := v.each(`SELECT user_id, thread_id, direction, group_msg_id, private_msg_id, content_type, created_at FROM messages
		WHERE user_id = ? AND bot_id = ? AND chat_id = ? ORDER BY created_at, id`, []any{user, v.bot, v.group},
		func(scan func(...any) error) error {
			var r Relayed
			err := scan(&r.User, &r.Thread, &r.Direction, &r.InGroup, &r.InPrivate, &r.Content, moment{&r.At})
			rows = append(rows, r)
			return err
		})
	return rows, wrapf(err, "read the ledger of user %d", user)
}
