package db_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"hodor/db"
)

// A row of any table, column by column, in SQL.
type row struct {
	table  string
	values map[string]string
}

func (r row) insert() string {
	columns := slices.Sorted(maps.Keys(r.values))
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = r.values[c]
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", r.table, strings.Join(columns, ", "), strings.Join(values, ", "))
}

// with is the row with another value in some columns: "status = 'closed', user_id = 8".
func (r row) with(changes string) row {
	values := maps.Clone(r.values)
	for _, change := range strings.Split(changes, ", ") {
		if column, value, found := strings.Cut(change, " = "); found {
			values[column] = value
		}
	}
	return row{r.table, values}
}

func newRow(table, values string) row { return row{table, map[string]string{}}.with(values) }

const moment = "'2026-01-02T03:04:05.000Z'"

// wholeRows are rows that every table accepts, one of each.
var wholeRows = map[string]row{
	"bots":  newRow("bots", "bot_id = 1, username = 'b', display_name = 'B', created_at = "+moment),
	"users": newRow("users", "bot_id = 1, user_id = 7, first_seen_at = "+moment+", last_seen_at = "+moment),
	"topics": newRow("topics", "bot_id = 1, user_id = 7, chat_id = -100, thread_id = 2, title = 'Ann', note = 'vip', created_at = "+
		moment),
	"messages": newRow("messages", "bot_id = 1, user_id = 7, chat_id = -100, thread_id = 2, direction = 'in', group_msg_id = 3, "+
		"private_msg_id = 4, content_type = 'text', created_at = "+moment),
	"settings":          newRow("settings", "key = 'verify_mode', value = 'math'"),
	"processed_updates": newRow("processed_updates", "bot_id = 1, update_id = 5, status = 'processing', raw = '{}', created_at = "+moment),
	"delete_confirmations": newRow("delete_confirmations", "bot_id = 1, prompt_msg_id = 6, chat_id = -100, user_id = 7, thread_id = 2, "+
		"action = 'deluser', started_at = 1767323045"),
	"broadcasts": newRow("broadcasts", "bot_id = 1, source_update_id = 5, initiator_user_id = 9, support_chat_id = -100, "+
		"message_html = 'x', status = 'completed', expires_at = "+moment+", created_at = "+moment+", updated_at = "+moment),
	"outbox": newRow("outbox", "bot_id = 1, chat_id = -100, lane = 'user/7', priority = 0, kind = 'say', payload = '{}', "+
		"content = 'x', state = 'owed', due_at = "+moment+", created_at = "+moment),
	"topic_creations": newRow("topic_creations", "bot_id = 1, user_id = 7, chat_id = -100, title = 'Ann', called_at = "+moment),
	"topic_sightings": newRow("topic_sightings", "bot_id = 1, chat_id = -100, thread_id = 2, title = 'Ann', created_at = "+moment),
	"rests":           newRow("rests", "bot_id = 1, chat_id = -100, family = 'sends', began_at = "+moment+", until = "+moment),
	"notice_slots":    newRow("notice_slots", "bot_id = 1, slot = 'x', taken_at = "+moment),
	"group_admins":    newRow("group_admins", "bot_id = 1, chat_id = -100, user_id = 9"),
	"group_moves":     newRow("group_moves", "bot_id = 1, from_chat_id = -99, to_chat_id = -100, created_at = "+moment),
	"albums":          newRow("albums", "bot_id = 1, chat_id = -100, album = 'a', call_id = 1, first_msg_id = 3, created_at = "+moment),
	"album_items":     newRow("album_items", "call_id = 1, source_msg_id = 3, content_type = 'photo', content = '{}'"),
	"forum_proofs":    newRow("forum_proofs", "bot_id = 1, chat_id = -100, proved_at = "+moment),
}

// S16, S20: the states and numbers that each table refuses, and all that it accepts.
var checks = []struct {
	table, column string
	good, bad     []string
}{
	{"users", "status", []string{"'active'", "'deleted'"}, []string{"'banned'", "''", "'ACTIVE'", "NULL"}},
	{"users", "is_banned", []string{"0", "1"}, []string{"2", "-1", "NULL", "'yes'"}},
	{"users", "is_risk", []string{"0", "1"}, []string{"2", "-1", "NULL"}},
	{"users", "is_verified", []string{"0", "1"}, []string{"2", "-1", "NULL"}},
	{"users", "rate_count", []string{"0", "21"}, []string{"-1", "NULL"}},
	{"users", "unreachable", []string{"''", "'blocked'", "'deactivated'", "'not_started'"}, []string{"'gone'", "NULL"}},
	{"topics", "status", []string{"'open'", "'closed'"}, []string{"'deleted'", "NULL"}},
	{"topics", "thread_id", []string{"2", "NULL"}, []string{"1", "0", "-3"}}, // 1 is General
	{"topics", "title_by_admin", []string{"0", "1"}, []string{"2", "NULL"}},
	{"messages", "direction", []string{"'in'", "'out'"}, []string{"'both'", "''", "NULL"}},
	{"processed_updates", "status", []string{"'processing'", "'processed'", "'failed'"}, []string{"'claimed'", "''", "NULL"}},
	{"processed_updates", "attempts", []string{"0", "3"}, []string{"-1", "NULL"}},
	{"delete_confirmations", "action", []string{"'deluser'", "'purgemsg'", "'wipealldata'"}, []string{"'ban'", "NULL"}},
	{"delete_confirmations", "status", []string{"'pending'", "'cancelled'", "'confirmed'"}, []string{"'done'", "NULL"}},
	{"broadcasts", "status", []string{"'preparing'", "'pending'", "'sending'", "'completed'", "'cancelled'", "'expired'", "'failed'"},
		[]string{"'sent'", "''", "NULL"}},
	{"broadcasts", "expected_count", []string{"0", "9"}, []string{"-1", "NULL"}},
	{"broadcasts", "success_count", []string{"0", "9"}, []string{"-1", "NULL"}},
	{"broadcasts", "failure_count", []string{"0", "9"}, []string{"-1", "NULL"}},
	{"outbox", "state", []string{"'owed'", "'sending'", "'sent'", "'refused'", "'dropped'"}, []string{"'pending'", "''", "NULL"}},
	{"outbox", "attempts", []string{"0", "8"}, []string{"-1", "NULL"}},
	{"outbox", "delays", []string{"0", "8"}, []string{"-1", "NULL"}},
	{"outbox", "doubts", []string{"0", "2"}, []string{"-1", "NULL"}},
	{"topic_sightings", "is_used", []string{"0", "1"}, []string{"2", "-1", "NULL"}},
	{"outbox", "items", []string{"1", "10"}, []string{"0", "-1", "NULL"}},
	{"messages", "is_marked", []string{"0", "1"}, []string{"2", "-1", "NULL"}},
	{"album_items", "is_given_up", []string{"0", "1"}, []string{"2", "-1", "NULL"}},
}

// try inserts rows in a transaction that is never kept, and returns what the last insert said.
func (r *room) try(rows ...row) (outcome error) {
	r.Helper()
	undo := fmt.Errorf("undo")
	err := r.Update(context.Background(), func(tx *db.Tx) error {
		for i, row := range rows {
			if outcome = tx.Exec(row.insert()); outcome != nil && i < len(rows)-1 {
				r.Errorf("row %d: %v", i, outcome)
			}
		}
		return undo
	})
	refused(r.T, err, "undo")
	return outcome
}

func TestChecksRefuseWhatIsNoState(t *testing.T) {
	r := newRoom(t)
	for _, c := range checks {
		for _, value := range c.good {
			if err := r.try(wholeRows[c.table].with(c.column + " = " + value)); err != nil {
				t.Errorf("%s.%s = %s is refused: %v", c.table, c.column, value, err)
			}
		}
		for _, value := range c.bad {
			if err := r.try(wholeRows[c.table].with(c.column + " = " + value)); err == nil {
				t.Errorf("%s.%s = %s is accepted", c.table, c.column, value)
			} else if !strings.Contains(err.Error(), "constraint failed") {
				t.Errorf("%s.%s = %s: %v", c.table, c.column, value, err)
			}
		}
	}
}

// A CHECK that the table above does not try would be one that nobody tries.
func TestEveryCheckIsTried(t *testing.T) {
	r := newRoom(t)
	var tables []string
	r.view(func(v db.View) (err error) {
		tables, err = v.Texts("SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%CHECK%'")
		return err
	})
	count := 0
	for _, sql := range tables {
		count += strings.Count(sql, "CHECK (")
	}
	if count != len(checks) {
		t.Errorf("the schema has %d CHECKs, the table of this test %d", count, len(checks))
	}
}

// S13, S17, S18, S21: a second row that changes nothing but what is named is refused, or is free.
func TestUniqueRowsAreUnique(t *testing.T) {
	r := newRoom(t)
	for _, c := range []struct {
		table, first, second string
		free                 bool
	}{
		{"bots", "", "username = 'c'", false},
		{"users", "", "first_name = 'Bob'", false},
		{"users", "", "user_id = 8", true},
		{"users", "", "bot_id = 2", true},
		{"topics", "", "thread_id = 3", false}, // a person has one topic
		{"topics", "", "user_id = 8", false},   // S17: a topic has one person
		{"topics", "", "user_id = 8, thread_id = 3", true},
		{"topics", "", "user_id = 8, chat_id = -200", true}, // the same number in another group is another topic
		{"topics", "", "user_id = 8, bot_id = 2", true},
		{"topics", "thread_id = NULL", "user_id = 8, thread_id = NULL", true}, // many have none
		{"settings", "", "value = 'button'", false},
		{"processed_updates", "", "status = 'processed'", false}, // S18
		{"processed_updates", "", "bot_id = 2", true},
		{"delete_confirmations", "", "user_id = 8", false},
		{"broadcasts", "", "status = 'failed'", false}, // one update begins one broadcast
		{"broadcasts", "", "bot_id = 2", true},
		{"broadcasts", "status = 'sending'", "source_update_id = 6, status = 'sending'", false},
		{"broadcasts", "status = 'sending'", "source_update_id = 6, status = 'sending', bot_id = 2", true},
		{"broadcasts", "status = 'pending'", "source_update_id = 6, status = 'pending'", false},
		{"broadcasts", "status = 'pending'", "source_update_id = 6, status = 'preparing'", false},
		{"broadcasts", "status = 'preparing'", "source_update_id = 6, status = 'preparing'", false},
		{"broadcasts", "status = 'sending'", "source_update_id = 6, status = 'pending'", true},
		{"broadcasts", "status = 'sending'", "source_update_id = 6, status = 'preparing'", true},
		{"broadcasts", "status = 'completed'", "source_update_id = 6, status = 'completed'", true},
		{"broadcasts", "status = 'cancelled'", "source_update_id = 6, status = 'cancelled'", true},
		{"broadcasts", "status = 'expired'", "source_update_id = 6, status = 'expired'", true},
		{"broadcasts", "status = 'failed'", "source_update_id = 6, status = 'failed'", true},
		{"topic_creations", "", "title = 'Bob'", false},
		{"topic_sightings", "", "title = 'Bob'", false},
		{"topic_sightings", "", "chat_id = -200", true},
		{"rests", "", "until = ''", false},
		{"rests", "", "family = 'edits'", true},
		{"notice_slots", "", "taken_at = ''", false},
		{"group_admins", "", "", false},
		{"group_moves", "", "to_chat_id = -200", false},
		{"forum_proofs", "", "proved_at = '2026-01-02T03:04:06.000Z'", false},
	} {
		first := wholeRows[c.table].with(c.first)
		err := r.try(first, first.with(c.second))
		if c.free && err != nil {
			t.Errorf("%s, %q after %q is refused: %v", c.table, c.second, c.first, err)
		}
		if !c.free && (err == nil || !strings.Contains(err.Error(), "UNIQUE constraint failed")) {
			t.Errorf("%s, %q after %q: %v; want it refused as not unique", c.table, c.second, c.first, err)
		}
	}
}

// An id used twice would change an order that we promised.
func TestIdsAreNeverUsedAgain(t *testing.T) {
	r := newRoom(t)
	for _, table := range []string{"users", "messages", "broadcasts", "outbox"} {
		var first, second int64
		r.update(func(tx *db.Tx) error {
			for _, id := range []*int64{&first, &second} {
				if _, err := tx.Scan(wholeRows[table].insert()+" RETURNING id", nil, id); err != nil {
					return err
				}
				if err := tx.Exec("DELETE FROM " + table); err != nil {
					return err
				}
			}
			return nil
		})
		if second <= first {
			t.Errorf("%s: id %d after the emptied %d", table, second, first)
		}
	}
}
