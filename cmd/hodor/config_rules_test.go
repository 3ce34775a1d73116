package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each rule once, and what it must still let pass.
func TestRules(t *testing.T) {
	const (
		chat    = "must be the id of a supergroup, such as -1001234567890"
		api     = "must be an http or https URL without credentials, query and fragment"
		origin  = "must be an https origin, such as https://support.example.org"
		address = "must be host:port with a port from 0 to 65535, or empty"
		page    = "must be an http or https URL without credentials and fragment"
		webhook = `must be set when updates.mode is "webhook"`
	)
	tests := []struct {
		environ string // variables, without HODOR_, parted by spaces
		want    string // the fault without its place; empty for none
	}{
		{"TELEGRAM_TOKEN=", `telegram.token = "": must be the bot's token, a number, a colon and a secret`},
		{"TELEGRAM_TOKEN=nonumber:abc", "telegram.token = [hidden]: must be the bot's token, a number, a colon and a secret"},
		{"TELEGRAM_TOKEN=1:a/b", "telegram.token = [hidden]: must be the bot's token, a number, a colon and a secret"},
		{"TELEGRAM_TOKEN=+1:ab", "telegram.token = [hidden]: must be the bot's token, a number, a colon and a secret"},
		{"TELEGRAM_SUPPORT_CHAT_ID=0", "telegram.support_chat_id = 0: " + chat},
		{"TELEGRAM_SUPPORT_CHAT_ID=1001234567890", "telegram.support_chat_id = 1001234567890: " + chat},
		{"TELEGRAM_SUPPORT_CHAT_ID=-123456789", "telegram.support_chat_id = -123456789: " + chat},
		{"TELEGRAM_SUPPORT_CHAT_ID=-4000000000000", "telegram.support_chat_id = -4000000000000: " + chat},
		{"TELEGRAM_ADMIN_IDS=7,0,-3", "telegram.admin_ids = [0,-3]: must be ids of people, which are above 0"},
		{"TELEGRAM_ADMIN_IDS=7,7", ""},
		{"TELEGRAM_API_URL=api.telegram.org", `telegram.api_url = "api.telegram.org": ` + api},
		{"TELEGRAM_API_URL=ftp://h", `telegram.api_url = "ftp://h": ` + api},
		{"TELEGRAM_API_URL=https://h?", `telegram.api_url = "https://h?": ` + api},
		{"TELEGRAM_API_URL=https://h#", `telegram.api_url = "https://h#": ` + api},
		{"TELEGRAM_API_URL=https://:1", `telegram.api_url = "https://:1": ` + api},
		{"TELEGRAM_API_URL=https://h:70000", `telegram.api_url = "https://h:70000": ` + api},
		{"TELEGRAM_API_URL=https://me:pass@h", "telegram.api_url = \"[hidden]\": " + api},
		{"TELEGRAM_API_URL=https://h/%zz", `telegram.api_url = "https://h/%zz": ` + api},
		{"UPDATES_MODE=push", `updates.mode = "push": must be one of polling, webhook`},
		{"UPDATES_MODE=webhook HTTP_WEBHOOK_SECRET=s", `http.public_url = "": ` + webhook},
		{"UPDATES_MODE=webhook HTTP_PUBLIC_URL=https://h", `http.webhook_secret = "": ` + webhook},
		{"UPDATES_MODE=webhook HTTP_PUBLIC_URL=https://h HTTP_WEBHOOK_SECRET=s HTTP_LISTEN=", `http.listen = "": ` + webhook},
		{"UPDATES_MODE=webhook HTTP_PUBLIC_URL=https://h:8443/ HTTP_WEBHOOK_SECRET=s", ""},
		{"HTTP_PUBLIC_URL=http://h", `http.public_url = "http://h": ` + origin},
		{"HTTP_PUBLIC_URL=https://h/path", `http.public_url = "https://h/path": ` + origin},
		{"HTTP_PUBLIC_URL=https://h//", `http.public_url = "https://h//": ` + origin},
		{"HTTP_PUBLIC_URL=https://h/?a", `http.public_url = "https://h/?a": ` + origin},
		{"HTTP_PUBLIC_URL=https://h/#a", `http.public_url = "https://h/#a": ` + origin},
		{"HTTP_PUBLIC_URL=https://me@h", "http.public_url = \"[hidden]\": " + origin},
		{"HTTP_WEBHOOK_SECRET=s$", "http.webhook_secret = [hidden]: must be 1 to 256 of A-Z a-z 0-9 _ -"},
		{"HTTP_WEBHOOK_SECRET=" + strings.Repeat("s", 257), "http.webhook_secret = [hidden]: must be 1 to 256 of A-Z a-z 0-9 _ -"},
		{"HTTP_WEBHOOK_SECRET=" + strings.Repeat("s", 256), ""},
		{"HTTP_LISTEN=8080", `http.listen = "8080": ` + address},
		{"HTTP_LISTEN=http://h:80", `http.listen = "http://h:80": ` + address},
		{"HTTP_LISTEN=h:http", `http.listen = "h:http": ` + address},
		{"HTTP_LISTEN=h:65536", `http.listen = "h:65536": ` + address},
		{"HTTP_LISTEN=", ""},
		{"HTTP_LISTEN=:0 METRICS_LISTEN=:0", ""},
		{"METRICS_LISTEN=h", `metrics.listen = "h": ` + address},
		{"METRICS_LISTEN=127.0.0.1:8080", `metrics.listen = "127.0.0.1:8080": must be another address than http.listen`},
		{"DATABASE_PATH=", `database.path = "": must be the name of a file`},
		{"RELAY_MAX_MESSAGES_PER_MINUTE=0", "relay.max_messages_per_minute = 0: must be from 1 to 100000"},
		{"RELAY_MAX_ATTEMPTS=-1", "relay.max_attempts = -1: must be from 1 to 1000"},
		{"LIMITS_GROUP_PER_MINUTE=0", "limits.group_per_minute = 0: must be from 1 to 100000"},
		{"LIMITS_PRIVATE_PER_SECOND=0", "limits.private_per_second = 0: must be from 1 to 100000"},
		{"LIMITS_GLOBAL_PER_SECOND=100001", "limits.global_per_second = 100001: must be from 1 to 100000"},
		{"VERIFY_TTL_HOURS=-1", "verify.ttl_hours = -1: must be from 0 to 1000000"},
		{"VERIFY_HOLD_MESSAGES=1001", "verify.hold_messages = 1001: must be from 0 to 1000"},
		{"VERIFY_MODE=quiz", `verify.mode = "quiz": must be one of math, button, turnstile`},
		{"VERIFY_MODE=turnstile", ""}, // falls back at run time
		{"VERIFY_TURNSTILE_SITE_KEY=k", `verify.turnstile.secret_key = "": must be set when verify.turnstile.site_key is`},
		{"VERIFY_TURNSTILE_SECRET_KEY=k", `verify.turnstile.site_key = "": must be set when verify.turnstile.secret_key is`},
		{"VERIFY_TURNSTILE_SITEVERIFY_URL=", `verify.turnstile.siteverify_url = "": ` + page},
		{"VERIFY_TURNSTILE_SCRIPT_URL=//h/api.js", `verify.turnstile.script_url = "//h/api.js": ` + page},
		{"VERIFY_TURNSTILE_SCRIPT_URL=http://h/api.js?a=b", ""},
		{"TEXT_LANGUAGE=xx", `text.language = "xx": must be one of en, zh-hans`},
		{"TEXT_LANGUAGE=ZH-hans", ""},
		{"TEXT_WELCOME=", ""}, // D17: the built-in text
		{"TEXT_ZH_HANS_WELCOME=", ""},
		{"LOG_LEVEL=warning", `log.level = "warning": must be one of trace, debug, info, warn, error, fatal, panic, disabled`},
		{"LOG_FORMAT=xml", `log.format = "xml": must be one of console, json`},
		{"TELEGRAM_TOKN=123456:AAsecret", "unknown variable"},
		{"VERIFY=math", "unknown variable"},
	}
	for _, test := range tests {
		t.Run(test.environ, func(t *testing.T) {
			environ := strings.Fields("HODOR_" + strings.ReplaceAll(test.environ, " ", " HODOR_"))
			_, err := loadDocument(t, required, environ...)
			if test.want == "" {
				if err != nil {
					t.Errorf("must pass: %v", err)
				}
				return
			}
			_, fault, _ := strings.Cut(fmt.Sprint(err), ": ")
			if fault != test.want && fmt.Sprint(err) != test.want { // a default has no place
				t.Errorf("fault: %v\nwant:  %s", err, test.want)
			}
		})
	}
}

func TestRequiredKeys(t *testing.T) {
	_, err := loadDocument(t, "")
	wantFaults(t, err,
		`telegram.token = "": must be the bot's token, a number, a colon and a secret`,
		"telegram.support_chat_id = 0: must be the id of a supergroup, such as -1001234567890")
}

func TestManyFaultsAtOnce(t *testing.T) {
	document := `colour = "red"
[telegram]
token = 123456
support_chat_id = "-1001234567890"
admin_ids = [
  1,
  "two",
]
[relay]
max_attempts = "x"
max_messages_per_minute = 1.5
per_minute = 3
[limits.group_per_minute]
x = 1
[log]
level = "loud"
colours.on = true
[text]
welcome = 5
fr.welcome = "Salut"
en.a.b = "c"
en.bye = []
[text.de]
[verify]
turnstile = "on"
[Updates]
[metrics]
"line\nfeed" = 1
listen = "a\nb"
`
	_, err := loadDocument(t, document, "HODOR_LIMITS_GLOBAL_PER_SECOND=many", "HODOR_VERIFY_ENABLED=perhaps", "HODOR_NO=1",
		"HODOR_TELEGRAM_ADMIN_IDS=1,x", "HODOR_RELAY_MAX_ATTEMPTS=0")
	wantFaults(t, err, strings.Split(`config.toml:1: colour: unknown key
config.toml:3: telegram.token = [hidden]: must be a text
config.toml:4: telegram.support_chat_id = "-1001234567890": must be a whole number
config.toml:5: telegram.admin_ids = [1,"two"]: must be a list of whole numbers
config.toml:10: relay.max_attempts = "x": must be a whole number
config.toml:11: relay.max_messages_per_minute = 1.5: must be a whole number
config.toml:12: relay.per_minute: unknown key
config.toml:14: limits.group_per_minute.x: unknown key
config.toml:17: log.colours.on: unknown key
config.toml:19: text.welcome = 5: must be a text; an empty one is the built-in
config.toml:20: text.fr.welcome: unknown language, there are en, zh-hans
config.toml:21: text.en.a.b: unknown key
config.toml:22: text.en.bye = []: must be a text; an empty one is the built-in
config.toml:23: text.de: unknown language, there are en, zh-hans
config.toml:25: verify.turnstile = [hidden]: must be a table, [verify.turnstile]
config.toml:26: Updates: unknown key
config.toml:28: metrics."line\nfeed": unknown key
HODOR_LIMITS_GLOBAL_PER_SECOND: limits.global_per_second = "many": must be a whole number
HODOR_NO: unknown variable
HODOR_TELEGRAM_ADMIN_IDS: telegram.admin_ids = "1,x": must be a list of whole numbers
HODOR_VERIFY_ENABLED: verify.enabled = "perhaps": must be true or false
config.toml:29: metrics.listen = "a\nb": must be host:port with a port from 0 to 65535, or empty
HODOR_RELAY_MAX_ATTEMPTS: relay.max_attempts = 0: must be from 1 to 1000
config.toml:16: log.level = "loud": must be one of trace, debug, info, warn, error, fatal, panic, disabled`, "\n")...)
}

func TestNotTOML(t *testing.T) {
	for document, want := range map[string]string{
		"[telegram]\ntoken = " + testToken + "\n":                    "config.toml:2: not valid TOML at column 15",
		"[telegram]\ntoken = \"" + testToken + "\n":                  "config.toml:2: not valid TOML at column 38",
		required + "token = \"" + testToken + "\"\n":                 "config.toml:4: not valid TOML at column 1",
		"telegram = \"" + testToken + "\"\n[telegram]\n":             "config.toml:2: not valid TOML at column 2",
		"[telegram]\ntoken = \"" + testToken + "\\z\"":               "config.toml:2: not valid TOML at column 38",
		"[telegram]\nsupport_chat_id = 99999999999999999999999999\n": "config.toml:2: not valid TOML at column 19",
	} {
		_, err := loadDocument(t, document)
		wantFaults(t, err, want+": a text stands in quotes, and a key stands only once")
	}
}

// A secret in the wrong place, or in two, is still a secret.
func TestSecretsNeverInFaults(t *testing.T) {
	const turnstile = "0xAAA turnstile secret"
	for _, document := range []string{
		`telegram = "` + testToken + `"`,
		"[telegram]\ntokn = \"" + testToken + "\"",
		"[telegram]\ntoken = [\"" + testToken + "\"]",
		"[telegram.token]\nvalue = \"" + testToken + "\"",
		"[[telegram]]\ntoken = \"" + testToken + "\"",
		required + "api_url = \"https://h/bot" + testToken + "?\"",
		required + "\"" + testToken + "\" = 1",
		required + "[log]\nlevel = \"" + testToken + "\"",
		required + "[text]\nwelcome = [\"" + testToken + "\"]",
		required + "[http]\nwebhook_secret = \"123456:AAthe\"\n[log]\nlevel = \"" + testToken + "\"",
		required + "[verify]\nturnstile = \"" + turnstile + "\"",
		required + "[verify.turnstile]\nsecret_key = \"" + turnstile + "\"\nsite_key = \"\"\nscript_url = \"" + turnstile + "\"",
	} {
		_, err := loadDocument(t, document)
		if err == nil {
			t.Errorf("loads:\n%s", document)
			continue
		}
		if text := err.Error(); strings.Contains(text, "TokensSecretPart") || strings.Contains(text, "turnstile secret") {
			t.Errorf("%s\nfor\n%s", text, document)
		}
	}
	_, err := loadDocument(t, required+"[log]\nlevel = \""+testToken+"\"", "HODOR_TELEGRAM_TOKEN=1:another-token")
	wantFaults(t, err, `config.toml:5: log.level = "[hidden]": must be one of trace, debug, info, warn, error, fatal, panic, disabled`)
}

// Whatever type stands in the file instead of the right one, it is one fault of that key, and never taken.
func TestWrongTypes(t *testing.T) {
	values := map[string]string{
		"text": `"12"`, "number": "12", "float": "8.0", "infinity": "inf", "bool": "true", "date": "2026-01-02", "time": "12:00:00",
		"instant": "2026-01-02T12:00:00Z", "texts": `["a"]`, "floats": "[1.0]", "lists": "[[1]]", "table": "{ x = 1 }", "empty": "{}",
	}
	right := map[string]string{"must be a text": "text", "must be a whole number": "number", "must be true or false": "bool"}
	l := newLoader(testLanguages)
	for key := range l.defaults {
		for kind, value := range values {
			l.bad, l.faults = map[string]bool{}, nil
			err := l.readFile("config.toml", []byte(key+" = "+value))
			if right[l.wantedType(key)] == kind {
				if err != nil || l.faults != nil {
					t.Errorf("%s = %s: %v %v", key, value, err, l.faults)
				}
				continue
			}
			if err != nil || len(l.faults) != 1 || !strings.HasPrefix(l.faults[0], "config.toml:1: "+key) {
				t.Errorf("%s = %s: %v %q", key, value, err, l.faults)
			}
		}
	}
}

func TestEnvironmentMendsTheFile(t *testing.T) {
	_, err := loadDocument(t, required+"[relay]\nmax_attempts = \"x\"\n", "HODOR_RELAY_MAX_ATTEMPTS=0")
	wantFaults(t, err,
		`config.toml:5: relay.max_attempts = "x": must be a whole number`,
		"HODOR_RELAY_MAX_ATTEMPTS: relay.max_attempts = 0: must be from 1 to 1000")
}

func FuzzConfig(f *testing.F) {
	f.Add(required, "HODOR_LOG_LEVEL=debug")
	f.Add(everyKey, "HODOR_TEXT_ZH_HANS_WELCOME=x")
	f.Add("[telegram]\ntoken = "+testToken, "HODOR_TELEGRAM_ADMIN_IDS=1,,2")
	f.Add("[log]\nlevel = \""+testToken+"\"\n[[telegram]]\n\"a\\nb\" = {x = [1, {y = nan}]}", "HODOR_TELEGRAM_TOKEN=")
	path := filepath.Join(f.TempDir(), "config.toml")
	f.Fuzz(func(t *testing.T, document, variable string) {
		if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := loadConfig(path, true, []string{variable, "HODOR_TELEGRAM_TOKEN=" + testToken}, testLanguages)
		if text := fmt.Sprintf("%v %+v %#v", err, c, c); strings.Contains(text, testToken) {
			t.Errorf("the token shows: %s", text)
		}
		if (err == nil) != (c.Telegram.Token.Reveal() == testToken) {
			t.Errorf("a configuration and an error, or neither: %v", err)
		}
	})
}
