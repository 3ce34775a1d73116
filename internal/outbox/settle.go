package outbox

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// A settlement is what became of one step of one call, before it is on disk.
type settlement struct {
	box       *Outbox
	request   *request // nil after a crash
	verdict   verdict
	result    result
	rest      rest // what rests, after a 429 …
	rests     bool // … of a method that is limited together with others
	misrouted bool // it stands in the common chat instead of its topic
	tooMany   bool // too many topics are gone: the team is told
	crashed   bool // nobody waits for Telegram: the program died
}

// A result is what Telegram returns of a call: the message or topic it made.
type result struct {
	message   desk.MessageID   // the first …
	messages  []desk.MessageID // … of all that it made
	thread    desk.ThreadID
	isMessage bool // a whole message, which tells where it stands
}

func readResult(a answer) (r result) {
	type made struct {
		MessageID desk.MessageID  `json:"message_id"`
		Thread    desk.ThreadID   `json:"message_thread_id"`
		IsTopic   bool            `json:"is_topic_message"`
		Chat      json.RawMessage `json:"chat"`
	}
	all := make([]made, 1)
	if !a.ok || json.Unmarshal(a.result, &all[0]) != nil && json.Unmarshal(a.result, &all) != nil {
		return result{} // true, as most methods answer
	}
	for _, m := range all {
		if m.MessageID != 0 {
			r.messages = append(r.messages, m.MessageID)
		}
	}
	if len(all) > 0 {
		r.message, r.thread, r.isMessage = all[0].MessageID, all[0].Thread, len(all[0].Chat) > 0
		if r.isMessage && !all[0].IsTopic {
			r.thread = 0 // a chain of replies in a group without topics has a number, too
		}
	}
	return r
}

// doubtAfterCrash settles a call that was at Telegram when the program died.
func (o *Outbox) doubtAfterCrash(tx *db.Tx, id desk.CallID) error {
	row, found, unreadable, err := tx.CallByID(id)
	if err != nil || !found || row.State != db.Sending {
		return err
	}
	if unreadable != nil {
		row.State, row.Reason = db.Refused, "unreadable"
		return tx.SettleCall(row)
	}
	s := settlement{box: o, verdict: verdict{meaning: doubtful, reason: "the program ended while sending"}, crashed: true}
	return s.settle(tx, row)
}

// settle writes down what became of the step, and everything that follows from it.
func (s settlement) settle(tx *db.Tx, row db.CallRow) error {
	switch s.verdict.meaning {
	case delivered:
		if s.misrouted || s.blind() && s.box.forumIsOff() {
			return s.takeBack(tx, row)
		}
		row.Delays = 0
		return s.delivered(tx, row)
	case flooded:
		until := tx.Now.Add(s.verdict.wait)
		if !s.rests {
			return s.again(tx, row, until)
		}
		if err := tx.EndRests(); err != nil {
			return err
		}
		if err := tx.SetRest(db.Rest{Chat: s.rest.chat, Family: string(s.rest.family), Until: until}); err != nil {
			return err
		}
		return s.again(tx, row, tx.Now) // the rest holds it back, and outlives a restart
	case unreachable:
		row.Delays++
		return s.again(tx, row, tx.Now.Add(backoff(row.Delays-1)))
	case broken:
		row.Attempts++
		row.Delays++
		return s.retry(tx, row)
	case doubtful:
		return s.doubt(tx, row)
	case migrated:
		if err := s.box.followGroup(tx, s.verdict.group); err != nil {
			return err
		}
		if s.request.chat < 0 && s.request.chat != tx.Group() {
			return s.again(tx, row, tx.Now)
		}
		// It speaks of where the message was to come from: a group that is ours no more.
	case forumOff:
		row.Delays++
		return s.again(tx, row, tx.Now.Add(backoff(row.Delays-1)))
	case groupShut, unauthorized:
		return s.again(tx, row, tx.Now)
	}
	return s.refused(tx, row)
}

// again owes the step once more, not before due.
func (s settlement) again(tx *db.Tx, row db.CallRow, due time.Time) error {
	if err := s.unbegin(tx, row); err != nil {
		return err
	}
	if row.Call.Doubt() == desk.Forget {
		return s.end(tx, row, db.Dropped, s.verdict.reason)
	}
	if newer, err := overtaken(tx, row); err != nil || newer {
		return errors.Join(err, s.end(tx, row, db.Dropped, "a newer one follows"))
	}
	row.State, row.Step, row.Due = db.Owed, "", due
	return tx.SettleCall(row)
}

// overtaken tells that a newer change of the same message is owed: this one, tried again later, would undo it.
func overtaken(tx *db.Tx, row db.CallRow) (bool, error) {
	switch row.Call.(type) {
	case desk.EditCopy, desk.React:
	default:
		return false, nil
	}
	calls, err := tx.CallsAbout(row.Lane, desk.About(row.Call))
	return slices.ContainsFunc(calls, func(r db.CallRow) bool { return r.ID > row.ID && r.Kind == row.Kind && r.Open() }), err
}

// unbegin forgets a topic creation that was certainly not carried out.
func (s settlement) unbegin(tx *db.Tx, row db.CallRow) error {
	if user, ok := row.Lane.User(); ok && row.Step == stepTopic && s.verdict.meaning != doubtful {
		if err := tx.EndCreation(user); err != nil {
			return err
		}
		return s.box.dropStrays(tx, "")
	}
	return nil
}

// retry is again with the back-off, unless the tries are used up; a notice that something did not arrive is never given up.
func (s settlement) retry(tx *db.Tx, row db.CallRow) error {
	if row.Attempts >= s.box.MaxAttempts && !tellsOfFailure(row.Call) {
		return s.giveUp(tx, row, text.FailedAttempts(row.Attempts))
	}
	due := tx.Now.Add(backoff(row.Delays - 1))
	if s.crashed {
		due = tx.Now // the time since the crash was wait enough
	}
	return s.again(tx, row, due)
}

func tellsOfFailure(c desk.Call) bool {
	switch c := c.(type) {
	case desk.Say:
		return c.Failure
	case desk.EditNotice:
		return c.Otherwise != nil
	}
	return false
}

// doubt decides about a step that may have been carried out.
func (s settlement) doubt(tx *db.Tx, row db.CallRow) error {
	row.Delays++
	if user, ok := row.Lane.User(); ok && row.Step == stepTopic {
		if err := tx.DoubtCreation(user); err != nil {
			return err
		}
	} else {
		row.Attempts++ // a topic is looked for before another is made, and so its doubts do not count
	}
	if carries(row.Step) {
		row.Doubts++
	}
	if row.Call.Doubt() == desk.RepeatOnce && row.Doubts >= 2 {
		return s.giveUp(tx, row, text.FailedUncertain())
	}
	return s.retry(tx, row)
}

// blind tells that the call went into a topic and the answer does not say where it landed.
func (s settlement) blind() bool {
	return s.request.thread != 0 && s.result.message != 0 && !s.result.isMessage
}

func (o *Outbox) lastProof() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.group.proof
}

func (o *Outbox) forumIsOff() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.group.off
}

// takeBack removes a message that Telegram put into the common chat, and owes the step again.
func (s settlement) takeBack(tx *db.Tx, row db.CallRow) error {
	if err := tx.Owe(desk.Removal(desk.GeneralLane(), s.result.messages...)...); err != nil {
		return err
	}
	if err := takeBackItems(tx, row, s.box.lastProof()); err != nil {
		return err
	}
	row.Attempts++
	if row.Attempts >= s.box.MaxAttempts {
		return s.giveUp(tx, row, text.FailedAttempts(row.Attempts))
	}
	return s.again(tx, row, tx.Now)
}

func (s settlement) end(tx *db.Tx, row db.CallRow, state db.State, reason string) error {
	row.State, row.Reason = state, reason
	return tx.SettleCall(row)
}
