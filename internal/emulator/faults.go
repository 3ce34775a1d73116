package emulator

import (
	"net/http"
	"sync"
	"time"
)

// A Fault says which calls are struck. Faults are armed by the methods below, and several may strike one call: waits add up,
// and the first that decides the call's fate is the last that is looked at.
type Fault struct {
	Method string // "" for any but getUpdates and getMe
	Chat   int64  // 0 for any
	Count  int    // how many calls; 0 means one, -1 until Heal
}

type fault struct {
	Fault
	strike strike
}

// A strike is what faults do to one call, in the order of its life.
type strike struct {
	waits       []func(t *Telegram, r *http.Request) bool // before executing; false cuts the line
	verdict     func(t *Telegram, w http.ResponseWriter, c Call)
	drop        int
	answerWaits []func(t *Telegram, r *http.Request) bool
	lostReply   bool
}

func (s strike) decides() bool { return s.verdict != nil || s.lostReply || s.drop > 0 }

func (t *Telegram) arm(f Fault, s strike) {
	if f.Count == 0 {
		f.Count = 1
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, &fault{Fault: f, strike: s})
}

// Heal disarms every fault. Calls that are held stay held until they are released.
func (t *Telegram) Heal() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = nil
}

// strikes takes what is armed for this call.
func (t *Telegram) strikes(method string, p *params) strike {
	t.mu.Lock()
	defer t.mu.Unlock()
	var sum strike
	for _, f := range t.faults {
		if f.Count == 0 || !f.strikes(method, p.int64("chat_id")) {
			continue
		}
		if f.Count > 0 {
			f.Count--
		}
		sum.waits = append(sum.waits, f.strike.waits...)
		sum.answerWaits = append(sum.answerWaits, f.strike.answerWaits...)
		if f.strike.decides() {
			sum.verdict, sum.lostReply, sum.drop = f.strike.verdict, f.strike.lostReply, f.strike.drop
			break
		}
	}
	return sum
}

func (f Fault) strikes(method string, chat int64) bool {
	if f.Chat != 0 && f.Chat != chat {
		return false
	}
	if f.Method == "" {
		return method != "getUpdates" && method != "getMe"
	}
	return f.Method == method
}

func (s strike) wait(t *Telegram, r *http.Request) bool       { return waitAll(t, r, s.waits) }
func (s strike) holdAnswer(t *Telegram, r *http.Request) bool { return waitAll(t, r, s.answerWaits) }

func waitAll(t *Telegram, r *http.Request, waits []func(*Telegram, *http.Request) bool) bool {
	for _, wait := range waits {
		if !wait(t, r) {
			return false
		}
	}
	return true
}

// Flood answers 429 with retry_after; the call is not executed.
func (t *Telegram) Flood(f Fault, retryAfter int) { t.refuse(f, tooMany(retryAfter)) }

// Refuse answers with this status and description; the call is not executed.
func (t *Telegram) Refuse(f Fault, status int, description string) {
	t.refuse(f, &refusal{code: status, description: description})
}

// InternalError answers 500 in Telegram's envelope; the call is not executed.
func (t *Telegram) InternalError(f Fault) { t.Refuse(f, 500, "Internal Server Error") }

func (t *Telegram) refuse(f Fault, r *refusal) {
	t.arm(f, strike{verdict: func(t *Telegram, w http.ResponseWriter, c Call) { t.finish(w, c, nil, r) }})
}

// BadGateway answers 502 with a page of HTML, as the front of Telegram does; the call is not executed.
func (t *Telegram) BadGateway(f Fault) {
	t.arm(f, strike{verdict: func(t *Telegram, w http.ResponseWriter, c Call) {
		c.Status, c.Description = http.StatusBadGateway, "Bad Gateway"
		t.record(c)
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		w.Write([]byte("<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n"))
	}})
}

// LostReply executes the call and then cuts the connection without an answer.
func (t *Telegram) LostReply(f Fault) { t.arm(f, strike{lostReply: true}) }

// ResetBefore cuts the connection once the request is read; the call is not executed.
func (t *Telegram) ResetBefore(f Fault) {
	t.arm(f, strike{verdict: func(t *Telegram, _ http.ResponseWriter, c Call) {
		t.finish(nil, c, nil, nil)
		cut()
	}})
}

// PartialCopy makes copyMessages and forwardMessages deliver and answer fewer: the first drop of them silently get lost.
func (t *Telegram) PartialCopy(f Fault, drop int) { t.arm(f, strike{drop: drop}) }

// Slow waits, in real time, before the call is executed.
func (t *Telegram) Slow(f Fault, d time.Duration) {
	t.arm(f, strike{waits: []func(*Telegram, *http.Request) bool{func(t *Telegram, r *http.Request) bool {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return true
		case <-r.Context().Done():
			return true // the request has reached Telegram, though nobody waits for its answer any more
		case <-t.ctx.Done():
			return false
		}
	}}})
}

// Hold keeps a call before it is executed. arrived gets a value for each call held; release lets them, and all later ones, go
// on: executed and answered, or with false not executed and cut.
func (t *Telegram) Hold(f Fault) (arrived <-chan struct{}, release func(execute bool)) {
	wait, arrived, release := newHold()
	t.arm(f, strike{waits: []func(*Telegram, *http.Request) bool{wait}})
	return arrived, release
}

// HoldAnswer keeps a call after it was executed and before it is answered. release(false) cuts the line instead of answering.
func (t *Telegram) HoldAnswer(f Fault) (arrived <-chan struct{}, release func(answer bool)) {
	wait, arrived, release := newHold()
	t.arm(f, strike{answerWaits: []func(*Telegram, *http.Request) bool{wait}})
	return arrived, release
}

func newHold() (wait func(*Telegram, *http.Request) bool, arrived <-chan struct{}, release func(bool)) {
	came := make(chan struct{}, 1024) // never blocks a call: tests hold a handful
	released := make(chan struct{})
	var goOn bool
	var once sync.Once
	wait = func(t *Telegram, _ *http.Request) bool {
		came <- struct{}{}
		select {
		case <-released:
			return goOn
		case <-t.ctx.Done():
			return false
		}
	}
	return wait, came, func(yes bool) {
		once.Do(func() {
			goOn = yes
			close(released)
		})
	}
}
