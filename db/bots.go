package db

// An Identity is what Telegram says the bot is called.
type Identity struct {
	Username    string
	DisplayName string
}

// Identity is the bot's name as last heard; false before Telegram has told it for the first time.
func (v View) Identity() (i Identity, found bool, err error) {
	found, err = v.one("SELECT username, display_name FROM bots WHERE bot_id = ?", []any{v.bot}, &i.Username, &i.DisplayName)
	return i, found, wrapf(err, "read the bot's name")
}

// SetIdentity remembers what the bot is called (S14).
func (tx *Tx) SetIdentity(i Identity) error {
	tx.news.Names = true
	return wrapf(tx.do(`INSERT INTO bots (bot_id, username, display_name, created_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (bot_id) DO UPDATE SET username = excluded.username, display_name = excluded.display_name`,
		tx.bot, i.Username, i.DisplayName, stamp(tx.Now)), "keep the bot's name")
}
