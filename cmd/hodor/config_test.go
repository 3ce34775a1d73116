package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"
	"github.com/pelletier/go-toml/v2"
	"github.com/rs/zerolog"

	"hodor/internal/desk"
)

const (
	testToken = "123456:AAtheTokensSecretPart"
	required  = "[telegram]\ntoken = \"" + testToken + "\"\nsupport_chat_id = -1001234567890\n"
)

var testLanguages = []string{"en", "zh-Hans"}

// loadDocument loads a document from a file called config.toml, in which faults then stand without their directory.
func loadDocument(t testing.TB, document string, environ ...string) (Config, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("config.toml", []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	return loadConfig("config.toml", true, environ, testLanguages)
}

func mustLoad(t testing.TB, document string, environ ...string) Config {
	t.Helper()
	c, err := loadDocument(t, document, environ...)
	if err != nil {
		t.Fatalf("does not load:\n%v", err)
	}
	return c
}

// wantFaults compares all lines of the error, in their order.
func wantFaults(t testing.TB, err error, want ...string) {
	t.Helper()
	if got := fmt.Sprint(err); got != strings.Join(want, "\n") {
		t.Errorf("faults:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// flat is every key of a configuration with its value.
func flat(c Config) map[string]any {
	keys := map[string]any{}
	for _, l := range leaves(nil, asTree(c)) {
		keys[keyName(l.path)] = l.value
	}
	return keys
}

func TestDefaults(t *testing.T) {
	want := map[string]any{
		"telegram.token": "", "telegram.support_chat_id": int64(0), // required, see TestRules
		"telegram.api_url": "https://api.telegram.org", "telegram.admin_ids": []any{}, "telegram.group_admins": false,
		"updates.mode": "polling",
		"http.listen":  "127.0.0.1:8080", "http.public_url": "", "http.webhook_secret": "",
		"metrics.listen":                "",
		"database.path":                 "hodor.db",
		"relay.max_messages_per_minute": int64(20), "relay.max_attempts": int64(8),
		"limits.group_per_minute": int64(20), "limits.private_per_second": int64(1), "limits.global_per_second": int64(30),
		"verify.enabled": true, "verify.mode": "math", "verify.ttl_hours": int64(0), "verify.hold_messages": int64(10),
		"verify.turnstile.site_key": "", "verify.turnstile.secret_key": "",
		"verify.turnstile.siteverify_url": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
		"verify.turnstile.script_url":     "https://challenges.cloudflare.com/turnstile/v0/api.js",
		"text.language":                   "en",
		"log.level":                       "info", "log.format": "console",
	}
	got := flat(defaultConfig())
	for key := range want {
		if !reflect.DeepEqual(got[key], want[key]) {
			t.Errorf("%s = %#v, want %#v", key, got[key], want[key])
		}
	}
	if len(got) != len(want) {
		t.Errorf("keys: %v", slices.Sorted(maps.Keys(got)))
	}
}

func TestFileSetsEveryKey(t *testing.T) {
	c := mustLoad(t, everyKey)
	for key, value := range flat(defaultConfig()) {
		if reflect.DeepEqual(flat(c)[key], value) {
			t.Errorf("%s is still %v", key, value)
		}
	}
	if c.Telegram.Token.Reveal() != testToken || c.BotID() != 123456 || c.Telegram.SupportChatID != -1001234567890 {
		t.Errorf("telegram: %q, bot %d, group %d", c.Telegram.Token.Reveal(), c.BotID(), c.Telegram.SupportChatID)
	}
	if c.HTTP.WebhookSecret.Reveal() != "hook_Secret-1" || c.Verify.Turnstile.SecretKey.Reveal() != "0xTurnstileSecret" {
		t.Error("a secret is not the one in the file")
	}
	if c.Telegram.APIURL != "http://localhost:8081/base" || c.HTTP.PublicURL != "https://support.example.org" {
		t.Errorf("URLs are not in their one form: %s, %s", c.Telegram.APIURL, c.HTTP.PublicURL)
	}
}

const everyKey = `
[telegram]
token = "` + testToken + `"
api_url = "http://localhost:8081/base//"
support_chat_id = -1001234567890
admin_ids = [7, 7, 8]
group_admins = true
[updates]
mode = "webhook"
[http]
listen = ":80"
public_url = "https://Support.Example.org/"
webhook_secret = "hook_Secret-1"
[metrics]
listen = "[::1]:9090"
[database]
path = "/var/lib/hodor/desk.db"
[relay]
max_messages_per_minute = 21
max_attempts = 9
[limits]
group_per_minute = 22
private_per_second = 2
global_per_second = 31
[verify]
enabled = false
mode = "turnstile"
ttl_hours = 24
hold_messages = 0
[verify.turnstile]
site_key = "0xSite"
secret_key = "0xTurnstileSecret"
siteverify_url = "http://localhost:1/verify"
script_url = "http://localhost:1/api.js?render=explicit"
[text]
language = "zh-HANS"
[log]
level = "debug"
format = "json"
`

func TestEnvironmentSetsEveryKeyAndWins(t *testing.T) {
	environ := []string{"PATH=/bin", "HODORISH=1"}
	for key, value := range flat(mustLoad(t, everyKey)) {
		name := "HODOR_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		environ = append(environ, fmt.Sprintf("%s=%v", name, value))
	}
	secrets := []string{"HODOR_TELEGRAM_TOKEN=" + testToken, "HODOR_HTTP_WEBHOOK_SECRET=hook_Secret-1",
		"HODOR_VERIFY_TURNSTILE_SECRET_KEY=0xTurnstileSecret", "HODOR_TELEGRAM_ADMIN_IDS=7,7, 8"}
	c := mustLoad(t, "", append(environ, secrets...)...)
	if want := mustLoad(t, everyKey); !reflect.DeepEqual(c, want) {
		t.Errorf("from the environment: %+v\nfrom the file: %+v", c, want)
	}
	if c := mustLoad(t, required+"[relay]\nmax_attempts = 5\n", "HODOR_RELAY_MAX_ATTEMPTS=6"); c.Relay.MaxAttempts != 6 {
		t.Errorf("max_attempts = %d, the environment says 6", c.Relay.MaxAttempts)
	}
}

// A key's name in the environment follows from its name in the file, so the two tags of each field must agree.
func TestTagsAgree(t *testing.T) {
	params, err := env.GetFieldParamsWithOptions(new(Config), env.Options{Prefix: "HODOR_"})
	if err != nil {
		t.Fatal(err)
	}
	var tagged, derived []string
	for _, p := range params {
		if !p.Ignored {
			tagged = append(tagged, p.Key)
		}
	}
	for key := range flat(Config{}) {
		derived = append(derived, "HODOR_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_")))
	}
	slices.Sort(tagged)
	slices.Sort(derived)
	if !slices.Equal(tagged, derived) {
		t.Errorf("env tags %v\ntoml tags %v", tagged, derived)
	}
}

func TestEmptyVariableEmptiesItsKey(t *testing.T) {
	c := mustLoad(t, required+"admin_ids = [7]\n", "HODOR_HTTP_LISTEN=", "HODOR_TELEGRAM_ADMIN_IDS=")
	if c.HTTP.Listen != "" || len(c.Telegram.AdminIDs) != 0 {
		t.Errorf("listen %q, admins %v", c.HTTP.Listen, c.Telegram.AdminIDs)
	}
	_, err := loadDocument(t, required, "HODOR_RELAY_MAX_ATTEMPTS=", "HODOR_VERIFY_ENABLED=")
	wantFaults(t, err,
		`HODOR_RELAY_MAX_ATTEMPTS: relay.max_attempts = "": must be a whole number`,
		`HODOR_VERIFY_ENABLED: verify.enabled = "": must be true or false`)
}

func TestMissingFile(t *testing.T) {
	environ := []string{"HODOR_TELEGRAM_TOKEN=" + testToken, "HODOR_TELEGRAM_SUPPORT_CHAT_ID=-1001234567890"}
	missing := filepath.Join(t.TempDir(), "config.toml")
	if c, err := loadConfig(missing, false, environ, testLanguages); err != nil || c.Telegram.Token.Reveal() != testToken {
		t.Errorf("without a file: %v", err)
	}
	if _, err := loadConfig(missing, true, environ, testLanguages); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a file that was asked for is missing, and the error is: %v", err)
	}
	if _, err := loadConfig(t.TempDir(), false, environ, testLanguages); err == nil {
		t.Error("a directory was read as a file")
	}
}

func TestTexts(t *testing.T) {
	document := required + `
[text]
welcome = "Hi"
zh-hans.bye = "再见"
[text.EN]
welcome = "Hello"
`
	c := mustLoad(t, document, "HODOR_TEXT_WELCOME=Hey", "HODOR_TEXT_ZH_HANS_WELCOME=你好", "HODOR_TEXT_EN_LONG_KEY=x", "HODOR_TEXT_EN=y")
	if want := map[string]string{"welcome": "Hey", "en": "y"}; !maps.Equal(c.Text.Overrides, want) {
		t.Errorf("for every language: %v", c.Text.Overrides)
	}
	want := map[string]map[string]string{
		"zh-hans": {"bye": "再见", "welcome": "你好"},
		"en":      {"welcome": "Hello", "long_key": "x"},
	}
	if !reflect.DeepEqual(c.Text.PerLanguage, want) {
		t.Errorf("for one language: %v", c.Text.PerLanguage)
	}
}

func TestLongerLanguageIsMeant(t *testing.T) {
	l := newLoader([]string{"zh", "zh-hans", "zh-hant"})
	for name, want := range map[string]string{
		"zh_hans_bye": "text.zh-hans.bye", "zh_bye": "text.zh.bye", "zh_hans": "text.zh.hans", "bye": "text.bye", "zh_": "text.zh_",
	} {
		if got := keyName(l.textPath(name)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestSecretNeverShows(t *testing.T) {
	c := mustLoad(t, everyKey)
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T %v"} {
		fmt.Fprintf(&out, verb+verb+"\n", c, c.Telegram.Token)
	}
	log := zerolog.New(&out)
	log.Info().Interface("config", c).Any("token", c.Telegram.Token).Stringer("token", c.Telegram.Token).Send()
	for _, encode := range []func(any) ([]byte, error){toml.Marshal, json.Marshal} {
		encoded, err := encode(c)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(encoded)
	}
	for _, secret := range []string{"AAtheTokensSecretPart", "hook_Secret-1", "0xTurnstileSecret", fmt.Sprintf("%x", testToken)} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%s shows in:\n%s", secret, out.String())
		}
	}
	if (Secret{}).String() != "" || (Secret{"x"}).String() != hidden {
		t.Error("a secret must say whether it is set")
	}
}

func TestExample(t *testing.T) {
	example, err := os.ReadFile(filepath.Join("..", "..", "config.example.toml"))
	if err != nil {
		t.Fatal(err)
	}
	mustLoad(t, string(example))

	commented := regexp.MustCompile(`(?m)^# ([a-z_]+ = )`)
	whole := commented.ReplaceAllString(string(example), "$1")
	c := mustLoad(t, whole)
	c.Telegram.Token, c.Telegram.SupportChatID = Secret{}, 0 // they have no default
	if want := defaultConfig(); !reflect.DeepEqual(flat(c), flat(want)) {
		t.Errorf("the example says %v\nthe defaults are %v", flat(c), flat(want))
	}
	for key := range flat(defaultConfig()) {
		if keyLines([]byte(whole))[key] == 0 {
			t.Errorf("%s is missing", key)
		}
	}
	lines := strings.Split(whole, "\n")
	for i, line := range lines {
		if strings.Contains(line, " = ") && !strings.HasPrefix(line, "#") && !strings.HasPrefix(lines[i-1], "# ") {
			t.Errorf("no comment above %s", line)
		}
	}
}

func TestBotID(t *testing.T) {
	if id := (Config{}).BotID(); id != desk.BotID(0) {
		t.Errorf("bot %d of no token", id)
	}
}
