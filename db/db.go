// Package db keeps everything the desk knows in one SQLite file. It promises that what Update returned nil for is on disk, whole,
// and it never calls anybody: a function that is given a Tx cannot reach Telegram.
//
// SQL lives here and nowhere else, one file a table, in what SQLite and PostgreSQL both understand. Reading hangs on View,
// writing on Tx. One connection writes; the updates that wait for it share a commit (writer.go).
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pressly/goose/v3"

	"hodor/internal/desk"
	"hodor/migrations"
)

// Options say whose data this is.
type Options struct {
	Path  string
	Bot   desk.BotID
	Group desk.ChatID // as configured; a group that moved since is followed
	Now   func() time.Time
	Ready *desk.Readiness // told whether the database can be written; may be nil
}

// A DB is one open database. Its methods may be called from many goroutines.
type DB struct {
	bot   desk.BotID
	group atomic.Int64 // where the configured group is now
	now   func() time.Time
	ready *desk.Readiness

	write   *sql.DB // of one connection
	read    *sql.DB
	reads   *statements
	commits atomic.Int64
	jobs    chan *job
	stopped chan struct{}
	quit    context.CancelFunc

	mu        sync.Mutex
	listeners []func(News)
}

// readers is how many reads may go on at once beside the writer.
const readers = 4

// Open opens the file, making it if there is none, and brings its schema up to date.
func Open(ctx context.Context, o Options) (*DB, error) {
	d := &DB{bot: o.Bot, now: o.Now, ready: o.Ready, jobs: make(chan *job, batchLimit), stopped: make(chan struct{})}
	if err := keepPrivate(o.Path); err != nil {
		return nil, err
	}
	if _, err := Migrate(ctx, o.Path); err != nil {
		return nil, err
	}
	var err error
	if d.write, err = connect(o.Path, 1, "_txlock=immediate"); err != nil {
		return nil, err
	}
	if d.read, err = connect(o.Path, readers, "_pragma=query_only(1)"); err != nil {
		return nil, errors.Join(err, d.write.Close())
	}
	d.reads = newStatements(d.read)
	if err := d.startWriter(); err != nil {
		return nil, errors.Join(err, d.read.Close(), d.write.Close())
	}
	if err := d.followGroup(ctx, o.Group); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// keepPrivate makes the file, if there is none, so that only its owner reads what people wrote.
func keepPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	return file.Close()
}

// connect opens a pool whose every connection has our pragmas: set in the DSN, because a pragma executed on a pool would reach one
// connection of it.
func connect(path string, connections int, extra string) (*sql.DB, error) {
	name := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + extra +
		"&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)" +
		"&_pragma=cache_size(-16000)&_pragma=wal_autocheckpoint(4000)"
	pool, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// Close waits for the writer to finish what it has begun and closes the file.
func (d *DB) Close() error {
	d.quit()
	<-d.stopped
	d.reads.close()
	return errors.Join(d.read.Close(), d.write.Close())
}

// Closed tells that nothing will be written any more.
func (d *DB) Closed() bool {
	select {
	case <-d.stopped:
		return true
	default:
		return false
	}
}

// Commits is how many transactions have been written since Open.
func (d *DB) Commits() int64 { return d.commits.Load() }

// Bot is whose data this is.
func (d *DB) Bot() desk.BotID { return d.bot }

// Group is where the support group is now: the configured one, or what Telegram made of it.
func (d *DB) Group() desk.ChatID { return desk.ChatID(d.group.Load()) }

// Migrate brings the schema of the file up to date, making the file if there is none, and returns the names of the steps it took.
func Migrate(ctx context.Context, path string) (steps []string, err error) {
	err = withGoose(path, func(p *goose.Provider) error {
		current, newest, err := p.GetVersions(ctx)
		if err != nil {
			return wrapf(err, "read the schema's version")
		}
		if current > newest {
			return fmt.Errorf("the database %s has schema %d and was made by a newer hodor; this one knows %d", path, current, newest)
		}
		results, err := p.Up(ctx)
		for _, r := range results {
			steps = append(steps, r.Source.Path)
		}
		return wrapf(err, "migrate the database")
	})
	return steps, err
}

// SchemaVersion is the number of the last migration taken, and of the newest that this program knows.
func SchemaVersion(ctx context.Context, path string) (current, newest int64, err error) {
	err = withGoose(path, func(p *goose.Provider) (err error) {
		current, newest, err = p.GetVersions(ctx)
		return wrapf(err, "read the schema's version")
	})
	return current, newest, err
}

func withGoose(path string, fn func(*goose.Provider) error) error {
	pool, err := connect(path, 1, "_txlock=immediate")
	if err != nil {
		return err
	}
	defer pool.Close()
	p, err := goose.NewProvider(goose.DialectSQLite3, pool, fs.FS(migrations.Files))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	return fn(p)
}

// View calls fn with one snapshot of the database. It never waits for the writer.
func (d *DB) View(ctx context.Context, fn func(View) error) error {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer tx.Rollback()
	return fn(View{ctx: ctx, bot: d.bot, group: d.Group(), prepare: d.reads.within(ctx, tx)})
}
