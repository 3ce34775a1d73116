package bot_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// A specimen is one message as somebody may write it.
type specimen struct {
	name string
	emulator.Content
}

var formatted = emulator.TextWith("bold 😀 <b>link</b> @somebody",
	models.MessageEntity{Type: "bold", Offset: 0, Length: 4}, models.MessageEntity{Type: "text_link", Offset: 8, Length: 11, URL: "https://example.org/?a=1&b=2"})

// specimens are messages of every kind that Telegram copies.
func specimens() []specimen {
	list := []specimen{
		{"text with entities", formatted}, {"text that looks like markup", emulator.Text("<i>5 < 6</i> & *x* _y_ {{.ID}}")},
		{"photo", emulator.Photo("a caption with https://example.org")}, {"photo alone", emulator.Photo("")},
		{"photo under its caption", emulator.Photo("above").CaptionAbove()}, {"hidden photo", emulator.Photo("").With("has_media_spoiler", true)},
		{"video", emulator.Video("v")}, {"animation", emulator.Animation("a")}, {"audio", emulator.Audio("s")},
		{"document", emulator.Document("d")}, {"voice", emulator.Voice("")}, {"video note", emulator.VideoNote()},
		{"sticker", emulator.Sticker()}, {"contact", emulator.Contact("+4930", "Ann")}, {"location", emulator.Location()},
		{"live location", emulator.Location().Live(time.Hour)}, {"venue", emulator.Venue()}, {"poll", emulator.Poll()},
		{"dice", emulator.Dice()}, {"story", emulator.Story()}, {"game", emulator.Game()}, {"checklist", emulator.Checklist()},
		{"rich message", emulator.RichMessage()}, {"a kind that came after us", emulator.Unknown()},
		{"protected", emulator.Text("for you only").Protected()}, {"protected photo", emulator.Photo("p").Protected()},
	}
	for _, origin := range []string{"user", "hidden_user", "chat", "channel", "starship"} {
		list = append(list, specimen{"forwarded from a " + origin, emulator.Text("news").Forwarded(origin)},
			specimen{"photo forwarded from a " + origin, emulator.Photo("news").Forwarded(origin)})
	}
	return list
}

// wantSame compares what stands on the two sides: everything of the content, and nothing of whence it came.
func wantSame(t testing.TB, source, copied emulator.Message) {
	t.Helper()
	if got, want := body(t, copied), body(t, source); !reflect.DeepEqual(got, want) {
		t.Errorf("the other side sees\n%v, want\n%v", got, want)
	}
	if !copied.FromBot || copied.ForwardedFrom != (emulator.Ref{}) {
		t.Errorf("the other side sees it come from %d, forwarded from %+v", copied.From, copied.ForwardedFrom)
	}
}

// body is the content of a message without its envelope.
func body(t testing.TB, m emulator.Message) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(m.Raw, &all); err != nil {
		t.Fatal(err)
	}
	for _, envelope := range []string{"message_id", "from", "chat", "date", "message_thread_id", "is_topic_message", "reply_to_message",
		"quote", "forward_origin", "has_protected_content", "reply_markup", "edit_date", "media_group_id"} {
		delete(all, envelope)
	}
	return all
}

// F1–F12, H9, the relay rules: every kind arrives whole on both sides, and the ledger knows it by both ids and its name.
func TestEveryKindGoesBothWays(t *testing.T) {
	for _, s := range specimens() {
		t.Run(s.name, func(t *testing.T) {
			w, thread := met(t)
			in := w.tg.Send(7, s.Content)
			w.settle()
			inTopic := last(t, w.tg.Topic(thread))
			wantSame(t, last(t, w.tg.Chat(7)), inTopic)
			out := w.tg.PostContent(admin, thread, s.Content)
			w.settle()
			inChat := last(t, w.tg.Chat(7))
			wantSame(t, last(t, w.tg.Topic(thread)), inChat)
			w.wantLedger(7, s.Kind, in, inTopic.ID, out, inChat.ID, thread)
			if n := w.count("copyMessage"); n != 3 || len(w.tg.Calls()) != w.executed() {
				t.Errorf("%d copies, %d calls of which %d were carried out", n, len(w.tg.Calls()), w.executed())
			}
		})
	}
}

// wantLedger compares the last two rows: one message in, one out.
func (w *world) wantLedger(user int64, kind string, in, inTopic, out, inChat, thread int) {
	w.t.Helper()
	rows := w.ledger(user)
	if len(rows) < 2 {
		w.t.Fatalf("ledger %+v", rows)
	}
	want := []db.Relayed{
		{User: desk.UserID(user), Thread: desk.ThreadID(thread), Direction: db.In, InGroup: desk.MessageID(inTopic), InPrivate: desk.MessageID(in), Content: kind},
		{User: desk.UserID(user), Thread: desk.ThreadID(thread), Direction: db.Out, InGroup: desk.MessageID(out), InPrivate: desk.MessageID(inChat), Content: kind},
	}
	for i, row := range rows[len(rows)-2:] {
		shown := row.Shown
		row.At, row.Row, row.Shown = time.Time{}, 0, ""
		if row != want[i] || shown == "" {
			w.t.Errorf("the ledger has\n%+v, want\n%+v", row, want[i])
		}
	}
}

func (w *world) executed() int {
	n := 0
	for _, c := range w.tg.Calls() {
		if c.Executed {
			n++
		}
	}
	return n
}

// A reply with a quote arrives, whatever it replies to.
func TestRepliesWithQuotesArrive(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "which size?")
	w.settle()
	answer := last(t, w.tg.Chat(7)).ID
	w.tg.ReplyWith(7, answer, emulator.Text("large").Quoting("which"))
	w.tg.PostReplyWith(admin, thread, w.tg.Topic(thread)[2].ID, emulator.Text("noted").Quoting("hello"))
	w.tg.Send(7, emulator.Text("from elsewhere").With("external_reply", map[string]any{"origin": map[string]any{"type": "dream"}}))
	w.settle()
	w.wantChat(7, "hello", "which size?", "large", "from elsewhere", "noted")
	w.wantTopic(thread, "hello", "which size?", "noted", "large", "from elsewhere")
}

// uncopied are the kinds that Telegram does not let a bot copy.
func uncopied() []specimen {
	return []specimen{{"quiz", emulator.Quiz()}, {"paid media", emulator.PaidMedia()}, {"giveaway", emulator.Giveaway()}, {"invoice", emulator.Invoice()}}
}

// The relay rules: what cannot be copied is forwarded into the topic, with its row in the ledger.
func TestWhatCannotBeCopiedIsForwardedIntoTheTopic(t *testing.T) {
	for _, s := range uncopied() {
		t.Run(s.name, func(t *testing.T) {
			w, thread := met(t)
			in := w.tg.Send(7, s.Content)
			w.settle()
			got := last(t, w.tg.Topic(thread))
			if got.ForwardedFrom != (emulator.Ref{Chat: 7, Message: in}) || got.Kind != s.Kind {
				t.Errorf("the topic shows a %s forwarded from %+v", got.Kind, got.ForwardedFrom)
			}
			rows := w.ledger(7)
			if row := rows[len(rows)-1]; len(rows) != 2 || row.InGroup != desk.MessageID(got.ID) || row.Content != s.Kind {
				t.Errorf("ledger %+v", rows)
			}
			if n := len(w.tg.Chat(7)); n != 2 {
				t.Errorf("the person reads %q", w.chatTexts(7))
			}
		})
	}
}

// And what cannot be forwarded either is named in the topic, and its writer told. E6
func TestWhatCannotBeCarriedIsNamedAndItsWriterTold(t *testing.T) {
	names := map[string]string{"poll": "quiz", "paid_media": "paid media", "giveaway": "giveaway", "invoice": "invoice"}
	for _, s := range uncopied() {
		t.Run(s.name, func(t *testing.T) {
			w, thread := met(t)
			in := w.tg.Send(7, s.Content.Protected())
			w.settle()
			w.wantTopic(thread, "hello", fmt.Sprintf("A message (%s) could not be shown here, and its sender has been told. "+
				"Telegram says: Bad Request: message has protected content and can't be forwarded", names[s.Kind]))
			notice := last(t, w.tg.Chat(7))
			want := fmt.Sprintf("Sorry, this message (%s) could not be passed on to the team. Please send it another way.", names[s.Kind])
			if notice.Text != want || notice.ReplyTo != in {
				t.Errorf("the person reads %q in reply to %d", notice.Text, notice.ReplyTo)
			}
			w.tg.Say(7, "next")
			w.settle()
			if got := last(t, w.tg.Topic(thread)).Text; got != "next" {
				t.Errorf("then comes %q", got)
			}
		})
	}
}

// Nothing is ever forwarded to a person: it would show the admin and the group. The admin is told under the message.
func TestWhatCannotBeCopiedIsNeverForwardedToAPerson(t *testing.T) {
	names := map[string]string{"poll": "quiz", "paid_media": "paid media", "giveaway": "giveaway", "invoice": "invoice"}
	for _, s := range uncopied() {
		t.Run(s.name, func(t *testing.T) {
			w, thread := met(t)
			out := w.tg.PostContent(admin, thread, s.Content)
			w.settle()
			w.wantChat(7, "hello")
			notice := last(t, w.tg.Topic(thread))
			want := fmt.Sprintf("Not delivered: Telegram does not let a message of this kind (%s) be copied. Please send it another way.", names[s.Kind])
			if notice.Text != want || notice.ReplyTo != out {
				t.Errorf("the admin reads %q in reply to %d", notice.Text, notice.ReplyTo)
			}
			if n := w.count("forwardMessage"); n != 0 {
				t.Errorf("forwarded %d times", n)
			}
		})
	}
}

// resendable are the kinds that can be made anew from the update.
func resendable() []specimen {
	var list []specimen
	for _, s := range specimens() {
		switch s.Kind {
		case "text", "photo", "video", "animation", "audio", "document", "voice", "video_note", "sticker", "contact", "location", "venue":
			if s.name != "live location" {
				list = append(list, s)
			}
		}
	}
	return list
}

// The relay rules: a message deleted before we could copy it is sent anew from the update, both ways.
func TestADeletedSourceIsSentAnew(t *testing.T) {
	for _, s := range resendable() {
		t.Run(s.name, func(t *testing.T) {
			w, thread := met(t)
			in := w.tg.Send(7, s.Content)
			source := last(t, w.tg.Chat(7))
			w.intake()
			w.tg.Delete(7, in)
			w.settle()
			inTopic := last(t, w.tg.Topic(thread))
			wantSame(t, source, inTopic)
			out := w.tg.PostContent(admin, thread, s.Content)
			source = last(t, w.tg.Topic(thread))
			w.intake()
			w.tg.DeletePost(out)
			w.settle()
			inChat := last(t, w.tg.Chat(7))
			wantSame(t, source, inChat)
			w.wantLedger(7, s.Kind, in, inTopic.ID, out, inChat.ID, thread)
		})
	}
}

// What cannot be made anew is named, and its writer told, also if it was deleted.
func TestADeletedPollIsNamed(t *testing.T) {
	w, thread := met(t)
	in := w.tg.Send(7, emulator.Poll())
	w.intake()
	w.tg.Delete(7, in)
	w.settle()
	w.wantTopic(thread, "hello", "A message (poll) could not be shown here…")
	w.wantChat(7, "hello", "Sorry, this message (poll)…")
	out := w.tg.PostContent(admin, thread, emulator.Dice())
	w.intake()
	w.tg.DeletePost(out)
	w.settle()
	w.wantChat(7, "hello", "Sorry, this message (poll)…")
	if got := last(t, w.tg.Topic(thread)).Text; !strings.HasPrefix(got, "Not delivered: Telegram does not let a message of this kind (dice)") {
		t.Errorf("the admin reads %q", got)
	}
}

// An album arrives whole and in order, both ways.
func TestAnAlbumArrivesInOrder(t *testing.T) {
	w, thread := met(t)
	w.tg.Album(7, emulator.Photo("one"), emulator.Video("two"), emulator.Photo("three"))
	w.settle()
	w.after(10 * time.Second)
	w.wantTopic(thread, "hello", "one", "two", "three")
	w.tg.PostAlbum(admin, thread, emulator.Document("four"), emulator.Document("five"))
	w.settle()
	w.after(10 * time.Second)
	w.wantChat(7, "hello", "one", "two", "three", "four", "five")
	if n := len(w.ledger(7)); n != 6 {
		t.Errorf("the ledger has %d rows", n)
	}
}
