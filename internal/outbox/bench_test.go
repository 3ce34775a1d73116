package outbox

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/text"
)

// BenchmarkDrain pays 20,000 debts of 2,000 lanes to an emulator without limits: half of them into topics that exist, half to
// people. It reports calls per second and the processor time of one relay, the emulator's included.
func BenchmarkDrain(b *testing.B) {
	for _, latency := range []time.Duration{0, 30 * time.Millisecond} {
		b.Run(fmt.Sprintf("latency=%v", latency), func(b *testing.B) {
			var took time.Duration
			var cpu time.Duration
			const calls, lanes = 20_000, 2_000
			for range b.N {
				t, c := drainOnce(b, calls, lanes, latency)
				took, cpu = took+t, cpu+c
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(calls*b.N)/took.Seconds(), "calls/s")
			b.ReportMetric(float64(cpu.Microseconds())/float64(calls*b.N), "cpu-µs/relay")
		})
	}
}

func drainOnce(b *testing.B, calls, lanes int, latency time.Duration) (took, cpu time.Duration) {
	tg := emulator.New(emulator.Options{KeepCalls: -1})
	url := tg.Start()
	defer tg.Close()
	d := dbtest.OpenAt(b, filepath.Join(b.TempDir(), "hodor.db"), time.Now)
	owe(b, d, tg, calls, lanes)
	if latency > 0 {
		tg.Slow(emulator.Fault{Count: -1}, latency)
	}
	catalogue, err := text.Load("en", nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	client, err := NewClient(tg.Token(), url, 64)
	if err != nil {
		b.Fatal(err)
	}
	settled, done := 0, make(chan struct{})
	counted := make(chan struct{}, calls)
	box := New(d, client, Options{Now: time.Now, Log: zerolog.Nop(), Text: catalogue, MaxAttempts: 8, Ready: desk.NewReadiness(time.Now),
		Limits: Limits{GroupPerMinute: 1e9, PrivatePerSecond: 1e9, GlobalPerSecond: 1e9},
		Trace: func(s Stage, _ desk.CallID) {
			if s == Settled {
				counted <- struct{}{}
			}
		}})
	if err := box.Load(context.Background()); err != nil {
		b.Fatal(err)
	}
	go func() {
		for range counted {
			if settled++; settled == calls {
				close(done)
			}
		}
	}()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	start, used := time.Now(), processorTime()
	go func() { box.Run(ctx); close(ended) }()
	<-done
	took, cpu = time.Since(start), processorTime()-used
	stop()
	<-ended
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	return took, cpu
}

// owe makes everybody known, with a topic and a card, and the debts of a busy hour.
func owe(b *testing.B, d *db.DB, tg *emulator.Telegram, calls, lanes int) {
	tg.Promote(100)
	for i := range lanes / 2 {
		user := int64(1_000 + i)
		source := tg.Say(user, "a question")
		thread := tg.OpenTopic(100, fmt.Sprint("User ", user))
		post := tg.Post(100, thread, "an answer")
		dbtest.Update(b, d, func(tx *db.Tx) error {
			if _, err := tx.Meet(desk.Person{ID: desk.UserID(user), FirstName: "User"}); err != nil {
				return err
			}
			if err := tx.BindTopic(desk.UserID(user), desk.ThreadID(thread), "User"); err != nil {
				return err
			}
			if err := tx.SetCard(desk.UserID(user), desk.MessageID(post)); err != nil {
				return err
			}
			for range calls / lanes {
				in := desk.Copied{User: desk.UserID(user), Source: desk.MessageID(source), Content: "text"}
				out := desk.Copied{User: desk.UserID(user), Source: desk.MessageID(post), Content: "text"}
				if err := tx.Owe(desk.RelayToTopic{Copied: in}, desk.RelayToUser{Copied: out}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
