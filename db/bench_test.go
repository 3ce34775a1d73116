package db_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// share runs work, which is so many updates, b.N times on so many goroutines, and reports how many commits an update cost.
func share(b *testing.B, d *db.DB, goroutines, updates int, work func(n int64) error) {
	before := d.Commits()
	var next atomic.Int64
	var all sync.WaitGroup
	b.ResetTimer()
	for range goroutines {
		all.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := work(n); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N*updates)/b.Elapsed().Seconds(), "updates/s")
	b.ReportMetric(float64(d.Commits()-before)/float64(b.N*updates), "commits/update")
}

// BenchmarkUpdateParallel is how many small durable updates a second the writer takes.
func BenchmarkUpdateParallel(b *testing.B) {
	for _, goroutines := range []int{1, 64} {
		b.Run(fmt.Sprint(goroutines), func(b *testing.B) {
			d := dbtest.Open(b, time.Now)
			share(b, d, goroutines, 1, func(n int64) error {
				return d.Update(context.Background(), func(tx *db.Tx) error {
					_, err := tx.WinSlot(fmt.Sprint(n), time.Minute)
					return err
				})
			})
		})
	}
}

// BenchmarkClaim is intake as it is: an update is claimed, its person met and counted, and one call owed. A poll brings up to 100.
func BenchmarkClaim(b *testing.B) {
	for _, c := range []struct{ goroutines, atOnce int }{{1, 1}, {1, 100}, {64, 1}} {
		b.Run(fmt.Sprintf("goroutines=%d/updates=%d", c.goroutines, c.atOnce), func(b *testing.B) {
			d := dbtest.Open(b, time.Now)
			share(b, d, c.goroutines, c.atOnce, func(n int64) error {
				updates := make([]db.Incoming, c.atOnce)
				for i := range updates {
					id := desk.UpdateID(n)*1000 + desk.UpdateID(i)
					updates[i] = db.Incoming{ID: id, Apply: func(tx *db.Tx) error { return arrive(tx, desk.UserID(id%500+1)) }}
				}
				for _, err := range d.Claim(context.Background(), updates...) {
					if err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

func arrive(tx *db.Tx, user desk.UserID) error {
	if _, err := tx.Meet(person(user)); err != nil {
		return err
	}
	if _, err := tx.CountMessage(user, tx.Now, 20); err != nil {
		return err
	}
	return tx.Owe(relay(user, 5))
}
