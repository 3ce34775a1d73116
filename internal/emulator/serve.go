package emulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Call is one call of the Bot API as it was made and answered.
type Call struct {
	Method      string
	Params      map[string]string // not to be changed; uploads are shown as attach:<file name>
	Status      int               // the HTTP status answered, 0 when the line was cut instead
	Executed    bool              // whether it did what it asks for
	Description string            // of a refusal
	At          time.Time
}

type callLog struct {
	keep   int
	calls  []Call
	oldest int // where the ring begins once it is full
	seen   func(Call)
}

func (l *callLog) add(c Call) {
	switch {
	case l.keep < 0:
	case l.keep == 0 || len(l.calls) < l.keep:
		l.calls = append(l.calls, c)
	default:
		l.calls[l.oldest] = c
		l.oldest = (l.oldest + 1) % l.keep
	}
}

// ServeHTTP answers /bot<token>/<method>.
func (t *Telegram) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t.isDown() {
		cut()
	}
	token, name, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
	if !ok || !strings.HasPrefix(r.URL.Path, "/bot") || strings.Contains(name, "/") {
		answer(w, nil, &refusal{code: 404, description: "Not Found"})
		return
	}
	p, err := readParams(r)
	if err != nil {
		answer(w, nil, unreadable(err))
		return
	}
	call := Call{Method: name, Params: p.shown(), At: t.now()}
	method, refused := t.admit(token, name, p, &call)
	if refused != nil {
		t.finish(w, call, nil, refused)
		return
	}
	t.perform(w, r, method, p, call)
}

func unreadable(err error) *refusal {
	if errors.Is(err, errTooLarge) {
		return &refusal{code: 413, description: "Request Entity Too Large"}
	}
	return bad("%s", err.Error())
}

// admit checks token, method and parameter names: what the emulator does not model must be noticed, never let through.
func (t *Telegram) admit(token, name string, p *params, call *Call) (*method, *refusal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if token != t.token || t.revoked {
		return nil, &refusal{code: 401, description: "Unauthorized"}
	}
	m, ok := methods[strings.ToLower(name)]
	if !ok {
		t.unmodelled = append(t.unmodelled, name)
		return nil, &refusal{code: 404, description: "Not Found: method not found"}
	}
	call.Method = m.name
	for parameter := range p.values {
		_, uploaded := p.uploads[parameter] // under a name of the caller's choice, for attach://
		if !m.params[parameter] && !uploaded {
			t.unmodelled = append(t.unmodelled, m.name+": "+parameter)
			return nil, bad("the emulator does not model the parameter %q of %s", parameter, m.name)
		}
	}
	return m, nil
}

// perform carries out a call under whatever faults are armed for it.
func (t *Telegram) perform(w http.ResponseWriter, r *http.Request, m *method, p *params, call Call) {
	strikes := t.strikes(m.name, p)
	if !strikes.wait(t, r) {
		t.finish(nil, call, nil, nil)
		cut()
	}
	if before := strikes.verdict; before != nil {
		before(t, w, call)
		return
	}
	p.drop = strikes.drop
	var result any
	var refused *refusal
	if m.waits != nil {
		result, refused = m.waits(t, r, p)
	} else {
		t.mu.Lock()
		result, refused = m.do(t, p)
		t.mu.Unlock()
	}
	call.Executed = refused == nil
	if strikes.lostReply || !strikes.holdAnswer(t, r) {
		t.finish(nil, call, nil, refused)
		cut()
	}
	t.finish(w, call, result, refused)
}

// finish records the call, then answers it. Without w nothing is answered.
func (t *Telegram) finish(w http.ResponseWriter, call Call, result any, refused *refusal) {
	if refused != nil {
		call.Description = refused.description
	}
	if w != nil {
		call.Status = http.StatusOK
		if refused != nil {
			call.Status = refused.code
		}
	}
	t.record(call)
	if w != nil {
		answer(w, result, refused)
	}
}

func (t *Telegram) record(call Call) {
	t.mu.Lock()
	t.calls.add(call)
	seen := t.calls.seen
	t.mu.Unlock()
	if seen != nil {
		seen(call)
	}
}

// cut ends the connection without an answer.
func cut() { panic(http.ErrAbortHandler) }

// answer writes Telegram's envelope.
func answer(w http.ResponseWriter, result any, refused *refusal) {
	envelope := map[string]any{"ok": true, "result": result}
	status := http.StatusOK
	if refused != nil {
		status = refused.code
		envelope = map[string]any{"ok": false, "error_code": refused.code, "description": refused.description}
		if extra := refused.parameters(); extra != nil {
			envelope["parameters"] = extra
		}
		if refused.retryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(refused.retryAfter))
		}
	}
	body, err := json.Marshal(envelope)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}
