package bot_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/emulator"
)

// A way is one direction of a conversation with person 7: what one side writes, and what the other is shown.
type way struct {
	*world
	thread  int
	toTopic bool
}

// editedBothWays tells a story twice: from the person into the topic, and from an admin to the person.
func editedBothWays(t *testing.T, story func(t *testing.T, y way), change ...func(*world)) {
	t.Helper()
	for name, toTopic := range map[string]bool{"into the topic": true, "to the person": false} {
		t.Run(name, func(t *testing.T) {
			w, thread := met(t, change...)
			story(t, way{w, thread, toTopic})
		})
	}
}

// write lets this side write, and everything that follows happen.
func (y way) write(c emulator.Content) int {
	y.t.Helper()
	id := y.writes(c)
	y.settle()
	return id
}

// writes lets this side write, and nothing more.
func (y way) writes(c emulator.Content) int {
	if y.toTopic {
		return y.tg.Send(7, c)
	}
	return y.tg.PostContent(admin, y.thread, c)
}

// edit replaces what a message of this side holds; everything that follows happens.
func (y way) edit(id int, c emulator.Content) {
	y.t.Helper()
	y.edits(id, c)
	y.settle()
}

// edits is edit, and nothing more.
func (y way) edits(id int, c emulator.Content) {
	if y.toTopic {
		y.tg.EditContent(7, id, c)
		return
	}
	y.tg.EditPostContent(admin, id, c)
}

// reword changes the text or caption; everything that follows happens.
func (y way) reword(id int, s string, entities ...models.MessageEntity) {
	y.t.Helper()
	if y.toTopic {
		y.tg.EditText(7, id, s, entities...)
	} else {
		y.tg.EditPost(admin, id, s, entities...)
	}
	y.settle()
}

// touch makes Telegram tell of an edit that changed nothing.
func (y way) touch(id int) {
	y.t.Helper()
	if y.toTopic {
		y.tg.Touch(7, id)
	} else {
		y.tg.TouchPost(id)
	}
	y.settle()
}

// chat is where the copies stand.
func (y way) chat() int64 {
	if y.toTopic {
		return y.tg.Group()
	}
	return 7
}

// there is what the bot brought to the other side, without the card and the hello of the beginning.
func (y way) there() (list []emulator.Message) {
	messages := y.tg.Chat(7)
	if y.toTopic {
		messages = y.tg.Topic(y.thread)
	}
	for _, m := range messages {
		if m.FromBot && m.Service == "" && !m.Pinned && m.Text != "hello" {
			list = append(list, m)
		}
	}
	return list
}

// the is the only message that the bot brought to the other side.
func (y way) the() emulator.Message {
	y.t.Helper()
	list := y.there()
	if len(list) != 1 {
		y.t.Fatalf("the other side has %d messages: %q", len(list), texts(list))
	}
	return list[0]
}

// source is a message of this side as it stands there now.
func (y way) source(id int) emulator.Message {
	y.t.Helper()
	messages := y.tg.Topic(y.thread)
	if y.toTopic {
		messages = y.tg.Chat(7)
	}
	at := slices.IndexFunc(messages, func(m emulator.Message) bool { return m.ID == id })
	if at < 0 {
		y.t.Fatalf("message %d is gone", id)
	}
	return messages[at]
}

// row is the newest line of the ledger.
func (y way) row() db.Relayed {
	y.t.Helper()
	rows := y.ledger(7)
	return rows[len(rows)-1]
}

// editsTried are the calls, carried out or not, that were to change this message.
func (w *world) editsTried(chat int64, id int) (calls []emulator.Call) {
	for _, c := range w.tg.Calls() {
		if strings.HasPrefix(c.Method, "editMessage") && c.Params["chat_id"] == itoa(int(chat)) && c.Params["message_id"] == itoa(id) {
			calls = append(calls, c)
		}
	}
	return calls
}

// wantEdits compares how the only message on the other side was changed, call by call.
func (y way) wantEdits(methods ...string) {
	y.t.Helper()
	y.wantEditsOf(y.the().ID, methods...)
}

func (y way) wantEditsOf(id int, methods ...string) {
	y.t.Helper()
	var got []string
	for _, c := range y.editsTried(y.chat(), id) {
		got = append(got, c.Method)
	}
	if !slices.Equal(got, methods) {
		y.t.Errorf("the copy was changed by %q, want %q", got, methods)
	}
}

// wantThere compares the texts that the other side has from the bot.
func (y way) wantThere(want ...string) {
	y.t.Helper()
	wantTexts(y.t, "the other side", texts(y.there()), want)
}

// wantLike compares what two messages show, whoever wrote and changed them.
func wantLike(t *testing.T, source, copied emulator.Message) {
	t.Helper()
	got, want := body(t, copied), body(t, source)
	for _, b := range []map[string]any{got, want} {
		delete(b, "edit_date")
		delete(b, "media_group_id")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the other side sees\n%v, want\n%v", got, want)
	}
}

var bold = models.MessageEntity{Type: "bold", Offset: 0, Length: 3}

// The relay rules: text, caption and media are changed where they stand, with one call, and everything to be seen is the same.
func TestAnEditReachesTheOtherSide(t *testing.T) {
	for _, c := range []struct {
		name   string
		before emulator.Content
		change func(y way, id int)
		by     string
	}{
		{"text", emulator.Text("one"), func(y way, id int) { y.reword(id, "two 😀 https://example.org") }, "editMessageText"},
		{"formatting only", emulator.Text("one"), func(y way, id int) { y.reword(id, "one", bold) }, "editMessageText"},
		{"formatting taken away", emulator.TextWith("one", bold), func(y way, id int) { y.reword(id, "one") }, "editMessageText"},
		{"text that looks like markup", emulator.Text("one"), func(y way, id int) { y.reword(id, "<b>5 < 6</b> & *x* _y_") }, "editMessageText"},
		{"preview switched off", emulator.Text("https://example.org"), func(y way, id int) {
			y.edit(id, emulator.Text("https://example.org").With("link_preview_options", map[string]any{"is_disabled": true}))
		}, "editMessageText"},
		{"caption changed", emulator.Photo("one"), func(y way, id int) { y.reword(id, "two", bold) }, "editMessageCaption"},
		{"caption added", emulator.Video(""), func(y way, id int) { y.reword(id, "two") }, "editMessageCaption"},
		{"caption taken away", emulator.Animation("one"), func(y way, id int) { y.reword(id, "") }, "editMessageCaption"},
		{"caption of a file", emulator.Document("one"), func(y way, id int) { y.reword(id, "two") }, "editMessageCaption"},
		{"caption of a piece of music", emulator.Audio("one"), func(y way, id int) { y.reword(id, "two") }, "editMessageCaption"},
		{"caption of a voice message", emulator.Voice(""), func(y way, id int) { y.reword(id, "two") }, "editMessageCaption"},
		{"photo for photo", emulator.Photo("one"), func(y way, id int) { y.edit(id, emulator.Photo("two")) }, "editMessageMedia"},
		{"video for photo", emulator.Photo("one"), func(y way, id int) { y.edit(id, emulator.Video("one")) }, "editMessageMedia"},
		{"file for file", emulator.Document("one"), func(y way, id int) { y.edit(id, emulator.Document("")) }, "editMessageMedia"},
		{"animation for file", emulator.Document("one"), func(y way, id int) { y.edit(id, emulator.Animation("one")) }, "editMessageMedia"},
		{"music for music", emulator.Audio("one"), func(y way, id int) { y.edit(id, emulator.Audio("two")) }, "editMessageMedia"},
		{"photo for text", emulator.Text("one"), func(y way, id int) { y.edit(id, emulator.Photo("two").CaptionAbove()) }, "editMessageMedia"},
	} {
		t.Run(c.name, func(t *testing.T) {
			editedBothWays(t, func(t *testing.T, y way) {
				id := y.write(c.before)
				wantLike(t, y.source(id), y.the())
				before := y.row()
				y.clock.Advance(time.Second)
				c.change(y, id)
				wantLike(t, y.source(id), y.the())
				y.wantEdits(c.by)
				now := y.row()
				if now.Content != y.source(id).Kind || now.Shown == before.Shown || !now.EditedAt.Equal(y.clock.Now()) || !before.EditedAt.IsZero() {
					t.Errorf("the ledger has %+v, before the edit %+v", now, before)
				}
				if len(y.ledger(7)) != 2 {
					t.Errorf("the ledger has %d lines, want one a message", len(y.ledger(7)))
				}
				y.wantNothingAtRest()
			})
		})
	}
}

// What is changed about a medium and not its words: where the caption stands, and whether the medium is hidden.
func TestWhereACaptionStandsAndASpoilerAreCarried(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		photo := emulator.Photo("one")
		id := y.write(photo)
		y.edit(id, photo.CaptionAbove())
		wantLike(t, y.source(id), y.the())
		y.after(5 * time.Second)
		y.edit(id, photo) // below again
		wantLike(t, y.source(id), y.the())
		y.after(5 * time.Second)
		y.edit(id, photo.With("has_media_spoiler", true))
		wantLike(t, y.source(id), y.the())
		y.after(5 * time.Second)
		y.edit(id, photo)
		wantLike(t, y.source(id), y.the())
		y.wantEdits("editMessageCaption", "editMessageCaption", "editMessageMedia", "editMessageMedia")
	})
}

// wantNothingAtRest tells that everything is settled and no text is kept.
func (w *world) wantNothingAtRest() {
	w.t.Helper()
	w.wantNothingOwed()
	if n := w.column("SELECT count(*) FROM outbox WHERE content IS NOT NULL"); n != "0" {
		w.t.Errorf("%s settled calls keep what they carried", n)
	}
	if n := w.column("SELECT count(*) FROM album_items WHERE content IS NOT NULL"); n != "0" {
		w.t.Errorf("%s settled items keep what they carried", n)
	}
	if n := w.column("SELECT count(*) FROM processed_updates WHERE raw IS NOT NULL"); n != "0" {
		w.t.Errorf("%s handled updates are kept", n)
	}
}
