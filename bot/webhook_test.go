package bot_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"hodor/bot"
)

// A door is the webhook on a real port, beside the world it lets updates into.
type door struct {
	*world
	url string
}

const knock = "a-Secret_1"

func newDoor(t *testing.T, secret string) *door {
	t.Helper()
	d := &door{world: newWorld(t)}
	d.tg.TakeUpdates() // who joined the group is of no interest here
	d.open(secret)
	return d
}

// open listens for a bot on the database as it is now, whose log many may write at once.
func (d *door) open(secret string) {
	d.bot = bot.New(d.db, d.rules, d.clock.Now, zerolog.New(zerolog.SyncWriter(d.log)))
	server := httptest.NewServer(d.bot.Webhook(secret))
	d.t.Cleanup(server.Close)
	d.url = server.URL
}

// A reply is all that Telegram would see.
type reply struct {
	status     int
	retryAfter string
	body       string
}

// post sends a body with this header; without one if it is empty. It may be called from any goroutine.
func (d *door) post(secret, body string) reply {
	req, err := http.NewRequest(http.MethodPost, d.url, strings.NewReader(body))
	if err != nil {
		d.t.Error(err)
		return reply{}
	}
	req.Header.Set("Content-Type", "application/json")
	if secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Error(err)
		return reply{}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Error(err)
	}
	return reply{resp.StatusCode, resp.Header.Get("Retry-After"), string(text)}
}

func (d *door) wantReply(what string, got reply, status int) {
	d.t.Helper()
	want := reply{status: status, body: got.body}
	switch status {
	case http.StatusOK:
		want.body = ""
	case http.StatusServiceUnavailable:
		want.retryAfter = "5"
	}
	if got != want {
		d.t.Errorf("%s: answered %+v, want %+v", what, got, want)
	}
}

// stored is everything that an update can leave in the database, in figures.
func (d *door) stored() string {
	d.t.Helper()
	return d.column(`SELECT (SELECT count(*) FROM processed_updates) || ' updates, ' || (SELECT count(*) FROM users) || ' users, ' ||
		(SELECT count(*) FROM topics) || ' topics, ' || (SELECT count(*) FROM outbox) || ' calls'`)
}

const nothing = "0 updates, 0 users, 0 topics, 0 calls"

// said is a person's message as Telegram posts it.
func said(update, user, message int64, text string) string {
	return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1767323045,"chat":{"id":%d,"type":"private","first_name":"Ann"},`+
		`"from":{"id":%d,"is_bot":false,"first_name":"Ann"},"text":%q}}`, update, message, user, user, text)
}

// A1, A2: whoever does not know the secret is told nothing, leaves nothing and makes us do nothing, all in the same words.
func TestWebhookWithoutTheSecret(t *testing.T) {
	bodies := map[string]bool{}
	for _, c := range []struct{ name, configured, sent string }{
		{"missing", knock, ""},
		{"wrong", knock, "something"},
		{"its beginning", knock, knock[:len(knock)-1]},
		{"longer", knock, knock + "x"},
		{"in other letters", knock, strings.ToUpper(knock)},
		{"not configured, missing", "", ""},
		{"not configured, some", "", knock},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDoor(t, c.configured)
			for _, body := range []string{said(1, 7, 1, "hello"), "no JSON", strings.Repeat("x", 1<<20+1)} {
				got := d.post(c.sent, body)
				d.wantReply(c.name, got, http.StatusUnauthorized)
				bodies[got.body] = true
			}
			if got := d.stored(); got != nothing {
				t.Errorf("stored %s", got)
			}
			if calls := d.tg.Calls(); len(calls) != 0 {
				t.Errorf("called %+v", calls)
			}
		})
	}
	if len(bodies) != 1 {
		t.Errorf("the refusals differ: %v", bodies)
	}
}

// A body of 1 MiB is taken, one of a byte more is not.
func TestWebhookTakesOneMebibyte(t *testing.T) {
	d := newDoor(t, knock)
	fits := said(1, 7, 1, "hello")
	fits += strings.Repeat(" ", 1<<20-len(fits))
	d.wantReply("too long", d.post(knock, fits+" "), http.StatusRequestEntityTooLarge)
	if got := d.stored(); got != nothing {
		t.Errorf("stored %s of what was too long", got)
	}
	d.wantReply("just fits", d.post(knock, fits), http.StatusOK)
	if got := d.stored(); !strings.HasPrefix(got, "1 updates, 1 users") {
		t.Errorf("stored %s of what just fits", got)
	}
}

// A3: what cannot be an update is answered 200, leaves no row, and the log does not repeat it.
func TestWebhookForgetsWhatIsNoUpdate(t *testing.T) {
	d := newDoor(t, knock)
	for _, body := range []string{"", "private words", "null", "[]", "7", `"private words"`, "{}", `{"message":{"text":"private words"}}`,
		`{"update_id":"7","message":{"text":"private words"}}`, `{"update_id":null}`, `{"update_id":1.5}`, `{"update_id":1e400}`,
		`{"update_id":99999999999999999999}`, `{"update_id":true}`, `{"update_id":[7]}`, `{"update_id":7,"message":{"text":"private words"}`, "\x00\xff"} {
		d.wantReply(fmt.Sprintf("%q", body), d.post(knock, body), http.StatusOK)
	}
	if got := d.stored(); got != nothing {
		t.Errorf("stored %s", got)
	}
	if log := d.log.String(); strings.Contains(log, "private words") || strings.Contains(log, knock) {
		t.Errorf("the log says\n%s", log)
	}
}

// A6, A7, A8: what is none of our business is claimed, and that is all.
func TestWebhookClaimsWhatItIgnores(t *testing.T) {
	d := newDoor(t, knock)
	bodies := []string{
		`"telepathy":{"from":7}`, `"channel_post":{"message_id":1,"date":1,"chat":{"id":-1005,"type":"channel"},"text":"news"}`,
		`"poll":{"id":"5"}`, `"message":"not a message"`, `"message":{"message_id":"one"}`, `"message":null`, `"callback_query":[]`,
		`"message":{"message_id":1,"date":1,"chat":{"id":-1009999999999,"type":"supergroup"},"from":{"id":100,"first_name":"A"},"text":"/help"}`, // A6
		fmt.Sprintf(`"message":{"message_id":1,"date":1,"chat":{"id":%d,"type":"supergroup","is_forum":true},"from":{"id":100,"first_name":"A"},"text":"tea?"}`,
			d.tg.Group()), // A7
	}
	for i, body := range bodies {
		d.wantReply(body, d.post(knock, fmt.Sprintf(`{"update_id":%d,%s}`, i+1, body)), http.StatusOK)
		if status, _, raw := d.update(int64(i + 1)); status != "processed" || raw != "" {
			t.Errorf("%s: kept as %q with %q", body, status, raw)
		}
	}
	if got, want := d.stored(), fmt.Sprintf("%d updates, 0 users, 0 topics, 0 calls", len(bodies)); got != want {
		t.Errorf("stored %s, want %s", got, want)
	}
}

// B1: the same update again is answered 200 and changes nothing, however often, and after a restart too.
func TestWebhookTakesARepeatOnce(t *testing.T) {
	d := newDoor(t, knock)
	d.tg.Say(7, "hello")
	raw := string(d.tg.TakeUpdates()[0])
	for range 3 {
		d.wantReply("a repeat", d.post(knock, raw), http.StatusOK)
		d.settle()
	}
	d.restart()
	d.open(knock)
	d.wantReply("a repeat after a restart", d.post(knock, raw), http.StatusOK)
	d.settle()
	d.wantTopic(d.topicOf(7), "hello")
}

// full makes the database refuse every claim, as a full disk does.
const (
	full  = `CREATE TRIGGER full BEFORE INSERT ON processed_updates BEGIN SELECT RAISE(ABORT, 'disk is full'); END`
	empty = `DROP TRIGGER full`
)

// A5, B2 in our form: while the database cannot be written the answer is 503 with Retry-After, nothing is kept, and the same update
// works as soon as it can.
func TestWebhookWithoutADatabase(t *testing.T) {
	for _, c := range []struct {
		name        string
		break_, fix func(*door)
	}{
		{"that cannot be written", func(d *door) { d.byHand(full) }, func(d *door) { d.byHand(empty) }},
		{"that is closed", func(d *door) { _ = d.db.Close() }, func(d *door) { d.start(); d.open(knock) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDoor(t, knock)
			d.tg.Say(7, "private words")
			raw := string(d.tg.TakeUpdates()[0])
			c.break_(d)
			for range 2 {
				d.wantReply("broken", d.post(knock, raw), http.StatusServiceUnavailable)
			}
			if got := d.stored(); got != nothing {
				t.Errorf("stored %s", got)
			}
			c.fix(d)
			d.wantReply("mended", d.post(knock, raw), http.StatusOK)
			d.settle()
			d.wantTopic(d.topicOf(7), "private words")
			if log := d.log.String(); strings.Contains(log, "private words") {
				t.Errorf("the log says\n%s", log)
			}
		})
	}
}

// Promise 5 at the door: an update that we cannot handle is no reason to hold back its chat.
func TestWebhookDoesNotRefuseWhatWeCannotHandle(t *testing.T) {
	d := newDoor(t, knock)
	d.byHand(poison)
	d.wantReply("poisoned", d.post(knock, said(1, 13, 1, "unlucky")), http.StatusOK)
	if status, attempts, _ := d.update(1); status != "processing" || attempts != 1 {
		t.Errorf("kept as %q after %d tries", status, attempts)
	}
}

// Promise 1: a body that breaks off was not stored, and is not acknowledged to whoever still listens (a proxy that lost Telegram).
func TestWebhookDoesNotAcknowledgeHalfABody(t *testing.T) {
	raw := said(1, 7, 1, "hello")
	for name, head := range map[string]string{
		"with its length": fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(raw), raw[:len(raw)/2]),
		"in chunks":       fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s", len(raw), raw[:len(raw)/2]),
	} {
		t.Run(name, func(t *testing.T) {
			d := newDoor(t, knock)
			conn, err := net.Dial("tcp", strings.TrimPrefix(d.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: hodor\r\nX-Telegram-Bot-Api-Secret-Token: "+knock+"\r\n"+head)
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err == nil && resp.StatusCode/100 == 2 {
				t.Errorf("half a body is acknowledged with %s", resp.Status)
			}
			if got := d.stored(); got != nothing {
				t.Errorf("stored %s", got)
			}
			d.wantReply("the whole body", d.post(knock, raw), http.StatusOK)
			d.wantStored("1 updates, 1 users, 0 topics")
		})
	}
}

func (d *door) wantStored(begins string) {
	d.t.Helper()
	if got := d.stored(); !strings.HasPrefix(got, begins) {
		d.t.Errorf("stored %s, want %s…", got, begins)
	}
}

// B1, promise 1: of 500 posts at once, each update twice, every one is answered 200 only when its claim is on disk, where another
// connection sees it; and each is applied once, in the order of its person.
func TestWebhookUnderManyHands(t *testing.T) {
	const people, each = 25, 10
	d := newDoor(t, knock)
	disk := d.shell()
	t.Cleanup(func() { disk.Close() })
	var hands sync.WaitGroup
	for person := int64(1); person <= people; person++ {
		for range 2 { // two who bring the same, each a person's in order, as Telegram does
			hands.Go(func() {
				for n := int64(1); n <= each; n++ {
					id := person*1000 + n
					if got := d.post(knock, said(id, person, n, fmt.Sprintf("message %d", n))); got.status != http.StatusOK {
						t.Errorf("update %d: answered %+v", id, got)
					}
					var status string
					if err := disk.QueryRow("SELECT status FROM processed_updates WHERE update_id = ?", id).Scan(&status); err != nil || status != "processed" {
						t.Errorf("update %d is acknowledged, and on disk is %q: %v", id, status, err)
					}
				}
			})
		}
	}
	hands.Wait()
	if got, want := d.stored(), fmt.Sprintf("%d updates, %d users, 0 topics", people*each, people); !strings.HasPrefix(got, want) {
		t.Errorf("stored %s, want %s", got, want)
	}
	relays := d.column(`SELECT group_concat(n || ' in order ' || ordered) FROM (SELECT count(*) AS n, sum(previous < message) AS ordered FROM
		(SELECT lane, json_extract(payload, '$.source') AS message, lag(json_extract(payload, '$.source'), 1, 0) OVER (PARTITION BY lane ORDER BY id) AS previous
			FROM outbox WHERE kind = 'relay_to_topic') GROUP BY lane)`)
	if want := strings.TrimSuffix(strings.Repeat("10 in order 10,", people), ","); relays != want {
		t.Errorf("owed in each lane: %s, want %s", relays, want)
	}
}

// B1 with Telegram itself in the middle: while the database is away it waits as long as we ask; then its 200 is lost on the way, it
// posts again, and nothing comes twice.
func TestWebhookBehindTelegram(t *testing.T) {
	d := newDoor(t, knock)
	asked := make(chan int, 64)
	d.tg.RetryDelay = func(_, retryAfter int) time.Duration {
		asked <- retryAfter
		return time.Millisecond
	}
	var taken atomic.Int64
	lossy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		d.bot.Webhook(knock).ServeHTTP(answer, r)
		if answer.Code == http.StatusOK && taken.Add(1) == 1 {
			panic(http.ErrAbortHandler) // stored, and Telegram does not hear of it
		}
		w.Header().Set("Retry-After", answer.Header().Get("Retry-After"))
		w.WriteHeader(answer.Code)
	}))
	t.Cleanup(lossy.Close)
	d.byHand(full)
	d.tg.Say(7, "hello")
	d.setWebhook(lossy.URL, knock)
	next := func() int {
		select {
		case wait := <-asked:
			return wait
		case <-time.After(30 * time.Second):
			t.Fatal("Telegram does not post again")
			return 0
		}
	}
	if wait := next(); wait != 5 {
		t.Errorf("Telegram was asked to wait %d seconds", wait)
	}
	d.byHand(empty)
	for ends := 0; ends < 2; { // the lost 200, and the one that was heard
		if next() == 0 {
			ends++
		}
	}
	if n := taken.Load(); n != 2 {
		t.Errorf("200 was answered %d times", n)
	}
	d.setWebhook("", "") // from here on updates come by intake
	d.settle()
	d.wantTopic(d.topicOf(7), "hello")
}

// setWebhook tells Telegram, in the bot's name, where to post; with no url, to post no more.
func (w *world) setWebhook(url, secret string) {
	w.t.Helper()
	form := neturl.Values{"url": {url}}
	if secret != "" {
		form.Set("secret_token", secret)
	}
	resp, err := http.PostForm(w.api+"/bot"+w.tg.Token()+"/setWebhook", form)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		w.t.Fatalf("setWebhook: %s", resp.Status)
	}
}
