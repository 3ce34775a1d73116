package main

import (
	"context"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockWait  = 15 * time.Second
	lockRetry = 200 * time.Millisecond
)

// lock makes sure that no other hodor uses the database: two would both send what it owes. One that is just ending is waited for.
func lock(ctx context.Context, database string) (release func(), err error) {
	file := flock.New(database + ".lock")
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	got, err := file.TryLockContext(ctx, lockRetry)
	if !got {
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("lock the database %s: %w", database, err)
		}
		return nil, fmt.Errorf("the database %s is in use by another hodor", database)
	}
	return func() { _ = file.Unlock() }, nil
}
