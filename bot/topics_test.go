package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// E2, D29: the title and the card follow the person's name, and nothing else of theirs changes.
func TestTopicFollowsARenamedPerson(t *testing.T) {
	w, thread := met(t)
	w.after(time.Hour)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna", LastName: "Lee", Username: "anna"})
	w.tg.ResetCalls()
	w.tg.Say(7, "it's me")
	w.after(5 * time.Second)
	if got := w.thread("Anna"); got != thread {
		t.Fatalf("Anna has topic %d", got)
	}
	w.wantCard(thread, "👤 Anna Lee (@anna)", "ID: 7", "Language: –", "First contact: 2026-01-02 03:04 UTC", "Not verified")
	if w.count("pinChatMessage") != 0 || w.count("editForumTopic") != 1 || w.count("editMessageText") != 1 {
		t.Errorf("the group was called: %q", w.intoGroup())
	}
	w.wantTopic(thread, "hello", "it's me")
}

// Only what the title is made of changes it.
func TestAnotherLastNameChangesTheCardOnly(t *testing.T) {
	w, thread := met(t)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "User 7", LastName: "Lee"})
	w.tg.Say(7, "hi")
	w.after(5 * time.Second)
	if n := w.count("editForumTopic"); n != 0 {
		t.Errorf("the topic was renamed %d times", n)
	}
	if got := w.card(thread).Text; !strings.HasPrefix(got, "👤 User 7 Lee\n") {
		t.Errorf("the card shows %q", got)
	}
}

// The language stands on the card as well: it follows.
func TestAnotherLanguageChangesTheCard(t *testing.T) {
	w, thread := met(t)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "User 7", LanguageCode: "fr"})
	w.tg.Say(7, "bonjour")
	w.after(5 * time.Second)
	if got := w.card(thread).Text; !strings.Contains(got, "\nLanguage: fr\n") {
		t.Errorf("the card shows %q", got)
	}
}

// Who changes their name all the time costs the group one title and one card a minute at most, and the last name stands in the end.
func TestTitleAndCardFollowAtMostOnceAMinute(t *testing.T) {
	w, thread := met(t)
	w.after(minute)
	w.tg.ResetCalls()
	for i, name := range []string{"A", "B", "C", "D", "E", "F"} {
		w.tg.Know(emulator.Person{ID: 7, FirstName: name})
		w.tg.Say(7, name)
		w.after(8 * time.Second)
		if i == 0 && w.thread("A") != thread {
			t.Fatal("the first name did not come")
		}
	}
	if n := w.count("editForumTopic"); n != 1 {
		t.Errorf("%d titles within a minute", n)
	}
	if n := w.count("editMessageText"); n != 1 {
		t.Errorf("%d edits of the card within a minute", n)
	}
	w.after(2 * minute)
	if w.thread("F") != thread || !strings.HasPrefix(w.card(thread).Text, "👤 F\n") {
		t.Errorf("in the end the card shows %q", w.card(thread).Text)
	}
}

// A title that the team chose stays; the card follows all the same.
func TestATitleOfTheTeamIsLeftAlone(t *testing.T) {
	w, thread := met(t)
	w.tg.RenameTopic(admin, thread, "VIP Ann")
	w.settle()
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna"})
	w.tg.Say(7, "it's me")
	w.after(5 * minute)
	if got := w.thread("VIP Ann"); got != thread {
		t.Fatal("the title went")
	}
	if got := w.card(thread).Text; !strings.HasPrefix(got, "👤 Anna\n") {
		t.Errorf("the card shows %q", got)
	}
}

// Our own renaming comes back as an update and is not taken for the team's.
func TestOurOwnRenamingIsNotTheTeams(t *testing.T) {
	w, thread := met(t)
	for _, name := range []string{"Anna", "Hanna"} {
		w.tg.Know(emulator.Person{ID: 7, FirstName: name})
		w.tg.Say(7, "I am "+name)
		w.after(2 * minute)
		if w.thread(name) != thread {
			t.Fatalf("the topic is not called %s", name)
		}
	}
}

// A person who renames themselves while the topic is gone gets a new one of the new name.
func TestARenamedPersonWithoutTopicGetsTheNewName(t *testing.T) {
	w, thread := met(t)
	w.tg.DeleteTopic(thread)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna"})
	w.tg.Say(7, "it's me")
	w.after(2 * minute)
	w.wantTopic(w.thread("Anna"), "it's me")
}

// G1: closing and reopening is noted; closing twice keeps the first time; nothing is relayed and nobody is told.
func TestClosingByHandIsNoted(t *testing.T) {
	w, thread := met(t)
	closedAt := func() string {
		return w.column("SELECT status || ' ' || COALESCE(closed_at, 'never') FROM topics WHERE user_id = 7")
	}
	w.tg.CloseTopic(admin, thread)
	w.settle()
	first := closedAt()
	if first != "closed 2026-01-02T03:04:05.000Z" {
		t.Fatalf("noted: %s", first)
	}
	w.after(time.Hour)
	w.handle(`{"update_id":900001,"message":{"message_id":90,"date":1767326645,"chat":{"id":-1001234567890,"type":"supergroup","is_forum":true},` +
		`"from":{"id":100,"first_name":"B"},"message_thread_id":` + itoa(thread) + `,"is_topic_message":true,"forum_topic_closed":{}}}`)
	if again := closedAt(); again != first {
		t.Errorf("closed again: %s", again)
	}
	w.tg.ReopenTopic(admin, thread)
	w.settle()
	if got := closedAt(); got != "open never" {
		t.Errorf("reopened: %s", got)
	}
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// G2: an unknown topic has no effect.
func TestClosingAForeignTopicDoesNothing(t *testing.T) {
	w, thread := met(t)
	foreign := w.tg.OpenTopic(admin, "Plans")
	w.tg.CloseTopic(admin, foreign)
	w.tg.ReopenTopic(admin, foreign)
	w.tg.CloseTopic(admin, 0)
	w.settle()
	if w.binding(7).Closed || w.topicOf(7) != thread {
		t.Errorf("the topic of 7 is %+v", w.binding(7))
	}
}

// E3, G6: who writes again opens their topic: the same thread, the same card, no second pin; the archived are active again.
func TestAReturningPersonReopensTheTopic(t *testing.T) {
	w, thread := met(t)
	w.tg.CloseTopic(admin, thread)
	w.settle()
	w.byHand("UPDATE users SET status = 'deleted'")
	card := w.card(thread).ID
	w.tg.ResetCalls()
	w.tg.Say(7, "I am back")
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "I am back")
	if w.tg.Topics()[0].Closed || w.binding(7).Closed || w.card(thread).ID != card {
		t.Errorf("topic %+v, binding %+v", w.tg.Topics()[0], w.binding(7))
	}
	if u, _ := w.user(7); u.Archived {
		t.Error("the person is still archived")
	}
	if w.count("reopenForumTopic") != 1 || w.count("pinChatMessage") != 0 || w.count("sendMessage") != 0 {
		t.Errorf("the group was called: %q", w.intoGroup())
	}
}

// G5: the topic of an archived person is gone when they come back.
func TestAnArchivedPersonWhoseTopicIsGoneGetsAnother(t *testing.T) {
	w, thread := met(t)
	w.tg.CloseTopic(admin, thread)
	w.settle()
	w.byHand("UPDATE users SET status = 'deleted'")
	w.byHand("UPDATE topics SET note = 'pays late'")
	w.tg.DeleteTopic(thread)
	w.tg.Say(7, "I am back")
	w.settle()
	if u, _ := w.user(7); u.Archived || w.topicOf(7) == thread {
		t.Errorf("archived %v, thread %d", u.Archived, w.topicOf(7))
	}
	w.wantTopic(w.topicOf(7), "I am back")
	if got := w.card(w.topicOf(7)).Text; !strings.HasSuffix(got, "📝 pays late") {
		t.Errorf("the note is not on the card: %q", got)
	}
}

// the product rules: natively reopening the topic of an archived person sets them active.
func TestReopeningByHandEndsTheArchive(t *testing.T) {
	w, thread := met(t)
	w.byHand("UPDATE users SET status = 'deleted', is_verified = 1")
	w.tg.CloseTopic(admin, thread)
	w.settle()
	w.tg.ReopenTopic(admin, thread)
	w.after(5 * time.Second)
	if u, _ := w.user(7); u.Archived {
		t.Error("still archived")
	}
	if got := w.card(thread).Text; !strings.HasSuffix(got, "✅ Verified") {
		t.Errorf("the card shows %q", got)
	}
	w.tg.Post(admin, thread, "welcome back")
	w.settle()
	w.wantChat(7, "hello", "welcome back")
}

// An admin who writes in a closed topic is told how to go on, under the message if Telegram takes it there, else in General.
func TestAnAdminInAClosedTopicIsToldHowToReopenIt(t *testing.T) {
	w, thread := met(t, likeTelegram)
	w.tg.CloseTopic(admin, thread)
	msg := w.tg.Post(admin, thread, "one more thing")
	w.settle()
	w.wantTopic(thread, "hello", "one more thing", saysClosed)
	if got := last(t, w.tg.Topic(thread)).ReplyTo; got != msg {
		t.Errorf("it replies to %d", got)
	}
	w.wantChat(7, "hello")
	w.tg.ReopenTopic(admin, thread)
	w.tg.Post(admin, thread, "now")
	w.settle()
	w.wantChat(7, "hello", "now")
}

func TestWhatCannotBeSaidInAClosedTopicIsSaidInGeneral(t *testing.T) {
	w, thread := met(t)
	w.tg.CloseTopic(admin, thread)
	w.tg.Post(admin, thread, "one more thing")
	w.settle()
	w.wantTopic(thread, "hello", "one more thing")
	w.wantGeneral("About a message to User 7 (7):\n" + saysClosed)
	w.wantChat(7, "hello")
}

// G10: /start in an open topic asks nothing of the group.
func TestStartDoesNotProbeTheTopic(t *testing.T) {
	w, thread := met(t)
	w.after(2 * minute)
	w.tg.DeleteTopic(thread)
	w.tg.ResetCalls()
	w.tg.Say(7, "/start")
	w.settle()
	if calls := w.intoGroup(); len(calls) != 0 || w.topicOf(7) != thread {
		t.Errorf("the group was called: %q; the topic is %d", calls, w.topicOf(7))
	}
	w.wantChat(7, "hello", "/start", saysWelcome)
}

// A topic is for life: another message, another day, after a restart, it is the same one.
func TestOneTopicForLife(t *testing.T) {
	w, thread := met(t)
	for range 3 {
		w.restart()
		w.after(20 * time.Hour)
		w.tg.Say(7, "me again")
		w.settle()
	}
	w.wantTopic(thread, "hello", "me again", "me again", "me again")
	if n := len(w.tg.Topics()); n != 1 {
		t.Errorf("%d topics", n)
	}
}

// G4: a topic closed while a message is on its way is opened for it, once, and nobody is told of any trouble.
func TestATopicClosedUnderAMessageIsReopened(t *testing.T) {
	w, thread := met(t)
	w.tg.Say(7, "one more thing")
	w.intake()
	w.tg.CloseTopic(admin, thread)
	w.box.Drain(context.Background()) // before the closing is told
	w.settle()
	w.wantTopic(thread, "hello", "one more thing")
	w.wantChat(7, "hello", "one more thing")
	if n := w.count("reopenForumTopic"); n != 1 || w.binding(7).Closed || w.tg.Topics()[0].Closed {
		t.Errorf("reopened %d times; %+v", n, w.binding(7))
	}
	if n := len(w.ledger(7)); n != 2 {
		t.Errorf("the ledger has %d rows", n)
	}
}

// A name that changes while Telegram is told the one before is followed as well.
func TestARenameWhileTheTitleIsEditedIsFollowed(t *testing.T) {
	w, thread := met(t, calm)
	w.after(2 * minute)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna"})
	w.tg.Say(7, "I am Anna")
	w.settle()
	arrived, release := w.tg.Hold(emulator.Fault{Method: "editForumTopic"})
	w.clock.Advance(4 * time.Second)
	ended := w.draining()
	w.await(arrived, "the edit of the title")
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Berta"})
	w.tg.Say(7, "no, Berta")
	w.intake()
	release(true)
	w.await(ended, "the end of the edit")
	w.after(5 * minute)
	if w.thread("Berta") != thread {
		t.Errorf("the topics are %+v", w.tg.Topics())
	}
}

// So is one that changes while the topic is being made, or looked for.
func TestARenameWhileTheTopicIsMadeIsFollowed(t *testing.T) {
	for name, answered := range map[string]bool{"the answer comes": true, "the answer is lost": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, calm)
			w.tg.Know(emulator.Person{ID: 7, FirstName: "Anna"})
			arrived, release := w.tg.HoldAnswer(creation)
			w.tg.Say(7, "I am Anna")
			w.intake()
			ended := w.draining()
			w.await(arrived, "the creation")
			news := w.tg.TakeUpdates()
			w.tg.Know(emulator.Person{ID: 7, FirstName: "Berta"})
			w.tg.Say(7, "no, Berta")
			w.intake()
			release(answered)
			w.await(ended, "the end of the creation")
			w.after(10 * time.Second) // the edit of the title is due, and there is no topic yet where the answer was lost
			w.deliver(news...)
			w.after(5 * minute)
			w.wantTopics("Berta")
			w.wantTopic(w.topicOf(7), "I am Anna", "no, Berta")
			if got := w.card(w.topicOf(7)).Text; !strings.HasPrefix(got, "👤 Berta\n") {
				t.Errorf("the card shows %q", got)
			}
		})
	}
}
