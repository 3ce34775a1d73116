package outbox

import (
	"slices"

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
	case !found:
		return o.planTakeBack(tx, c)
	}
	whole, err := tx.Whole(known)
	if err != nil {
		return decision{}, err
	}
	var ids []int
	for _, r := range whole {
		ids = append(ids, int(r.InPrivate))
	}
	slices.Sort(ids)
	return decision{send: &request{step: stepOnly, family: deletions, chat: c.User.PrivateChat(), unsends: whole,
		params: &bot.DeleteMessagesParams{ChatID: int64(c.User), MessageIDs: slices.Compact(ids)}}}, nil
}

// planTakeBack removes from the topic what never arrived: its relay was at Telegram when it was taken back, and has failed.
func (o *Outbox) planTakeBack(tx *db.Tx, c desk.Unsend) (decision, error) {
	relay, found, unreadable, err := tx.CallByID(c.Relay)
	switch {
	case err != nil:
		return decision{}, err
	case !found, unreadable != nil, relay.State != db.Dropped:
		return drop(standsAlone), tx.Owe(answerTo(c, text.DelUnknown()))
	}
	gone, err := tx.SourcesOf(relay)
	if err != nil {
		return decision{}, err
	}
	if relay.Doubts == 0 {
		gone = append(gone, c.Command)
	} else if err := tx.Owe(answerTo(c, text.DelMaybeArrived())); err != nil {
		return decision{}, err
	}
	return drop("it never arrived"), tx.Owe(desk.Removal(desk.TopicLane(c.User), gone...)...)
}

func answerTo(c desk.Unsend, line desk.Text) desk.Say {
	return desk.Say{To: desk.TopicLane(c.User), Lines: []desk.Text{line}, ReplyTo: c.Command, Prompt: true}
}

// unsent removes from the topic what is gone from the person's chat, and the command with it.
func (s settlement) unsent(tx *db.Tx, c desk.Unsend) error {
	gone := []desk.MessageID{c.Command}
	for _, r := range s.request.unsends {
		if err := tx.StrikeLedger(r.InGroup); err != nil {
			return err
		}
		if !slices.Contains(gone, r.InGroup) {
			gone = append(gone, r.InGroup)
		}
	}
	return tx.Owe(desk.Removal(desk.TopicLane(c.User), gone...)...)
}

// notUnsent says why the message stays.
func (s settlement) notUnsent(tx *db.Tx, row db.CallRow, c desk.Unsend) error {
	line := text.DelRefused(s.verdict.reason)
	if s.verdict.saysTooOld() {
		line = text.DelTooOld()
	}
	if err := tx.Owe(answerTo(c, line)); err != nil {
		return err
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}
