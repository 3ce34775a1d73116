package emulator

import (
	"encoding/json"
	"testing"
)

func ids(t *testing.T, e envelope) int {
	t.Helper()
	var list []struct{ MessageID int }
	if err := json.Unmarshal(e.Result, &list); err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestCopyRefusals(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	quiz, secret := d.Send(7, Quiz()), d.Send(7, Text("s").Protected())
	to := func(id int) []any {
		return []any{"chat_id", d.Group(), "message_thread_id", thread, "from_chat_id", 7, "message_id", id}
	}
	d.refused("Bad Request: message to copy not found", "copyMessage", to(99)...)
	d.refused("Bad Request: the message can't be copied", "copyMessage", to(quiz)...)
	d.refused("Bad Request: message to forward not found", "forwardMessage", to(99)...)
	d.refused("Bad Request: message has protected content and can't be forwarded", "forwardMessage", to(secret)...)
	d.ok("copyMessage", to(secret)...)
	forwarded := d.ok("forwardMessage", to(quiz)...)
	equal(t, "origin", forwarded["forward_origin"].(fields)["type"], any("user"))
	equal(t, "ref", d.Topic(thread)[2].ForwardedFrom, Ref{7, quiz})
	d.refused("Bad Request: message can't be edited", "editMessageText", "chat_id", d.Group(), "message_id", int(forwarded["message_id"].(float64)), "text", "x")
}

func TestCopyMessages(t *testing.T) {
	d := newDesk(t)
	album := d.Album(7, Photo("one"), Video(""), Photo(""))
	quiz := d.Send(7, Quiz())
	copies := func(list ...int) envelope {
		return d.call("copyMessages", "chat_id", d.Group(), "from_chat_id", 7, "message_ids", list)
	}

	equal(t, "missing and uncopyable are skipped", ids(t, copies(album[0], album[1], album[2], quiz, 99)), 3)
	copied := d.General()
	if copied[0].GroupID == "" || copied[0].GroupID != copied[2].GroupID || copied[0].GroupID == d.Chat(7)[0].GroupID {
		t.Errorf("the album did not stay one: %+v", copied)
	}
	equal(t, "order", copies(album[1], album[0]).Description, "Bad Request: message identifiers must be in a strictly increasing order")
	equal(t, "none there", copies(98, 99).Description, "Bad Request: there are no messages to forward")
	equal(t, "none copyable", copies(quiz).Description, "Bad Request: messages can't be forwarded")
	many := make([]int, 101)
	equal(t, "too many", copies(many...).Description, "Bad Request: too many message identifiers specified")

	a, b := d.Send(7, Audio("")), d.Send(7, Audio(""))
	copies(a, b)
	all := d.General()
	if last := all[len(all)-1]; last.GroupID == "" {
		t.Error("two single audios were not merged into one album")
	}
}

func TestOneFailureSpoilsTheAnswerOfCopyMessages(t *testing.T) {
	d := newDesk(t)
	text, voice := d.Post(9, 0, "a"), d.PostContent(9, 0, Voice(""))
	last := d.Post(9, 0, "b")
	d.Say(7, "hi")
	d.ForbidVoice(7)
	d.refused(`Bad Request: failed to send message #2 with the error message "VOICE_MESSAGES_FORBIDDEN"`,
		"copyMessages", "chat_id", 7, "from_chat_id", d.Group(), "message_ids", []int{text, voice, last})
	equal(t, "delivered", len(d.Chat(7)), 3)
}

func TestRepliesFollowIntoTheirTopic(t *testing.T) {
	d := newDesk(t)
	one, two := d.newTopic("one"), d.newTopic("two")
	there := d.Post(9, one, "x")
	reply := func(thread, to int, without bool) envelope {
		return d.call("sendMessage", "chat_id", d.Group(), "message_thread_id", thread, "text", "r",
			"reply_parameters", map[string]any{"message_id": to, "allow_sending_without_reply": without})
	}
	equal(t, "there", reply(0, there, false).OK, true)
	equal(t, "in its topic", d.Topic(one)[2].ReplyTo, there)
	equal(t, "missing", reply(one, 99, false).Description, "Bad Request: message to be replied not found")
	equal(t, "missing, allowed", reply(one, 99, true).OK, true)
	equal(t, "elsewhere", reply(two, there, true).Description, "Bad Request: message to be replied not found")
}

func TestEdits(t *testing.T) {
	d := newDesk(t)
	d.Say(7, "hi")
	id := int(d.ok("sendMessage", "chat_id", 7, "text", "one", "reply_markup", `{"inline_keyboard":[[{"text":"b","callback_data":"d"}]]}`)["message_id"].(float64))
	edit := func(method string, msg int, pairs ...any) envelope {
		return d.call(method, append([]any{"chat_id", 7, "message_id", msg}, pairs...)...)
	}
	equal(t, "edit", edit("editMessageText", id, "text", "two").OK, true)
	equal(t, "keyboard gone", len(d.Chat(7)[1].Buttons), 0)
	equal(t, "same", edit("editMessageText", id, "text", "two ").Description,
		"Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	equal(t, "missing", edit("editMessageText", 99, "text", "x").Description, "Bad Request: message to edit not found")
	equal(t, "theirs", edit("editMessageText", 1, "text", "x").Description, "Bad Request: message can't be edited")
	equal(t, "no caption", edit("editMessageCaption", id, "caption", "x").Description, "Bad Request: there is no caption in the message to edit")
	photo := d.Send(7, Photo("p"))
	var sizes struct {
		Photo []struct {
			FileID string `json:"file_id"`
		}
	}
	json.Unmarshal(d.Chat(7)[2].Raw, &sizes)
	equal(t, "text to media", edit("editMessageMedia", id, "media", map[string]any{"type": "photo", "media": sizes.Photo[1].FileID, "caption": "c"}).OK, true)
	equal(t, "media to text", edit("editMessageText", id, "text", "x").Description, "Bad Request: there is no text in the message to edit")
	equal(t, "caption", edit("editMessageCaption", id, "caption", "d").OK, true)
	equal(t, "seen", d.Chat(7)[1].Text, "d")
	d.told()
	d.EditText(7, photo, "q")
	equal(t, "their edit is told", d.told()[0].EditedMessage.Caption, "q")
}

func TestMediaByFileID(t *testing.T) {
	d := newDesk(t)
	d.Send(7, Document("d"))
	doc := d.told()[0].Message.Document.FileID
	d.ok("sendDocument", "chat_id", 7, "document", doc)
	d.refused("Bad Request: can't use file of type Document as Photo", "sendPhoto", "chat_id", 7, "photo", doc)
	d.refused("Bad Request: wrong file identifier/HTTP URL specified", "sendPhoto", "chat_id", 7, "photo", "nonsense")
	d.ok("sendMediaGroup", "chat_id", 7, "media", []any{map[string]any{"type": "document", "media": doc}, map[string]any{"type": "document", "media": doc}})
	d.refused("Bad Request: photo can't be mixed with other media types", "sendMediaGroup", "chat_id", 7, "media",
		[]any{map[string]any{"type": "document", "media": doc}, map[string]any{"type": "photo", "media": "https://x"}})
}
