// Package emulator is a Telegram that runs in process: a model of chats, topics, messages, people and rights that speaks the
// Bot API over HTTP as api.telegram.org does.
//
// It promises that what a bot is told follows from what happened before, never from a canned answer: a deleted topic refuses,
// a blocked bot is forbidden, a copied message is there to be seen. People act on it in words (Say, Post, Press, Block), tests
// look at what people would see (Chat, Topic, General), and faults have names (Flood, LostReply, BadGateway, …).
//
// It never invents: a method or parameter that it does not model is an error and is remembered (Unmodelled). It knows nothing
// of the rest of the program, and all its methods may be called from several goroutines.
package emulator

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say what kind of Telegram to build. The zero value is a good one for tests.
type Options struct {
	Token     string           // default "1000:TEST"; the bot's id is the number before the colon
	Username  string           // the bot's, default "hodor_test_bot"
	FirstName string           // the bot's, default "Hodor"
	Group     int64            // the support supergroup, default -1001234567890: a forum with the bot as its administrator
	Now       func() time.Time // default time.Now
	Limits    bool             // refuse with 429 what is sent, or deleted in the group, faster than Telegram allows
	KeepCalls int              // how many calls Calls remembers: 0 all, n the last n, negative none
}

// Telegram is the whole model. Create it with New; the exported fields are set before it is used.
type Telegram struct {
	// RetryDelay is how long the webhook waits before it posts an update for the n-th time after the first (n ≥ 1).
	// retryAfter is what the bot asked for in its Retry-After header, 0 if nothing.
	RetryDelay func(n int, retryAfter int) time.Duration
	// PostClient posts updates to the webhook; a test that serves it with a certificate of its own sets its client here.
	PostClient *http.Client
	// ClosedTopicsAcceptAdmins lets a bot that may manage topics post into a closed one, as Telegram does for people.
	ClosedTopicsAcceptAdmins bool
	// CopiesAnswerReversed makes copyMessages and forwardMessages answer in reverse, since Telegram promises no order.
	CopiesAnswerReversed bool

	token  string
	limits bool
	now    func() time.Time
	bot    *Person
	owner  *Person

	mu         sync.Mutex
	revoked    bool
	group      *chat
	chats      map[int64]*chat
	people     map[int64]*Person
	files      map[string]file
	commands   map[string][]command
	queries    map[string]*query
	calls      callLog
	unmodelled []string
	faults     []*fault
	pace       pace
	updates    updates
	serial     int // numbers file ids, albums and queries

	ctx  context.Context // ends with Close; long waits hang on it
	stop context.CancelFunc
	line line
}

// New builds a Telegram with one bot, one support group with its owner, and nobody else.
func New(o Options) *Telegram {
	if o.Token == "" {
		o.Token = "1000:TEST"
	}
	if o.Username == "" {
		o.Username = "hodor_test_bot"
	}
	if o.FirstName == "" {
		o.FirstName = "Hodor"
	}
	if o.Group == 0 {
		o.Group = -1001234567890
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	number, _, _ := strings.Cut(o.Token, ":")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		panic("emulator: the token must begin with the bot's id: " + o.Token)
	}
	t := &Telegram{
		RetryDelay: retryDelay, PostClient: newPostClient(),
		token: o.Token, limits: o.Limits, now: o.Now,
		bot:      &Person{ID: id, IsBot: true, FirstName: o.FirstName, Username: o.Username},
		owner:    &Person{ID: OwnerID, FirstName: "Owner"},
		chats:    map[int64]*chat{},
		people:   map[int64]*Person{},
		files:    map[string]file{},
		commands: map[string][]command{},
		queries:  map[string]*query{},
		calls:    callLog{keep: o.KeepCalls},
		pace:     pace{sends: window{}, deletions: window{}},
	}
	t.ctx, t.stop = context.WithCancel(context.Background())
	t.updates.arrived = make(chan struct{})
	t.people[t.owner.ID] = t.owner
	t.people[t.bot.ID] = t.bot
	t.group = newGroup(o.Group, t.owner, t.bot)
	t.chats[t.group.id] = t.group
	return t
}

// Token is the bot's token.
func (t *Telegram) Token() string { return t.token }

// BotID is the bot's user id.
func (t *Telegram) BotID() int64 { return t.bot.ID }

// Group is the support group's id, the new one after MigrateGroup.
func (t *Telegram) Group() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.group.id
}

// RevokeToken makes every call from now on 401 Unauthorized.
func (t *Telegram) RevokeToken() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.revoked = true
}

// line is the wire: where the emulator listens, and whether it is cut.
type line struct {
	mu     sync.Mutex
	addr   string // empty until started
	server *http.Server
	down   bool
}

// Start listens on a free port of 127.0.0.1 and answers there until Close. It returns the Bot API's base URL.
func (t *Telegram) Start() (url string) {
	url, err := t.StartAt("127.0.0.1:0")
	if err != nil {
		panic("emulator: " + err.Error())
	}
	return url
}

// StartAt is Start at a chosen address.
func (t *Telegram) StartAt(addr string) (url string, err error) {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	if err := t.listen(addr); err != nil {
		return "", err
	}
	return "http://" + t.line.addr, nil
}

func (t *Telegram) listen(addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	t.line.addr = listener.Addr().String()
	server := &http.Server{Handler: t, ReadHeaderTimeout: time.Minute}
	t.line.server = server
	go server.Serve(listener) // returns when the server is closed
	return nil
}

// Down cuts the line: the port refuses connections and those open are closed. Down(false) listens on the same port again.
func (t *Telegram) Down(down bool) {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	if t.line.down == down {
		return
	}
	t.line.down = down
	switch {
	case t.line.addr == "":
	case down:
		t.line.server.Close()
	default:
		t.listenAgain()
	}
}

// listenAgain takes the old address, for which somebody's connection may have used the port meanwhile.
func (t *Telegram) listenAgain() {
	give := time.Now().Add(10 * time.Second)
	for {
		err := t.listen(t.line.addr)
		if err == nil {
			return
		}
		if time.Now().After(give) {
			panic("emulator: listen again: " + err.Error())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (t *Telegram) isDown() bool {
	t.line.mu.Lock()
	defer t.line.mu.Unlock()
	return t.line.down
}

// Close ends listening, long polls and webhook posting.
func (t *Telegram) Close() {
	t.stop()
	t.mu.Lock()
	t.endWebhook()
	t.mu.Unlock()
	t.line.mu.Lock()
	if t.line.server != nil {
		t.line.server.Close()
	}
	t.line.mu.Unlock()
	t.updates.webhook.posting.Wait()
}
