package bot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, the row of 429.

func TestFaultFloodWaitOfOneChatLeavesTheOthersAlone(t *testing.T) {
	w := newWorld(t)
	one, two := w.talk(7), w.talk(8)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.Post(admin, one, "for seven")
	w.tg.Post(admin, two, "for eight")
	w.settle()
	w.wantChat(8, "hello", "for eight")
	w.tg.Say(7, "are you there?")
	w.after(28 * time.Second)
	w.wantTopic(one, "hello", "for seven", "are you there?")
	w.wantChat(7, "hello", "are you there?")
	if n := w.triedIn("copyMessage", 7); n != 1 {
		t.Errorf("chat 7 was tried %d times before its rest was over", n)
	}
	w.after(3 * time.Second)
	w.wantChat(7, "hello", "are you there?", "for seven")
}

func TestFaultFloodWaitRestsOneFamilyOfMethodsOnly(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 60)
	w.tg.Know(emulator.Person{ID: 7, FirstName: "Ada"})
	w.tg.Say(7, "my name changed")
	w.after(30 * time.Second) // edits wait for tokens: the 429 has emptied the bucket
	if name := w.tg.Topics()[0].Name; name != "Ada" {
		t.Errorf("the topic is still called %q: sends rest, edits need not", name)
	}
	if m := w.message(w.tg.Topic(thread), "👤"); !m.Edited {
		t.Error("the card was not edited while only sends rest")
	}
	w.wantTopic(thread, "hello")
	w.tg.Say(8, "hi") // topic creation is another family still, and the card is a send
	w.after(25 * time.Second)
	w.wantDone("createForumTopic", 2)
	w.wantDone("sendMessage", 1)
	w.after(20 * time.Second)
	w.wantTopic(thread, "hello", "my name changed")
	w.wantTopic(w.thread("User 8"), "hi")
}

func TestFaultFloodWaitOfASecondFamilyRestsTheChat(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	group := w.tg.Group()
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: group}, 60)
	w.tg.Flood(emulator.Fault{Method: "editMessageText", Chat: group}, 90)
	w.tg.Say(7, "wait for it")
	w.settle()
	w.owe(desk.RefreshCard{User: 7})
	w.after(5 * time.Second)
	w.wantTried("editMessageText", 1)
	before := len(w.tg.Calls())
	old := w.tg.Post(admin, 0, "to be removed")
	w.owe(desk.DeleteMessage{From: desk.GeneralLane(), Message: desk.MessageID(old)}, desk.OpenTopic{User: 7},
		desk.Say{To: desk.GeneralLane()})
	w.tg.Post(admin, thread, "people are not of that chat")
	w.tg.Say(8, "hi")
	w.after(80 * time.Second)
	for _, c := range w.tg.Calls()[before:] {
		if c.Params["chat_id"] == fmt.Sprint(group) && c.Method != "getChat" {
			t.Errorf("%s went into the group while it rests", c.Method)
		}
	}
	w.wantChat(7, "hello", "wait for it", "people are not of that chat")
	w.after(30 * time.Second)
	w.wantTopic(thread, "hello", "people are not of that chat", "wait for it")
	if got := w.general(); slices.Contains(got, "to be removed") {
		t.Errorf("General still shows %q", got)
	}
}

func TestFaultFloodWaitsOfTwoChatsWithinFiveSecondsRestEverything(t *testing.T) {
	w := newWorld(t)
	one, two, three := w.talk(7), w.talk(8), w.talk(9)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 8}, 40)
	w.tg.Post(admin, one, "for seven")
	w.settle()
	w.after(4 * time.Second)
	w.tg.Post(admin, two, "for eight")
	w.settle()
	w.tg.ResetCalls()
	w.tg.Post(admin, three, "for nine")
	w.tg.Say(9, "anybody?")
	query := w.tg.Press(9, 9, 1, "x")
	w.after(39 * time.Second)
	for _, c := range w.tg.Calls() {
		if c.Method != "getChat" && c.Method != "getMe" && c.Method != "answerCallbackQuery" {
			t.Errorf("%s while everything rests", c.Method)
		}
	}
	if len(w.tg.Answers(query)) != 1 {
		t.Error("a press waits for no rest")
	}
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "for seven")
	w.wantChat(8, "hello", "for eight")
	w.wantChat(9, "hello", "anybody?", "for nine")
	w.wantTopic(three, "hello", "for nine", "anybody?")
}

func TestFaultFloodWaitsOfTwoChatsFarApartRestThoseTwoOnly(t *testing.T) {
	w := newWorld(t)
	one, two, three := w.talk(7), w.talk(8), w.talk(9)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 8}, 40)
	w.tg.Post(admin, one, "for seven")
	w.settle()
	w.after(6 * time.Second)
	w.tg.Post(admin, two, "for eight")
	w.settle()
	w.tg.Post(admin, three, "for nine")
	w.settle()
	w.wantChat(9, "hello", "for nine")
	w.wantChat(8, "hello")
}

// A press belongs to no chat (§3), so its 429 says nothing about chats.
func TestFaultFloodWaitOfAPressIsNoSecondChat(t *testing.T) {
	w := newWorld(t)
	one, two := w.talk(7), w.talk(8)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	w.tg.Flood(emulator.Fault{Method: "answerCallbackQuery"}, 30)
	w.tg.Post(admin, one, "for seven")
	w.settle()
	w.tg.Press(9, 9, 1, "x")
	w.settle()
	w.tg.Post(admin, two, "for eight")
	w.settle()
	w.wantChat(8, "hello", "for eight")
	w.wantTried("answerCallbackQuery", 1)
}

func TestFaultFloodDeadlineOutlivesARestart(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 300)
	w.tg.Say(7, "first")
	w.settle()
	w.after(10 * time.Second)
	w.restart()
	w.tg.ResetCalls()
	w.tg.Say(7, "second")
	w.tg.Say(8, "somebody else")
	w.after(285 * time.Second)
	w.wantTried("copyMessage", 0)
	w.wantTried("sendMessage", 0)
	w.after(20 * time.Second)
	w.wantTopic(thread, "hello", "first", "second")
	w.wantTopic(w.thread("User 8"), "somebody else")
}

// Two calls under way are refused, the second with the shorter wait: the longer one still holds after a restart.
func TestFaultLongerFloodDeadlineIsNotForgottenForAShorter(t *testing.T) {
	w := newWorld(t)
	one, two := w.talk(7), w.talk(8)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 300)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 5)
	w.tg.Say(7, "seven")
	w.tg.Say(8, "eight")
	w.settle()
	w.wantTried("copyMessage", 4)
	w.after(10 * time.Second)
	w.restart()
	w.after(280 * time.Second)
	w.wantTried("copyMessage", 4)
	w.after(20 * time.Second)
	w.wantTopic(one, "hello", "seven")
	w.wantTopic(two, "hello", "eight")
}

func TestFaultFloodIsNeverCountedAsATry(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7, Count: 20}, 2)
	w.tg.Post(admin, thread, "patience")
	w.settle()
	if row := w.owedOf("relay_to_user"); row.Attempts != 0 || row.Doubts != 0 {
		t.Errorf("after a 429: %d attempts, %d doubts", row.Attempts, row.Doubts)
	}
	w.after(70 * time.Second)
	w.wantChat(7, "hello", "patience")
	w.wantTopic(thread, "hello", "patience")
	if n := w.triedIn("copyMessage", 7); n != 21 {
		t.Errorf("%d tries, want 21", n)
	}
}

func TestFaultFloodEmptiesTheBucket(t *testing.T) {
	w := newWorld(t)
	threads := map[int64]int{7: w.talk(7), 8: w.talk(8)}
	w.after(time.Minute) // the bucket is full again
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group()}, 1)
	w.tg.Say(7, "0")
	w.settle()
	for i := 1; i < 10; i++ {
		w.tg.Say(7, fmt.Sprint(i))
	}
	before := w.count("copyMessage")
	w.after(10 * time.Second)
	if n := w.count("copyMessage") - before; n < 1 || n > 4 {
		t.Errorf("%d messages within 10 s of a 429; an empty bucket of 20 a minute gives 3", n)
	}
	w.after(time.Minute)
	want := []string{"hello", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	if got := w.topicTexts(threads[7]); !slices.Equal(got, want) {
		t.Errorf("the topic shows %q", got)
	}
}

// "A 429 that does not say how long" still rests.
func TestFaultFloodWithoutANumberStillRests(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 429, "Too Many Requests")
	w.tg.Post(admin, thread, "hm")
	w.settle()
	w.after(2 * time.Second)
	w.wantChat(7, "hello")
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "hm")
}

// A pin takes no token and is no send, and still waits as long as Telegram says.
func TestFaultFloodWaitOfAPinIsObeyed(t *testing.T) {
	w := newWorld(t)
	w.tg.Flood(emulator.Fault{Method: "pinChatMessage", Count: 3}, 30)
	thread := w.talk(7)
	w.after(28 * time.Second)
	w.wantTried("pinChatMessage", 1)
	w.after(70 * time.Second)
	w.wantTried("pinChatMessage", 4)
	w.card(thread)
}
