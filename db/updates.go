package db

import (
	"fmt"
	"strings"
	"time"

	"hodor/internal/desk"
)

// Retry rules of an update that we failed to handle.
const (
	RetryAfter = 60 * time.Second
	MaxTries   = 3
)

// claimAll claims every update of the batch in one statement and returns those that were new.
func (tx *Tx) claimAll(batch []*job) (map[desk.UpdateID]bool, error) {
	fresh := make(map[desk.UpdateID]bool)
	args := make([]any, 0, 3*len(batch))
	now := stamp(tx.Now)
	for _, j := range batch {
		if j.claims {
			args = append(args, tx.bot, j.id, now)
		}
	}
	for len(args) > 0 {
		n := rowsAtOnce(len(args) / 3)
		err := tx.each(claimSQL[n], args[:3*n], func(scan func(...any) error) error {
			var id desk.UpdateID
			if err := scan(&id); err != nil {
				return err
			}
			fresh[id] = true
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("claim updates: %w", err)
		}
		args = args[3*n:]
	}
	return fresh, nil
}

var claimSQL = byRows("INSERT INTO processed_updates (bot_id, update_id, status, created_at) VALUES ",
	"(?, ?, 'processed', ?)", " ON CONFLICT DO NOTHING RETURNING update_id")

// byRows prepares the texts of a statement for 1, 2, 4 … rows: few enough to stay prepared.
func byRows(head, row, tail string) map[int]string {
	texts := make(map[int]string)
	for n := 1; n <= maxRows; n *= 2 {
		texts[n] = head + strings.Repeat(row+", ", n-1) + row + tail
	}
	return texts
}

const maxRows = 32

// rowsAtOnce is the largest number of rows not above n that has a prepared text.
func rowsAtOnce(n int) int {
	size := 1
	for size*2 <= n && size*2 <= maxRows {
		size *= 2
	}
	return size
}

// KeepUpdate keeps an update that could not be handled, to be tried again; its effects have been rolled back. attempts is 1 for a
// fault of ours and 0 where it only has to wait. An update claimed already is left as it is.
func (tx *Tx) KeepUpdate(id desk.UpdateID, raw []byte, attempts int) error {
	err := tx.do(`INSERT INTO processed_updates (bot_id, update_id, status, attempts, raw, created_at)
		VALUES (?, ?, 'processing', ?, ?, ?) ON CONFLICT DO NOTHING`, tx.bot, id, attempts, string(raw), stamp(tx.Now))
	if err != nil {
		return fmt.Errorf("keep update %d: %w", id, err)
	}
	return nil
}

// An Unfinished is a kept update.
type Unfinished struct {
	ID       desk.UpdateID
	Raw      []byte
	Attempts int
	KeptAt   time.Time
}

// UnfinishedUpdates are the oldest kept updates, in the order in which they were kept.
func (v View) UnfinishedUpdates(limit int) ([]Unfinished, error) {
	var kept []Unfinished
	err := v.each(`SELECT update_id, raw, attempts, created_at FROM processed_updates
		WHERE bot_id = ? AND status = 'processing' ORDER BY created_at, update_id LIMIT ?`, []any{v.bot, limit},
		func(scan func(...any) error) error {
			var u Unfinished
			if err := scan(&u.ID, &u.Raw, &u.Attempts, moment{&u.KeptAt}); err != nil {
				return err
			}
			kept = append(kept, u)
			return nil
		})
	if err != nil {
		return nil, fmt.Errorf("read unfinished updates: %w", err)
	}
	return kept, nil
}

// FinishUpdate marks a kept update as handled and forgets its text; false if it is not waiting any more.
func (tx *Tx) FinishUpdate(id desk.UpdateID) (bool, error) {
	n, err := tx.change(`UPDATE processed_updates SET status = 'processed', raw = NULL
		WHERE bot_id = ? AND update_id = ? AND status = 'processing'`, tx.bot, id)
	if err != nil {
		return false, fmt.Errorf("finish update %d: %w", id, err)
	}
	return n == 1, nil
}

// FailUpdate counts one more failed try of a kept update; true if it was the last and the update is kept as failed.
func (tx *Tx) FailUpdate(id desk.UpdateID) (failed bool, err error) {
	var status string
	_, err = tx.one(`UPDATE processed_updates SET attempts = attempts + 1, created_at = ?,
			status = CASE WHEN attempts + 1 >= ? THEN 'failed' ELSE 'processing' END
		WHERE bot_id = ? AND update_id = ? AND status = 'processing' RETURNING status`,
		[]any{stamp(tx.Now), MaxTries, tx.bot, id}, &status)
	if err != nil {
		return false, fmt.Errorf("count a try of update %d: %w", id, err)
	}
	return status == "failed", nil
}
