package outbox

import (
	"errors"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// delivered writes down what a step made: the topic's binding, the card, the ledger row.
func (s settlement) delivered(tx *db.Tx, row db.CallRow) error {
	user, _ := row.Lane.User()
	switch row.Step {
	case stepTopic:
		creation, found, err := tx.CreationFor(user)
		if err != nil || !found {
			return s.next(tx, row, err)
		}
		return s.next(tx, row, s.box.bind(tx, user, s.result.thread, creation.Title))
	case stepReopen:
		if _, err := tx.ReopenTopic(s.request.thread); err != nil {
			return err
		}
		return s.next(tx, row, tx.SetActive(user))
	case stepCard:
		if err := tx.SetCard(user, s.result.message); err != nil {
			return err
		}
		return s.next(tx, row, tx.Owe(desk.PinCard{User: user}))
	case stepLine:
		return s.describe(tx, row)
	}
	if carried, ok := desk.CarriedBy(row.Call); ok && carries(row.Step) {
		return s.carried(tx, row, carried)
	}
	row.Result = s.result.message
	if err := s.arrived(tx, row); err != nil {
		return err
	}
	return s.end(tx, row, db.Sent, "")
}

// carried writes down a message that stands on both sides now, or goes on with what of it does not.
func (s settlement) carried(tx *db.Tx, row db.CallRow, c desk.Copied) error {
	if row.Step == stepTyped && splits(s.atHand(c)) {
		row.Result, row.Stage = s.result.message, below(row, stageWords)
		return s.next(tx, row, nil)
	}
	switch {
	case row.Step == stepCopies, row.Step == stepGroup:
		return s.albumArrived(tx, row, c)
	case c.Items:
		return s.itemArrived(tx, row, c)
	case row.Step == stepWords:
		if err := s.enterWords(tx, row, c); err != nil {
			return err
		}
	default:
		row.Result = s.result.message
	}
	if err := s.enter(tx, row, c, row.Result); err != nil {
		return err
	}
	if err := s.relayed(tx, row, true); err != nil {
		return err
	}
	return s.end(tx, row, db.Sent, "")
}

// next owes the step after this one.
func (s settlement) next(tx *db.Tx, row db.CallRow, err error) error {
	if err != nil {
		return err
	}
	row.State, row.Step, row.Due = db.Owed, "", tx.Now
	return tx.SettleCall(row)
}

// arrived is what follows when the call has done what it is for.
func (s settlement) arrived(tx *db.Tx, row db.CallRow) error {
	switch c := row.Call.(type) {
	case desk.EditCopy:
		return s.editArrived(tx, row, c)
	case desk.Unsend:
		return s.unsent(tx, c)
	case desk.Say:
		if c.Again != 0 {
			return tx.NoteNotice(c.Again, row.Result, c.To)
		}
	case desk.RenameTopic:
		return tx.SetTitle(c.User, s.request.params.(*bot.EditForumTopicParams).Name)
	case desk.RefreshCard:
		return tx.SetEdited(c.User)
	case desk.DeleteStrayTopic:
		return tx.EndSighting(c.Thread)
	}
	return nil
}

// atHand is the one message that the request is about: of an album that goes one by one, its present item.
func (s settlement) atHand(c desk.Copied) desk.Copied {
	if i := s.request.item; i.Source != 0 {
		c.Source, c.Content, c.Raw = i.Source, i.Content, i.Raw
	}
	return c
}

// enterWords writes the caption into the ledger that follows its medium as a message of its own. It is a part of that one: the row of
// the medium comes after it, and what is asked of the message is asked of the last row.
func (s settlement) enterWords(tx *db.Tx, row db.CallRow, c desk.Copied) error {
	words := s.atHand(c)
	words.Content, words.Raw = "text", nil
	return s.enter(tx, row, words, s.result.message)
}

// enter writes a message into the ledger that has just come to stand on the other side, too.
func (s settlement) enter(tx *db.Tx, row db.CallRow, c desk.Copied, as desk.MessageID) error {
	r := db.Relayed{User: c.User, Content: c.Content, Shown: shown(c), Album: c.Album}
	if c.Edited {
		older, found, err := tx.Standing(row.Lane, c.Source)
		if err != nil || found && older.Removed { // it was taken back while its newer form was on the way
			return errors.Join(err, tx.Owe(desk.DeleteMessage{From: row.Lane, Message: as}))
		}
		r.EditedAt, r.Marked = tx.Now, !s.request.bare()
	}
	if _, in := row.Call.(desk.RelayToTopic); in {
		r.Direction, r.InPrivate, r.InGroup, r.Thread = db.In, c.Source, as, s.request.thread
		return tx.WriteLedger(r)
	}
	if row.Group != tx.Group() {
		return nil // its number is of a group that is ours no more, and another message may have it here
	}
	topic, err := tx.TopicOf(c.User)
	if err != nil {
		return err
	}
	r.Direction, r.InGroup, r.InPrivate, r.Thread = db.Out, c.Source, as, topic.Thread
	return tx.WriteLedger(r)
}

// relayed is what follows when a message, an album or a change has arrived, as a whole or not.
func (s settlement) relayed(tx *db.Tx, row db.CallRow, whole bool) error {
	line := text.DeliveredAfterAll()
	if !whole {
		line = text.AlbumIncomplete()
	}
	if err := s.rewriteNotice(tx, row, line); err != nil {
		return err
	}
	user, _ := row.Lane.User()
	switch row.Call.(type) {
	case desk.RelayToTopic:
		return remindOfRisk(tx, user)
	case desk.RelayToUser:
		return s.reachable(tx, user)
	}
	return nil
}

func remindOfRisk(tx *db.Tx, id desk.UserID) error {
	user, found, err := tx.User(id)
	if err != nil || !found || !user.Risk {
		return err
	}
	won, err := tx.WinRiskReminder(id)
	if err != nil || !won {
		return err
	}
	return tx.Owe(desk.Say{To: desk.TopicLane(id), Lines: []desk.Text{text.RiskReminder(user.Name())}})
}

// reachable takes back that the person could not be written to.
func (s settlement) reachable(tx *db.Tx, user desk.UserID) error {
	news, err := tx.SetUnreachable(user, db.Reachable)
	if err != nil || !news {
		return err
	}
	return tx.OweOnce(desk.RefreshCard{User: user}, tx.Now.Add(desk.CardGather))
}

// rewriteNotice turns the notice of an earlier failure into the outcome.
func (s settlement) rewriteNotice(tx *db.Tx, row db.CallRow, line desk.Text) error {
	if row.Notice == 0 {
		return nil
	}
	return tx.Owe(desk.EditNotice{To: row.NoticeLane, Message: row.Notice, Lines: []desk.Text{line}})
}
