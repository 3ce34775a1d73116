package db

import (
	"time"

	"hodor/internal/desk"
)

// RateWindow is how long a person's messages are counted together.
const RateWindow = 60 * time.Second

// A window is how many messages a person wrote since its start.
type window struct {
	start time.Time
	count int
}

// rates are the windows of who wrote lately. They are kept in memory, because writing one for each message would cost more than all
// else that a message causes; a window goes to disk when it is full, so that a restart lets nobody write on. Only the writer uses them.
type rates struct {
	kept   map[desk.UserID]window
	tidied time.Time
}

// CountMessage counts a message written at the given moment against the person's limit; false if it is one too many. The window
// is the first message's minute by Telegram's clock, so that an outage of ours punishes nobody (S9). A window that begins further
// ahead than its own length is a clock's fault and counts as past.
func (tx *Tx) CountMessage(id desk.UserID, written time.Time, limit int) (bool, error) {
	w, err := tx.window(id)
	if err != nil {
		return false, err
	}
	if w.start.IsZero() || !w.start.After(written.Add(-RateWindow)) || w.start.After(written.Add(RateWindow)) {
		w = window{start: written}
	}
	if w.count >= limit {
		return false, nil
	}
	w.count++
	if tx.counted == nil {
		tx.counted = make(map[desk.UserID]window)
	}
	tx.counted[id] = w
	if w.count < limit {
		return true, nil
	}
	return true, wrapf(tx.do("UPDATE users SET rate_window_start = ?, rate_count = ? WHERE bot_id = ? AND user_id = ?",
		stamp(w.start), w.count, tx.bot, id), "keep the rate window of user %d", id)
}

// window is the newest that is known: of this transaction, of those kept, or of the person's row.
func (tx *Tx) window(id desk.UserID) (w window, err error) {
	if w, ok := tx.counted[id]; ok {
		return w, nil
	}
	if w, ok := tx.rates.kept[id]; ok {
		return w, nil
	}
	_, err = tx.one("SELECT rate_window_start, rate_count FROM users WHERE bot_id = ? AND user_id = ?", []any{tx.bot, id},
		moment{&w.start}, &w.count)
	return w, wrapf(err, "read the rate window of user %d", id)
}

// keep takes over what a transaction counted, now that it is on disk.
func (r *rates) keep(counted map[desk.UserID]window, now time.Time) {
	for id, w := range counted {
		r.kept[id] = w
	}
	if now.Sub(r.tidied).Abs() < RateWindow {
		return
	}
	r.tidied = now
	for id, w := range r.kept {
		if now.Sub(w.start).Abs() > 2*RateWindow { // Telegram's clock may differ from ours a little
			delete(r.kept, id)
		}
	}
}
