package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Replies become replies on the other side. What cannot be one is no reply there, and never keeps the message back.

// wantAnswers checks what the one message that begins so replies to, by how that begins; "" is nothing.
func (w *world) wantAnswers(list []emulator.Message, answer, target string) {
	w.t.Helper()
	got, want := w.message(list, answer).ReplyTo, 0
	if target != "" {
		want = w.message(list, target).ID
	}
	if got != want {
		w.t.Fatalf("%q replies to message %d, want %d (%q)", answer, got, want, target)
	}
}

// wantPlain is a message that arrived without a word about any reply.
func (w *world) wantPlain(list []emulator.Message, head string) {
	w.t.Helper()
	w.wantAnswers(list, head, "")
	copied := w.message(list, head)
	for _, c := range w.callsOf("copyMessage") {
		if c.Params["message_id"] == itoa(copied.CopiedFrom.Message) && c.Params["reply_parameters"] != "" {
			w.t.Fatalf("%q was sent as a reply to %s", head, c.Params["reply_parameters"])
		}
	}
}

// wantNoRefusals is that everything was right the first time.
func (w *world) wantNoRefusals() {
	w.t.Helper()
	for _, c := range w.tg.Calls() {
		if !c.Executed {
			w.t.Errorf("%s was refused: %s", c.Method, c.Description)
		}
	}
}

func TestAReplyToOnesOwnMessageIsAReplyOnTheOtherSide(t *testing.T) {
	w, thread := met(t)
	w.tg.Reply(7, w.tg.Say(7, "my question"), "and one more thing")
	w.tg.PostReply(admin, thread, w.tg.Post(admin, thread, "our answer"), "and one more word")
	w.settle()
	w.wantAnswers(w.tg.Topic(thread), "and one more thing", "my question")
	w.wantAnswers(w.tg.Chat(7), "and one more word", "our answer")
	w.wantNoRefusals()
}

func TestAReplyToTheOtherSideIsAReplyThere(t *testing.T) {
	w, thread := met(t)
	w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, "what is it?")
	w.settle()
	w.wantAnswers(w.tg.Chat(7), "what is it?", "hello")
	w.tg.Reply(7, w.message(w.tg.Chat(7), "what is it?").ID, "the door")
	w.settle()
	w.wantAnswers(w.tg.Topic(thread), "the door", "what is it?")
	w.tg.PostReply(admin2, thread, w.message(w.tg.Topic(thread), "the door").ID, "which door?")
	w.settle()
	w.wantAnswers(w.tg.Chat(7), "which door?", "the door")
	w.wantNoRefusals()
}

func TestAReplyToAnItemOfAnAlbumFindsThatItem(t *testing.T) {
	w, thread := met(t)
	theirs := w.tg.Album(7, emulator.Photo("their first"), emulator.Photo("their second"), emulator.Photo("their third"))
	ours := w.tg.PostAlbum(admin, thread, emulator.Document("our first"), emulator.Document("our second"))
	w.after(2 * time.Second)
	w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "their second").ID, "is that the cellar?")
	w.tg.Reply(7, w.message(w.tg.Chat(7), "our second").ID, "I can't open that")
	w.tg.Reply(7, theirs[2], "the third shows it best")
	w.tg.PostReply(admin, thread, ours[0], "the first is the contract")
	w.settle()
	w.wantAnswers(w.tg.Chat(7), "is that the cellar?", "their second")
	w.wantAnswers(w.tg.Topic(thread), "I can't open that", "our second")
	w.wantAnswers(w.tg.Topic(thread), "the third shows it best", "their third")
	w.wantAnswers(w.tg.Chat(7), "the first is the contract", "our first")
	w.wantNoRefusals()
}

// An album that replies stays both: one album, and a reply.
func TestAnAlbumThatIsAReplyStaysBoth(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "send me pictures")
	w.settle()
	w.tg.AlbumReply(7, w.message(w.tg.Chat(7), "send me").ID, emulator.Photo("the front"), emulator.Video(""), emulator.Photo("the back"))
	w.tg.PostAlbumReply(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, emulator.Audio("one"), emulator.Audio("two"))
	w.after(2 * time.Second)
	for _, c := range []struct {
		list       []emulator.Message
		first, to  string
		words      []string
		sourceKind string
	}{
		{w.tg.Topic(thread), "the front", "send me", []string{"the front", "", "the back"}, "photo"},
		{w.tg.Chat(7), "one", "hello", []string{"one", "two"}, "audio"},
	} {
		w.wantAnswers(c.list, c.first, c.to)
		var album []emulator.Message
		first := w.message(c.list, c.first)
		for _, m := range c.list {
			if m.GroupID == first.GroupID {
				album = append(album, m)
			}
		}
		if first.GroupID == "" || first.Kind != c.sourceKind {
			t.Errorf("%q is a %s of album %q", c.first, first.Kind, first.GroupID)
		}
		wantTexts(t, "the album", texts(album), c.words)
	}
	w.wantDone("sendMediaGroup", 2)
	w.wantDone("copyMessages", 0)
	w.wantNoRefusals()
}

// The bot's own words stand on one side only. Who replies to them is understood without.
func TestAReplyToWhatTheBotSaysArrivesAsAMessage(t *testing.T) {
	w := newWorld(t, limited(3))
	w.tg.Say(7, "/start")
	w.settle()
	thread := w.topicOf(7)
	w.tg.Reply(7, last(t, w.tg.Chat(7)).ID, "thank you for the welcome")
	w.tg.PostReply(admin, thread, w.card(thread).ID, "I have read your card")
	w.tg.Post(admin, thread, "/nothing")
	w.settle()
	w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), saysUnknown).ID, "never mind")
	w.tg.Say(7, "the third")
	w.tg.Say(7, "the fourth")
	w.settle()
	w.after(minute)
	w.tg.Reply(7, w.message(w.tg.Chat(7), "That was a bit fast").ID, "I am slower now")
	w.settle()
	w.wantTopic(thread, "I have read your card", "/nothing", "thank you for the welcome", saysUnknown, "never mind", "the third",
		"I am slower now")
	for _, head := range []string{"thank you for", "I am slower"} {
		w.wantPlain(w.tg.Topic(thread), head)
	}
	for _, head := range []string{"I have read", "never mind"} {
		w.wantPlain(w.tg.Chat(7), head)
	}
	w.wantNoRefusals()
}

// In a topic everything silently answers the message that opened it.
func TestTheSilentReplyToATopicsBeginningIsNone(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "good morning")
	w.tg.PostReply(admin, thread, thread, "and welcome")
	w.settle()
	w.wantPlain(w.tg.Chat(7), "good morning")
	w.wantPlain(w.tg.Chat(7), "and welcome")
	w.wantNoRefusals()
}

func TestAReplyToADeletedMessageArrivesAsAMessage(t *testing.T) {
	w, thread := met(t)
	question := w.tg.Say(7, "a question")
	answer := w.tg.Post(admin, thread, "an answer")
	w.settle()
	w.tg.DeletePost(w.message(w.tg.Topic(thread), "a question").ID)
	w.tg.Delete(7, w.message(w.tg.Chat(7), "an answer").ID)
	w.tg.Reply(7, question, "did you see it?")
	w.tg.PostReply(admin, thread, answer, "did you get it?")
	w.settle()
	w.wantAnswers(w.tg.Topic(thread), "did you see it?", "")
	w.wantAnswers(w.tg.Chat(7), "did you get it?", "")
	w.wantTopic(thread, "hello", "an answer", "did you get it?", "did you see it?")
	w.wantNoRefusals() // a second try would cost the group another of its twenty a minute
	w.wantNothingOwed()
}

// The messages of a topic that was deleted are gone with it. What the person says about them goes into the new one.
func TestAReplyIntoATopicThatWasDeletedArrivesInTheNewOne(t *testing.T) {
	w, thread := met(t)
	question := w.tg.Say(7, "a question")
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	w.tg.DeleteTopic(thread)
	w.tg.Reply(7, question, "did you see it?") // it is this message that finds the topic gone
	w.settle()
	second := w.topicOf(7)
	if second == thread {
		t.Fatal("there is no new topic")
	}
	w.tg.Reply(7, w.message(w.tg.Chat(7), "an answer").ID, "I don't understand")
	w.settle()
	w.wantTopic(second, "did you see it?", "I don't understand")
	w.wantPlain(w.tg.Topic(second), "I don't understand")
	w.wantAnswers(w.tg.Topic(second), "did you see it?", "")
	w.tg.PostReply(admin, second, w.message(w.tg.Topic(second), "did you").ID, "I do now")
	w.settle()
	w.wantAnswers(w.tg.Chat(7), "I do now", "did you see it?")
	w.tg.Reply(7, w.message(w.tg.Chat(7), "I do now").ID, "fine")
	w.settle()
	w.wantAnswers(w.tg.Topic(second), "fine", "I do now")
}

// A message in another topic, or of another group, is nothing that the person has ever seen.
func TestAReplyToAnotherPersonsMessageTellsNothingOfIt(t *testing.T) {
	w, one := met(t)
	two := w.talk(8)
	secret := w.tg.Say(7, "seven's secret")
	w.tg.Say(8, "eight's question")
	w.settle()
	w.tg.PostReply(admin, two, w.message(w.tg.Topic(one), "seven's").ID, "compare this")
	w.tg.PostAlbumReply(admin, two, w.message(w.tg.Topic(one), "seven's").ID, emulator.Photo("and this"), emulator.Photo("or that"))
	w.after(2 * time.Second)
	w.wantPlain(w.tg.Chat(8), "compare this")
	w.wantAnswers(w.tg.Chat(8), "and this", "")
	for _, c := range w.callsOf("copyMessage", "copyMessages", "sendMediaGroup") {
		if c.Params["reply_parameters"] != "" {
			t.Errorf("%s was sent as a reply to %s", c.Method, c.Params["reply_parameters"])
		}
	}
	// Message numbers of private chats are counted from one in each: the same number is another message.
	if own := w.message(w.tg.Chat(8), "eight's").ID; own != secret {
		t.Fatalf("this story needs equal numbers, and has %d and %d", secret, own)
	}
	w.tg.Reply(8, secret, "about my question")
	w.settle()
	w.wantAnswers(w.tg.Topic(two), "about my question", "eight's question")
	w.wantTopic(one, "hello", "seven's secret")
}

// What was refused stands on no other side.
func TestAReplyToWhatWasRefusedArrivesAsAMessage(t *testing.T) {
	w, thread := met(t, limited(2))
	w.tg.ForbidVoice(7)
	w.tg.Say(7, "the second")
	tooMuch := w.tg.Say(7, "the third")
	voice := w.tg.PostContent(admin, thread, emulator.Voice("listen"))
	w.settle()
	w.after(minute)
	w.tg.Reply(7, tooMuch, "as I said")
	w.tg.PostReply(admin, thread, voice, "then in writing")
	w.settle()
	w.wantPlain(w.tg.Topic(thread), "as I said")
	w.wantPlain(w.tg.Chat(7), "then in writing")
}

// Numbers of a group that is ours no more mean nothing in the one we have.
func TestAReplyAcrossTheMoveOfTheGroupArrivesAsAMessage(t *testing.T) {
	w, _ := met(t)
	question := w.tg.Say(7, "a question")
	w.settle()
	w.tg.MigrateGroup(-1009)
	w.settle()
	w.tg.Reply(7, question, "did you see it?")
	w.after(5 * time.Second)
	thread := w.topicOf(7)
	w.wantTopic(thread, "did you see it?")
	w.wantPlain(w.tg.Topic(thread), "did you see it?")
	w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "did you").ID, "not yet")
	w.settle()
	w.wantAnswers(w.tg.Chat(7), "not yet", "did you see it?")
}

// What the team wrote in a topic that was deleted before it could be sent arrives, and so does the answer to it.
func TestAReplyToWhatWasWrittenInADeletedTopicArrivesAsAMessage(t *testing.T) {
	w, thread := met(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.Post(admin, thread, "late words")
	w.settle()
	w.tg.DeleteTopic(thread)
	w.tg.Say(7, "anybody there?")
	w.after(40 * time.Second)
	w.tg.Reply(7, w.message(w.tg.Chat(7), "late words").ID, "ah, there you are")
	w.settle()
	w.wantTopic(w.topicOf(7), "anybody there?", "ah, there you are")
	w.wantAnswers(w.tg.Topic(w.topicOf(7)), "ah, there", "")
	w.wantNothingOwed()
}

// An anonymous administrator replies as any other.
func TestAnAnonymousReplyIsAReply(t *testing.T) {
	w, thread := met(t, withGroupAdmins)
	w.tg.PostAnonymousReply(thread, w.message(w.tg.Topic(thread), "hello").ID, "good day")
	w.settle()
	w.wantAnswers(w.tg.Chat(7), "good day", "hello")
}

// A change of a reply that is not sent yet changes what it says, not what it answers.
func TestAnEditedReplyStaysAReply(t *testing.T) {
	w, thread := met(t)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 10)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 10)
	ours := w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, "our frist words")
	theirs := w.tg.Reply(7, w.message(w.tg.Chat(7), "hello").ID, "their frist words")
	w.settle()
	w.tg.EditPost(admin, ours, "our first words")
	w.tg.EditText(7, theirs, "their first words")
	w.after(15 * time.Second)
	w.wantAnswers(w.tg.Chat(7), "our first words", "hello")
	w.wantAnswers(w.tg.Topic(thread), "their first words", "hello")
	w.tg.EditText(7, theirs, "their second words")
	w.after(6 * time.Second)
	w.wantAnswers(w.tg.Topic(thread), "their second words", "hello")
	w.wantNothingOwed()
}

// A reply that was never relayed, and is when it is edited, answers what it always did.
func TestAReplyThatIsRelayedOnlyWhenItIsEditedIsAReply(t *testing.T) {
	w, thread := met(t, limited(1))
	late := w.tg.Reply(7, w.message(w.tg.Chat(7), "hello").ID, "too fast")
	w.settle()
	w.wantTopic(thread, "hello")
	w.after(minute)
	w.tg.EditText(7, late, "now slowly")
	w.settle()
	w.wantAnswers(w.tg.Topic(thread), "now slowly", "hello")
	if m := w.message(w.tg.Topic(thread), "now slowly"); len(m.Buttons) != 1 || !strings.Contains(m.Buttons[0][0].Text, "Edited") {
		t.Errorf("it is marked by %+v", m.Buttons)
	}
}
