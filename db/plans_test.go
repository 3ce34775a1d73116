package db_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// Tables that grow with the desk's work: none of our statements may walk through one.
var growing = []string{"users", "topics", "messages", "processed_updates", "outbox", "notice_slots", "topic_creations", "topic_sightings",
	"albums", "album_items"}

// A walk is a way through a growing table that is allowed for a reason. bot_id alone narrows nothing: a file has one bot.
var allowedWalks = []struct{ table, how, in, why string }{
	{"outbox", "outbox_open (bot_id=?)", "ORDER BY id", "OpenDebts, once a start: it wants every open call"},
	{"outbox", "outbox_open (bot_id=?)", "notice_lane NOT LIKE", "MoveGroup, once in a group's life: every open call"},
	{"processed_updates", "processed_updates_unfinished (bot_id=?)", "LIMIT", "the index holds unfinished updates only, oldest first"},
	{"topic_creations", "PRIMARY KEY (bot_id=?)", "topic_creations", "Creations: one in flight and the few in doubt"},
	{"topic_sightings", "PRIMARY KEY (bot_id=? AND chat_id=?)", "topic_sightings", "Sightings: topics nobody owns, which are adopted or removed"},
}

// narrow matches the part of a plan that says by what a search was narrowed.
var narrow = regexp.MustCompile(`^(?:SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?(?:INDEX |INTEGER )?(.*))?$`)

// complaint is why a step of a plan may not be; empty if it may.
func complaint(query, step string) string {
	if strings.Contains(step, "TEMP B-TREE") {
		return "sorts"
	}
	m := narrow.FindStringSubmatch(step)
	if m == nil || !slices.Contains(growing, m[1]) {
		return ""
	}
	for _, a := range allowedWalks {
		if a.table == m[1] && a.how == m[2] && strings.Contains(query, a.in) {
			return ""
		}
	}
	for _, by := range []string{"(bot_id=?)", "(bot_id=? AND chat_id=?)", "(chat_id=?)"} {
		if strings.HasSuffix(step, by) {
			return "walks through all of the bot"
		}
	}
	if strings.HasPrefix(step, "SCAN") {
		return "walks through the table"
	}
	return ""
}

func TestNoStatementWalksThroughAGrowingTable(t *testing.T) {
	r := newRoom(t)
	for _, query := range slices.Sorted(maps.Keys(r.statements())) {
		for _, step := range r.plan(query) {
			if why := complaint(query, step); why != "" {
				t.Errorf("%s: %s\n%s", why, step, query)
			}
		}
	}
}

func TestPlansAreJudged(t *testing.T) {
	r := newRoom(t)
	for query, want := range map[string]string{
		"SELECT user_id FROM users WHERE first_name = 'x'":                              "walks through the table",
		"SELECT user_id FROM users WHERE bot_id = 1":                                    "walks through all of the bot",
		"SELECT user_id FROM users WHERE bot_id = 1 AND user_id = 2":                    "",
		"SELECT id FROM outbox WHERE bot_id = 1":                                        "walks through the table",
		"SELECT id FROM messages WHERE user_id = 1 ORDER BY content_type":               "sorts",
		"DELETE FROM topics WHERE thread_id = 5":                                        "walks through the table",
		"SELECT thread_id FROM topics WHERE bot_id = 1 AND chat_id = 2 AND note <> ''":  "walks through all of the bot",
		"SELECT key FROM settings":                                                      "",
		"SELECT slot FROM notice_slots AS s WHERE bot_id = 1 AND slot IN ('a', 'b')":    "",
		"SELECT 1 FROM topics AS topics, users AS users WHERE topics.bot_id = users.id": "walks through the table",
	} {
		got := ""
		for _, step := range r.plan(query) {
			if got == "" {
				got = complaint(query, step)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q; plan %q", query, got, want, r.plan(query))
		}
	}
}

// Whatever begins like a statement in our source was run by the exercise, or a plan goes unseen.
func TestEveryStatementOfTheSourceIsExercised(t *testing.T) {
	r := newRoom(t)
	all := strings.Join(slices.Sorted(maps.Keys(r.statements())), "\n")
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err == nil && sqlVerb.MatchString(text) && !strings.Contains(all, text) {
					t.Errorf("%s: never run: %s", f.Name(), text)
				}
			}
			return true
		})
	}
}

var sqlVerb = regexp.MustCompile(`^(SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE|CREATE|DROP|ALTER|PRAGMA)\b`)

// plan is what SQLite would do for a query, step by step.
func (r *room) plan(query string) (steps []string) {
	r.Helper()
	r.view(func(v db.View) (err error) {
		steps, err = v.Plan(query, make([]any, placeholders(query))...)
		return err
	})
	return steps
}

// placeholders is how many values a query wants.
func placeholders(query string) int {
	n := 0
	for _, m := range regexp.MustCompile(`\?(\d*)`).FindAllStringSubmatch(query, -1) {
		if m[1] == "" {
			n++
		} else if at, err := strconv.Atoi(m[1]); err == nil {
			n = max(n, at)
		}
	}
	return n
}

// statements are the texts of all that the package runs: found by calling every method of View and Tx with made-up values, on an
// empty database and on one that has rows, so that a new method is looked at without anybody's doing.
func (r *room) statements() map[string]bool {
	r.Helper()
	seen := make(map[string]bool)
	note := func(query string) { seen[query] = true }
	for _, query := range db.BatchStatements() {
		note(query)
	}
	r.OnReading(note)
	if err := r.FollowGroup(r.Context()); err != nil {
		r.Fatal(err)
	}
	r.view(func(v db.View) error { return callAll(v, false) })
	for _, yes := range []bool{false, true, true} { // the second time there is something to find
		r.update(func(tx *db.Tx) error {
			tx.OnStatement(note)
			if err := tx.Owe(relay(1, 5)); err != nil {
				return err
			}
			if _, err := tx.UnbindTopic(1, 2); err != nil {
				return err
			}
			if err := callAll(tx, yes); err != nil {
				return err
			}
			if err := tryAgain(tx); err != nil {
				return err
			}
			return collectAlbum(tx)
		})
		r.settleAll(note)
		r.clock.Advance(48 * time.Hour)
	}
	return seen
}

// tryAgain gives a refused call one more life: among the made-up ones it may be cancelled before.
func tryAgain(tx *db.Tx) error {
	if err := tx.RefuseCall(1, "fault"); err != nil {
		return err
	}
	_, err := tx.OweAgain(1, 9, desk.GeneralLane())
	return err
}

// collectAlbum begins an album, changes its item and takes the album back: the made-up calls carry none.
func collectAlbum(tx *db.Tx) error {
	if err := tx.StartAlbum(1, "album", albumRelay(1, 5), picture(5)); err != nil {
		return err
	}
	a, _, err := tx.Album(1, "album")
	if err != nil {
		return err
	}
	row, _, unreadable, err := tx.CallByID(a.Call)
	if err = errors.Join(unreadable, err); err != nil {
		return err
	}
	if replaced, err := tx.ReplaceContent(row, newer(5)); err != nil || !replaced {
		return errors.Join(err, fmt.Errorf("the item of call %d is replaced: %v", row.ID, replaced))
	}
	if err := tx.SettleCall(row); err != nil { // which is owed, as after a try that failed
		return err
	}
	if cancelled, err := tx.Cancel(row.ID, "a command"); err != nil || !cancelled {
		return errors.Join(err, fmt.Errorf("call %d is cancelled: %v", row.ID, cancelled))
	}
	return nil
}

// settleAll makes something for SentSince to find.
func (r *room) settleAll(note func(string)) {
	r.Helper()
	owed, _ := r.openDebts()
	r.update(func(tx *db.Tx) error {
		tx.OnStatement(note)
		for _, d := range owed {
			if err := tx.SettleCall(db.CallRow{Debt: d, State: db.Sent}); err != nil {
				return err
			}
		}
		_, err := tx.SentSince("relay_to_topic", time.Time{})
		return err
	})
}

// hooks are methods that only tests have.
var hooks = []string{"Exec", "Scan", "Texts", "Plan", "OnStatement"}

// callAll calls every exported method of a View or Tx. Their errors are no matter, but what cannot be called is.
func callAll(on any, yes bool) error {
	v := reflect.ValueOf(on)
	for i := range v.NumMethod() {
		method := v.Type().Method(i)
		if slices.Contains(hooks, method.Name) {
			continue
		}
		args := make([]reflect.Value, 0, 3)
		for at := 1; at < method.Type.NumIn(); at++ {
			arg, err := madeUp(method.Type.In(at), yes)
			if err != nil {
				return fmt.Errorf("%s: %w: teach madeUp to make one", method.Name, err)
			}
			args = append(args, arg)
		}
		if method.Type.IsVariadic() {
			v.Method(i).CallSlice(args)
		} else {
			v.Method(i).Call(args)
		}
	}
	return nil
}

// madeUp is some value of a type: 2 for an id (1 is no thread), and person 1.
func madeUp(t reflect.Type, yes bool) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)))
	case t == reflect.TypeFor[desk.UserID]():
		v.SetInt(1)
	case t == reflect.TypeFor[desk.ChatID]():
		v.SetInt(-1009) // not where the group is
	case t == reflect.TypeFor[desk.Call]():
		v.Set(reflect.ValueOf(desk.RefreshCard{User: 1}))
	case t == reflect.TypeFor[desk.Person]():
		v.Set(reflect.ValueOf(desk.Person{ID: 1, FirstName: fmt.Sprint(yes)}))
	case t == reflect.TypeFor[db.Direction]():
		v.SetString("in")
	case t == reflect.TypeFor[db.State]():
		v.SetString(map[bool]string{false: "refused", true: "sent"}[yes])
	case t == reflect.TypeFor[int]():
		v.SetInt(1) // a limit that is reached
	case v.CanInt():
		v.SetInt(2)
	case t.Kind() == reflect.String:
		v.SetString("")
	case t.Kind() == reflect.Bool:
		v.SetBool(yes)
	case t.Kind() == reflect.Slice:
		one, err := madeUp(t.Elem(), yes)
		v.Set(reflect.Append(v, one))
		return v, err
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			field, err := madeUp(t.Field(i).Type, yes)
			if err != nil {
				return v, err
			}
			v.Field(i).Set(field)
		}
	case t.Kind() == reflect.Uint8:
		v.SetUint('x')
	default:
		return v, fmt.Errorf("no value of type %v", t)
	}
	return v, nil
}
