package db

import "hodor/internal/desk"

// IsGroupAdmin tells whether Telegram last told of this person as an administrator of the support group.
func (v View) IsGroupAdmin(user desk.UserID) (bool, error) {
	var one int
	found, err := v.one("SELECT 1 FROM group_admins WHERE bot_id = ? AND chat_id = ? AND user_id = ?",
		[]any{v.bot, v.group, user}, &one)
	return found, wrapf(err, "look up administrator %d", user)
}

// SetGroupAdmin follows a change that Telegram told of.
func (tx *Tx) SetGroupAdmin(user desk.UserID, is bool) error {
	query := "DELETE FROM group_admins WHERE bot_id = ? AND chat_id = ? AND user_id = ?"
	if is {
		query = "INSERT INTO group_admins (bot_id, chat_id, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
	}
	return wrapf(tx.do(query, tx.bot, tx.group, user), "keep administrator %d", user)
}

// SetGroupAdmins replaces the whole list.
func (tx *Tx) SetGroupAdmins(users []desk.UserID) error {
	if err := tx.do("DELETE FROM group_admins WHERE bot_id = ? AND chat_id = ?", tx.bot, tx.group); err != nil {
		return wrapf(err, "replace the administrators")
	}
	for _, u := range users {
		if err := tx.SetGroupAdmin(u, true); err != nil {
			return err
		}
	}
	return nil
}
