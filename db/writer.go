package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"modernc.org/sqlite" // it is the driver as well
	sqlite3 "modernc.org/sqlite/lib"

	"hodor/internal/desk"
)

// batchLimit is how many updates may share one commit.
const batchLimit = 256

// A job is one function that waits for the writer, and perhaps the claim of an update it must win first.
type job struct {
	claims bool
	id     desk.UpdateID
	fn     func(*Tx) error
	done   chan error
}

// Update calls fn with the write lock held, and keeps what it did if it returns nil; then it is on disk. fn may be called more than
// once, each time on a clean slate: what it hands out it must assign, not add to.
func (d *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	return d.wait(ctx, &job{fn: fn, done: make(chan error, 1)})
}

// An Incoming is an update that has come in and what follows from it.
type Incoming struct {
	ID    desk.UpdateID
	Apply func(*Tx) error
}

// Claim applies each update that has not been claimed before, in the order given; the claim and what Apply did are kept together
// or not at all. The errors answer one by one; a repeat is nil and does nothing.
func (d *DB) Claim(ctx context.Context, updates ...Incoming) []error {
	jobs := make([]*job, len(updates))
	failed := make([]error, len(updates))
	for i, u := range updates {
		jobs[i] = &job{claims: true, id: u.ID, fn: u.Apply, done: make(chan error, 1)}
		if i > 0 && failed[i-1] != nil {
			failed[i] = failed[i-1] // none may overtake one that has to come again
			continue
		}
		failed[i] = d.submit(ctx, jobs[i])
	}
	for i, j := range jobs {
		if failed[i] == nil {
			failed[i] = d.outcome(j)
		}
	}
	return failed
}

func (d *DB) wait(ctx context.Context, j *job) error {
	if err := d.submit(ctx, j); err != nil {
		return err
	}
	return d.outcome(j)
}

func (d *DB) submit(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("wait for the database: %w", err)
	}
	select {
	case d.jobs <- j:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the database: %w", ctx.Err())
	case <-d.stopped:
		return errClosed
	}
}

var errClosed = fmt.Errorf("the database is closed")

// outcome waits without a deadline: once the writer has a job, leaving it would leave its result unknown.
func (d *DB) outcome(j *job) error {
	select {
	case err := <-j.done:
		return err
	case <-d.stopped:
		select {
		case err := <-j.done:
			return err
		default:
			return errClosed
		}
	}
}

// startWriter begins the goroutine that owns the one connection that writes.
func (d *DB) startWriter() error {
	ctx, quit := context.WithCancel(context.Background())
	conn, err := d.write.Conn(ctx)
	if err != nil {
		quit()
		return fmt.Errorf("open the writing connection: %w", err)
	}
	d.quit = quit
	w := &writer{db: d, conn: conn, statements: newStatements(conn), rates: rates{kept: make(map[desk.UserID]window)}}
	go func() {
		defer close(d.stopped)
		defer conn.Close()
		defer w.statements.close()
		for {
			select {
			case j := <-d.jobs:
				w.run(gather(d.jobs, j))
			case <-ctx.Done():
				return
			}
		}
	}()
	return nil
}

// yields is how often the writer lets others run before it begins a batch: whoever is just about to come joins it, and a batch shares
// one flush to disk.
const yields = 4

// gather takes what waits now. Under load the batch is what came in during the last commit.
func gather(jobs <-chan *job, first *job) []*job {
	batch := []*job{first}
	for yielded := 0; len(batch) < batchLimit; {
		select {
		case j := <-jobs:
			batch = append(batch, j)
		default:
			if yielded == yields {
				return batch
			}
			yielded++
			runtime.Gosched()
		}
	}
	return batch
}

type writer struct {
	db         *DB
	conn       *sql.Conn
	statements *statements
	rates      rates
}

// run commits the batch as one. If some job fails, nothing of the batch is kept, and its halves are tried apart, so that one bad
// job costs the others a few commits and never their own outcome. A database that cannot be used is nobody's fault, and answered to
// all at once.
func (w *writer) run(batch []*job) {
	err := w.commit(batch)
	w.db.tellReady(err)
	if err == nil || len(batch) == 1 || Unavailable(err) {
		for _, j := range batch {
			j.done <- err
		}
		return
	}
	w.run(batch[:len(batch)/2])
	w.run(batch[len(batch)/2:])
}

// Unavailable tells that the database could not be used: locked, full, unreadable, closed. Any other error is the fault of what was
// asked of it, and would come again.
func Unavailable(err error) bool {
	if errors.Is(err, errClosed) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	var refused *sqlite.Error
	if !errors.As(err, &refused) {
		return false
	}
	switch refused.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// tellReady says whether the database can be written. Another error than one of SQLite is the job's own.
func (d *DB) tellReady(err error) {
	var refused *sqlite.Error
	switch {
	case d.ready == nil:
	case err == nil:
		d.ready.Clear(desk.Database)
	case errors.As(err, &refused):
		d.ready.Fail(desk.Database, fmt.Sprintf("cannot write: SQLite error %d", refused.Code()))
	}
}

func (w *writer) commit(batch []*job) error {
	// Not the callers' contexts: one who leaves must not undo what the others wait for.
	tx := &Tx{
		View:  View{ctx: context.Background(), bot: w.db.bot, group: w.db.Group(), prepare: w.statements.prepare},
		Now:   w.db.now(),
		rates: &w.rates,
	}
	if err := tx.do("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := tx.runAll(batch); err != nil {
		return w.rollback(tx, err)
	}
	if err := tx.do("COMMIT"); err != nil {
		return w.rollback(tx, fmt.Errorf("commit: %w", err))
	}
	w.db.commits.Add(1)
	w.rates.keep(tx.counted, tx.Now)
	w.db.group.Store(int64(tx.group))
	w.db.tell(tx.news)
	return nil
}

func (w *writer) rollback(tx *Tx, cause error) error {
	// Some failures have ended the transaction already, and SQLite then refuses the ROLLBACK: either way nothing is kept.
	_ = tx.do("ROLLBACK")
	return cause
}

func (tx *Tx) runAll(batch []*job) error {
	fresh, err := tx.claimAll(batch)
	if err != nil {
		return err
	}
	for _, j := range batch {
		if j.claims && !fresh[j.id] {
			continue
		}
		if j.claims {
			delete(fresh, j.id) // the same update twice in a batch is a repeat the second time
		}
		if err := tx.call(j.fn); err != nil {
			return err
		}
	}
	return tx.call((*Tx).flush)
}

// call turns a panic into an error: one bad update must not end the program.
func (tx *Tx) call(fn func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(tx)
}

func (d *DB) tell(n News) {
	if n.empty() {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, fn := range d.listeners {
		fn(n)
	}
}
