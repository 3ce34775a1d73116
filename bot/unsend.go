package bot

import (
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// del takes the message that the command replies to back from both sides, an album as a whole. What is not sent yet is not sent.
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
	unsend := desk.Unsend{User: topic.User, Message: e.replyTo, Command: e.message}
	stopped, err := stop(tx, unsend)
	if err != nil {
		return err
	}
	for _, row := range stopped {
		remains, err := tx.Remains(row)
		if err != nil {
			return err
		}
		unsend.Also, unsend.Copies = append(unsend.Also, remains.Sources...), append(unsend.Copies, remains.Copies...)
		unsend.Maybe = unsend.Maybe || remains.Maybe
	}
	stands, found, err := anyStanding(tx, unsend, stopped)
	switch {
	case err != nil:
		return err
	case found:
		unsend.Message = stands.InGroup
	case len(stopped) > 0 && len(unsend.Copies) == 0:
		return b.takenBack(tx, e, unsend)
	}
	return tx.Owe(unsend) // also if it is at Telegram at the moment, or was never passed on
}

// stop cancels what would bring the message to the person, and returns the relays that are not sent now.
func stop(tx *db.Tx, unsend desk.Unsend) (stopped []db.CallRow, err error) {
	calls, err := tx.CallsAbout(unsend.Lane(), unsend.Message)
	if err != nil {
		return nil, err
	}
	for _, row := range calls {
		relay, ok := row.Call.(desk.RelayToUser)
		if !ok && len(stopped) == 0 {
			continue // a change of what stands: it goes with that, or stays with it
		}
		cancelled, err := tx.Cancel(row.ID, db.TakenBack)
		if err != nil {
			return nil, err
		}
		if !cancelled || !ok {
			continue
		}
		stopped = append(stopped, row)
		if err := dropNotice(tx, row); err != nil {
			return nil, err
		}
		if relay.Album == "" {
			continue
		}
		if err := tx.RefuseAlbum(tx.Group(), relay.Album, relay.Source); err != nil {
			return nil, err
		}
	}
	return stopped, nil
}

// dropNotice removes the notice of a call that is not tried again: it offers just that.
func dropNotice(tx *db.Tx, row db.CallRow) error {
	if row.Notice == 0 {
		return nil
	}
	return tx.Owe(desk.DeleteMessage{From: row.NoticeLane, Message: row.Notice})
}

// anyStanding finds something of the message that the person has: the message, another item of its album, an older form.
func anyStanding(tx *db.Tx, unsend desk.Unsend, stopped []db.CallRow) (db.Relayed, bool, error) {
	for _, m := range append([]desk.MessageID{unsend.Message}, unsend.Also...) {
		if r, found, err := tx.ByGroup(m); err != nil || found && r.User == unsend.User && !r.Removed {
			return r, found, err
		}
	}
	return tx.StandingOf(stopped...)
}

// takenBack removes from the topic what the person does not get. Only if an earlier try may have arrived is that said.
func (b *Bot) takenBack(tx *db.Tx, e groupWrote, unsend desk.Unsend) error {
	if unsend.Maybe {
		if err := b.reply(tx, e, text.DelMaybeArrived()); err != nil {
			return err
		}
	} else {
		unsend.Also = append(unsend.Also, unsend.Command)
	}
	return tx.Owe(desk.Removal(desk.TopicLane(unsend.User), unsend.Also...)...)
}
