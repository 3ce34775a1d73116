package db_test

import (
	"slices"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// about are the calls that are open about a message, in any lane.
func (r *room) about(source desk.MessageID) (ids []desk.CallID) {
	r.Helper()
	for _, to := range []desk.Lane{desk.TopicLane(7), desk.TopicLane(8), desk.UserLane(7), desk.UserLane(9), desk.ReactionLane(40)} {
		for _, row := range r.aboutIn(to, source) {
			if row.Open() {
				ids = append(ids, row.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

func (r *room) aboutIn(to desk.Lane, source desk.MessageID) (rows []db.CallRow) {
	r.Helper()
	r.update(func(tx *db.Tx) (err error) {
		rows, err = tx.CallsAbout(to, source)
		return err
	})
	return rows
}

func newer(source desk.MessageID) desk.Copied {
	return desk.Copied{User: 7, Source: source, Content: "video", Raw: []byte(`{"text":"newer"}`)}
}

func reaction(to desk.Lane, source desk.MessageID, emoji string) desk.React {
	return desk.React{To: to, Message: source, Emoji: emoji, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

// Whoever edits, reacts to or deletes a message finds what is on its way, in whichever lane; its number means another message in each.
func TestOpenCallsAboutAMessage(t *testing.T) {
	r := newRoom(t)
	edit := desk.EditCopy{To: desk.TopicLane(7), Copied: newer(40)}
	out := desk.RelayToUser{Copied: desk.Copied{User: 9, Source: 40, Content: "text"}}
	r.owe(relay(7, 40), relay(8, 40), out, edit, reaction(desk.TopicLane(7), 40, "👍"), relay(7, 41),
		desk.Say{To: desk.TopicLane(7), ReplyTo: 40}, desk.Unsend{User: 7, Message: 40}, desk.DeleteMessage{From: desk.GeneralLane(), Message: 40})
	same(t, "about 40", r.about(40), []desk.CallID{1, 2, 3, 4, 5})
	same(t, "about 41", r.about(41), []desk.CallID{6})
	same(t, "about nothing", r.about(99), nil)
	same(t, "the call", r.aboutIn(desk.TopicLane(7), 40)[1].Call, desk.Call(edit))
	same(t, "of another lane", len(r.aboutIn(desk.TopicLane(8), 40)), 1)
}

// A reaction and the message before it may come in one batch: what this very transaction owes is found, too.
func TestCallsAboutAMessageThatIsOwedJustNow(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error {
		if err := tx.Owe(relay(7, 40)); err != nil {
			return err
		}
		rows, err := tx.CallsAbout(desk.TopicLane(7), 40)
		same(t, "calls", len(rows), 1)
		return err
	})
}

// In a lane to a person the number is of the group: in another group it is another message.
func TestCallsAboutAMessageOfThisGroup(t *testing.T) {
	r := newRoom(t)
	r.owe(desk.RelayToUser{Copied: desk.Copied{User: 9, Source: 40, Content: "text"}}, relay(7, 40))
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE outbox SET chat_id = -999") })
	same(t, "to a person", len(r.aboutIn(desk.UserLane(9), 40)), 0)
	same(t, "into a topic", len(r.aboutIn(desk.TopicLane(7), 40)), 1)
}

// What is under way is open, too: an edit waits for it. What is settled is not.
func TestOpenCallsAboutAMessageByTheirState(t *testing.T) {
	for _, c := range []struct {
		state db.State
		open  bool
	}{{db.Owed, true}, {db.Sending, true}, {db.Sent, false}, {db.Refused, false}, {db.Dropped, false}} {
		r := newRoom(t)
		r.owe(relay(7, 40))
		a := r.start(50)
		r.join(a, 51)
		r.settle(1, c.state)
		r.settle(a.Call, c.state)
		for _, source := range []desk.MessageID{40, 50, 51} {
			if got := len(r.about(source)) == 1; got != c.open {
				t.Errorf("%s: message %d is open %v", c.state, source, got)
			}
		}
	}
}

// Every item of an album leads to the album's call.
func TestOpenCallsAboutAnItem(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(8, 41))
	a := r.start(40)
	r.join(a, 41)
	r.owe(desk.EditCopy{To: desk.TopicLane(7), Copied: newer(41)})
	same(t, "about the first", r.about(40), []desk.CallID{a.Call})
	got := r.about(41)
	slices.Sort(got)
	same(t, "about the second", got, []desk.CallID{1, a.Call, 3})
}

func TestOpenCallsAreOfThisBot(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(7, 40))
	r.start(50)
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE outbox SET bot_id = 2") })
	same(t, "a message", r.about(40), nil)
	same(t, "an item", r.about(50), nil)
}

// One call that cannot be read does not hide the others.
func TestOpenCallThatCannotBeReadIsLeftOut(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(7, 40), relay(8, 40))
	r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE outbox SET payload = '[' WHERE id = 1") })
	same(t, "about 40", r.about(40), []desk.CallID{2})
}

// An edit of what is not sent yet takes the place of the old form, in every kind of call that carries one.
func TestContentIsReplacedWhileTheCallIsOwed(t *testing.T) {
	relayed := desk.Copied{User: 7, Source: 40, Content: "text", ReplyTo: 30, Raw: []byte(`{"text":"secret"}`)}
	after := relayed
	after.Content, after.Raw = newer(40).Content, newer(40).Raw
	for _, c := range []struct{ before, after desk.Call }{
		{desk.RelayToTopic{Copied: relayed}, desk.RelayToTopic{Copied: after}},
		{desk.RelayToUser{Copied: relayed}, desk.RelayToUser{Copied: after}},
		{desk.EditCopy{To: desk.TopicLane(7), Copied: relayed}, desk.EditCopy{To: desk.TopicLane(7), Copied: after}},
	} {
		for _, state := range []db.State{db.Owed, db.Sending, db.Sent, db.Refused, db.Dropped} {
			r := newRoom(t)
			r.owe(c.before)
			row := r.call(1)
			r.settle(1, state)
			replaced := r.decided(func(tx *db.Tx) (bool, error) { return tx.ReplaceContent(row, newer(40)) })
			if replaced != (state == db.Owed) {
				t.Errorf("%T, %s: replaced %v", c.before, state, replaced)
			}
			if state == db.Owed {
				same(t, "call", r.call(1).Call, c.after)
				same(t, "the number it is found by", r.about(40), []desk.CallID{1})
			}
			if n := r.number("SELECT count(*) FROM outbox WHERE content LIKE '%newer%'"); (n == 1) != replaced {
				t.Errorf("%T, %s: %d rows keep the newer text", c.before, state, n)
			}
		}
	}
}

// Of an album one item is replaced, and the call stays as it is.
func TestItemIsReplacedWhileItsCallIsOwed(t *testing.T) {
	for _, state := range []db.State{db.Owed, db.Sending, db.Sent, db.Refused, db.Dropped} {
		r := newRoom(t)
		a := r.start(40)
		r.join(a, 41)
		row := r.call(a.Call)
		r.settle(a.Call, state)
		before := r.items(a.Call)
		replaced := r.decided(func(tx *db.Tx) (bool, error) { return tx.ReplaceContent(row, newer(41)) })
		if replaced != (state == db.Owed) {
			t.Errorf("%s: replaced %v", state, replaced)
		}
		want := before
		if replaced {
			want = []db.AlbumItem{picture(40), {Source: 41, Content: "video", Raw: newer(41).Raw}}
		}
		same(t, string(state)+": items", r.items(a.Call), want)
		same(t, string(state)+": call", r.call(a.Call).Call, row.Call)
	}
	r := newRoom(t)
	a := r.start(40)
	row := r.call(a.Call)
	if r.decided(func(tx *db.Tx) (bool, error) { return tx.ReplaceContent(row, newer(49)) }) {
		t.Error("an item that the album has not was replaced")
	}
}

// The last reaction decides: it takes the place of one that is not shown yet.
func TestCallIsReplacedWhileItIsOwed(t *testing.T) {
	lane := desk.ReactionLane(40)
	for _, state := range []db.State{db.Owed, db.Sending, db.Sent, db.Refused, db.Dropped} {
		r := newRoom(t)
		r.owe(reaction(lane, 40, "👍"))
		due := r.call(1).Due
		r.settle(1, state)
		r.clock.Advance(time.Second)
		replaced := r.decided(func(tx *db.Tx) (bool, error) { return tx.Replace(1, reaction(lane, 40, "")) })
		if replaced != (state == db.Owed) {
			t.Errorf("%s: replaced %v", state, replaced)
		}
		if replaced {
			same(t, "call", r.call(1).Call, desk.Call(reaction(lane, 40, "")))
		}
		same(t, "due", r.call(1).Due, due)
	}
}

// What is not sent yet can be taken back, and then no text of it is left.
func TestCallIsCancelledWhileItIsOwed(t *testing.T) {
	for _, state := range []db.State{db.Owed, db.Sending, db.Sent, db.Refused, db.Dropped} {
		r := newRoom(t)
		r.owe(relay(7, 40))
		a := r.start(50)
		r.join(a, 51)
		for _, id := range []desk.CallID{1, a.Call} {
			r.settle(id, state)
			before := r.call(id)
			r.clock.Advance(time.Minute)
			cancelled := r.decided(func(tx *db.Tx) (bool, error) { return tx.Cancel(id, "taken back") })
			if cancelled != (state == db.Owed || state == db.Refused) {
				t.Errorf("%s: call %d cancelled %v", state, id, cancelled)
			}
			if !cancelled {
				same(t, "untouched", r.call(id), before)
				continue
			}
			row := r.call(id)
			if row.State != db.Dropped || row.Reason != "taken back" {
				t.Errorf("call %d: %+v", id, row)
			}
			same(t, "settled", r.number("SELECT count(*) FROM outbox WHERE id = ? AND settled_at = ?", id,
				r.clock.Now().Format("2006-01-02T15:04:05.000Z")), 1)
		}
		if state == db.Owed {
			same(t, "text left", r.number(`SELECT (SELECT count(*) FROM outbox WHERE content IS NOT NULL)
				+ (SELECT count(*) FROM album_items WHERE content IS NOT NULL)`), 0)
			same(t, "the album's items", len(r.items(a.Call)), 2)
		}
	}
	r := newRoom(t)
	if r.decided(func(tx *db.Tx) (bool, error) { return tx.Cancel(99, "taken back") }) {
		t.Error("a call that is not there was cancelled")
	}
}

// A call in back-off is cancelled: whoever keeps the lanes in memory is told, or the lane would wait for a call that is not there.
func TestLaneIsToldOfACancelledCall(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(7, 40), relay(7, 41))
	row := r.call(1)
	row.Due = r.clock.Now().Add(10 * time.Minute)
	r.update(func(tx *db.Tx) error { return tx.SettleCall(row) })
	news := r.noted()
	if !r.decided(func(tx *db.Tx) (bool, error) { return tx.Cancel(1, "taken back") }) {
		t.Fatal("not cancelled")
	}
	same(t, "news", (<-news).Owed, []db.Debt{{ID: 1, Lane: desk.TopicLane(7), Kind: "relay_to_topic", Due: r.clock.Now()}})
	if r.take(1) {
		t.Error("the cancelled call was taken")
	}
}

// Cancelled and taken at once: one of the two wins, and knows it.
func TestCancelAndTakerRace(t *testing.T) {
	for _, cancelFirst := range []bool{true, false} {
		r := newRoom(t)
		r.owe(relay(7, 40))
		var cancelled, taken bool
		cancel := func(tx *db.Tx) (err error) { cancelled, err = tx.Cancel(1, "taken back"); return err }
		take := func(tx *db.Tx) (err error) { taken, err = tx.MarkSending(1, "copy"); return err }
		first, second := take, cancel
		if cancelFirst {
			first, second = cancel, take
		}
		release := r.hold()
		outcomes := []<-chan error{r.later(first), r.later(second)}
		release()
		for _, o := range outcomes {
			if err := <-o; err != nil {
				t.Error(err)
			}
		}
		if cancelled != cancelFirst || taken == cancelled {
			t.Errorf("cancel first %v: cancelled %v, taken %v", cancelFirst, cancelled, taken)
		}
	}
}

// What is at Telegram cannot be taken back, but is not tried another time: whatever it becomes there is its end.
func TestWithdrawnCallIsNotOwedAgain(t *testing.T) {
	for _, c := range []struct{ becomes, ends db.State }{
		{db.Owed, db.Dropped}, {db.Sent, db.Sent}, {db.Refused, db.Dropped}, {db.Dropped, db.Dropped},
	} {
		r := newRoom(t)
		r.owe(relay(7, 40), relay(7, 41))
		a := r.start(50)
		for _, id := range []desk.CallID{1, 2, a.Call} {
			r.take(id)
		}
		for _, id := range []desk.CallID{1, a.Call} {
			if r.decided(func(tx *db.Tx) (bool, error) { return tx.Cancel(id, "taken back") }) {
				t.Fatal("what is at Telegram was cancelled")
			}
		}
		news := r.noted()
		r.settle(1, c.becomes)
		r.settle(a.Call, c.becomes)
		for len(news) > 0 {
			same(t, string(c.becomes)+": owed", (<-news).Owed, nil)
		}
		for _, id := range []desk.CallID{1, a.Call} {
			same(t, string(c.becomes), r.call(id).State, c.ends)
		}
		if kept := r.number("SELECT count(*) FROM outbox WHERE id = 1 AND content IS NOT NULL"); (kept == 1) != (c.ends == db.Refused) {
			t.Errorf("%s: %d rows keep the text", c.becomes, kept)
		}
		if kept := r.number("SELECT count(*) FROM album_items WHERE content IS NOT NULL"); (kept == 1) != (c.ends == db.Refused) {
			t.Errorf("%s: %d items keep the text", c.becomes, kept)
		}
		r.settle(2, c.becomes)
		same(t, "what nobody took back", r.call(2).State, c.becomes)
	}
}
