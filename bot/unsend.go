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
	for _, row := range open {
		if row.Lane != desk.UserLane(topic.User) {
			continue
		}
		cancelled, err := tx.Cancel(row.ID, "taken back")
		if relay, ok := row.Call.(desk.RelayToUser); err == nil && cancelled && ok {
			return b.takenBack(tx, e, row, relay.Copied)
		}
		if err != nil {
			return err
		}
	}
	return tx.Owe(desk.Unsend{User: topic.User, Message: e.replyTo, Command: e.message})
}

// takenBack removes from the topic what the person will not get. Only if an earlier try may have arrived is that said.
func (b *Bot) takenBack(tx *db.Tx, e groupWrote, row db.CallRow, relay desk.Copied) error {
	gone := []desk.MessageID{relay.Source}
	if relay.Items {
		items, err := tx.AlbumItems(row.ID)
		if err != nil {
			return err
		}
		gone = nil
		for _, i := range items {
			gone = append(gone, i.Source)
		}
		if err := tx.RefuseAlbum(tx.Group(), relay.Album, relay.Source); err != nil {
			return err
		}
	}
	if row.Notice != 0 { // "Trying again…" stands under it
		if err := tx.Owe(desk.DeleteMessage{From: row.NoticeLane, Message: row.Notice}); err != nil {
			return err
		}
	}
	if row.Doubts == 0 {
		gone = append(gone, e.message)
	} else if err := b.reply(tx, e, text.DelMaybeArrived()); err != nil {
		return err
	}
	for _, m := range gone {
		if err := tx.Owe(desk.DeleteMessage{From: desk.TopicLane(relay.User), Message: m}); err != nil {
			return err
		}
	}
	return nil
}
