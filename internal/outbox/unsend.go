package outbox

import (
	"errors"
	"slices"
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// planUnsend removes a message from the person's chat, an album in one call: Telegram then removes all of it or nothing. Only when that
// is done does it go from the topic, so that the team never believes to have taken back what the person still reads.
func (o *Outbox) planUnsend(tx *db.Tx, row db.CallRow, c desk.Unsend) (decision, error) {
	if row.Group != tx.Group() {
		return drop("another group"), nil
	}
	known, found, wait, err := o.otherSide(tx, c.User, c.Message, false)
	switch {
	case err != nil:
		return decision{}, err
	case wait != (pause{}):
		return decision{wait: wait}, nil
	case !found && len(c.Copies) == 0:
		return o.planTakeBack(tx, c)
	}
	var whole []db.Relayed
	if found {
		if whole, err = tx.Whole(known); err != nil {
			return decision{}, err
		}
	}
	for _, r := range whole {
		calls, from, err := callsFrom(tx, r)
		if err != nil {
			return decision{}, err
		}
		if slices.ContainsFunc(calls, func(c db.CallRow) bool { return c.State == db.Sending }) {
			return decision{wait: pause{until: tx.Now.Add(aWhile), behind: from}}, nil
		}
	}
	var ids []int
	for _, r := range whole {
		ids = append(ids, int(r.InPrivate))
	}
	for _, m := range c.Copies {
		ids = append(ids, int(m))
	}
	slices.Sort(ids)
	return decision{send: &request{step: stepOnly, family: deletions, chat: c.User.PrivateChat(), unsends: whole,
		params: &bot.DeleteMessagesParams{ChatID: int64(c.User), MessageIDs: slices.Compact(ids)}}}, nil
}

// callsFrom are the calls that bring what is done to a message where it was written to its other side, and their lane.
func callsFrom(tx *db.Tx, r db.Relayed) (calls []db.CallRow, lane desk.Lane, err error) {
	lane, source := desk.TopicLane(r.User), r.InPrivate
	if r.Direction == db.Out {
		lane, source = desk.UserLane(r.User), r.InGroup
	}
	calls, err = tx.CallsAbout(lane, source)
	return calls, lane, err
}

// stopAll cancels what would still be brought to the other side of a message that is taken back.
func stopAll(tx *db.Tx, r db.Relayed) error {
	calls, _, err := callsFrom(tx, r)
	for _, row := range calls {
		if err == nil {
			_, err = tx.Cancel(row.ID, db.TakenBack)
		}
	}
	return err
}

// planTakeBack removes from the topic what never arrived: its relay was at Telegram when it was taken back, and has failed.
func (o *Outbox) planTakeBack(tx *db.Tx, c desk.Unsend) (decision, error) {
	relays, err := tx.RelaysOf(c.Message)
	if err != nil {
		return decision{}, err
	}
	left := desk.Unsend{User: c.User, Message: c.Message, Command: c.Command}
	for _, row := range relays {
		if row.State != db.Dropped {
			continue
		}
		remains, err := tx.Remains(row)
		if err != nil {
			return decision{}, err
		}
		left.Also, left.Copies = append(left.Also, remains.Sources...), append(left.Copies, remains.Copies...)
		left.Maybe = left.Maybe || remains.Maybe
	}
	gone := left.Also
	stands, found, err := tx.StandingOf(relays...)
	switch {
	case err != nil:
		return decision{}, err
	case found: // the rest of its album
		left.Message = stands.InGroup
		return drop("a part stands"), tx.Owe(left)
	case len(gone) == 0:
		return drop(standsAlone), tx.Owe(answerTo(c, text.DelUnknown()))
	case len(left.Copies) > 0:
		return drop("a part arrived"), tx.Owe(left)
	case left.Maybe:
		if err := tx.Owe(answerTo(c, text.DelMaybeArrived())); err != nil {
			return decision{}, err
		}
	default:
		gone = append(gone, c.Command)
	}
	return drop("it never arrived"), tx.Owe(desk.Removal(desk.TopicLane(c.User), gone...)...)
}

// deletable is how old a message may be that a bot removes, with some room: our ledger is younger than the message.
const deletable = 47 * time.Hour

func answerTo(c desk.Unsend, line desk.Text) desk.Say {
	return desk.Say{To: desk.TopicLane(c.User), Lines: []desk.Text{line}, ReplyTo: c.Command, Prompt: true}
}

// unsent removes from the topic what is gone from the person's chat, and the command with it. What comes late of an album goes nowhere,
// and an edit does not bring it back.
func (s settlement) unsent(tx *db.Tx, c desk.Unsend) error {
	topic := desk.TopicLane(c.User)
	gone := slices.Clone(c.Also)
	for _, r := range s.request.unsends {
		if err := errors.Join(stopAll(tx, r), tx.MarkRemoved(r)); err != nil {
			return err
		}
		where, source := tx.Group(), r.InGroup
		if r.Direction == db.In {
			where, source = r.User.PrivateChat(), r.InPrivate
		}
		if r.Album != "" {
			if err := tx.RefuseAlbum(where, r.Album, source); err != nil {
				return err
			}
		}
		gone = append(gone, r.InGroup)
	}
	slices.Sort(gone)
	gone = slices.Compact(gone)
	command := []desk.MessageID{c.Command}
	if c.Maybe {
		command = nil
		if err := tx.Owe(answerTo(c, text.DelMaybeArrived())); err != nil {
			return err
		}
	}
	stays := desk.Say{To: topic, Lines: []desk.Text{text.DelHereNot()}, ReplyTo: gone[0], Prompt: true}
	if err := tx.Owe(desk.DeleteMessage{From: topic, Message: gone[0], Otherwise: &stays}); err != nil {
		return err
	}
	return tx.Owe(desk.Removal(topic, append(gone[1:], command...)...)...)
}

// notUnsent says why the message stays.
func (s settlement) notUnsent(tx *db.Tx, row db.CallRow, c desk.Unsend) error {
	line := text.DelRefused(s.verdict.reason)
	old := func(r db.Relayed) bool { return tx.Now.Sub(r.At) > deletable }
	if s.verdict.saysUndeletable() && slices.ContainsFunc(s.request.unsends, old) { // after a crash there is no request
		line = text.DelTooOld()
	}
	if err := tx.Owe(answerTo(c, line)); err != nil {
		return err
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}
