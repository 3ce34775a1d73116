package db_test

import (
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// relayed is a row for the ledger: of 7, in topic 2.
func relayed(way db.Direction, inGroup, inPrivate desk.MessageID) db.Relayed {
	return db.Relayed{User: 7, Thread: 2, Direction: way, InGroup: inGroup, InPrivate: inPrivate, Content: "photo"}
}

// write adds rows to the ledger, one a second, and returns the numbers of those rows.
func (r *room) write(rows ...db.Relayed) (numbers []int64) {
	r.Helper()
	for _, row := range rows {
		r.clock.Advance(time.Second)
		r.update(func(tx *db.Tx) error { return tx.WriteLedger(row) })
		numbers = append(numbers, r.number("SELECT max(id) FROM messages"))
	}
	return numbers
}

// byPrivate and byGroup are the row found; 0 if there is none.
func (r *room) byPrivate(user desk.UserID, id desk.MessageID) (row int64) {
	r.Helper()
	r.view(func(v db.View) error {
		got, found, err := v.ByPrivate(user, id)
		if found != (got.Row != 0) {
			r.Errorf("found %v, row %+v", found, got)
		}
		row = got.Row
		return err
	})
	return row
}

func (r *room) byGroup(id desk.MessageID) (row int64) {
	r.Helper()
	r.view(func(v db.View) error {
		got, found, err := v.ByGroup(id)
		if found != (got.Row != 0) {
			r.Errorf("found %v, row %+v", found, got)
		}
		row = got.Row
		return err
	})
	return row
}

// whole are the rows of everything that a row's message is.
func (r *room) whole(row int64) (rows []int64) {
	r.Helper()
	r.view(func(v db.View) error {
		ledger, err := v.Ledger(7)
		if err != nil {
			return err
		}
		for _, one := range ledger {
			if one.Row != row {
				continue
			}
			all, err := v.Whole(one)
			if err != nil {
				return err
			}
			for _, part := range all {
				rows = append(rows, part.Row)
			}
		}
		return nil
	})
	return rows
}

func TestLedgerKeepsWhatAMessageShowsAndItsAlbum(t *testing.T) {
	r := newRoom(t)
	row := relayed(db.In, 50, 60)
	row.Shown, row.Album = "aa.bb", "trip"
	r.write(row)
	row.Row, row.At = 1, r.clock.Now()
	same(t, "ledger", r.ledger(7), []db.Relayed{row})
}

// E1: a message is found from either side.
func TestMessageIsFoundFromEitherSide(t *testing.T) {
	r := newRoom(t)
	other := relayed(db.In, 51, 60) // another person's private chat has a message of the same number
	other.User, other.Thread = 8, 3
	rows := r.write(relayed(db.In, 50, 60), other, relayed(db.Out, 52, 61))
	same(t, "in, by the private number", r.byPrivate(7, 60), rows[0])
	same(t, "another's, by the same number", r.byPrivate(8, 60), rows[1])
	same(t, "out, by the private number", r.byPrivate(7, 61), rows[2])
	for i, id := range []desk.MessageID{50, 51, 52} {
		same(t, "by the group's number", r.byGroup(id), rows[i])
	}
	same(t, "a private number is none of the group", r.byGroup(60), 0)
	same(t, "a group's number is none of the chat", r.byPrivate(7, 50), 0)
	same(t, "another's number", r.byPrivate(8, 61), 0)
}

// A message sent anew because it could not be edited has two copies: the newest is what replies and further edits are about.
func TestNewestCopyIsFound(t *testing.T) {
	r := newRoom(t)
	rows := r.write(relayed(db.In, 50, 60), relayed(db.In, 55, 60), relayed(db.Out, 70, 80), relayed(db.Out, 70, 81))
	same(t, "of a person's message", r.byPrivate(7, 60), rows[1])
	same(t, "of an admin's message", r.byGroup(70), rows[3])
	same(t, "the older copy by its own number", r.byGroup(50), rows[0])
	same(t, "the older copy by its own number", r.byPrivate(7, 80), rows[2])
}

// Numbers of another group mean other messages.
func TestRowsOfAnotherGroupAreUnknown(t *testing.T) {
	r := newRoom(t)
	row := relayed(db.In, 50, 60)
	row.Album = "trip"
	r.write(row, relayed(db.Out, 52, 61))
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE messages SET chat_id = -1009") })
	same(t, "by the private number", r.byPrivate(7, 60), 0)
	same(t, "by the group's number", r.byGroup(50), 0)
	same(t, "the ledger", r.ledger(7), nil)
	here := r.write(row, relayed(db.In, 58, 60))
	same(t, "whole", r.whole(here[0]), here)
}

// Rows of another bot in the same file are none of ours.
func TestRowsOfAnotherBotAreUnknown(t *testing.T) {
	r := newRoom(t)
	r.write(relayed(db.In, 50, 60))
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE messages SET bot_id = 2") })
	same(t, "by the private number", r.byPrivate(7, 60), 0)
	same(t, "by the group's number", r.byGroup(50), 0)
	here := r.write(relayed(db.In, 50, 60))
	same(t, "whole", r.whole(here[0]), here)
}

// Whole is an album with all that stands for it: its items, and the newer forms of any of them.
func TestWholeIsTheAlbumAndItsNewerForms(t *testing.T) {
	item := func(inGroup, inPrivate desk.MessageID) db.Relayed {
		row := relayed(db.Out, inGroup, inPrivate)
		row.Album = "trip"
		return row
	}
	r := newRoom(t)
	foreign := item(90, 60)
	foreign.User = 8 // an id of an album is of one chat
	rows := r.write(item(50, 60), item(51, 61), relayed(db.Out, 51, 66), foreign, relayed(db.Out, 70, 71), item(52, 62))
	want := []int64{rows[0], rows[1], rows[2], rows[5]}
	for _, from := range want[:2] {
		same(t, "from an item", r.whole(from), want)
	}
	same(t, "from the last, which came late", r.whole(rows[5]), want)
	same(t, "from another message", r.whole(rows[4]), []int64{rows[4]})
}

func TestWholeOfAMessageIsItsCopies(t *testing.T) {
	r := newRoom(t)
	in := r.write(relayed(db.In, 50, 60), relayed(db.In, 55, 60), relayed(db.In, 56, 60))
	out := r.write(relayed(db.Out, 70, 80), relayed(db.Out, 70, 81))
	for _, from := range in {
		same(t, "of a person's message", r.whole(from), in)
	}
	for _, from := range out {
		same(t, "of an admin's message", r.whole(from), out)
	}
}

// An edit is noted in its own row and nowhere else; the ledger keeps a fingerprint and no text.
func TestEditIsNotedInItsRow(t *testing.T) {
	r := newRoom(t)
	r.write(relayed(db.In, 50, 60), relayed(db.In, 55, 60))
	before := r.ledger(7)
	r.clock.Advance(time.Minute)
	r.update(func(tx *db.Tx) error { return tx.SetShown(before[1], "video", "cc.dd") })
	want := before[1]
	want.Content, want.Shown, want.EditedAt = "video", "cc.dd", r.clock.Now()
	same(t, "ledger", r.ledger(7), []db.Relayed{before[0], want})
}

// Standing is a message where the lane leads; what was only brought from there does not stand there as somebody's copy.
func TestMessageStandsWhereItWasBrought(t *testing.T) {
	r := newRoom(t)
	r.write(relayed(db.In, 50, 60), relayed(db.Out, 52, 61))
	for _, c := range []struct {
		to     desk.Lane
		source desk.MessageID
		want   int64
	}{
		{desk.TopicLane(7), 60, 1}, // what the person wrote
		{desk.TopicLane(7), 61, 0}, // what an admin wrote is no copy in the topic
		{desk.TopicLane(8), 60, 0},
		{desk.UserLane(7), 52, 2}, // what an admin wrote
		{desk.UserLane(7), 50, 0}, // what the person wrote is no copy in the private chat
		{desk.UserLane(8), 52, 0}, // another's
		{desk.UserLane(7), 99, 0},
	} {
		r.view(func(v db.View) error {
			row, found, err := v.Standing(c.to, c.source)
			if found != (c.want != 0) || found && row.Row != c.want {
				t.Errorf("message %d at the end of %s: %v, row %d; want %d", c.source, c.to, found, row.Row, c.want)
			}
			return err
		})
	}
}

// What was sent anew for an edit counts as just edited.
func TestLedgerKeepsWhenACopyWasMadeForAnEdit(t *testing.T) {
	r := newRoom(t)
	row := relayed(db.In, 50, 60)
	row.EditedAt = r.clock.Now().Add(-time.Minute)
	r.write(row)
	same(t, "edited at", r.ledger(7)[0].EditedAt, row.EditedAt)
}
