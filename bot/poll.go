package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"hodor/internal/desk"
)

// AllowedUpdates are the kinds of update that we ask Telegram for.
var AllowedUpdates = []string{"message", "edited_message", "callback_query", "message_reaction", "my_chat_member", "chat_member"}

// A Poller is the other door: it asks Telegram for updates and asks for the next only when the last are on disk.
type Poller struct {
	URL   string // of getUpdates; it contains the token and is never shown
	Bot   *Bot
	Ready *desk.Readiness
	Now   func() time.Time
	Log   zerolog.Logger

	offset     desk.UpdateID
	lastUpdate time.Time
	failures   int
	conflict   struct{ since, last time.Time } // somebody else polls with our token
}

const (
	pollLasts = 50 * time.Second // as long as Telegram allows
	// quietFor is after how long without an update the ids may have started again at a lower number.
	quietFor = 24 * time.Hour
	// conflictLasts is how long another poller may take to go away, as on a restart.
	conflictLasts = 60 * time.Second
)

// errConflict ends the program: two that poll with one token steal each other's updates.
var errConflict = errors.New("another program polls with this bot's token, or a webhook is set again and again; " +
	"run only one instance of hodor for one bot")

// Run polls until ctx ends. It returns an error only if going on is pointless.
func (p *Poller) Run(ctx context.Context) error {
	p.lastUpdate = p.Now()
	for ctx.Err() == nil {
		wait, err := p.Step(ctx, pollLasts)
		if err != nil {
			return err
		}
		if wait > 0 {
			pause(ctx, wait)
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Step asks once, waiting for an update as long as Telegram lets us, and returns how long to wait before the next.
func (p *Poller) Step(ctx context.Context, lasts time.Duration) (wait time.Duration, err error) {
	if p.Now().Sub(p.lastUpdate) > quietFor {
		p.offset = 0
	}
	if p.failures > 0 {
		lasts = 0 // to know at once whether it works again
	}
	asked := p.offset
	answer, err := p.ask(ctx, lasts)
	if ctx.Err() != nil {
		return 0, nil
	}
	if err != nil {
		return p.fail("Telegram cannot be reached: " + err.Error()), nil
	}
	if !answer.OK {
		return p.refused(answer)
	}
	if err := p.take(ctx, answer.Result); err != nil {
		if ctx.Err() != nil {
			return 0, nil
		}
		p.Log.Error().Err(err).Msg("updates cannot be stored and are asked for again")
		return p.fail("the database does not take updates"), nil
	}
	p.failures = 0
	if p.conflict.since.IsZero() || p.Now().Sub(p.conflict.last) > conflictLasts {
		p.Ready.Clear(desk.Source) // an answer now and then does not end a conflict
	}
	if len(answer.Result) > 0 && p.offset == asked {
		return time.Second, nil // updates without numbers, which come again and again
	}
	return 0, nil
}

// take stores a batch, and only then moves on: Telegram forgets what is below the next offset.
func (p *Poller) take(ctx context.Context, updates []json.RawMessage) error {
	if len(updates) == 0 {
		return nil
	}
	raws := make([][]byte, len(updates))
	next := p.offset
	for i, u := range updates {
		raws[i] = u
		var numbered struct {
			ID *desk.UpdateID `json:"update_id"`
		}
		if json.Unmarshal(u, &numbered) == nil && numbered.ID != nil && *numbered.ID >= next {
			next = *numbered.ID + 1
		}
	}
	if err := p.Bot.Handle(ctx, raws...); err != nil {
		return err
	}
	p.offset, p.lastUpdate = next, p.Now()
	return nil
}

// maxAnswer bounds what is read: a hundred updates are far below.
const maxAnswer = 64 << 20

// pollClient goes nowhere else than it is sent to: an address that Telegram does not have would see the token.
var pollClient = &http.Client{
	Timeout:       pollLasts + 15*time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

type pollAnswer struct {
	OK          bool              `json:"ok"`
	Result      []json.RawMessage `json:"result"`
	Code        int               `json:"error_code"`
	Description string            `json:"description"`
	Parameters  struct {
		RetryAfter int `json:"retry_after"`
	} `json:"parameters"`
}

func (p *Poller) ask(ctx context.Context, lasts time.Duration) (a pollAnswer, err error) {
	question := map[string]any{"timeout": int(lasts.Seconds()), "limit": 100, "allowed_updates": AllowedUpdates}
	if p.offset != 0 {
		question["offset"] = p.offset
	}
	body, err := json.Marshal(question)
	if err != nil {
		return a, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, bytes.NewReader(body))
	if err != nil {
		return a, errors.New("the address of the Bot API is not valid")
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := pollClient.Do(req)
	var withURL *url.Error
	if errors.As(err, &withURL) {
		err = withURL.Err // the URL is the token
	}
	if err != nil {
		return a, p.redact(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return a, err
	}
	if json.Unmarshal(text, &a) != nil || !a.OK && a.Description == "" {
		return a, fmt.Errorf("the answer is not of the Bot API: %s", resp.Status)
	}
	return a, nil
}

// redact takes the token out of an error, for those that quote an address which Telegram, or something before it, has sent.
func (p *Poller) redact(err error) error {
	secret := path.Base(path.Dir(p.URL))
	if strings.Contains(err.Error(), secret) {
		return errors.New(strings.ReplaceAll(err.Error(), secret, "***"))
	}
	return err
}

// refused decides about an answer that is a no.
func (p *Poller) refused(a pollAnswer) (time.Duration, error) {
	switch a.Code {
	case http.StatusConflict:
		// Two that poll get an answer now and then: only a quiet minute ends a conflict.
		if now := p.Now(); p.conflict.since.IsZero() || now.Sub(p.conflict.last) > conflictLasts {
			p.conflict.since = now
		}
		p.conflict.last = p.Now()
		a.Description = "another program polls with this bot's token, and hodor stops if that lasts a minute (" + a.Description + ")"
		if p.conflict.last.Sub(p.conflict.since) >= conflictLasts {
			return 0, errConflict
		}
	case http.StatusTooManyRequests:
		p.fail(a.Description)
		return time.Duration(max(1, a.Parameters.RetryAfter)) * time.Second, nil
	case http.StatusUnauthorized, http.StatusNotFound:
		p.fail("Telegram refuses the token: " + a.Description)
		return 5 * time.Minute, nil
	}
	return p.fail(a.Description), nil
}

// fail notes that updates do not come in, and returns how long to wait.
func (p *Poller) fail(why string) time.Duration {
	if p.Ready.Fail(desk.Source, why) {
		p.Log.Warn().Str("reason", why).Msg("no updates come in")
	}
	waits := []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second}
	wait := waits[min(p.failures, len(waits)-1)]
	p.failures++
	return wait
}
