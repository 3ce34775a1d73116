package db

import (
	"context"
	"database/sql"
)

// Exec runs any statement inside the transaction: tests set up with it what no method of ours would do.
func (tx *Tx) Exec(query string, args ...any) error { return tx.do(query, args...) }

// Exec tries to write where only reading is allowed.
func (v View) Exec(query string, args ...any) error {
	stmt, err := v.prepare(query)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(v.ctx, args...)
	return err
}

// Scan reads one row of any query; false if there is none.
func (v View) Scan(query string, args []any, dest ...any) (bool, error) {
	return v.one(query, args, dest...)
}

// Texts reads one column of any query.
func (v View) Texts(query string, args ...any) ([]string, error) {
	var list []string
	err := v.each(query, args, func(scan func(...any) error) error {
		var s sql.NullString
		err := scan(&s)
		list = append(list, s.String)
		return err
	})
	return list, err
}

// Waiting is how many jobs the writer has not looked at yet.
func (d *DB) Waiting() int { return len(d.jobs) }

// BatchLimit is how many updates may share a commit.
const BatchLimit = batchLimit

// OnStatement hands the text of every statement of this transaction to fn.
func (tx *Tx) OnStatement(fn func(string)) {
	prepare := tx.prepare
	tx.prepare = func(query string) (*sql.Stmt, error) {
		fn(query)
		return prepare(query)
	}
}

// OnReading hands the text of every statement of View that is new to it to fn.
func (d *DB) OnReading(fn func(string)) { d.reads = newStatements(overheard{d.read, fn}) }

type overheard struct {
	pool *sql.DB
	fn   func(string)
}

func (o overheard) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	o.fn(query)
	return o.pool.PrepareContext(ctx, query)
}

// FollowGroup looks for the group as Open does.
func (d *DB) FollowGroup(ctx context.Context) error { return d.followGroup(ctx, d.Group()) }

// BatchStatements are the texts of what the writer does for a whole batch, of every size.
func BatchStatements() []string {
	var list []string
	for _, texts := range []map[int]string{claimSQL, oweSQL} {
		for _, text := range texts {
			list = append(list, text)
		}
	}
	return list
}

// Plan is what SQLite would do for a query, step by step.
func (v View) Plan(query string, args ...any) (steps []string, err error) {
	err = v.each("EXPLAIN QUERY PLAN "+query, args, func(scan func(...any) error) error {
		var id, parent, unused int
		var detail string
		err := scan(&id, &parent, &unused, &detail)
		steps = append(steps, detail)
		return err
	})
	return steps, err
}
