package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, the rows about topics: gone, closed, not modified.

const gone = "Bad Request: message thread not found"

func TestFaultDeletedTopicIsOpenedAgainForThatVeryMessage(t *testing.T) {
	w := newWorld(t)
	first := w.talk(7)
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "a good customer") })
	w.after(5 * time.Second)
	w.tg.DeleteTopic(first)
	w.tg.Say(7, "still there?")
	w.settle()
	second := w.thread("User 7")
	if second == first {
		t.Fatal("no new topic was made")
	}
	w.wantTopic(second, "still there?")
	if m := w.card(second); !strings.Contains(m.Text, "📝 a good customer") {
		t.Errorf("the note is not on the new card: %q", m.Text)
	}
	w.wantDone("createForumTopic", 2)
	w.wantChat(7, "hello", "still there?")
	w.wantNothingOwed()
}

func TestFaultSeveralMessagesIntoADeletedTopicOpenOneAndKeepTheirOrder(t *testing.T) {
	w := newWorld(t)
	w.tg.DeleteTopic(w.talk(7))
	for _, said := range []string{"one", "two", "three"} {
		w.tg.Say(7, said)
	}
	w.settle()
	w.wantTopic(w.thread("User 7"), "one", "two", "three")
	w.wantDone("createForumTopic", 2)
}

// Every text by which Telegram says so.
func TestFaultEveryWordForAGoneTopicOpensAnother(t *testing.T) {
	for _, said := range []string{gone, "Bad Request: TOPIC_DELETED", "Bad Request: TOPIC_ID_INVALID"} {
		t.Run(said, func(t *testing.T) {
			w := newWorld(t)
			first := w.talk(7)
			w.tg.Refuse(emulator.Fault{Method: "copyMessage"}, 400, said)
			w.tg.Say(7, "again")
			w.settle()
			if w.topicOf(7) == first {
				t.Fatal("the binding stays")
			}
			w.wantTopic(w.topicOf(7), "again")
		})
	}
}

func TestFaultTopicDeletedWhileItWasClosedIsOpenedAgain(t *testing.T) {
	w := newWorld(t)
	first := w.talk(7)
	w.tg.CloseTopic(admin, first)
	w.settle()
	w.tg.DeleteTopic(first)
	w.tg.Say(7, "still there?")
	w.settle()
	w.wantTopic(w.thread("User 7"), "still there?")
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows, want 2", n)
	}
}

func TestFaultTopicDeletedBeforeItsCardIsOpenedAgain(t *testing.T) {
	w := newWorld(t)
	w.tg.Refuse(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()}, 400, gone)
	w.tg.Say(7, "hello")
	w.settle()
	w.wantTopic(w.topicOf(7), "hello")
	w.card(w.topicOf(7))
}

func TestFaultOtherCallsIntoAGoneTopicAreDropped(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.DeleteTopic(thread)
	w.owe(desk.RefreshCard{User: 7}, desk.PinCard{User: 7}, desk.Say{To: desk.TopicLane(7), Lines: []desk.Text{{Key: "unknown_command"}}},
		desk.DeleteMessage{From: desk.TopicLane(7), Message: 3})
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Ada"})
	dbtest.Update(t, w.db, func(tx *db.Tx) error {
		_, err := tx.Meet(desk.Person{ID: 7, FirstName: "Ada"})
		return err
	})
	w.owe(desk.RenameTopic{User: 7})
	w.after(time.Minute)
	w.wantNothingOwed()
	w.wantDone("createForumTopic", 1)
	w.wantGeneral()
}

func TestFaultFailureNoticeOfAGoneTopicIsSaidInGeneral(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Block(7)
	w.tg.Post(admin, thread, "are you there?")
	w.intake()
	w.tg.Refuse(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()}, 400, gone)
	w.settle()
	w.wantGeneral("About a message to User 7 (7):\nNot delivered: this person has blocked the bot.")
	w.tg.Unblock(7)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.General(), "About a message"))
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "are you there?")
	w.wantGeneral("This message has now been delivered.")
}

func TestFaultTopicGoneTwiceIsToldAndNoThirdIsMade(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2}, 400, gone)
	mine := w.tg.Say(7, "again")
	w.after(time.Minute)
	w.wantDone("createForumTopic", 2)
	w.wantGeneral("The topic of User 7 (7) vanished twice while a message was on its way into it…")
	if m := w.message(w.tg.Chat(7), "Sorry, your message could not be delivered"); m.ReplyTo != mine {
		t.Errorf("the person's notice replies to %d, want %d", m.ReplyTo, mine)
	}
	w.wantNothingOwed()
}

func TestFaultMessageWhoseTopicVanishedTwiceCanBeTriedAgainFromGeneral(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2}, 400, gone)
	w.tg.Say(7, "again")
	w.settle()
	if got := w.pressAgain(admin, w.tg.Group(), w.message(w.tg.General(), "The topic of User 7")); got != "Trying again…" {
		t.Errorf("the press is answered with %q", got)
	}
	w.after(5 * time.Second)
	w.wantTopic(w.topicOf(7), "again")
	w.wantGeneral("This message has now been delivered.")
}

// crowd is a world with a topic for each of n people, and no limit in the group.
func crowd(t *testing.T, n int) (w *world, threads []int) {
	t.Helper()
	w = newWorld(t, generous)
	for user := range n {
		threads = append(threads, w.talk(int64(1001+user)))
	}
	return w, threads
}

func TestFaultMoreThanTenVanishedTopicsInAMinuteStopEverythingIntoTopics(t *testing.T) {
	w, threads := crowd(t, 13)
	for i, thread := range threads[:12] {
		w.tg.DeleteTopic(thread)
		w.tg.Say(int64(1001+i), "where am I?")
		w.settle()
	}
	w.wantDone("createForumTopic", 13+10)
	w.wantNotReady(desk.Group, "more than ten topics vanished")
	w.wantGeneral("⚠️ More than ten topics vanished within a minute…")
	w.tg.Say(1013, "me too")
	w.tg.Post(admin, threads[12], "people are written to all the same")
	w.after(2 * time.Hour)
	w.wantTopic(threads[12], "hello", "people are written to all the same")
	w.wantChat(1013, "hello", "me too", "people are written to all the same")
	w.wantGeneral("⚠️ More than ten topics vanished within a minute…")
	w.restart()
	w.settle()
	w.wantTopic(threads[12], "hello", "people are written to all the same", "me too")
	w.wantTopic(w.topicOf(1011), "where am I?")
	w.wantTopic(w.topicOf(1012), "where am I?")
}

func TestFaultTenVanishedTopicsInAMinuteOrManyOverHoursStopNothing(t *testing.T) {
	w, threads := crowd(t, 15)
	for i, thread := range threads {
		if i == 10 {
			w.after(62 * time.Second)
		}
		w.tg.DeleteTopic(thread)
		w.tg.Say(int64(1001+i), "where am I?")
		w.settle()
		w.wantTopic(w.topicOf(int64(1001+i)), "where am I?")
	}
	w.wantReady(desk.Group)
	w.wantGeneral()
}

// The eleventh is found by something that binds no new topic: it is told all the same.
func TestFaultTeamIsToldWhicheverCallFindsTheEleventhVanishedTopic(t *testing.T) {
	w, threads := crowd(t, 11)
	for i, thread := range threads {
		w.tg.DeleteTopic(thread)
		if i < 10 {
			w.tg.Say(int64(1001+i), "where am I?")
			w.settle()
		}
	}
	w.owe(desk.Say{To: desk.TopicLane(1011), Lines: []desk.Text{{Key: "unknown_command"}}})
	w.settle()
	w.wantNotReady(desk.Group, "more than ten topics vanished")
	w.wantGeneral("⚠️ More than ten topics vanished within a minute…")
}

func TestFaultClosingThatNobodyToldOfIsUndoneAndTheMessageSentOnce(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.CloseTopic(admin, thread)
	w.tg.TakeUpdates() // lost
	w.tg.Say(7, "one more thing")
	w.settle()
	w.wantTopic(thread, "hello", "one more thing")
	w.wantDone("reopenForumTopic", 1)
	if w.tg.Topics()[0].Closed || w.binding(7).Closed {
		t.Error("the topic is still closed")
	}
	w.wantNothingOwed()
}

func TestFaultTopicClosedOverAndOverIsReopenedOnce(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.CloseTopic(admin, thread)
	w.tg.TakeUpdates()
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2}, 400, "Bad Request: TOPIC_CLOSED")
	mine := w.tg.Say(7, "one more thing")
	w.after(10 * time.Minute)
	w.wantDone("reopenForumTopic", 1)
	if n := w.triedIn("copyMessage", w.tg.Group()); n != 3 {
		t.Errorf("%d copies were tried, want the first, and twice this one", n)
	}
	if m := w.message(w.tg.Chat(7), "Sorry, your message could not be delivered"); m.ReplyTo != mine {
		t.Errorf("the notice replies to %d, want %d", m.ReplyTo, mine)
	}
}

func TestFaultNotModifiedOfAnyKindIsSuccess(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.owe(desk.RefreshCard{User: 7}) // nothing about it changed
	w.settle()
	w.tg.RenameTopic(admin, thread, "Ada")
	w.tg.TakeUpdates() // we do not know that it is called so already
	dbtest.Update(t, w.db, func(tx *db.Tx) error {
		_, err := tx.Meet(desk.Person{ID: 7, FirstName: "Ada"})
		return err
	})
	w.owe(desk.RenameTopic{User: 7})
	w.settle()
	if w.sent("refresh_card") != 1 || w.sent("rename_topic") != 1 {
		t.Errorf("%d card edits and %d renames are settled as sent, want one each", w.sent("refresh_card"), w.sent("rename_topic"))
	}
	if title := w.binding(7).Title; title != "Ada" {
		t.Errorf("we believe that the topic is called %q", title)
	}
	for _, c := range w.tg.Calls() {
		if c.Status == 400 && !strings.Contains(strings.ToLower(c.Description), "not modified") && !strings.Contains(c.Description, "NOT_MODIFIED") {
			t.Errorf("%s was refused: %s", c.Method, c.Description)
		}
	}
}

// The thread of General is 1 at Telegram and refused; 0 and what is below would land there too.
func TestFaultThreadNotAboveOneNeverReachesTelegram(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	before := w.tried("sendMessage")
	for _, thread := range []desk.ThreadID{-5, 0, 1} {
		w.owe(desk.Say{To: desk.ThreadLane(thread), Lines: []desk.Text{{Key: "no_person"}}})
	}
	w.owe(desk.Say{To: desk.TopicLane(99), Lines: []desk.Text{{Key: "no_person"}}}) // has no topic
	w.settle()
	w.wantTried("sendMessage", before)
	w.wantNothingOwed()
	threads := func(c emulator.Call) bool {
		return c.Params["message_thread_id"] == "1" || c.Params["message_thread_id"] == "0"
	}
	if slices.ContainsFunc(w.tg.Calls(), threads) {
		t.Error("a call carried the thread id of General")
	}
}

// The message is down one fallback when its topic vanishes: the new one begins with its card all the same, and with the first way of
// carrying a message.
func TestFaultFallbackIntoAVanishedTopicMakesTheNewOneWithItsCard(t *testing.T) {
	w := newWorld(t, generous, calm)
	first := w.talk(7)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage"}, 400, "Bad Request: the message can't be copied")
	arrived, release := w.tg.Hold(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()})
	w.tg.Say(7, "still there?")
	w.intake()
	ended := w.draining()
	w.await(arrived, "the message sent anew")
	w.tg.DeleteTopic(first)
	release(true)
	w.await(ended, "the end of the call")
	w.settle()
	second := w.topicOf(7)
	if second == first {
		t.Fatal("no new topic was made")
	}
	w.wantTopic(second, "still there?")
	if messages := w.tg.Topic(second); !w.card(second).Pinned || messages[len(messages)-1].Text != "still there?" {
		t.Errorf("the new topic shows %+v", messages)
	}
	w.wantNothingOwed()
}

// A group in which a topic is gone whenever it is open and closed whenever it is there takes the message's tries, not all of time.
func TestFaultTopicGoneAndClosedByTurnsEndsAfterTheTries(t *testing.T) {
	w := newWorld(t, generous)
	w.talk(7)
	for range 50 {
		w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 400, gone)
		w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 400, "Bad Request: TOPIC_CLOSED")
	}
	before := w.tried("copyMessage")
	w.tg.Say(7, "anybody?")
	w.after(time.Minute)
	if n := w.tried("copyMessage") - before; n > 8 {
		t.Errorf("one message was tried %d times, want 8 at most", n)
	}
	w.wantChat(7, "hello", "anybody?", "Sorry, your message could not be delivered…")
	w.wantNothingOwed()
}
