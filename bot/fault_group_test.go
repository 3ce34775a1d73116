package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, the rows about the group itself: refused rights, another id.

const newGroup = -1009876543210

// A trouble is something about the group, how it begins and ends.
type trouble struct {
	name       string
	begin, end func(*world)
	saying     string // what readiness names
	told       bool   // Telegram tells when it is over
}

func troubles() []trouble {
	right := func(name string, on bool) func(*world) { return func(w *world) { w.tg.SetRight(name, on) } }
	return []trouble{
		{"kicked", func(w *world) { w.tg.Kick() }, func(w *world) { w.tg.Readmit() }, "bot was kicked", true},
		{"no right to manage topics", right("can_manage_topics", false), right("can_manage_topics", true),
			"not enough rights to create a topic", true},
		{"no write access", right("can_send", false), right("can_send", true), "have no write access", true},
		{"chat not found", func(w *world) {
			w.tg.Refuse(emulator.Fault{Chat: w.tg.Group(), Count: -1}, 400, "Bad Request: chat not found")
		}, func(w *world) { w.tg.Heal() }, "chat not found", false},
		{"not a member", func(w *world) {
			w.tg.Refuse(emulator.Fault{Chat: w.tg.Group(), Count: -1}, 403, "Forbidden: bot is not a member of the supergroup chat")
		}, func(w *world) { w.tg.Heal() }, "not a member", false},
		{"deleted", func(w *world) {
			w.tg.Refuse(emulator.Fault{Chat: w.tg.Group(), Count: -1}, 403, "Forbidden: the group chat was deleted")
		}, func(w *world) { w.tg.Heal() }, "the group chat was deleted", false},
	}
}

func TestFaultGroupThatRefusesTheBotKeepsItsDebtsAndDelaysNobodyElse(t *testing.T) {
	for _, trouble := range troubles() {
		t.Run(trouble.name, func(t *testing.T) {
			w := newWorld(t)
			w.talk(8)
			w.ban(8, true)
			w.after(10 * time.Second)
			trouble.begin(w)
			w.tg.Say(7, "a newcomer")
			w.tg.Say(8, "a banned person is told so in private")
			w.after(2 * time.Second)
			w.wantNotReady(desk.Group, trouble.saying)
			w.wantChat(8, "hello", "a banned person…", "You can't write here at the moment…")
			w.tg.ResetCalls()
			w.after(21 * time.Minute)
			tries := 0
			for _, c := range w.tg.Calls() {
				if c.Params["chat_id"] == fmt.Sprint(w.tg.Group()) && c.Method != "getChat" {
					tries++
				}
			}
			if tries > 5 {
				t.Errorf("in 21 min the group was tried %d times, want every 5 min", tries)
			}
			if n := w.tried("getChat"); n > 5 || n+tries < 4 {
				t.Errorf("in 21 min the group was asked %d times and tried %d times, want every 5 min", n, tries)
			}
			w.wantNotReady(desk.Group, trouble.saying)
			trouble.end(w)
			if trouble.told {
				w.after(2 * time.Second)
			} else {
				w.after(6 * time.Minute)
			}
			w.wantTopic(w.thread("User 7"), "a newcomer")
			w.wantChat(7, "a newcomer")
			w.after(10 * time.Second)
			w.wantReady(desk.Group)
			w.wantNothingOwed()
			if n := len(w.tg.Topics()); n != 2 {
				t.Errorf("%d topics were made for two people", n)
			}
		})
	}
}

// Edits wait as well when it is the whole group that is closed to us.
func TestFaultEditsWaitWhileTheBotIsOutOfTheGroup(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.change(7, func(tx *db.Tx) error { return tx.SetRisk(7, true) })
	w.tg.Kick()
	w.after(10 * time.Second)
	w.tg.Readmit()
	w.after(10 * time.Second)
	if m := w.card(thread); !strings.Contains(m.Text, "Marked as a risk") {
		t.Errorf("the card was not edited after the bot came back: %q", m.Text)
	}
}

func TestFaultMissingRightThatOnlyASmallThingNeedsStopsNothing(t *testing.T) {
	w := newWorld(t)
	w.tg.SetRight("can_pin_messages", false)
	w.tg.SetRight("can_delete_messages", false)
	w.tg.Say(7, "hello")
	w.settle()
	if got := w.topicTexts(w.thread("User 7")); !slices.Contains(got, "hello") {
		t.Errorf("the topic shows %q", got)
	}
	w.wantNothingOwed()
}

func TestFaultGroupWithAnotherIdIsFollowedFromTheCall(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "a good customer") })
	w.after(20 * time.Second)
	w.tg.MigrateGroup(newGroup)
	w.tg.TakeUpdates() // nobody tells us
	w.tg.Say(7, "where are you?")
	w.after(5 * time.Second)
	w.wantMigrated("where are you?")
}

func TestFaultGroupWithAnotherIdIsFollowedFromTheUpdate(t *testing.T) {
	w := newWorld(t)
	w.talk(7)
	w.change(7, func(tx *db.Tx) error { return tx.SetNote(7, "a good customer") })
	w.after(20 * time.Second)
	w.tg.MigrateGroup(newGroup)
	w.settle()
	w.tg.Say(7, "where are you?")
	w.after(5 * time.Second)
	w.wantMigrated("where are you?")
}

// wantMigrated checks that all goes on in the new group, also after a restart, and that the team was told once.
func (w *world) wantMigrated(said string) {
	w.t.Helper()
	w.wantGeneral("This group was upgraded and now has the id -1009876543210…")
	thread := w.thread("User 7") // of the new group
	w.wantTopic(thread, said)
	if m := w.card(thread); !strings.Contains(m.Text, "📝 a good customer") {
		w.t.Errorf("the note is not on the new card: %q", m.Text)
	}
	w.restart()
	if got := w.db.Group(); got != newGroup {
		w.t.Errorf("after a restart the group is %d", got)
	}
	w.tg.Say(7, "and after a restart?")
	w.tg.Post(admin, thread, "here")
	w.after(5 * time.Second)
	w.wantTopic(thread, said, "here", "and after a restart?")
	if w.thread("User 7") != thread {
		w.t.Error("another topic was made")
	}
	w.wantGeneral("This group was upgraded and now has the id -1009876543210…")
	w.wantNothingOwed()
}

// The answer stands in the group that is no more: it cannot be copied from there, and is sent anew from the update.
func TestFaultAnswerOwedWhenTheGroupMovedStillArrives(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Post(admin, thread, "an answer")
	w.intake()
	w.tg.MigrateGroup(newGroup)
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "an answer")
	if n := w.triedIn("copyMessage", 7); n > 1 {
		t.Errorf("it was tried %d times from a group that is no more", n)
	}
	w.wantNothingOwed()
}

// Ids of another group are never used.
func TestFaultIdsOfTheOldGroupAreNeverUsedInTheNew(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.owe(desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{{Key: "help_head"}}})
	w.settle()
	old := w.message(w.tg.General(), "How this desk works")
	w.tg.Flood(emulator.Fault{Method: "editMessageText"}, 30)
	w.tg.Flood(emulator.Fault{Method: "sendMessage"}, 30)
	stray := w.tg.OpenTopic(admin, "by hand")
	w.owe(desk.EditNotice{To: desk.GeneralLane(), Message: desk.MessageID(old.ID), Lines: []desk.Text{{Key: "trying_again"}}},
		desk.Say{To: desk.ThreadLane(desk.ThreadID(stray)), Lines: []desk.Text{{Key: "no_person"}}},
		desk.DeleteMessage{From: desk.GeneralLane(), Message: desk.MessageID(old.ID)})
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.settle()
	w.tg.ResetCalls()
	w.after(2 * time.Minute)
	for _, c := range w.tg.Calls() {
		if c.Params["chat_id"] != fmt.Sprint(newGroup) {
			continue
		}
		if c.Params["message_id"] == fmt.Sprint(old.ID) || c.Params["message_thread_id"] == fmt.Sprint(stray) ||
			c.Params["message_thread_id"] == fmt.Sprint(thread) {
			t.Errorf("%s in the new group with an id of the old: %v", c.Method, c.Params)
		}
	}
	w.wantNothingOwed()
}

func TestFaultFailureNoticeOwedWhenTheGroupMovedIsSaidInGeneral(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.tg.Block(7)
	w.tg.Flood(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()}, 10)
	w.tg.Post(admin, thread, "are you there?")
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.after(time.Minute)
	if got := w.general(); !slices.Contains(got, "About a message to User 7 (7):\nNot delivered: this person has blocked the bot.") {
		t.Errorf("nobody is told that the answer did not arrive; General shows %q", got)
	}
}

// "chat not found" to a copy may speak of the chat that the message comes from: that is one message's trouble, not the group's.
func TestFaultSourceChatThatIsNotFoundDoesNotShutTheGroup(t *testing.T) {
	w := newWorld(t, generous)
	one, two := w.talk(7), w.talk(8)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage"}, 400, "Bad Request: chat not found")
	w.tg.Say(7, "from nowhere")
	w.intake()
	w.drain()
	w.tg.Say(8, "from somewhere")
	w.settle()
	w.wantTopic(one, "hello", "from nowhere") // sent anew from the update
	w.wantTopic(two, "hello", "from somewhere")
	w.wantReady(desk.Group)
	w.wantNothingOwed()
}

// getChat succeeds and says nothing of rights: only a call that needs the right shows whether it was given.
func TestFaultMissingRightStaysOnReadyzThoughGetChatWorks(t *testing.T) {
	w := newWorld(t, generous)
	w.tg.SetRight("can_manage_topics", false)
	w.settle()
	w.tg.Say(7, "hello")
	w.settle()
	w.wantNotReady(desk.Group, "not enough rights to create a topic")
	asked := w.tried("getChat")
	w.tg.OnCall(func(emulator.Call) { w.wantNotReady(desk.Group, "not enough rights to create a topic") })
	w.after(16 * time.Minute)
	w.tg.OnCall(func(emulator.Call) {})
	if w.tried("getChat") == asked || w.tried("createForumTopic") < 3 {
		t.Errorf("getChat was asked %d times, a topic %d times", w.tried("getChat")-asked, w.tried("createForumTopic"))
	}
	if n := strings.Count(w.log.String(), "the group refuses the bot"); n != 1 {
		t.Errorf("the log tells of it %d times", n)
	}
	w.tg.SetRight("can_manage_topics", true)
	w.after(10 * time.Second)
	w.wantReady(desk.Group)
	w.wantTopic(w.thread("User 7"), "hello")
}

// Try again is under way when the group moves: its outcome is not for the message that has the notice's number in
// the new group.
func TestFaultNoticeOfTheOldGroupIsNotEditedInTheNew(t *testing.T) {
	w, _, notice := blocked(t, generous)
	w.tg.Flood(emulator.Fault{Method: "copyMessage"}, 60)
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice))
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.settle()
	for user := int64(8); user < 14; user++ {
		w.tg.Say(user, "hello") // until some message of ours has that number
	}
	w.settle()
	w.tg.ResetCalls()
	w.after(2 * time.Minute)
	for _, c := range w.tg.Calls() {
		if c.Method == "editMessageText" && c.Params["message_id"] == itoa(notice.ID) && strings.HasPrefix(c.Params["text"], "Not delivered") {
			t.Errorf("in the new group message %d, a stranger, was to become %q: %d %s", notice.ID, c.Params["text"], c.Status, c.Description)
		}
	}
	if got := strings.Join(w.general(), "|"); !strings.Contains(got, saysBlocked) {
		t.Errorf("nobody is told; General shows %q", got)
	}
}

// The group itself is not found for a while. The message must wait, and not sink through the fallbacks to a mere line.
func TestFaultMessageWaitsWhileItIsNotKnownWhichChatIsNotFound(t *testing.T) {
	w := newWorld(t, generous)
	thread := w.talk(7)
	w.settle()
	w.tg.BadGateway(emulator.Fault{Method: "getChat", Count: -1}) // so that for a while nobody can tell
	w.tg.Refuse(emulator.Fault{Chat: w.tg.Group(), Count: -1}, 400, "Bad Request: chat not found")
	w.tg.Say(7, "precious")
	w.settle()
	w.after(5 * time.Second)
	w.tg.Heal()
	w.after(15 * time.Minute)
	w.wantTopic(thread, "hello", "precious")
	w.wantChat(7, "hello", "precious")
	w.wantReady(desk.Group)
	w.wantNothingOwed()
}

// The answer was given in the old group; its failure is told in the new one, and under no message there.
func TestFaultFailureAfterAMoveIsNotToldUnderAStrangersMessage(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 30)
	post := w.tg.Post(admin, thread, "are you there?")
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.settle()
	w.tg.Say(7, "I am")
	w.after(5 * time.Second)
	for range 10 {
		w.tg.Post(outsider, w.topicOf(7), "team talk")
	}
	w.tg.Block(7)
	w.after(2 * minute)
	notice := w.message(w.tg.Topic(w.topicOf(7)), saysBlocked)
	if notice.ReplyTo != 0 {
		t.Errorf("the notice replies to message %d; the answer was %d of the old group", notice.ReplyTo, post)
	}
}

// That a copy arrives says nothing of the right to make topics.
func TestFaultMissingRightStaysOnReadyzThoughOthersAreWrittenTo(t *testing.T) {
	w := newWorld(t, generous)
	w.talk(8)
	w.tg.SetRight("can_manage_topics", false)
	w.settle()
	w.tg.Say(7, "hello")
	w.settle()
	w.tg.Say(8, "more")
	w.tg.OnCall(func(c emulator.Call) { w.wantNotReady(desk.Group, "not enough rights to create a topic") })
	w.after(16 * time.Minute)
	w.tg.OnCall(func(emulator.Call) {})
	if n := strings.Count(w.log.String(), "the group refuses the bot"); n != 1 {
		t.Errorf("the log tells of it %d times", n)
	}
}
