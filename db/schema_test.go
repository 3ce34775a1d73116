package db_test

import (
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hodor/db"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// schema.sql shows the reviewer what the migrations make together.
func TestSchemaIsTheGoldenOne(t *testing.T) {
	r := newRoom(t)
	var tables []string
	r.view(func(v db.View) (err error) {
		// Tables as they were made, each with its indexes after it.
		tables, err = v.Texts(`SELECT s.sql FROM sqlite_master AS s JOIN sqlite_master AS t ON t.type = 'table' AND t.name = s.tbl_name
			WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite_%' AND s.tbl_name <> 'goose_db_version'
			ORDER BY t.rowid, s.type DESC, s.name`)
		return err
	})
	got := "-- Written by go test ./db -run TestSchemaIsTheGoldenOne -update\n\n" + strings.Join(tables, ";\n\n") + ";\n"
	golden := filepath.Join("testdata", "schema.sql")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the schema is not %s any more; if that is meant: go test ./db -run %s -update\n%s", golden, t.Name(), got)
	}
}

// The columns of ../seeds/003, in its order, with the types it gives: the contract with everybody's queries. recipient_ids_json is
// left out on purpose (the contract).
var seedTables = map[string]string{
	"bots": "bot_id INTEGER, username TEXT, display_name TEXT, created_at TEXT",
	"users": `bot_id INTEGER, user_id INTEGER, first_name TEXT, last_name TEXT, username TEXT, status TEXT, is_banned INTEGER,
		is_risk INTEGER, is_verified INTEGER, verified_at TEXT, verify_answer INTEGER, verify_msg_id INTEGER,
		verify_request_hash TEXT, verify_request_expires_at TEXT, verify_request_generation INTEGER, verify_submit_not_before TEXT,
		rate_window_start TEXT, rate_count INTEGER, last_notice_at TEXT, risk_notice_at TEXT, first_seen_at TEXT, last_seen_at TEXT`,
	"topics": `bot_id INTEGER, user_id INTEGER, thread_id INTEGER, title TEXT, status TEXT, pinned_msg_id INTEGER, note TEXT,
		created_at TEXT, closed_at TEXT`,
	"messages": `id INTEGER, bot_id INTEGER, user_id INTEGER, thread_id INTEGER, direction TEXT, group_msg_id INTEGER,
		private_msg_id INTEGER, content_type TEXT, created_at TEXT`,
	"settings":          "key TEXT, value TEXT",
	"processed_updates": "bot_id INTEGER, update_id INTEGER, status TEXT, attempts INTEGER, created_at TEXT",
	"delete_confirmations": `bot_id INTEGER, prompt_msg_id INTEGER, user_id INTEGER, thread_id INTEGER, started_at INTEGER,
		status TEXT, confirm_callback_id TEXT`,
	"broadcasts": `id INTEGER, bot_id INTEGER, source_update_id INTEGER, initiator_user_id INTEGER, support_chat_id INTEGER,
		preview_msg_id INTEGER, control_msg_id INTEGER, message_html TEXT, status TEXT, expected_count INTEGER,
		success_count INTEGER, failure_count INTEGER, expires_at TEXT, confirmed_at TEXT, created_at TEXT, updated_at TEXT`,
}

// S15
func TestEightTablesHaveTheColumnsOfTheSeed(t *testing.T) {
	r := newRoom(t)
	for _, table := range slices.Sorted(maps.Keys(seedTables)) {
		var columns []string
		r.view(func(v db.View) (err error) {
			columns, err = v.Texts("SELECT name || ' ' || type FROM pragma_table_info(?)", table)
			return err
		})
		for _, want := range strings.Split(strings.Join(strings.Fields(seedTables[table]), " "), ", ") {
			if !slices.Contains(columns, want) {
				t.Errorf("%s has no column %q; it has %q", table, want, columns)
			}
		}
		if slices.Contains(columns, "recipient_ids_json TEXT") {
			t.Errorf("%s has the column recipient_ids_json, which the contract leaves out", table)
		}
	}
}

// S19
func TestFenceColumnsMayBeEmpty(t *testing.T) {
	r := newRoom(t)
	var required []string
	r.view(func(v db.View) (err error) {
		required, err = v.Texts(`SELECT name FROM pragma_table_info('users') WHERE "notnull" AND name LIKE 'verif%_%'
			AND name NOT LIKE 'is_%'`)
		return err
	})
	if len(required) > 0 {
		t.Errorf("NOT NULL: %q", required)
	}
}

// Whatever points at a message or a topic of the group says in which group.
func TestGroupIdsCarryTheirGroup(t *testing.T) {
	r := newRoom(t)
	var tables []string
	r.view(func(v db.View) (err error) {
		tables, err = v.Texts(`SELECT DISTINCT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
			WHERE m.type = 'table' AND c.name IN ('thread_id', 'group_msg_id', 'pinned_msg_id', 'prompt_msg_id', 'control_msg_id')
			AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name IN ('chat_id', 'support_chat_id'))`)
		return err
	})
	if len(tables) > 0 {
		t.Errorf("no chat_id in %q", tables)
	}
}

func TestMigrationsApplyOnceToAnEmptyFile(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "hodor.db")
	current, newest, err := db.SchemaVersion(ctx, path)
	if err != nil || current != 0 || newest < 1 {
		t.Fatalf("before: version %d of %d, %v", current, newest, err)
	}
	steps, err := db.Migrate(ctx, path)
	if err != nil || int64(len(steps)) != newest {
		t.Fatalf("first time: steps %q, %v; want %d", steps, err, newest)
	}
	if steps, err = db.Migrate(ctx, path); err != nil || len(steps) != 0 {
		t.Fatalf("second time: steps %q, %v; want none", steps, err)
	}
	if current, newest, err = db.SchemaVersion(ctx, path); err != nil || current != newest {
		t.Fatalf("after: version %d of %d, %v", current, newest, err)
	}
}

// S22: every table keeps its rows through all that a start does.
func TestMigrationsKeepRows(t *testing.T) {
	r := newRoom(t)
	r.update(func(tx *db.Tx) error {
		for _, row := range wholeRows {
			if err := tx.Exec(row.insert()); err != nil {
				return err
			}
		}
		return nil
	})
	before := r.dump()
	if _, err := db.Migrate(context.Background(), r.path); err != nil { // beside the open database, as `hodor migrate` would
		t.Fatal(err)
	}
	r.reopen()
	same(t, "rows after a second start", r.dump(), before)
	for table, rows := range before {
		if len(rows) == 0 {
			t.Errorf("no row of %s: add one to wholeRows", table)
		}
	}
}

// dump is every row of every table of ours as text.
func (r *room) dump() map[string][]string {
	r.Helper()
	all := make(map[string][]string)
	r.view(func(v db.View) error {
		tables, err := v.Texts(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
			AND name <> 'goose_db_version'`)
		if err != nil {
			return err
		}
		for _, table := range tables {
			columns, err := v.Texts("SELECT 'quote(' || name || ')' FROM pragma_table_info(?)", table)
			if err != nil {
				return err
			}
			if all[table], err = v.Texts("SELECT " + strings.Join(columns, " || ',' || ") + " FROM " + table + " ORDER BY 1"); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// A file's name may hold whatever the file system allows.
func TestAnyPathIsOpened(t *testing.T) {
	for _, name := range []string{"a b.db", "50%.db", "what?.db", "no#1.db", "a&_pragma=query_only(1).db", "热线.db"} {
		path := filepath.Join(t.TempDir(), name)
		if _, err := db.Migrate(context.Background(), path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every connection has the pragmas that our promises rest on.
func TestConnectionsHaveTheirPragmas(t *testing.T) {
	r := newRoom(t)
	check := func(v db.View, queryOnly string) error {
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1",
			"busy_timeout": "5000", "query_only": queryOnly} {
			var got string
			if _, err := v.Scan("PRAGMA "+pragma, nil, &got); err != nil {
				return err
			}
			if got != want {
				t.Errorf("query_only %s: %s is %s, want %s", queryOnly, pragma, got, want)
			}
		}
		return nil
	}
	r.update(func(tx *db.Tx) error { return check(tx.View, "0") })
	r.view(func(first db.View) error { // one within another, so that they are two connections
		if err := check(first, "1"); err != nil {
			return err
		}
		return r.View(context.Background(), func(second db.View) error { return check(second, "1") })
	})
}
