package bot_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, "Forum switched off": nothing of one person is shown among the others', and nothing is lost.

const saysForumOff = "Topics are switched off in this group, so messages wait…"

// wantCommonChat checks what stands outside the topics: nothing but our own word, and what was said there by hand.
func (w *world) wantCommonChat(want ...string) {
	w.t.Helper()
	var got []string
	for _, m := range w.tg.General() {
		if m.Service == "" && m.Thread == 0 {
			got = append(got, m.Text)
		}
	}
	wantTexts(w.t, "the common chat", got, want)
}

func TestFaultForumSwitchedOffInTheMiddleOfCopiesLeavesNothingInTheCommonChat(t *testing.T) {
	w := newWorld(t)
	one, two := w.talk(7), w.talk(8)
	w.after(3 * time.Second)
	w.tg.SetForum(false) // nobody is told
	w.tg.Say(7, "seven, one")
	w.tg.Say(8, "eight, one")
	w.after(2 * time.Second) // copyMessage does not show where it landed
	w.tg.Say(7, "seven, two")
	w.after(20 * time.Second)
	w.tg.Say(8, "eight, two")
	w.after(5 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.tg.Say(9, "a newcomer")
	w.after(5 * time.Minute)
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(one, "hello", "seven, one", "seven, two")
	w.wantTopic(two, "hello", "eight, one", "eight, two")
	w.wantTopic(w.thread("User 9"), "a newcomer")
	w.wantCommonChat(saysForumOff)
	w.wantReady(desk.Group)
	w.wantNothingOwed()
	if n := len(w.ledger(7)); n != 3 {
		t.Errorf("the ledger has %d rows for three messages", n)
	}
}

func TestFaultMessageOutsideItsTopicIsNoticedByTheAnswerToIt(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(3 * time.Second)
	w.tg.Post(admin, thread, "/nonsense")
	w.intake()
	w.tg.SetForum(false)
	w.settle()
	w.wantCommonChat(saysForumOff)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(thread, "hello", "/nonsense", saysUnknown)
	w.wantCommonChat(saysForumOff)
}

func TestFaultContrarySignIsConfirmedBeforeItIsBelieved(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(5 * time.Second)
	asked := w.tried("getChat")
	dbtest.Update(t, w.db, func(tx *db.Tx) error { tx.SawForum(false, tx.Now); return nil })
	w.tg.Say(7, "go on")
	w.settle()
	w.wantTried("getChat", asked+1)
	w.wantTopic(thread, "hello", "go on")
	w.wantGeneral()
	w.wantReady(desk.Group)
}

func TestFaultUpdateThatShowsNoForumStopsTopicsAtOnce(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	w.tg.Post(outsider, 0, "where are our topics?")
	w.tg.Say(7, "in the dark")
	before := w.count("copyMessage")
	w.after(2 * time.Second)
	w.wantDone("copyMessage", before)
	w.wantCommonChat("where are our topics?", saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(thread, "hello", "in the dark")
}

func TestFaultForumSwitchedOffIsToldOnceAndAskedOnceAMinute(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.after(20 * time.Second)
	w.tg.SetForum(false)
	w.tg.Say(7, "one")
	w.settle()
	w.tg.ResetCalls()
	w.after(10 * time.Minute)
	if n := w.tried("getChat"); n < 8 || n > 11 {
		t.Errorf("in 10 min off it was asked %d times", n)
	}
	w.restart()
	w.tg.Say(7, "two")
	w.after(5 * time.Minute)
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.tg.SetForum(false)
	w.after(20 * time.Second)
	w.tg.Say(7, "three")
	w.after(20 * time.Second)
	w.wantCommonChat(saysForumOff, saysForumOff) // once for each time
}

func TestFaultForumSwitchedOffOverARestartLeavesNothingInTheCommonChat(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	w.tg.Say(7, "one")
	w.after(time.Second)
	w.restart()
	w.tg.Say(7, "two")
	w.after(20 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.restart()
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(thread, "hello", "one", "two")
	w.wantNothingOwed()
}

// The last thing sent before the restart went to a person, long after the last proof: it proves nothing of the group.
func TestFaultSendToAPersonIsNoProofOfTheForumAfterARestart(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.talk(8)
	w.ban(8, true)
	w.after(5 * time.Second)
	w.tg.SetForum(false)
	w.tg.Say(7, "one") // into the common chat
	w.after(25 * time.Second)
	w.tg.Say(8, "am I banned?")
	w.settle()
	w.restart()
	w.tg.Say(7, "two")
	w.after(20 * time.Second)
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(thread, "hello", "one", "two")
}

// A copy that was under way when the forum was found off lands in the common chat too.
func TestFaultCopyUnderWayWhenTheForumIsFoundOffIsTakenBack(t *testing.T) {
	w, b, run := newRunning(t)
	thread := w.talk(7)
	w.talk(8)
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()})
	w.tg.Say(7, "one")
	w.intake()
	stop := run()
	w.await(arrived, "the copy")
	w.tg.Post(outsider, 0, "no topics any more?")
	w.intake()
	w.until(b, "it is found out", func() bool { return slices.Contains(w.general(), sentence("forum_off")) })
	release(true)
	w.until(b, "the copy is settled", func() bool { return len(w.sending()) == 0 })
	stop()
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(thread, "hello", "one")
	w.wantCommonChat("no topics any more?", saysForumOff)
}

func TestFaultProofOfTheForumIsNeverOlderThanTenSeconds(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	asked := w.tried("getChat")
	w.after(9 * time.Second)
	w.tg.Say(7, "soon")
	w.settle()
	w.wantTried("getChat", asked)
	w.after(3 * time.Second) // a copy proves nothing
	w.tg.Say(7, "later")
	w.settle()
	w.wantTried("getChat", asked+1)
	w.wantTopic(thread, "hello", "soon", "later")
	calls := w.tg.Calls()
	copied := slices.IndexFunc(calls, func(c emulator.Call) bool { return c.Method == "getChat" && c.At.Equal(w.clock.Now()) })
	if last := calls[len(calls)-1]; copied < 0 || last.Method != "copyMessage" {
		t.Errorf("the question did not come before the copy, which was %s", last.Method)
	}
}

func TestFaultFloodWaitOfTheQuestionIsObeyed(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(15 * time.Second)
	asked := w.tried("getChat")
	w.tg.Flood(emulator.Fault{Method: "getChat"}, 30)
	w.tg.Say(7, "later")
	w.after(28 * time.Second)
	w.wantTried("getChat", asked+1)
	w.wantTopic(thread, "hello")
	w.after(4 * time.Second)
	w.wantTopic(thread, "hello", "later")
}

func TestFaultWhatTheGroupSaysIsProofAndGeneralNeedsNone(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	asked := w.tried("getChat")
	w.after(5 * time.Minute)
	w.tg.Post(admin, 0, "/help")
	w.tg.Post(outsider, thread, "I only talk")
	w.tg.Say(7, "go on")
	w.settle()
	w.wantTried("getChat", asked)
	w.wantTopic(thread, "hello", "I only talk", "go on")
	w.tg.SetForum(false)
	w.after(20 * time.Second)
	w.tg.Post(admin, 0, "/help")
	w.settle()
	if n := len(w.general()); n < 4 {
		t.Errorf("commands are not answered in the common chat while topics are off: %q", w.general())
	}
}

func TestFaultTopicThatCannotBeMadeBecauseTheForumIsOffWaits(t *testing.T) {
	w := newWorld(t)
	w.talk(8)
	w.tg.SetForum(false)
	w.tg.Say(7, "a newcomer")
	w.settle()
	w.wantNotReady(desk.Group, "topics are switched off")
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(w.thread("User 7"), "a newcomer")
	w.wantDone("createForumTopic", 2)
}

func TestFaultReadyAgainWhenTopicsAreBackThoughNothingIsOwed(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(3 * time.Second)
	w.tg.Post(outsider, 0, "all is well") // a proof, after which nothing is copied
	w.after(3 * time.Second)
	w.tg.SetForum(false)
	w.tg.Post(outsider, 0, "no topics any more?")
	w.after(5 * time.Second)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.wantCommonChat("all is well", "no topics any more?", saysForumOff)
	w.tg.SetForum(true)
	w.wantTopic(thread, "hello")
	w.tg.Post(outsider, 0, "there they are")
	w.after(3 * time.Minute)
	w.wantReady(desk.Group)
}

// The numbers of messages in the old group are those of strangers' messages in the new one.
func TestFaultForumOffAfterAMoveRecallsNothingOfTheOldGroup(t *testing.T) {
	w := newWorld(t, generous)
	w.talk(7)
	w.tg.Say(7, "one")
	w.tg.Say(7, "two")
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.settle()
	w.tg.Post(outsider, 0, "here we are") // a proof of the new group, of the very second in which the last went into the old one
	w.settle()
	w.clock.Advance(time.Second)
	w.tg.SetForum(false)
	want := []string{"This group was upgraded and now has the id -1009876543210…", "here we are"}
	for i := range 20 {
		want = append(want, "team talk "+itoa(i))
		w.tg.Post(admin, 0, want[i+2])
	}
	w.after(3 * time.Minute)
	w.wantGeneral(append(want, saysForumOff)...)
	w.tg.SetForum(true)
	w.after(3 * time.Minute)
	w.wantNothingOwed()
	w.wantTopics()
}

// Who knows of no proof knows of nothing that was sent after it.
func TestFaultForumFoundOffWithoutAnyProofRecallsNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Say(7, "long ago")
	w.settle()
	w.byHand("DELETE FROM forum_proofs")
	w.restart()
	w.tg.SetForum(false)
	w.after(time.Minute)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.tg.SetForum(true)
	w.after(3 * time.Minute)
	w.wantTopic(thread, "hello", "long ago")
	w.wantDone("copyMessage", 2)
}

// It was owed in the old group, and is sent into the new one, from where it is recalled.
func TestFaultMessageOwedBeforeAMoveAndRecalledAfterItIsNotLost(t *testing.T) {
	w := newWorld(t, generous)
	w.talk(7)
	w.tg.Say(7, "precious")
	w.intake()
	w.tg.MigrateGroup(newGroup)
	w.settle()
	w.after(3 * time.Second)
	w.wantTopic(w.topicOf(7), "precious")
	w.tg.SetForum(false)
	w.tg.Post(admin, 0, "so, topics are off")
	w.after(2 * time.Minute)
	w.tg.SetForum(true)
	w.after(5 * time.Minute)
	w.wantTopic(w.topicOf(7), "precious")
	w.wantNothingOwed()
	if n := len(w.ledger(7)); n != 1 {
		t.Errorf("the ledger has %d rows of the new group, want 1", n)
	}
}

// An edited message stands where it stood: that its answer shows no topic says that topics are off, not that it is misplaced.
func TestFaultCardEditedWhileTopicsAreOffStays(t *testing.T) {
	w, thread := met(t)
	card := w.card(thread)
	w.after(2 * time.Minute)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna"})
	w.tg.Say(7, "it's me")
	w.settle()
	w.tg.SetForum(false)
	w.after(time.Minute)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.tg.SetForum(true)
	w.after(3 * time.Minute)
	if now := w.card(thread); now.ID != card.ID || !strings.HasPrefix(now.Text, "👤 Anna\n") {
		t.Errorf("the card was %d and is %d, showing %q", card.ID, now.ID, now.Text)
	}
	w.wantTopic(thread, "hello", "it's me")
	w.wantNothingOwed()
}

// Calls share commits with others. The take that brings the proof along runs twice when a neighbour spoils the first, and the second
// run must bring it along too.
func TestFaultProofIsOnDiskThoughANeighbourSpoiltTheCommit(t *testing.T) {
	w := newWorld(t, generous, calm)
	thread := w.talk(7)
	for range 1000 {
		w.after(2 * time.Second)
		w.tg.Post(outsider, thread, "a proof")
		w.tg.Say(7, "words")
		w.intake()
		id := w.owedOf("relay_to_topic").ID
		if !w.spoiling(id) {
			continue // they did not come into one commit, in this order
		}
		if got, want := w.column("SELECT proved_at FROM forum_proofs"), w.clock.Now().Format("2006-01-02T15:04:05.000Z"); got != want {
			t.Errorf("on disk is the proof of %s, want that of %s, by which the message went out", got, want)
		}
		return
	}
	t.Fatal("the two never shared a commit")
}

// spoiling sends what is owed while a change that fails waits behind the take of the call; false if it was not right behind it.
func (w *world) spoiling(id desk.CallID) (shared bool) {
	w.t.Helper()
	busy, free := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		once := sync.OnceFunc(func() { close(busy); <-free })
		w.db.Update(context.Background(), func(*db.Tx) error { once(); return nil })
	})
	<-busy
	all.Go(w.drain)
	for range 200 {
		runtime.Gosched()
	}
	all.Go(func() {
		w.db.Update(context.Background(), func(tx *db.Tx) error {
			row, _, _, err := tx.CallByID(id)
			shared = shared || row.State == db.Sending
			return errors.Join(err, errors.New("spoilt"))
		})
	})
	for range 200 {
		runtime.Gosched()
	}
	close(free)
	all.Wait()
	return shared
}
