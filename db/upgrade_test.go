package db_test

import (
	"database/sql"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/migrations"
)

// A former is a database file as an earlier hodor left it.
type former struct {
	*testing.T
	path string
}

// of runs fn on the file as any program would.
func (f former) do(fn func(*sql.DB) error) {
	f.Helper()
	pool, err := sql.Open("sqlite", "file:"+f.path)
	if err != nil {
		f.Fatal(err)
	}
	defer pool.Close()
	if err := fn(pool); err != nil {
		f.Fatal(err)
	}
}

// formerAt makes a database of the schema of that number.
func formerAt(t *testing.T, version int64) former {
	t.Helper()
	f := former{t, filepath.Join(t.TempDir(), "hodor.db")}
	f.do(func(pool *sql.DB) error {
		p, err := goose.NewProvider(goose.DialectSQLite3, pool, fs.FS(migrations.Files))
		if err != nil {
			return err
		}
		_, err = p.UpTo(t.Context(), version)
		return err
	})
	return f
}

func (f former) exec(statements ...string) {
	f.Helper()
	f.do(func(pool *sql.DB) error {
		for _, s := range statements {
			if _, err := pool.Exec(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// list reads one column.
func (f former) list(query string, args ...any) (column []string) {
	f.Helper()
	f.do(func(pool *sql.DB) error {
		rows, err := pool.Query(query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				return err
			}
			column = append(column, s)
		}
		return rows.Err()
	})
	return column
}

// columns are those of every table of ours; rows are all rows, with the values of these columns.
func (f former) columns() map[string][]string {
	f.Helper()
	all := make(map[string][]string)
	for _, table := range f.list(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND name <> 'goose_db_version'`) {
		all[table] = f.list("SELECT name FROM pragma_table_info(?)", table)
	}
	return all
}

func (f former) rows(columns map[string][]string) map[string][]string {
	f.Helper()
	all := make(map[string][]string)
	for table, names := range columns {
		all[table] = f.list("SELECT quote(" + strings.Join(names, ") || ',' || quote(") + ") FROM " + table + " ORDER BY 1")
	}
	return all
}

// open is the program's start on the file.
func (f former) open() *room {
	f.Helper()
	clock := dbtest.NewClock()
	return &room{T: f.T, DB: dbtest.OpenAt(f.T, f.path, clock.Now), clock: clock, path: f.path}
}

// S22: whatever released schema a database has, a start keeps every row with every value that it had.
func TestUpgradeKeepsRows(t *testing.T) {
	_, newest, err := db.SchemaVersion(t.Context(), filepath.Join(t.TempDir(), "hodor.db"))
	if err != nil {
		t.Fatal(err)
	}
	for version := int64(1); version <= newest; version++ {
		f := formerAt(t, version)
		columns := f.columns()
		for _, table := range slices.Sorted(maps.Keys(columns)) {
			f.exec(wholeRows[table].insert())
		}
		before := f.rows(columns)
		f.open()
		same(t, "rows", f.rows(columns), before)
		for table, rows := range before {
			if len(rows) == 0 {
				t.Errorf("schema %d: no row of %s", version, table)
			}
		}
		current, _, err := db.SchemaVersion(t.Context(), f.path)
		if err != nil || current != newest {
			t.Errorf("schema %d became %d, %v; want %d", version, current, err, newest)
		}
	}
}

// A file that grew step by step has the schema of a new one.
func TestUpgradedSchemaIsThatOfANewDatabase(t *testing.T) {
	const schema = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1"
	grown := formerAt(t, 1)
	grown.open()
	fresh := former{t, newRoom(t).path}
	same(t, "schema", grown.list(schema), fresh.list(schema))
}

// What an earlier hodor relayed can be answered, edited and taken back, and what it owed is sent.
func TestUpgradedRowsWork(t *testing.T) {
	f := formerAt(t, 1)
	const at = "'2026-01-02T03:00:00.000Z'"
	group := dbtest.Group
	call := func(id, state, lane, kind, payload, content string) string {
		return `INSERT INTO outbox (id, bot_id, chat_id, lane, priority, kind, payload, content, state, due_at, created_at) VALUES (` + id +
			`, 1000, -1001234567890, '` + lane + `', 0, '` + kind + `', '` + payload + `', ` + content + `, '` + state + `', ` + at + `, ` + at + `)`
	}
	const payload = `{"user":7,"source":5,"content":"text"}`
	f.exec(
		`INSERT INTO messages (bot_id, user_id, chat_id, thread_id, direction, group_msg_id, private_msg_id, content_type, created_at)
			VALUES (1000, 7, -1001234567890, 2, 'in', 50, 60, 'photo', `+at+`)`,
		call("1", "owed", "topic/7", "relay_to_topic", payload, `'{"text":"secret"}'`),
		call("2", "sending", "user/7", "relay_to_user", payload, `'{"text":"secret"}'`),
		call("3", "refused", "topic/7", "relay_to_topic", payload, `'{"text":"secret"}'`))
	r := f.open()
	old := db.Relayed{Row: 1, User: 7, Thread: 2, Direction: db.In, InGroup: 50, InPrivate: 60, Content: "photo",
		At: time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)}
	same(t, "ledger", r.ledger(7), []db.Relayed{old})
	same(t, "by the private number", r.byPrivate(7, 60), 1)
	same(t, "whole", r.whole(1), []int64{1})
	r.update(func(tx *db.Tx) error { return tx.SetShown(old, "photo", "aa.bb") })
	same(t, "shown", r.ledger(7)[0].Shown, "aa.bb")

	owed, inDoubt := r.openDebts()
	if len(owed) != 2 || owed[0].ID != 1 || len(inDoubt) != 1 || inDoubt[0] != 2 {
		t.Fatalf("owed %+v, in doubt %v", owed, inDoubt)
	}
	same(t, "the call", r.call(1).Call, desk.Call(relay(7, 5)))
	same(t, "its group", r.call(1).Group, group)
	same(t, "its items", r.items(1), nil)
	if !r.take(1) {
		t.Error("what was owed cannot be taken")
	}
	r.settle(1, db.Sent)
	r.settle(2, db.Owed)
	if !r.decided(func(tx *db.Tx) (bool, error) { return tx.OweAgain(3, 60, desk.UserLane(7)) }) {
		t.Error("what was refused cannot be tried again")
	}
	a := r.start(40)
	if a.Call <= 3 || !r.join(a, 41) {
		t.Errorf("an album after the upgrade: %+v", a)
	}
}
