package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The relay rules: what Telegram cannot edit is sent anew as a reply to the old copy, and marked as the newer form of it.

func TestWhatCannotBeEditedIsSentAnew(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after emulator.Content
	}{
		{"text for a photo", emulator.Photo("old"), emulator.Text("new")},
		{"text for a voice message", emulator.Voice("old"), emulator.Text("new")},
		{"a voice message for another", emulator.Voice("old"), emulator.Voice("new")},
		{"a voice message for text", emulator.Text("old"), emulator.Voice("new")},
		{"a sticker for another", emulator.Sticker(), emulator.Sticker()},
		{"a contact for another", emulator.Contact("+4930", "Ann"), emulator.Contact("+4930", "Anna")},
		{"a video note for another", emulator.VideoNote(), emulator.VideoNote()},
		{"a sticker for text", emulator.Text("old"), emulator.Sticker()},
		{"a photo for a contact", emulator.Contact("+4930", "Ann"), emulator.Photo("new")},
		{"another task on a list", emulator.Checklist(), emulator.Checklist().With("checklist",
			map[string]any{"title": "To do", "tasks": []any{map[string]any{"id": 1, "text": "Sleep more"}}})},
		{"a kind that came after us", emulator.Unknown(), emulator.Unknown().With("hologram", map[string]any{"depth": 4})},
	} {
		t.Run(c.name, func(t *testing.T) {
			editedBothWays(t, func(t *testing.T, y way) {
				id := y.write(c.before)
				old := y.the()
				y.edit(id, c.after)
				list := y.there()
				if len(list) != 2 {
					t.Fatalf("the other side has %q", texts(list))
				}
				wantLike(t, y.source(id), list[1])
				wantMarked(t, list[1], y.source(id).Text, old.ID)
				if list[0].Edited || string(list[0].Raw) != string(old.Raw) {
					t.Errorf("the old copy was changed to %s", list[0].Raw)
				}
				y.wantEditsOf(old.ID)
				if row := y.row(); row.Content != y.source(id).Kind {
					t.Errorf("the ledger calls it %q", row.Content)
				}
				y.touch(id) // which changes nothing of the newer form
				y.after(6 * time.Second)
				if n := len(y.there()); n != 2 {
					t.Errorf("after a touch the other side has %d messages", n)
				}
				y.wantNothingAtRest()
			})
		})
	}
}

// What was sent anew is the copy from then on: it is changed in place where that can be, and replied to where not.
func TestAnEditOfWhatWasSentAnewChangesTheNewestCopy(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Photo("photo"))
		y.edit(id, emulator.Text("text"))
		y.wantThere("photo", "text")
		newer := y.there()[1]
		y.after(6 * time.Second)
		y.reword(id, "better text")
		y.wantThere("photo", "better text")
		y.wantEditsOf(newer.ID, "editMessageText")
		y.after(6 * time.Second)
		y.edit(id, emulator.Voice("voice"))
		y.wantThere("photo", "better text", "voice")
		wantMarked(t, last(t, y.there()), "voice", newer.ID)
		if n := len(y.ledger(7)); n != 4 {
			t.Errorf("the ledger has %d lines, want one for each copy and hello", n)
		}
	})
}

// A press of the mark is answered on both sides, for whoever presses.
func TestThePressOfTheMarkIsAnswered(t *testing.T) {
	const says = "Its sender has edited this message."
	w, thread := met(t)
	mine, post := w.tg.Send(7, emulator.Sticker()), w.tg.PostContent(admin, thread, emulator.Sticker())
	w.settle()
	w.tg.EditContent(7, mine, emulator.Sticker())
	w.tg.EditPostContent(admin, post, emulator.Sticker())
	w.settle()
	inTopic, inPrivate := last(t, w.tg.Topic(thread)), last(t, w.tg.Chat(7))
	shown, said := len(w.tg.Topic(thread)), len(w.tg.Chat(7))
	for _, query := range []string{
		w.tg.Press(admin, w.tg.Group(), inTopic.ID, inTopic.Buttons[0][0].Data),
		w.tg.Press(outsider, w.tg.Group(), inTopic.ID, inTopic.Buttons[0][0].Data),
		w.tg.Press(7, 7, inPrivate.ID, inPrivate.Buttons[0][0].Data),
	} {
		w.settle()
		w.wantToast(query, says)
	}
	if len(w.tg.Topic(thread)) != shown || len(w.tg.Chat(7)) != said {
		t.Error("a press did more than answer")
	}
	wantMarked(t, last(t, w.tg.Topic(thread)), "", inTopic.ReplyTo)
}

// A copy that somebody deleted cannot be edited: the newer form comes as a message, in reply to nothing.
func TestAnEditOfACopyThatIsGoneIsSentAnew(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		if y.toTopic {
			y.tg.DeletePost(y.the().ID)
		} else {
			y.tg.Delete(7, y.the().ID)
		}
		y.reword(id, "two")
		y.wantThere("two")
		wantMarked(t, y.the(), "two", 0)
		y.after(6 * time.Second)
		y.reword(id, "three")
		y.wantThere("three")
		y.wantEdits("editMessageText")
		y.wantNothingAtRest()
	})
}

// The topic rules: an edit that finds its topic gone opens another, with the newer form in it.
func TestAnEditIntoATopicThatIsGoneOpensAnother(t *testing.T) {
	w, thread := met(t)
	id := w.tg.Say(7, "one")
	w.settle()
	w.tg.DeleteTopic(thread)
	w.tg.EditText(7, id, "two")
	w.settle()
	now := w.topicOf(7)
	if now == thread {
		t.Fatal("the topic is still the one that is gone")
	}
	w.wantTopic(now, "two")
	wantMarked(t, last(t, w.tg.Topic(now)), "two", 0)
	w.card(now)
	w.after(6 * time.Second)
	w.tg.EditText(7, id, "three")
	w.settle()
	w.wantTopic(now, "three")
	w.wantNothingAtRest()
}

// An edit of what stood in the old topic goes into the new one.
func TestAnEditOfAMessageInAnOlderTopicComesIntoTheNewOne(t *testing.T) {
	w, thread := met(t)
	w.tg.DeleteTopic(thread)
	w.tg.Say(7, "second")
	w.settle()
	now := w.topicOf(7)
	w.tg.EditText(7, 1, "hello again")
	w.settle()
	w.wantTopic(now, "second", "hello again")
	wantMarked(t, last(t, w.tg.Topic(now)), "hello again", 0)
}

// What went as a forward cannot be edited.
func TestAnEditOfAForwardIsSentAnew(t *testing.T) {
	w, thread := met(t)
	w.tg.Refuse(emulator.Fault{Method: "copyMessage"}, 400, "Bad Request: the message can't be copied")
	w.tg.Refuse(emulator.Fault{Method: "sendMessage", Chat: w.tg.Group()}, 400, "Bad Request: something")
	id := w.tg.Say(7, "one")
	w.settle()
	w.tg.Heal()
	forward := last(t, w.tg.Topic(thread))
	if forward.ForwardedFrom.Message != id {
		t.Fatalf("the story needs a forward, not %+v", forward)
	}
	w.tg.EditText(7, id, "two")
	w.settle()
	w.wantTopic(thread, "hello", "one", "two")
	wantMarked(t, last(t, w.tg.Topic(thread)), "two", forward.ID)
}

// Votes in a quiz, which can only be forwarded, are no edits.
func TestVotesInAForwardedQuizAreNoEdits(t *testing.T) {
	w, thread := met(t)
	quiz := w.tg.Send(7, emulator.Quiz())
	w.settle()
	shown := len(w.tg.Topic(thread))
	w.tg.Vote(7, quiz, 1)
	w.after(6 * time.Second)
	if n := len(w.tg.Topic(thread)); n != shown {
		t.Errorf("the topic has %d messages, want %d", n, shown)
	}
}

// Longer than a bot may write: a text and a caption are sent anew by copying, which has no such limit.
func TestAnEditLongerThanABotMayWriteIsSentAnew(t *testing.T) {
	for name, c := range map[string]struct {
		before emulator.Content
		after  string
	}{
		"text":    {emulator.Text("one"), strings.Repeat("ä", 4097)},
		"caption": {emulator.Photo("one"), strings.Repeat("ä", 2000)},
	} {
		t.Run(name, func(t *testing.T) {
			editedBothWays(t, func(t *testing.T, y way) {
				id := y.write(c.before)
				y.reword(id, c.after)
				y.wantThere("one", c.after)
				wantLike(t, y.source(id), last(t, y.there()))
				y.after(6 * time.Second)
				y.reword(id, "short again")
				y.wantThere("one", "short again")
				y.wantNothingAtRest()
			})
		})
	}
}

// A long caption that came as a copy is shortened where it stands.
func TestALongCaptionIsShortenedWhereItStands(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Photo(strings.Repeat("ä", 2000)))
		y.reword(id, "short")
		y.wantThere("short")
		y.wantEdits("editMessageCaption")
	})
}

// While the newer form of it is on its way anew, a further change joins it.
func TestAnEditOfWhatIsBeingSentAnewJoinsIt(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Photo("photo"))
		y.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: y.chat()}, 20)
		y.edit(id, emulator.Text("text"))
		y.reword(id, "better text")
		y.after(30 * time.Second)
		y.wantThere("photo", "better text")
		y.wantEditsOf(y.there()[1].ID)
		y.wantNothingAtRest()
	})
}
