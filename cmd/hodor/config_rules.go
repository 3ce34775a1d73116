package main

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hodor/internal/desk"
)

// checkRules asks every rule about the values that could be taken, and brings URLs and languages into their one form.
func (l *loader) checkRules() {
	l.checkTelegram()
	l.checkUpdates()
	l.checkAddresses()
	l.checkNumbers()
	l.checkVerify()
	l.checkWords()
}

// must adds a fault unless ok. A key has one fault at most.
func (l *loader) must(ok bool, key string, value any, rule string) {
	if !ok && !l.bad[key] {
		l.fault(key, value, rule)
	}
}

var (
	tokenForm         = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)
	webhookSecretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)
)

func (l *loader) checkTelegram() {
	t := &l.config.Telegram
	token := t.Token.Reveal()
	_, isToken := desk.Bot(token)
	l.must(isToken && tokenForm.MatchString(token), "telegram.token", t.Token,
		"must be the bot's token, a number, a colon and a secret")
	// The ids of supergroups and channels begin beyond -10^12; nearer to zero are plain groups, further off other kinds of chat.
	const nearest, furthest = -1_000_000_000_001, -1_999_999_999_999
	l.must(t.SupportChatID <= nearest && t.SupportChatID >= furthest, "telegram.support_chat_id", t.SupportChatID,
		"must be the id of a supergroup, such as -1001234567890")
	isPerson := func(id desk.UserID) bool { return id > 0 }
	wrong := slices.DeleteFunc(slices.Clone(t.AdminIDs), isPerson)
	l.must(len(wrong) == 0, "telegram.admin_ids", wrong, "must be ids of people, which are above 0")
	l.mustURL("telegram.api_url", t.APIURL, isServer, "must be an http or https URL without credentials, query and fragment")
	t.APIURL = strings.TrimRight(t.APIURL, "/")
}

func (l *loader) checkUpdates() {
	u, h := l.config.Updates, &l.config.HTTP
	l.mustBeOneOf("updates.mode", u.Mode, "polling", "webhook")
	if h.PublicURL != "" {
		l.mustURL("http.public_url", h.PublicURL, isOrigin, "must be an https origin, such as https://support.example.org")
		h.PublicURL = strings.ToLower(strings.TrimSuffix(h.PublicURL, "/"))
	}
	if secret := h.WebhookSecret.Reveal(); secret != "" {
		l.must(webhookSecretForm.MatchString(secret), "http.webhook_secret", h.WebhookSecret,
			"must be 1 to 256 of A-Z a-z 0-9 _ -")
	}
	if u.Mode == "webhook" {
		const rule = `must be set when updates.mode is "webhook"`
		l.must(h.PublicURL != "", "http.public_url", h.PublicURL, rule)
		l.must(h.WebhookSecret.Reveal() != "", "http.webhook_secret", h.WebhookSecret, rule)
		l.must(h.Listen != "", "http.listen", h.Listen, rule)
	}
}

func (l *loader) checkAddresses() {
	listen, metrics := l.config.HTTP.Listen, l.config.Metrics.Listen
	const rule = "must be host:port with a port from 0 to 65535, or empty"
	l.must(listen == "" || isAddress(listen), "http.listen", listen, rule)
	l.must(metrics == "" || isAddress(metrics), "metrics.listen", metrics, rule)
	l.must(metrics == "" || metrics != listen || strings.HasSuffix(metrics, ":0"), "metrics.listen", metrics,
		"must be another address than http.listen")
	l.must(l.config.Database.Path != "", "database.path", l.config.Database.Path, "must be the name of a file")
}

func (l *loader) checkNumbers() {
	c := l.config
	l.mustBeWithin("relay.max_messages_per_minute", c.Relay.MaxMessagesPerMinute, 1, 100_000)
	l.mustBeWithin("relay.max_attempts", c.Relay.MaxAttempts, 1, 1000)
	l.mustBeWithin("limits.group_per_minute", c.Limits.GroupPerMinute, 1, 100_000)
	l.mustBeWithin("limits.private_per_second", c.Limits.PrivatePerSecond, 1, 100_000)
	l.mustBeWithin("limits.global_per_second", c.Limits.GlobalPerSecond, 1, 100_000)
	l.mustBeWithin("verify.ttl_hours", c.Verify.TTLHours, 0, 1_000_000)
	l.mustBeWithin("verify.hold_messages", c.Verify.HoldMessages, 0, 1000)
}

func (l *loader) checkVerify() {
	v, t := l.config.Verify, l.config.Verify.Turnstile
	hasSecret := t.SecretKey.Reveal() != ""
	l.mustBeOneOf("verify.mode", v.Mode, "math", "button", "turnstile")
	const pair = "must be set when verify.turnstile."
	l.must(t.SiteKey != "" || !hasSecret, "verify.turnstile.site_key", t.SiteKey, pair+"secret_key is")
	l.must(hasSecret || t.SiteKey == "", "verify.turnstile.secret_key", t.SecretKey, pair+"site_key is")
	const rule = "must be an http or https URL without credentials and fragment"
	l.mustURL("verify.turnstile.siteverify_url", t.SiteverifyURL, isPage, rule)
	l.mustURL("verify.turnstile.script_url", t.ScriptURL, isPage, rule)
}

func (l *loader) checkWords() {
	text, log := &l.config.Text, l.config.Log
	text.Language = strings.ToLower(text.Language)
	l.mustBeOneOf("text.language", text.Language, l.languages...)
	l.mustBeOneOf("log.level", log.Level, "trace", "debug", "info", "warn", "error", "fatal", "panic", "disabled")
	l.mustBeOneOf("log.format", log.Format, "console", "json")
}

func (l *loader) mustBeOneOf(key, value string, allowed ...string) {
	l.must(slices.Contains(allowed, value), key, value, "must be one of "+strings.Join(allowed, ", "))
}

func (l *loader) mustBeWithin(key string, value, least, most int) {
	l.must(value >= least && value <= most, key, value, fmt.Sprintf("must be from %d to %d", least, most))
}

// mustURL does not show a value in which a password may stand.
func (l *loader) mustURL(key, value string, fits func(*url.URL) bool, rule string) {
	u, err := url.Parse(value)
	ok := err == nil && isPage(u) && fits(u) && !strings.Contains(value, "#")
	if strings.Contains(value, "@") {
		value = hidden
	}
	l.must(ok, key, value, rule)
}

func isPage(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil && (u.Port() == "" || isPort(u.Port()))
}

func isServer(u *url.URL) bool { return u.RawQuery == "" && !u.ForceQuery }

func isOrigin(u *url.URL) bool {
	return u.Scheme == "https" && isServer(u) && (u.Path == "" || u.Path == "/")
}

func isAddress(address string) bool {
	host, port, err := net.SplitHostPort(address)
	return err == nil && isPort(port) && !strings.ContainsAny(host, " /")
}

func isPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}
