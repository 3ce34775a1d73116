package outbox

import (
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
	row.Result = s.result.message
	if err := s.arrived(tx, row); err != nil {
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
	case desk.RelayToTopic:
		return s.arrivedInTopic(tx, row, c)
	case desk.RelayToUser:
		return s.arrivedAtUser(tx, row, c)
	case desk.RenameTopic:
		return tx.SetTitle(c.User, s.request.params.(*bot.EditForumTopicParams).Name)
	case desk.RefreshCard:
		return tx.SetEdited(c.User)
	case desk.DeleteStrayTopic:
		return tx.EndSighting(c.Thread)
	}
	return nil
}

func (s settlement) arrivedInTopic(tx *db.Tx, row db.CallRow, c desk.RelayToTopic) error {
	err := tx.WriteLedger(db.Relayed{User: c.User, Thread: s.request.thread, Direction: db.In, InGroup: row.Result,
		InPrivate: c.Source, Content: c.Content})
	if err != nil {
		return err
	}
	if err := s.rewriteNotice(tx, row, text.DeliveredAfterAll()); err != nil {
		return err
	}
	user, found, err := tx.User(c.User)
	if err != nil || !found || !user.Risk {
		return err
	}
	won, err := tx.WinRiskReminder(c.User)
	if err != nil || !won {
		return err
	}
	return tx.Owe(desk.Say{To: desk.TopicLane(c.User), Lines: []desk.Text{text.RiskReminder(user.Name())}})
}

func (s settlement) arrivedAtUser(tx *db.Tx, row db.CallRow, c desk.RelayToUser) error {
	topic, err := tx.TopicOf(c.User)
	if err != nil {
		return err
	}
	err = tx.WriteLedger(db.Relayed{User: c.User, Thread: topic.Thread, Direction: db.Out, InGroup: c.Source,
		InPrivate: row.Result, Content: c.Content})
	if err != nil {
		return err
	}
	if err := s.reachable(tx, c.User); err != nil {
		return err
	}
	return s.rewriteNotice(tx, row, text.DeliveredAfterAll())
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
