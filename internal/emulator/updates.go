package emulator

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// updates is the queue of what the bot has yet to be told. Polling, the webhook and TakeUpdates empty the same queue.
type updates struct {
	last    int64           // the newest id
	allowed map[string]bool // nil: everything, until the bot has said what it wants
	named   []string        // what it said, for getWebhookInfo
	waiting []*update       // in order; some may be gone
	gone    int             // how many of waiting are
	arrived chan struct{}   // closed, and made anew, when one is added
	poller  chan struct{}   // closed to end the long poll that is under way; nil if none is
	webhook webhook
}

// An update is one thing to tell the bot.
type update struct {
	id      int64
	key     string // what it is ordered by at the webhook
	raw     []byte
	expires time.Time
	gone    bool
}

// notByDefault are the kinds that must be asked for by name.
var notByDefault = []string{"chat_member", "message_reaction", "message_reaction_count"}

// allow takes the caller's allowed_updates: absent keeps what was, empty means the default set.
func (u *updates) allow(p *params) *refusal {
	if !p.has("allowed_updates") {
		return nil
	}
	var kinds []string
	if refused := p.json("allowed_updates", &kinds); refused != nil {
		return refused
	}
	u.named = kinds
	u.allowed = map[string]bool{"": len(kinds) == 0}
	for _, kind := range kinds {
		u.allowed[kind] = true
	}
	return nil
}

func (u *updates) allows(kind string) bool {
	switch {
	case u.allowed == nil || u.allowed[kind]:
		return true
	case u.allowed[""]:
		return !slices.Contains(notByDefault, kind)
	}
	return false
}

const (
	keptUpdates   = 24 * time.Hour
	keptCallbacks = 150 * time.Second
)

// tell queues an update, if the bot asked for its kind.
func (t *Telegram) tell(kind, key string, body any) {
	if !t.updates.allows(kind) {
		return
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	t.updates.last++
	id := t.updates.last
	line := make([]byte, 0, len(raw)+len(kind)+40)
	line = append(line, `{"update_id":`...)
	line = strconv.AppendInt(line, id, 10)
	line = append(line, `,"`+kind+`":`...)
	line = append(append(line, raw...), '}')
	kept := keptUpdates
	if kind == "callback_query" {
		kept = keptCallbacks
	}
	t.queue(&update{id: id, key: key, raw: line, expires: t.now().Add(kept)})
}

func (t *Telegram) queue(u *update) {
	q := &t.updates
	q.waiting = append(q.waiting, u)
	close(q.arrived)
	q.arrived = make(chan struct{})
	t.post(u)
}

// settle takes an update out of the queue: delivered, confirmed or expired.
func (q *updates) settle(u *update) {
	if u.gone {
		return
	}
	u.gone = true
	q.gone++
	if q.gone > 32 && q.gone*2 > len(q.waiting) {
		q.waiting = slices.DeleteFunc(q.waiting, func(u *update) bool { return u.gone })
		q.gone = 0
	}
}

// alive lists the first n of what waits and has not expired, or all of it if n is negative.
func (q *updates) alive(now time.Time, n int) []*update {
	var alive, expired []*update
	for _, u := range q.waiting {
		if len(alive) == n {
			break
		}
		switch {
		case u.gone:
		case now.After(u.expires):
			expired = append(expired, u)
		default:
			alive = append(alive, u)
		}
	}
	for _, u := range expired {
		q.settle(u)
	}
	return alive
}

// TakeUpdates removes and returns every waiting update in order: delivery without HTTP, for tests.
func (t *Telegram) TakeUpdates() [][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	var raws [][]byte
	for _, u := range t.updates.alive(t.now(), -1) {
		raws = append(raws, u.raw)
		t.updates.settle(u)
	}
	return raws
}

// Updates is how many updates wait undelivered.
func (t *Telegram) Updates() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.updates.alive(t.now(), -1))
}

// SetNextUpdateID makes the ids go on from n, as Telegram's do from a random number after a week without updates.
func (t *Telegram) SetNextUpdateID(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.updates.last = n - 1
}

var (
	updateID  = regexp.MustCompile(`"update_id"\s*:\s*(\d+)`)
	openBrace = regexp.MustCompile(`^\s*\{`)
)

// Inject queues a raw update as it is, whatever the bot asked for. Only an update_id that is 0 or absent is replaced by the
// next one; text that is no JSON object is queued untouched.
func (t *Telegram) Inject(raw string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	given := updateID.FindStringSubmatchIndex(raw)
	id := t.updates.last + 1
	switch {
	case given == nil:
		if brace := openBrace.FindString(raw); brace != "" {
			raw = brace + `"update_id":` + strconv.FormatInt(id, 10) + comma(raw[len(brace):]) + raw[len(brace):]
		}
	case raw[given[2]:given[3]] == "0":
		raw = raw[:given[2]] + strconv.FormatInt(id, 10) + raw[given[3]:]
	default:
		id, _ = strconv.ParseInt(raw[given[2]:given[3]], 10, 64)
	}
	t.updates.last = max(t.updates.last, id)
	t.queue(&update{id: id, key: injectedKey(raw), raw: []byte(raw), expires: t.now().Add(keptUpdates)})
}

// comma stands before the next field, if there is one.
func comma(rest string) string {
	if len(rest) == 0 || rest[0] == '}' {
		return ""
	}
	return ","
}

// injectedKey orders an injected message with the other messages of its chat.
func injectedKey(raw string) string {
	var body struct {
		Message, EditedMessage struct{ Chat struct{ ID int64 } }
	}
	if json.Unmarshal([]byte(raw), &body) == nil && body.Message.Chat.ID != 0 {
		return messageKey(body.Message.Chat.ID)
	}
	return "injected"
}

func messageKey(chat int64) string { return "message:" + strconv.FormatInt(chat, 10) }
