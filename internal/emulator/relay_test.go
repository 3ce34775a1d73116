package emulator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-telegram/bot/models"
)

// Only a copy that Telegram makes by itself may carry a caption that is too long for a bot.
func TestLongCaptions(t *testing.T) {
	const long = "Bad Request: message caption is too long"
	d := newDesk(t)
	d.Say(7, "hi")
	caption := strings.Repeat("ä", 4096)
	photo := d.PostContent(9, 0, Photo(caption))
	copied := func(more ...any) []any {
		return append([]any{"chat_id", 7, "from_chat_id", d.Group(), "message_id", photo}, more...)
	}
	buttons := `{"inline_keyboard":[[{"text":"b","callback_data":"d"}]]}`
	d.refused(long, "copyMessage", copied("reply_parameters", `{"message_id":1}`)...)
	d.refused(long, "copyMessage", copied("reply_markup", buttons)...)
	d.refused(long, "copyMessage", copied("caption", caption[:4000])...)
	d.ok("copyMessage", copied("reply_parameters", `{"message_id":99,"allow_sending_without_reply":true}`)...)
	id := int(d.ok("copyMessage", copied()...)["message_id"].(float64))
	d.call("copyMessages", "chat_id", 7, "from_chat_id", d.Group(), "message_ids", []int{photo})
	chat := d.Chat(7)
	equal(t, "copies", len(chat), 4)
	for _, m := range chat[1:] {
		equal(t, "caption", m.Text, caption)
	}
	d.ok("copyMessage", copied("caption", "short", "reply_markup", buttons)...)

	d.refused(long, "editMessageCaption", "chat_id", 7, "message_id", id, "caption", caption[:4000])
	media := []map[string]any{{"type": "photo", "media": "https://x/a.jpg", "caption": caption[:4000]}}
	d.refused(long, "editMessageMedia", "chat_id", 7, "message_id", id, "media", media[0])
	d.refused(long, "sendMediaGroup", "chat_id", 7, "media", media)
	d.ok("editMessageReplyMarkup", "chat_id", 7, "message_id", id, "reply_markup", buttons)
	d.ok("editMessageCaption", "chat_id", 7, "message_id", id, "caption", caption[:2048])
}

func TestTheBotsQuotes(t *testing.T) {
	d := newDesk(t)
	one, two := d.newTopic("one"), d.newTopic("two")
	said := d.PostContent(9, one, TextWith("😀 who are you? who?", models.MessageEntity{Type: "bold", Offset: 16, Length: 3}))
	photo := d.PostContent(9, one, Photo("a caption"))
	reply := func(thread, to int, quote string) envelope {
		return d.call("sendMessage", "chat_id", d.Group(), "message_thread_id", thread, "text", "r", "reply_parameters",
			fmt.Sprintf(`{"message_id":%d,"allow_sending_without_reply":true%s}`, to, quote))
	}
	const invalid, elsewhere = "Bad Request: QUOTE_TEXT_INVALID", "Bad Request: message to be replied not found"
	for _, c := range []struct {
		thread, to  int
		quote, want string
	}{
		{one, said, `,"quote":"how"`, invalid},
		{one, said, `,"quote":"who are you? who?"`, invalid}, // without its bold
		{one, said, `,"quote":"who","quote_entities":[{"type":"italic","offset":0,"length":3}]`, invalid},
		{one, said, `,"quote":"who are you? <b>who</b>?","quote_parse_mode":"HTML"`, ""},
		{one, said, `,"quote":"who","quote_position":15`, ""},
		{one, photo, `,"quote":"caption"`, ""},
		{one, 99, `,"quote":"how"`, ""},
		{two, said, "", elsewhere},
		{two, said, `,"quote":"who"`, elsewhere},
	} {
		e := reply(c.thread, c.to, c.quote)
		equal(t, c.quote, e.Description, c.want)
	}
	var quotes []string
	for _, m := range d.Topic(one)[3:] {
		quotes = append(quotes, m.Quote)
	}
	equal(t, "quotes", strings.Join(quotes, "|"), "who are you? who?|who|caption|")
	var raw models.Message
	json.Unmarshal(d.Topic(one)[4].Raw, &raw)
	equal(t, "the one that is not bold", raw.Quote.Position, 3)
}

// file_unique_id is how a test knows that both sides see the same picture.
func TestAMediumKeepsItsName(t *testing.T) {
	d := newDesk(t)
	album := d.Album(7, Photo("one"), Photo("two"))
	var fileIDs []string
	for _, u := range d.told() {
		fileIDs = append(fileIDs, u.Message.Photo[1].FileID)
	}
	file := d.Chat(7)[0].File
	input := func(i int) map[string]any { return map[string]any{"type": "photo", "media": fileIDs[i]} }
	d.ok("copyMessage", "chat_id", d.Group(), "from_chat_id", 7, "message_id", album[0])
	d.call("copyMessages", "chat_id", d.Group(), "from_chat_id", 7, "message_ids", album[:1])
	d.ok("sendPhoto", "chat_id", d.Group(), "photo", fileIDs[0])
	d.call("sendMediaGroup", "chat_id", d.Group(), "media", []any{input(0)})
	d.ok("sendPhoto", "chat_id", d.Group(), "photo", fileIDs[1])
	general := d.General()
	last := general[4]
	equal(t, "another", last.File != file && last.File != "", true)
	d.ok("editMessageMedia", "chat_id", d.Group(), "message_id", last.ID, "media", input(0))
	for _, m := range d.General() {
		equal(t, "file", m.File, file)
	}
	equal(t, "one alone is no album", general[3].GroupID, "")
	d.ok("sendPhoto", "chat_id", 7, "photo", "https://x/a.jpg")
	d.ok("sendPhoto", "chat_id", 7, "photo", "https://x/a.jpg")
	chat := d.Chat(7)
	equal(t, "uploads differ", chat[2].File != chat[3].File, true)
	equal(t, "no medium", d.Say(7, "hi") > 0 && d.Chat(7)[4].File == "", true)
}

func TestButtonsUnderACopy(t *testing.T) {
	d := newDesk(t)
	said := d.Say(7, "hi")
	d.told()
	id := int(d.ok("copyMessage", "chat_id", d.Group(), "from_chat_id", 7, "message_id", said,
		"reply_markup", `{"inline_keyboard":[[{"text":"b","callback_data":"d"}]]}`)["message_id"].(float64))
	equal(t, "seen", d.General()[0].Buttons[0][0], Button{Text: "b", Data: "d"})
	query := d.Press(9, d.Group(), id, "d")
	pressed := d.told()[0].CallbackQuery
	equal(t, "message", pressed.Message.Message.ID, id)
	equal(t, "keyboard", pressed.Message.Message.ReplyMarkup.InlineKeyboard[0][0].CallbackData, "d")
	d.ok("answerCallbackQuery", "callback_query_id", query)
}
