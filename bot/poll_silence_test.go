package bot_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
)

// Promise 6: whatever goes wrong, no line of ours holds the token, which is in the address we ask.
func TestPollNeverShowsTheToken(t *testing.T) {
	l := newListener(t)
	answers := map[string]http.HandlerFunc{
		"a redirect to nowhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1"+r.URL.Path, http.StatusTemporaryRedirect)
		},
		"a redirect that is no address": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://no host"+r.URL.Path)
			w.WriteHeader(http.StatusTemporaryRedirect)
		},
		"a redirect in a circle": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		},
		"half an answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(`{"ok":true,`))
		},
		"nothing":     func(http.ResponseWriter, *http.Request) {},
		"null":        func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) },
		"no envelope": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"error":"no route"}`)) },
		"a list":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) },
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			l.log.Reset()
			front := httptest.NewServer(answer)
			defer front.Close()
			wait, err := l.at(front.URL+"/bot"+l.tg.Token()+"/getUpdates").Step(context.Background(), 0)
			if err != nil || wait != time.Second {
				t.Errorf("wait %v, %v", wait, err)
			}
			if why := l.ready.NotReady()[desk.Source]; strings.TrimSpace(why) == "" {
				t.Error("not ready, and nobody is told why")
			}
			l.wantSilentIn(t, err)
		})
	}
	for _, url := range []string{"http://bad host/bot", "http://127.0.0.1:1/bot", "gopher://127.0.0.1/bot", "http://[::1/bot"} {
		l.log.Reset()
		_, err := l.at(url+l.tg.Token()+"/getUpdates").Step(context.Background(), 0)
		l.wantSilentIn(t, err)
	}
}

// wantSilent looks for the token in everything that was said.
func (l *listener) wantSilent(err error) {
	l.t.Helper()
	l.wantSilentIn(l.t, err)
}

func (l *listener) wantSilentIn(t testing.TB, err error) {
	t.Helper()
	_, secret, _ := strings.Cut(l.tg.Token(), ":")
	for where, text := range map[string]string{"log": l.log.String(), "error": fmt.Sprint(err), "readiness": fmt.Sprint(l.ready.NotReady())} {
		if strings.Contains(text, secret) || strings.Contains(text, "/bot") {
			t.Errorf("the %s says\n%s", where, text)
		}
	}
}
