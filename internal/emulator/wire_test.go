package emulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// client is the real library against the emulator.
func (d *desk) client() *bot.Bot {
	d.t.Helper()
	b, err := bot.New(d.Token(), bot.WithServerURL(d.Start()))
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

func TestTheRealClient(t *testing.T) {
	d := newDesk(t)
	b, ctx := d.client(), t.Context()
	me, err := b.GetMe(ctx)
	if err != nil || me.ID != d.BotID() || !me.CanJoinGroups {
		t.Fatalf("getMe: %+v, %v", me, err)
	}
	topic, err := b.CreateForumTopic(ctx, &bot.CreateForumTopicParams{ChatID: d.Group(), Name: "Ann", IconColor: 9367192})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := b.SendMessage(ctx, &bot.SendMessageParams{
		ChatID: d.Group(), MessageThreadID: topic.MessageThreadID, Text: "a <b>card</b>", ParseMode: models.ParseModeHTML,
		ReplyMarkup: models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{{{Text: "b", CallbackData: "d"}}}},
	})
	if err != nil || !sent.IsTopicMessage || sent.MessageThreadID != topic.MessageThreadID {
		t.Fatalf("sendMessage: %+v, %v", sent, err)
	}
	said := d.Say(7, "hello")
	copied, err := b.CopyMessage(ctx, &bot.CopyMessageParams{
		ChatID: d.Group(), MessageThreadID: topic.MessageThreadID, FromChatID: 7, MessageID: said,
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := d.Topic(topic.MessageThreadID)
	equal(t, "card", seen[1].Text, "a card")
	equal(t, "bold", seen[1].Entities[0], models.MessageEntity{Type: "bold", Offset: 2, Length: 4})
	equal(t, "button", seen[1].Buttons[0][0], Button{Text: "b", Data: "d"})
	equal(t, "copy", seen[2].ID, copied.ID)
	equal(t, "source", seen[2].CopiedFrom, Ref{7, said})
	document, err := b.SendDocument(ctx, &bot.SendDocumentParams{
		ChatID: 7, Document: &models.InputFileUpload{Filename: "a.txt", Data: strings.NewReader("\r\n--data\x00")},
	})
	if err != nil {
		t.Fatal(err)
	}
	name, data := d.File(document.Document.FileID)
	equal(t, "file", name+" "+string(data), "a.txt \r\n--data\x00")
	equal(t, "unmodelled", len(d.Unmodelled()), 0)
}

func TestFaultsAsTheClientSeesThem(t *testing.T) {
	d := newDesk(t)
	b := d.client()
	d.Say(7, "hi")
	send := func() error {
		_, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: 7, Text: "x"})
		return err
	}
	private := Fault{Chat: 7}
	var flood *bot.TooManyRequestsError
	d.Flood(private, 17)
	if err := send(); !errors.As(err, &flood) || flood.RetryAfter != 17 {
		t.Errorf("flood: %v", err)
	}
	for name, arm := range map[string]func(Fault){"bad gateway": d.BadGateway, "internal": d.InternalError, "reset": d.ResetBefore} {
		arm(private)
		if err := send(); err == nil {
			t.Errorf("%s: no error", name)
		}
		equal(t, name+" sent", len(d.Chat(7)), 1)
	}
	d.LostReply(private)
	if err := send(); !errors.Is(err, io.EOF) {
		t.Errorf("lost reply: %v", err)
	}
	equal(t, "sent although the reply was lost", len(d.Chat(7)), 2)
	d.Refuse(Fault{Method: "sendMessage", Count: -1}, 403, "Forbidden: no")
	for range 2 {
		if err := send(); !errors.Is(err, bot.ErrorForbidden) {
			t.Errorf("refuse: %v", err)
		}
	}
	d.Heal()
	d.Down(true)
	if err := send(); err == nil {
		t.Error("sent over a line that is down")
	}
	d.Down(false)
	if err := send(); err != nil {
		t.Errorf("after the outage: %v", err)
	}
	equal(t, "sent", len(d.Chat(7)), 3)
}

func TestHeldCalls(t *testing.T) {
	d := newDesk(t)
	b := d.client()
	d.Say(7, "hi")
	errs := make(chan error, 1)
	send := func() {
		_, err := b.SendMessage(context.Background(), &bot.SendMessageParams{ChatID: 7, Text: "x"})
		errs <- err
	}
	for _, c := range []struct {
		hold     func(Fault) (<-chan struct{}, func(bool))
		goOn, ok bool
		sent     int
	}{
		{d.Hold, true, true, 1},
		{d.Hold, false, false, 0},
		{d.HoldAnswer, true, true, 1},
		{d.HoldAnswer, false, false, 1},
	} {
		before := len(d.Chat(7))
		arrived, release := c.hold(Fault{})
		go send()
		<-arrived
		release(c.goOn)
		err := <-errs
		equal(t, "answered", err == nil, c.ok)
		equal(t, "sent", len(d.Chat(7))-before, c.sent)
	}
}

func TestPartialCopy(t *testing.T) {
	d := newDesk(t)
	album := d.Album(7, Photo(""), Photo(""), Photo("last"))
	d.PartialCopy(Fault{Method: "copyMessages"}, 2)
	e := d.call("copyMessages", "chat_id", d.Group(), "from_chat_id", 7, "message_ids", album)
	equal(t, "answered", ids(t, e), 1)
	equal(t, "delivered", d.General()[0].Text, "last")
}

func TestLimits(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	d := &desk{t: t, Telegram: New(Options{Limits: true, Now: func() time.Time { return now }})}
	send := func(chat int64) envelope { return d.call("sendDice", "chat_id", chat) }
	for range 20 {
		equal(t, "within the minute's budget", send(d.Group()).OK, true)
	}
	now = now.Add(25 * time.Second)
	refused := send(d.Group())
	equal(t, "description", refused.Description, "Too Many Requests: retry after 35")
	now = now.Add(time.Duration(refused.Parameters.RetryAfter) * time.Second)
	equal(t, "after the rest", send(d.Group()).OK, true)
	d.Say(7, "hi")
	for range 5 {
		equal(t, "burst", send(7).OK, true)
	}
	equal(t, "faster than one a second", send(7).Parameters.RetryAfter, 1)
}

func TestDeletionsHaveALimitOfTheirOwn(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	d := &desk{t: t, Telegram: New(Options{Limits: true, Now: func() time.Time { return now }})}
	thread := d.newTopic("Ann")
	last := d.Post(9, thread, "x")
	remove := func(chat int64, id int) envelope { return d.call("deleteMessage", "chat_id", chat, "message_id", id) }
	for n := range deletesPerMinute - 1 {
		equal(t, "within the minute's budget", remove(d.Group(), d.Post(9, 0, "x")).OK, true)
		if n == 0 {
			now = now.Add(20 * time.Second)
		}
	}
	several := []int{d.Post(9, 0, "x"), d.Post(9, 0, "x"), d.Post(9, 0, "x")}
	d.ok("deleteMessages", "chat_id", d.Group(), "message_ids", several)

	for _, refused := range []envelope{
		remove(d.Group(), last),
		d.call("deleteMessages", "chat_id", d.Group(), "message_ids", []int{last}),
		d.call("deleteForumTopic", "chat_id", d.Group(), "message_thread_id", thread),
	} {
		equal(t, "description", refused.Description, "Too Many Requests: retry after 40")
		equal(t, "retry_after", refused.Parameters.RetryAfter, 40)
	}
	equal(t, "nothing was executed", len(d.Topic(thread)), 2)
	d.ok("sendDice", "chat_id", d.Group())
	for range deletesPerMinute + 1 {
		equal(t, "private chats have none", remove(7, d.Say(7, "x")).OK, true)
	}

	now = now.Add(40 * time.Second)
	d.ok("deleteForumTopic", "chat_id", d.Group(), "message_thread_id", thread)
	equal(t, "the window slides", remove(d.Group(), d.Post(9, 0, "x")).Parameters.RetryAfter, 20)
}

func TestDeletionsDoNotWaitForSends(t *testing.T) {
	d := newDesk(t)
	d.limits = true
	for range groupPerMinute {
		d.ok("sendDice", "chat_id", d.Group())
	}
	equal(t, "sends are spent", d.call("sendDice", "chat_id", d.Group()).ErrorCode, 429)
	d.ok("deleteMessage", "chat_id", d.Group(), "message_id", d.General()[0].ID)
	equal(t, "sends are still spent", d.call("sendDice", "chat_id", d.Group()).ErrorCode, 429)
}

func TestPolling(t *testing.T) {
	d := newDesk(t)
	poll := func(pairs ...any) []models.Update {
		t.Helper()
		e := d.call("getUpdates", pairs...)
		var list []models.Update
		if err := json.Unmarshal(e.Result, &list); err != nil {
			t.Fatalf("%v: %+v", err, e)
		}
		return list
	}
	d.Say(7, "one")
	d.Say(7, "two")
	first := poll("limit", 1)
	equal(t, "one", len(first), 1)
	equal(t, "unconfirmed comes again", len(poll()), 2)
	rest := poll("offset", first[0].ID+1)
	equal(t, "two", rest[0].Message.Text, "two")
	equal(t, "from the end", poll("offset", -1)[0].Message.Text, "two")

	poll("offset", rest[0].ID+1, "allowed_updates", `[]`)
	d.React(7, 1, "🔥")
	equal(t, "reactions must be asked for", d.Updates(), 0)
	poll("allowed_updates", `["message_reaction"]`)
	d.React(7, 1, "")
	d.Say(7, "not asked for")
	equal(t, "asked for", len(poll()), 1)
	d.TakeUpdates()

	got := make(chan envelope, 1)
	go func() { got <- d.call("getUpdates", "timeout", 50) }()
	for d.polling() == nil { // until the first poller is there
		runtime.Gosched()
	}
	d.call("getUpdates")
	equal(t, "the first poller", (<-got).Description,
		"Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
	go func() { got <- d.call("getUpdates", "timeout", 50) }()
	d.React(7, 1, "🔥")
	equal(t, "woken", (<-got).OK, true)
}

func (t *Telegram) polling() chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.updates.poller
}

// A hook is a bot's webhook that answers with the next of its statuses, 200 when there are none left.
type hook struct {
	*httptest.Server
	got      chan string
	statuses chan int
}

func newHook(t *testing.T) *hook {
	h := &hook{got: make(chan string, 100), statuses: make(chan int, 100)}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status := http.StatusOK
		select {
		case status = <-h.statuses:
		default:
		}
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(status)
		var u models.Update
		json.NewDecoder(bytes.NewReader(body)).Decode(&u)
		h.got <- u.Message.Text + " " + r.Header.Get("X-Telegram-Bot-Api-Secret-Token")
	}))
	t.Cleanup(h.Close)
	return h
}

func TestTheWebhookRepeatsInOrder(t *testing.T) {
	d, h := newDesk(t), newHook(t)
	asked := make(chan int, 10)
	d.RetryDelay = func(n, retryAfter int) time.Duration {
		if n > 0 && retryAfter > 0 {
			asked <- retryAfter
		}
		return 0
	}
	d.Say(7, "before")
	h.statuses <- 503
	h.statuses <- 302
	d.ok("setWebhook", "url", h.URL, "secret_token", "s3cret")
	d.Say(7, "after")
	for _, want := range []string{"before", "before", "before", "after"} {
		equal(t, "posted", <-h.got, want+" s3cret")
	}
	equal(t, "Retry-After", <-asked, 3)
	d.refused("Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first", "getUpdates")
	equal(t, "last error", d.ok("getWebhookInfo")["last_error_message"], any("Wrong response from the webhook: 302 Found"))
	for d.Updates() > 0 { // until the last answer has arrived
		runtime.Gosched()
	}
	d.ok("deleteWebhook")
	d.Say(7, "waits")
	equal(t, "keeps for polling", d.told()[0].Message.Text, "waits")
	d.refused("Bad Request: secret token contains unallowed characters", "setWebhook", "url", h.URL, "secret_token", "ä")
}

func BenchmarkCopyMessage(b *testing.B) {
	tg := New(Options{KeepCalls: -1})
	url := tg.Start()
	defer tg.Close()
	id := tg.Say(7, "hello")
	client, err := bot.New(tg.Token(), bot.WithServerURL(url))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := client.CopyMessage(b.Context(), &bot.CopyMessageParams{ChatID: tg.Group(), FromChatID: 7, MessageID: id}); err != nil {
			b.Fatal(err)
		}
	}
}
