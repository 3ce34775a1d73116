package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// inside runs the program in this process, with this environment and nothing else.
func inside(ctx context.Context, environ []string, args ...string) ending {
	var stdout, stderr bytes.Buffer
	began := time.Now()
	code := run(ctx, program{args: args, environ: environ, stdout: &stdout, stderr: &stderr})
	return ending{code, stdout.String(), stderr.String(), time.Since(began)}
}

// enough is an environment that serve would start with.
func enough(t *testing.T) []string {
	t.Helper()
	return []string{"HODOR_TELEGRAM_TOKEN=" + testToken, "HODOR_TELEGRAM_SUPPORT_CHAT_ID=-1001234567890",
		"HODOR_DATABASE_PATH=" + filepath.Join(t.TempDir(), "hodor.db")}
}

// Exit 2 is wrong usage, whatever the configuration says, and it is told how to learn more.
func TestWrongUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{nil, {"fly"}, {"serve", "now"}, {"--nosuch", "serve"}, {"serve", "--nosuch"}, {"migrate", "sideways"},
		{"migrate", "up", "down"}, {"demo", "--listen"}, {"--config"}, {"health", "7"}, {"version", "-v"}, {""}} {
		e := inside(t.Context(), enough(t), args...)
		if e.code != 2 || e.stdout != "" || !strings.HasPrefix(e.stderr, "hodor: ") || !strings.Contains(e.stderr, "--help") {
			t.Errorf("%q: ended with %d, %q, %q", args, e.code, e.stdout, e.stderr)
		}
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v %v", files, err)
	}
}

// Help is no failure, needs no configuration, and names every command.
func TestHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--help"}, {"-h"}, {"serve", "--help"}, {"migrate", "--help"}} {
		e := inside(t.Context(), nil, args...)
		if e.code != 0 || e.stderr != "" || !strings.Contains(e.stdout, "Usage: hodor") {
			t.Errorf("%q: ended with %d, %q, %q", args, e.code, e.stdout, e.stderr)
		}
	}
	all := inside(t.Context(), nil, "--help").stdout
	for _, command := range []string{"serve", "demo", "migrate", "health", "version"} {
		if !regexp.MustCompile(`(?m)^\s+` + command + `\b`).MatchString(all) {
			t.Errorf("nothing of %s in\n%s", command, all)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Chdir(t.TempDir())
	e := inside(t.Context(), []string{"HODOR_NO_SUCH_THING=1"}, "version")
	if e.code != 0 || e.stderr != "" || !regexp.MustCompile(`^hodor \S[^\n]*\n$`).MatchString(e.stdout) {
		t.Errorf("%+v", e)
	}
}

// A22–A27 in our form: every command that needs the configuration says all that is wrong with it at once, in exit code 1, and shows no
// secret.
func TestConfigurationFaultsAreToldAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	environ := []string{"HODOR_TELEGRAM_TOKEN=hush1 no token", "HODOR_HTTP_WEBHOOK_SECRET=hush2 has spaces", "HODOR_VERIFY_TURNSTILE_SECRET_KEY=hush3hush3",
		"HODOR_TELEGRAM_ADMIN_IDS=1,two", "HODOR_RELAY_MAX_ATTEMPTS=0", "HODOR_LOG_LEVEL=loud", "HODOR_SECRET=hush4hush4"}
	for _, args := range [][]string{{"serve"}, {"migrate"}, {"migrate", "up"}, {"health"}} {
		e := inside(t.Context(), environ, args...)
		if e.code != 1 || e.stdout != "" {
			t.Errorf("%q: ended with %d, %q", args, e.code, e.stdout)
		}
		for _, want := range []string{"telegram.token", "telegram.support_chat_id", "http.webhook_secret", "verify.turnstile.site_key", "telegram.admin_ids",
			"relay.max_attempts", "log.level", "HODOR_SECRET"} {
			if !strings.Contains(e.stderr, want) {
				t.Errorf("%q: nothing of %s in\n%s", args, want, e.stderr)
			}
		}
		if regexp.MustCompile("hush[1234]").MatchString(e.stderr) {
			t.Errorf("%q: a secret stands in\n%s", args, e.stderr)
		}
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v %v", files, err)
	}
}

// The words of the catalogues are configuration too: their faults come with all others, before anything is made or waited for.
func TestFaultsOfWordsAreToldWithTheOthers(t *testing.T) {
	environ := append(enough(t), "HODOR_TEXT_NO_SUCH_TEXT=Good day", "HODOR_LOG_LEVEL=loud")
	e := inside(t.Context(), environ, "serve")
	if e.code != 1 || !strings.Contains(e.stderr, "no_such_text") || !strings.Contains(e.stderr, "log.level") {
		t.Errorf("ended with %d\n%s", e.code, e.stderr)
	}
	e = inside(t.Context(), environ[:4], "serve")
	if e.code != 1 || !strings.Contains(e.stderr, "text.no_such_text") {
		t.Errorf("ended with %d\n%s", e.code, e.stderr)
	}
	if files, err := os.ReadDir(filepath.Dir(strings.TrimPrefix(environ[2], "HODOR_DATABASE_PATH="))); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v %v", files, err)
	}
}

// A file that was asked for must be there; the usual one need not.
func TestConfigFileOfTheCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mine.toml", []byte(required+"[database]\npath = \"mine.db\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e := inside(t.Context(), nil, "--config", "mine.toml", "migrate", "up"); e.code != 0 || !strings.Contains(e.stdout, "mine.db: schema") {
		t.Errorf("%+v", e)
	}
	if e := inside(t.Context(), enough(t), "--config", "yours.toml", "migrate"); e.code != 1 || !strings.Contains(e.stderr, "yours.toml") {
		t.Errorf("%+v", e)
	}
	if err := os.Rename("mine.toml", "config.toml"); err != nil {
		t.Fatal(err)
	}
	if e := inside(t.Context(), nil, "migrate"); e.code != 0 || !strings.Contains(e.stdout, "mine.db: schema") {
		t.Errorf("%+v", e)
	}
}

// migrate shows where the schema stands without making anything, and brings it up to date.
func TestMigrate(t *testing.T) {
	environ := enough(t)
	path := strings.TrimPrefix(environ[2], "HODOR_DATABASE_PATH=")
	for _, args := range [][]string{{"migrate"}, {"migrate", "status"}} {
		if e := inside(t.Context(), environ, args...); e.code != 1 || !strings.Contains(e.stderr, path) || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%q without a database: %+v", args, e)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%q makes a database", args)
		}
	}
	up := inside(t.Context(), environ, "migrate", "up")
	stands := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(path) + `: schema (\d+), newest known (\d+)$`)
	if got := stands.FindStringSubmatch(up.stdout); up.code != 0 || !strings.Contains(up.stdout, "applied 00001_desk.sql\n") || got == nil || got[1] != got[2] {
		t.Errorf("up: %+v", up)
	}
	for _, args := range [][]string{{"migrate", "up"}, {"migrate", "status"}, {"migrate"}} {
		if e := inside(t.Context(), environ, args...); e.code != 0 || strings.Contains(e.stdout, "applied") || !stands.MatchString(e.stdout) || e.stderr != "" {
			t.Errorf("%q: %+v", args, e)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"migrate", "up"}, {"migrate", "status"}} {
		if e := inside(t.Context(), environ, args...); e.code != 1 || !strings.HasPrefix(e.stderr, "hodor: ") {
			t.Errorf("%q of something else: %+v", args, e)
		}
	}
}

// health asks a serve on this machine, for a container that has nothing else to ask with.
func TestHealth(t *testing.T) {
	m := newMachine(t, "polling")
	m.wantSentence(m.do(nil, "health"), m.address)
	m.tg.Down(true) // it asks whether the program lives, not whether all is well
	m.start("")
	eventually(t, 15*time.Second, "it lives", m.lives)
	_, port, _ := strings.Cut(m.address, ":")
	for _, listen := range []string{m.address, ":" + port, "0.0.0.0:" + port, "[::]:" + port, "localhost:" + port} {
		if e := m.do([]string{"HODOR_HTTP_LISTEN=" + listen}, "health"); e.code != 0 || e.stdout+e.stderr != "" {
			t.Errorf("at %s: %+v", listen, e)
		}
	}
	m.wantSentence(m.do([]string{"HODOR_HTTP_LISTEN="}, "health"), "http.listen")
	m.stopped()
}

// A page is what a program prints, to be read while it prints.
type page struct {
	mu   sync.Mutex
	text strings.Builder
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// The demo, which needs no configuration and no network, plays its day to a good end and leaves nothing behind.
func TestDemoPlaysTheDay(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	e := inside(t.Context(), nil, "demo")
	if e.code != 0 || e.stderr != "" || !strings.Contains(e.stdout, "That was the day") {
		t.Errorf("ended with %d and %q\n%s", e.code, e.stderr, e.stdout)
	}
	if n := strings.Count(e.stdout, "✓"); n < 9 {
		t.Errorf("%d things came to pass:\n%s", n, e.stdout)
	}
	for _, dir := range []string{".", os.TempDir()} {
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("left behind in %s: %v %v", dir, files, err)
		}
	}
}

// demo --serve then keeps Telegram and desk until it is interrupted, which is a good end, and keeps the database it was told to use.
func TestDemoServes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "demo.db")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, code := new(page), make(chan int, 1)
	go func() {
		code <- run(ctx, program{args: []string{"demo", "--serve", "--database", path}, stdout: out, stderr: out})
	}()
	open := regexp.MustCompile(`curl (http://127\.0\.0\.1:\d+/bot[^/]+/)getMe`)
	eventually(t, time.Minute, "it says where the Bot API is", func() bool { return open.MatchString(out.String()) })
	api := open.FindStringSubmatch(out.String())[1]
	resp, err := http.Get(api + "getMe")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(body), `"is_bot":true`) {
		t.Errorf("getMe: %s %v", body, err)
	}
	select {
	case c := <-code:
		t.Fatalf("it ended by itself with %d\n%s", c, out)
	default:
	}
	stop()
	if c := <-code; c != 0 {
		t.Errorf("ended with %d\n%s", c, out)
	}
	if _, err := http.Get(api + "getMe"); err == nil {
		t.Error("somebody still answers there")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// An address that is taken is said in a sentence.
func TestDemoWhereSomebodyListens(t *testing.T) {
	m := newMachine(t, "polling")
	taken := strings.TrimPrefix(m.variable("HODOR_TELEGRAM_API_URL"), "http://")
	m.wantSentence(m.do(nil, "demo", "--listen", taken), "--listen", taken)
}
