package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/emulator"
)

// Not delivered is said where it happened, for albums, changes and reactions as well.

const saysChange = "About your change of this message:\n"

// Who writes to somebody who has blocked the bot reads it under each message, and the card shows it.
func TestEveryMessageToABlockedPersonIsAnsweredForItself(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Block(7)
	w.settle()
	var sent []int
	for _, text := range []string{"one", "two", "three"} {
		sent = append(sent, w.tg.Post(admin, thread, text))
		w.settle()
	}
	sent = append(sent, w.tg.PostContent(admin2, thread, emulator.Photo("four")))
	w.after(5 * time.Second)
	var under []int
	for _, m := range w.tg.Topic(thread) {
		if m.Text == saysBlocked {
			under = append(under, m.ReplyTo)
			w.again(m)
		}
	}
	if len(under) != len(sent) {
		t.Fatalf("%d notices stand under %d messages", len(under), len(sent))
	}
	for i, msg := range sent {
		if under[i] != msg {
			t.Errorf("notice %d stands under %d, want %d", i, under[i], msg)
		}
	}
	if got := w.card(thread).Text; !strings.HasSuffix(got, "🔕 Has blocked the bot") {
		t.Errorf("the card shows %q", got)
	}
}

// An album that does not reach the person is one failure, told under its first item; a further try sends all of it, once.
func TestAnAlbumThatDoesNotArriveIsToldOnceAndTriedAgainAsAWhole(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Block(7)
	album := w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"), emulator.Video("three"))
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "one", "two", "three", saysBlocked)
	notice := last(t, w.tg.Topic(thread))
	if notice.ReplyTo != album[0] {
		t.Errorf("the notice replies to %d", notice.ReplyTo)
	}
	if u, _ := w.user(7); u.Unreachable != db.Blocked {
		t.Errorf("remembered as %q", u.Unreachable)
	}
	w.tg.Press(admin, w.tg.Group(), notice.ID, w.again(notice)) // still in vain
	w.after(5 * time.Second)
	w.wantTopic(thread, "hello", "one", "two", "three", saysBlocked)
	w.tg.Unblock(7)
	data := w.again(last(t, w.tg.Topic(thread)))
	w.tg.Press(admin, w.tg.Group(), notice.ID, data)
	second := w.tg.Press(admin2, w.tg.Group(), notice.ID, data)
	w.after(5 * time.Second)
	w.wantToast(second, "This button is no longer in use.")
	w.wantChat(7, "hello", "one", "two", "three")
	w.wantTopic(thread, "hello", "one", "two", "three", saysAfterAll)
	chat := w.tg.Chat(7)
	if a, b := chat[1].GroupID, chat[3].GroupID; a == "" || a != b {
		t.Errorf("it arrived as albums %q and %q", a, b)
	}
	if rows := w.ledger(7); len(rows) != 4 {
		t.Errorf("the ledger has %d rows", len(rows))
	}
}

// A person's album that got lost twice is told under its first item; their button sends it once more.
func TestAPersonsAlbumInDoubtIsToldUnderItsFirstItem(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessages", Chat: w.tg.Group(), Count: 2})
	album := w.tg.Album(7, emulator.Photo("one"), emulator.Photo("two"))
	w.after(minute)
	w.wantTopic(thread, "hello")
	w.wantChat(7, "hello", "one", "two", "Your message may not have reached the team…")
	notice := last(t, w.tg.Chat(7))
	if notice.ReplyTo != album[0] {
		t.Errorf("the notice replies to %d", notice.ReplyTo)
	}
	w.tg.Press(7, 7, notice.ID, w.again(notice))
	second := w.tg.Press(7, 7, notice.ID, w.again(notice))
	w.after(10 * time.Second)
	w.wantToast(second, "This button is no longer in use.")
	w.wantTopic(thread, "hello", "one", "two")
	w.wantChat(7, "hello", "one", "two", saysAfterAll)
}

// A change that does not reach the person is told as that: the message itself did arrive.
func TestAChangeThatDoesNotArriveIsToldUnderTheMessage(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(*world)
		says    string
		mark    db.Unreachable
	}{
		"blocked":         {func(w *world) { w.tg.Block(7) }, saysBlocked, db.Blocked},
		"account deleted": {func(w *world) { w.tg.Deactivate(7) }, saysDeactivated, db.Deactivated},
	} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, generous)
			msg := w.tg.Post(admin, thread, "at 5")
			w.settle()
			c.happens(w)
			w.tg.EditPost(admin, msg, "at 6")
			w.after(10 * time.Second)
			w.wantChat(7, "hello", "at 5")
			w.wantTopic(thread, "hello", "at 6", saysChange+c.says)
			if notice := last(t, w.tg.Topic(thread)); notice.ReplyTo != msg {
				t.Errorf("the notice replies to %d", notice.ReplyTo)
			}
			if u, _ := w.user(7); u.Unreachable != c.mark {
				t.Errorf("remembered as %q", u.Unreachable)
			}
			w.wantNothingOwed()
		})
	}
}

// A change is given up after as many tries as a message, and whoever made it is told, on either side.
func TestAChangeThatIsGivenUpIsTold(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "at 5")
	w.settle()
	w.tg.BadGateway(emulator.Fault{Method: "editMessageText", Chat: 7, Count: -1})
	w.tg.EditPost(admin, msg, "at 6")
	w.settle()
	w.after(6 * time.Hour)
	w.wantTopic(thread, "hello", "at 6", saysChange+"Not delivered: Telegram did not take it in 8 tries.")
	w.tg.Heal()

	mine := w.tg.Say(7, "mine")
	w.settle()
	w.tg.BadGateway(emulator.Fault{Method: "editMessageText", Chat: w.tg.Group(), Count: -1})
	w.tg.EditText(7, mine, "mine, edited")
	w.settle()
	w.after(6 * time.Hour)
	notice := last(t, w.tg.Chat(7))
	if !strings.HasPrefix(notice.Text, "Sorry, your message could not be delivered to the team.") || notice.ReplyTo != mine {
		t.Errorf("the person reads %q in reply to %d", notice.Text, notice.ReplyTo)
	}
	w.tg.Heal()
	w.after(time.Hour)
	w.wantNothingOwed()
}

// A reaction that cannot be shown is left out without a word; what it says of the person is remembered.
func TestAReactionToABlockedPersonIsLeftOut(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "hi")
	w.settle()
	w.tg.Refuse(emulator.Fault{Method: "setMessageReaction", Chat: 7}, 403, "Forbidden: bot was blocked by the user")
	w.tg.ReactPost(admin, msg, "👍")
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "hi")
	if got := w.card(thread).Text; !strings.HasSuffix(got, "🔕 Has blocked the bot") {
		t.Errorf("the card shows %q", got)
	}
	w.tg.Say(7, "I am here")
	w.after(5 * time.Second)
	if got := w.card(thread).Text; strings.Contains(got, "🔕") {
		t.Errorf("the card shows %q", got)
	}
	w.wantNothingOwed()
}

// One album to a banned person is one reminder, and so is all that follows within the day.
func TestAnAlbumToABannedPersonIsOneReminder(t *testing.T) {
	w, thread := met(t, generous)
	w.ban(7, true)
	w.tg.PostAlbum(admin, thread, emulator.Photo("one"), emulator.Photo("two"))
	w.after(5 * time.Second)
	msg := w.tg.Post(admin, thread, "three")
	w.settle()
	w.tg.EditPost(admin, msg, "four")
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "one", "two", "four")
	w.wantTopic(thread, "hello", "one", "two", "User 7 is banned: they can read you, but what they answer is not passed on.", "four")
}
