package bot

import (
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// del removes the message that the command replies to from both sides, an album as a whole. What is not sent yet is not sent.
func (b *Bot) del(tx *db.Tx, e groupWrote) error {
	topic, found, err := tx.TopicIn(e.thread)
	switch {
	case err != nil:
		return err
	case !found:
		return b.reply(tx, e, text.NoPerson())
	case e.replyTo == 0:
		return b.reply(tx, e, text.DelHow())
	}
	open, err := tx.OpenAbout(e.replyTo)
	if err != nil {
		return err
	}
	unsend := desk.Unsend{User: topic.User, Message: e.replyTo, Command: e.message}
	for _, row := range open {
		if row.Lane != unsend.Lane() {
			continue
		}
		cancelled, err := tx.Cancel(row.ID, "taken back")
		if err != nil {
			return err
		}
		relay, ok := row.Call.(desk.RelayToUser)
		switch {
		case ok && cancelled:
			return b.takenBack(tx, e, row, relay.Copied)
		case ok:
			unsend.Relay = row.ID
		}
	}
	return tx.Owe(unsend)
}

// takenBack removes from the topic what the person will not get. Only if an earlier try may have arrived is that said.
func (b *Bot) takenBack(tx *db.Tx, e groupWrote, row db.CallRow, relay desk.Copied) error {
	gone, err := tx.SourcesOf(row)
	if err == nil && relay.Items {
		err = tx.RefuseAlbum(tx.Group(), relay.Album, relay.Source)
	}
	if err != nil {
		return err
	}
	topic := desk.TopicLane(relay.User)
	if row.Doubts == 0 {
		gone = append(gone, e.message)
	} else if err := b.reply(tx, e, text.DelMaybeArrived()); err != nil {
		return err
	}
	if row.Notice != 0 { // "Trying again…" stands under it
		if err := tx.Owe(desk.DeleteMessage{From: row.NoticeLane, Message: row.Notice}); err != nil {
			return err
		}
	}
	return tx.Owe(desk.Removal(topic, gone...)...)
}
