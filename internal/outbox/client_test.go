package outbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-telegram/bot"
)

const (
	secret    = "AAsecretAAsecret"
	testToken = "123:" + secret
	yes       = `{"ok":true,"result":{"message_id":5,"chat":{"id":7},"date":1}}`
)

func newTestClient(t *testing.T, url string) *Client {
	t.Helper()
	c, err := NewClient(testToken, url, 4)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hello sends a message, the call with a body that most others are like.
func hello(ctx context.Context, c *Client) answer {
	return c.ask(ctx, func(ctx context.Context, b *bot.Bot) error {
		_, err := b.SendMessage(ctx, &bot.SendMessageParams{ChatID: int64(7), Text: "hello"})
		return err
	})
}

// wantMeaning judges an answer, and checks that no part of it shows the token.
func wantMeaning(t *testing.T, a answer, want meaning) {
	t.Helper()
	v := judge(a)
	if v.meaning != want {
		t.Errorf("it means %s (%s), want %s", v.meaning, v.reason, want)
	}
	if all := fmt.Sprintf("%s %v %s", v.reason, a.err, a.description); strings.Contains(all, secret) {
		t.Errorf("the token shows: %s", all)
	}
}

// serve answers every request with fn.
func serve(t *testing.T, fn http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(fn)
	t.Cleanup(s.Close)
	return s.URL
}

// raw serves connections by hand. What is handed to it is the n-th connection, from 0, with a request read.
func raw(t *testing.T, fn func(n int, c net.Conn)) (url string, l net.Listener) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var busy sync.WaitGroup
	busy.Go(func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			busy.Go(func() { defer c.Close(); fn(n, c) })
		}
	})
	t.Cleanup(func() { l.Close(); busy.Wait() })
	return "http://" + l.Addr().String(), l
}

func readRequest(c net.Conn) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err == nil {
		io.Copy(io.Discard, r.Body)
	}
}

func writeYes(c net.Conn) {
	fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(yes), yes)
}

func TestClientKeepsTheWholeAnswer(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/bot"+testToken+"/sendMessage" || r.FormValue("text") != "hello" || r.FormValue("chat_id") != "7" {
			t.Errorf("called was %s with %v", r.URL.Path, r.Form)
		}
		io.WriteString(w, yes)
	})
	a := hello(t.Context(), newTestClient(t, url))
	wantMeaning(t, a, delivered)
	if r := readResult(a); r.message != 5 || !r.isMessage {
		t.Errorf("read was %+v", r)
	}
}

func TestClientReadsRefusalsWithTheirParameters(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   verdict
	}{
		{429, `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}}`,
			verdict{meaning: flooded, wait: 7 * time.Second, reason: "Too Many Requests: retry after 7"}},
		{400, `{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded to a supergroup chat",` +
			`"parameters":{"migrate_to_chat_id":-1009876543210}}`,
			verdict{meaning: migrated, group: -1009876543210, reason: "Bad Request: group chat was upgraded to a supergroup chat"}},
		{401, `{"ok":false,"error_code":401,"description":"Unauthorized"}`, verdict{meaning: unauthorized, reason: "Unauthorized"}},
		{403, `{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}`,
			verdict{meaning: userGone, reason: "Forbidden: bot was blocked by the user"}},
		{500, `{"ok":false,"error_code":500,"description":"Internal Server Error"}`, verdict{meaning: broken, reason: "Internal Server Error"}},
		{502, "<html><body>502 Bad Gateway</body></html>", verdict{meaning: broken, reason: "Bad Gateway"}},
		{504, "", verdict{meaning: broken, reason: "Gateway Timeout"}},
		{200, "<html>Please log in to this network</html>", verdict{meaning: broken, reason: "OK"}},
		{200, `{"result":true}`, verdict{meaning: broken, reason: "OK"}},
		{200, `{"ok":true,"result":{"message_id":"of another type"}}`, verdict{meaning: delivered}}, // the library cannot decode it
	} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status); io.WriteString(w, c.body) })
		a := hello(t.Context(), newTestClient(t, url))
		if got := judge(a); got != c.want {
			t.Errorf("%d %s\nmeans %+v\nwant  %+v", c.status, c.body, got, c.want)
		}
	}
}

func TestClientKnowsThatARefusedConnectionCarriedNothing(t *testing.T) {
	url, l := raw(t, func(int, net.Conn) {})
	l.Close()
	wantMeaning(t, hello(t.Context(), newTestClient(t, url)), unreachable)
}

func TestClientKnowsThatANameThatIsNotFoundCarriedNothing(t *testing.T) {
	wantMeaning(t, hello(t.Context(), newTestClient(t, "http://telegram.invalid")), unreachable)
}

func TestClientKnowsThatAFailedHandshakeCarriedNothing(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the call arrived") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	wantMeaning(t, hello(t.Context(), newTestClient(t, s.URL)), unreachable) // its certificate is signed by nobody we know

	url, _ := raw(t, func(_ int, c net.Conn) { io.WriteString(c, "this is no TLS") })
	wantMeaning(t, hello(t.Context(), newTestClient(t, strings.Replace(url, "http:", "https:", 1))), unreachable)
}

func TestClientDoubtsWhatWasCutAfterItLeft(t *testing.T) {
	for name, cut := range map[string]func(int, net.Conn){
		"at once":            func(int, net.Conn) {},
		"after reading it":   func(_ int, c net.Conn) { readRequest(c) },
		"in the status line": func(_ int, c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 20") },
		"before the body": func(_ int, c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n")
		},
		"in the body": func(_ int, c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"ok\":true,")
		},
		"in a chunk": func(_ int, c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{\"ok\":true,")
		},
		"of a refusal's body": func(_ int, c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nContent-Length: 90\r\n\r\n{\"ok\":fal")
		},
		"with words of another": func(_ int, c net.Conn) { readRequest(c); io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := raw(t, cut)
			wantMeaning(t, hello(t.Context(), newTestClient(t, url)), doubtful)
		})
	}
}

func TestClientDoubtsWhatIsNotAnsweredInTime(t *testing.T) {
	arrived, done := make(chan struct{}), make(chan struct{})
	url, _ := raw(t, func(_ int, c net.Conn) { readRequest(c); close(arrived); <-done })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	wantMeaning(t, hello(ctx, newTestClient(t, url)), doubtful)
	close(done)
}

func TestClientWhoseCallerHasLeftCarriesNothing(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the call arrived") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantMeaning(t, hello(ctx, newTestClient(t, url)), unreachable)
}

// The other side repeats what it was sent, URL and all.
func TestClientHidesTheTokenThatComesBackInAnError(t *testing.T) {
	url, _ := raw(t, func(_ int, c net.Conn) {
		line, _ := bufio.NewReader(c).ReadString('\n')
		io.WriteString(c, strings.ReplaceAll(strings.TrimSpace(line), " ", "_")+"\r\n\r\n")
	})
	a := hello(t.Context(), newTestClient(t, url))
	wantMeaning(t, a, doubtful)
	if a.err == nil || !strings.Contains(a.err.Error(), "***") {
		t.Errorf("the error is %v; the story has no point", a.err)
	}
}

func TestClientQuestionsHideTheTokenToo(t *testing.T) {
	url, l := raw(t, func(int, net.Conn) {})
	l.Close()
	c := newTestClient(t, url)
	_, err := c.Me(t.Context())
	if err == nil || strings.Contains(err.Error(), secret) || TokenRefused(err) {
		t.Errorf("the error is %v", err)
	}
	no := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(401)
		io.WriteString(w, `{"ok":false,"error_code":401,"description":"Unauthorized"}`)
	})
	if _, err := newTestClient(t, no).Me(t.Context()); !TokenRefused(err) {
		t.Errorf("a refused token is %v", err)
	}
}

// A kept connection that the other side has closed is not used again, and leaves no doubt.
func TestClientUsesNoConnectionThatTheOtherSideClosed(t *testing.T) {
	left := make(chan struct{}, 1)
	url, _ := raw(t, func(_ int, c net.Conn) {
		readRequest(c)
		writeYes(c)
		c.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, c) // until the client has seen it
		left <- struct{}{}
	})
	c := newTestClient(t, url)
	for range 20 {
		wantMeaning(t, hello(t.Context(), c), delivered)
		<-left
	}
}

// tired is a connection into which, after its first use, nothing can be written.
type tired struct {
	net.Conn
	worn *atomic.Bool
}

func (c tired) Write(b []byte) (int, error) {
	if c.worn.Load() {
		return 0, syscall.EPIPE
	}
	return c.Conn.Write(b)
}

// tiring is a client whose first connection is worn out after one call; later dials go through dial.
func tiring(t *testing.T, dial func(ctx context.Context, network, addr string) (net.Conn, error)) (*Client, *atomic.Bool, *atomic.Int32) {
	t.Helper()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, yes) })
	worn, dials := new(atomic.Bool), new(atomic.Int32)
	wire := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if dials.Add(1) > 1 {
			return dial(ctx, network, addr)
		}
		c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return tired{c, worn}, err
	}}
	t.Cleanup(wire.CloseIdleConnections)
	api, err := bot.New(testToken, bot.WithSkipGetMe(), bot.WithServerURL(url),
		bot.WithHTTPClient(0, recorder{client: &http.Client{Transport: wire}, token: testToken}), bot.WithErrorsHandler(func(error) {}))
	if err != nil {
		t.Fatal(err)
	}
	return &Client{api: api}, worn, dials
}

func TestClientRepeatsByItselfWhatAStaleConnectionNeverTook(t *testing.T) {
	c, worn, dials := tiring(t, (&net.Dialer{}).DialContext)
	wantMeaning(t, hello(t.Context(), c), delivered)
	worn.Store(true)
	wantMeaning(t, hello(t.Context(), c), delivered)
	if n := dials.Load(); n != 2 {
		t.Errorf("%d connections were made, want 2", n)
	}
}

// Telegram went down while a connection was kept: nothing was written into it, and a new one is refused.
func TestClientKnowsThatAStaleConnectionAndARefusedOneCarriedNothing(t *testing.T) {
	c, worn, _ := tiring(t, func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	})
	wantMeaning(t, hello(t.Context(), c), delivered)
	worn.Store(true)
	wantMeaning(t, hello(t.Context(), c), unreachable)
}

func TestClientKeepsAsManyConnectionsAsCalls(t *testing.T) {
	var made atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, yes) }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	c := newTestClient(t, s.URL)
	for range 30 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { wantMeaning(t, hello(t.Context(), c), delivered) })
		}
		all.Wait()
	}
	if n := made.Load(); n > 12 {
		t.Errorf("120 calls, four at a time, made %d connections", n)
	}
}

func TestClientReportsACallThatIsNoCall(t *testing.T) {
	c := newTestClient(t, "http://127.0.0.1:1")
	a := c.ask(t.Context(), func(ctx context.Context, b *bot.Bot) error { return send(ctx, b, struct{}{}) })
	if a.err == nil || a.connected {
		t.Errorf("%+v", a)
	}
	nothing := c.ask(t.Context(), func(context.Context, *bot.Bot) error { return nil })
	if nothing.err == nil {
		t.Error("no call was made, and it is no error")
	}
	if got := redact(errors.New("nothing of it"), testToken); got.Error() != "nothing of it" {
		t.Errorf("redacted to %q", got)
	}
}
