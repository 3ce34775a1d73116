package db_test

import (
	"testing"

	"hodor/db"
)

// An album that goes one by one is owed between its items: the edit of an item that stands on the other side already, or was left
// out, must not be put where nobody sends it any more.
func TestItemThatWentItsWayIsNotReplaced(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	r.join(a, 41)
	r.join(a, 42)
	r.update(func(tx *db.Tx) error {
		if err := tx.SettleItem(a.Call, 40, 900); err != nil {
			return err
		}
		return tx.GiveUpItem(a.Call, 41)
	})
	row := r.call(a.Call)
	for _, c := range []struct {
		what   string
		source int
		want   bool
	}{{"sent", 40, false}, {"given up", 41, false}, {"still to go", 42, true}} {
		edited := newer(40)
		edited.Source = r.items(a.Call)[c.source-40].Source
		if got := r.decided(func(tx *db.Tx) (bool, error) { return tx.ReplaceContent(row, edited) }); got != c.want {
			t.Errorf("%s: replaced %v, want %v", c.what, got, c.want)
		}
	}
}
