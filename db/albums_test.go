package db_test

import (
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

const trip = "trip" // the media_group_id of the album of these tests

func picture(source desk.MessageID) db.AlbumItem {
	return db.AlbumItem{Source: source, Content: "photo", Raw: []byte(`{"photo":"secret"}`)}
}

func albumRelay(user desk.UserID, first desk.MessageID) desk.RelayToTopic {
	return desk.RelayToTopic{Copied: desk.Copied{User: user, Source: first, Content: "photo", Album: trip, Items: true}}
}

// start begins the album of 7 with its first item, and returns what was decided.
func (r *room) start(first desk.MessageID) db.Album {
	r.Helper()
	r.update(func(tx *db.Tx) error { return tx.StartAlbum(7, trip, albumRelay(7, first), picture(first)) })
	return r.album(7)
}

// album is what is known of the album in a chat, which must be something.
func (r *room) album(chat desk.ChatID) (a db.Album) {
	r.Helper()
	r.view(func(v db.View) error {
		got, found, err := v.Album(chat, trip)
		if !found {
			r.Fatalf("nothing is known of the album in chat %d", chat)
		}
		a = got
		return err
	})
	return a
}

func (r *room) join(a db.Album, source desk.MessageID) bool {
	r.Helper()
	return r.decided(func(tx *db.Tx) (bool, error) { return tx.JoinAlbum(a, picture(source)) })
}

func (r *room) items(call desk.CallID) (items []db.AlbumItem) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		items, err = v.AlbumItems(call)
		return err
	})
	return items
}

// change puts a call where a row of that state, stage and doubt would be.
func (r *room) change(id desk.CallID, state db.State, stage string, doubts int) {
	r.Helper()
	r.update(func(tx *db.Tx) error {
		return tx.Exec("UPDATE outbox SET state = ?, stage = ?, doubts = ? WHERE id = ?", state, stage, doubts, id)
	})
}

// The first item owes the relay, which waits a second for the second item; the item stands beside the call and not in it.
func TestAlbumBeginsWithItsFirstItem(t *testing.T) {
	r := newRoom(t)
	news := r.noted()
	a := r.start(40)
	same(t, "decided", a, db.Album{Call: 1, First: 40, StartedAt: r.clock.Now()})
	want := db.Debt{ID: 1, Lane: desk.TopicLane(7), Kind: "relay_to_topic", Items: 1, Due: r.clock.Now().Add(time.Second)}
	same(t, "news", (<-news).Owed, []db.Debt{want})
	same(t, "call", r.call(1), db.CallRow{Debt: want, Call: albumRelay(7, 40), Group: r.Group(), State: db.Owed})
	same(t, "items", r.items(1), []db.AlbumItem{picture(40)})
	same(t, "text in the call itself", r.number("SELECT count(*) FROM outbox WHERE content IS NOT NULL"), 0)
}

// Calls owed before it in the same transaction come before it.
func TestAlbumComesAfterWhatWasOwedBeforeIt(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error {
		if err := tx.Owe(relay(7, 39)); err != nil {
			return err
		}
		if err := tx.StartAlbum(7, trip, albumRelay(7, 40), picture(40)); err != nil {
			return err
		}
		return tx.Owe(relay(7, 50))
	})
	owed, _ := r.openDebts()
	var sources []desk.MessageID
	for _, d := range owed {
		c, _ := desk.CarriedBy(r.call(d.ID).Call)
		sources = append(sources, c.Source)
	}
	same(t, "order", sources, []desk.MessageID{39, 40, 50})
	same(t, "the album's call", r.album(7).Call, desk.CallID(2))
}

// Each item makes the relay wait a second more, and none beyond eight seconds after the first.
func TestAlbumIsQuietForASecondAndCollectsForEight(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	began := r.clock.Now()
	want := func(after time.Duration) {
		t.Helper()
		due := began.Add(after)
		if got := r.call(a.Call).Due; !got.Equal(due) {
			t.Fatalf("the relay is due %s after the first item, want %s", got.Sub(began), after)
		}
	}
	want(time.Second)
	for n := range 12 { // one each 900 ms: never quiet
		r.clock.Advance(900 * time.Millisecond)
		news := r.noted()
		if !r.join(a, desk.MessageID(41+n)) {
			t.Fatalf("item %d is too late while the relay is owed", n)
		}
		due := min(time.Duration(n+1)*900*time.Millisecond+time.Second, 8*time.Second)
		want(due)
		told := (<-news).Owed
		same(t, "news", told, []db.Debt{{ID: a.Call, Lane: desk.TopicLane(7), Kind: "relay_to_topic", Items: n + 2, Due: began.Add(due)}})
	}
	same(t, "collected", len(r.items(a.Call)), 13)
}

// An item never hastens a relay that has to wait for another reason.
func TestItemDoesNotHastenARelayInBackOff(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	row := r.call(a.Call)
	row.Due = r.clock.Now().Add(time.Minute)
	r.update(func(tx *db.Tx) error { return tx.SettleCall(row) })
	news := r.noted()
	if !r.join(a, 41) {
		t.Fatal("too late, although it was not sent")
	}
	same(t, "due", r.call(a.Call).Due, row.Due)
	same(t, "news", (<-news).Owed[0].Due, row.Due)
}

// An item is too late once some of the album may be on the other side.
func TestItemIsTooLateOnceTheRelayWasTaken(t *testing.T) {
	for _, c := range []struct {
		what   string
		state  db.State
		stage  string
		doubts int
		joins  bool
	}{
		{"owed", db.Owed, "", 0, true},
		{"at Telegram", db.Sending, "", 0, false},
		{"owed again after a lost answer", db.Owed, "", 1, false},
		{"on its way down the fallbacks", db.Owed, "typed", 0, false},
		{"going one by one", db.Owed, "singly", 0, false},
		{"sent", db.Sent, "", 0, false},
		{"refused", db.Refused, "", 0, false},
		{"taken back", db.Dropped, "", 0, false},
	} {
		r := newRoom(t)
		a := r.start(40)
		due := r.call(a.Call).Due
		r.change(a.Call, c.state, c.stage, c.doubts)
		r.clock.Advance(500 * time.Millisecond)
		if got := r.join(a, 41); got != c.joins {
			t.Errorf("%s: joined %v, want %v", c.what, got, c.joins)
		}
		if n := len(r.items(a.Call)); (n == 2) != c.joins {
			t.Errorf("%s: the call has %d items", c.what, n)
		}
		if moved := !r.call(a.Call).Due.Equal(due); moved != c.joins {
			t.Errorf("%s: its moment changed: %v", c.what, moved)
		}
	}
}

// The taking and an item race: one statement decides, and the item is with the album or it is told that it is not.
func TestItemAndTakerRace(t *testing.T) {
	for _, itemFirst := range []bool{true, false} {
		r := newRoom(t)
		a := r.start(40)
		var joined, taken bool
		var sent []db.AlbumItem
		item := func(tx *db.Tx) (err error) { joined, err = tx.JoinAlbum(a, picture(41)); return err }
		take := func(tx *db.Tx) (err error) {
			if taken, err = tx.MarkSending(a.Call, "copies"); err != nil {
				return err
			}
			sent, err = tx.AlbumItems(a.Call)
			return err
		}
		first, second := take, item
		if itemFirst {
			first, second = item, take
		}
		release := r.hold()
		outcomes := []<-chan error{r.later(first), r.later(second)}
		release()
		for _, o := range outcomes {
			if err := <-o; err != nil {
				t.Error(err)
			}
		}
		if !taken || joined != itemFirst || (len(sent) == 2) != joined {
			t.Errorf("item first %v: taken %v with %d items, joined %v", itemFirst, taken, len(sent), joined)
		}
	}
}

// What the gates decided for the first item holds for all; a decision may be taken back while the album is not sent.
func TestRefusedAlbumHasNoCall(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error { return tx.RefuseAlbum(7, trip, 40) })
	same(t, "refused at once", r.album(7), db.Album{First: 40, StartedAt: r.clock.Now()})
	same(t, "debts", r.number("SELECT count(*) FROM outbox"), 0)
	if r.join(r.album(7), 41) {
		t.Error("an item joins an album that is not relayed")
	}

	r = newRoom(t)
	began := r.start(40)
	r.clock.Advance(time.Second)
	r.update(func(tx *db.Tx) error { return tx.RefuseAlbum(7, trip, 41) })
	began.Call = 0
	same(t, "refused later", r.album(7), began)
}

// A media_group_id belongs to one chat: the same in another is another album.
func TestAlbumIsOfItsChat(t *testing.T) {
	r := newRoom(t)
	r.start(40)
	r.view(func(v db.View) error {
		for chat, album := range map[desk.ChatID]string{8: trip, r.Group(): trip, 7: "other"} {
			if _, found, err := v.Album(chat, album); found || err != nil {
				t.Errorf("album %q in chat %d: found %v, %v", album, chat, found, err)
			}
		}
		return nil
	})
	r.update(func(tx *db.Tx) error { return tx.RefuseAlbum(8, trip, 90) })
	same(t, "the first chat's", r.album(7).Call, desk.CallID(1))
	same(t, "the other chat's", r.album(8), db.Album{First: 90, StartedAt: r.clock.Now()})
}

// Whatever order the items come in, they go in the order in which they were written.
func TestItemsAreReadInTheOrderOfTheirNumbers(t *testing.T) {
	r := newRoom(t)
	a := r.start(42)
	for _, source := range []desk.MessageID{44, 40, 43, 41} {
		r.join(a, source)
	}
	same(t, "items", r.items(a.Call), []db.AlbumItem{picture(40), picture(41), picture(42), picture(43), picture(44)})
	same(t, "of a call without any", r.items(99), nil)
}

// An item settled or given up is that one item of that one call.
func TestItemsAreSettledOneByOne(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	r.join(a, 41)
	r.join(a, 42)
	r.update(func(tx *db.Tx) error { return tx.StartAlbum(8, trip, albumRelay(8, 41), picture(41)) })
	r.update(func(tx *db.Tx) error {
		if err := tx.SettleItem(a.Call, 41, 900); err != nil {
			return err
		}
		return tx.GiveUpItem(a.Call, 42)
	})
	settled, given := picture(41), picture(42)
	settled.Result, given.GivenUp = 900, true
	same(t, "items", r.items(a.Call), []db.AlbumItem{picture(40), settled, given})
	same(t, "another's item of that number", r.items(r.album(8).Call), []db.AlbumItem{picture(41)})
}

// An item in an album that is sent is content like any other: erased when its call is settled, kept for Try again if it is refused.
func TestItemsAreErasedWhenTheirCallIsSettled(t *testing.T) {
	for _, c := range []struct {
		state db.State
		kept  bool
	}{{db.Owed, true}, {db.Sending, true}, {db.Sent, false}, {db.Refused, true}, {db.Dropped, false}} {
		r := newRoom(t)
		a := r.start(40)
		r.join(a, 41)
		other := r.owe(relay(8, 9))[0].ID
		r.settle(a.Call, c.state)
		if secrets := r.number("SELECT count(*) FROM album_items WHERE content LIKE '%secret%'"); (secrets == 2) != c.kept || !c.kept && secrets > 0 {
			t.Errorf("%s: %d items with content", c.state, secrets)
		}
		same(t, "rows are kept", len(r.items(a.Call)), 2)
		same(t, "another's content", string(r.call(other).Call.(desk.RelayToTopic).Raw), `{"text":"secret"}`)
	}
}

// Try again goes on where the first life ended: what stands stays, what was given up is tried. Whoever finds items in a wrong place
// forgets those.
func TestFurtherLifeOfAnAlbum(t *testing.T) {
	for _, c := range []struct {
		what  string
		ended db.State
		again func(*db.Tx) (bool, error)
		want  desk.MessageID
	}{
		{"refused, and pressed again", db.Refused, func(tx *db.Tx) (bool, error) { return tx.OweAgain(1, 60, desk.UserLane(7)) }, 900},
		{"sent, and misrouted", db.Sent, func(tx *db.Tx) (bool, error) {
			row, _, _, err := tx.CallByID(1)
			if err != nil {
				return false, err
			}
			return tx.OweMisrouted(row)
		}, 900},
	} {
		r := newRoom(t)
		a := r.start(40)
		r.join(a, 41)
		r.update(func(tx *db.Tx) error {
			if err := tx.SettleItem(a.Call, 40, 900); err != nil {
				return err
			}
			return tx.GiveUpItem(a.Call, 41)
		})
		r.settle(a.Call, c.ended)
		if !r.decided(c.again) {
			t.Fatalf("%s: not owed again", c.what)
		}
		got := r.items(a.Call)
		if got[0].Result != c.want || got[1].Result != 0 || got[1].GivenUp {
			t.Errorf("%s: items %+v", c.what, got)
		}
	}
}

func TestForgottenItemsAreReadyToBeSentOnceMore(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	r.join(a, 41)
	r.update(func(tx *db.Tx) error {
		if err := tx.SettleItem(a.Call, 40, 900); err != nil {
			return err
		}
		if err := tx.GiveUpItem(a.Call, 41); err != nil {
			return err
		}
		return tx.ForgetItems(a.Call)
	})
	same(t, "items", r.items(a.Call), []db.AlbumItem{picture(40), picture(41)})
}

// An album outlives the program: its items, its moment, and that it still collects.
func TestAlbumOutlivesARestart(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	r.join(a, 41)
	r.reopen()
	same(t, "decided", r.album(7), a)
	r.clock.Advance(500 * time.Millisecond)
	if !r.join(r.album(7), 42) {
		t.Error("it collects no more")
	}
	same(t, "items", r.items(a.Call), []db.AlbumItem{picture(40), picture(41), picture(42)})
	owed, _ := r.openDebts()
	same(t, "due", owed[0].Due, r.clock.Now().Add(time.Second))
}

// Whoever takes a message back learns of all that was written of it and of what has arrived unnoticed.
func TestRemainsOfACall(t *testing.T) {
	r := newRoom(t)
	a := r.start(40)
	r.join(a, 41)
	single := r.owe(relay(7, 50))[0].ID
	r.update(func(tx *db.Tx) error { return tx.NoteLoose(a.Call, 41, 900) })
	album, words := r.call(a.Call), r.call(single)
	album.Stage, words.Result = "doubled/typed", 901
	r.view(func(v db.View) error {
		for _, c := range []struct {
			row  db.CallRow
			want db.Remains
		}{
			{r.call(single), db.Remains{Sources: []desk.MessageID{50}}},
			{words, db.Remains{Sources: []desk.MessageID{50}, Copies: []desk.MessageID{901}}},
			{album, db.Remains{Sources: []desk.MessageID{40, 41}, Copies: []desk.MessageID{900}, Maybe: true}},
		} {
			got, err := v.Remains(c.row)
			if err != nil {
				return err
			}
			same(t, "remains", got, c.want)
		}
		return nil
	})
}
