package db

import "time"

// SetForumProof keeps when the group was last known to have topics.
func (tx *Tx) SetForumProof(at time.Time) error {
	return wrapf(tx.do(`INSERT INTO forum_proofs (bot_id, chat_id, proved_at) VALUES (?, ?, ?)
		ON CONFLICT (bot_id, chat_id) DO UPDATE SET proved_at = excluded.proved_at`, tx.bot, tx.group, stamp(at)),
		"keep the proof of topics")
}

// ForumProof is when the group was last known to have topics; the zero moment if it never was.
func (v View) ForumProof() (at time.Time, err error) {
	_, err = v.one("SELECT proved_at FROM forum_proofs WHERE bot_id = ? AND chat_id = ?", []any{v.bot, v.group}, moment{&at})
	return at, wrapf(err, "read the proof of topics")
}
