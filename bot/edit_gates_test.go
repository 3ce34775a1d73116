package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The relay rules: a change passes the gates that its message would pass, and nobody is told where it does not. What was never relayed
// is relayed as new when it passes now, and marked.

// wantMarked compares the newest message of the other side, which is the newer form of one that was not changed in place.
func wantMarked(t *testing.T, m emulator.Message, shows string, replyTo int) {
	t.Helper()
	if m.Text != shows || m.ReplyTo != replyTo || !m.FromBot {
		t.Errorf("the newer form is %q in reply to %d, want %q to %d", m.Text, m.ReplyTo, shows, replyTo)
	}
	if len(m.Buttons) != 1 || len(m.Buttons[0]) != 1 || m.Buttons[0][0] != (emulator.Button{Text: "✏️ Edited", Data: "e:"}) {
		t.Errorf("under the newer form stand the buttons %+v", m.Buttons)
	}
}

func TestEditsOfABannedPersonAreSilent(t *testing.T) {
	w, thread := met(t)
	before := w.tg.Say(7, "before the ban")
	w.settle()
	w.ban(7, true)
	during := w.tg.Say(7, "during the ban")
	w.settle()
	w.wantChat(7, "hello", "before the ban", "during the ban", saysBanned)
	w.after(2 * minute) // a further notice would be due
	calls := len(w.tg.Calls())
	w.tg.EditText(7, before, "changed during the ban")
	w.tg.EditText(7, during, "changed during the ban, too")
	w.after(10 * time.Second)
	for _, c := range w.tg.Calls()[calls:] {
		if c.Method != "getChat" {
			t.Errorf("%s was called for a banned person's edit", c.Method)
		}
	}
	w.wantTopic(thread, "hello", "before the ban")
	w.wantNothingAtRest()

	// After the ban both arrive when they are changed again: the one in place, the other as new.
	w.ban(7, false)
	w.tg.EditText(7, before, "after the ban")
	w.tg.EditText(7, during, "nobody has seen this before")
	w.settle()
	w.wantTopic(thread, "hello", "after the ban", "nobody has seen this before")
	wantMarked(t, last(t, w.tg.Topic(thread)), "nobody has seen this before", 0)
}

// Edits are no way around the limit: those of what was refused count as messages, and are refused without a notice.
func TestEditsAreNoWayAroundTheLimit(t *testing.T) {
	w, thread := met(t, limited(3))
	var refused []int
	for _, s := range []string{"2", "3", "4", "5", "6", "7"} {
		refused = append(refused, w.tg.Say(7, s))
	}
	w.settle()
	refused = refused[2:]
	w.wantTopic(thread, "hello", "2", "3")
	for _, id := range refused { // still the same minute
		w.tg.EditText(7, id, "changed")
		w.settle()
	}
	w.wantTopic(thread, "hello", "2", "3")

	w.after(minute + time.Second)
	for _, id := range refused {
		w.tg.EditText(7, id, "message "+itoa(id))
		w.settle()
	}
	a, b, c := "message "+itoa(refused[0]), "message "+itoa(refused[1]), "message "+itoa(refused[2])
	w.wantTopic(thread, "hello", "2", "3", a, b, c)
	wantMarked(t, last(t, w.tg.Topic(thread)), c, 0)
	w.wantChat(7, "hello", "2", "3", a, b, c, "message "+itoa(refused[3]), saysTooFast)
}

// Edits of what was relayed do not count.
func TestEditsOfRelayedMessagesDoNotCount(t *testing.T) {
	w, thread := met(t, limited(2))
	for n := range 5 {
		w.tg.EditText(7, 1, "hello "+itoa(n))
		w.after(6 * time.Second)
	}
	w.tg.Say(7, "second")
	w.settle()
	w.wantTopic(thread, "hello 4", "second")
}

func TestAnEditOfStart(t *testing.T) {
	w := newWorld(t)
	start := w.tg.Say(7, "/start")
	w.settle()
	thread := w.topicOf(7)
	w.wantChat(7, "/start", saysWelcome)
	w.tg.EditText(7, start, "/start again")
	w.settle()
	w.wantTopic(thread)
	w.wantChat(7, "/start again", saysWelcome) // and no second greeting
	w.tg.EditText(7, start, "hello")
	w.settle()
	w.wantTopic(thread, "hello")
	wantMarked(t, last(t, w.tg.Topic(thread)), "hello", 0)

	// What stands in the topic follows its message even into a command.
	w.after(5 * time.Second)
	w.tg.EditText(7, start, "/start")
	w.settle()
	w.wantTopic(thread, "/start")
	w.wantChat(7, "/start", saysWelcome)
}

func TestEditsInAClosedTopicAreSilent(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "answer")
	w.settle()
	w.tg.CloseTopic(admin, thread)
	w.settle()
	shown := len(w.topicTexts(thread))
	w.tg.EditPost(admin, post, "better answer")
	w.settle()
	w.wantChat(7, "hello", "answer")
	if n := len(w.topicTexts(thread)); n != shown {
		t.Errorf("something was said about it: %q", w.topicTexts(thread))
	}
	w.tg.ReopenTopic(admin, thread)
	w.tg.EditPost(admin, post, "best answer")
	w.settle()
	w.wantChat(7, "hello", "best answer")
}

// A person's change does reach a closed topic.
func TestAPersonsEditReachesAClosedTopic(t *testing.T) {
	for name, change := range map[string]func(*world){"as Telegram does": likeTelegram, "refused": func(*world) {}} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, change)
			w.tg.CloseTopic(admin, thread)
			w.settle()
			w.tg.EditText(7, 1, "changed")
			w.settle()
			w.wantTopic(thread, "changed")
		})
	}
}

func TestEditsOfOutsidersAreSilent(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(outsider, thread, "I am not of the team")
	w.settle()
	w.tg.EditPost(outsider, post, "nor is this")
	w.tg.EditPost(outsider, post, "/help")
	w.settle()
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello", "/help")
}

func TestEditsOfAnonymousAdministrators(t *testing.T) {
	w, thread := met(t)
	post := w.tg.PostAnonymously(thread, "answer")
	w.settle()
	w.wantTopic(thread, "hello", "answer", saysAnonymous)
	w.after(2 * time.Hour)
	w.tg.EditPost(0, post, "better answer")
	w.settle()
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello", "better answer", saysAnonymous)

	w, thread = met(t, withGroupAdmins)
	post = w.tg.PostAnonymously(thread, "answer")
	w.settle()
	w.tg.EditPost(0, post, "better answer")
	w.settle()
	w.wantChat(7, "hello", "better answer")
}

func TestEditsInGeneralAndInTopicsOfNobodyAreSilent(t *testing.T) {
	w, _ := met(t)
	general := w.tg.Post(admin, 0, "among us")
	nobodys := w.tg.OpenTopic(admin, "Ideas")
	idea := w.tg.Post(admin, nobodys, "an idea")
	w.settle()
	calls := len(w.tg.Calls())
	w.tg.EditPost(admin, general, "still among us")
	w.tg.EditPost(admin, general, "/help")
	w.after(25 * time.Hour)
	w.tg.EditPost(admin, idea, "a better idea")
	w.tg.EditPost(admin, idea, "/help")
	w.settle()
	for _, c := range w.tg.Calls()[calls:] {
		if c.Method != "getChat" {
			t.Errorf("%s was called", c.Method)
		}
	}
	w.wantChat(7, "hello")
}

// A banned person can read what the team changes, and the admin is reminded when it goes out as new.
func TestAnAdminsEditReachesABannedPerson(t *testing.T) {
	w, thread := met(t)
	post := w.tg.Post(admin, thread, "answer")
	talk := w.tg.Post(admin, thread, "//talk")
	w.settle()
	w.ban(7, true)
	w.tg.EditPost(admin, post, "better answer")
	w.settle()
	w.wantTopic(thread, "hello", "better answer", "//talk")
	w.tg.EditPost(admin, talk, "no talk any more")
	w.settle()
	w.wantChat(7, "hello", "better answer", "no talk any more")
	w.wantTopic(thread, "hello", "better answer", "no talk any more", "User 7 is banned…")
}
