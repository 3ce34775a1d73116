package main

import (
	"fmt"
	"io"

	"hodor/internal/desk"
)

// Config is everything an operator can set; config.example.toml explains each key. It prints without its secrets.
type Config struct {
	Telegram struct {
		Token         Secret        `toml:"token" env:"TOKEN"`
		APIURL        string        `toml:"api_url" env:"API_URL"` // no slash at its end
		SupportChatID desk.ChatID   `toml:"support_chat_id" env:"SUPPORT_CHAT_ID"`
		AdminIDs      []desk.UserID `toml:"admin_ids" env:"ADMIN_IDS"`
		GroupAdmins   bool          `toml:"group_admins" env:"GROUP_ADMINS"`
	} `toml:"telegram" envPrefix:"TELEGRAM_"`

	Updates struct {
		Mode string `toml:"mode" env:"MODE"` // polling or webhook
	} `toml:"updates" envPrefix:"UPDATES_"`

	HTTP struct {
		Listen        string `toml:"listen" env:"LISTEN"`
		PublicURL     string `toml:"public_url" env:"PUBLIC_URL"` // an origin, no slash at its end
		WebhookSecret Secret `toml:"webhook_secret" env:"WEBHOOK_SECRET"`
	} `toml:"http" envPrefix:"HTTP_"`

	Metrics struct {
		Listen string `toml:"listen" env:"LISTEN"`
	} `toml:"metrics" envPrefix:"METRICS_"`

	Database struct {
		Path string `toml:"path" env:"PATH"`
	} `toml:"database" envPrefix:"DATABASE_"`

	Relay struct {
		MaxMessagesPerMinute int `toml:"max_messages_per_minute" env:"MAX_MESSAGES_PER_MINUTE"`
		MaxAttempts          int `toml:"max_attempts" env:"MAX_ATTEMPTS"`
	} `toml:"relay" envPrefix:"RELAY_"`

	Limits struct {
		GroupPerMinute   int `toml:"group_per_minute" env:"GROUP_PER_MINUTE"`
		PrivatePerSecond int `toml:"private_per_second" env:"PRIVATE_PER_SECOND"`
		GlobalPerSecond  int `toml:"global_per_second" env:"GLOBAL_PER_SECOND"`
	} `toml:"limits" envPrefix:"LIMITS_"`

	Verify struct {
		Enabled      bool   `toml:"enabled" env:"ENABLED"`
		Mode         string `toml:"mode" env:"MODE"`           // math, button or turnstile
		TTLHours     int    `toml:"ttl_hours" env:"TTL_HOURS"` // 0: for ever
		HoldMessages int    `toml:"hold_messages" env:"HOLD_MESSAGES"`

		Turnstile struct {
			SiteKey       string `toml:"site_key" env:"SITE_KEY"`
			SecretKey     Secret `toml:"secret_key" env:"SECRET_KEY"`
			SiteverifyURL string `toml:"siteverify_url" env:"SITEVERIFY_URL"`
			ScriptURL     string `toml:"script_url" env:"SCRIPT_URL"`
		} `toml:"turnstile" envPrefix:"TURNSTILE_"`
	} `toml:"verify" envPrefix:"VERIFY_"`

	Text struct {
		Language string `toml:"language" env:"LANGUAGE"` // in small letters, as PerLanguage's keys are
		// Overrides hold for every language, PerLanguage's for one; both by the text's key. Neither is nil.
		Overrides   map[string]string            `toml:"-" env:"-"`
		PerLanguage map[string]map[string]string `toml:"-" env:"-"`
	} `toml:"text" envPrefix:"TEXT_"`

	Log struct {
		Level  string `toml:"level" env:"LEVEL"`   // one of zerolog's
		Format string `toml:"format" env:"FORMAT"` // console or json
	} `toml:"log" envPrefix:"LOG_"`
}

// BotID is the bot's own id, the number in its token.
func (c Config) BotID() desk.BotID {
	id, _ := desk.Bot(c.Telegram.Token.Reveal()) // its form was checked when it was loaded
	return id
}

func defaultConfig() Config {
	var c Config
	c.Telegram.APIURL = "https://api.telegram.org"
	c.Updates.Mode = "polling"
	c.HTTP.Listen = "127.0.0.1:8080"
	c.Database.Path = "hodor.db"
	c.Relay.MaxMessagesPerMinute = 20
	c.Relay.MaxAttempts = 8
	c.Limits.GroupPerMinute = 20
	c.Limits.PrivatePerSecond = 1
	c.Limits.GlobalPerSecond = 30
	c.Verify.Enabled = true
	c.Verify.Mode = "math"
	c.Verify.HoldMessages = 10
	c.Verify.Turnstile.SiteverifyURL = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
	c.Verify.Turnstile.ScriptURL = "https://challenges.cloudflare.com/turnstile/v0/api.js"
	c.Text.Language = "en"
	c.Text.Overrides = map[string]string{}
	c.Text.PerLanguage = map[string]map[string]string{}
	c.Log.Level = "info"
	c.Log.Format = "console"
	return c
}

// A Secret tells its value only to who asks for it by Reveal. Printed, logged or encoded it says no more than that it is set. It
// is a struct because the TOML library writes a string out whatever its MarshalText says.
type Secret struct{ value string }

const hidden = "[hidden]"

// Reveal is the value itself, empty if there is none.
func (s Secret) Reveal() string { return s.value }

func (s Secret) String() string {
	if s.value == "" {
		return ""
	}
	return hidden
}

// Format covers every verb, %#v and %d as well, for which fmt would not ask String.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText covers TOML, JSON and with it zerolog's Interface.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText takes the value as it is read from the file or the environment.
func (s *Secret) UnmarshalText(text []byte) error {
	s.value = string(text)
	return nil
}

// isSecret tells whether the value of this key must not be shown. A value that stands where the table around a secret belongs
// is probably that secret, in the wrong place.
func isSecret(key string) bool {
	for _, secret := range []string{"telegram.token", "http.webhook_secret", "verify.turnstile.secret_key"} {
		if within(secret, key) {
			return true
		}
	}
	return false
}
