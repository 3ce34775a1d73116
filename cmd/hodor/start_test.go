package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A token that Telegram refuses ends the start with one sentence, whichever question it refuses, and is not shown.
func TestRefusedTokenEndsTheStart(t *testing.T) {
	for _, c := range []struct{ mode, method string }{
		{"polling", "getMe"}, {"webhook", "getMe"}, {"polling", "deleteWebhook"}, {"webhook", "setWebhook"},
	} {
		t.Run(c.mode+" "+c.method, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, c.mode)
			m.tg.Refuse(emulator.Fault{Method: c.method, Count: -1}, 401, "Unauthorized")
			m.start("")
			code := m.ended(10 * time.Second)
			m.wantSentence(ending{code: code, stderr: m.said()}, "token")
		})
	}
}

// So does a token that is revoked for everything.
func TestRevokedTokenEndsTheStart(t *testing.T) {
	m := newMachine(t, "polling")
	m.tg.RevokeToken()
	m.wantSentence(m.do(nil, "serve"), "token", "@BotFather")
}

// variable is what the machine sets an environment variable to.
func (m *machine) variable(name string) string {
	value := ""
	for _, v := range m.environ {
		if rest, ok := strings.CutPrefix(v, name+"="); ok {
			value = rest
		}
	}
	return value
}

// A webhook is set with everything that Telegram has to know, after it has told our name; what waited comes in.
func TestStartSetsTheWebhook(t *testing.T) {
	m := newMachine(t, "webhook")
	m.tg.Say(7, "early")
	m.started()
	eventually(t, 10*time.Second, "what waited is delivered", func() bool { return m.shows("User 7", "early") })
	sets := m.params("setWebhook")
	if len(sets) != 1 {
		t.Fatalf("set %d times", len(sets))
	}
	var kinds []string
	if err := json.Unmarshal([]byte(sets[0]["allowed_updates"]), &kinds); err != nil {
		t.Fatal(err)
	}
	if want := []string{"message", "edited_message", "callback_query", "message_reaction", "my_chat_member", "chat_member"}; !slices.Equal(kinds, want) {
		t.Errorf("allowed_updates %v", kinds)
	}
	if n, err := strconv.Atoi(sets[0]["max_connections"]); err != nil || n < 1 || n > 100 {
		t.Errorf("max_connections %q", sets[0]["max_connections"])
	}
	if sets[0]["url"] != m.variable("HODOR_HTTP_PUBLIC_URL")+"/webhook" || sets[0]["secret_token"] != "a-secret" {
		t.Errorf("set to %v", sets[0])
	}
	if drop := sets[0]["drop_pending_updates"]; drop != "" && drop != "false" {
		t.Errorf("drop_pending_updates %s", drop)
	}
	m.wantOrder("getMe", "setWebhook")
	m.wantNoSecret(m.said())
}

// wantOrder wants these to be the first calls of their methods, in this order.
func (m *machine) wantOrder(methods ...string) {
	m.t.Helper()
	at := -1
	calls := m.tg.Calls()
	for _, method := range methods {
		i := slices.IndexFunc(calls, func(c emulator.Call) bool { return c.Method == method })
		if i <= at {
			m.t.Errorf("%s came at %d, after %d: %v", method, i, at, methods)
		}
		at = i
	}
}

// Polling takes a webhook away and drops nothing that waits.
func TestStartDeletesTheWebhook(t *testing.T) {
	m := newMachine(t, "polling")
	form := url.Values{"url": {"http://127.0.0.1:1/elsewhere"}}
	resp, err := http.PostForm(m.variable("HODOR_TELEGRAM_API_URL")+"/bot"+m.tg.Token()+"/setWebhook", form)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	m.tg.Say(7, "early")
	m.started()
	eventually(t, 10*time.Second, "what waited is delivered", func() bool { return m.shows("User 7", "early") })
	for _, p := range m.params("deleteWebhook") {
		if drop := p["drop_pending_updates"]; drop != "" && drop != "false" {
			t.Errorf("drop_pending_updates %s", drop)
		}
	}
	m.wantOrder("getMe", "deleteWebhook", "getUpdates")
}

// The command menu is set for the support chat alone, in each language and for the rest; the bot's name and the administrators of the
// group are on disk, and follow at the next start.
func TestStartIntroducesItself(t *testing.T) {
	m := newMachine(t, "polling")
	m.tg.Promote(300)
	m.tg.Promote(301)
	m.started()
	eventually(t, 10*time.Second, "it polls", func() bool { return len(m.params("deleteWebhook")) > 0 })
	var languages []string
	words := map[string]bool{}
	for _, p := range m.params("setMyCommands") {
		var scope struct {
			Type   string `json:"type"`
			ChatID int64  `json:"chat_id"`
		}
		if err := json.Unmarshal([]byte(p["scope"]), &scope); err != nil || scope.Type != "chat" || scope.ChatID != m.tg.Group() {
			t.Errorf("a menu for %s: %v", p["scope"], err)
		}
		languages = append(languages, p["language_code"])
		menu := m.tg.Commands(p["scope"], p["language_code"])
		words[menu["help"]] = true
		if menu["help"] == "" {
			t.Errorf("the menu in %q is %v", p["language_code"], menu)
		}
	}
	slices.Sort(languages)
	if !slices.Equal(languages, []string{"", "en", "zh"}) || len(words) != 2 {
		t.Errorf("menus in %q, %d different", languages, len(words))
	}
	if other := m.tg.Commands("", ""); len(other) > 0 {
		t.Errorf("people are offered %v", other)
	}
	m.wantIntroduced("Hodor hodor_test_bot", "300,301,"+strconv.FormatInt(emulator.OwnerID, 10))
	born := m.rows("SELECT created_at AS x FROM bots")
	m.stopped()
	m.tg.Demote(301)
	m.tg.Know(emulator.Person{ID: m.tg.BotID(), FirstName: "Support", Username: "support_bot", IsBot: true})
	m.started()
	eventually(t, 10*time.Second, "it polls", func() bool { return len(m.params("deleteWebhook")) > 1 })
	m.wantIntroduced("Support support_bot", "300,"+strconv.FormatInt(emulator.OwnerID, 10))
	if again := m.rows("SELECT created_at AS x FROM bots"); again != born {
		t.Errorf("the bot was made at %s, and then at %s", born, again)
	}
}

func (m *machine) wantIntroduced(name, admins string) {
	m.t.Helper()
	if got := m.rows("SELECT display_name || ' ' || username AS x FROM bots"); got != name {
		m.t.Errorf("bots says %q, want %q", got, name)
	}
	if got := m.rows("SELECT user_id AS x FROM group_admins ORDER BY user_id"); got != admins {
		m.t.Errorf("group_admins says %s, want %s", got, admins)
	}
}

func (m *machine) stopped() {
	m.t.Helper()
	m.term()
	if code := m.ended(10 * time.Second); code != 0 {
		m.t.Errorf("stopping ended with %d", code)
	}
}

// A19, A5 in our form: while Telegram cannot be reached the program lives, claims what comes in, says what is not ready and why, and
// sends nothing; then it recovers by itself. A command with our name behind it has waited for our name.
func TestStartWithoutTelegram(t *testing.T) {
	m := newMachine(t, "webhook")
	m.tg.Join(killTeam)
	m.tg.Down(true)
	m.tg.Say(7, "early")
	m.tg.Post(killTeam, 0, "/help@hodor_test_bot")
	m.start("")
	eventually(t, 15*time.Second, "it lives", m.lives)
	for _, raw := range m.tg.TakeUpdates() {
		if status := m.post(string(raw)); status != http.StatusOK {
			t.Errorf("%s: answered %d", raw, status)
		}
	}
	if got := m.rows("SELECT user_id AS x FROM users"); got != "7" {
		t.Errorf("claimed of %q", got)
	}
	eventually(t, 10*time.Second, "it says why", func() bool { return strings.Contains(m.notReady()["telegram identity"], "refused") })
	list := m.notReady()
	for _, part := range []string{"telegram identity", "update source", "group"} {
		if list[part] == "" {
			t.Errorf("not ready are %v", list)
		}
	}
	if general := fromBot(m.tg.General()); len(general) > 0 {
		t.Errorf("General shows %q", general)
	}
	m.tg.Down(false)
	eventually(t, 45*time.Second, "it recovers", m.ready)
	eventually(t, 10*time.Second, "what came in is delivered", func() bool { return m.shows("User 7", "early") })
	eventually(t, 10*time.Second, "the command is obeyed", func() bool { return len(fromBot(m.tg.General())) == 1 })
	m.wantNoSecret(m.said())
	m.stopped()
}

func fromBot(messages []emulator.Message) (list []string) {
	for _, c := range messages {
		if c.FromBot && c.Service == "" {
			list = append(list, c.Text)
		}
	}
	return list
}

// A stop is obeyed while Telegram cannot be reached, and is no failure.
func TestStopWithoutTelegram(t *testing.T) {
	for _, mode := range []string{"polling", "webhook"} {
		t.Run(mode, func(t *testing.T) {
			m := newMachine(t, mode)
			m.tg.Down(true)
			m.start("")
			eventually(t, 15*time.Second, "it lives", m.lives)
			m.stopped()
		})
	}
}

// /readyz lists the database when it takes nothing: Telegram is told 503, and whoever watches must not be told 200.
func TestReadyzNamesTheDatabase(t *testing.T) {
	m := newMachine(t, "webhook")
	m.started()
	raw := fmt.Sprintf(`{"update_id":900000001,"message":{"message_id":1,"date":%d,"chat":{"id":7,"type":"private"},"from":{"id":7,"first_name":"A"},"text":"x"}}`,
		time.Now().Unix())
	m.byHand(`CREATE TRIGGER full BEFORE INSERT ON processed_updates BEGIN SELECT RAISE(ABORT, 'disk is full'); END`)
	if status := m.post(raw); status != http.StatusServiceUnavailable {
		t.Errorf("answered %d", status)
	}
	if list := m.notReady(); list["database"] == "" {
		t.Errorf("not ready are %v", list)
	}
	m.byHand(`DROP TRIGGER full`)
	if status := m.post(raw); status != http.StatusOK {
		t.Errorf("answered %d", status)
	}
	if list := m.notReady(); len(list) > 0 {
		t.Errorf("not ready are %v", list)
	}
}

// Polling needs no port at all.
func TestServeWithoutAPort(t *testing.T) {
	m := newMachine(t, "polling", "HODOR_HTTP_LISTEN=")
	m.tg.Say(7, "hello")
	m.start("")
	eventually(t, 15*time.Second, "it is delivered", func() bool { return m.shows("User 7", "hello") })
	if m.lives() {
		t.Error("somebody listens")
	}
	m.stopped()
}

// A port that is taken ends the start with a sentence that names the key and the address.
func TestPortInUseEndsTheStart(t *testing.T) {
	m := newMachine(t, "polling")
	taken, err := net.Listen("tcp", m.address)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	m.wantSentence(m.do(nil, "serve"), "http.listen", m.address, "in use")
	if len(m.tg.Calls()) > 0 {
		t.Errorf("called %+v", m.tg.Calls())
	}
}

// Who administers the group is read again when our place in it changes, also after the first question was refused.
func TestAdministratorsAreReadAgainWhenOurPlaceChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(*machine)
		first  bool // the first question is answered
	}{
		{"after a good start", func(*machine) {}, true},
		{"after a refusal at the start", func(m *machine) { m.tg.Kick() }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, "polling", "HODOR_TELEGRAM_GROUP_ADMINS=true")
			m.tg.Promote(300)
			c.before(m)
			m.start("")
			eventually(t, 15*time.Second, "it polls", func() bool { return len(m.params("deleteWebhook")) > 0 })
			owner := strconv.FormatInt(emulator.OwnerID, 10)
			admins := func() string { return m.rows("SELECT user_id AS x FROM group_admins ORDER BY user_id") }
			if c.first {
				eventually(t, 10*time.Second, "the administrators are known", func() bool { return admins() == "300,"+owner })
				m.byHand("DELETE FROM group_admins") // as if somebody had been made one while nobody told us
				m.tg.Kick()
			} else if got := admins(); strings.Contains(got, owner) { // of 300 an update tells
				t.Errorf("the administrators are %s although the question was refused", got)
			}
			m.tg.Readmit()
			eventually(t, 15*time.Second, "the administrators are read again", func() bool { return admins() == "300,"+owner })
			m.stopped()
		})
	}
}
