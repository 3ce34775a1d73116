package outbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/go-telegram/bot"
)

// callTimeout is how long one call may take. Longer than Telegram ever needs, so that a timeout is rare: it leaves a doubt.
const callTimeout = 40 * time.Second

// idleTimeout closes kept connections before the other side does: a request written into a connection that is just being closed
// comes back as a doubt.
const idleTimeout = 20 * time.Second

// A Client calls Telegram. It uses the library for what a call looks like, and keeps the answer as it came, because only the whole
// of it (was there a connection? a status? JSON?) tells whether a call was carried out.
type Client struct {
	api *bot.Bot
}

// NewClient makes a client of the server at apiURL, such as "https://api.telegram.org". It calls nothing. connections is how many
// calls may be under way at once.
func NewClient(token, apiURL string, connections int) (*Client, error) {
	wire := http.DefaultTransport.(*http.Transport).Clone()
	wire.MaxIdleConns = connections
	wire.MaxIdleConnsPerHost = connections // the default of two would reconnect for nearly every call
	wire.IdleConnTimeout = idleTimeout
	api, err := bot.New(token,
		bot.WithSkipGetMe(),
		bot.WithServerURL(apiURL),
		bot.WithHTTPClient(0, recorder{client: &http.Client{Transport: wire, CheckRedirect: noRedirect}, token: token}),
		bot.WithErrorsHandler(func(error) {}), // every error is in the answer already
	)
	if err != nil {
		return nil, fmt.Errorf("make the Telegram client: %w", err)
	}
	return &Client{api: api}, nil
}

// noRedirect: the Bot API sends nobody elsewhere, and a call that is made twice may be carried out twice.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// An answer is all that is known of one call.
type answer struct {
	unwritten   bool // the request could not even be made: a fault of ours
	connected   bool // the request may have left
	status      int  // of HTTP; 0 without an answer
	spoke       bool // the answer is Telegram's JSON
	ok          bool
	result      json.RawMessage
	code        int
	description string
	retryAfter  time.Duration
	migrateTo   int64
	err         error // why there is no whole answer; without the token
}

type answerKey struct{}

// ask makes one call with the library and returns how it was answered.
func (c *Client) ask(ctx context.Context, call func(context.Context, *bot.Bot) error) answer {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var a answer
	err := call(context.WithValue(ctx, answerKey{}, &a), c.api)
	if a.status == 0 && a.err == nil {
		a.err, a.unwritten = err, true // it failed before it reached the wire: a parameter that cannot be written
		if a.err == nil {
			a.err = errors.New("no call was made")
		}
	}
	return a
}

// A recorder is the library's HTTP client. It keeps what the library throws away.
type recorder struct {
	client *http.Client
	token  string
}

// Do sends the request and notes its answer in the context's.
func (r recorder) Do(req *http.Request) (*http.Response, error) {
	a, _ := req.Context().Value(answerKey{}).(*answer)
	if a == nil {
		a = new(answer)
	}
	if err := rewindable(req); err != nil {
		a.err, a.unwritten = err, true
		return nil, err
	}
	trace := &httptrace.ClientTrace{
		GetConn: func(string) { a.connected = false }, // a second time only if nothing was written the first
		GotConn: func(httptrace.GotConnInfo) { a.connected = true },
	}
	resp, err := r.client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err != nil {
		a.err = redact(err, r.token)
		return nil, a.err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		a.err = redact(err, r.token)
		return nil, a.err
	}
	a.status = resp.StatusCode
	a.read(body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// maxAnswer bounds what we read; the longest answer we ask for is a list of administrators.
const maxAnswer = 4 << 20

// rewindable gives the request a body that can be sent once more, so that net/http may use another connection when the kept one
// turns out to be closed before a byte was written. Otherwise that harmless case would look like a lost answer.
func rewindable(req *http.Request) error {
	if req.Body == nil {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return fmt.Errorf("write the call: %w", err)
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	return nil
}

func (a *answer) read(body []byte) {
	var envelope struct {
		OK          *bool           `json:"ok"`
		Result      json.RawMessage `json:"result"`
		ErrorCode   int             `json:"error_code"`
		Description string          `json:"description"`
		Parameters  struct {
			RetryAfter      int   `json:"retry_after"`
			MigrateToChatID int64 `json:"migrate_to_chat_id"`
		} `json:"parameters"`
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.OK == nil {
		return
	}
	a.spoke, a.ok, a.result = true, *envelope.OK, envelope.Result
	a.code, a.description = envelope.ErrorCode, envelope.Description
	a.retryAfter = time.Duration(envelope.Parameters.RetryAfter) * time.Second
	a.migrateTo = envelope.Parameters.MigrateToChatID
}

// redact takes the token out of an error: net/http puts the URL into what it returns, and the URL is the token.
func redact(err error, token string) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if strings.Contains(err.Error(), token) {
		return errors.New(strings.ReplaceAll(err.Error(), token, "***"))
	}
	return err
}
