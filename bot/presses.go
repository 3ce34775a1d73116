package bot

import (
	"strconv"
	"strings"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// pressed does what a button says. Every press is answered, with nothing where there is nothing to say: the button waits for it.
func (b *Bot) pressed(tx *db.Tx, id desk.UpdateID, e pressed) error {
	var toast *desk.Text
	if data, ok := strings.CutPrefix(e.data, desk.AgainData); ok {
		said, err := b.tryAgain(tx, e, data)
		if err != nil {
			return err
		}
		toast = &said
	}
	if e.data == desk.EditedData {
		said := text.ToastEdited()
		toast = &said
	}
	return tx.Owe(desk.AnswerPress{Query: e.query, Line: toast, Lang: e.lang, Press: int64(id), At: tx.Now})
}

// tryAgain owes a refused relay once more: for the team in the group, and for a person their own message only.
func (b *Bot) tryAgain(tx *db.Tx, e pressed, data string) (toast desk.Text, err error) {
	number, err := strconv.ParseInt(data, 10, 64)
	if err != nil {
		return text.ToastNoLonger(), nil
	}
	row, found, unreadable, err := tx.CallByID(desk.CallID(number))
	if err != nil || !found || unreadable != nil {
		return text.ToastNoLonger(), err
	}
	lane := desk.GeneralLane() // an edit goes by the message's number alone, wherever in the group it stands
	if e.chat == tx.Group() {
		if may, err := b.mayAnswer(tx, e.by); err != nil || !may {
			return text.ToastNotYours(), err
		}
	} else {
		relay, ok := row.Call.(desk.RelayToTopic)
		if !ok || relay.User.PrivateChat() != e.chat {
			return text.ToastNoLonger(), nil
		}
		lane = desk.UserLane(relay.User)
	}
	if banned, err := b.fromBanned(tx, row.Call); err != nil || banned {
		return text.ToastNoLonger(), err
	}
	again, err := tx.OweAgain(row.ID, e.message, lane)
	if err != nil || !again {
		return text.ToastNoLonger(), err
	}
	return text.ToastTrying(), tx.Owe(desk.EditNotice{To: lane, Message: e.message, Lines: []desk.Text{text.TryingAgain()}})
}

// fromBanned tells that the call carries what a banned person wrote: the gate holds for a further try, too.
func (b *Bot) fromBanned(tx *db.Tx, c desk.Call) (bool, error) {
	relay, ok := c.(desk.RelayToTopic)
	if !ok {
		return false, nil
	}
	user, _, err := tx.User(relay.User)
	return user.Banned, err
}
