package db

import (
	"slices"
	"strings"
	"time"

	"hodor/internal/desk"
)

// The items of an album come one by one, and nothing says which is the last: it is complete when none came for a second, or when the
// first is eight seconds old.
const (
	AlbumQuiet = time.Second
	AlbumLimit = 8 * time.Second
)

// An Album is what was decided about an album when its first item came.
type Album struct {
	Call      desk.CallID    // the relay that collects its items; 0 if they are not relayed
	First     desk.MessageID // the first item
	StartedAt time.Time
}

// An AlbumItem is one item of an album on its way.
type AlbumItem struct {
	Source  desk.MessageID
	Content string // the Bot API's name of its kind
	Raw     []byte // as Telegram sent it; none once the call is settled
	Result  desk.MessageID
	GivenUp bool
	Loose   desk.MessageID // a copy that Telegram named without saying of which item it is
	LooseAt time.Time
}

// Album is what is known of an album that is written in a chat; false if nothing of it has come yet.
func (v View) Album(chat desk.ChatID, album string) (a Album, found bool, err error) {
	found, err = v.one("SELECT call_id, first_msg_id, created_at FROM albums WHERE bot_id = ? AND chat_id = ? AND album = ?",
		[]any{v.bot, chat, album}, orZero[desk.CallID]{&a.Call}, &a.First, moment{&a.StartedAt})
	return a, found, wrapf(err, "read album %s", album)
}

// RefuseAlbum decides that nothing of an album is relayed.
func (tx *Tx) RefuseAlbum(chat desk.ChatID, album string, first desk.MessageID) error {
	return tx.decideAlbum(chat, album, first, 0)
}

func (tx *Tx) decideAlbum(chat desk.ChatID, album string, first desk.MessageID, call desk.CallID) error {
	return wrapf(tx.do(`INSERT INTO albums (bot_id, chat_id, album, call_id, first_msg_id, created_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (bot_id, chat_id, album) DO UPDATE SET call_id = excluded.call_id`,
		tx.bot, chat, album, numberOrNull(call), first, stamp(tx.Now)), "decide about album %s", album)
}

// StartAlbum owes the relay of an album, which begins to collect with its first item.
func (tx *Tx) StartAlbum(chat desk.ChatID, album string, relay desk.Call, first AlbumItem) error {
	call, err := tx.oweNow(owed{relay, tx.Now.Add(AlbumQuiet)})
	if err != nil {
		return err
	}
	if err := tx.decideAlbum(chat, album, first.Source, call); err != nil {
		return err
	}
	return tx.addItem(call, first)
}

// JoinAlbum adds an item to an album whose relay is not under way yet; false if it is too late for that.
func (tx *Tx) JoinAlbum(a Album, item AlbumItem) (bool, error) {
	quiet := stamp(earlier(tx.Now.Add(AlbumQuiet), a.StartedAt.Add(AlbumLimit)))
	d := Debt{ID: a.Call}
	var lane string
	found, err := tx.one(`UPDATE outbox SET items = items + 1, due_at = CASE WHEN due_at < ? THEN ? ELSE due_at END
		WHERE id = ? AND state = 'owed' AND stage IN ('', 'no_card') AND doubts = 0 RETURNING lane, priority, kind, items, due_at`,
		[]any{quiet, quiet, a.Call}, &lane, &d.Priority, &d.Kind, &d.Items, moment{&d.Due})
	if err != nil || !found {
		return false, wrapf(err, "join the album of call %d", a.Call)
	}
	if d.Lane, err = desk.ParseLane(lane); err != nil {
		return false, err
	}
	tx.news.Owed = append(tx.news.Owed, d)
	return true, tx.addItem(a.Call, item)
}

func (tx *Tx) addItem(call desk.CallID, item AlbumItem) error {
	return wrapf(tx.do(`INSERT INTO album_items (call_id, source_msg_id, content_type, content) VALUES (?, ?, ?, ?)
		ON CONFLICT (call_id, source_msg_id) DO UPDATE SET content_type = excluded.content_type, content = excluded.content`,
		call, item.Source, item.Content, textOrNull(item.Raw)), "keep an item of call %d", call)
}

// AlbumItems are the items that a call carries, in their order; none if it carries no album.
func (v View) AlbumItems(call desk.CallID) (items []AlbumItem, err error) {
	err = v.each(`SELECT source_msg_id, content_type, content, result_msg_id, is_given_up, loose_msg_id, loose_at FROM album_items
		WHERE call_id = ? ORDER BY source_msg_id`, []any{call}, func(scan func(...any) error) error {
		var i AlbumItem
		err := scan(&i.Source, &i.Content, &i.Raw, orZero[desk.MessageID]{&i.Result}, &i.GivenUp,
			orZero[desk.MessageID]{&i.Loose}, moment{&i.LooseAt})
		items = append(items, i)
		return err
	})
	return items, wrapf(err, "read the items of call %d", call)
}

// Remains are what a relay that is not sent any more leaves behind.
type Remains struct {
	Sources []desk.MessageID // the messages it was to carry, numbered where they were written
	// Copies stand on the other side without being in the ledger: the medium of a caption that was still to come, and items of an
	// album that Telegram named without saying which is which.
	Copies []desk.MessageID
	Maybe  bool // more of it may stand there
}

// Remains is what a relay leaves behind that is not sent any more.
func (v View) Remains(row CallRow) (Remains, error) {
	carried, _ := desk.CarriedBy(row.Call)
	r := Remains{Maybe: row.Doubts > 0 || strings.HasPrefix(row.Stage, StageDoubled)}
	if row.Result != 0 && row.State != Sent {
		r.Copies = append(r.Copies, row.Result)
	}
	if !carried.Items {
		r.Sources = append(r.Sources, carried.Source)
		return r, nil
	}
	items, err := v.AlbumItems(row.ID)
	for _, i := range items {
		r.Sources = append(r.Sources, i.Source)
		if i.Loose != 0 {
			r.Copies = append(r.Copies, i.Loose)
		}
	}
	return r, err
}

// PartStands tells that the person has a part of what a relay was to carry: items of the album, or the medium of a caption.
func (v View) PartStands(row CallRow) (bool, error) {
	items, err := v.AlbumItems(row.ID)
	return row.Result != 0 || slices.ContainsFunc(items, func(i AlbumItem) bool { return i.Result != 0 || i.Loose != 0 }), err
}

// SettleItem notes what an item became on the other side.
func (tx *Tx) SettleItem(call desk.CallID, source, result desk.MessageID) error {
	return wrapf(tx.do("UPDATE album_items SET result_msg_id = ? WHERE call_id = ? AND source_msg_id = ?", result, call, source),
		"settle an item of call %d", call)
}

// NoteLoose notes, with any one of the items, a copy of some item.
func (tx *Tx) NoteLoose(call desk.CallID, with, loose desk.MessageID) error {
	return wrapf(tx.do("UPDATE album_items SET loose_msg_id = ?, loose_at = ? WHERE call_id = ? AND source_msg_id = ?",
		loose, stamp(tx.Now), call, with), "note a copy of call %d", call)
}

// GiveUpItem notes that an item cannot be carried; the others are.
func (tx *Tx) GiveUpItem(call desk.CallID, source desk.MessageID) error {
	return wrapf(tx.do("UPDATE album_items SET is_given_up = 1 WHERE call_id = ? AND source_msg_id = ?", call, source),
		"give up an item of call %d", call)
}

// replaceItem puts an item's edited content in place of the old, while its call is not under way and the item has not gone its way.
func (tx *Tx) replaceItem(call desk.CallID, c desk.Copied) (bool, error) {
	n, err := tx.change(`UPDATE album_items SET content = ?, content_type = ? WHERE call_id = ? AND source_msg_id = ?
		AND result_msg_id IS NULL AND is_given_up = 0 AND EXISTS (SELECT 1 FROM outbox WHERE id = ? AND state = 'owed')`,
		textOrNull(c.Raw), c.Content, call, c.Source, call)
	return n == 1, wrapf(err, "replace an item of call %d", call)
}

// eraseItems removes the content of a call's items: the call is settled.
func (tx *Tx) eraseItems(call desk.CallID) error {
	return wrapf(tx.do("UPDATE album_items SET content = NULL WHERE call_id = ? AND content IS NOT NULL", call),
		"erase the items of call %d", call)
}

// ForgetItems makes all items of a call ready to be sent once more: where they stood they stand no longer.
func (tx *Tx) ForgetItems(call desk.CallID) error {
	return wrapf(tx.do("UPDATE album_items SET is_given_up = 0, result_msg_id = NULL WHERE call_id = ?", call),
		"send the items of call %d again", call)
}

// ForgetItem makes one item of a call ready to be sent once more.
func (tx *Tx) ForgetItem(call desk.CallID, source desk.MessageID) error {
	return wrapf(tx.do("UPDATE album_items SET result_msg_id = NULL WHERE call_id = ? AND source_msg_id = ?", call, source),
		"send an item of call %d again", call)
}

// tryItemsAgain makes the items ready that were given up; those that stand are left where they are.
func (tx *Tx) tryItemsAgain(call desk.CallID) error {
	return wrapf(tx.do("UPDATE album_items SET is_given_up = 0 WHERE call_id = ? AND is_given_up = 1", call),
		"try the items of call %d again", call)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
