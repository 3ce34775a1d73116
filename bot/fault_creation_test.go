package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, topic creation: exactly once, whatever becomes of the answer.

var creation = emulator.Fault{Method: "createForumTopic"}

// lostCreation is a world in which person 7 wrote, the topic was made, and the answer to that was lost. What Telegram tells of the
// topic has not come in yet.
func lostCreation(t *testing.T, change ...func(*world)) (w *world, told [][]byte) {
	t.Helper()
	w = newWorld(t, change...)
	w.tg.LostReply(creation)
	w.tg.Say(7, "hello")
	w.intake()
	w.drain()
	return w, w.tg.TakeUpdates()
}

func (w *world) wantTopics(want ...string) {
	w.t.Helper()
	var got []string
	for _, topic := range w.tg.Topics() {
		if !topic.Deleted {
			got = append(got, topic.Name)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("the topics are %q, want %q", got, want)
	}
}

func TestFaultLostCreationIsAdoptedWhenTelegramTellsOfIt(t *testing.T) {
	w, told := lostCreation(t)
	w.after(10 * time.Second)
	w.wantDone("createForumTopic", 1)
	w.deliver(told...)
	w.settle()
	w.wantTopics("User 7")
	w.wantTopic(w.thread("User 7"), "hello")
	w.wantDone("createForumTopic", 1)
	w.card(w.thread("User 7"))
	w.wantNothingOwed()
}

func TestFaultTopicToldOfBeforeItsAnswerIsMadeOnce(t *testing.T) {
	for name, answered := range map[string]bool{"the answer comes": true, "the answer is lost": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, calm)
			w.tg.Say(7, "hello")
			w.intake()
			arrived, release := w.tg.HoldAnswer(creation)
			ended := make(chan struct{})
			go func() { defer close(ended); w.drain() }()
			w.await(arrived, "the creation")
			w.intake() // forum_topic_created, while the call is still under way
			release(answered)
			w.await(ended, "the end of the call")
			w.after(3 * time.Second)
			w.wantTopics("User 7")
			w.wantTopic(w.thread("User 7"), "hello")
			w.wantDone("createForumTopic", 1)
			w.wantNothingOwed()
		})
	}
}

func TestFaultLateTopicThatNobodyUsedIsRemoved(t *testing.T) {
	w, late := lostCreation(t)
	w.after(14 * time.Second)
	w.wantTried("createForumTopic", 1)
	w.wantTopics("User 7")
	w.after(5 * time.Second)
	w.wantTried("createForumTopic", 2)
	w.deliver(late...)
	w.after(14 * time.Second)
	w.wantTopics("User 7", "User 7") // somebody may have written in it whom we have not heard yet
	w.after(3 * time.Second)
	w.wantTopics("User 7")
	w.wantTopic(w.thread("User 7"), "hello")
	if !w.tg.Topics()[0].Deleted {
		t.Error("the one that was removed is not the late one")
	}
	w.wantNothingOwed()
}

func TestFaultLateTopicThatSomebodyUsedIsLeft(t *testing.T) {
	w, late := lostCreation(t)
	w.after(20 * time.Second)
	stray := w.tg.Topics()[0].Thread
	w.tg.Post(admin, stray, "what is this topic for?")
	w.deliver(append(late, w.tg.TakeUpdates()...)...)
	w.settle()
	w.wantTopics("User 7", "User 7")
	w.wantTopic(stray, "what is this topic for?", "No person belongs to this topic…")
	w.wantTopic(w.topicOf(7), "hello")
	w.wantDone("deleteForumTopic", 0)
}

// The removal is owed already when somebody writes into the topic: it looks once more before it goes.
func TestFaultLateTopicUsedJustBeforeItsRemovalIsLeft(t *testing.T) {
	w, late := lostCreation(t)
	w.after(20 * time.Second)
	stray := w.tg.Topics()[0].Thread
	w.deliver(late...)
	w.tg.Post(admin, stray, "// a note")
	w.intake()
	w.after(20 * time.Second)
	w.wantDone("deleteForumTopic", 0)
	w.wantNothingOwed()
}

// Who writes in a topic before we know whose it is takes it for passed on: each message is answered.
func TestFaultAnswerInATopicThatIsStillBeingMadeIsNotSilent(t *testing.T) {
	w, made := lostCreation(t)
	thread := w.tg.Topics()[0].Thread
	w.tg.Post(admin, thread, "hello, how can we help?")
	w.tg.Post(admin, thread, "are you there?")
	w.deliver(made...)
	w.intake()
	w.after(10 * time.Second)
	w.wantTopics("User 7")
	told := 0
	for _, m := range w.tg.Topic(thread) {
		if m.FromBot && m.ReplyTo != 0 && strings.HasPrefix(m.Text, "Not passed on: this topic is still being set up") {
			told++
		}
	}
	if told != 2 {
		t.Errorf("%d of 2 messages are answered: %q", told, w.topicTexts(thread))
	}
}

func TestFaultOldUnownedTopicOfTheSameNameIsNotAdopted(t *testing.T) {
	w, late := lostCreation(t)
	w.after(20 * time.Second)
	old := w.tg.Topics()[0].Thread
	w.tg.Post(admin, old, "team talk in a stray topic")
	w.deliver(append(late, w.tg.TakeUpdates()...)...)
	w.after(5 * time.Minute)
	w.tg.DeleteTopic(w.topicOf(7))
	w.tg.ResetBefore(creation) // not even made
	w.tg.Say(7, "again")
	w.after(time.Minute)
	if now := w.topicOf(7); now == old {
		t.Error("a topic that is older than the call was adopted")
	}
	w.wantTopic(w.topicOf(7), "again")
}

func TestFaultFifteenSecondsCountOnlyWhileUpdatesComeIn(t *testing.T) {
	w, told := lostCreation(t)
	w.ready.Fail(desk.Source, "polling fails")
	w.after(5 * time.Minute)
	w.wantTried("createForumTopic", 1)
	w.ready.Clear(desk.Source)
	w.after(10 * time.Second)
	w.wantTried("createForumTopic", 1)
	w.deliver(told...)
	w.settle()
	w.wantTopics("User 7")
	w.wantTopic(w.thread("User 7"), "hello")
	w.wantTried("createForumTopic", 1)
}

func TestFaultTopicNeverMadeIsMadeAfterFifteenSecondsOfRunningIntake(t *testing.T) {
	w := newWorld(t)
	w.tg.ResetBefore(creation)
	w.tg.Say(7, "hello")
	w.settle()
	w.ready.Fail(desk.Source, "polling fails")
	w.after(time.Minute)
	w.ready.Clear(desk.Source)
	w.after(13 * time.Second)
	w.wantTried("createForumTopic", 1)
	w.after(5 * time.Second)
	w.wantTried("createForumTopic", 2)
	w.wantTopic(w.thread("User 7"), "hello")
}

func TestFaultTwoPeopleOfOneNameAtOnceGetATopicEach(t *testing.T) {
	for _, told := range []string{"soon", "late"} {
		t.Run(told, func(t *testing.T) {
			w := newWorld(t)
			w.tg.Know(emulator.Person{ID: 7, FirstName: "Alex"})
			w.tg.Know(emulator.Person{ID: 8, FirstName: "Alex"})
			w.tg.LostReply(creation)
			w.tg.Say(7, "I am seven")
			w.tg.Say(8, "I am eight")
			w.intake()
			w.drain()
			news := w.tg.TakeUpdates()
			if told == "soon" {
				w.deliver(news...)
			}
			w.after(20 * time.Second)
			if told == "late" {
				w.deliver(news...)
			}
			w.after(40 * time.Second)
			w.wantTopics("Alex", "Alex")
			w.wantTopic(w.topicOf(7), "I am seven")
			w.wantTopic(w.topicOf(8), "I am eight")
			w.wantNothingOwed()
		})
	}
}

func TestFaultOneDoubtfulCreationHoldsUpItsOwnNameOnly(t *testing.T) {
	w := newWorld(t)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Alex"})
	w.tg.Know(emulator.Person{ID: 8, FirstName: "Alex"})
	w.tg.LostReply(creation)
	w.tg.Say(7, "seven")
	w.intake()
	w.drain()
	told := w.tg.TakeUpdates()
	w.tg.Say(8, "eight")
	w.tg.Say(9, "nine")
	w.after(5 * time.Second)
	w.wantTopic(w.thread("User 9"), "nine")
	w.wantTopics("Alex", "User 9")
	w.deliver(told...)
	w.after(5 * time.Second)
	w.wantTopics("Alex", "User 9", "Alex")
	w.wantTopic(w.topicOf(7), "seven")
	w.wantTopic(w.topicOf(8), "eight")
}

func TestFaultCreationsAreAskedOneAtATime(t *testing.T) {
	w, b, run := newRunning(t)
	arrived, release := w.tg.Hold(creation)
	for user := int64(7); user < 12; user++ {
		w.tg.Say(user, "hello")
	}
	w.intake()
	stop := run()
	w.await(arrived, "the first creation")
	query := w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.until(b, "the press is answered", func() bool { return len(w.tg.Answers(query)) == 1 })
	select {
	case <-arrived:
		t.Error("a second topic is asked for while the first is")
	default:
	}
	release(true)
	w.until(b, "all have a topic", func() bool { return w.count("copyMessage") == 5 })
	stop()
}

func TestFaultDoubtfulCreationIsAdoptedAfterARestart(t *testing.T) {
	w, told := lostCreation(t)
	w.restart()
	w.settle()
	w.wantTried("createForumTopic", 1)
	w.deliver(told...)
	w.after(3 * time.Second)
	w.wantTopics("User 7")
	w.wantTopic(w.thread("User 7"), "hello")
	w.wantTried("createForumTopic", 1)
}

func TestFaultCreationUnderWayWhenTheProgramDiedIsLookedForFirst(t *testing.T) {
	for name, made := range map[string]bool{"it was made": true, "it was not made": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, calm)
			w.tg.Say(7, "hello")
			w.intake()
			w.dieDuring(creation, made)
			w.after(14 * time.Second)
			w.wantTried("createForumTopic", 1)
			w.after(10 * time.Second)
			w.wantTopics("User 7")
			w.wantTopic(w.thread("User 7"), "hello")
			w.wantDone("createForumTopic", 1)
		})
	}
}

// The renamed person's topic shows up under the old name.
func TestFaultDoubtfulCreationSurvivesARename(t *testing.T) {
	w, told := lostCreation(t)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Ada"})
	w.tg.Say(7, "new name")
	w.after(5 * time.Second)
	w.deliver(told...)
	w.after(10 * time.Second)
	w.wantDone("createForumTopic", 1)
	w.wantTopic(w.topicOf(7), "hello", "new name")
}

// A row that cannot be read is all that is left of a creation the program died in: it will never be settled, and must not be waited for.
func TestFaultCreationLeftByACrashHoldsBackNobody(t *testing.T) {
	w := newWorld(t, calm)
	w.tg.Say(7, "hello")
	w.intake()
	arrived, release := w.tg.Hold(creation)
	ended := w.draining()
	w.await(arrived, "the creation")
	w.byHand(`UPDATE outbox SET payload = '[' WHERE state = 'sending'`)
	w.restart()
	release(false)
	w.await(ended, "the end of the old program")
	w.tg.Say(8, "me too")
	w.after(time.Minute)
	w.wantTopics("User 8")
	w.wantTopic(w.topicOf(8), "me too")
	w.tg.Say(7, "anybody?")
	w.after(time.Minute)
	w.wantTopic(w.topicOf(7), "anybody?")
	w.wantNothingOwed()
}

// topicTold is the update by which Telegram tells of a topic that the bot has made.
func (w *world) topicTold(update int64, thread int, name string) []byte {
	return fmt.Appendf(nil, `{"update_id":%d,"message":{"message_id":%d,"message_thread_id":%[2]d,"is_topic_message":true,"date":%d,`+
		`"chat":{"id":%d,"type":"supergroup","is_forum":true},"from":{"id":%d,"is_bot":true,"first_name":"Hodor"},`+
		`"forum_topic_created":{"name":%q,"icon_color":7322096}}}`,
		update, thread, w.clock.Now().Unix(), w.tg.Group(), w.tg.BotID(), name)
}

// What Telegram tells of the topic bears another name than was asked for, and comes before the answer.
func TestFaultTopicWhoseNameTelegramTidiedIsNotTakenForAStray(t *testing.T) {
	w, b, run := newRunning(t, generous)
	arrived, release := w.tg.HoldAnswer(creation)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "A\u200ebc"})
	w.tg.Say(7, "hello")
	w.intake()
	stop := run()
	w.await(arrived, "the creation")
	w.tg.TakeUpdates()
	thread := w.tg.Topics()[0].Thread
	w.deliver(w.topicTold(99999, thread, "A bc"))
	query := w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.until(b, "what is owed beside it is paid", func() bool { return len(w.tg.Answers(query)) == 1 })
	release(true)
	w.until(b, "the message is there", func() bool { return w.count("copyMessage") == 1 && len(w.owed()) == 0 })
	stop()
	w.after(time.Minute)
	w.wantDone("deleteForumTopic", 0)
	if w.topicOf(7) != thread {
		t.Errorf("the person has topic %d, and the one that was made is %d", w.topicOf(7), thread)
	}
	w.wantTopic(thread, "hello")
}

// While something is asked for, a topic that shows up is left alone, for it may be that one; afterwards it is nobody's.
func TestFaultStraySeenWhileATopicIsAskedForGoesAfterwards(t *testing.T) {
	w := newWorld(t, calm)
	arrived, release := w.tg.Hold(creation)
	w.tg.Say(7, "hello")
	w.intake()
	ended := w.draining()
	w.await(arrived, "the creation")
	stray := w.tg.OpenTopic(w.tg.BotID(), "Nobody")
	w.intake()
	w.wantTopics("Nobody")
	release(true)
	w.await(ended, "the end of the call")
	w.after(time.Minute)
	w.wantTopics("User 7")
	if w.topicOf(7) == stray {
		t.Error("the stray was given to the person")
	}
	w.wantTopic(w.topicOf(7), "hello")
	w.wantNothingOwed()
}

// Nobody will ever settle the creation of 7, and 8 bears the same name.
func TestFaultCreationLeftByACrashHoldsBackNobodyOfThatNameForEver(t *testing.T) {
	w := newWorld(t, calm)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Alex"})
	w.tg.Know(emulator.Person{ID: 8, FirstName: "Alex"})
	w.tg.Say(7, "hello")
	w.intake()
	arrived, release := w.tg.Hold(creation)
	ended := w.draining()
	w.await(arrived, "the creation")
	w.byHand(`UPDATE outbox SET payload = '[' WHERE state = 'sending'`)
	w.restart()
	release(false)
	w.await(ended, "the end of the old program")
	w.tg.Say(8, "me too")
	w.after(5 * time.Hour)
	w.wantTopics("Alex")
	w.wantNothingOwed()
}

// What was asked for is refused: nothing more is asked for, and the stray is nobody's.
func TestFaultStraySeenWhileARefusedTopicIsAskedForGoesAfterwards(t *testing.T) {
	w := newWorld(t, calm)
	arrived, release := w.tg.Hold(creation)
	w.tg.Refuse(creation, 400, "Bad Request: no")
	w.tg.Say(7, "hello")
	w.intake()
	ended := w.draining()
	w.await(arrived, "the creation")
	w.tg.OpenTopic(w.tg.BotID(), "Nobody")
	w.intake()
	release(true)
	w.await(ended, "the end of the call")
	w.after(time.Hour)
	w.wantTopics()
}
