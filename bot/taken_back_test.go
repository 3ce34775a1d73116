package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// during makes something happen while Telegram has a call in hand, which is then answered as f and then says.
func (w *world) during(f emulator.Fault, then func(emulator.Fault), happen func()) {
	w.t.Helper()
	arrived, release := w.tg.Hold(f)
	then(f)
	ended := make(chan struct{})
	go func() { defer close(ended); w.drain() }()
	w.await(arrived, "a call of "+f.Method)
	happen()
	w.intake()
	release(true)
	w.await(ended, "the end of what can be sent")
	w.after(time.Minute)
}

func (w *world) refusing(f emulator.Fault) {
	w.tg.Refuse(f, 400, "Bad Request: message can't be edited")
}

// D1. An album that answers and that Telegram takes in no form ends, item by item, with a word to who wrote it.
func TestAnAlbumThatIsTakenInNoFormEnds(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "look")
	w.settle()
	tries := 0
	w.tg.OnCall(func(c emulator.Call) {
		if tries++; tries > 200 {
			w.tg.Heal() // otherwise it never ends
		}
	})
	for _, method := range []string{"sendMediaGroup", "copyMessages"} {
		w.tg.Refuse(emulator.Fault{Method: method, Count: -1}, 400, "Bad Request: WEIRD")
	}
	w.tg.AlbumReply(7, w.message(w.tg.Chat(7), "look").ID, emulator.Photo("1"), emulator.Photo("2"))
	w.intake()
	w.after(30 * time.Second)
	if n := w.tried("sendMediaGroup") + w.tried("copyMessages"); n > 6 {
		t.Errorf("the album as a whole was tried %d times", n)
	}
	w.wantTopic(thread, "hello", "look", "1", "2")
}

// D2. Of two changes the later stands at the end, also if the answer to the earlier was lost.
func TestAnOlderEditNeverReplacesANewer(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	said := w.tg.Post(admin, thread, "one")
	w.settle()
	w.after(10 * time.Second)
	w.tg.EditPost(admin, said, "two")
	w.intake()
	w.during(emulator.Fault{Method: "editMessageText", Chat: 7}, w.tg.ResetBefore, func() { w.tg.EditPost(admin, said, "three") })
	w.wantChat(7, "hello", "three")
}

func TestAnOlderReactionNeverReplacesANewer(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "one")
	w.settle()
	one := w.message(w.tg.Chat(7), "one")
	w.tg.React(7, one.ID, "👍")
	w.intake()
	w.clock.Advance(2 * time.Second)
	w.during(emulator.Fault{Method: "setMessageReaction"}, w.tg.ResetBefore, func() {
		w.tg.React(7, one.ID, "❤")
		w.intake()
		w.clock.Advance(2 * time.Second)
	})
	if got := w.message(w.tg.Topic(thread), "one").Reactions[w.tg.BotID()]; got != "❤" {
		t.Errorf("the topic shows %q", got)
	}
}

// D3. What was taken back does not come again for a change of it that waited.
func TestAWaitingEditDoesNotBringBackWhatWasTakenBack(t *testing.T) {
	t.Run("an item of an album", func(t *testing.T) {
		w := newWorld(t, generous)
		thread := w.talk(7)
		items := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"))
		w.settle()
		w.after(10 * time.Second)
		for _, caption := range []string{"1b", "1c"} {
			w.tg.EditPost(admin, items[0], caption)
			w.settle()
		}
		w.tg.PostReply(admin, thread, items[1], "/del")
		w.settle()
		w.after(time.Minute)
		w.wantChat(7, "hello")
		w.wantTopic(thread, "hello")
	})
	t.Run("a person's message", func(t *testing.T) {
		w := newWorld(t, generous)
		thread := w.talk(7)
		said := w.tg.Say(7, "my number is 1")
		w.settle()
		w.after(10 * time.Second)
		for _, text := range []string{"my number is 12", "my number is 123"} {
			w.tg.EditText(7, said, text)
			w.settle()
		}
		w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "my number is 12").ID, "/del")
		w.settle()
		w.after(time.Minute)
		w.wantTopic(thread, "hello")
	})
	t.Run("the relay was in doubt", func(t *testing.T) {
		w := newWorld(t, generous)
		thread := w.talk(7)
		said := w.tg.Post(admin, thread, "one")
		w.intake()
		arrived, release := w.tg.Hold(emulator.Fault{Method: "copyMessage", Chat: 7})
		ended := make(chan struct{})
		go func() { defer close(ended); w.drain() }()
		w.await(arrived, "the copy")
		w.tg.EditPost(admin, said, "two")
		w.intake()
		release(false)
		w.await(ended, "the end")
		w.tg.PostReply(admin, thread, said, "/del")
		w.settle()
		w.after(time.Minute)
		w.wantChat(7, "hello")
	})
}

// D4. A change that Telegram refuses is not sent anew when the message was taken back, or made team talk, while it was asked.
func TestARefusedEditIsNotSentAnewOnceTakenBack(t *testing.T) {
	for name, take := range map[string]func(w *world, thread, said int){
		"/del":      func(w *world, thread, said int) { w.tg.PostReply(admin, thread, said, "/del") },
		"team talk": func(w *world, _, said int) { w.tg.EditPost(admin, said, "// a secret") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, generous)
			thread := w.talk(7)
			said := w.tg.Post(admin, thread, "one")
			w.settle()
			w.after(10 * time.Second)
			w.tg.EditPost(admin, said, "two")
			w.intake()
			w.during(emulator.Fault{Method: "editMessageText", Chat: 7}, w.refusing, func() { take(w, thread, said) })
			got := w.chatTexts(7)
			if slices.Contains(got, "two") || slices.Contains(got, "// a secret") {
				t.Errorf("the person has %q", got)
			}
		})
	}
}

// D5. /del takes back what of a message has arrived, too.
func TestDelTakesBackWhatHasArrived(t *testing.T) {
	t.Run("the old form, while the new one waits", func(t *testing.T) {
		w := newWorld(t, generous)
		thread := w.talk(7)
		said := w.tg.Post(admin, thread, "one")
		w.settle()
		w.after(10 * time.Second)
		w.refusing(emulator.Fault{Method: "editMessageText", Chat: 7})
		w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
		w.tg.EditPost(admin, said, "two")
		w.settle()
		w.tg.PostReply(admin, thread, said, "/del")
		w.settle()
		w.after(time.Minute)
		w.wantChat(7, "hello")
		w.wantTopic(thread, "hello")
	})
	t.Run("some items of an album that goes one by one", func(t *testing.T) {
		w := newWorld(t)
		thread := w.talk(7)
		w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 5)
		items := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"), emulator.Photo("4"), emulator.Photo("5"))
		w.settle()
		w.after(3 * time.Second)
		w.wantChat(7, "hello", "1", "2")
		w.tg.PostReply(admin, thread, items[4], "/del")
		w.settle()
		w.after(time.Minute)
		w.wantChat(7, "hello")
		w.wantTopic(thread, "hello", "/del", sentence("del_maybe_arrived"))
	})
	t.Run("a photo whose long caption is still to come", func(t *testing.T) {
		w := newWorld(t, generous)
		thread := w.talk(7)
		w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 400, "Bad Request: message caption is too long")
		w.tg.Flood(emulator.Fault{Method: "sendMessage", Chat: 7}, 30)
		said := w.tg.PostContent(admin, thread, emulator.Photo(strings.Repeat("long ", 300)))
		w.settle()
		w.tg.PostReply(admin, thread, said, "/del")
		w.settle()
		w.after(time.Minute)
		w.wantChat(7, "hello")
	})
}

// D5. Where nobody can say what has arrived of it, that is said.
func TestDelOfAnAlbumThatArrivedInPartSaysSo(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	items := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"))
	w.intake()
	w.clock.Advance(2 * time.Second)
	w.during(emulator.Fault{Method: "copyMessages"}, func(f emulator.Fault) { w.tg.PartialCopy(f, 1) },
		func() { w.tg.PostReply(admin, thread, items[0], "/del") })
	if got := fmt.Sprint(w.topicTexts(thread)); !strings.Contains(got, sentence("del_maybe_arrived")) {
		t.Errorf("the person has %q, and the topic says %s", w.chatTexts(7), got)
	}
}

// D6. A change of an item that stands already is carried while the others are on their way.
func TestAnEditOfAnItemThatStandsIsCarried(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.PartialCopy(emulator.Fault{Method: "copyMessages"}, 5)
	items := w.tg.PostAlbum(admin, thread, emulator.Photo("1"), emulator.Photo("2"), emulator.Photo("3"), emulator.Photo("4"), emulator.Photo("5"))
	w.settle()
	w.after(3 * time.Second)
	w.wantChat(7, "hello", "1", "2")
	w.tg.EditPost(admin, items[0], "new")
	w.settle()
	w.after(time.Minute)
	w.wantChat(7, "hello", "new", "2", "3", "4", "5", sentence("album_doubled"))
}

// D7. A part that came after us does not hinder the change of a message.
func TestAnEditWithAPartThatCameAfterUsIsCarried(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	said := w.tg.Say(7, "second")
	w.tg.TakeUpdates()
	update := func(kind, text string, id int) []byte {
		return fmt.Appendf(nil, `{"update_id":%d,"%s":{"message_id":%d,"date":%d,"chat":{"id":7,"type":"private"},"from":{"id":7,"first_name":"User 7"},
			"text":%q,"entities":[{"type":"glow","offset":0,"length":2,"url":{"colour":"red"}}]}}`, id, kind, said, w.clock.Now().Unix(), text)
	}
	w.deliver(update("message", "second", 90001))
	w.settle()
	w.after(10 * time.Second)
	w.tg.EditText(7, said, "third")
	w.tg.TakeUpdates()
	w.deliver(update("edited_message", "third", 90002))
	w.settle()
	if shown := w.topicTexts(thread); shown[len(shown)-1] != "third" {
		t.Errorf("the topic shows %q", shown)
	}
}

// D8. Nothing of a group that is ours no more is copied out of the new one.
func TestARefusedEditIsNotCopiedOutOfAnotherGroup(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	said := w.tg.Post(admin, thread, "one")
	w.settle()
	w.after(10 * time.Second)
	w.tg.EditPost(admin, said, "two")
	w.intake()
	w.during(emulator.Fault{Method: "editMessageText", Chat: 7}, w.refusing, func() { w.tg.MigrateGroup(-1005555) })
	for _, c := range w.tg.Calls() {
		if c.Method == "copyMessage" && c.Params["from_chat_id"] == "-1005555" {
			t.Errorf("message %s of the new group was copied to the person", c.Params["message_id"])
		}
	}
}

// D9. Who reacts all day long does not use up what the group may be sent.
func TestRefusedReactionsLeaveTheBudgetAlone(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "one")
	w.settle()
	w.after(2 * time.Minute)
	one := w.message(w.tg.Chat(7), "one")
	w.tg.Flood(emulator.Fault{Method: "setMessageReaction", Count: -1}, 3)
	w.tg.React(7, one.ID, "👍")
	w.settle()
	w.after(2 * time.Second)
	w.tg.Say(8, "hello")
	w.settle()
	w.after(5 * time.Second)
	w.wantTopic(w.thread("User 8"), "hello")
}

func TestReactionsKeepAPace(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	var said []int
	for i := range 15 {
		said = append(said, w.tg.Say(7, fmt.Sprint(i)))
	}
	w.settle()
	w.after(2 * time.Minute)
	w.tg.ResetCalls()
	for second := range 60 {
		for _, m := range said {
			w.tg.React(7, m, []string{"👍", "❤"}[second%2])
		}
		w.settle()
		w.after(time.Second)
	}
	if n := w.tried("setMessageReaction"); n > 120 {
		t.Errorf("one person made %d calls in a minute by reacting", n)
	}
}
