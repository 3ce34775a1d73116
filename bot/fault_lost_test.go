package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, the row of lost answers: one story for each method that we use. Topic creation has its own file.

// lostOnce is what a lost answer does to a story that ends well all the same: nothing stays owed, and the call was made again.
func (w *world) lostOnce(method string, chat int64, story func()) {
	w.t.Helper()
	before := w.tried(method)
	w.tg.LostReply(emulator.Fault{Method: method, Chat: chat})
	story()
	w.after(20 * time.Second)
	if w.tried(method) < before+2 {
		w.t.Errorf("%s was not made again", method)
	}
	w.wantNothingOwed()
}

func TestFaultLostAnswerToACopyIntoTheTopicSendsItOnceMore(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.lostOnce("copyMessage", w.tg.Group(), func() { w.tg.Say(7, "question") })
	w.wantTopic(thread, "hello", "question", "question") // twice at most, never lost
	w.wantChat(7, "hello", "question")
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows, want one for each message", n)
	}
}

func TestFaultLostAnswerToACopyToThePersonSendsItOnceMore(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.lostOnce("copyMessage", 7, func() { w.tg.Post(admin, thread, "answer") })
	w.wantChat(7, "hello", "answer", "answer")
	w.wantTopic(thread, "hello", "answer")
}

func TestFaultCopyCutBeforeItWasCarriedOutArrivesOnce(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessage"})
	w.tg.Post(admin, thread, "answer")
	w.settle()
	if row := w.owedOf("relay_to_user"); row.Attempts != 1 || row.Doubts != 1 {
		t.Errorf("after a cut: %d attempts and %d doubts, want both counted", row.Attempts, row.Doubts)
	}
	w.after(2 * time.Second)
	w.wantChat(7, "hello", "answer")
}

func TestFaultTwoLostAnswersToAQuestionLeaveItUncertainAndThePersonIsAsked(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2})
	mine := w.tg.Say(7, "question")
	w.after(5 * time.Minute)
	w.wantTopic(thread, "hello", "question", "question") // and not a third time
	notice := w.message(w.tg.Chat(7), "Your message may not have reached the team")
	if notice.ReplyTo != mine {
		t.Errorf("the notice replies to %d, want %d", notice.ReplyTo, mine)
	}
	if got := w.pressAgain(7, 7, notice); got != "Trying again…" {
		t.Errorf("the press is answered with %q", got)
	}
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "question", "question", "question")
	w.wantChat(7, "hello", "question", "This message has now been delivered.")
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows, want 2", n)
	}
}

func TestFaultTwoLostAnswersToAnAnswerLeaveItUncertainAndTheAdminIsTold(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: 7, Count: 2})
	post := w.tg.Post(admin, thread, "answer")
	w.after(5 * time.Minute)
	w.wantChat(7, "hello", "answer", "answer")
	notice := w.message(w.tg.Topic(thread), "This may not have arrived")
	if notice.ReplyTo != post {
		t.Errorf("the notice replies to %d, want %d", notice.ReplyTo, post)
	}
	w.pressAgain(admin, w.tg.Group(), notice)
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "answer", "answer", "answer")
	w.wantTopic(thread, "hello", "answer", "This message has now been delivered.")
}

// A further try in doubt ends in the same notice, not in a second one.
func TestFaultUncertainTwiceOverStaysOneNotice(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.LostReply(emulator.Fault{Method: "copyMessage", Chat: 7, Count: 4})
	w.tg.Post(admin, thread, "answer")
	w.after(time.Minute)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.Topic(thread), "This may not have arrived"))
	w.after(time.Minute)
	w.pressAgain(admin, w.tg.Group(), w.message(w.tg.Topic(thread), "This may not have arrived"))
	w.after(time.Minute)
	w.wantTopic(thread, "hello", "answer", "This message has now been delivered.")
}

func TestFaultLostAnswerToACardStillBringsTheMessageOnce(t *testing.T) {
	w := newWorld(t)
	w.lostOnce("sendMessage", w.tg.Group(), func() { w.tg.Say(7, "hello") })
	var said []string
	for _, m := range w.topicTexts(w.thread("User 7")) {
		if !strings.HasPrefix(m, "👤") { // the card that nobody knows of
			said = append(said, m)
		}
	}
	wantTexts(t, "the topic beside its cards", said, []string{"hello"})
	w.wantDone("createForumTopic", 1)
	w.card(w.thread("User 7"))
}

func TestFaultLostAnswerToANoticeIsSimplyRepeated(t *testing.T) {
	w := newWorld(t)
	w.lostOnce("sendMessage", 7, func() { w.tg.Say(7, "/start") })
	for _, m := range w.chatTexts(7)[1:] {
		if !strings.HasPrefix(m, "Hello!") {
			t.Errorf("the person reads %q", m)
		}
	}
}

func TestFaultLostAnswerToAReopeningIsRepeatedAndTheMessageStandsOnce(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.CloseTopic(admin, thread)
	w.settle()
	w.tg.Say(7, "once more")
	w.intake()
	w.tg.LostReply(emulator.Fault{Method: "reopenForumTopic"})
	w.drain()
	w.tg.TakeUpdates() // the service message of the reopening is late
	w.clock.Advance(2 * time.Second)
	w.drain()
	w.wantTried("reopenForumTopic", 2)
	w.wantTopic(thread, "hello", "once more")
	if w.tg.Topics()[0].Closed {
		t.Error("the topic is closed")
	}
}

func TestFaultLostAnswersToAnotherNameAreRepeatedAndNotModifiedIsSuccess(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.lostOnce("editForumTopic", 0, func() {
		w.tg.LostReply(emulator.Fault{Method: "editMessageText"})
		w.tg.Know(emulator.Person{ID: 7, FirstName: "Ada"})
		w.tg.Say(7, "new name")
	})
	w.wantTopic(thread, "hello", "new name")
	w.wantTried("editMessageText", 2)
	if name := w.tg.Topics()[0].Name; name != "Ada" {
		t.Errorf("the topic is called %q", name)
	}
	if w.sent("rename_topic") != 1 || w.sent("refresh_card") != 1 {
		t.Errorf("%d renames and %d card edits count as sent, want one each", w.sent("rename_topic"), w.sent("refresh_card"))
	}
}

func TestFaultLostAnswerToAPinIsRepeatedAndLeavesNoNotice(t *testing.T) {
	w := newWorld(t)
	w.lostOnce("pinChatMessage", 0, func() { w.tg.Say(7, "hello") })
	thread := w.thread("User 7")
	w.card(thread)
	for _, m := range w.tg.Topic(thread) {
		if m.Service == "pinned_message" {
			t.Error("Telegram's notice of the pin is still there")
		}
	}
}

func TestFaultLostAnswerToADeletionIsRepeatedAndEnds(t *testing.T) {
	w := newWorld(t)
	w.lostOnce("deleteMessage", 0, func() { w.tg.Say(7, "hello") }) // of the notice of the pin
	w.wantTopic(w.thread("User 7"), "hello")
}

func TestFaultLostAnswerToTheRemovalOfAStrayTopicEnds(t *testing.T) {
	w := newWorld(t)
	w.tg.LostReply(emulator.Fault{Method: "createForumTopic"})
	w.tg.Say(7, "hello")
	w.intake()
	w.drain()
	late := w.tg.TakeUpdates()
	w.after(20 * time.Second)
	w.lostOnce("deleteForumTopic", 0, func() { w.deliver(late...) })
	w.wantTopic(w.thread("User 7"), "hello")
}

func TestFaultLostAnswerToAPressIsNotRepeated(t *testing.T) {
	w := newWorld(t)
	w.tg.LostReply(emulator.Fault{Method: "answerCallbackQuery"})
	w.tg.Press(7, 7, 1, "x")
	w.after(time.Minute)
	w.wantTried("answerCallbackQuery", 1)
	w.wantNothingOwed()
}

func TestFaultLostAnswerToAQuestionAboutTheGroupDelaysAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.after(15 * time.Second) // what we knew of the group is no proof any more
	before := w.tried("getChat")
	w.tg.LostReply(emulator.Fault{Method: "getChat", Count: 2})
	w.tg.Say(7, "still there?")
	w.settle()
	w.wantTried("getChat", before+1)
	w.wantTopic(thread, "hello")
	w.after(10 * time.Second)
	w.wantTried("getChat", before+3)
	w.wantTopic(thread, "hello", "still there?")
}

func TestFaultLostAnswerToGetMeDelaysAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessage"})
	w.tg.LostReply(emulator.Fault{Method: "getMe"})
	w.tg.Post(admin, thread, "answer")
	w.after(10 * time.Second)
	w.wantTried("getMe", 2)
	w.wantChat(7, "hello", "answer")
}

// Whatever is cut, a thing that was called often enough in vain ends, and its reader knows.
func TestFaultNoticeThatIsNeverAnsweredIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.tg.ResetBefore(emulator.Fault{Method: "sendMessage", Chat: 7, Count: -1})
	dbtest.Update(t, w.db, func(tx *db.Tx) error {
		_, err := tx.Meet(desk.Person{ID: 7, FirstName: "User 7"})
		return err
	})
	w.owe(desk.Say{To: desk.UserLane(7), Lines: []desk.Text{{Key: "welcome"}}})
	w.after(3 * time.Hour)
	w.wantTried("sendMessage", 8)
	w.wantNothingOwed()
}
