package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A reaction to a message that is not known yet on the other side waits for it, and floods, deaths and deletions decide about
// reactions as about calls that nobody misses.

// The chat is flooded: the message is late, and what its writer reacted with comes after it.
func TestAReactionToAMessageThatIsNotSentYetIsShownWhenItIs(t *testing.T) {
	w, thread, _, _ := spoken(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 30)
	ours := w.tg.Post(admin, thread, "our late words")
	theirs := w.tg.Say(7, "their late words")
	w.settle()
	w.tg.ReactPost(admin2, ours, "👍")
	w.tg.React(7, theirs, "🔥")
	w.after(20 * time.Second)
	w.wantTried("setMessageReaction", 0)
	w.after(15 * time.Second)
	w.wantReaction(w.tg.Chat(7), "our late words", "👍")
	w.wantReaction(w.tg.Topic(thread), "their late words", "🔥")
	w.wantDone("setMessageReaction", 2)
	w.wantNothingOwed()
}

// The same for an album, which is late by itself.
func TestAReactionToAnAlbumThatIsNotSentYetIsShownWhenItIs(t *testing.T) {
	w, thread, _, _ := spoken(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessages", Count: 2}, 30)
	theirs := w.tg.Album(7, emulator.Photo("their first"), emulator.Photo("their second"))
	ours := w.tg.PostAlbum(admin, thread, emulator.Photo("our first"), emulator.Photo("our second"))
	w.settle()
	w.tg.React(7, theirs[0], "🔥")
	w.tg.ReactPost(admin2, ours[0], "👍")
	w.after(50 * time.Second)
	w.wantReaction(w.tg.Topic(thread), "their first", "🔥")
	w.wantReaction(w.tg.Chat(7), "our first", "👍")
	w.wantNothingOwed()
}

// A message that is refused in the end leaves nothing to react on, and the reaction ends with it.
func TestAReactionToAMessageThatIsRefusedInTheEndIsDropped(t *testing.T) {
	w, thread, _, _ := spoken(t)
	w.tg.ForbidVoice(7)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 20)
	voice := w.tg.PostContent(admin, thread, emulator.Voice("listen"))
	w.settle()
	w.tg.ReactPost(admin, voice, "👍")
	w.after(30 * time.Second)
	w.wantNoReactionCalls()
}

// Somebody reacts to what stands before their eyes although Telegram's answer is still on its way to us.
func TestAReactionToACopyThatIsNotSettledWaits(t *testing.T) {
	for name, toPerson := range map[string]bool{"of the person": true, "of an admin": false} {
		t.Run(name, func(t *testing.T) {
			w, thread, _, _ := spoken(t, calm)
			here, there := w.tg.Chat, func(int64) []emulator.Message { return w.tg.Topic(thread) }
			chat := int64(7)
			if toPerson {
				w.tg.Post(admin, thread, "the question")
			} else {
				here, there, chat = there, here, w.tg.Group()
				w.tg.Say(7, "the question")
			}
			settled, release := w.copyHeld(chat)
			if copied := w.message(here(7), "the question").ID; toPerson {
				w.tg.React(7, copied, "👍")
				w.tg.Say(7, "and on we go") // what is written afterwards does not wait with it
			} else {
				w.tg.ReactPost(admin, copied, "👍")
				w.tg.Post(admin, thread, "and on we go")
			}
			w.react()
			w.after(5 * time.Second)
			w.message(there(7), "and on we go")
			w.wantTried("setMessageReaction", 0)
			release(true)
			w.await(settled, "the settle")
			w.after(2 * time.Second)
			w.wantReaction(there(7), "the question", "👍")
			w.wantDone("setMessageReaction", 1)
			w.wantNothingOwed()
		})
	}
}

// A reaction to something else than that waits no longer than a call may take.
func TestAReactionToNothingWaitsNoLongerThanTheGroupIsBusy(t *testing.T) {
	w, thread, _, _ := spoken(t, calm)
	noted := w.tg.Post(admin, thread, "// among us")
	w.tg.Say(7, "slowly")
	settled, release := w.copyHeld(w.tg.Group())
	w.tg.ReactPost(admin, noted, "👍")
	w.react()
	w.after(minute)
	if n := len(w.owed()); n != 1 {
		t.Errorf("%d calls are owed, want only the copy", n)
	}
	release(true)
	w.await(settled, "the settle")
	w.wantNoReactionCalls()
}

// A 429 on a reaction makes reactions rest in that chat, and nothing else anywhere.
func TestAFloodOfReactionsRestsOnlyReactions(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.talk(8)
	w.tg.Flood(emulator.Fault{Method: "setMessageReaction", Chat: w.tg.Group()}, 30)
	w.tg.React(7, hello, "👍")
	w.react()
	w.tg.ReactPost(admin, answer, "🔥")
	w.tg.Say(7, "still here")
	w.tg.Say(8, "and here")
	w.tg.Post(admin, thread, "so are we")
	w.react()
	w.after(10 * time.Second) // the bucket of the group was emptied
	w.wantTopic(thread, "hello", "an answer", "so are we", "still here")
	w.wantTopic(w.topicOf(8), "hello", "and here")
	w.wantChat(7, "hello", "an answer", "still here", "so are we")
	w.wantReaction(w.tg.Chat(7), "an answer", "🔥")
	w.wantReaction(w.tg.Topic(thread), "hello", "")
	w.tg.React(7, w.message(w.tg.Chat(7), "an answer").ID, "🎉") // waits with the first
	w.after(5 * time.Second)
	w.wantTried("setMessageReaction", 2)
	w.after(20 * time.Second)
	w.wantReaction(w.tg.Topic(thread), "hello", "👍")
	w.wantReaction(w.tg.Topic(thread), "an answer", "🎉")
	w.wantTried("setMessageReaction", 4)
	w.wantNothingOwed()
}

// The group's twenty a minute are for messages.
func TestReactionsCostNoTokens(t *testing.T) {
	few := func(w *world) { w.rules.MaxMessagesPerMinute = 100 }
	w, thread, hello, answer := spoken(t, few) // topic, card and message: three of twenty are spent
	for i := range 30 {
		emoji := []string{"👍", "🔥"}[i%2]
		w.tg.React(7, hello, emoji)
		w.tg.ReactPost(admin, answer, emoji)
		w.react()
	}
	w.wantDone("setMessageReaction", 60)
	for i := range 20 {
		w.tg.Say(7, "message "+itoa(i))
	}
	w.settle()
	if n := len(w.topicTexts(thread)) - 2; n != 20 {
		t.Errorf("%d messages went at once, want 20", n)
	}
}

// The other way: where no token is left, a reaction goes.
func TestAReactionNeedsNoToken(t *testing.T) {
	w, thread, hello, _ := spoken(t, limited(100))
	for i := range 25 {
		w.tg.Say(8, "message "+itoa(i))
	}
	w.settle()
	if len(w.owed()) == 0 {
		t.Fatal("there are tokens left")
	}
	w.tg.React(7, hello, "👍")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "👍")
}

// A reaction whose answer is lost is simply set again.
func TestAReactionInDoubtIsSetAgain(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.tg.LostReply(emulator.Fault{Method: "setMessageReaction", Count: 2})
	w.tg.React(7, hello, "👍")
	w.tg.ReactPost(admin, answer, "🔥")
	w.react()
	w.after(5 * time.Second)
	w.wantReaction(w.tg.Topic(thread), "hello", "👍")
	w.wantReaction(w.tg.Chat(7), "an answer", "🔥")
	w.wantTried("setMessageReaction", 4)
	w.wantNothingOwed()
}

func TestReactionsSurviveARestart(t *testing.T) {
	w, thread, hello, answer := spoken(t, calm)
	w.tg.React(7, hello, "👎")
	w.tg.ReactPost(admin, answer, "👎")
	w.intake()
	w.restart()
	w.tg.React(7, hello, "👍")
	w.tg.ReactPost(admin, answer, "🔥")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "👍")
	w.wantReaction(w.tg.Chat(7), "an answer", "🔥")
	w.wantDone("setMessageReaction", 2)
	// … and the death of the program while one is set.
	w.tg.React(7, hello, "🎉")
	w.intake()
	w.clock.Advance(reacts)
	w.dieDuring(emulator.Fault{Method: "setMessageReaction"}, false)
	w.after(5 * time.Second)
	w.wantReaction(w.tg.Topic(thread), "hello", "🎉")
	w.wantNothingOwed()
}

// The topic was deleted by hand: its messages are gone, and a reaction makes no new one.
func TestAReactionInADeletedTopicIsDropped(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.tg.React(7, hello, "👍")
	w.tg.ReactPost(admin, answer, "🔥") // the person still has the answer
	w.intake()
	w.tg.DeleteTopic(thread)
	w.react()
	w.after(minute)
	w.wantReaction(w.tg.Chat(7), "an answer", "🔥")
	if len(w.tg.Topics()) != 1 {
		t.Error("a reaction made a topic")
	}
	w.wantTried("setMessageReaction", 2)
	w.wantGeneral()
	w.wantNothingOwed()
	w.tg.Say(7, "on we go")
	w.settle()
	w.tg.React(7, hello, "🎉") // to a message of the old topic
	w.react()
	w.wantTopic(w.topicOf(7), "on we go")
	w.wantNothingOwed()
}

// The message is gone on the other side.
func TestAReactionToADeletedMessageIsDropped(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.tg.DeletePost(w.message(w.tg.Topic(thread), "hello").ID)
	w.tg.Delete(7, w.message(w.tg.Chat(7), "an answer").ID)
	w.tg.React(7, hello, "👍")
	w.tg.ReactPost(admin, answer, "👍")
	w.react()
	w.after(minute)
	w.wantTried("setMessageReaction", 2)
	w.wantTopic(thread, "an answer")
	w.wantNothingOwed()
}

// In the group that we have now, the numbers of the old one mean other messages.
func TestReactionsDoNotFollowTheGroup(t *testing.T) {
	w, _, hello, answer := spoken(t)
	w.tg.React(7, hello, "👍")
	w.tg.ReactPost(admin, answer, "👍")
	w.intake()
	w.tg.MigrateGroup(-1009)
	w.react()
	w.tg.React(7, hello, "🔥")
	w.react()
	w.tg.Say(7, "in the new group")
	w.after(5 * time.Second)
	thread := w.topicOf(7)
	for _, m := range w.tg.Topic(thread) {
		if m.Reactions[w.tg.BotID()] != "" {
			t.Errorf("the bot reacted to %q", m.Text)
		}
	}
	w.tg.ReactPost(admin, w.message(w.tg.Topic(thread), "in the new").ID, "🎉")
	w.react()
	w.wantReaction(w.tg.Chat(7), "in the new", "🎉")
	w.wantNothingOwed()
}

// A bot that may not react in the group goes on with all else.
func TestAReactionThatTheGroupForbidsStopsNothing(t *testing.T) {
	w, thread, hello, _ := spoken(t)
	w.tg.Refuse(emulator.Fault{Method: "setMessageReaction", Chat: w.tg.Group()}, 400, "Bad Request: not enough rights to react to the message")
	w.tg.React(7, hello, "👍")
	w.react()
	w.tg.Say(7, "on we go")
	w.settle()
	w.wantTopic(thread, "hello", "an answer", "on we go")
	w.wantNothingOwed()
}
