package db

import "time"

// WinSlot is the one decision whether something that must not be said too often is said now: true if it was not said within the
// window, and then it counts as said. A time in the future that no clock of ours can have seen counts as long ago.
func (tx *Tx) WinSlot(slot string, window time.Duration) (bool, error) {
	n, err := tx.change(`INSERT INTO notice_slots (bot_id, slot, taken_at) VALUES (?, ?, ?)
		ON CONFLICT (bot_id, slot) DO UPDATE SET taken_at = excluded.taken_at
		WHERE notice_slots.taken_at <= ? OR notice_slots.taken_at > ?`,
		tx.bot, slot, stamp(tx.Now), stamp(tx.Now.Add(-window)), stamp(tx.Now.Add(window)))
	return n == 1, wrapf(err, "take slot %s", slot)
}

// FreeSlot lets the thing be said again at once.
func (tx *Tx) FreeSlot(slot string) error {
	return wrapf(tx.do("DELETE FROM notice_slots WHERE bot_id = ? AND slot = ?", tx.bot, slot), "free slot %s", slot)
}
