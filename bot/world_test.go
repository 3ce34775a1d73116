package bot_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"hodor/bot"
	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
	"hodor/internal/text"
)

// A world is the whole desk, with a Telegram of its own, and a clock that only the test moves. The team is 100 and 101; 200 is in the
// group and not of the team.
type world struct {
	t     testing.TB
	tg    *emulator.Telegram
	clock *dbtest.Clock
	path  string
	api   string
	rules bot.Rules
	tune  func(*outbox.Options)

	db    *db.DB
	bot   *bot.Bot
	box   *outbox.Outbox
	ready *desk.Readiness
	log   *strings.Builder
}

const (
	admin    = 100
	admin2   = 101
	outsider = 200
)

func newWorld(t testing.TB, change ...func(*world)) *world {
	t.Helper()
	clock := dbtest.NewClock()
	w := &world{t: t, clock: clock, path: filepath.Join(t.TempDir(), "hodor.db"),
		tg:    emulator.New(emulator.Options{Now: clock.Now}),
		rules: bot.Rules{Admins: []desk.UserID{admin, admin2}, MaxMessagesPerMinute: 20},
		log:   new(strings.Builder)}
	w.api = w.tg.Start()
	t.Cleanup(w.tg.Close)
	t.Cleanup(func() {
		if list := w.tg.Unmodelled(); len(list) > 0 {
			t.Errorf("calls that Telegram does not know: %q", list)
		}
	})
	for _, id := range []int64{admin, admin2, outsider} {
		w.tg.Join(id)
	}
	for _, c := range change {
		c(w)
	}
	w.start()
	dbtest.Update(t, w.db, func(tx *db.Tx) error {
		return tx.SetIdentity(db.Identity{Username: "hodor_test_bot", DisplayName: "Hodor"})
	})
	return w
}

// start opens the database and makes bot and outbox, as a start of the program does.
func (w *world) start() {
	w.t.Helper()
	w.db = dbtest.OpenAt(w.t, w.path, w.clock.Now)
	w.ready = desk.NewReadiness(w.clock.Now)
	w.ready.Clear(desk.Source)
	catalogue, err := text.Load("en", nil, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	client, err := outbox.NewClient(w.tg.Token(), w.api, 4)
	if err != nil {
		w.t.Fatal(err)
	}
	log := zerolog.New(w.log)
	o := outbox.Options{Now: w.clock.Now, Log: log, Text: catalogue, MaxAttempts: 8, Ready: w.ready,
		Limits: outbox.Limits{GroupPerMinute: 20, PrivatePerSecond: 1, GlobalPerSecond: 30},
		Verify: db.Settings{VerifyEnabled: true, VerifyMode: "math"}}
	if w.tune != nil {
		w.tune(&o)
	}
	w.bot = bot.New(w.db, w.rules, w.clock.Now, log)
	w.box = outbox.New(w.db, client, o)
	if err := w.box.Load(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

// restart ends the program without a word and starts it again.
func (w *world) restart() {
	w.t.Helper()
	if err := w.db.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.start()
}

// intake hands over what Telegram has for us.
func (w *world) intake() {
	w.t.Helper()
	for {
		updates := w.tg.TakeUpdates()
		if len(updates) == 0 {
			return
		}
		if err := w.bot.Handle(context.Background(), updates...); err != nil {
			w.t.Fatal(err)
		}
	}
}

// settle lets everything happen that can happen at this moment.
func (w *world) settle() {
	w.t.Helper()
	w.intake()
	for range 100 {
		w.box.Drain(context.Background())
		if w.tg.Updates() == 0 {
			return
		}
		w.intake()
	}
	w.t.Fatal("it never settles")
}

// after lets time pass, second by second, and everything happen that happens meanwhile.
func (w *world) after(d time.Duration) {
	w.t.Helper()
	step := max(d/100, time.Second)
	for ; d > 0; d -= step {
		w.clock.Advance(min(step, d))
		w.settle()
	}
}

// relayed are the texts of the messages in a topic that are no service messages and not the card.
func (w *world) topicTexts(thread int) []string { return texts(w.tg.Topic(thread)) }
func (w *world) chatTexts(user int64) []string  { return texts(w.tg.Chat(user)) }

func texts(messages []emulator.Message) []string {
	var list []string
	for _, m := range messages {
		if m.Service == "" && !m.Pinned {
			list = append(list, m.Text)
		}
	}
	return list
}

// thread is the only topic of that name.
func (w *world) thread(name string) int {
	w.t.Helper()
	found := 0
	for _, topic := range w.tg.Topics() {
		if topic.Name == name && !topic.Deleted {
			if found != 0 {
				w.t.Fatalf("two topics are called %q", name)
			}
			found = topic.Thread
		}
	}
	if found == 0 {
		w.t.Fatalf("no topic is called %q: %+v", name, w.tg.Topics())
	}
	return found
}

func (w *world) wantTopic(thread int, want ...string) {
	w.t.Helper()
	wantTexts(w.t, "topic", w.topicTexts(thread), want)
}

func (w *world) wantChat(user int64, want ...string) {
	w.t.Helper()
	wantTexts(w.t, "chat", w.chatTexts(user), want)
}

// wantTexts compares whole texts, except that one ending in "…" only has to begin so.
func wantTexts(t testing.TB, where string, got, want []string) {
	t.Helper()
	same := len(got) == len(want)
	for i := 0; same && i < len(want); i++ {
		if head, ok := strings.CutSuffix(want[i], "…"); ok {
			same = strings.HasPrefix(got[i], head)
		} else {
			same = got[i] == want[i]
		}
	}
	if !same {
		t.Fatalf("%s shows\n%q, want\n%q", where, got, want)
	}
}

// count is how often a method was called and carried out.
func (w *world) count(method string) int {
	n := 0
	for _, c := range w.tg.Calls() {
		if c.Method == method && c.Executed {
			n++
		}
	}
	return n
}
