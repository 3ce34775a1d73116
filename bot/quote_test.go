package bot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"

	"hodor/internal/emulator"
)

// A reply may quote a part of what it answers. The quote arrives with it; where Telegram refuses it, the reply does without, and where
// it refuses the reply, the message does.

// quoteOf is the quote of a message as the Bot API shows it.
func quoteOf(t *testing.T, m emulator.Message) (q struct {
	Text     string                 `json:"text"`
	Entities []models.MessageEntity `json:"entities"`
	Position int                    `json:"position"`
}) {
	t.Helper()
	var shown struct {
		Quote json.RawMessage `json:"quote"`
	}
	if err := json.Unmarshal(m.Raw, &shown); err != nil {
		t.Fatal(err)
	}
	if len(shown.Quote) > 0 {
		if err := json.Unmarshal(shown.Quote, &q); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

func TestAQuoteArrivesWithItsTextItsMarksAndItsPlace(t *testing.T) {
	w, thread := met(t)
	// Offsets count UTF-16 units: the flag is four of them.
	words := "🇩🇪 The door is green, the roof is red"
	bold := models.MessageEntity{Type: models.MessageEntityTypeBold, Offset: 9, Length: 13}
	w.tg.PostContent(admin, thread, emulator.TextWith(words, bold))
	w.tg.Send(7, emulator.Photo("the quay and the harbour"))
	w.settle()
	w.tg.ReplyWith(7, w.message(w.tg.Chat(7), "🇩🇪").ID, emulator.Text("really green?").Quoting("door is green"))
	w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "the quay").ID, emulator.Text("which one?").Quoting("harbour"))
	w.settle()

	w.wantAnswers(w.tg.Topic(thread), "really green?", "🇩🇪")
	q := quoteOf(t, w.message(w.tg.Topic(thread), "really green?"))
	if q.Text != "door is green" || q.Position != 9 || len(q.Entities) != 1 || q.Entities[0].Type != models.MessageEntityTypeBold ||
		q.Entities[0].Length != 13 {
		t.Errorf("in the topic is quoted %+v", q)
	}
	w.wantAnswers(w.tg.Chat(7), "which one?", "the quay")
	if q := quoteOf(t, w.message(w.tg.Chat(7), "which one?")); q.Text != "harbour" || q.Position != 17 {
		t.Errorf("the person reads the quote %+v", q)
	}
	w.wantNoRefusals()
}

// Of equal words those are quoted that the writer chose.
func TestAQuoteOfEqualWordsIsOfTheRightOnes(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "no, no, no")
	w.settle()
	third := emulator.Text("the third?").Quoting("no")
	w.deliver(withQuoteAt(t, w, 7, w.message(w.tg.Chat(7), "no, no").ID, third, 8))
	w.settle()
	if q := quoteOf(t, w.message(w.tg.Topic(thread), "the third?")); q.Text != "no" || q.Position != 8 {
		t.Errorf("quoted is %+v, want the third", q)
	}
}

// withQuoteAt answers and moves the quote, in what the bot is told, to where the writer took it from.
func withQuoteAt(t *testing.T, w *world, user int64, to int, c emulator.Content, position int) []byte {
	t.Helper()
	w.tg.ReplyWith(user, to, c)
	updates := w.tg.TakeUpdates()
	var u map[string]any
	if len(updates) != 1 || json.Unmarshal(updates[0], &u) != nil {
		t.Fatalf("the bot is told of %d updates", len(updates))
	}
	u["message"].(map[string]any)["quote"].(map[string]any)["position"] = position
	raw, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The original was changed after somebody quoted it, or Telegram counts it otherwise.
func TestAQuoteThatIsRefusedIsLeftOutOfTheReply(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "an answer")
	w.tg.Say(7, "a question")
	w.settle()
	w.tg.ReplyWith(7, w.message(w.tg.Chat(7), "an answer").ID, emulator.Text("from the person").Quoting("never said"))
	w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "a question").ID, emulator.Text("from the team").Quoting("never said"))
	w.tg.AlbumReply(7, w.message(w.tg.Chat(7), "an answer").ID, emulator.Photo("one").Quoting("nor this"), emulator.Photo("two"))
	w.after(2 * time.Second)
	w.wantTopic(thread, "hello", "an answer", "a question", "from the team", "from the person", "one", "two")
	w.wantAnswers(w.tg.Topic(thread), "from the person", "an answer")
	w.wantAnswers(w.tg.Chat(7), "from the team", "a question")
	w.wantAnswers(w.tg.Topic(thread), "one", "an answer")
	for _, m := range append(w.tg.Topic(thread), w.tg.Chat(7)...) {
		if m.FromBot && m.Quote != "" {
			t.Errorf("%q quotes %q", m.Text, m.Quote)
		}
	}
	w.wantNothingOwed()
}

// A reply that Telegram does not take is left out too, whatever it says of it.
func TestAReplyThatIsRefusedIsLeftOut(t *testing.T) {
	for _, says := range []string{"Bad Request: message to be replied not found", "Bad Request: REPLY_MESSAGE_ID_INVALID"} {
		w, thread := met(t)
		question := w.tg.Say(7, "a question")
		w.settle()
		for _, chat := range []int64{7, w.tg.Group()} {
			w.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: chat, Count: 2}, 400, says) // with the quote, and without
		}
		w.tg.ReplyWith(7, question, emulator.Text("from the person").Quoting("question"))
		w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "a question").ID, emulator.Text("from the team").Quoting("question"))
		w.settle()
		w.wantAnswers(w.tg.Topic(thread), "from the person", "")
		w.wantAnswers(w.tg.Chat(7), "from the team", "")
		w.wantTopic(thread, "hello", "a question", "from the team", "from the person")
		w.wantChat(7, "hello", "a question", "from the person", "from the team")
		w.wantNothingOwed()
	}
}

// A premium user's caption is longer than a bot may write, which a reply would need. It arrives whole, as no reply.
func TestALongCaptionIsWorthMoreThanItsReply(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	long := strings.Repeat("ä", 2000)
	w.tg.ReplyWith(7, w.message(w.tg.Chat(7), "an answer").ID, emulator.Photo("from the person "+long))
	w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, emulator.Video("from the team "+long))
	w.tg.AlbumReply(7, w.message(w.tg.Chat(7), "an answer").ID, emulator.Photo("an album "+long), emulator.Photo("its end"))
	w.after(2 * time.Second)
	w.wantTopic(thread, "hello", "an answer", "from the team "+long, "from the person "+long, "an album "+long, "its end")
	w.wantChat(7, "hello", "an answer", "from the person "+long, "an album "+long, "its end", "from the team "+long)
	w.wantAnswers(w.tg.Topic(thread), "from the person", "")
	w.wantAnswers(w.tg.Chat(7), "from the team", "")
	w.wantAnswers(w.tg.Topic(thread), "an album", "")
	if album, end := w.message(w.tg.Topic(thread), "an album"), w.message(w.tg.Topic(thread), "its end"); album.GroupID == "" || album.GroupID != end.GroupID {
		t.Error("the album is none any more")
	}
	w.wantNothingOwed()
}

// deletedMeanwhile is a message that is gone when its copy is due.
func (w *world) deletedMeanwhile(user int64, m int) {
	w.t.Helper()
	w.intake()
	if user != 0 {
		w.tg.Delete(user, m)
	} else {
		w.tg.DeletePost(m)
	}
	w.settle()
}

// What cannot be copied any more is sent anew from what we were told, and stays a reply.
func TestAReplyThatWasDeletedMeanwhileArrivesAsAReply(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	w.deletedMeanwhile(7, w.tg.Reply(7, w.message(w.tg.Chat(7), "an answer").ID, "from the person"))
	w.deletedMeanwhile(7, w.tg.ReplyWith(7, w.message(w.tg.Chat(7), "an answer").ID, emulator.Photo("their photo")))
	w.deletedMeanwhile(0, w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, "from the team"))
	w.deletedMeanwhile(0, w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, emulator.Document("our document")))
	for _, head := range []string{"from the person", "their photo"} {
		w.wantAnswers(w.tg.Topic(thread), head, "an answer")
	}
	for _, head := range []string{"from the team", "our document"} {
		w.wantAnswers(w.tg.Chat(7), head, "hello")
	}
	// What was sent anew is known as any other: it can be replied to.
	w.tg.PostReply(admin, thread, w.message(w.tg.Topic(thread), "their photo").ID, "nice")
	w.after(5 * time.Second)                // the person's messages have their pace
	w.wantAnswers(w.tg.Chat(7), "nice", "") // it is gone where the person had it
	w.tg.Reply(7, w.message(w.tg.Chat(7), "our document").ID, "thanks")
	w.settle()
	w.wantAnswers(w.tg.Topic(thread), "thanks", "") // and so is this
	w.wantNothingOwed()
}

// An album that replies and is deleted before it is copied is sent anew, as an album and a reply.
func TestAnAlbumThatRepliesAndWasDeletedMeanwhileStaysBoth(t *testing.T) {
	w, thread := met(t)
	w.tg.Post(admin, thread, "send me pictures")
	w.settle()
	ids := w.tg.AlbumReply(7, w.message(w.tg.Chat(7), "send me").ID, emulator.Photo("one"), emulator.Photo("two"))
	w.intake()
	for _, id := range ids {
		w.tg.Delete(7, id)
	}
	w.after(2 * time.Second)
	w.wantTopic(thread, "hello", "send me pictures", "one", "two")
	w.wantAnswers(w.tg.Topic(thread), "one", "send me")
	if one, two := w.message(w.tg.Topic(thread), "one"), w.message(w.tg.Topic(thread), "two"); one.GroupID == "" || one.GroupID != two.GroupID {
		t.Error("it is no album")
	}
}

// Who takes no voice messages gets none, and who sent one is told, whatever it replies to.
func TestAVoiceReplyToSomebodyWhoForbidsThemIsTold(t *testing.T) {
	w, thread := met(t)
	w.tg.ForbidVoice(7)
	for _, c := range []emulator.Content{emulator.Voice("listen"), emulator.VideoNote()} {
		voice := w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, c)
		w.settle()
		told := last(t, w.tg.Topic(thread))
		if told.Text != sentence("failed_voice_forbidden") || told.ReplyTo != voice || len(told.Buttons) != 0 {
			t.Errorf("about a %s the admin is told %q under %d with %v", c.Kind, told.Text, told.ReplyTo, told.Buttons)
		}
	}
	w.wantTried("copyMessage", 3) // hello, and each once
	w.wantTried("sendVoice", 0)
	w.wantTried("sendVideoNote", 0)
	w.tg.Post(admin, thread, "in writing then")
	w.settle()
	w.wantChat(7, "hello", "in writing then")
}

// A bot cannot send a caption that long with its medium: it follows as a text, in reply to the medium.
func TestALongCaptionWhoseSourceWasDeletedFollowsItsMedium(t *testing.T) {
	w, thread := met(t)
	long := strings.Repeat("ö", 1500)
	bold := []models.MessageEntity{{Type: models.MessageEntityTypeBold, Offset: 0, Length: 4}}
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	theirs := emulator.Photo("from the person "+long).With("caption_entities", bold)
	w.deletedMeanwhile(7, w.tg.ReplyWith(7, w.message(w.tg.Chat(7), "an answer").ID, theirs))
	w.deletedMeanwhile(0, w.tg.PostReplyWith(admin, thread, w.message(w.tg.Topic(thread), "hello").ID, emulator.Video("from the team "+long)))
	for _, c := range []struct {
		list           []emulator.Message
		head, kind, to string
	}{{w.tg.Topic(thread), "from the person", "photo", "an answer"}, {w.tg.Chat(7), "from the team", "video", "hello"}} {
		words := w.message(c.list, c.head)
		medium := c.list[len(c.list)-2]
		if words.Kind != "text" || words.Text != c.head+" "+long || words.ReplyTo != medium.ID || medium.Kind != c.kind || medium.Text != "" {
			t.Errorf("%q arrived as a %s saying %d letters, in reply to %d, after the %s %d", c.head, words.Kind, len(words.Text), words.ReplyTo,
				medium.Kind, medium.ID)
		}
		if medium.ReplyTo != w.message(c.list, c.to).ID {
			t.Errorf("the %s of %q replies to %d", medium.Kind, c.head, medium.ReplyTo)
		}
	}
	if marks := w.message(w.tg.Topic(thread), "from the person").Entities; len(marks) != 1 || marks[0].Length != 4 {
		t.Errorf("the words are marked %+v", marks)
	}
	known := map[int]bool{}
	for _, row := range w.ledger(7) {
		known[int(row.InGroup)], known[-int(row.InPrivate)] = true, true
	}
	if photo, video := last(t, w.tg.Topic(thread)[:len(w.tg.Topic(thread))-1]).ID, w.tg.Chat(7)[len(w.tg.Chat(7))-2].ID; !known[photo] || !known[-video] {
		t.Errorf("photo %d or video %d is not in the ledger: %v", photo, video, known)
	}
	w.wantNothingOwed()
}
