package db

import (
	"context"

	"hodor/internal/desk"
)

// MoveGroup follows the support group to the id that Telegram gave it. Bindings and ledger rows of the old one count as gone from
// here on. False if we were there already.
func (tx *Tx) MoveGroup(to desk.ChatID) (bool, error) {
	if to == tx.group {
		return false, nil
	}
	err := tx.do(`INSERT INTO group_moves (bot_id, from_chat_id, to_chat_id, created_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (bot_id, from_chat_id) DO UPDATE SET to_chat_id = excluded.to_chat_id`, tx.bot, tx.group, to, stamp(tx.Now))
	if err != nil {
		return false, wrapf(err, "follow the group to %d", to)
	}
	err = tx.do(`UPDATE outbox SET notice_msg_id = NULL, notice_lane = '' WHERE bot_id = ? AND state IN ('owed', 'sending')
		AND notice_msg_id IS NOT NULL AND notice_lane NOT LIKE 'user/%'`, tx.bot)
	if err != nil {
		return false, wrapf(err, "forget the notices in the group")
	}
	tx.group, tx.news.Moved = to, true
	return true, nil
}

// maxMoves bounds the walk along moves, in case rows made by hand form a circle.
const maxMoves = 8

// followGroup finds where the configured group is now.
func (d *DB) followGroup(ctx context.Context, configured desk.ChatID) error {
	return d.View(ctx, func(v View) error {
		at := configured
		for range maxMoves {
			next := at
			moved, err := v.one("SELECT to_chat_id FROM group_moves WHERE bot_id = ? AND from_chat_id = ?", []any{v.bot, at}, &next)
			if err != nil {
				return wrapf(err, "find the group")
			}
			if !moved {
				break
			}
			at = next
		}
		d.group.Store(int64(at))
		return nil
	})
}
