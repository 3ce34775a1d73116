package outbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hodor/db"
	"hodor/internal/desk"
)

// A message is taken back while it is at Telegram, and a part of it arrives: a medium whose caption was to follow, some items of an
// album. Nobody may be told, by its disappearance from the topic, that the person has nothing of it.
func TestTakenBackInPartIsNotCalledNeverArrived(t *testing.T) {
	o, d := newChain(t)
	for name, c := range map[string]struct {
		m      carried
		stage  string
		answer func(*request) answer
	}{
		"a medium without its caption": {carried{toUser: true, kind: "photo", longWords: true}, stageTyped,
			func(r *request) answer { return accept(r, 0) }},
		"fewer items than were sent": {carried{toUser: true, kind: "photo", items: 3}, "", func(r *request) answer { return accept(r, 1) }},
		"an album refused in part": {carried{toUser: true, kind: "photo", items: 3}, "",
			func(*request) answer { return says(`failed to send message #2 with the error message "x"`) }},
	} {
		var said []string
		err := d.Update(t.Context(), func(tx *db.Tx) error {
			id, err := c.m.owe(tx)
			if err != nil {
				return err
			}
			row, _, _, err := tx.CallByID(id)
			if err != nil {
				return err
			}
			row.Stage = c.stage
			if err := tx.SettleCall(row); err != nil {
				return err
			}
			way := &chain{o: o, tx: tx, id: id}
			if _, err := way.step(func(r *request) answer {
				if cancelled, err := tx.Cancel(id, "taken back"); cancelled || err != nil {
					t.Errorf("%s: what is at Telegram was cancelled: %v, %v", name, cancelled, err)
				}
				return c.answer(r)
			}); err != nil {
				return err
			}
			unsend := desk.Unsend{User: 7, Message: 40, Command: 50}
			dec, err := o.planUnsend(tx, db.CallRow{Call: unsend, Group: tx.Group(), Debt: db.Debt{Lane: unsend.Lane()}}, unsend)
			if err != nil {
				return err
			}
			if dec.send != nil {
				return errUndone // it removes what arrived
			}
			if err := tx.OweOnce(desk.RefreshCard{User: 8}, tx.Now); err != nil {
				return err
			}
			owed, _, err := tx.OpenDebts()
			for _, debt := range owed {
				call, _, _, err := tx.CallByID(debt.ID)
				if err != nil {
					return err
				}
				b, _ := json.Marshal(call.Call)
				said = append(said, fmt.Sprintf("%s %s", debt.Kind, b))
			}
			if err == nil {
				err = errUndone
			}
			return err
		})
		if err == nil || err.Error() != errUndone.Error() {
			t.Fatalf("%s: %v", name, err)
		}
		all := strings.Join(said, "\n")
		if said != nil && !strings.Contains(all, "del_maybe_arrived") && !strings.Contains(all, `"copies"`) {
			t.Errorf("%s: what has arrived is neither told nor removed:\n%s", name, all)
		}
	}
}
