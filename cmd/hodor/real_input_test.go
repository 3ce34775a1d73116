package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// kinds are messages of every kind that Telegram copies, in their real shapes.
func kinds() []emulator.Content {
	list := []emulator.Content{
		emulator.Text("plain text"), emulator.Photo("a photo"), emulator.Video("a video"), emulator.Animation("an animation"),
		emulator.Audio("an audio"), emulator.Document("a document"), emulator.Voice("a voice"), emulator.VideoNote(),
		emulator.Sticker(), emulator.Contact("+49 1", "Carla"), emulator.Location(), emulator.Venue(), emulator.Poll(),
		emulator.Dice(), emulator.Story(), emulator.Checklist(), emulator.RichMessage(), emulator.Unknown(),
		emulator.Text("with a quote").Quoting("quoted"), emulator.Photo("protected").Protected(),
	}
	for _, origin := range []string{"user", "hidden_user", "chat", "channel", "unknown"} {
		list = append(list, emulator.Text("forwarded from "+origin).Forwarded(origin))
	}
	return list
}

// Every kind of message goes through the real program's webhook, both ways, and stands on the other side in the same order.
func TestEveryKindThroughTheRealProgram(t *testing.T) {
	m := newMachine(t, "webhook")
	m.tg.Join(killTeam)
	m.start("")
	eventually(t, 10*time.Second, "the program is ready", m.ready)
	var want []string
	for _, c := range kinds() {
		m.tg.Send(7, c)
		want = append(want, c.Kind)
	}
	thread := 0
	eventually(t, 20*time.Second, "the topic shows everything", func() bool {
		thread, _ = m.topicOf("User 7")
		return thread != 0 && len(brought(m.tg.Topic(thread))) >= len(want)+1 // and the card
	})
	if got := brought(m.tg.Topic(thread))[1:]; !slices.Equal(got, want) {
		t.Errorf("the topic shows %v, want %v", got, want)
	}
	for _, c := range kinds() {
		m.tg.PostContent(killTeam, thread, c)
	}
	eventually(t, 20*time.Second, "the person sees everything", func() bool { return len(brought(m.tg.Chat(7))) >= len(want) })
	if got := brought(m.tg.Chat(7)); !slices.Equal(got, want) {
		t.Errorf("the person sees %v, want %v", got, want)
	}
	if list := m.tg.Unmodelled(); len(list) > 0 {
		t.Errorf("calls that Telegram does not know: %q", list)
	}
	if code := m.stop(); code != 0 {
		t.Errorf("stopping ended with %d", code)
	}
}

// brought are the kinds of what the bot put somewhere, in order.
func brought(messages []emulator.Message) []string {
	var list []string
	for _, m := range messages {
		if m.FromBot && m.Service == "" {
			list = append(list, m.Kind)
		}
	}
	return list
}

// A1, A3, A4, A19: the doors of the real program.
func TestDoorsOfTheRealProgram(t *testing.T) {
	m := newMachine(t, "webhook")
	m.start("")
	eventually(t, 10*time.Second, "the program is ready", m.ready)
	for _, c := range []struct {
		method, path, secret, body string
		status                     int
	}{
		{"POST", "/webhook", "", `{"update_id":1}`, 401},
		{"POST", "/webhook", "a-secreT", `{"update_id":1}`, 401},
		{"POST", "/webhook", "a-secret", `not JSON`, 200},
		{"POST", "/webhook", "a-secret", `{"message":{}}`, 200},
		{"POST", "/webhook", "a-secret", `{"update_id":"7"}`, 200},
		{"POST", "/webhook", "a-secret", `{"update_id":900000001,"something_new":{}}`, 200},
		{"POST", "/webhook", "a-secret", strings.Repeat("x", 1<<20+1), 413},
		{"GET", "/webhook", "a-secret", "", 405},
		{"GET", "/healthz", "", "", 200},
		{"POST", "/healthz", "", "", 405},
		{"GET", "/readyz", "", "", 200},
		{"GET", "/", "", "", 404},
	} {
		req, err := http.NewRequest(c.method, "http://"+m.address+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.secret != "" {
			req.Header.Set("X-Telegram-Bot-Api-Secret-Token", c.secret)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("%s %s %.20q with secret %q: %d, want %d", c.method, c.path, c.body, c.secret, resp.StatusCode, c.status)
		}
	}
}
