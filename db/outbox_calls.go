package db

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"hodor/internal/desk"
)

// OpenDebts are the calls not settled, in the order in which they were owed: what the sender begins with. Those in state Sending were at Telegram
// when the program ended.
func (v View) OpenDebts() (owed []Debt, inDoubt []desk.CallID, err error) {
	err = v.each(`SELECT id, lane, priority, kind, items, due_at, state FROM outbox
		WHERE bot_id = ? AND state IN ('owed', 'sending') ORDER BY id`, []any{v.bot},
		func(scan func(...any) error) error {
			var d Debt
			var lane string
			var state State
			if err := scan(&d.ID, &lane, &d.Priority, &d.Kind, &d.Items, moment{&d.Due}, &state); err != nil {
				return err
			}
			if state == Sending {
				inDoubt = append(inDoubt, d.ID)
			}
			var err error
			d.Lane, err = desk.ParseLane(lane)
			owed = append(owed, d)
			return err
		})
	if err != nil {
		return nil, nil, fmt.Errorf("read what is owed: %w", err)
	}
	return owed, inDoubt, nil
}

// CallByID reads one call; false if there is no such row. A payload that cannot be read is the second error: the row is there.
func (v View) CallByID(id desk.CallID) (row CallRow, found bool, unreadable, err error) {
	var lane, noticeLane, payload string
	var content []byte
	row.ID = id
	found, err = v.one(`SELECT chat_id, lane, priority, kind, items, payload, content, state, step, stage, attempts, delays, doubts,
		due_at, reason, result_msg_id, notice_msg_id, notice_lane FROM outbox WHERE id = ? AND bot_id = ?`, []any{id, v.bot},
		&row.Group, &lane, &row.Priority, &row.Kind, &row.Items, &payload, &content, &row.State, &row.Step, &row.Stage, &row.Attempts,
		&row.Delays, &row.Doubts, moment{&row.Due}, &row.Reason, orZero[desk.MessageID]{&row.Result},
		orZero[desk.MessageID]{&row.Notice}, &noticeLane)
	if err != nil || !found {
		return row, false, nil, wrapf(err, "read call %d", id)
	}
	if noticeLane != "" {
		row.NoticeLane, unreadable = desk.ParseLane(noticeLane)
	}
	if row.Lane, err = desk.ParseLane(lane); err != nil {
		return row, true, err, nil
	}
	if row.Call, err = desk.Decode(row.Kind, []byte(payload), content); err != nil {
		return row, true, err, nil
	}
	return row, true, unreadable, nil
}

// OpenAlbums are the calls of a kind that carry an album and are not settled.
func (v View) OpenAlbums(kind string) ([]CallRow, error) {
	return v.calls(`SELECT id FROM outbox WHERE bot_id = ? AND state IN ('owed', 'sending') AND kind = ?
		AND EXISTS (SELECT 1 FROM album_items WHERE call_id = outbox.id) ORDER BY id`, v.bot, kind)
}

// CallsAbout are the calls of a lane that carry a message or react to it, oldest first; source is its number where it was written. In a
// lane to a person that is the group.
func (tx *Tx) CallsAbout(to desk.Lane, source desk.MessageID) ([]CallRow, error) {
	rows, err := tx.about(source)
	return slices.DeleteFunc(rows, func(r CallRow) bool {
		return r.Lane != to || to.Kind != desk.ToTopic && r.Group != tx.group
	}), err
}

// RelaysOf are the calls that carry a message of the group to whomever it is for, oldest first.
func (tx *Tx) RelaysOf(source desk.MessageID) ([]CallRow, error) {
	rows, err := tx.about(source)
	return slices.DeleteFunc(rows, func(r CallRow) bool {
		_, relay := r.Call.(desk.RelayToUser)
		return !relay || r.Group != tx.group
	}), err
}

// about finds calls of all lanes: the same number is another message in each chat. What this very transaction owes counts.
func (tx *Tx) about(source desk.MessageID) ([]CallRow, error) {
	if err := tx.flush(); err != nil {
		return nil, err
	}
	albums, err := tx.calls("SELECT call_id FROM album_items WHERE source_msg_id = ? ORDER BY call_id", source)
	if err != nil {
		return nil, err
	}
	rows, err := tx.calls("SELECT id FROM outbox WHERE source_msg_id = ? ORDER BY id", source)
	rows = append(albums, rows...)
	slices.SortFunc(rows, func(a, b CallRow) int { return cmp.Compare(a.ID, b.ID) })
	return rows, err
}

// calls reads the calls that a query names; one that cannot be read is left out.
func (v View) calls(query string, args ...any) ([]CallRow, error) {
	var ids []desk.CallID
	err := v.each(query, args, func(scan func(...any) error) error {
		var id desk.CallID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for calls: %w", err)
	}
	rows := make([]CallRow, 0, len(ids))
	for _, id := range ids {
		row, found, unreadable, err := v.CallByID(id)
		if err != nil {
			return nil, err
		}
		if found && unreadable == nil {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// ReplaceContent puts the newer form of a message in place of the one that a call carries; false if it is too late for that.
func (tx *Tx) ReplaceContent(row CallRow, newer desk.Copied) (bool, error) {
	if carried, _ := desk.CarriedBy(row.Call); carried.Items {
		return tx.replaceItem(row.ID, newer)
	}
	return tx.Replace(row.ID, desk.WithContent(row.Call, newer))
}

// Replace puts a newer call in place of one that has not been taken; false if it is too late for that.
func (tx *Tx) Replace(id desk.CallID, newer desk.Call) (bool, error) {
	payload, content, err := desk.Encode(newer)
	if err != nil {
		return false, err
	}
	n, err := tx.change("UPDATE outbox SET payload = ?, content = ? WHERE id = ? AND state = 'owed'",
		string(payload), textOrNull(content), id)
	return n == 1, wrapf(err, "replace call %d", id)
}

// TakenBack is why a call is cancelled whose message was taken back by /del.
const TakenBack = "taken back"

// Cancel ends a call that has not been taken, or was refused and might be tried again; false if it is too late for that. Then it is not
// tried another time.
func (tx *Tx) Cancel(id desk.CallID, why string) (bool, error) {
	d := Debt{ID: id, Due: tx.Now}
	var lane string
	found, err := tx.one(`UPDATE outbox SET state = 'dropped', reason = ?, content = NULL, settled_at = ?
		WHERE id = ? AND state IN ('owed', 'refused') RETURNING lane, priority, kind`, []any{why, stamp(tx.Now), id}, &lane, &d.Priority, &d.Kind)
	if err == nil && !found {
		err = tx.do("UPDATE outbox SET withdrawn = ? WHERE id = ? AND state = 'sending'", why, id)
	}
	if err != nil || !found {
		return false, wrapf(err, "cancel call %d", id)
	}
	if d.Lane, err = desk.ParseLane(lane); err != nil {
		return false, err
	}
	tx.news.Owed = append(tx.news.Owed, d) // due at once, so that its lane does not wait for it
	return true, tx.eraseItems(id)
}

// MarkSending takes a call: from now on it may have arrived. False if it is not owed any more.
func (tx *Tx) MarkSending(id desk.CallID, step string) (bool, error) {
	n, err := tx.change(`UPDATE outbox SET state = 'sending', step = ?, sent_chat_id = ? WHERE id = ? AND state = 'owed'`,
		step, tx.group, id)
	return n == 1, wrapf(err, "take call %d", id)
}

// Withdrawn is why a call that is under way is not to be tried again; empty if it may be.
func (v View) Withdrawn(id desk.CallID) (why string, err error) {
	_, err = v.one("SELECT withdrawn FROM outbox WHERE id = ?", []any{id}, &why)
	return why, wrapf(err, "look at call %d", id)
}

// SettleCall writes down what became of a call. Settled, it keeps no text; a refused one keeps it for a further try. One that was to be
// cancelled while it was under way is not owed again.
func (tx *Tx) SettleCall(row CallRow) error {
	if row.State == Owed || row.State == Refused {
		why, err := tx.Withdrawn(row.ID)
		if err != nil {
			return err
		}
		if why != "" {
			row.State, row.Reason = Dropped, why
		}
	}
	var settledAt any
	if row.State != Owed && row.State != Sending {
		settledAt = stamp(tx.Now)
	}
	if row.State == Owed {
		tx.news.Owed = append(tx.news.Owed, row.Debt)
	}
	n, err := tx.change(`UPDATE outbox SET state = ?, step = ?, stage = ?, items = ?, attempts = ?, delays = ?, doubts = ?, due_at = ?,
			reason = ?, result_msg_id = ?, settled_at = ?,
			content = CASE WHEN ? IN ('sent', 'dropped') THEN NULL ELSE content END
		WHERE id = ? AND state IN ('owed', 'sending')`,
		row.State, row.Step, row.Stage, max(row.Items, 1), row.Attempts, row.Delays, row.Doubts, stamp(row.Due), row.Reason,
		numberOrNull(row.Result), settledAt, row.State, row.ID)
	if err == nil && n != 1 {
		err = fmt.Errorf("it was settled already")
	}
	if carried, _ := desk.CarriedBy(row.Call); err == nil && carried.Items && (row.State == Sent || row.State == Dropped) {
		err = tx.eraseItems(row.ID)
	}
	return wrapf(err, "settle call %d", row.ID)
}

// RefuseCall gives a call up that nothing else can be done with: what it is cannot even be read.
func (tx *Tx) RefuseCall(id desk.CallID, why string) error {
	return wrapf(tx.do(`UPDATE outbox SET state = 'refused', reason = ?, settled_at = ? WHERE id = ? AND state IN ('owed', 'sending')`,
		why, stamp(tx.Now), id), "give up call %d", id)
}

// OweAgain gives a refused call one more life, counted afresh; the outcome is told in the notice that stands in the lane. False if it
// is not refused: somebody else has pressed, or it is gone.
func (tx *Tx) OweAgain(id desk.CallID, notice desk.MessageID, in desk.Lane) (bool, error) {
	again, err := tx.revive(id, Refused)
	if err != nil || !again {
		return false, err
	}
	return true, wrapf(tx.do("UPDATE outbox SET notice_msg_id = ?, notice_lane = ? WHERE id = ?", notice, in.String(), id),
		"keep the notice of call %d", id)
}

// NoteNotice notes which message offers to try a refused call again.
func (tx *Tx) NoteNotice(id desk.CallID, notice desk.MessageID, in desk.Lane) error {
	return wrapf(tx.do("UPDATE outbox SET notice_msg_id = ?, notice_lane = ? WHERE id = ? AND state = 'refused'", notice, in.String(), id),
		"keep the notice of call %d", id)
}

// OweMisrouted owes a call anew that Telegram accepted, as a whole or in part, and put in the wrong place.
func (tx *Tx) OweMisrouted(row CallRow) (bool, error) {
	if row.Open() || row.State == Dropped {
		return false, nil
	}
	return tx.revive(row.ID, row.State)
}

func (tx *Tx) revive(id desk.CallID, from State) (bool, error) {
	d := Debt{ID: id, Due: tx.Now}
	var lane string
	found, err := tx.one(`UPDATE outbox SET state = 'owed', step = '',
			stage = CASE WHEN ? AND stage LIKE 'doubled%' THEN 'doubled' ELSE '' END, attempts = 0, delays = 0, doubts = 0, due_at = ?,
			reason = '', result_msg_id = NULL, settled_at = NULL, withdrawn = ''
		WHERE id = ? AND bot_id = ? AND state = ? RETURNING lane, priority, kind, items`,
		[]any{from == Refused, stamp(tx.Now), id, tx.bot, from}, &lane, &d.Priority, &d.Kind, &d.Items)
	if err != nil || !found {
		return false, wrapf(err, "owe call %d again", id)
	}
	if d.Lane, err = desk.ParseLane(lane); err != nil {
		return true, err
	}
	tx.news.Owed = append(tx.news.Owed, d)
	return true, tx.tryItemsAgain(id)
}

// SentSince are the calls of a kind that put something into this group and were settled at or after a moment, oldest first: also an album
// of which a part was refused.
func (v View) SentSince(kind string, since time.Time) ([]CallRow, error) {
	return v.calls(`SELECT id FROM outbox WHERE bot_id = ? AND settled_at >= ? AND settled_at IS NOT NULL
		AND state IN ('sent', 'refused') AND kind = ? AND sent_chat_id = ? ORDER BY settled_at`, v.bot, stamp(since), kind, v.group)
}
