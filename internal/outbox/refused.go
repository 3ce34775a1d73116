package outbox

import (
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// Reasons that a row keeps while a call goes on, so that the same remedy is not tried twice.
const (
	reasonGone = "topic gone"
	reasonShut = "topic closed"
)

// refused decides what follows from a plain no: a remedy, a fallback, or the end of the call and a word to whoever waits.
func (s settlement) refused(tx *db.Tx, row db.CallRow) error {
	row.Attempts++
	if err := s.unbegin(tx, row); err != nil {
		return err
	}
	if s.tooMany {
		if err := tx.Owe(desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{text.TopicsVanishing()}}); err != nil {
			return err
		}
	}
	topic := s.verdict.meaning == topicGone || s.verdict.meaning == topicShut
	if topic && row.Attempts >= s.box.MaxAttempts { // gone and closed by turns
		return s.giveUp(tx, row, text.FailedAttempts(row.Attempts))
	}
	switch s.verdict.meaning {
	case topicGone:
		return s.topicGone(tx, row)
	case topicShut:
		return s.topicShut(tx, row)
	}
	switch row.Step {
	case stepTopic, stepReopen:
		return s.giveUp(tx, row, text.FailedOther(s.verdict.reason))
	case stepCard:
		row.Stage = stageNoCard
		return s.next(tx, row, nil)
	}
	return s.refusedCall(tx, row)
}

// refusedCall decides by what kind of call it is.
func (s settlement) refusedCall(tx *db.Tx, row db.CallRow) error {
	switch c := row.Call.(type) {
	case desk.RelayToTopic:
		return s.refusedRelay(tx, row, c.Copied)
	case desk.RelayToUser:
		return s.refusedRelay(tx, row, c.Copied)
	case desk.EditCopy:
		return s.editRefused(tx, row, c)
	case desk.React:
		return s.reactionRefused(tx, row)
	case desk.Unsend:
		return s.notUnsent(tx, row, c)
	case desk.Say:
		return s.refusedSay(tx, row, c)
	case desk.EditNotice:
		if c.Otherwise != nil && s.verdict.saysGone() {
			if err := tx.Owe(*c.Otherwise); err != nil {
				return err
			}
		}
	case desk.DeleteMessage:
		if c.Otherwise != nil && !s.verdict.saysGone() {
			if err := tx.Owe(*c.Otherwise); err != nil {
				return err
			}
		}
	case desk.RefreshCard:
		return s.cardGone(tx, row, c.User)
	case desk.PinCard:
		return s.cardGone(tx, row, c.User)
	case desk.DeleteStrayTopic:
		if err := tx.EndSighting(c.Thread); err != nil {
			return err
		}
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}

// cardGone makes a card anew that somebody deleted by hand.
func (s settlement) cardGone(tx *db.Tx, row db.CallRow, user desk.UserID) error {
	if s.verdict.saysGone() {
		if err := tx.SetCard(user, 0); err != nil {
			return err
		}
		if err := tx.Owe(desk.OpenTopic{User: user, CardOnly: true}); err != nil {
			return err
		}
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}

// topicGone opens another topic for a person's message, once. What else was meant for the topic is dropped; a notice of failure goes
// to General, where the team sees it.
func (s settlement) topicGone(tx *db.Tx, row db.CallRow) error {
	user, _ := row.Lane.User()
	switch c := row.Call.(type) {
	case desk.RelayToTopic:
		if err := s.unbind(tx, user); err != nil {
			return err
		}
		if err := tx.ForgetItems(row.ID); err != nil { // no topic holds anything of an album any more
			return err
		}
		row.Stage = "" // the new topic begins with its card
		if row.Reason == reasonGone {
			return s.goneTwice(tx, row, c)
		}
		row.Reason = reasonGone
		return s.next(tx, row, nil)
	case desk.OpenTopic:
		if c.CardOnly {
			break
		}
		if err := s.unbind(tx, user); err != nil {
			return err
		}
		if row.Reason != reasonGone {
			row.Reason = reasonGone
			return s.next(tx, row, nil)
		}
	case desk.DeleteStrayTopic:
		if err := tx.EndSighting(c.Thread); err != nil {
			return err
		}
	case desk.EditCopy:
		return s.editRefused(tx, row, c)
	case desk.Say:
		return s.sayInGeneral(tx, row, c)
	}
	return s.end(tx, row, db.Dropped, reasonGone)
}

// unbind forgets the topic that is gone.
func (s settlement) unbind(tx *db.Tx, user desk.UserID) error {
	_, err := tx.UnbindTopic(user, s.request.thread)
	return err
}

func (s settlement) goneTwice(tx *db.Tx, row db.CallRow, c desk.RelayToTopic) error {
	user, _, err := tx.User(c.User)
	if err != nil {
		return err
	}
	told := desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{text.TopicGoneTwice(user.Name(), c.User)}, Again: row.ID}
	var notice desk.Call = told
	if row.Notice != 0 {
		notice = desk.EditNotice{To: row.NoticeLane, Message: row.Notice, Lines: told.Lines, Again: row.ID, Otherwise: &told}
	}
	err = tx.Owe(notice,
		desk.Say{To: desk.UserLane(c.User), Lines: []desk.Text{text.NotDeliveredToTeam()}, ReplyTo: c.Source})
	if err != nil {
		return err
	}
	return s.end(tx, row, db.Refused, reasonGone)
}

// topicShut opens the topic again for a person's message, once: its closing is news to us.
func (s settlement) topicShut(tx *db.Tx, row db.CallRow) error {
	switch c := row.Call.(type) {
	case desk.Say:
		return s.sayInGeneral(tx, row, c)
	case desk.EditCopy:
		return s.editRefused(tx, row, c)
	}
	_, relay := row.Call.(desk.RelayToTopic)
	if row.Reason == reasonShut || !relay {
		return s.giveUp(tx, row, text.FailedOther(s.verdict.reason))
	}
	if _, err := tx.CloseTopic(s.request.thread); err != nil {
		return err
	}
	row.Reason = reasonShut
	return s.next(tx, row, nil)
}

func (s settlement) unreachable() (db.Unreachable, desk.Text) {
	switch {
	case s.verdict.saysDeactivated():
		return db.Deactivated, text.FailedDeactivated()
	case s.verdict.saysBlocked():
		return db.Blocked, text.FailedBlocked()
	}
	return db.NotStarted, text.FailedNotStarted()
}

func (s settlement) markUnreachable(tx *db.Tx, user desk.UserID, why db.Unreachable) error {
	news, err := tx.SetUnreachable(user, why)
	if err != nil || !news {
		return err
	}
	return tx.OweOnce(desk.RefreshCard{User: user}, tx.Now.Add(desk.CardGather))
}

// refusedSay drops a notice that cannot be said, after one try without what it replies to. One that tells of a failure in a topic is
// said in General instead.
func (s settlement) refusedSay(tx *db.Tx, row db.CallRow, c desk.Say) error {
	if s.verdict.meaning == userGone {
		if user, ok := c.To.User(); ok {
			why, _ := s.unreachable()
			if err := s.markUnreachable(tx, user, why); err != nil {
				return err
			}
		}
		return s.end(tx, row, db.Dropped, s.verdict.reason)
	}
	if c.ReplyTo != 0 && row.Stage == "" {
		row.Stage = stageNoReply
		return s.next(tx, row, nil)
	}
	return s.sayInGeneral(tx, row, c)
}

// sayInGeneral ends a notice that its topic does not take.
func (s settlement) sayInGeneral(tx *db.Tx, row db.CallRow, c desk.Say) error {
	if err := moveToGeneral(tx, c); err != nil {
		return err
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}

// giveUp ends a call that was tried enough. Who waits for it is told, and may have it tried again.
func (s settlement) giveUp(tx *db.Tx, row db.CallRow, line desk.Text) error {
	if err := s.unbegin(tx, row); err != nil {
		return err
	}
	switch c := row.Call.(type) {
	case desk.RelayToUser:
		return s.tell(tx, row, line, true)
	case desk.RelayToTopic:
		return s.tellPerson(tx, row, c.Copied, line)
	case desk.EditCopy:
		if c.To.Kind == desk.ToUser {
			return s.tell(tx, row, line, false)
		}
		return s.tellPerson(tx, row, c.Copied, line)
	case desk.Unsend:
		if err := tx.Owe(answerTo(c, text.DelUncertain())); err != nil {
			return err
		}
	}
	return s.end(tx, row, db.Dropped, line.Key)
}

// tellPerson ends a person's message that did not arrive with a reply under it.
func (s settlement) tellPerson(tx *db.Tx, row db.CallRow, c desk.Copied, line desk.Text) error {
	told := text.NotDeliveredToTeam()
	if line.Key == text.FailedUncertain().Key {
		told = text.MaybeNotDeliveredToTeam()
	}
	return s.notify(tx, row, desk.UserLane(c.User), c.Source, []desk.Text{told}, line.Key, !isEdit(row.Call))
}

// isEdit tells whether the call carries a change. It is not offered to be tried again: by then a newer one may stand.
func isEdit(c desk.Call) bool {
	_, edit := c.(desk.EditCopy)
	return edit
}

// tell ends an admin's message, or the change of one, that did not arrive with a reply under it.
func (s settlement) tell(tx *db.Tx, row db.CallRow, line desk.Text, again bool) error {
	c, _ := desk.CarriedBy(row.Call)
	lines := []desk.Text{line}
	if isEdit(row.Call) {
		lines = []desk.Text{text.FailedEdit(), line}
	}
	return s.notify(tx, row, desk.TopicLane(c.User), c.Source, lines, line.Key, again && !isEdit(row.Call))
}

// notify ends a call as refused and says so under the message itself; after a further try, in the notice of the first.
func (s settlement) notify(tx *db.Tx, row db.CallRow, lane desk.Lane, source desk.MessageID, lines []desk.Text, why string, again bool) error {
	offer := desk.CallID(0)
	if again {
		offer = row.ID
	}
	if lane.InGroup() && row.Group != tx.Group() {
		source = 0 // a message of a group that is ours no more
	}
	say := desk.Say{To: lane, Lines: lines, ReplyTo: source, Again: offer, Failure: true}
	var notice desk.Call = say
	if row.Notice != 0 {
		notice = desk.EditNotice{To: row.NoticeLane, Message: row.Notice, Lines: lines, Again: offer, Otherwise: &say}
	}
	if err := tx.Owe(notice); err != nil {
		return err
	}
	return s.end(tx, row, db.Refused, why)
}
