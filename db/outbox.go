package db

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"hodor/internal/desk"
)

// A State is where a call stands.
type State string

const (
	Owed    State = "owed"
	Sending State = "sending" // taken; after a crash nobody knows whether it arrived
	Sent    State = "sent"
	Refused State = "refused" // given up and told; a person may have it tried again
	Dropped State = "dropped" // not needed any more
)

// A Debt is what the sender has to know of an owed call before it takes it.
type Debt struct {
	ID       desk.CallID
	Lane     desk.Lane
	Priority desk.Priority
	Kind     string
	Items    int // how many messages it sends, when it sends what it carries
	Due      time.Time
}

// A CallRow is one call we owe or owed.
type CallRow struct {
	Debt
	Call       desk.Call
	Group      desk.ChatID // the support group when it was owed: ids in the call are of this group
	State      State
	Step       string // which of its steps is at Telegram, or was when it came back in doubt
	Stage      string // how far down the fallbacks it is
	Attempts   int    // tries that count
	Delays     int    // tries of any sort since the last success
	Doubts     int    // tries that may have arrived
	Reason     string
	Result     desk.MessageID // what it became at Telegram
	Notice     desk.MessageID // the notice of its failure, once a further try was asked for
	NoticeLane desk.Lane      // where the notice stands
}

// StageDoubled begins the stage of an album of which a part has arrived, and nobody knows which.
const StageDoubled = "doubled"

// Open tells that the call is not settled.
func (r CallRow) Open() bool { return r.State == Owed || r.State == Sending }

type owed struct {
	call desk.Call
	due  time.Time
}

// Owe adds calls to what we owe Telegram; each lane keeps the order in which they were owed.
func (tx *Tx) Owe(calls ...desk.Call) error {
	for _, c := range calls {
		if c == nil {
			return errors.New("owe nothing")
		}
		tx.owed = append(tx.owed, owed{c, tx.Now})
	}
	return nil
}

// OweLater adds a call that is not to be sent before due.
func (tx *Tx) OweLater(call desk.Call, due time.Time) error {
	tx.owed = append(tx.owed, owed{call, due})
	return nil
}

// OweOnce adds a call of upkeep that is not to be sent before due. If its lane owes one of its kind already, that one stands for both, at the
// earlier of the two moments: many changes of a card become one edit.
func (tx *Tx) OweOnce(call desk.Call, due time.Time) error { return tx.oweOnce(call, due, true) }

// OweUnlessOwed is OweOnce, but hastens nothing.
func (tx *Tx) OweUnlessOwed(call desk.Call, due time.Time) error { return tx.oweOnce(call, due, false) }

func (tx *Tx) oweOnce(call desk.Call, due time.Time, hasten bool) error {
	if call.Priority() != desk.Upkeep {
		return fmt.Errorf("%s is no upkeep", call.Kind())
	}
	if err := tx.flush(); err != nil {
		return err
	}
	waiting := Debt{Lane: call.Lane(), Priority: call.Priority(), Kind: call.Kind(), Items: 1}
	found, err := tx.one(`SELECT id, due_at FROM outbox WHERE bot_id = ? AND lane = ? AND kind = ?
		AND state = 'owed' AND priority = 2 LIMIT 1`, []any{tx.bot, waiting.Lane.String(), waiting.Kind}, &waiting.ID, moment{&waiting.Due})
	switch {
	case err != nil:
		return fmt.Errorf("look for an owed %s: %w", call.Kind(), err)
	case !found:
		tx.owed = append(tx.owed, owed{call, due})
	case hasten && due.Before(waiting.Due):
		waiting.Due = due
		tx.news.Owed = append(tx.news.Owed, waiting)
		return wrapf(tx.do("UPDATE outbox SET due_at = ? WHERE id = ?", stamp(due), waiting.ID), "hasten call %d", waiting.ID)
	}
	return nil
}

var oweSQL = byRows(
	"INSERT INTO outbox (bot_id, chat_id, lane, priority, kind, payload, content, source_msg_id, state, due_at, created_at) VALUES ",
	"(?, ?, ?, ?, ?, ?, ?, ?, 'owed', ?, ?)", " RETURNING id")

// oweNow is for a call whose number is needed at once.
func (tx *Tx) oweNow(call owed) (desk.CallID, error) {
	if err := tx.flush(); err != nil {
		return 0, err
	}
	ids, err := tx.insertCalls([]owed{call})
	if err != nil {
		return 0, fmt.Errorf("owe a call: %w", err)
	}
	return ids[0], nil
}

// flush writes the calls owed so far. Ids rise in the order of the rows, whichever order RETURNING has.
func (tx *Tx) flush() error {
	for len(tx.owed) > 0 {
		n := rowsAtOnce(len(tx.owed))
		if _, err := tx.insertCalls(tx.owed[:n]); err != nil {
			return fmt.Errorf("owe calls: %w", err)
		}
		tx.owed = tx.owed[n:]
	}
	return nil
}

func (tx *Tx) insertCalls(calls []owed) ([]desk.CallID, error) {
	args := make([]any, 0, 10*len(calls))
	for _, o := range calls {
		payload, content, err := desk.Encode(o.call)
		if err != nil {
			return nil, err
		}
		args = append(args, tx.bot, tx.group, o.call.Lane().String(), o.call.Priority(), o.call.Kind(), string(payload),
			textOrNull(content), numberOrNull(desk.About(o.call)), stamp(o.due), stamp(tx.Now))
	}
	var ids []desk.CallID
	err := tx.each(oweSQL[len(calls)], args, func(scan func(...any) error) error {
		var id desk.CallID
		ids = append(ids, 0)
		err := scan(&id)
		ids[len(ids)-1] = id
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	for i, o := range calls {
		tx.news.Owed = append(tx.news.Owed, Debt{ids[i], o.call.Lane(), o.call.Priority(), o.call.Kind(), 1, o.due})
	}
	return ids, nil
}

func textOrNull(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return string(b)
}

func wrapf(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}
