package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

func TestViewSeesOneSnapshot(t *testing.T) {
	r := newRoom(t)
	r.view(func(v db.View) error {
		if _, found, err := v.User(7); found || err != nil {
			t.Errorf("before: found %v, %v", found, err)
		}
		r.meet(7) // the writer does not wait for readers, nor they for it
		if _, found, err := v.User(7); found || err != nil {
			t.Errorf("after a commit beside it: found %v, %v", found, err)
		}
		return nil
	})
	r.view(func(v db.View) error {
		if _, found, err := v.User(7); !found || err != nil {
			t.Errorf("next view: found %v, %v", found, err)
		}
		return nil
	})
}

func TestViewDoesNotSeeWhatIsNotCommitted(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error {
		if err := slot("x")(tx); err != nil {
			return err
		}
		return r.View(context.Background(), func(v db.View) error {
			if seen, err := v.Texts("SELECT slot FROM notice_slots"); len(seen) > 0 || err != nil {
				t.Errorf("seen %q, %v", seen, err)
			}
			return nil
		})
	})
}

func TestViewCannotWrite(t *testing.T) {
	r := newRoom(t)
	for _, query := range []string{"INSERT INTO settings (key, value) VALUES ('a', 'b')", "DELETE FROM users", "DROP TABLE users"} {
		r.view(func(v db.View) error {
			refused(t, v.Exec(query), "readonly")
			return nil
		})
	}
}

func TestViewHandsOnItsError(t *testing.T) {
	r := newRoom(t)
	mine := errors.New("mine")
	if err := r.View(context.Background(), func(db.View) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.View(ctx, func(db.View) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// noted collects news, which comes from the writer's goroutine, one commit at a time.
func (r *room) noted() <-chan db.News {
	news := make(chan db.News, 1000)
	r.Listen(func(n db.News) { news <- n })
	return news
}

func TestNewsComesAfterTheCommit(t *testing.T) {
	r := newRoom(t)
	var seen []string
	r.Listen(func(db.News) {
		err := r.View(context.Background(), func(v db.View) (err error) {
			seen, err = v.Texts("SELECT kind FROM outbox")
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	r.update(func(tx *db.Tx) error { return tx.Owe(desk.OpenTopic{User: 7}) })
	same(t, "what a listener can read", seen, []string{"open_topic"})
}

func TestNewsComesBeforeTheUpdateReturns(t *testing.T) {
	r := newRoom(t)
	news := r.noted()
	for range 20 {
		r.update(func(tx *db.Tx) error { tx.SawGroupChange(); return nil })
		if len(news) != 1 {
			t.Fatalf("%d news after an update, want 1", len(news))
		}
		<-news
	}
}

func TestNewsTellsWhatBecameTrue(t *testing.T) {
	r := newRoom(t)
	at := r.clock.Now()
	debt := func(id desk.CallID, due time.Time) db.Debt {
		return db.Debt{ID: id, Lane: desk.TopicLane(7), Priority: desk.Written, Kind: "open_topic", Items: 1, Due: due}
	}
	for _, c := range []struct {
		what string
		fn   func(*db.Tx) error
		want db.News
	}{
		{"a debt", func(tx *db.Tx) error { return tx.Owe(desk.OpenTopic{User: 7}) }, db.News{Owed: []db.Debt{debt(1, at)}}},
		{"a debt for later", func(tx *db.Tx) error { return tx.OweOnce(desk.RefreshCard{User: 8}, at.Add(time.Hour)) },
			db.News{Owed: []db.Debt{{ID: 2, Lane: desk.TopicLane(8), Priority: desk.Upkeep, Kind: "refresh_card", Items: 1, Due: at.Add(time.Hour)}}}},
		{"a debt put back", func(tx *db.Tx) error {
			return tx.SettleCall(db.CallRow{Debt: debt(1, at.Add(time.Minute)), State: db.Owed})
		},
			db.News{Owed: []db.Debt{debt(1, at.Add(time.Minute))}}},
		{"a sign of topics", func(tx *db.Tx) error { tx.SawForum(true, at); return nil },
			db.News{Forum: []db.ForumSign{{IsForum: true, At: at}}}},
		{"rights", func(tx *db.Tx) error { tx.SawGroupChange(); return nil }, db.News{Group: true}},
		{"a stray topic", func(tx *db.Tx) error { return tx.NoteSighting(5, "Ann", at) }, db.News{Topics: true}},
		{"our name", func(tx *db.Tx) error { return tx.SetIdentity(db.Identity{Username: "b"}) }, db.News{Names: true}},
		{"a move", func(tx *db.Tx) error { _, err := tx.MoveGroup(-1009); return err }, db.News{Moved: true}},
	} {
		var got []db.News
		news := r.noted()
		r.update(c.fn)
		for len(news) > 0 {
			got = append(got, <-news)
		}
		same(t, c.what, got, []db.News{c.want})
	}
}

func TestNoNewsOfWhatWasUndone(t *testing.T) {
	r := newRoom(t)
	news := r.noted()
	release := r.hold()
	bad := r.later(func(tx *db.Tx) error {
		tx.SawGroupChange()
		if _, err := tx.MoveGroup(-1009); err != nil {
			return err
		}
		if err := tx.Owe(desk.OpenTopic{User: 8}); err != nil {
			return err
		}
		return errors.New("bad")
	})
	good := r.later(func(tx *db.Tx) error { return tx.Owe(desk.OpenTopic{User: 7}) })
	quiet := r.later(slot("no news"))
	release()
	refused(t, <-bad, "bad")
	for _, o := range []<-chan error{good, quiet} {
		if err := <-o; err != nil {
			t.Error(err)
		}
	}
	if len(news) != 1 {
		t.Fatalf("%d news, want 1", len(news))
	}
	n := <-news
	if n.Group || n.Moved || len(n.Owed) != 1 || n.Owed[0].Lane != desk.TopicLane(7) {
		t.Errorf("news of what was undone: %+v", n)
	}
	if r.Group() == -1009 {
		t.Error("the undone move is followed")
	}
}

func TestNewsComesInTheOrderOfTheCommits(t *testing.T) {
	r := newRoom(t)
	news := r.noted()
	for i := range 50 {
		go r.Update(context.Background(), func(tx *db.Tx) error { return tx.Owe(desk.OpenTopic{User: desk.UserID(i)}) })
	}
	last := desk.CallID(0)
	for last < 50 {
		for _, d := range (<-news).Owed {
			if d.ID != last+1 {
				t.Fatalf("call %d is told after %d", d.ID, last)
			}
			last = d.ID
		}
	}
}
