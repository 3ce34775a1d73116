package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The relay rules, "Deletion": /del in reply to a message removes it on both sides.

const (
	saysDelHow     = "To take a message back, reply to it with /del. It is then removed here and in the person's chat."
	saysDelUnknown = "Nothing was removed: this message is not in the person's chat. To remove it here, delete it by hand."
	saysDelTooOld  = "Nothing was removed: Telegram lets a bot remove messages for 48 hours only, and this one is older."
	saysDelMaybe   = "This message will not be sent again. An earlier try may have reached the person, and that cannot be taken back."
)

// takesBack lets an admin reply with /del to a message of the group, and everything that follows happen.
func (w *world) takesBack(thread, msg int) (command int) {
	w.t.Helper()
	command = w.tg.PostReply(admin, thread, msg, "/del")
	w.settle()
	return command
}

// inTopic is the number of the one message in a topic that begins so.
func (w *world) inTopic(thread int, head string) int {
	w.t.Helper()
	return w.message(w.tg.Topic(thread), head).ID
}

func TestDelTakesBackAnAdminsOwnMessage(t *testing.T) {
	w, thread := met(t)
	msg := w.tg.Post(admin, thread, "to the wrong person")
	w.tg.Post(admin, thread, "to the right one")
	w.settle()
	w.wantChat(7, "hello", "to the wrong person", "to the right one")
	w.takesBack(thread, msg)
	w.wantChat(7, "hello", "to the right one")
	w.wantTopic(thread, "hello", "to the right one") // the command is gone as well
	w.wantNothingOwed()
}

func TestDelTakesBackWhatAnotherAdminWrote(t *testing.T) {
	w, thread := met(t)
	msg := w.tg.Post(admin2, thread, "rude")
	w.settle()
	w.takesBack(thread, msg)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

func TestDelRemovesAPersonsMessageOnBothSides(t *testing.T) {
	w, thread := met(t)
	w.tg.Say(7, "my card number is 4111")
	w.settle()
	w.takesBack(thread, w.inTopic(thread, "my card number"))
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

func TestDelTakesBackEveryKind(t *testing.T) {
	for name, content := range map[string]emulator.Content{
		"photo": emulator.Photo("a caption"), "video": emulator.Video(""), "voice": emulator.Voice(""), "sticker": emulator.Sticker(),
		"contact": emulator.Contact("+41", "Ann"), "location": emulator.Location(), "poll": emulator.Poll(), "document": emulator.Document("x"),
	} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t)
			msg := w.tg.PostContent(admin, thread, content)
			w.tg.Send(7, content)
			w.settle()
			theirs := last(t, w.tg.Topic(thread)).ID
			if n := len(w.tg.Chat(7)); n != 3 {
				t.Fatalf("%d messages stand in the private chat", n)
			}
			w.takesBack(thread, msg)
			w.takesBack(thread, theirs)
			w.wantChat(7, "hello")
			w.wantTopic(thread, "hello")
		})
	}
}

// Whichever item of an album is replied to, it goes as a whole, and in one call: Telegram then removes all of it or nothing.
func TestDelTakesBackAnAlbumAsAWhole(t *testing.T) {
	for item := range 3 {
		for _, fromPerson := range []bool{false, true} {
			w, thread := met(t, generous)
			album := []emulator.Content{emulator.Photo("one"), emulator.Video("two"), emulator.Photo("three")}
			if fromPerson {
				w.tg.Album(7, album...)
			} else {
				w.tg.PostAlbum(admin, thread, album...)
			}
			w.after(3 * time.Second)
			w.wantTopic(thread, "hello", "one", "two", "three")
			w.wantChat(7, "hello", "one", "two", "three")
			w.takesBack(thread, w.inTopic(thread, []string{"one", "two", "three"}[item]))
			w.wantChat(7, "hello")
			w.wantTopic(thread, "hello")
			w.wantDone("deleteMessages", 1)
		}
	}
}

// A sticker cannot be edited: its newer form stands beside the older one. Both are the one message, whichever is replied to.
func TestDelTakesBackAllThatAnEditSentAnew(t *testing.T) {
	for _, which := range []int{0, 1} {
		w, thread := met(t, generous)
		sticker := w.tg.Send(7, emulator.Sticker())
		w.settle()
		w.tg.EditContent(7, sticker, emulator.Sticker())
		w.after(10 * time.Second)
		copies := w.tg.Topic(thread)
		copies = copies[len(copies)-2:]
		if copies[0].Kind != "sticker" || copies[1].Kind != "sticker" || copies[1].ReplyTo != copies[0].ID {
			t.Fatalf("the topic ends with %+v", copies)
		}
		w.takesBack(thread, copies[which].ID)
		w.wantTopic(thread, "hello")
		w.wantChat(7, "hello")
	}
}

func TestDelTakesBackAllCopiesThatAPersonHas(t *testing.T) {
	w, thread := met(t, generous)
	sticker := w.tg.PostContent(admin, thread, emulator.Sticker())
	w.settle()
	w.tg.EditPostContent(admin, sticker, emulator.Sticker())
	w.after(10 * time.Second)
	if n := len(w.tg.Chat(7)); n != 3 {
		t.Fatalf("%d messages stand in the private chat", n)
	}
	w.takesBack(thread, sticker)
	w.wantTopic(thread, "hello")
	w.wantChat(7, "hello")
}

// Telegram lets a bot delete for 48 hours. Later nothing is removed on either side, and that is said under the command.
func TestDelOfAnOldMessageSaysSo(t *testing.T) {
	for name, age := range map[string]time.Duration{"just in time": 48*time.Hour - 2*time.Second, "too late": 48 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t)
			msg := w.tg.Post(admin, thread, "old")
			w.settle()
			w.clock.Advance(age)
			w.settle()
			command := w.takesBack(thread, msg)
			if age < 48*time.Hour {
				w.wantChat(7, "hello")
				w.wantTopic(thread, "hello")
				return
			}
			w.wantChat(7, "hello", "old")
			w.wantTopic(thread, "hello", "old", "/del", saysDelTooOld)
			if got := last(t, w.tg.Topic(thread)).ReplyTo; got != command {
				t.Errorf("the answer replies to %d", got)
			}
			if n := len(w.ledger(7)); n != 2 {
				t.Errorf("the ledger has %d rows", n)
			}
			w.tg.EditPost(admin, msg, "old and edited") // it stands, and so it is edited
			w.after(6 * time.Second)
			w.wantChat(7, "hello", "old and edited")
		})
	}
}

// A late item is younger than its album: then all stays.
func TestDelOfAnAlbumWithATooOldItemRemovesNothing(t *testing.T) {
	w, thread := met(t, generous)
	for i, name := range []string{"one", "two"} {
		w.tg.PostContent(admin, thread, emulator.Photo(name).InAlbum("a"))
		w.after(3 * time.Second)
		if i == 0 {
			w.clock.Advance(47 * time.Hour)
		}
	}
	w.wantChat(7, "hello", "one", "two")
	w.clock.Advance(2 * time.Hour)
	w.settle()
	w.takesBack(thread, w.inTopic(thread, "two"))
	w.wantChat(7, "hello", "one", "two")
	w.wantTopic(thread, "hello", "one", "two", "/del", saysDelTooOld)
	if n := len(w.ledger(7)); n != 3 {
		t.Errorf("the ledger has %d rows", n)
	}
}

// What somebody deleted by hand on one side is removed from the other.
func TestDelOfWhatIsGoneOnOneSide(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "first")
	msg := w.tg.Post(admin, thread, "second")
	album := w.tg.PostAlbum(admin, thread, emulator.Photo("three"), emulator.Photo("four"))
	w.after(3 * time.Second)
	w.tg.Delete(7, w.message(w.tg.Chat(7), "second").ID)
	w.tg.Delete(7, w.message(w.tg.Chat(7), "three").ID)
	w.tg.DeletePost(album[0])
	w.takesBack(thread, msg)
	w.takesBack(thread, album[1])
	w.wantChat(7, "hello", "first")
	w.wantTopic(thread, "hello", "first")
	w.wantNothingOwed()
}

// Who blocked the bot or is no more keeps nothing of it: a deletion needs nobody's leave. If Telegram does refuse, that is said.
func TestDelInTheChatOfAPersonWhoIsAway(t *testing.T) {
	for name, happens := range map[string]func(*world){
		"blocked":         func(w *world) { w.tg.Block(7) },
		"account deleted": func(w *world) { w.tg.Deactivate(7) },
	} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t)
			msg := w.tg.Post(admin, thread, "secret")
			w.settle()
			happens(w)
			w.takesBack(thread, msg)
			w.wantChat(7, "hello")
			w.wantTopic(thread, "hello")
		})
		t.Run(name+", refused", func(t *testing.T) {
			w, thread := met(t)
			msg := w.tg.Post(admin, thread, "secret")
			w.settle()
			w.tg.Refuse(emulator.Fault{Method: "deleteMessages", Chat: 7}, 403, "Forbidden: user is deactivated")
			w.takesBack(thread, msg)
			w.wantChat(7, "hello", "secret")
			w.wantTopic(thread, "hello", "secret", "/del", "Nothing was removed. Telegram says: Forbidden: user is deactivated")
			w.takesBack(thread, msg)
			w.wantChat(7, "hello")
		})
	}
}

// Promise 7: two people's messages have equal numbers, and only the one that is meant goes.
func TestDelNeverRemovesAnotherPersonsMessage(t *testing.T) {
	w, thread := met(t, generous)
	other := w.talk(8)
	for _, user := range []int64{7, 8} {
		w.tg.Say(user, "question")
		w.tg.Post(admin, w.topicOf(user), "answer")
		w.settle()
	}
	a, b := w.message(w.tg.Chat(7), "answer"), w.message(w.tg.Chat(8), "answer")
	if a.ID != b.ID {
		t.Fatalf("the answers have the numbers %d and %d: the story is about equal ones", a.ID, b.ID)
	}
	w.takesBack(thread, w.inTopic(thread, "answer"))
	w.takesBack(other, w.inTopic(other, "question"))
	w.wantChat(7, "hello", "question")
	w.wantTopic(thread, "hello", "question")
	w.wantChat(8, "hello", "answer")
	w.wantTopic(other, "hello", "answer")
}

// A message of one topic is not taken back from another: a reply across topics does not reach it.
func TestDelReachesNoMessageOfAnotherTopic(t *testing.T) {
	w, thread := met(t, generous)
	other := w.talk(8)
	msg := w.tg.Post(admin, other, "for eight")
	w.settle()
	w.tg.Inject(`{"message":{"message_id":70001,"date":1767323045,"chat":{"id":-1001234567890,"type":"supergroup","is_forum":true},` +
		`"from":{"id":100,"is_bot":false,"first_name":"B"},"message_thread_id":` + itoa(thread) + `,"is_topic_message":true,` +
		`"reply_to_message":{"message_id":` + itoa(msg) + `},"text":"/del"}}`)
	w.settle()
	w.wantChat(8, "hello", "for eight")
	w.wantTopic(other, "hello", "for eight")
	w.wantTopic(thread, "hello", saysDelUnknown)
}
