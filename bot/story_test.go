package bot_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// Words that the stories share.

// limited lets so many messages a minute pass.
func limited(perMinute int) func(*world) {
	return func(w *world) { w.rules.MaxMessagesPerMinute = perMinute }
}

// withGroupAdmins counts the group's administrators as team.
func withGroupAdmins(w *world) { w.rules.GroupAdmins = true }

// likeTelegram lets the bot, an administrator, write into closed topics, as Telegram does.
func likeTelegram(w *world) { w.tg.ClosedTopicsAcceptAdmins = true }

// met is a world in which person 7 has said hello; their topic is returned.
func met(t testing.TB, change ...func(*world)) (*world, int) {
	t.Helper()
	w := newWorld(t, change...)
	w.tg.Say(7, "hello")
	w.settle()
	return w, w.topicOf(7)
}

// topicOf is the person's thread, by the database.
func (w *world) topicOf(user int64) int { return int(w.binding(user).Thread) }

func (w *world) binding(user int64) (topic db.Topic) {
	w.t.Helper()
	dbtest.View(w.t, w.db, func(v db.View) (err error) {
		topic, err = v.TopicOf(desk.UserID(user))
		return err
	})
	return topic
}

func (w *world) user(id int64) (u db.User, found bool) {
	w.t.Helper()
	dbtest.View(w.t, w.db, func(v db.View) (err error) {
		u, found, err = v.User(desk.UserID(id))
		return err
	})
	return u, found
}

func (w *world) ledger(user int64) (rows []db.Relayed) {
	w.t.Helper()
	dbtest.View(w.t, w.db, func(v db.View) (err error) {
		rows, err = v.Ledger(desk.UserID(user))
		return err
	})
	return rows
}

// change does to the database what a command of a later issue will do, and owes the card as it will.
func (w *world) change(user int64, fn func(*db.Tx) error) {
	w.t.Helper()
	dbtest.Update(w.t, w.db, func(tx *db.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.OweOnce(desk.RefreshCard{User: desk.UserID(user)}, tx.Now.Add(desk.CardGather))
	})
}

func (w *world) ban(user int64, banned bool) {
	w.t.Helper()
	w.change(user, func(tx *db.Tx) error { return tx.SetBanned(desk.UserID(user), banned) })
}

// byHand runs SQL through a connection of its own, as somebody with a shell would.
func (w *world) byHand(query string, args ...any) {
	w.t.Helper()
	conn := w.shell()
	defer conn.Close()
	if _, err := conn.Exec(query, args...); err != nil {
		w.t.Fatal(err)
	}
}

// column reads one value of the database as text; NULL is "NULL".
func (w *world) column(query string, args ...any) string {
	w.t.Helper()
	conn := w.shell()
	defer conn.Close()
	var s sql.NullString
	if err := conn.QueryRow(query, args...).Scan(&s); err != nil {
		w.t.Fatal(err)
	}
	if !s.Valid {
		return "NULL"
	}
	return s.String
}

func (w *world) shell() *sql.DB {
	w.t.Helper()
	conn, err := sql.Open("sqlite", "file:"+w.path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		w.t.Fatal(err)
	}
	return conn
}

// card is the pinned message of a topic.
func (w *world) card(thread int) emulator.Message {
	w.t.Helper()
	var pinned []emulator.Message
	for _, m := range w.tg.Topic(thread) {
		if m.Pinned {
			pinned = append(pinned, m)
		}
	}
	if len(pinned) != 1 {
		w.t.Fatalf("%d messages are pinned in topic %d", len(pinned), thread)
	}
	return pinned[0]
}

func (w *world) wantCard(thread int, lines ...string) {
	w.t.Helper()
	if got, want := w.card(thread).Text, strings.Join(lines, "\n"); got != want {
		w.t.Fatalf("the card shows\n%s\nwant\n%s", got, want)
	}
}

// wantGeneral compares what people read in General.
func (w *world) wantGeneral(want ...string) {
	w.t.Helper()
	wantTexts(w.t, "General", texts(w.tg.General()), want)
}

// last is the newest message of a list that is no service message.
func last(t testing.TB, messages []emulator.Message) emulator.Message {
	t.Helper()
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Service == "" {
			return messages[i]
		}
	}
	t.Fatal("there is no message")
	return emulator.Message{}
}

// callsOf are the calls of the given methods that were carried out; without names, of all.
func (w *world) callsOf(methods ...string) []emulator.Call {
	var list []emulator.Call
	for _, c := range w.tg.Calls() {
		for _, m := range methods {
			if c.Executed && c.Method == m {
				list = append(list, c)
			}
		}
	}
	return list
}

// intoGroup names the calls that were carried out in the group, in order.
func (w *world) intoGroup() []string {
	var names []string
	group := strconv.FormatInt(w.tg.Group(), 10)
	for _, c := range w.tg.Calls() {
		if c.Executed && c.Params["chat_id"] == group && c.Method != "getChat" {
			names = append(names, c.Method)
		}
	}
	return names
}

// toasts is what the presser of a button was shown; one empty text for a press answered with nothing.
func (w *world) wantToast(query, want string) {
	w.t.Helper()
	answers := w.tg.Answers(query)
	if len(answers) != 1 || answers[0].Text != want {
		w.t.Fatalf("the press was answered with %+v, want %q once", answers, want)
	}
}

// again is the data of the only button under a message.
func (w *world) again(m emulator.Message) string {
	w.t.Helper()
	if len(m.Buttons) != 1 || len(m.Buttons[0]) != 1 || m.Buttons[0][0].Text != "Try again" {
		w.t.Fatalf("under %q stand the buttons %+v", m.Text, m.Buttons)
	}
	return m.Buttons[0][0].Data
}

// retry handles kept updates that are due, and what follows.
func (w *world) retry() {
	w.t.Helper()
	for range 10 {
		next, err := w.bot.Retry(context.Background())
		if err != nil {
			w.t.Fatal(err)
		}
		if next.IsZero() || next.After(w.clock.Now()) {
			break
		}
	}
	w.settle()
}

// update is the status, attempts and raw text of a stored update; empty if there is no row.
func (w *world) update(id int64) (status string, attempts int, raw string) {
	w.t.Helper()
	conn := w.shell()
	defer conn.Close()
	var text sql.NullString
	err := conn.QueryRow("SELECT status, attempts, raw FROM processed_updates WHERE update_id = ?", id).Scan(&status, &attempts, &text)
	if err != nil && err != sql.ErrNoRows {
		w.t.Fatal(err)
	}
	return status, attempts, text.String
}

// handle gives one raw update to the bot, bypassing Telegram's queue, and lets what follows happen.
func (w *world) handle(raw string) {
	w.t.Helper()
	if err := w.bot.Handle(context.Background(), []byte(raw)); err != nil {
		w.t.Fatal(err)
	}
	w.settle()
}

// numbered is the id of a raw update.
func numbered(t testing.TB, raw []byte) int64 {
	t.Helper()
	var u struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(raw, &u); err != nil {
		t.Fatal(err)
	}
	return u.ID
}

const minute = time.Minute

// Texts of the English catalogue that stories wait for.
const (
	saysWelcome   = "Hello! Just write here…"
	saysTooFast   = "That was a bit fast for us…"
	saysBanned    = "You can't write here at the moment…"
	saysClosed    = "Not passed on: this topic is closed. Choose “Reopen topic” in its menu, then write the message again."
	saysAdmins    = "Only the team can use commands here."
	saysUnknown   = "Not passed on: what begins with “/” is a command, and there is none of this name. See /help."
	saysNoPerson  = "No person belongs to this topic…"
	saysAnonymous = "Not passed on: you wrote as an anonymous administrator…"
	saysHelp      = "How this desk works:…"
)

func itoa(n int) string { return strconv.Itoa(n) }
