package bot

import (
	"errors"
	"strings"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// A change of a message passes the gates that the message would pass, without a word where it is refused. It does not count as a
// message, unless there is nothing on the other side that it could change: then it goes there as a new one, marked as an edit.

// personEdited brings a person's change into the topic.
func (b *Bot) personEdited(tx *db.Tx, e personEdited) error {
	met, err := b.meet(tx, e.person)
	if err != nil || met.Banned {
		return err
	}
	// Here stands the verification gate, too.
	c := e.copied(met.ID)
	if carried, err := carryEdit(tx, desk.TopicLane(met.ID), c); err != nil || carried || isStart(e.said) || !e.dated {
		return err
	}
	pass, err := tx.CountMessage(met.ID, e.at, b.rules.MaxMessagesPerMinute)
	if err != nil || !pass {
		return err
	}
	return asNew(tx, desk.TopicLane(met.ID), c, toTopic)
}

// groupEdited brings an admin's change to the person. What was made a command or talk among the team is not passed on.
func (b *Bot) groupEdited(tx *db.Tx, e groupEdited) error {
	if e.thread == 0 {
		return nil
	}
	if may, err := b.mayAnswer(tx, e.author); err != nil || !may {
		return err
	}
	topic, found, err := tx.TopicIn(e.thread)
	if err != nil || !found || topic.Closed {
		return err
	}
	to, c := desk.UserLane(topic.User), e.copied(topic.User)
	if strings.HasPrefix(e.text, "/") {
		return b.hidden(tx, e.groupWrote, to)
	}
	if carried, err := carryEdit(tx, to, c); err != nil || carried || !e.dated {
		return err
	}
	if album, found, err := tx.Album(tx.Group(), e.album); err != nil || found && album.Call == 0 {
		return errors.Join(err, b.sayAtMost(tx, e.groupWrote, "album_stays", adminsOnlyEvery, text.AlbumStays()))
	}
	if err := asNew(tx, to, c, toUser); err != nil {
		return err
	}
	return b.remindOfBan(tx, topic.User)
}

// asNew relays the newer form of a message that is not on the other side, unless it was taken back. An older form that was refused is
// not tried again; an album is, for its other items.
func asNew(tx *db.Tx, to desk.Lane, c desk.Copied, relay func(desk.Copied) desk.Call) error {
	calls, err := tx.CallsAbout(to, c.Source)
	if err != nil {
		return err
	}
	for _, row := range calls {
		carried, _ := desk.CarriedBy(row.Call)
		switch {
		case row.State == db.Dropped && row.Reason == db.TakenBack:
			return nil
		case carried.Items:
			continue
		}
		cancelled, err := tx.Cancel(row.ID, "edited")
		if err == nil && cancelled {
			err = dropNotice(tx, row)
		}
		if err != nil {
			return err
		}
	}
	c.Edited = true
	return tx.Owe(relay(c))
}

// hidden keeps from the person what was made a command or talk among the team before it was sent: it would be copied as it is now. If
// the person has it already, the admin is told that this takes nothing back.
func (b *Bot) hidden(tx *db.Tx, e groupWrote, to desk.Lane) error {
	calls, err := tx.CallsAbout(to, e.message)
	if err != nil {
		return err
	}
	underWay := false
	for _, row := range calls {
		if _, carries := desk.CarriedBy(row.Call); !carries {
			continue
		}
		cancelled, err := tx.Cancel(row.ID, "a command")
		if err == nil && row.Open() {
			err = refuseAlbum(tx, tx.Group(), e.said)
		}
		if err == nil && cancelled {
			err = dropNotice(tx, row)
		}
		if err != nil {
			return err
		}
		part, err := tx.PartStands(row)
		if err != nil {
			return err
		}
		underWay = underWay || row.State == db.Sending || cancelled && (row.Doubts > 0 || part)
	}
	r, stands, err := tx.Standing(to, e.message)
	if err != nil || (!stands || r.Removed) && !underWay {
		return err
	}
	return b.sayAtMost(tx, e, "hidden", adminsOnlyEvery, text.EditNotPassedOn())
}

// carryEdit changes what is on the way, or owes the change of the copy; false if there is neither.
func carryEdit(tx *db.Tx, to desk.Lane, c desk.Copied) (bool, error) {
	calls, err := tx.CallsAbout(to, c.Source)
	if err != nil {
		return false, err
	}
	replaced, underWay := false, false
	for _, row := range calls {
		if _, carries := desk.CarriedBy(row.Call); !carries || !row.Open() {
			continue
		}
		done, err := tx.ReplaceContent(row, c)
		if err != nil {
			return false, err
		}
		replaced, underWay = replaced || done, underWay || !done
	}
	if replaced {
		return true, nil
	}
	if !underWay {
		if _, known, err := tx.Standing(to, c.Source); err != nil || !known {
			return false, err
		}
	}
	return true, tx.Owe(desk.EditCopy{To: to, Copied: c})
}
