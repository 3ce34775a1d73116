package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"pgregory.net/rapid"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// A chain follows one call down the fallbacks, in a transaction that is undone: what it sends, and what Telegram says to each.
type chain struct {
	o    *Outbox
	tx   *db.Tx
	id   desk.CallID
	sent []string // each step, and the stage at which it is
}

// newChain is an outbox in which 7 has a topic with a card, and a message stands on both sides that others reply to.
func newChain(t *testing.T) (*Outbox, *db.DB) {
	t.Helper()
	o, d, _ := newBox(t, zerolog.Nop())
	dbtest.Update(t, d, func(tx *db.Tx) error {
		if err := tx.BindTopic(7, 20, "Ann"); err != nil {
			return err
		}
		if err := tx.SetCard(7, 21); err != nil {
			return err
		}
		return tx.WriteLedger(db.Relayed{User: 7, Thread: 20, Direction: db.In, InGroup: 30, InPrivate: 31, Content: "text"})
	})
	return o, d
}

// A carried message: of a kind, with or without what it may wear, alone or as an album of so many items.
type carried struct {
	toUser, replies, quotes, edited, longWords bool
	kind                                       string
	items                                      int
}

func (c carried) raw() json.RawMessage {
	fields := contents[c.kind]
	if c.longWords {
		fields = strings.ReplaceAll(fields, `"caption":"a"`, `"caption":"`+strings.Repeat("a", maxCaption+1)+`"`)
	}
	if c.quotes {
		fields += `,"quote":{"text":"words","position":3}`
	}
	return json.RawMessage(`{"message_id":40,` + fields + `}`)
}

// owe owes the call that carries it.
func (c carried) owe(tx *db.Tx) (desk.CallID, error) {
	copied := desk.Copied{User: 7, Source: 40, Content: c.kind, Edited: c.edited, Raw: c.raw()}
	if c.replies && c.toUser {
		copied.ReplyTo = 30
	} else if c.replies {
		copied.ReplyTo = 31
	}
	if c.items > 0 {
		copied.Items, copied.Album, copied.Raw = true, "album", nil
	}
	var call desk.Call = desk.RelayToTopic{Copied: copied}
	if c.toUser {
		call = desk.RelayToUser{Copied: copied}
	}
	if c.items == 0 {
		if err := tx.Owe(call); err != nil {
			return 0, err
		}
		// Calls are written together, at the latest when something looks among them.
		if err := tx.OweOnce(desk.RefreshCard{User: 8}, tx.Now); err != nil {
			return 0, err
		}
		open, err := tx.CallsAbout(call.Lane(), 40)
		if err != nil || len(open) != 1 {
			return 0, fmt.Errorf("%d calls are open: %v", len(open), err)
		}
		return open[0].ID, nil
	}
	err := tx.StartAlbum(7, "album", call, db.AlbumItem{Source: 40, Content: c.kind, Raw: c.raw()})
	if err != nil {
		return 0, err
	}
	a, _, err := tx.Album(7, "album")
	for i := 1; i < c.items && err == nil; i++ {
		_, err = tx.JoinAlbum(a, db.AlbumItem{Source: desk.MessageID(40 + i), Content: c.kind, Raw: c.raw()})
	}
	return a.Call, err
}

// most is how many requests it may take at most: each step down once, for each item of an album.
func (c carried) most() int {
	if c.items == 0 {
		return 12
	}
	return 12 + 12*c.items
}

// step makes the next request and settles it with the answer; false once the call has ended.
func (c *chain) step(say func(*request) answer) (bool, error) {
	row, _, unreadable, err := c.tx.CallByID(c.id)
	if err != nil || unreadable != nil || row.State != db.Owed {
		return false, err
	}
	dec, err := c.o.plan(c.tx, row)
	switch {
	case err != nil:
		return false, err
	case dec.settle != "":
		row.State = dec.settle
		return false, c.tx.SettleCall(row)
	case dec.send == nil:
		return false, fmt.Errorf("at %q it neither sends nor ends: %+v", row.Stage, dec)
	}
	c.sent = append(c.sent, strings.TrimSuffix(dec.send.step+" "+row.Stage, " "))
	if ok, err := c.tx.MarkSending(row.ID, dec.send.step); err != nil || !ok {
		return false, err
	}
	row.Step = dec.send.step
	a := say(dec.send)
	v := judge(a)
	if _, private := dec.send.chat.User(); private {
		v = v.forUser()
	}
	return true, settlement{box: c.o, request: dec.send, verdict: v, result: readResult(a)}.settle(c.tx, row)
}

func says(description string) answer {
	return answer{status: 400, spoke: true, code: 400, description: "Bad Request: " + description}
}

// refuse is a refusal of a request; that some of several messages were sent is only said of several.
func refuse(r *request, why string) answer {
	if r.items < 2 && strings.HasPrefix(why, "failed to send") {
		why = "of tomorrow"
	}
	return says(why)
}

// refusals of a message, in Telegram's words: each leads another way down.
var refusals = []string{"message to copy not found", "the message can't be copied", "VOICE_MESSAGES_FORBIDDEN", "QUOTE_TEXT_INVALID",
	"message to be replied not found", "not enough rights to send photos to the chat", "message caption is too long", "of tomorrow",
	`failed to send message #2 with the error message "Bad Request: of tomorrow"`}

// errUndone ends the transaction of a chain: nothing of it is kept.
var errUndone = fmt.Errorf("undone")

// follow sends the message until its call has ended, and ends the test if that takes too long.
func follow(t interface {
	Helper()
	Fatalf(string, ...any)
}, o *Outbox, d *db.DB, m carried, at func(db.CallRow) db.CallRow, say func(*request) answer) (sent []string, end db.CallRow) {
	t.Helper()
	err := d.Update(context.Background(), func(tx *db.Tx) error {
		id, err := m.owe(tx)
		if err != nil {
			return err
		}
		c := &chain{o: o, tx: tx, id: id}
		row, _, _, err := tx.CallByID(id)
		if err != nil {
			return err
		}
		if err := tx.SettleCall(at(row)); err != nil {
			return err
		}
		for more := true; more; {
			if more, err = c.step(say); err != nil {
				return err
			}
			if len(c.sent) > m.most() {
				return fmt.Errorf("there is no end after %d requests: %q", len(c.sent), c.sent)
			}
		}
		sent = c.sent
		if end, _, _, err = tx.CallByID(id); err != nil {
			return err
		}
		return errUndone
	})
	if !errors.Is(err, errUndone) {
		t.Fatalf("%+v: %v", m, err)
	}
	return sent, end
}

var fromTheStart = func(row db.CallRow) db.CallRow { return row }

// eachWay is every message that is carried: kind by kind, both ways, alone and in albums, with and without what it may wear.
func eachWay(yield func(carried) bool) {
	inAlbums := []string{"photo", "video", "document", "of_tomorrow"}
	for _, kind := range slices.Sorted(maps.Keys(contents)) {
		for _, items := range []int{0, 1, 3} {
			for mask := range 32 {
				m := carried{kind: kind, items: items, toUser: mask&1 != 0, replies: mask&2 != 0, quotes: mask&4 != 0, edited: mask&8 != 0,
					longWords: mask&16 != 0}
				switch {
				case items > 0 && (m.edited || !slices.Contains(inAlbums, kind)):
				case m.longWords && !strings.Contains(contents[kind], "caption"), m.quotes && !m.replies:
				case !yield(m):
					return
				}
			}
		}
	}
}

// Refused again and again, every message comes to an end, whatever Telegram says.
func TestEveryChainOfRefusalsEnds(t *testing.T) {
	o, d := newChain(t)
	for m := range eachWay {
		for _, why := range refusals {
			_, end := follow(t, o, d, m, fromTheStart, func(r *request) answer { return refuse(r, why) })
			if end.State != db.Refused {
				t.Errorf("%+v, %q: it ends as %s", m, why, end.State)
			}
		}
	}
}

// accept is the answer to a request that was carried out, of which so many messages are left out.
func accept(r *request, without int) answer {
	if r.items < 2 {
		return answer{status: 200, spoke: true, ok: true, result: json.RawMessage(`{"message_id":900}`)}
	}
	made := make([]string, 0, r.items)
	for i := range max(0, r.items-without) {
		made = append(made, fmt.Sprintf(`{"message_id":%d}`, 900+i))
	}
	return answer{status: 200, spoke: true, ok: true, result: json.RawMessage("[" + strings.Join(made, ",") + "]")}
}

// From whatever stage, and whatever Telegram says to each of its requests, a message comes to an end.
func TestEveryChainEndsFromAnyStage(t *testing.T) {
	o, d := newChain(t)
	all := slices.Collect(eachWay)
	steps := []string{"", stageNoCard, stageNoQuote, stageBare, stageTyped, stageTypedBare, stageWords, stageForward, stageLine}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(all).Draw(t, "message")
		at := rapid.SampledFrom(steps).Draw(t, "stage")
		mode := ""
		if m.items > 0 {
			mode = rapid.SampledFrom([]string{"", stageSingly, stageDoubled}).Draw(t, "mode")
		}
		if at != "" && mode != "" {
			mode += "/"
		}
		follow(t, o, d, m, func(row db.CallRow) db.CallRow {
			row.Stage = mode + at
			return row
		}, func(r *request) answer {
			switch n := rapid.IntRange(0, 9).Draw(t, "answer"); n {
			case 0, 1:
				return accept(r, n)
			}
			return refuse(r, rapid.SampledFrom(refusals).Draw(t, "refusal"))
		})
	})
}

// The ways down, step by step at its stage.
func TestChainsOfRefusals(t *testing.T) {
	o, d := newChain(t)
	const other, noCopy = "of tomorrow", "the message can't be copied"
	for name, c := range map[string]struct {
		m    carried
		why  string
		want string
	}{
		"a person's text":                    {carried{kind: "text"}, other, "copy, typed typed, forward forward, line line"},
		"a person's poll":                    {carried{kind: "poll"}, other, "copy, forward typed, line line"},
		"a person's text that is not copied": {carried{kind: "text"}, noCopy, "copy, typed typed, forward forward, line line"},
		"a person's quote": {carried{kind: "text", replies: true, quotes: true}, other,
			"copy, copy no_quote, copy bare, typed typed, typed typed_bare, forward forward, line line"},
		"a person's reply": {carried{kind: "text", replies: true}, other,
			"copy, copy bare, typed typed, typed typed_bare, forward forward, line line"},
		"a person's reply that is not copied": {carried{kind: "text", replies: true}, noCopy,
			"copy, typed typed, typed typed_bare, forward forward, line line"},
		"a person's change that is sent anew": {carried{kind: "text", edited: true}, other,
			"copy, copy bare, typed typed, typed typed_bare, forward forward, line line"},
		"an admin's text":            {carried{kind: "text", toUser: true}, other, "copy, typed typed"},
		"an admin's poll":            {carried{kind: "poll", toUser: true}, other, "copy"},
		"an admin's voice":           {carried{kind: "voice", toUser: true}, "VOICE_MESSAGES_FORBIDDEN", "copy"},
		"an admin's quote":           {carried{kind: "text", toUser: true, replies: true, quotes: true}, other, "copy, copy no_quote, copy bare, typed typed, typed typed_bare"},
		"an admin's poll in a reply": {carried{kind: "poll", toUser: true, replies: true}, other, "copy, copy bare"},
		"an admin's album": {carried{kind: "photo", toUser: true, items: 2}, other,
			"copies, group typed, copy singly, typed singly/typed, copy singly, typed singly/typed"},
		"an admin's album in part": {carried{kind: "photo", toUser: true, items: 2}, `failed to send message #2 with the error message "x"`,
			"copies, copy doubled, typed doubled/typed, copy doubled, typed doubled/typed"},
		"a person's album": {carried{kind: "photo", items: 2}, other,
			"copies, group typed" + strings.Repeat(", copy singly, typed singly/typed, forward singly/forward, line singly/line", 2)},
		"an album that cannot be made anew": {carried{kind: "of_tomorrow", toUser: true, items: 2}, other,
			"copies, copies typed, copy singly, copy singly"},
	} {
		sent, _ := follow(t, o, d, c.m, fromTheStart, func(r *request) answer { return refuse(r, c.why) })
		if got := strings.Join(sent, ", "); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// To a person nothing is ever forwarded or described: it would show the admin and the group.
func TestNothingIsForwardedToAPerson(t *testing.T) {
	o, d := newChain(t)
	for m := range eachWay {
		if !m.toUser {
			continue
		}
		for _, why := range []string{"message to copy not found", "of tomorrow"} {
			sent, _ := follow(t, o, d, m, fromTheStart, func(r *request) answer { return refuse(r, why) })
			if all := strings.Join(sent, ", "); strings.Contains(all, stepForward) || strings.Contains(all, stepLine) {
				t.Errorf("%+v, %q: %s", m, why, all)
			}
		}
	}
}
