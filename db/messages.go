package db

import (
	"slices"
	"time"

	"hodor/internal/desk"
)

// A Direction is which way a message went.
type Direction string

const (
	In  Direction = "in"  // from a person into the topic
	Out Direction = "out" // from the team to the person
)

// A Relayed is a row of the ledger: one message as it stands on both sides. The ledger keeps no text.
type Relayed struct {
	Row       int64 // its number; 0 before it is written
	User      desk.UserID
	Thread    desk.ThreadID
	Direction Direction
	InGroup   desk.MessageID
	InPrivate desk.MessageID
	Content   string // the Bot API's name of the kind
	Shown     string // a fingerprint of what it shows; empty if not known
	Album     string // the media_group_id it came with
	EditedAt  time.Time
	Marked    bool // its copy says that it is a newer form of another
	Removed   bool // it was taken back and stands on neither side
	At        time.Time
}

const relayedColumns = `id, user_id, thread_id, direction, group_msg_id, private_msg_id, content_type, shown, album, edited_at,
	is_marked, removed_at IS NOT NULL, created_at`

func (r *Relayed) fields() []any {
	return []any{&r.Row, &r.User, &r.Thread, &r.Direction, &r.InGroup, &r.InPrivate, &r.Content, &r.Shown, &r.Album,
		moment{&r.EditedAt}, &r.Marked, &r.Removed, moment{&r.At}}
}

// WriteLedger adds a message that stands on both sides.
func (tx *Tx) WriteLedger(r Relayed) error {
	return wrapf(tx.do(`INSERT INTO messages (bot_id, user_id, chat_id, thread_id, direction, group_msg_id, private_msg_id,
		content_type, shown, album, edited_at, is_marked, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		tx.bot, r.User, tx.group, r.Thread, r.Direction, r.InGroup, r.InPrivate, r.Content, r.Shown, r.Album, stampOrNull(r.EditedAt), r.Marked, stamp(tx.Now)), "write the ledger")
}

// SetShown notes that the message's copy was edited to show this now.
func (tx *Tx) SetShown(r Relayed, content, shown string) error {
	return wrapf(tx.do("UPDATE messages SET content_type = ?, shown = ?, edited_at = ? WHERE id = ?", content, shown, stamp(tx.Now), r.Row),
		"note an edit in the ledger")
}

// StrikeLedger removes a message from the ledger: it does not stand where the row says.
func (tx *Tx) StrikeLedger(inGroup desk.MessageID) error {
	return wrapf(tx.do("DELETE FROM messages WHERE chat_id = ? AND group_msg_id = ? AND bot_id = ?", tx.group, inGroup, tx.bot),
		"strike the ledger")
}

// MarkRemoved notes that a message was taken back: it stands on neither side, and must not come again.
func (tx *Tx) MarkRemoved(r Relayed) error {
	return wrapf(tx.do("UPDATE messages SET removed_at = ? WHERE id = ?", stamp(tx.Now), r.Row), "note in the ledger what was taken back")
}

// Ledger is what was relayed for a person, oldest first.
func (v View) Ledger(user desk.UserID) ([]Relayed, error) {
	rows, err := v.relayed("user_id = ? AND bot_id = ? AND chat_id = ? ORDER BY created_at, id", user, v.bot, v.group)
	return rows, wrapf(err, "read the ledger of user %d", user)
}

// ByPrivate is the message with this number in a person's private chat; of several copies the newest. False if it stands on no
// other side.
func (v View) ByPrivate(user desk.UserID, id desk.MessageID) (Relayed, bool, error) {
	rows, err := v.relayed("user_id = ? AND private_msg_id = ? AND bot_id = ? AND chat_id = ? ORDER BY id DESC LIMIT 1",
		user, id, v.bot, v.group)
	return newest(rows, err)
}

// ByGroup is the message with this number in the group, whoever's topic it stands in; of several copies the newest. False if it
// stands on no other side.
func (v View) ByGroup(id desk.MessageID) (Relayed, bool, error) {
	rows, err := v.relayed("chat_id = ? AND group_msg_id = ? AND bot_id = ? ORDER BY id DESC LIMIT 1", v.group, id, v.bot)
	return newest(rows, err)
}

// Standing is a message, by its number where it was written, as it stands where the lane leads, to a person or into their topic; false
// if it was not brought there.
func (v View) Standing(to desk.Lane, source desk.MessageID) (Relayed, bool, error) {
	user, _ := to.User()
	if to.Kind == desk.ToTopic {
		r, found, err := v.ByPrivate(user, source)
		return r, found && r.Direction == In, err
	}
	r, found, err := v.ByGroup(source)
	return r, found && r.Direction == Out && r.User == user, err
}

func newest(rows []Relayed, err error) (Relayed, bool, error) {
	if err != nil || len(rows) == 0 {
		return Relayed{}, false, wrapf(err, "look into the ledger")
	}
	return rows[0], true, nil
}

// ByAlbum are the items of a person's album that stand on both sides.
func (v View) ByAlbum(user desk.UserID, album string) ([]Relayed, error) {
	rows, err := v.relayed("user_id = ? AND album = ? AND album <> '' AND bot_id = ? AND chat_id = ? ORDER BY id",
		user, album, v.bot, v.group)
	return rows, wrapf(err, "read an album in the ledger")
}

// StandingOf is something of the albums that relays carry which stands on both sides; false if nothing does.
func (v View) StandingOf(relays ...CallRow) (Relayed, bool, error) {
	for _, row := range relays {
		carried, _ := desk.CarriedBy(row.Call)
		items, err := v.ByAlbum(carried.User, carried.Album)
		if err != nil {
			return Relayed{}, false, err
		}
		if at := slices.IndexFunc(items, func(r Relayed) bool { return !r.Removed }); at >= 0 {
			return items[at], true, nil
		}
	}
	return Relayed{}, false, nil
}

// Whole is everything that one message is: the items of its album, and what was sent anew because it could not be edited.
func (v View) Whole(r Relayed) ([]Relayed, error) {
	whole := []Relayed{r}
	if r.Album != "" {
		items, err := v.ByAlbum(r.User, r.Album)
		if err != nil {
			return nil, err
		}
		whole = append(whole, items...)
	}
	for _, item := range slices.Clone(whole) {
		private, err := v.relayed("user_id = ? AND private_msg_id = ? AND bot_id = ? AND chat_id = ? ORDER BY id",
			r.User, item.InPrivate, v.bot, v.group)
		if err != nil {
			return nil, wrapf(err, "read copies in the ledger")
		}
		inGroup, err := v.relayed("chat_id = ? AND group_msg_id = ? AND bot_id = ? ORDER BY id", v.group, item.InGroup, v.bot)
		if err != nil {
			return nil, wrapf(err, "read copies in the ledger")
		}
		whole = append(append(whole, private...), inGroup...)
	}
	slices.SortFunc(whole, func(a, b Relayed) int { return int(a.Row - b.Row) })
	return slices.CompactFunc(whole, func(a, b Relayed) bool { return a.Row == b.Row }), nil
}

func (v View) relayed(where string, args ...any) (rows []Relayed, err error) {
	err = v.each("SELECT "+relayedColumns+" FROM messages WHERE "+where, args, func(scan func(...any) error) error {
		var r Relayed
		err := scan(r.fields()...)
		rows = append(rows, r)
		return err
	})
	return rows, err
}
