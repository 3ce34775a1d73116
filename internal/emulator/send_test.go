package emulator

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestEverySend(t *testing.T) {
	for method, c := range map[string]struct {
		kind string
		more []any
	}{
		"sendPhoto":     {"photo", []any{"photo", "https://x/a.jpg", "caption", "c", "has_spoiler", true}},
		"sendVideo":     {"video", []any{"video", "https://x/a.mp4", "show_caption_above_media", true}},
		"sendAnimation": {"animation", []any{"animation", "https://x/a.mp4"}},
		"sendAudio":     {"audio", []any{"audio", "https://x/a.mp3"}},
		"sendDocument":  {"document", []any{"document", "https://x/a.pdf"}},
		"sendVoice":     {"voice", []any{"voice", "https://x/a.ogg"}},
		"sendVideoNote": {"video_note", []any{"video_note", "https://x/a.mp4"}},
		"sendSticker":   {"sticker", []any{"sticker", "https://x/a.webp"}},
		"sendContact":   {"contact", []any{"phone_number", "+49", "first_name", "Ann", "last_name", "B"}},
		"sendLocation":  {"location", []any{"latitude", 52.5, "longitude", 13.4, "live_period", 60}},
		"sendVenue":     {"venue", []any{"latitude", 52.5, "longitude", 13.4, "title", "Café", "address", "here"}},
		"sendPoll":      {"poll", []any{"question", "q?", "options", `[{"text":"a"},{"text":"b"}]`}},
		"sendDice":      {"dice", []any{"emoji", "🎯"}},
		"sendMessage":   {"text", []any{"text", "x", "protect_content", true}},
	} {
		d := newDesk(t)
		thread := d.newTopic("Ann")
		sent := d.ok(method, append([]any{"chat_id", d.Group(), "message_thread_id", thread}, c.more...)...)
		if sent[c.kind] == nil || sent["message_thread_id"] != float64(thread) || sent["is_topic_message"] != true {
			t.Errorf("%s: %v", method, sent)
		}
		equal(t, "kind", d.Topic(thread)[1].Kind, c.kind)
	}
}

// The client sends parameterless calls as multipart with an empty body, and may be cut off by nobody but itself.
func TestFormsOfARequest(t *testing.T) {
	d := newDesk(t)
	d.Say(7, "hi")
	for _, c := range []struct{ kind, path, body string }{
		{"multipart/form-data; boundary=b", "getMe", ""},
		{"multipart/form-data; boundary=b", "getMe", "--b--\r\n"},
		{"", "sendMessage?chat_id=7&text=x", ""},
		{"application/json", "sendMessage", `{"chat_id":7,"text":"x","disable_notification":true,"reply_parameters":{"message_id":1}}`},
		{"application/x-www-form-urlencoded", "SENDMESSAGE", "chat_id=7&text=x"},
		{"multipart/form-data; boundary=b", "sendMessage",
			"--b\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n7\r\n--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nx\r\n--b--\r\n"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/bot"+d.Token()+"/"+c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s %s: %s", c.kind, c.path, w.Body)
		}
	}
	equal(t, "sent", len(d.Chat(7)), 5)
}

func FuzzRequest(f *testing.F) {
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\\\"\"\r\n\r\n7\r\n--b--\r\n"))
	f.Add("application/json", []byte(`{"a":null,"b":"c"}`))
	f.Add("", []byte("x"))
	f.Fuzz(func(_ *testing.T, kind string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		r.Header.Set("Content-Type", kind)
		readParams(r) // must not panic, whatever it says
	})
}

func TestInjectedUpdates(t *testing.T) {
	d := newDesk(t)
	d.Inject(`{"update_id": 0,"hologram":{}}`)
	d.Inject(` {"hologram":{}}`)
	d.Inject(`{"update_id":77,"hologram":{}}`)
	d.Inject(`not JSON`)
	d.Say(7, "hi")
	var got []string
	for _, raw := range d.TakeUpdates() {
		got = append(got, string(raw[:min(len(raw), 32)]))
	}
	equal(t, "raw", strings.Join(got, "\n"), `{"update_id": 1,"hologram":{}}
 {"update_id":2,"hologram":{}}
{"update_id":77,"hologram":{}}
not JSON
{"update_id":79,"message":{"chat`)
}

func TestTopicLifeByHand(t *testing.T) {
	d := newDesk(t)
	thread := d.OpenTopic(9, "by hand")
	d.RenameTopic(9, thread, "renamed")
	d.CloseTopic(9, thread)
	d.CloseTopic(9, thread)
	d.ReopenTopic(9, thread)
	d.CloseTopic(9, 0)
	var services []string
	for _, m := range append(d.Topic(thread), d.General()...) {
		services = append(services, m.Service)
	}
	equal(t, "services", strings.Join(services, " "),
		"forum_topic_created forum_topic_edited forum_topic_closed forum_topic_reopened forum_topic_closed")
	equal(t, "told", len(d.told()), 5)
	equal(t, "topic", d.Topics()[0], Topic{Thread: thread, Name: "renamed"})
	d.refused("Bad Request: TOPIC_CLOSED", "sendDice", "chat_id", d.Group())
}
