package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The relay rules: what begins with "//" is talk among the team, and what begins with "/" a command. Neither goes to a person, also
// when a message is made that by a change; and no change is obeyed.

const saysNotPassedOn = "This change is not passed on, because the message now begins with “/”. The person still has the earlier form; to take it back, reply to it with /del."

func TestTeamTalkEditedIntoAnAnswerIsRelayedAndMarked(t *testing.T) {
	for _, talk := range []string{"//what do you think?", "/help", "/nonsense"} {
		t.Run(talk, func(t *testing.T) {
			w, thread := met(t)
			post := w.tg.Post(admin, thread, talk)
			w.settle()
			w.wantChat(7, "hello")
			w.tg.EditPost(admin, post, "answer")
			w.settle()
			w.wantChat(7, "hello", "answer")
			wantMarked(t, last(t, w.tg.Chat(7)), "answer", 0)
			w.after(5 * time.Second)
			w.tg.EditPost(admin, post, "better answer")
			w.settle()
			w.wantChat(7, "hello", "better answer")
		})
	}
}

func TestAnAnswerEditedIntoTalkIsNotPassedOnAndTheAdminIsTold(t *testing.T) {
	for _, hidden := range []string{"//secret", "// secret", "/ban", "/del", "/help", "/"} {
		t.Run(hidden, func(t *testing.T) {
			w, thread := met(t)
			post := w.tg.Post(admin, thread, "answer")
			w.settle()
			w.tg.EditPost(admin, post, hidden)
			w.after(10 * time.Second)
			w.wantChat(7, "hello", "answer")
			w.wantTopic(thread, "hello", hidden, saysNotPassedOn) // and no answer to a command
			if notice := last(t, w.tg.Topic(thread)); notice.ReplyTo != post {
				t.Errorf("the notice replies to %d, want %d", notice.ReplyTo, post)
			}
			if u, _ := w.user(7); u.Banned {
				t.Error("a change was obeyed")
			}
			w.tg.EditPost(admin, post, "a public answer")
			w.settle()
			w.wantChat(7, "hello", "a public answer")
			w.wantNothingAtRest()
		})
	}
}

// A command may stand in a caption, too.
func TestACaptionEditedIntoTalkIsNotPassedOn(t *testing.T) {
	w, thread := met(t)
	post := w.tg.PostContent(admin, thread, emulator.Photo("look"))
	w.settle()
	w.tg.EditPost(admin, post, "//look what they sent")
	w.settle()
	w.wantChat(7, "hello", "look")
	w.wantTopic(thread, "hello", "//look what they sent", saysNotPassedOn)
}

func TestTheAdminIsToldOnceAMinuteThatAChangeIsNotPassedOn(t *testing.T) {
	w, thread := met(t)
	w.tg.Say(8, "hi")
	w.settle()
	other := w.topicOf(8)
	post, second, elsewhere := w.tg.Post(admin, thread, "a"), w.tg.Post(admin2, thread, "b"), w.tg.Post(admin, other, "c")
	w.settle()
	w.tg.EditPost(admin, post, "//a")
	w.tg.EditPost(admin2, second, "//b")
	w.tg.EditPost(admin, post, "//aa")
	w.tg.EditPost(admin, elsewhere, "//c")
	w.settle()
	w.wantTopic(thread, "hello", "//aa", "//b", saysNotPassedOn)
	w.wantTopic(other, "hi", "//c", saysNotPassedOn) // each topic for itself
	w.after(minute)
	w.tg.EditPost(admin, post, "//aaa")
	w.settle()
	w.wantTopic(thread, "hello", "//aaa", "//b", saysNotPassedOn, saysNotPassedOn)
}

// Only a change of what the person has is worth a word.
func TestTalkEditedIntoOtherTalkIsSilent(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "//talk")
	w.settle()
	w.tg.EditPost(admin, post, "//other talk")
	w.tg.EditPost(admin, post, "/help")
	w.settle()
	w.wantTopic(thread, "hello", "/help")
	w.wantChat(7, "hello")
}
