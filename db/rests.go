package db

import (
	"time"

	"hodor/internal/desk"
)

// A Rest is until when Telegram wants a family of methods left alone in a chat. Chat 0 is every chat, family "" every method.
type Rest struct {
	Chat   desk.ChatID
	Family string
	Until  time.Time
}

// SetRest keeps a rest, so that a restart does not forget it.
func (tx *Tx) SetRest(r Rest) error {
	return wrapf(tx.do(`INSERT INTO rests (bot_id, chat_id, family, began_at, until) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (bot_id, chat_id, family) DO UPDATE SET began_at = excluded.began_at,
			until = CASE WHEN rests.until > excluded.until AND rests.began_at <= excluded.began_at
				THEN rests.until ELSE excluded.until END`,
		tx.bot, r.Chat, r.Family, stamp(tx.Now), stamp(r.Until)), "keep a rest")
}

// EndRests forgets the rests that are over.
func (tx *Tx) EndRests() error {
	return wrapf(tx.do("DELETE FROM rests WHERE bot_id = ? AND until <= ?", tx.bot, stamp(tx.Now)), "end rests")
}

// Rests are all that last at this moment. One that began in the future is a clock's fault and counts as over.
func (v View) Rests(now time.Time) ([]Rest, error) {
	var list []Rest
	err := v.each("SELECT chat_id, family, until FROM rests WHERE bot_id = ? AND began_at <= ? AND until > ?",
		[]any{v.bot, stamp(now), stamp(now)}, func(scan func(...any) error) error {
			var r Rest
			err := scan(&r.Chat, &r.Family, moment{&r.Until})
			list = append(list, r)
			return err
		})
	return list, wrapf(err, "read the rests")
}
