package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"hodor/internal/emulator"
)

// A stop lets the calls under way finish and be written down: after the next start nothing is sent twice and nothing is missing.
func TestStopFinishesCallsUnderWay(t *testing.T) {
	m := newMachine(t, "polling")
	m.started()
	arrived, release := m.tg.Hold(emulator.Fault{Method: "copyMessage"})
	m.tg.Say(7, "one")
	m.tg.Say(7, "two")
	<-arrived
	m.term()
	eventually(t, 5*time.Second, "it takes nothing in any more", func() bool { return !m.lives() })
	release(true)
	if code := m.ended(10 * time.Second); code != 0 {
		t.Errorf("ended with %d", code)
	}
	if !m.shows("User 7", "one") {
		t.Error("what was under way has not arrived, or more than that")
	}
	if open := m.rows("SELECT state AS x FROM outbox WHERE kind = 'relay_to_topic' ORDER BY id"); open != "sent,owed" {
		t.Errorf("the calls are %s", open)
	}
	m.started()
	eventually(t, 10*time.Second, "what was not sent is sent after the next start", func() bool { return m.shows("User 7", "one", "two") })
	m.stopped()
}

// A call that never returns is waited for 8 seconds, not longer, and the end is still a good one. Being in doubt it is sent again.
func TestStopWaitsEightSecondsAtMost(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "polling")
	m.started()
	arrived, release := m.tg.Hold(emulator.Fault{Method: "copyMessage"})
	m.tg.Say(7, "one")
	<-arrived
	m.term()
	began := time.Now()
	code := m.ended(15 * time.Second)
	if took := time.Since(began); code != 0 || took < 7*time.Second || took > 11*time.Second {
		t.Errorf("ended with %d after %v", code, took)
	}
	release(false)
	m.started()
	eventually(t, 20*time.Second, "it is sent again", func() bool { return m.shows("User 7", "one") })
	m.stopped()
}

// A request that is under way when the stop comes is answered: Telegram need not send the update again.
func TestStopAnswersRequestsUnderWay(t *testing.T) {
	m := newMachine(t, "webhook")
	m.started()
	raw := `{"update_id":900000001,"something_new":{}}`
	conn, err := net.Dial("tcp", m.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /webhook HTTP/1.1\r\nHost: hodor\r\nX-Telegram-Bot-Api-Secret-Token: a-secret\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(raw))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" { // the handler reads
		t.Fatalf("%q %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	m.term()
	eventually(t, 5*time.Second, "it listens no more", func() bool { return !m.lives() })
	_, _ = io.WriteString(conn, raw)
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("a request under way was answered %+v, %v", resp, err)
	}
	if code := m.ended(10 * time.Second); code != 0 {
		t.Errorf("ended with %d", code)
	}
	if got := m.rows("SELECT status AS x FROM processed_updates WHERE update_id = 900000001"); got != "processed" {
		t.Errorf("the update is %q", got)
	}
}

// A second hodor on the same database, whatever it wants to do with it, gives up after 15 seconds in one sentence. The first goes on.
func TestTwoOnOneDatabase(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "polling")
	m.started()
	endings := make(chan ending)
	other := "HODOR_HTTP_LISTEN=" + freeAddress(t)
	go func() { endings <- m.do([]string{other}, "migrate", "up") }()
	go func() { endings <- m.do([]string{other}, "serve") }()
	for range 2 {
		e := <-endings
		m.wantSentence(e, m.path, "in use")
		if e.took < 14*time.Second || e.took > 25*time.Second {
			t.Errorf("it gave up after %v", e.took)
		}
	}
	m.tg.Say(7, "hello")
	eventually(t, 10*time.Second, "the first works", func() bool { return m.shows("User 7", "hello") })
	if status := m.do(nil, "migrate", "status"); status.code != 0 {
		t.Errorf("looking is not allowed: %+v", status)
	}
	m.stopped()
}

// One that is just ending is waited for, and nothing is sent twice.
func TestTheNextWaitsForTheLast(t *testing.T) {
	m := newMachine(t, "polling")
	m.started()
	arrived, release := m.tg.Hold(emulator.Fault{Method: "copyMessage"})
	m.tg.Say(7, "one")
	<-arrived
	m.term()
	eventually(t, 5*time.Second, "the first takes nothing in any more", func() bool { return !m.lives() })
	last := m.command
	m.start("")
	release(true)
	if err := last.Wait(); err != nil {
		t.Errorf("the first: %v", err)
	}
	eventually(t, 10*time.Second, "the next is ready", m.ready)
	m.tg.Say(7, "two")
	eventually(t, 10*time.Second, "the next works", func() bool { return m.shows("User 7", "one", "two") })
	m.stopped()
}

// The lock falls with whoever held it, however that ended.
func TestTheLockFallsWithAKill(t *testing.T) {
	m := newMachine(t, "polling")
	m.started()
	m.kill()
	began := time.Now()
	m.started()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to start again", took)
	}
	m.stopped()
}

// A stop while it still waits for the database is obeyed at once, and is no failure; nor is one that comes before everything else.
func TestStopBeforeTheStart(t *testing.T) {
	m := newMachine(t, "polling")
	holder := flock.New(m.path + ".lock")
	if got, err := holder.TryLock(); !got || err != nil {
		t.Fatal(got, err)
	}
	for _, held := range []bool{true, false} {
		if !held {
			if err := holder.Unlock(); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithCancel(context.Background())
		stop()
		e := inside(ctx, m.environ, "serve")
		if e.code != 0 || e.stdout+e.stderr != "" {
			t.Errorf("with the database held: %v: ended with %d and said %q", held, e.code, e.stderr)
		}
	}
	if len(m.tg.Calls()) > 0 {
		t.Errorf("called %+v", m.tg.Calls())
	}
}

// A database where nobody can make a file ends the start in one sentence that names it.
func TestNoPlaceForTheDatabase(t *testing.T) {
	m := newMachine(t, "polling")
	path := filepath.Join(t.TempDir(), "no such directory", "hodor.db")
	m.wantSentence(m.do([]string{"HODOR_DATABASE_PATH=" + path}, "serve"), path)
}
