package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Somebody answers what stands before their eyes although Telegram's own answer is still on its way to us: nobody knows yet which
// message that is. The reply waits until it is known; nobody else does.

// copyHeld lets a message be copied into a chat, while Telegram's answer is held.
func (w *world) copyHeld(chat int64) (settled <-chan struct{}, release func(bool)) {
	w.t.Helper()
	arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: chat})
	w.intake()
	settled = w.draining()
	w.await(arrived, "a copy")
	return settled, release
}

func TestAReplyToACopyThatIsNotSettledWaits(t *testing.T) {
	for name, toPerson := range map[string]bool{"of the person": true, "of an admin": false} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, calm, generous)
			other := w.talk(8)
			here := func() []emulator.Message { return w.tg.Chat(7) }
			there := func() []emulator.Message { return w.tg.Topic(thread) }
			chat, say := int64(7), func() { w.tg.Post(admin, thread, "the question") }
			reply := func(to int) { w.tg.Reply(7, to, "the reply") }
			if !toPerson {
				here, there = there, here
				chat, say = w.tg.Group(), func() { w.tg.Say(7, "the question") }
				reply = func(to int) { w.tg.PostReply(admin, thread, to, "the reply") }
			}
			say()
			settled, release := w.copyHeld(chat)
			reply(w.message(here(), "the question").ID)
			w.tg.Say(8, "from another")
			w.tg.Post(admin, other, "to another")
			w.settle()
			w.wantTopic(other, "hello", "to another", "from another")
			w.wantChat(8, "hello", "from another", "to another")
			if last(t, there()).Text == "the reply" {
				t.Fatal("the reply did not wait")
			}
			release(true)
			w.await(settled, "the settle")
			w.settle()
			w.wantAnswers(there(), "the reply", "the question")
			w.wantNothingOwed()
			w.wantNoRefusals()
		})
	}
}

// Both sides answer what the other has just got, and both copies are not settled.
func TestRepliesThatWaitForEachOtherBothArrive(t *testing.T) {
	for name, topicFirst := range map[string]bool{"the topic's answer first": true, "the person's answer first": false} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, calm)
			w.tg.Say(7, "from the person")
			intoTopic, releaseTopic := w.copyHeld(w.tg.Group())
			w.tg.Post(admin, thread, "from the team")
			toPerson, releasePerson := w.copyHeld(7)
			w.tg.Reply(7, w.message(w.tg.Chat(7), "from the team").ID, "the person's reply")
			w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "from the person").ID, "the team's reply")
			w.settle()
			w.wantTopic(thread, "hello", "from the person", "from the team", "the team's reply")
			w.wantChat(7, "hello", "from the person", "from the team", "the person's reply")
			if topicFirst {
				releaseTopic(true)
				w.await(intoTopic, "the topic's settle")
				w.settle()
				releasePerson(true)
			} else {
				releasePerson(true)
				w.await(toPerson, "the person's settle")
				w.settle()
				releaseTopic(true)
			}
			w.await(intoTopic, "the topic's settle")
			w.await(toPerson, "the person's settle")
			w.settle()
			w.wantAnswers(w.tg.Topic(thread), "the person's reply", "from the team")
			w.wantAnswers(w.tg.Chat(7), "the team's reply", "from the person")
			w.wantNothingOwed()
		})
	}
}

// A reply that waits does so in its place: what its writer says afterwards comes after it.
func TestAReplyThatWaitsKeepsItsPlace(t *testing.T) {
	w, thread := met(t, calm)
	w.tg.Post(admin, thread, "the question")
	settled, release := w.copyHeld(7)
	w.tg.Reply(7, w.message(w.tg.Chat(7), "the question").ID, "the reply")
	w.tg.Say(7, "and something else")
	w.settle()
	w.wantTopic(thread, "hello", "the question")
	release(true)
	w.await(settled, "the settle")
	w.settle()
	w.wantTopic(thread, "hello", "the question", "the reply", "and something else")
	w.wantAnswers(w.tg.Topic(thread), "the reply", "the question")
}

// Of a copy whose answer got lost nobody will ever know the number. Its reply arrives all the same.
func TestAReplyToACopyOfWhichTheAnswerIsLostArrivesAsAMessage(t *testing.T) {
	w, thread := met(t, calm)
	w.tg.Post(admin, thread, "the question")
	settled, release := w.copyHeld(7)
	w.tg.Reply(7, w.message(w.tg.Chat(7), "the question").ID, "the reply")
	w.settle()
	release(false)
	w.await(settled, "the settle")
	w.settle()
	w.wantPlain(w.tg.Topic(thread), "the reply")
	w.after(2 * time.Second)
	w.wantChat(7, "hello", "the question", "the reply", "the question")
	w.wantNothingOwed()
}

// An album that is not settled is waited for just as well, and an album that replies waits like a message.
func TestAnAlbumThatRepliesWaitsForAnAlbum(t *testing.T) {
	w, thread := met(t, calm)
	w.tg.PostAlbum(admin, thread, emulator.Photo("our first"), emulator.Photo("our second"))
	arrived, release := w.tg.HoldAnswer(emulator.Fault{Method: "copyMessages", Chat: 7})
	w.intake()
	w.clock.Advance(time.Second)
	settled := w.draining()
	w.await(arrived, "the album")
	w.tg.AlbumReply(7, w.message(w.tg.Chat(7), "our second").ID, emulator.Photo("their first"), emulator.Photo("their second"))
	w.after(3 * time.Second)
	w.wantTopic(thread, "hello", "our first", "our second")
	release(true)
	w.await(settled, "the settle")
	w.settle()
	w.wantTopic(thread, "hello", "our first", "our second", "their first", "their second")
	w.wantAnswers(w.tg.Topic(thread), "their first", "our second")
}

// A chat that rests after a flood is no reason to wait: the message replied to is known.
func TestAReplyDoesNotWaitForTheOtherLane(t *testing.T) {
	w, thread := met(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 60)
	w.tg.Post(admin, thread, "much later")
	question := w.tg.Say(7, "a question")
	w.settle()
	w.tg.Reply(7, question, "and more of it")
	w.settle()
	w.wantAnswers(w.tg.Topic(thread), "and more of it", "a question")
	w.wantChat(7, "hello", "a question", "and more of it")
}

// One's own message that is not there yet is waited for in the line in which both stand.
func TestAReplyToOnesOwnUnsentMessageIsAReply(t *testing.T) {
	w, thread := met(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.BadGateway(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()})
	answer := w.tg.Post(admin, thread, "our answer")
	question := w.tg.Say(7, "their question")
	w.settle()
	w.tg.PostReply(admin, thread, answer, "more of ours")
	w.tg.Reply(7, question, "more of theirs")
	w.settle()
	w.after(40 * time.Second)
	w.wantAnswers(w.tg.Chat(7), "more of ours", "our answer")
	w.wantAnswers(w.tg.Topic(thread), "more of theirs", "their question")
	w.wantNothingOwed()
}

// What waits in line survives the end of the program as what it is.
func TestAReplyIsAReplyAfterARestart(t *testing.T) {
	w, thread := met(t)
	w.tg.Down(true)
	w.tg.Reply(7, w.tg.Say(7, "a question"), "and more of it")
	w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, "what is it?")
	w.settle()
	w.restart()
	w.tg.Down(false)
	w.after(2 * time.Minute)
	w.wantAnswers(w.tg.Topic(thread), "and more of it", "a question")
	w.wantAnswers(w.tg.Chat(7), "what is it?", "hello")
}
