package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

// The test binary is hodor itself when it is started with asProgram set; with killAt set ("taken:7") it kills itself when a call
// reaches that stage for the seventh time.
const (
	asProgram = "TEST_AS_PROGRAM"
	killAt    = "TEST_KILL_AT"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, program{args: os.Args[1:], environ: os.Environ(), stdout: os.Stdout, stderr: os.Stderr, trace: suicide(os.Getenv(killAt))}))
}

func suicide(at string) func(outbox.Stage, desk.CallID) {
	stage, number, _ := strings.Cut(at, ":")
	left, _ := strconv.Atoi(number)
	var seen atomic.Int64
	return func(s outbox.Stage, _ desk.CallID) {
		if string(s) == stage && seen.Add(1) == int64(left) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal arrives
		}
	}
}

// A machine is a place where the program can be started, killed and started again: one database, one address, one Telegram.
type machine struct {
	t       testing.TB
	tg      *emulator.Telegram
	address string
	environ []string
	path    string // of the database
	log     string
	command *exec.Cmd
}

// newMachine prepares for polling, or for a webhook behind a TLS proxy as in the field.
func newMachine(t testing.TB, mode string, environ ...string) *machine {
	t.Helper()
	m := &machine{t: t, tg: emulator.New(emulator.Options{KeepCalls: 1 << 20}), address: freeAddress(t)}
	m.tg.RetryDelay = func(int, int) time.Duration { return 20 * time.Millisecond }
	api := m.tg.Start()
	t.Cleanup(m.tg.Close)
	dir := t.TempDir()
	m.log, m.path = filepath.Join(dir, "log"), filepath.Join(dir, "hodor.db")
	m.environ = append(os.Environ(), asProgram+"=1",
		"HODOR_TELEGRAM_TOKEN="+m.tg.Token(), "HODOR_TELEGRAM_API_URL="+api,
		"HODOR_TELEGRAM_SUPPORT_CHAT_ID="+strconv.FormatInt(m.tg.Group(), 10), "HODOR_TELEGRAM_ADMIN_IDS=100",
		"HODOR_DATABASE_PATH="+m.path, "HODOR_HTTP_LISTEN="+m.address,
		"HODOR_LIMITS_GROUP_PER_MINUTE=100000", "HODOR_LIMITS_PRIVATE_PER_SECOND=100000", "HODOR_LIMITS_GLOBAL_PER_SECOND=100000",
		"HODOR_RELAY_MAX_MESSAGES_PER_MINUTE=100000", "HODOR_UPDATES_MODE="+mode)
	if mode == "webhook" {
		proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: m.address})
		proxy.ErrorLog = log.New(io.Discard, "", 0) // a dead program is what it is there for
		front := httptest.NewTLSServer(proxy)
		t.Cleanup(front.Close)
		m.tg.PostClient = front.Client()
		m.environ = append(m.environ, "HODOR_HTTP_PUBLIC_URL="+front.URL, "HODOR_HTTP_WEBHOOK_SECRET=a-secret")
	}
	m.environ = append(m.environ, environ...)
	t.Cleanup(func() {
		if m.command != nil {
			m.kill()
		}
		if t.Failed() {
			said, _ := os.ReadFile(m.log)
			t.Logf("the end of the program's log:\n%s", said[max(0, len(said)-6000):])
		}
	})
	return m
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start starts the program; with a stage it will kill itself there.
func (m *machine) start(stage string) {
	m.t.Helper()
	file, err := os.OpenFile(m.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		m.t.Fatal(err)
	}
	defer file.Close()
	m.command = exec.Command(os.Args[0], "serve")
	m.command.Env = append(m.environ[:len(m.environ):len(m.environ)], killAt+"="+stage)
	m.command.Stdout, m.command.Stderr = file, file
	if err := m.command.Start(); err != nil {
		m.t.Fatal(err)
	}
}

// kill is kill -9.
func (m *machine) kill() {
	_ = m.command.Process.Kill()
	m.wait()
}

func (m *machine) wait() {
	_ = m.command.Wait() // killed is not a failure here
	m.command = nil
}

// stop is what a service manager does; the exit code is returned.
func (m *machine) stop() int {
	m.t.Helper()
	_ = m.command.Process.Signal(syscall.SIGTERM)
	err := m.command.Wait()
	m.command = nil
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return 0
}

// ready tells whether the program says so.
func (m *machine) ready() bool {
	resp, err := http.Get("http://" + m.address + "/readyz")
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// eventually waits for something that another process has to do.
func eventually(t testing.TB, within time.Duration, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	give := time.After(within)
	for !done() {
		select {
		case <-tick.C:
		case <-give:
			t.Fatalf("it did not come to pass within %v: %s", within, what)
		}
	}
}

// topicOf is the living topic of a person; an error if there are two.
func (m *machine) topicOf(name string) (thread int, err error) {
	for _, topic := range m.tg.Topics() {
		if topic.Name != name || topic.Deleted {
			continue
		}
		if thread != 0 {
			return 0, fmt.Errorf("%s has two topics, %d and %d", name, thread, topic.Thread)
		}
		thread = topic.Thread
	}
	return thread, nil
}
