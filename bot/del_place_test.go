package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Where /del does nothing, and what it says there.

func TestDelNeedsAMessageThatStandsOnBothSides(t *testing.T) {
	for _, c := range []struct {
		name  string
		reply func(w *world, thread int) (to int)
		says  string
		stays []string
	}{
		{"no reply", func(*world, int) int { return 0 }, saysDelHow, nil},
		{"the card", func(w *world, thread int) int { return w.card(thread).ID }, saysDelUnknown, nil},
		{"team talk", func(w *world, thread int) int { return w.tg.Post(admin, thread, "// a liar") }, saysDelUnknown,
			[]string{"// a liar"}},
		{"a command", func(w *world, thread int) int { return w.tg.Post(admin, thread, "/foo") }, saysDelUnknown,
			[]string{"/foo", saysUnknown}},
		{"what an outsider said", func(w *world, thread int) int { return w.tg.Post(outsider, thread, "hm") }, saysDelUnknown,
			[]string{"hm"}},
		{"a notice", func(w *world, thread int) int {
			w.tg.ForbidVoice(7)
			w.tg.PostContent(admin, thread, emulator.Voice(""))
			w.settle()
			return last(w.t, w.tg.Topic(thread)).ID
		}, saysDelUnknown, []string{"", saysVoice}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, thread := met(t, generous)
			to := c.reply(w, thread)
			w.settle()
			command := 0
			if to == 0 {
				command = w.tg.Post(admin, thread, "/del")
				w.settle()
			} else {
				command = w.takesBack(thread, to)
			}
			w.wantTopic(thread, append(append([]string{"hello"}, c.stays...), "/del", c.says)...)
			if got := last(t, w.tg.Topic(thread)).ReplyTo; got != command {
				t.Errorf("the answer replies to %d", got)
			}
			w.wantChat(7, "hello")
			w.wantDone("deleteMessages", 0)
			w.card(thread)
		})
	}
}

// In General there is nothing to take back, and a topic that nobody has says so.
func TestDelWhereNobodyIs(t *testing.T) {
	w, thread := met(t)
	plans := w.tg.OpenTopic(admin, "Plans")
	in := w.tg.Post(admin, plans, "plan")
	general := w.tg.Post(admin, 0, "lunch?")
	w.settle()
	w.tg.PostReply(admin, 0, general, "/del")
	w.tg.Post(admin, 0, "/del")
	w.takesBack(plans, in)
	w.wantGeneral("lunch?", "/del", "/del")
	w.wantTopic(plans, "plan", saysNoPerson, "/del", saysNoPerson)
	w.wantTopic(thread, "hello")
	w.wantDone("deleteMessages", 0)
}

// A closed topic is no obstacle: the message goes, and the topic stays closed.
func TestDelInAClosedTopic(t *testing.T) {
	w, thread := met(t, likeTelegram)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.CloseTopic(admin, thread)
	w.takesBack(thread, msg)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	if !w.tg.Topics()[0].Closed {
		t.Error("the topic was reopened")
	}
}

func TestDelIsForTheTeam(t *testing.T) {
	w, thread := met(t)
	msg := w.tg.Post(admin, thread, "stays")
	w.settle()
	w.tg.PostReply(outsider, thread, msg, "/del")
	w.tg.PostAnonymousReply(thread, msg, "/del")
	w.settle()
	w.wantChat(7, "hello", "stays")
	w.wantTopic(thread, "hello", "stays", "/del", "/del", saysAdmins, saysAnonymous)
	w.wantDone("deleteMessages", 0)
}

func TestDelByAnAnonymousAdministratorWhoMay(t *testing.T) {
	w, thread := met(t, withGroupAdmins)
	msg := w.tg.PostAnonymously(thread, "oops")
	w.settle()
	w.wantChat(7, "hello", "oops")
	w.tg.PostAnonymousReply(thread, msg, "/del")
	w.settle()
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// What a person writes is no command, whoever they are.
func TestDelInPrivateIsAMessage(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	w.tg.Reply(7, last(t, w.tg.Chat(7)).ID, "/del")
	w.settle()
	w.wantTopic(thread, "hello", "an answer", "/del")
	w.wantChat(7, "hello", "an answer", "/del")
}

func TestDelIsHeardByItsName(t *testing.T) {
	for command, ours := range map[string]bool{"/del@hodor_test_bot": true, "/del@HODOR_TEST_BOT please": true, "/del now": true,
		"/del@other_bot": false, "/delete": false} {
		t.Run(command, func(t *testing.T) {
			w, thread := met(t)
			msg := w.tg.Post(admin, thread, "x")
			w.settle()
			w.tg.PostReply(admin, thread, msg, command)
			w.settle()
			if n := len(w.tg.Chat(7)); (n == 1) != ours {
				t.Errorf("%d messages are left", n)
			}
		})
	}
}

// The second of two who take the same message back at once finds nothing; no other message goes.
func TestDelTwice(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "before")
	msg := w.tg.Post(admin, thread, "oops")
	w.tg.Post(admin, thread, "after")
	w.settle()
	w.tg.PostReply(admin, thread, msg, "/del")
	w.tg.PostReply(admin2, thread, msg, "/del")
	w.after(5 * time.Second)
	w.wantChat(7, "hello", "before", "after")
	w.wantTopic(thread, "hello", "before", "after", "/del", saysDelUnknown)
}

// A try that got lost, a rest that Telegram asks for and a death on the way are nothing to the message: it goes in the end.
func TestDelGoesOnAfterAFault(t *testing.T) {
	on := emulator.Fault{Method: "deleteMessages"}
	for name, fault := range map[string]func(*world){
		"a lost answer":     func(w *world) { w.tg.LostReply(on) },
		"never carried out": func(w *world) { w.tg.ResetBefore(on) },
		"a bad gateway":     func(w *world) { w.tg.BadGateway(on) },
		"a flood wait":      func(w *world) { w.tg.Flood(on, 20) },
		"the line is down":  func(w *world) { w.tg.Down(true) },
	} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, generous)
			msg := w.tg.Post(admin, thread, "oops")
			w.settle()
			fault(w)
			w.takesBack(thread, msg)
			w.tg.Down(false)
			w.after(2 * minute)
			w.wantChat(7, "hello")
			w.wantTopic(thread, "hello")
			w.wantNothingOwed()
		})
	}
	for _, carriedOut := range []bool{true, false} {
		w, thread := met(t, generous, calm)
		msg := w.tg.Post(admin, thread, "oops")
		w.settle()
		w.tg.PostReply(admin, thread, msg, "/del")
		w.intake()
		w.dieDuring(on, carriedOut)
		w.after(minute)
		w.wantChat(7, "hello")
		w.wantTopic(thread, "hello")
	}
}

func TestDelOutlivesARestart(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "oops")
	w.settle()
	w.tg.PostReply(admin, thread, msg, "/del")
	w.intake()
	w.restart()
	w.settle()
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// Without the right to delete in the group the person's side goes all the same: that is what the admin wants most.
func TestDelWithoutTheRightToDeleteInTheGroup(t *testing.T) {
	w, thread := met(t)
	msg := w.tg.Post(admin, thread, "oops")
	w.tg.Say(7, "mine")
	w.settle()
	w.tg.SetRight("can_delete_messages", false)
	w.takesBack(thread, msg)
	w.takesBack(thread, w.inTopic(thread, "mine")) // this one the bot wrote itself
	w.wantChat(7, "hello")
	left := w.topicTexts(thread)
	if len(left) < 2 || left[0] != "hello" || left[1] != "oops" {
		t.Errorf("the topic shows %q", left)
	}
	w.wantNothingOwed()
	w.tg.Say(7, "go on")
	w.settle()
	if got := last(t, w.tg.Topic(thread)).Text; got != "go on" {
		t.Errorf("the topic ends with %q", got)
	}
}
