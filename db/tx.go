package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"hodor/internal/desk"
)

// A View reads one snapshot of the database: what it says belongs to this bot, and thread ids and group messages to this group.
type View struct {
	ctx     context.Context
	bot     desk.BotID
	group   desk.ChatID
	prepare func(query string) (*sql.Stmt, error)
}

// Group is the support group, whose ids are the only ones this view knows.
func (v View) Group() desk.ChatID { return v.group }

// A Tx reads and writes. Everything done with it happens at one instant, Now, and either all of it is kept or none.
type Tx struct {
	View
	Now     time.Time
	owed    []owed // calls not written yet: the rows of a whole batch go in one statement
	rates   *rates
	counted map[desk.UserID]window // what this transaction counts
	news    News
}

// News is what a commit made true, for those who wait for it in memory.
type News struct {
	Owed   []Debt      // calls newly owed
	Forum  []ForumSign // what updates told of the group
	Group  bool        // the bot's own place in the group changed
	Moved  bool        // the group has another id now
	Topics bool        // more is known of a topic that was asked for
	Names  bool        // the bot's own name is known
}

// A ForumSign is an update of the group that shows whether topics are on.
type ForumSign struct {
	IsForum bool
	At      time.Time
}

// SawForum remembers, once the transaction is kept, that an update written at that moment showed the group with or without topics.
func (tx *Tx) SawForum(isForum bool, at time.Time) {
	if at.After(tx.Now) {
		at = tx.Now // Telegram's clock is ahead of ours
	}
	tx.news.Forum = append(tx.news.Forum, ForumSign{IsForum: isForum, At: at})
}

// SawGroupChange tells, once the transaction is kept, that the bot's rights in the group changed.
func (tx *Tx) SawGroupChange() { tx.news.Group = true }

// Listen calls fn after each commit that has news, in the order of the commits. fn must not wait.
func (d *DB) Listen(fn func(News)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listeners = append(d.listeners, fn)
}

func (n News) empty() bool {
	return len(n.Owed) == 0 && len(n.Forum) == 0 && !n.Group && !n.Moved && !n.Topics && !n.Names
}

// one reads a single row; false if there is none.
func (v View) one(query string, args []any, dest ...any) (bool, error) {
	stmt, err := v.prepare(query)
	if err != nil {
		return false, err
	}
	err = stmt.QueryRowContext(v.ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// each calls fn for every row.
func (v View) each(query string, args []any, fn func(scan func(...any) error) error) error {
	stmt, err := v.prepare(query)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(v.ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// change runs a statement and returns how many rows it touched: the verdict of every decision that can race.
func (tx *Tx) change(query string, args ...any) (int64, error) {
	stmt, err := tx.prepare(query)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(tx.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// do runs a statement whose row count does not matter.
func (tx *Tx) do(query string, args ...any) error {
	_, err := tx.change(query, args...)
	return err
}
