package emulator

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// webhook posts updates: one at a time for each key, different keys side by side.
type webhook struct {
	url, secret string
	max         int
	lanes       map[string]*lane
	free        chan struct{} // one token per allowed connection
	ctx         context.Context
	stop        context.CancelFunc
	posting     sync.WaitGroup
	lastError   string
	lastErrorAt time.Time
	lastSet     time.Time
}

// A lane is the updates of one key, first in first out, with one in flight.
type lane struct {
	waiting []*update
	busy    bool
}

// newPostClient is what webhooks are posted with.
func newPostClient() *http.Client {
	return &http.Client{
		Timeout:       60 * time.Second,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 100, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// retryDelay is Telegram's own: at once, then 2, 4, 8 … seconds up to a minute or two, unless the bot asked for another.
func retryDelay(n, retryAfter int) time.Duration {
	switch {
	case retryAfter > 0:
		return time.Duration(retryAfter) * time.Second
	case n <= 1:
		return 0
	case n > 6:
		return 60*time.Second + rand.N(60*time.Second)
	}
	return time.Second << (n - 1)
}

var secretRule = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

func setWebhook(t *Telegram, p *params) (any, *refusal) {
	if p.text("url") == "" {
		return deleteWebhook(t, p)
	}
	if u, err := url.Parse(p.text("url")); err != nil || u.Host == "" {
		return nil, bad("bad webhook: invalid webhook URL specified")
	}
	if p.has("secret_token") && !secretRule.MatchString(p.text("secret_token")) {
		return nil, bad("secret token contains unallowed characters")
	}
	if refused := t.tooOften(); refused != nil {
		return nil, refused
	}
	if refused := t.updates.allow(p); refused != nil {
		return nil, refused
	}
	t.endWebhook()
	t.dropPending(p)
	t.beginWebhook(p)
	return true, nil
}

// tooOften keeps setWebhook to once a second.
func (t *Telegram) tooOften() *refusal {
	if t.limits && t.now().Sub(t.updates.webhook.lastSet) < time.Second {
		return tooMany(1)
	}
	t.updates.webhook.lastSet = t.now()
	return nil
}

func (t *Telegram) beginWebhook(p *params) {
	hook := &t.updates.webhook
	hook.url, hook.secret = p.text("url"), p.text("secret_token")
	hook.max = p.int("max_connections")
	if hook.max < 1 || hook.max > 100 {
		hook.max = 40
	}
	hook.free = make(chan struct{}, hook.max)
	hook.lanes = map[string]*lane{}
	hook.ctx, hook.stop = context.WithCancel(t.ctx)
	if t.updates.poller != nil {
		close(t.updates.poller)
		t.updates.poller = nil
	}
	for _, u := range t.updates.alive(t.now(), -1) {
		t.post(u)
	}
}

func deleteWebhook(t *Telegram, p *params) (any, *refusal) {
	t.endWebhook()
	t.dropPending(p)
	return true, nil
}

func (t *Telegram) endWebhook() {
	hook := &t.updates.webhook
	if hook.url != "" {
		hook.stop()
		hook.url, hook.secret, hook.lanes = "", "", nil
	}
}

func (t *Telegram) dropPending(p *params) {
	if p.bool("drop_pending_updates") {
		for _, u := range t.updates.alive(t.now(), -1) {
			t.updates.settle(u)
		}
	}
}

// post puts an update into its lane, if there is a webhook.
func (t *Telegram) post(u *update) {
	hook := &t.updates.webhook
	if hook.url == "" {
		return
	}
	l := hook.lanes[u.key]
	if l == nil {
		l = &lane{}
		hook.lanes[u.key] = l
	}
	l.waiting = append(l.waiting, u)
	if !l.busy {
		l.busy = true
		hook.posting.Add(1)
		go t.drain(courier{ctx: hook.ctx, lane: l, url: hook.url, secret: hook.secret, free: hook.free, client: t.PostClient})
	}
}

// A courier empties one lane under the webhook as it was set when the lane woke.
type courier struct {
	ctx         context.Context
	lane        *lane
	url, secret string
	free        chan struct{}
	client      *http.Client
}

func (t *Telegram) drain(c courier) {
	defer t.updates.webhook.posting.Done()
	for {
		u := t.next(c.lane)
		if u == nil || !t.carry(c, u) {
			return
		}
	}
}

// next is the head of a lane; with none left the lane sleeps.
func (t *Telegram) next(l *lane) *update {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(l.waiting) > 0 {
		u := l.waiting[0]
		l.waiting = l.waiting[1:]
		if !u.gone {
			return u
		}
	}
	l.busy = false
	return nil
}

// carry posts one update until the bot takes it or it expires. It is false when the webhook is no more.
func (t *Telegram) carry(c courier, u *update) bool {
	for n := 1; ; n++ {
		if c.ctx.Err() != nil {
			return false
		}
		select {
		case c.free <- struct{}{}:
		case <-c.ctx.Done():
			return false
		}
		retryAfter, err := c.try(t.ctx, u) // a post in flight ends as it may, even when the webhook is no more
		<-c.free
		wait := t.RetryDelay(n, retryAfter)
		if t.posted(u, err, wait) {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// posted notes how a post went; true if the update is off our hands.
func (t *Telegram) posted(u *update, err error, wait time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.updates.webhook.lastError, t.updates.webhook.lastErrorAt = err.Error(), t.now()
	}
	if err == nil || u.gone || t.now().Add(wait).After(u.expires) {
		t.updates.settle(u)
		return true
	}
	return false
}

// try posts once. Only a 2xx is success.
func (c courier) try(ctx context.Context, u *update) (retryAfter int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(u.raw))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	if c.secret != "" {
		request.Header.Set("X-Telegram-Bot-Api-Secret-Token", c.secret)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20)) // so that the connection is used again
	if response.StatusCode/100 == 2 {
		return 0, nil
	}
	asked, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return min(max(asked, 0), 3600), errWrongResponse(response.Status)
}

// errWrongResponse is in Telegram's words, which getWebhookInfo shows.
type errWrongResponse string

func (e errWrongResponse) Error() string { return "Wrong response from the webhook: " + string(e) }

func getWebhookInfo(t *Telegram, _ *params) (any, *refusal) {
	hook := &t.updates.webhook
	info := fields{
		"url":                    hook.url,
		"has_custom_certificate": false,
		"pending_update_count":   len(t.updates.alive(t.now(), -1)),
	}
	if hook.url != "" {
		info["max_connections"] = hook.max
		info["ip_address"] = "127.0.0.1"
	}
	if !hook.lastErrorAt.IsZero() {
		info["last_error_date"] = hook.lastErrorAt.Unix()
		info["last_error_message"] = hook.lastError
	}
	if len(t.updates.named) > 0 {
		info["allowed_updates"] = t.updates.named
	}
	return info, nil
}
