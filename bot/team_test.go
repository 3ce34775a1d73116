package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// H1, H2: the team named in the configuration answers; others in the group only talk.
func TestOnlyTheTeamAnswers(t *testing.T) {
	w, thread := met(t)
	w.tg.Promote(outsider) // an administrator of the group, which means nothing here
	w.tg.Post(admin, thread, "from the first")
	w.tg.Post(outsider, thread, "is he nuts?")
	w.tg.Post(admin2, thread, "from the second")
	w.settle()
	w.wantChat(7, "hello", "from the first", "from the second")
	w.wantTopic(thread, "hello", "from the first", "is he nuts?", "from the second")
	rows := w.ledger(7)
	if len(rows) != 3 || rows[1].Direction != db.Out || rows[2].Direction != db.Out {
		t.Errorf("ledger %+v", rows)
	}
}

// With group_admins the administrators of the group are team, from the moment they are told of until they are demoted.
func TestGroupAdministratorsAnswerIfTheOperatorSaysSo(t *testing.T) {
	w, thread := met(t, withGroupAdmins)
	w.tg.Post(outsider, thread, "not yet")
	w.tg.Promote(outsider)
	w.tg.Post(outsider, thread, "as administrator")
	w.tg.PostAnonymously(thread, "as somebody")
	w.settle()
	w.restart()
	w.tg.Post(outsider, thread, "after a restart")
	w.tg.Demote(outsider)
	w.tg.Post(outsider, thread, "not any more")
	w.tg.Promote(outsider)
	w.tg.Leave(outsider)
	w.settle()
	w.tg.Post(outsider, thread, "only a member again")
	w.tg.Post(admin, thread, "named")
	w.settle()
	w.wantChat(7, "hello", "as administrator", "as somebody", "after a restart", "named")
}

// An anonymous administrator who may not answer is told so, once an hour in each topic: he believes that he answers.
func TestAnAnonymousAdministratorIsToldWhyNothingArrives(t *testing.T) {
	w, thread := met(t)
	w.tg.Say(8, "hello")
	w.settle()
	msg := w.tg.PostAnonymously(thread, "one")
	w.settle()
	if got := last(t, w.tg.Topic(thread)).ReplyTo; got != msg {
		t.Errorf("the line replies to %d", got)
	}
	w.tg.PostAnonymously(thread, "two")
	w.tg.PostAnonymously(thread, "/help")
	w.tg.PostAnonymously(w.topicOf(8), "elsewhere")
	w.settle()
	w.after(59 * minute)
	w.wantTopic(thread, "hello", "one", saysAnonymous, "two", "/help")
	w.wantTopic(w.topicOf(8), "hello", "elsewhere", saysAnonymous)
	w.after(minute)
	w.tg.PostAnonymously(thread, "three")
	w.settle()
	w.wantTopic(thread, "hello", "one", saysAnonymous, "two", "/help", "three", saysAnonymous)
	w.wantChat(7, "hello")
}

// H3, I12: an outsider's command gets one line, at most one a minute per topic; his text nothing.
func TestAnOutsidersCommandGetsOneLineAMinute(t *testing.T) {
	w, thread := met(t)
	w.tg.Say(8, "hello")
	w.settle()
	w.tg.Post(outsider, thread, "/ban")
	w.tg.Post(outsider, thread, "/help")
	w.tg.Post(outsider, thread, "what?")
	w.tg.Post(outsider, w.topicOf(8), "/nonsense")
	w.settle()
	w.after(59 * time.Second)
	w.wantTopic(thread, "hello", "/ban", "/help", "what?", saysAdmins)
	w.wantTopic(w.topicOf(8), "hello", "/nonsense", saysAdmins)
	w.after(time.Second)
	w.tg.Post(outsider, thread, "/ban")
	w.settle()
	w.wantTopic(thread, "hello", "/ban", "/help", "what?", saysAdmins, "/ban", saysAdmins)
	w.wantChat(7, "hello")
	if u, _ := w.user(7); u.Banned {
		t.Error("banned by an outsider")
	}
}

// Nobody writes to people as a channel, and General goes nowhere. A7
func TestChannelsAndGeneralAreNeverRelayed(t *testing.T) {
	w, thread := met(t, withGroupAdmins)
	w.tg.ResetCalls()
	w.tg.PostAsChannel(thread, "buy now")
	w.tg.Post(admin, 0, "lunch?")
	w.tg.PostAnonymously(0, "yes")
	w.tg.PostAsChannel(0, "/help")
	w.tg.Inject(`{"message":{"message_id":70001,"date":1767323045,"chat":{"id":-1001234567890,"title":"Support","type":"supergroup","is_forum":true},` +
		`"from":{"id":100,"is_bot":false,"first_name":"B"},"message_thread_id":` + itoa(thread) + `,"text":"a chain of replies in General"}}`)
	w.settle()
	w.wantChat(7, "hello")
	if calls := w.intoGroup(); len(calls) != 0 {
		t.Errorf("the group was called: %q", calls)
	}
}

// The team talks among itself behind "//", in a caption too.
func TestTeamTalkStaysInTheTopic(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "// he is lying")
	w.tg.Post(admin2, thread, "//agreed")
	w.tg.Post(outsider, thread, "//me too")
	w.tg.Post(admin, thread, "a / b // c")
	w.settle()
	w.wantChat(7, "hello", "a / b // c")
	w.wantTopic(thread, "hello", "// he is lying", "//agreed", "//me too", "a / b // c")
}

func TestTeamTalkMayBeACaption(t *testing.T) {
	w, thread := met(t)
	w.tg.PostContent(admin, thread, emulator.Photo("// look at this liar"))
	w.settle()
	w.wantChat(7, "hello")
}

// I1–I3, I10–I12, A7: commands by place. One reply where it was asked, nothing in private, nothing in the ledger.
func TestCommandsAreAnsweredWhereTheyStand(t *testing.T) {
	for _, c := range []struct{ name, command, topic, unbound, general string }{
		{"help", "/help", saysHelp, saysHelp, saysHelp},
		{"for us, with more", "/help@Hodor_Test_Bot now", saysHelp, saysHelp, saysHelp},
		{"for another bot", "/help@other_bot", "", "", ""},
		{"unknown", "/foo", saysUnknown, saysUnknown, ""},
		{"bare", "/", saysUnknown, saysUnknown, ""},
		{"start", "/start", saysUnknown, saysUnknown, ""},
		{"a look-alike", "/helpx", saysUnknown, saysUnknown, ""},
		{"in capitals", "/HELP", saysUnknown, saysUnknown, ""},
		{"unknown, for another bot", "/foo@other_bot", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, thread := met(t)
			plans := w.tg.OpenTopic(admin, "Plans")
			said := func(answer string) []string {
				if answer == "" {
					return []string{c.command}
				}
				return []string{c.command, answer}
			}
			for _, place := range []int{thread, plans, 0} {
				w.tg.Post(admin, place, c.command)
				w.settle()
			}
			w.wantTopic(thread, append([]string{"hello"}, said(c.topic)...)...)
			w.wantTopic(plans, said(c.unbound)...)
			w.wantGeneral(said(c.general)...)
			w.wantChat(7, "hello")
			if n := len(w.ledger(7)); n != 1 {
				t.Errorf("the ledger has %d rows", n)
			}
		})
	}
}

// I3: also in a closed topic.
func TestHelpInAClosedTopic(t *testing.T) {
	w, thread := met(t, likeTelegram)
	w.tg.CloseTopic(admin, thread)
	w.tg.Post(admin, thread, "/help")
	w.settle()
	w.wantTopic(thread, "hello", "/help", saysHelp)
	if !w.tg.Topics()[0].Closed {
		t.Error("the topic was reopened")
	}
}

// The answer to /help names every command of the menu.
func TestHelpNamesWhatThereIs(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "/help")
	w.settle()
	help := last(t, w.tg.Topic(thread)).Text
	for _, part := range []string{"/help", "//", "goes to the person"} {
		if !strings.Contains(help, part) {
			t.Errorf("%q does not speak of %s", help, part)
		}
	}
}

// H4–H6: in a topic that no person has, plain text is answered once a day, and commands always.
func TestATopicWithoutPersonSaysSoOnceADay(t *testing.T) {
	w, _ := met(t)
	plans := w.tg.OpenTopic(admin, "Plans")
	w.tg.Post(outsider, plans, "hey")
	w.tg.Post(admin, plans, "what shall we do?")
	w.tg.Post(admin2, plans, "no idea")
	w.tg.Post(admin, plans, "/help")
	w.tg.Post(admin, plans, "/help")
	w.settle()
	w.after(23 * time.Hour)
	w.tg.Post(admin, plans, "still the same day")
	w.settle()
	w.wantTopic(plans, "hey", "what shall we do?", "no idea", "/help", "/help", saysNoPerson, saysHelp, saysHelp, "still the same day")
	w.after(time.Hour)
	w.tg.Post(admin, plans, "next day")
	w.settle()
	if got := last(t, w.tg.Topic(plans)).Text; !strings.HasPrefix(got, "No person belongs") {
		t.Errorf("the last line is %q", got)
	}
	w.wantChat(7, "hello")
}

// the contract: before Telegram has told our name, commands for somebody by name wait, and are judged then.
func TestCommandsForANameWaitUntilWeKnowOurs(t *testing.T) {
	for _, minutes := range []int{0, 1, 10} {
		t.Run(fmt.Sprint(minutes, " minutes"), func(t *testing.T) {
			w, thread := met(t)
			w.byHand("DELETE FROM bots")
			w.tg.Post(admin, thread, "/help@hodor_test_bot")
			w.tg.Post(admin, thread, "/help@other_bot")
			w.tg.Post(admin, thread, "meanwhile")
			w.settle()
			for range minutes {
				w.clock.Advance(minute)
				w.retry()
			}
			w.wantTopic(thread, "hello", "/help@hodor_test_bot", "/help@other_bot", "meanwhile")
			w.wantGeneral()
			w.change(7, func(tx *db.Tx) error {
				return tx.SetIdentity(db.Identity{Username: "hodor_test_bot", DisplayName: "H"})
			})
			w.retry()
			w.wantTopic(thread, "hello", "/help@hodor_test_bot", "/help@other_bot", "meanwhile", saysHelp)
			w.wantChat(7, "hello", "meanwhile")
		})
	}
}

// the product rules: an admin who writes to a banned person is reminded once a day; the message goes.
func TestWhoWritesToABannedPersonIsReminded(t *testing.T) {
	w, thread := met(t)
	w.ban(7, true)
	w.tg.Post(admin, thread, "last words")
	w.tg.Post(admin2, thread, "mine too")
	w.settle()
	reminder := "User 7 is banned: they can read you, but what they answer is not passed on."
	w.wantChat(7, "hello", "last words", "mine too")
	w.wantTopic(thread, "hello", "last words", "mine too", reminder)
	w.after(24 * time.Hour)
	w.tg.Post(admin, thread, "really")
	w.settle()
	w.wantTopic(thread, "hello", "last words", "mine too", reminder, "really", reminder)
}

// An admin may be somebody's customer too: what he writes in private is a message like any.
func TestAnAdminInPrivateIsAPersonLikeAny(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(admin, "/help")
	w.settle()
	thread := w.topicOf(admin)
	w.wantTopic(thread, "/help")
	w.tg.Post(admin, thread, "talking to myself")
	w.settle()
	w.wantChat(admin, "/help", "talking to myself")
}

// Archived or banned, a person is answered as long as the topic is open. H: reference §10
func TestTheTeamMayAnswerAnybodyWhoseTopicIsOpen(t *testing.T) {
	w, thread := met(t)
	w.byHand("UPDATE users SET status = 'deleted'")
	w.tg.Post(admin, thread, "bye")
	w.settle()
	w.wantChat(7, "hello", "bye")
	if rows := w.ledger(7); rows[1].InGroup == 0 || rows[1].InPrivate != desk.MessageID(last(t, w.tg.Chat(7)).ID) {
		t.Errorf("ledger %+v", rows)
	}
}
