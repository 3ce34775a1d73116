package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/emulator"
)

const (
	saysBlocked     = "Not delivered: this person has blocked the bot."
	saysDeactivated = "Not delivered: this person's account no longer exists."
	saysNotStarted  = "Not delivered: this person has not started the bot, and a bot may not write first."
	saysVoice       = "Not delivered: this person's privacy settings allow no voice or video messages. Please write or send a file instead."
	saysAfterAll    = "This message has now been delivered."
)

// H12: what does not reach the person is said under the admin's message, with the reason and, where it can help, a button.
func TestWhatDoesNotArriveIsSaidUnderTheMessage(t *testing.T) {
	for _, c := range []struct {
		name    string
		happens func(*world)
		says    string
		button  bool
		card    string
		mark    db.Unreachable
	}{
		{"blocked", func(w *world) { w.tg.Block(7) }, saysBlocked, true, "🔕 Has blocked the bot", db.Blocked},
		{"blocked unseen", func(w *world) {
			w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 403, "Forbidden: bot was blocked by the user")
		}, saysBlocked, true, "🔕 Has blocked the bot", db.Blocked},
		{"account deleted", func(w *world) { w.tg.Deactivate(7) }, saysDeactivated, false, "This account no longer exists", db.Deactivated},
		{"never started", func(w *world) {
			w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 403, "Forbidden: bot can't initiate conversation with a user")
		}, saysNotStarted, false, "", db.NotStarted},
		{"no such chat", func(w *world) {
			w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: 7}, 400, "Bad Request: chat not found")
		}, saysNotStarted, false, "", db.NotStarted},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, thread := met(t)
			c.happens(w)
			msg := w.tg.Post(admin, thread, "are you there?")
			w.after(5 * time.Second)
			w.wantTopic(thread, "hello", "are you there?", c.says)
			notice := last(t, w.tg.Topic(thread))
			if notice.ReplyTo != msg || (len(notice.Buttons) > 0) != c.button {
				t.Errorf("the notice replies to %d with %d buttons", notice.ReplyTo, len(notice.Buttons))
			}
			if u, _ := w.user(7); u.Unreachable != c.mark {
				t.Errorf("remembered as %q", u.Unreachable)
			}
			if got := w.card(thread).Text; !strings.HasSuffix(got, c.card) {
				t.Errorf("the card shows %q", got)
			}
			if n := len(w.ledger(7)); n != 1 {
				t.Errorf("the ledger has %d rows", n)
			}
		})
	}
}

// The relay rules: privacy that allows no voice messages is told, and says nothing about the person's reach.
func TestForbiddenVoiceIsTold(t *testing.T) {
	w, thread := met(t)
	w.tg.ForbidVoice(7)
	voice := w.tg.PostContent(admin, thread, emulator.Voice(""))
	w.tg.PostContent(admin, thread, emulator.VideoNote())
	w.tg.Post(admin, thread, "then in writing")
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "", "", "then in writing", saysVoice, saysVoice)
	w.wantChat(7, "hello", "then in writing")
	notices := texts(w.tg.Topic(thread))
	if u, _ := w.user(7); u.Unreachable != db.Reachable || len(notices) != 6 {
		t.Errorf("marked as %q", u.Unreachable)
	}
	for _, m := range w.tg.Topic(thread) {
		if m.Text == saysVoice && (len(m.Buttons) != 0 || m.ReplyTo < voice) {
			t.Errorf("the notice %+v", m)
		}
	}
}

// blocked is a world in which person 7 has blocked the bot and an admin has met with that.
func blocked(t *testing.T, change ...func(*world)) (w *world, thread int, notice emulator.Message) {
	t.Helper()
	w, thread = met(t, change...)
	w.tg.Block(7)
	w.tg.Post(admin, thread, "are you there?")
	w.after(5 * time.Second)
	return w, thread, last(t, w.tg.Topic(thread))
}

// Try again works once the reason is gone; the notice becomes the outcome.
func TestTryAgainDelivers(t *testing.T) {
	w, thread, notice := blocked(t)
	w.tg.Unblock(7)
	query := w.tg.Press(admin2, w.tg.Group(), notice.ID, w.again(notice))
	w.after(5 * time.Second)
	w.wantToast(query, "Trying again…")
	w.wantChat(7, "hello", "are you there?")
	w.wantTopic(thread, "hello", "are you there?", saysAfterAll)
	if m := last(t, w.tg.Topic(thread)); len(m.Buttons) != 0 {
		t.Errorf("buttons %+v", m.Buttons)
	}
	if rows := w.ledger(7); len(rows) != 2 || rows[1].Direction != db.Out {
		t.Errorf("ledger %+v", rows)
	}
}

// In vain it says so in the same notice, and may be pressed again.
func TestTryAgainInVainSaysSoInTheSameNotice(t *testing.T) {
	w, thread, notice := blocked(t)
	for range 3 {
		w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
		w.after(5 * time.Second)
		w.wantTopic(thread, "hello", "are you there?", saysBlocked)
		notice = last(t, w.tg.Topic(thread))
	}
	w.tg.Unblock(7)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "are you there?")
	w.wantTopic(thread, "hello", "are you there?", saysAfterAll)
}

// Two presses are one try.
func TestTryAgainWorksOnce(t *testing.T) {
	w, thread, notice := blocked(t)
	data := w.again(notice)
	w.tg.Unblock(7)
	w.tg.Press(admin, w.tg.Group(), notice.ID, data)
	second := w.tg.Press(admin2, w.tg.Group(), notice.ID, data)
	w.after(5 * time.Second)
	third := w.tg.Press(admin2, w.tg.Group(), notice.ID, data)
	w.settle()
	w.wantToast(second, "This button is no longer in use.")
	w.wantToast(third, "This button is no longer in use.")
	w.wantChat(7, "hello", "are you there?")
	w.wantTopic(thread, "hello", "are you there?", saysAfterAll)
}

// Only the team may press; everybody gets an answer.
func TestTryAgainIsForTheTeam(t *testing.T) {
	w, thread, notice := blocked(t)
	w.tg.Unblock(7)
	data := w.again(notice)
	query := w.tg.Press(outsider, w.tg.Group(), notice.ID, data)
	w.after(5 * time.Second)
	w.wantToast(query, "This button is for the team.")
	w.wantTopic(thread, "hello", "are you there?", saysBlocked)
	w.wantChat(7, "hello")
}

// A person cannot press what the team was offered, not even with the right data. Promise 7
func TestAPersonCannotPressTheTeamsButton(t *testing.T) {
	w, _, notice := blocked(t)
	data := w.again(notice)
	w.tg.Say(8, "hello")
	w.tg.Unblock(7)
	w.settle()
	for _, user := range []int64{7, 8} {
		query := w.tg.Press(user, user, 1, data)
		w.settle()
		w.wantToast(query, "This button is no longer in use.")
	}
	w.wantChat(7, "hello")
	w.wantChat(8, "hello")
}

// B9: a press with the data of nobody is answered and does nothing.
func TestEveryPressIsAnswered(t *testing.T) {
	w, thread := met(t)
	for _, data := range []string{"", "x", "r:", "r:x", "r:-1", "r:1", "r:999999", "r:9223372036854775808", "v:3", "b:y|1", "d:yes|7|2|1", "r:1|2"} {
		for _, place := range []int64{7, w.tg.Group()} {
			who := int64(7)
			if place < 0 {
				who = admin
			}
			query := w.tg.Press(who, place, 3, data)
			w.settle()
			if n := len(w.tg.Answers(query)); n != 1 {
				t.Errorf("%q pressed in %d was answered %d times", data, place, n)
			}
		}
	}
	w.wantTopic(thread, "hello")
	w.wantChat(7, "hello")
}

// A press is answered in the presser's language when it is a person's, and never later than it helps.
func TestALatePressIsNotAnswered(t *testing.T) {
	w, _ := met(t)
	w.tg.Down(true)
	query := w.tg.Press(7, 7, 1, "x")
	w.intake()
	w.after(minute)
	w.tg.Down(false)
	w.after(minute)
	if n := len(w.tg.Answers(query)); n != 0 {
		t.Errorf("answered %d times", n)
	}
	if got := w.column("SELECT count(*) FROM outbox WHERE kind = 'answer_press' AND state IN ('owed', 'sending')"); got != "0" {
		t.Errorf("%s answers are still owed", got)
	}
}

// The mark goes from the card when the person writes again, or lets the bot in again.
func TestTheMarkGoesWhenThePersonIsBack(t *testing.T) {
	for name, back := range map[string]func(*world){
		"writes":   func(w *world) { w.tg.Say(7, "sorry") },
		"unblocks": func(w *world) { w.tg.Unblock(7) },
	} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t)
			w.tg.Block(7)
			w.after(5 * time.Second)
			if got := w.card(thread).Text; !strings.HasSuffix(got, "🔕 Has blocked the bot") {
				t.Fatalf("the card shows %q", got)
			}
			back(w)
			w.after(5 * time.Second)
			if got := w.card(thread).Text; !strings.HasSuffix(got, "Not verified") {
				t.Errorf("the card shows %q", got)
			}
			if u, _ := w.user(7); u.Unreachable != db.Reachable {
				t.Errorf("marked as %q", u.Unreachable)
			}
		})
	}
}

// A stranger who only blocks the bot leaves no trace.
func TestAStrangersBlockLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	w.tg.Block(9)
	w.settle()
	w.tg.Unblock(9)
	w.settle()
	if _, found := w.user(9); found || len(w.tg.Topics()) != 0 {
		t.Error("a person was made")
	}
}

// The topic vanished before the failure could be told: General hears of it, may press there, and reads the outcome there.
func TestAFailureWithoutTopicIsToldAndEndedInGeneral(t *testing.T) {
	w, thread := met(t)
	w.tg.Block(7)
	w.tg.Post(admin, thread, "are you there?")
	w.intake()
	w.tg.DeleteTopic(thread)
	w.after(5 * time.Second)
	w.wantGeneral("About a message to User 7 (7):\n" + saysBlocked)
	notice := last(t, w.tg.General())
	w.tg.Unblock(7)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.after(5 * time.Second)
	if got := last(t, w.tg.General()).Text; strings.HasPrefix(got, "Trying again") {
		t.Errorf("General still shows %q", got)
	}
}

// G11: a topic that vanishes twice under one message: the person and General are told, and General's button works.
func TestATopicGoneTwiceIsToldAndMayBeTriedAgain(t *testing.T) {
	w, _ := met(t)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2}, 400, "Bad Request: message thread not found")
	msg := w.tg.Say(7, "anybody?")
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "anybody?", "Sorry, your message could not be delivered to the team…")
	if got := last(t, w.tg.Chat(7)); got.ReplyTo != msg {
		t.Errorf("the notice replies to %d", got.ReplyTo)
	}
	w.wantGeneral("The topic of User 7 (7) vanished twice…")
	notice := last(t, w.tg.General())
	query := w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.after(5 * time.Second)
	w.wantToast(query, "Trying again…")
	w.wantTopic(w.topicOf(7), "anybody?")
	w.wantGeneral(saysAfterAll)
	w.wantChat(7, "hello", "anybody?", "Sorry, your message could not be delivered to the team…")
}

// A person's message in doubt twice is reported to them; their button sends it once more, and only theirs.
func TestAPersonMayTryAgain(t *testing.T) {
	w, thread := met(t)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2})
	w.tg.Say(7, "anybody?")
	w.after(minute)
	w.wantTopic(thread, "hello")
	w.wantChat(7, "hello", "anybody?", "Your message may not have reached the team…")
	notice := last(t, w.tg.Chat(7))
	data := w.again(notice)
	query := w.tg.Press(8, 8, notice.ID, data)
	w.settle()
	w.wantToast(query, "This button is no longer in use.")
	w.tg.Press(7, 7, notice.ID, data)
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "anybody?")
	w.wantChat(7, "hello", "anybody?", saysAfterAll)
}

// The person's button is of no group: it works after the group has another id.
func TestAPersonMayTryAgainAfterTheGroupMoved(t *testing.T) {
	w, _ := met(t, generous)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2})
	w.tg.Say(7, "anybody?")
	w.after(minute)
	w.tg.MigrateGroup(newGroup)
	w.after(minute)
	if said := w.pressAgain(7, 7, last(t, w.tg.Chat(7))); said != "Trying again…" {
		t.Errorf("the presser reads %q", said)
	}
	w.after(5 * time.Second)
	w.wantTopic(w.thread("User 7"), "anybody?")
	w.wantChat(7, "hello", "anybody?", saysAfterAll)
}

// The notice in which the outcome was to stand is gone: then it is said anew, under the message.
func TestASecondFailureIsToldThoughTheNoticeWasDeleted(t *testing.T) {
	w, thread, notice := blocked(t)
	w.tg.DeletePost(notice.ID)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "are you there?", saysBlocked)
	second := last(t, w.tg.Topic(thread))
	if second.ID == notice.ID || second.ReplyTo != notice.ReplyTo {
		t.Errorf("the notice is %+v", second)
	}
	w.tg.Unblock(7)
	w.tg.Press(admin, w.tg.Group(), second.ID, w.again(second))
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "are you there?")
	w.wantTopic(thread, "hello", "are you there?", saysAfterAll)
}

// A notice is all that the admin learns by: it is not given up, however long Telegram does not take it.
func TestAFailureIsToldHoweverLongTelegramTakesNoNotice(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Block(7)
	w.after(minute)
	w.tg.BadGateway(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group(), Count: -1})
	w.tg.Post(admin, thread, "are you there?")
	w.settle()
	w.after(3 * time.Hour)
	if n := w.tried("sendMessage"); n < 10 {
		t.Fatalf("in three hours it was tried %d times: the story is about more than the tries that count", n)
	}
	w.tg.Heal()
	w.after(time.Hour)
	w.wantTopic(thread, "hello", "are you there?", saysBlocked)
}

// D1: the gate of the banned holds for a further try as well.
func TestTryAgainDoesNotPassTheBan(t *testing.T) {
	w, thread := met(t)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessage", Chat: w.tg.Group(), Count: 2})
	w.tg.Say(7, "abuse")
	w.after(minute)
	notice := last(t, w.tg.Chat(7))
	w.ban(7, true)
	w.after(10 * time.Second)
	if said := w.pressAgain(7, 7, notice); said != "This button is no longer in use." {
		t.Errorf("the presser reads %q", said)
	}
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello")
	w.ban(7, false)
	w.pressAgain(7, 7, notice)
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "abuse")
}

// Who blocks and unblocks all day costs the group two edits of the card a minute at most, and the last state stands in the end.
func TestBlockingAndUnblockingAllDayCostsLittle(t *testing.T) {
	w, thread := met(t)
	w.after(3 * minute)
	w.tg.ResetCalls()
	for range 30 {
		w.tg.Block(7)
		w.after(4 * time.Second)
		w.tg.Unblock(7)
		w.after(4 * time.Second)
	}
	if n := w.count("editMessageText"); n > 2*5 {
		t.Errorf("the card was edited %d times in 4 min", n)
	}
	w.tg.Block(7)
	w.after(2 * minute)
	if got := w.card(thread).Text; !strings.HasSuffix(got, "🔕 Has blocked the bot") {
		t.Errorf("in the end the card shows %q", got)
	}
}

// What we have no words for is told in Telegram's; that a message of this kind cannot be copied is told by its kind.
func TestARefusalIsToldInTelegramsWordsOrByKind(t *testing.T) {
	const kind = "Not delivered: Telegram does not let a message of this kind (dice) be copied. Please send it another way."
	for said, c := range map[string]struct {
		reads  string
		button bool
	}{
		"Bad Request: something that nobody has seen yet": {"Not delivered. Telegram says: Bad Request: something that nobody has seen yet", true},
		"Bad Request: PEER_FLOOD":                         {"Not delivered. Telegram says: Bad Request: PEER_FLOOD", true},
		"Bad Request: the message can't be copied":        {kind, false},
		"Bad Request: message to copy not found":          {kind, false},
	} {
		t.Run(said, func(t *testing.T) {
			w, thread := met(t)
			w.tg.Refuse(emulator.Fault{Chat: 7, Count: -1}, 400, said)
			msg := w.tg.PostContent(admin, thread, emulator.Dice())
			w.after(5 * time.Second)
			notice := last(t, w.tg.Topic(thread))
			if notice.Text != c.reads || notice.ReplyTo != msg || (len(notice.Buttons) > 0) != c.button {
				t.Errorf("the admin reads %q in reply to %d, with %d buttons", notice.Text, notice.ReplyTo, len(notice.Buttons))
			}
		})
	}
}

// Edits that change nothing cost the group's budget as much as others do.
func TestBlockingAndUnblockingAllDayCostsFewCalls(t *testing.T) {
	w, _ := met(t)
	w.after(3 * minute)
	w.tg.ResetCalls()
	for range 30 {
		w.tg.Block(7)
		w.after(4 * time.Second)
		w.tg.Unblock(7)
		w.after(4 * time.Second)
	}
	if n := w.tried("editMessageText"); n > 2*5 {
		t.Errorf("the card was edited %d times in 4 min", n)
	}
}

// A second failure is told in the notice of the first, which must not be given up either.
func TestASecondFailureIsToldHoweverLongTelegramTakesNoEdit(t *testing.T) {
	w, thread, notice := blocked(t, generous)
	w.tg.Flood(emulator.Fault{Method: "copyMessage"}, 60)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.settle()
	w.wantTopic(thread, "hello", "are you there?", "Trying again…")
	w.tg.BadGateway(emulator.Fault{Method: "editMessageText", Chat: w.tg.Group(), Count: -1})
	w.after(3 * time.Hour)
	w.tg.Heal()
	w.after(time.Hour)
	w.wantTopic(thread, "hello", "are you there?", saysBlocked)
}

// Or fault_group_test.go: the outcome is on its way into the notice when the group moves.
func TestFaultSecondFailureOwedWhenTheGroupMovedIsTold(t *testing.T) {
	w, _, notice := blocked(t, generous)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.tg.Flood(emulator.Fault{Method: "editMessageText", Chat: w.tg.Group()}, 30)
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.after(5 * minute)
	if got := strings.Join(w.general(), "|"); !strings.Contains(got, saysBlocked) {
		t.Errorf("nobody is told; General shows %q", got)
	}
}
