package db_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// owe owes calls and returns what the commit told of them.
func (r *room) owe(calls ...desk.Call) (debts []db.Debt) {
	r.Helper()
	news := r.noted()
	r.update(func(tx *db.Tx) error { return tx.Owe(calls...) })
	return (<-news).Owed
}

// call reads one call, which must be there and readable.
func (r *room) call(id desk.CallID) (row db.CallRow) {
	r.Helper()
	r.view(func(v db.View) error {
		got, found, unreadable, err := v.CallByID(id)
		if !found {
			unreadable = errors.Join(unreadable, fmt.Errorf("no call %d", id))
		}
		row = got
		return errors.Join(unreadable, err)
	})
	return row
}

func (r *room) openDebts() (owed []db.Debt, inDoubt []desk.CallID) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		owed, inDoubt, err = v.OpenDebts()
		return err
	})
	return owed, inDoubt
}

func (r *room) take(id desk.CallID) bool {
	r.Helper()
	return r.decided(func(tx *db.Tx) (bool, error) { return tx.MarkSending(id, "copy") })
}

// settle writes down an outcome of a call as it stands.
func (r *room) settle(id desk.CallID, state db.State) {
	r.Helper()
	row := r.call(id)
	row.State = state
	r.update(func(tx *db.Tx) error { return tx.SettleCall(row) })
}

func relay(user desk.UserID, source desk.MessageID) desk.RelayToTopic {
	return desk.RelayToTopic{Copied: desk.Copied{User: user, Source: source, Content: "text", Raw: []byte(`{"text":"secret"}`)}}
}

// Mixed calls in many lanes: 1, 2 … 100 rows take several statements, and every id must be its own call's.
func TestIdsBelongToTheirCallsInOrder(t *testing.T) {
	r := newRoom(t)
	random := rand.New(rand.NewPCG(1, 2))
	last := desk.CallID(0)
	for n := 1; n <= 100; n++ {
		calls := make([]desk.Call, n)
		for i := range calls {
			user := desk.UserID(random.IntN(5) + 1)
			calls[i] = []desk.Call{relay(user, desk.MessageID(i)), desk.RefreshCard{User: user}, desk.OpenTopic{User: user},
				desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{{Key: fmt.Sprint(i)}}}}[random.IntN(4)]
		}
		debts := r.owe(calls...)
		if len(debts) != n {
			t.Fatalf("%d calls, %d debts told", n, len(debts))
		}
		r.view(func(v db.View) error {
			for i, c := range calls {
				last++
				want := db.Debt{ID: last, Lane: c.Lane(), Priority: c.Priority(), Kind: c.Kind(), Items: 1, Due: r.clock.Now()}
				same(t, fmt.Sprintf("debt %d of %d", i, n), debts[i], want)
				row, _, unreadable, err := v.CallByID(last)
				if err = errors.Join(unreadable, err); err != nil {
					return err
				}
				same(t, "row", row, db.CallRow{Debt: want, Call: c, Group: r.Group(), State: db.Owed})
			}
			return nil
		})
	}
}

// Several transactions of one batch share the statement too.
func TestIdsFollowTheOrderOfTheBatch(t *testing.T) {
	r := newRoom(t)
	release := r.hold()
	var outcomes []<-chan error
	var want []int
	for i := range 40 {
		want = append(want, 100-i)
		outcomes = append(outcomes, r.later(func(tx *db.Tx) error { return tx.Owe(desk.OpenTopic{User: desk.UserID(100 - i)}) }))
	}
	release()
	for _, o := range outcomes {
		if err := <-o; err != nil {
			t.Error(err)
		}
	}
	same(t, "order", r.journal(), effects(want...))
}

func TestCallIdsAreNotUsedAgainAfterTheTableIsEmptied(t *testing.T) {
	r := newRoom(t)
	first := r.owe(desk.OpenTopic{User: 7}, desk.OpenTopic{User: 8})
	r.update(func(tx *db.Tx) error { return tx.Exec("DELETE FROM outbox") })
	r.reopen()
	second := r.owe(desk.OpenTopic{User: 9})
	if second[0].ID <= first[1].ID {
		t.Errorf("call %d after %d", second[0].ID, first[1].ID)
	}
}

func TestCallThatCannotBeWrittenUndoesItsUpdate(t *testing.T) {
	r := newRoom(t)
	unwritable := desk.AnswerPress{At: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)} // JSON has four digits for a year
	err := r.Update(t.Context(), func(tx *db.Tx) error {
		if err := slot("x")(tx); err != nil {
			return err
		}
		return tx.Owe(unwritable)
	})
	refused(t, err, "owe calls")
	same(t, "kept", r.slots(), nil)
}

func TestOweOnceGathers(t *testing.T) {
	r := newRoom(t)
	due := r.clock.Now().Add(desk.CardGather)
	once := func(c desk.Call) { r.update(func(tx *db.Tx) error { return tx.OweOnce(c, due) }) }
	count := func() int { owed, _ := r.openDebts(); return len(owed) }
	want := func(what string, n int) {
		t.Helper()
		if got := count(); got != n {
			t.Fatalf("%s: %d calls owed, want %d", what, got, n)
		}
	}
	once(desk.RefreshCard{User: 7})
	once(desk.RefreshCard{User: 7})
	want("the same again", 1)
	same(t, "due", r.call(1).Due, due)
	r.update(func(tx *db.Tx) error {
		if err := tx.OweOnce(desk.RenameTopic{User: 7}, due); err != nil {
			return err
		}
		return tx.OweOnce(desk.RenameTopic{User: 7}, due)
	})
	want("twice in one transaction", 2)
	once(desk.RefreshCard{User: 8})
	want("another lane", 3)
	r.take(1)
	once(desk.RefreshCard{User: 7})
	want("one at Telegram does not know of the change", 4)
	r.settle(1, db.Sent)
	once(desk.RefreshCard{User: 7})
	want("the one owed meanwhile will do", 3)
}

// The one that waits stands for both, at the earlier of the two moments.
func TestOweOnceHastens(t *testing.T) {
	r := newRoom(t)
	now := r.clock.Now()
	news := r.noted()
	debt := db.Debt{ID: 1, Lane: desk.TopicLane(7), Priority: desk.Upkeep, Kind: "refresh_card", Items: 1}
	for _, c := range []struct{ due, want time.Duration }{{20, 20}, {30, 20}, {20, 20}, {10, 10}, {5, 5}, {20, 5}} {
		before := debt.Due
		debt.Due = now.Add(c.want * time.Second)
		r.update(func(tx *db.Tx) error { return tx.OweOnce(desk.RefreshCard{User: 7}, now.Add(c.due*time.Second)) })
		owed, _ := r.openDebts()
		same(t, "owed", owed, []db.Debt{debt})
		if told := len(news) == 1; told == before.Equal(debt.Due) {
			t.Errorf("asked for %d s: told %v", c.due, told)
		} else if told {
			same(t, "news", (<-news).Owed, []db.Debt{debt})
		}
	}
}

func TestCallIsTakenOnce(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(7, 5))
	if !r.take(1) || r.take(1) || r.take(2) {
		t.Error("not taken exactly once")
	}
	row := r.call(1)
	if row.State != db.Sending || row.Step != "copy" {
		t.Errorf("row: %+v", row)
	}
	for _, end := range []db.State{db.Sent, db.Refused, db.Dropped} {
		id := r.owe(relay(7, 5))[0].ID
		r.settle(id, end)
		if r.take(id) {
			t.Errorf("a call that is %s was taken", end)
		}
	}
}

func TestSettledCallIsWrittenDown(t *testing.T) {
	for _, c := range []struct {
		state            db.State
		content, settled bool
	}{
		{db.Owed, true, false}, {db.Sending, true, false}, {db.Sent, false, true}, {db.Refused, true, true}, {db.Dropped, false, true},
	} {
		r := newRoom(t)
		r.owe(relay(7, 5))
		r.take(1)
		r.clock.Advance(time.Minute)
		want := r.call(1)
		want.State, want.Step, want.Stage, want.Reason = c.state, "pin", "plain", "because"
		want.Attempts, want.Delays, want.Doubts, want.Result = 1, 2, 3, 44
		want.Due = r.clock.Now().Add(time.Hour)
		r.update(func(tx *db.Tx) error { return tx.SettleCall(want) })
		if !c.content {
			want.Call = desk.RelayToTopic{Copied: desk.Copied{User: 7, Source: 5, Content: "text"}}
		}
		same(t, string(c.state), r.call(1), want)
		if secrets := r.number("SELECT count(*) FROM outbox WHERE content LIKE '%secret%'"); (secrets == 1) != c.content {
			t.Errorf("%s: %d rows with text", c.state, secrets)
		}
		var at []string
		if c.settled {
			at = []string{"2026-01-02T03:05:05.000Z"}
		}
		same(t, string(c.state)+": settled at", r.texts("SELECT settled_at FROM outbox WHERE settled_at IS NOT NULL"), at)
	}
}

func TestCallIsSettledOnce(t *testing.T) {
	r := newRoom(t)
	for _, end := range []db.State{db.Sent, db.Refused, db.Dropped} {
		id := r.owe(relay(7, 5))[0].ID
		r.settle(id, end)
		row := r.call(id)
		for _, second := range []db.State{db.Owed, db.Sending, db.Sent, db.Refused, db.Dropped} {
			row.State = second
			refused(t, r.Update(t.Context(), func(tx *db.Tx) error { return tx.SettleCall(row) }), "settled already")
		}
		same(t, "state", r.call(id).State, end)
	}
	refused(t, r.Update(t.Context(), func(tx *db.Tx) error { return tx.SettleCall(db.CallRow{Debt: db.Debt{ID: 99}, State: db.Sent}) }),
		"settle call 99")
}

// Two press "Try again" at once: one of them gives the call its further life.
func TestRefusedCallIsOwedAgainOnce(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(7, 5))
	again := func(tx *db.Tx) (bool, error) { return tx.OweAgain(1, 60, desk.UserLane(7)) }
	if r.decided(again) {
		t.Error("a call that is owed was owed again")
	}
	row := r.call(1)
	row.State, row.Step, row.Stage, row.Attempts, row.Delays, row.Doubts, row.Reason, row.Result =
		db.Refused, "pin", "plain", 8, 9, 2, "because", 44
	r.update(func(tx *db.Tx) error { return tx.SettleCall(row) })
	r.clock.Advance(time.Hour)
	news := r.noted()
	release := r.hold()
	verdicts := make([]bool, 2)
	var outcomes []<-chan error
	for i := range verdicts {
		outcomes = append(outcomes, r.later(func(tx *db.Tx) (err error) { verdicts[i], err = again(tx); return err }))
	}
	release()
	for _, o := range outcomes {
		if err := <-o; err != nil {
			t.Error(err)
		}
	}
	same(t, "who won", verdicts, []bool{true, false})
	debt := db.Debt{ID: 1, Lane: desk.TopicLane(7), Kind: "relay_to_topic", Items: 1, Due: r.clock.Now()}
	same(t, "news", (<-news).Owed, []db.Debt{debt})
	same(t, "counted afresh, text and all", r.call(1), db.CallRow{Debt: debt, Call: relay(7, 5), Group: r.Group(), State: db.Owed, Notice: 60,
		NoticeLane: desk.UserLane(7)})
	owed, _ := r.openDebts()
	same(t, "owed", owed, []db.Debt{debt})
	same(t, "settled", r.texts("SELECT settled_at FROM outbox WHERE settled_at IS NOT NULL"), nil)
}

func TestOnlyARefusedCallIsOwedAgainAndOnlyWhatWasSentWasMisrouted(t *testing.T) {
	for _, state := range []db.State{db.Owed, db.Sending, db.Sent, db.Refused, db.Dropped} {
		r := newRoom(t)
		r.owe(relay(7, 5), relay(7, 5))
		for _, id := range []desk.CallID{1, 2} {
			r.settle(id, state)
		}
		if got := r.decided(func(tx *db.Tx) (bool, error) { return tx.OweAgain(1, 60, desk.UserLane(7)) }); got != (state == db.Refused) {
			t.Errorf("%s: owed again %v", state, got)
		}
		row := r.call(2)
		if got := r.decided(func(tx *db.Tx) (bool, error) { return tx.OweMisrouted(row) }); got != (state == db.Sent || state == db.Refused) {
			t.Errorf("%s: misrouted %v", state, got)
		}
	}
}

// A call refused before the group moved may be tried again, and tells of which group its ids are.
func TestCallOfTheFormerGroupIsOwedAgain(t *testing.T) {
	r := newRoom(t)
	former := r.Group()
	r.owe(relay(7, 5))
	r.settle(1, db.Refused)
	r.move(-1009)
	if !r.decided(func(tx *db.Tx) (bool, error) { return tx.OweAgain(1, 60, desk.UserLane(7)) }) {
		t.Error("not owed again")
	}
	same(t, "group", r.call(1).Group, former)
}

// What a start begins with: every call in its order, and what was at Telegram when the program ended.
func TestOpenDebtsAfterARestart(t *testing.T) {
	r := newRoom(t)
	debts := r.owe(relay(8, 1), relay(7, 2), relay(8, 3), desk.RefreshCard{User: 7}, relay(7, 5), desk.Say{To: desk.GeneralLane()})
	r.take(2)
	r.take(3)
	r.settle(5, db.Sent)
	r.settle(1, db.Refused)
	r.reopen()
	owed, inDoubt := r.openDebts()
	same(t, "owed", owed, []db.Debt{debts[1], debts[2], debts[3], debts[5]})
	same(t, "in doubt", inDoubt, []desk.CallID{2, 3})
}

func TestSentSince(t *testing.T) {
	r := newRoom(t)
	r.owe(relay(7, 1), relay(7, 2), relay(7, 3), relay(7, 4), desk.OpenTopic{User: 7})
	start := r.clock.Now()
	for _, c := range []struct {
		id    desk.CallID
		state db.State
	}{{3, db.Sent}, {1, db.Sent}, {2, db.Refused}, {5, db.Sent}, {4, db.Sent}} {
		r.take(c.id)
		r.settle(c.id, c.state)
		r.clock.Advance(time.Second)
	}
	var got []desk.CallID
	since := func(at time.Time) []desk.CallID {
		got = nil
		r.view(func(v db.View) error {
			rows, err := v.SentSince("relay_to_topic", at)
			for _, row := range rows {
				got = append(got, row.ID)
			}
			return err
		})
		return got
	}
	same(t, "all, oldest first", since(time.Time{}), []desk.CallID{3, 1, 2, 4})
	same(t, "from a moment on", since(start.Add(time.Second)), []desk.CallID{1, 2, 4})
	same(t, "after it", since(start.Add(time.Second+time.Millisecond)), []desk.CallID{2, 4})
}

func TestUnreadableCallIsThereAndSaysWhy(t *testing.T) {
	r := newRoom(t)
	for column, value := range map[string]string{"payload": "{", "kind": "of_the_future", "lane": "nowhere", "notice_lane": "nowhere"} {
		id := r.owe(relay(7, 5))[0].ID
		r.update(func(tx *db.Tx) error { return tx.Exec("UPDATE outbox SET "+column+" = ? WHERE id = ?", value, id) })
		r.view(func(v db.View) error {
			row, found, unreadable, err := v.CallByID(id)
			if !found || unreadable == nil || row.ID != id || row.State != db.Owed {
				t.Errorf("broken %s: found %v, unreadable %v, row %+v", column, found, unreadable, row)
			}
			return err
		})
	}
	r.view(func(v db.View) error {
		if _, found, unreadable, err := v.CallByID(99); found || unreadable != nil || err != nil {
			t.Errorf("no such call: found %v, %v, %v", found, unreadable, err)
		}
		return nil
	})
}
