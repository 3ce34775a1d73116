package outbox

import (
	"errors"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// recall takes back what may have been poured into the common chat since the group was last known to have topics, owes it again, and
// tells the group.
func (o *Outbox) recall(tx *db.Tx, since time.Time) error {
	if !since.IsZero() { // without a proof nothing went into topics of this group
		if err := tx.SetForumProof(since); err != nil { // a restart takes back no more than this
			return err
		}
		if err := errors.Join(recallSent(tx, since), recallUnderWay(tx, since)); err != nil {
			return err
		}
	}
	if won, err := tx.WinSlot(forumOffSlot, 24*time.Hour); err != nil || !won {
		return err
	}
	return tx.Owe(desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{text.ForumOff()}})
}

// recallSent takes back what was settled.
func recallSent(tx *db.Tx, since time.Time) error {
	rows, err := tx.SentSince(desk.RelayToTopic{}.Kind(), since)
	if err != nil {
		return err
	}
	for _, row := range rows {
		carried, _ := desk.CarriedBy(row.Call)
		if row.Result == 0 && !carried.Items {
			continue
		}
		if err := takeBackItems(tx, row, since); err != nil {
			return err
		}
		again, err := tx.OweMisrouted(row)
		if err != nil {
			return err
		}
		if !again || carried.Items {
			continue // what is not owed again stays where it is
		}
		if err := takeBack(tx, row.Result); err != nil {
			return err
		}
	}
	return nil
}

// recallUnderWay takes back what albums have put into the common chat that are still on their way.
func recallUnderWay(tx *db.Tx, since time.Time) error {
	albums, err := tx.OpenAlbums(desk.RelayToTopic{}.Kind())
	for _, row := range albums {
		if err == nil {
			err = takeBackItems(tx, row, since)
		}
	}
	return err
}

// takeBackItems removes what an album has put into the common chat since a moment, so that it is sent again.
func takeBackItems(tx *db.Tx, row db.CallRow, since time.Time) error {
	items, err := tx.AlbumItems(row.ID)
	if err != nil {
		return err
	}
	for _, i := range items {
		if i.Loose != 0 && !i.LooseAt.Before(since) {
			if err := takeBack(tx, i.Loose); err != nil {
				return err
			}
		}
		stands, found, err := tx.ByGroup(i.Result)
		if err != nil {
			return err
		}
		if i.Result == 0 || found && stands.At.Before(since) {
			continue
		}
		if err := errors.Join(takeBack(tx, i.Result), tx.ForgetItem(row.ID, i.Source)); err != nil {
			return err
		}
	}
	return nil
}

// takeBack removes a message of ours that is in the ledger and stands where it must not.
func takeBack(tx *db.Tx, m desk.MessageID) error {
	if err := tx.StrikeLedger(m); err != nil {
		return err
	}
	return tx.Owe(desk.DeleteMessage{From: desk.GeneralLane(), Message: m})
}
