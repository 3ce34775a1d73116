package bot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

// The outbox as it runs: side by side, in order, by priority, to its end.

func TestFaultOneSlowChatDelaysNobodyElse(t *testing.T) {
	w, b, run := newRunning(t, generous)
	threads := make(map[int64]int)
	for user := int64(7); user < 12; user++ {
		threads[user] = w.talk(user)
	}
	arrived, release := w.tg.Hold(emulator.Fault{Method: "copyMessage", Chat: 7})
	w.tg.Post(admin, threads[7], "slow one")
	w.tg.Post(admin, threads[7], "slow two")
	w.intake()
	stop := run()
	w.await(arrived, "the slow call")
	for user := int64(8); user < 12; user++ {
		w.tg.Post(admin, threads[user], "for you")
	}
	w.tg.Say(7, "their own question goes on")
	w.intake()
	w.until(b, "all others have theirs", func() bool {
		return w.count("copyMessage") == 5+4+1
	})
	w.wantChat(7, "hello", "their own question goes on")
	if n := w.triedIn("copyMessage", 7); n != 0 {
		t.Errorf("%d calls to the slow chat ended although it holds", n)
	}
	release(true)
	w.until(b, "the slow chat has both", func() bool { return len(w.chatTexts(7)) == 4 })
	w.wantChat(7, "hello", "their own question goes on", "slow one", "slow two")
	stop()
}

func TestFaultSlowGroupDelaysNoAnswerToAPerson(t *testing.T) {
	w, b, run := newRunning(t)
	thread := w.talk(7)
	for user := int64(100_000); user < 100_100; user++ {
		w.tg.Say(user, "hello")
	}
	w.intake()
	arrived, release := w.tg.Hold(emulator.Fault{Chat: w.tg.Group(), Count: -1})
	stop := run()
	w.await(arrived, "the first call into the group")
	w.tg.Post(admin, thread, "an answer")
	query := w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.until(b, "the answer is there", func() bool { return len(w.chatTexts(7)) == 2 && len(w.tg.Answers(query)) == 1 })
	w.tg.Heal()
	release(true)
	stop()
}

func TestFaultOneConversationKeepsItsOrderSideBySideWithOthers(t *testing.T) {
	w, b, run := newRunning(t, generous, func(w *world) { w.rules.MaxMessagesPerMinute = 1000 })
	stop := run()
	const people, messages = 8, 25
	for i := range messages {
		for user := int64(7); user < 7+people; user++ {
			w.tg.Say(user, fmt.Sprint(i))
		}
		w.intake()
	}
	w.until(b, "everything is there", func() bool { return w.count("copyMessage") == people*messages && len(w.owed()) == 0 })
	stop()
	for user := int64(7); user < 7+people; user++ {
		for i, said := range w.topicTexts(w.topicOf(user)) {
			if said != fmt.Sprint(i) {
				t.Fatalf("person %d: %q", user, w.topicTexts(w.topicOf(user)))
			}
		}
	}
}

// orderOf are the methods tried in the group or at a person, in order.
func (w *world) orderOf(methods ...string) (order []string) {
	for _, c := range w.tg.Calls() {
		if slices.Contains(methods, c.Method) {
			order = append(order, c.Method)
		}
	}
	return order
}

func TestFaultMessagesGoBeforeNoticesAndNoticesBeforeCards(t *testing.T) {
	w := newWorld(t)
	one := w.talk(7)
	w.talk(8)
	var many []desk.Call
	for range 20 {
		many = append(many, desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{{Key: "help_head"}}})
	}
	w.owe(many...)
	w.settle()
	w.after(time.Minute) // enough for the 20, and then some
	w.owe(many...)
	w.settle() // the bucket is empty, and some are left over
	w.after(25 * time.Second)
	dbtest.Update(t, w.db, func(tx *db.Tx) error { return tx.SetRisk(8, true) })
	w.tg.ResetCalls()
	w.owe(desk.RefreshCard{User: 8}, desk.Say{To: desk.TopicLane(8), Lines: []desk.Text{{Key: "unknown_command"}}})
	w.tg.Say(7, "urgent")
	w.after(2 * time.Minute)
	order := w.orderOf("copyMessage", "sendMessage", "editMessageText")
	if len(order) < 3 || order[0] != "copyMessage" || order[len(order)-1] != "editMessageText" {
		t.Errorf("the order is %q, want the message first and the card last", order)
	}
	w.wantTopic(one, "hello", "urgent")
}

func TestFaultUpkeepThatWaitsItsMinuteHoldsUpNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Ada"})
	w.tg.Say(7, "one")
	w.after(5 * time.Second)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Eve"})
	w.tg.Say(7, "two")
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "one", "two")
	if row := w.owedOf("rename_topic"); !row.Due.After(w.clock.Now().Add(40 * time.Second)) {
		t.Errorf("the second rename within a minute is due at %s", row.Due)
	}
	w.owe(desk.RefreshCard{User: 7}) // of a command: at once, behind the title in its lane
	w.settle()
	w.wantDone("editMessageText", 2)
	w.wantDone("editForumTopic", 1)
	w.after(time.Minute)
	if name := w.tg.Topics()[0].Name; name != "Eve" {
		t.Errorf("the topic is called %q", name)
	}
}

func TestFaultMessageInBackOffHoldsUpLaterOnesOfItsConversation(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessage", Chat: 7})
	w.tg.Post(admin, thread, "one")
	w.tg.Post(admin, thread, "two")
	w.settle()
	w.wantChat(7, "hello")
	w.after(3 * time.Second)
	w.wantChat(7, "hello", "one", "two")
}

func TestFaultStopFinishesWhatIsUnderWayAndBeginsNothing(t *testing.T) {
	w, _, run := newRunning(t)
	thread := w.talk(7)
	arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: 7})
	w.tg.Post(admin, thread, "one")
	w.tg.Post(admin, thread, "two")
	w.intake()
	stop := run()
	w.await(arrived, "the call")
	stopped := make(chan struct{})
	go func() { defer close(stopped); stop() }()
	release(true)
	w.await(stopped, "the end")
	w.wantChat(7, "hello", "one")
	if len(w.sending()) != 0 {
		t.Error("a call was left in doubt although its answer came")
	}
	w.restart()
	w.settle()
	w.wantChat(7, "hello", "one", "two") // and nothing twice
}

func TestFaultStopWaitsAtMostEightSecondsForAnAnswer(t *testing.T) {
	t.Parallel() // it takes them
	w, _, run := newRunning(t)
	thread := w.talk(7)
	arrived, release := w.tg.Hold(emulator.Fault{Method: "copyMessage", Chat: 7})
	defer release(true)
	w.tg.Post(admin, thread, "one")
	w.intake()
	stop := run()
	w.await(arrived, "the call")
	begun := time.Now()
	stop()
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("the end took %s", took)
	}
	if row := w.owedOf("relay_to_user"); row.State != db.Owed || row.Doubts != 1 {
		t.Errorf("the call that was cut off is %s with %d doubts, want it owed and in doubt", row.State, row.Doubts)
	}
}

// A full disk does not keep the program from ending: what was sent is in doubt at the next start.
func TestFaultStopEndsEvenWhileASettleCannotCommit(t *testing.T) {
	t.Parallel() // it may take 8 s
	w, b, run := newRunning(t)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "one")
	w.intake()
	w.byHand(fullDisk)
	stop := run()
	w.until(b, "Telegram has it", func() bool { return len(w.chatTexts(7)) == 2 })
	defer w.byHand(freeDisk)
	stop()
}

// Who waited for a place in a slow group and got it otherwise must not keep the place from those who still wait.
func TestFaultPlaceInASlowGroupGoesToSomebodyWhoStillWaits(t *testing.T) {
	w, b, run := newRunning(t, generous, func(w *world) { w.tuned(func(o *outbox.Options) { o.Senders = 2 }) })
	for user := int64(7); user < 11; user++ {
		w.talk(user)
	}
	stop := run()
	looked := func() { // the outbox has looked at all that is owed
		query := w.tg.Press(7, 7, 1, "x")
		w.intake()
		w.until(b, "a press is answered", func() bool { return len(w.tg.Answers(query)) == 1 })
	}
	slow := emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}
	arrived, release := w.tg.Hold(slow)
	w.tg.Say(7, "slow")
	w.intake()
	w.await(arrived, "the slow copy")
	w.tg.Say(8, "waits")
	w.tg.Say(9, "waits too")
	looked()
	dbtest.Update(t, w.db, func(tx *db.Tx) error { tx.SawGroupChange(); return nil }) // all are looked at again
	looked()
	release(true)
	w.until(b, "all have it", func() bool { return w.count("copyMessage") == 7 })
	looked()

	arrived, release = w.tg.Hold(slow)
	w.tg.Say(7, "slow again")
	w.intake()
	w.await(arrived, "the slow copy")
	w.tg.Say(10, "next in line")
	looked()
	release(true)
	w.until(b, "the next has it", func() bool { return w.count("copyMessage") == 9 })
	stop()
}
