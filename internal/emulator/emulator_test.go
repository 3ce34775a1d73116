package emulator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"
)

// A desk is an emulator and a bot's bare hands on its Bot API.
type desk struct {
	*Telegram
	t   *testing.T
	now time.Time
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	d.Telegram = New(Options{Now: func() time.Time { return d.now }})
	t.Cleanup(d.Close)
	return d
}

type envelope struct {
	OK          bool
	Result      json.RawMessage
	ErrorCode   int `json:"error_code"`
	Description string
	Parameters  struct {
		RetryAfter      int   `json:"retry_after"`
		MigrateToChatID int64 `json:"migrate_to_chat_id"`
	}
}

// call makes a call as a form: name, value, name, value …
func (d *desk) call(method string, pairs ...any) envelope {
	d.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i].(string), asText(pairs[i+1]))
	}
	r := httptest.NewRequest(http.MethodPost, "/bot"+d.Token()+"/"+method, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	var e envelope
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		d.t.Fatalf("%s: %v: %s", method, err, w.Body)
	}
	return e
}

func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}

// ok makes a call that must succeed and returns its result.
func (d *desk) ok(method string, pairs ...any) fields {
	d.t.Helper()
	e := d.call(method, pairs...)
	if !e.OK {
		d.t.Fatalf("%s: %s", method, e.Description)
	}
	var f fields
	json.Unmarshal(e.Result, &f)
	return f
}

// refused makes a call that must be refused with this description.
func (d *desk) refused(want, method string, pairs ...any) {
	d.t.Helper()
	if e := d.call(method, pairs...); e.OK || e.Description != want {
		d.t.Errorf("%s: got %v %q, want %q", method, e.OK, e.Description, want)
	}
}

// newTopic opens a topic as the bot.
func (d *desk) newTopic(name string) int {
	d.t.Helper()
	return int(d.ok("createForumTopic", "chat_id", d.Group(), "name", name)["message_thread_id"].(float64))
}

// told takes the waiting updates, decoded.
func (d *desk) told() []models.Update {
	d.t.Helper()
	var list []models.Update
	for _, raw := range d.TakeUpdates() {
		var u models.Update
		if err := json.Unmarshal(raw, &u); err != nil {
			d.t.Fatalf("%v: %s", err, raw)
		}
		list = append(list, u)
	}
	return list
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The specification is kept beside the repository, not in it.
func TestEveryMethodAndParameterIsInTheSpecification(t *testing.T) {
	raw, err := os.ReadFile("../../../shared/spec/botapi-spec.json")
	if err != nil {
		t.Skip("the Bot API's specification is not here: ", err)
	}
	var spec struct {
		Methods map[string]struct {
			Fields []struct{ Name string }
		}
	}
	if err := json.Unmarshal(raw, &spec); err != nil {
		t.Fatal(err)
	}
	for _, m := range methods {
		known, ok := spec.Methods[m.name]
		if !ok {
			t.Errorf("the Bot API has no method %s", m.name)
		}
		names := map[string]bool{}
		for _, f := range known.Fields {
			names[f.Name] = true
		}
		for p := range m.params {
			if !names[p] {
				t.Errorf("%s has no parameter %s", m.name, p)
			}
		}
	}
}

func TestEveryContentDecodesAndTravels(t *testing.T) {
	uncopyable := map[string]bool{"paid_media": true, "giveaway": true, "invoice": true}
	for _, c := range []Content{
		Text("hi"), TextWith("bold", models.MessageEntity{Type: "bold", Length: 4}), Photo("p"), Video(""), Animation("a"), Audio(""),
		Document("d"), Voice(""), VideoNote(), Sticker(), Contact("+49", "Ann"), Location(), Venue(), Poll(), Dice(), Story(), Game(),
		PaidMedia(), Giveaway(), Invoice(), Checklist(), RichMessage(), Unknown(),
		Text("f").Forwarded("user"), Text("f").Forwarded("hidden_user"), Photo("f").Forwarded("chat"), Text("f").Forwarded("channel"),
	} {
		d := newDesk(t)
		id := d.Send(7, c)
		if got := d.told(); len(got) != 1 || got[0].Message.ID != id {
			t.Errorf("%s: told %v", c.Kind, got)
		}
		e := d.call("copyMessage", "chat_id", 7, "from_chat_id", 7, "message_id", id)
		if e.OK == uncopyable[c.Kind] {
			t.Errorf("copy of %s: %v %s", c.Kind, e.OK, e.Description)
		}
		if e.OK {
			chat := d.Chat(7)
			equal(t, "kind of the copy", chat[1].Kind, c.Kind)
			equal(t, "text of the copy", chat[1].Text, chat[0].Text)
		}
	}
}

func TestAnUnknownOriginIsNotDecodable(t *testing.T) {
	d := newDesk(t)
	d.Send(7, Text("x").Forwarded("unknown"))
	var u models.Update
	if err := json.Unmarshal(d.TakeUpdates()[0], &u); err == nil {
		t.Error("the library decoded an origin of a type nobody knows")
	}
}

func TestWhatIsNotModelledIsNoticed(t *testing.T) {
	d := newDesk(t)
	d.Say(7, "hi")
	d.refused("Not Found: method not found", "sendHologram", "chat_id", 7)
	if e := d.call("sendMessage", "chat_id", 7, "text", "x", "colour", "red"); e.ErrorCode != 400 {
		t.Errorf("unknown parameter: %+v", e)
	}
	equal(t, "unmodelled", strings.Join(d.Unmodelled(), ", "), "sendHologram, sendMessage: colour")
}

func TestCallsAreRemembered(t *testing.T) {
	d := newDesk(t)
	d.Telegram.calls.keep = 2
	var seen []string
	d.OnCall(func(c Call) { seen = append(seen, c.Method) })
	d.ok("getMe")
	d.ok("getChat", "chat_id", d.Group())
	d.refused("Bad Request: chat not found", "sendMessage", "chat_id", 7, "text", "x")
	calls := d.Calls()
	equal(t, "kept", len(calls), 2)
	equal(t, "last", calls[1].Method+" "+calls[1].Params["text"], "sendMessage x")
	equal(t, "status", calls[1].Status, 400)
	equal(t, "executed", calls[0].Executed && !calls[1].Executed, true)
	equal(t, "seen", strings.Join(seen, " "), "getMe getChat sendMessage")
}

func TestARevokedTokenIsUnauthorized(t *testing.T) {
	d := newDesk(t)
	d.ok("getMe")
	d.RevokeToken()
	d.refused("Unauthorized", "getMe")
}
