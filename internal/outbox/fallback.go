package outbox

import (
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// refusedRelay goes one step down: without the quote, without the reply, sent anew from the update, forwarded, described. To a person
// nothing is forwarded or described: who wrote it is told instead.
func (s settlement) refusedRelay(tx *db.Tx, row db.CallRow, c desk.Copied) error {
	if s.verdict.meaning == partly && s.request.items > 1 {
		row.Stage, row.Items = stageDoubled, 1
		return s.next(tx, row, nil)
	}
	lower := s.lower(row)
	_, toUser := row.Call.(desk.RelayToUser)
	switch {
	case toUser && s.verdict.meaning == userGone:
		return s.unreachableUser(tx, row, c.User)
	case toUser && (s.verdict.saysVoiceForbidden() && s.request.items <= 1 || !s.canGo(lower, c)):
		return s.cannotCarry(tx, row, c)
	case lower == "" && c.Items:
		return s.describe(tx, row)
	case lower == "":
		return s.giveUp(tx, row, text.FailedOther(s.verdict.reason))
	case lower == stageLine:
		row.Reason = s.verdict.reason
	}
	if row.Stage = below(row, lower); lower == stageSingly {
		row.Items = 1
	}
	return s.next(tx, row, nil)
}

// lower is the stage after the one that was refused; "" if there is none.
func (s settlement) lower(row db.CallRow) string {
	_, stage := albumStage(row.Stage)
	switch row.Step {
	case stepCopy, stepGroup:
		switch {
		case s.verdict.saysNoCopy() && row.Step == stepCopy:
			return stageTyped
		case s.request.quotes():
			return stageNoQuote
		case !s.request.bare():
			return stageBare
		case row.Step == stepGroup:
			return stageSingly
		}
		return stageTyped
	case stepCopies:
		if stage == stageTyped {
			return stageSingly
		}
		return stageTyped
	case stepTyped:
		if !s.request.bare() {
			return stageTypedBare
		}
		return stageForward
	case stepForward:
		return stageLine
	}
	return ""
}

// below is the stage as the row keeps it: within an album that goes one by one, it is that of the present item.
func below(row db.CallRow, stage string) string {
	if mode, _ := albumStage(row.Stage); mode != "" {
		return mode + "/" + stage
	}
	return stage
}

// canGo tells whether a stage leads to a person, and whether the message can be sent that way.
func (s settlement) canGo(stage string, c desk.Copied) bool {
	switch stage {
	case "", stageForward, stageLine:
		return false
	case stageTyped, stageTypedBare:
		m := readContent(s.atHand(c).Raw)
		return m.typed(target{}) != nil || s.request.items > 1 // a whole album goes one by one at last
	}
	return true
}

// cannotCarry tells an admin why a message, or one item of an album, does not go to the person.
func (s settlement) cannotCarry(tx *db.Tx, row db.CallRow, c desk.Copied) error {
	line, again := text.FailedOther(s.verdict.reason), true
	switch {
	case s.verdict.saysVoiceForbidden():
		line, again = text.FailedVoiceForbidden(), false
	case s.verdict.saysNoCopy():
		line, again = text.FailedCannotCopy(kindOf(s.atHand(c))), false
	}
	if !c.Items {
		return s.tell(tx, row, line, again)
	}
	say := desk.Say{To: desk.TopicLane(c.User), Lines: []desk.Text{line}, Failure: true}
	if row.Group == tx.Group() {
		say.ReplyTo = s.atHand(c).Source
	}
	if again {
		say.Again = row.ID
	}
	if err := tx.Owe(say); err != nil {
		return err
	}
	return s.giveUpItem(tx, row)
}

// giveUpItem leaves one item of an album out.
func (s settlement) giveUpItem(tx *db.Tx, row db.CallRow) error {
	if err := tx.GiveUpItem(row.ID, s.request.item.Source); err != nil {
		return err
	}
	return s.nextItem(tx, row)
}

// describe ends a message, or one item of an album, that stands in the topic as a line saying what it was, or not at all; its writer is
// told.
func (s settlement) describe(tx *db.Tx, row db.CallRow) error {
	whole, _ := desk.CarriedBy(row.Call)
	c := s.atHand(whole)
	why := text.NotPassedOn(kindOf(c))
	told := desk.Say{To: desk.UserLane(c.User), Lines: []desk.Text{why}, ReplyTo: c.Source}
	if whole.Items || row.Notice == 0 || row.NoticeLane != told.To {
		if err := tx.Owe(told); err != nil {
			return err
		}
	}
	if whole.Items {
		return s.giveUpItem(tx, row)
	}
	if err := s.rewriteNotice(tx, row, why); err != nil {
		return err
	}
	return s.end(tx, row, db.Refused, row.Stage)
}

// unreachableUser remembers a person who cannot be written to, and tells the admin.
func (s settlement) unreachableUser(tx *db.Tx, row db.CallRow, user desk.UserID) error {
	why, line := s.unreachable()
	if err := s.markUnreachable(tx, user, why); err != nil {
		return err
	}
	return s.tell(tx, row, line, why == db.Blocked)
}
