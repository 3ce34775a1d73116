package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"hodor/internal/emulator"
)

// Words that the tests of the real program share.

// An ending is how a run of the program ended, and everything it said.
type ending struct {
	code   int
	stdout string
	stderr string
	took   time.Duration
}

// do runs the program on this machine until it ends by itself, with more variables than the machine's, the last of a name counting.
// It may be called from any goroutine.
func (m *machine) do(environ []string, args ...string) ending {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], args...)
	command.Env = append(m.environ[:len(m.environ):len(m.environ)], environ...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	began := time.Now()
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Error(err)
		return ending{code: -1}
	}
	return ending{command.ProcessState.ExitCode(), stdout.String(), stderr.String(), time.Since(began)}
}

// wantSentence wants exit code 1 and one sentence that contains these words, and no secret in anything that was said.
func (m *machine) wantSentence(e ending, words ...string) {
	m.t.Helper()
	said := ""
	for line := range strings.Lines(e.stderr) {
		if rest, ours := strings.CutPrefix(line, "hodor: "); ours {
			said += rest
		}
	}
	if e.code != 1 || strings.Count(said, "\n") != 1 {
		m.t.Errorf("ended with %d, saying %q, want 1 and one sentence\n%s", e.code, said, e.stderr)
	}
	for _, word := range words {
		if !strings.Contains(said, word) {
			m.t.Errorf("the sentence is %q, want it to name %q", said, word)
		}
	}
	m.wantNoSecret(e.stdout + e.stderr)
}

func (m *machine) wantNoSecret(text string) {
	m.t.Helper()
	_, secret, _ := strings.Cut(m.tg.Token(), ":")
	if strings.Contains(text, secret) || strings.Contains(text, "a-secret") {
		m.t.Errorf("a secret stands in\n%s", text)
	}
}

// said is the log so far.
func (m *machine) said() string {
	m.t.Helper()
	text, err := os.ReadFile(m.log)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

func (m *machine) shell() *sql.DB {
	m.t.Helper()
	conn, err := sql.Open("sqlite", "file:"+m.path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		m.t.Fatal(err)
	}
	return conn
}

// rows is a query's only column, joined by commas.
func (m *machine) rows(query string) string {
	m.t.Helper()
	conn := m.shell()
	defer conn.Close()
	var joined sql.NullString
	if err := conn.QueryRow("SELECT group_concat(x, ',') FROM (" + query + ")").Scan(&joined); err != nil {
		m.t.Fatal(err)
	}
	return joined.String
}

func (m *machine) byHand(statement string) {
	m.t.Helper()
	conn := m.shell()
	defer conn.Close()
	if _, err := conn.Exec(statement); err != nil {
		m.t.Fatal(err)
	}
}

// post brings an update to the real program's webhook.
func (m *machine) post(raw string) int {
	m.t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+m.address+"/webhook", strings.NewReader(raw))
	if err != nil {
		m.t.Fatal(err)
	}
	req.Header.Set("X-Telegram-Bot-Api-Secret-Token", "a-secret")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		m.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// notReady is what the real program says is not ready, and why.
func (m *machine) notReady() map[string]string {
	m.t.Helper()
	resp, err := http.Get("http://" + m.address + "/readyz")
	if err != nil {
		m.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	m.wantNoSecret(string(text))
	var body struct {
		NotReady []struct{ Part, Why string } `json:"not_ready"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		m.t.Fatalf("%v: %s", err, text)
	}
	list := map[string]string{}
	for _, line := range body.NotReady {
		list[line.Part] = line.Why
	}
	if (resp.StatusCode == http.StatusServiceUnavailable) != (len(list) > 0) {
		m.t.Errorf("%s with %s", resp.Status, text)
	}
	return list
}

// lives tells whether somebody listens there.
func (m *machine) lives() bool {
	conn, err := net.DialTimeout("tcp", m.address, time.Second)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// started starts the program and waits until it is ready.
func (m *machine) started() {
	m.t.Helper()
	m.start("")
	eventually(m.t, 15*time.Second, "the program is ready", m.ready)
}

// term is what a service manager sends; ended waits for what comes of it.
func (m *machine) term() { _ = m.command.Process.Signal(syscall.SIGTERM) }

func (m *machine) ended(within time.Duration) int {
	m.t.Helper()
	code := make(chan int, 1)
	command := m.command
	go func() { _ = command.Wait(); code <- command.ProcessState.ExitCode() }()
	select {
	case c := <-code:
		m.command = nil
		return c
	case <-time.After(within):
		m.t.Errorf("it has not ended within %v", within)
		_ = command.Process.Kill()
		m.command = nil
		return <-code
	}
}

// shows tells whether somebody's topic shows exactly these copies of what people wrote.
func (m *machine) shows(name string, want ...string) bool {
	thread, err := m.topicOf(name)
	return err == nil && thread != 0 && fmt.Sprint(fromPeople(m.tg.Topic(thread))) == fmt.Sprint(want)
}

func fromPeople(messages []emulator.Message) (list []string) {
	for _, c := range messages {
		if c.FromBot && c.CopiedFrom != (emulator.Ref{}) {
			list = append(list, c.Text)
		}
	}
	return list
}

// params are those of each call of a method that was carried out.
func (m *machine) params(method string) (list []map[string]string) {
	for _, c := range m.tg.Calls() {
		if c.Method == method && c.Executed {
			list = append(list, c.Params)
		}
	}
	return list
}
