package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"hodor/bot"
	"hodor/internal/text"
)

// What we tell people about the program is true of the program.

// fileOf is a file of the repository.
func fileOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	block = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	span  = regexp.MustCompile("`([^`\n]+)`")
)

// codeOf is what stands in a page as code: the lines of blocks, with their continuations joined, and spans.
func codeOf(page string) (code []string) {
	for _, b := range block.FindAllStringSubmatch(page, -1) {
		code = append(code, strings.Split(strings.TrimSpace(strings.ReplaceAll(b[1], "\\\n", "")), "\n")...)
	}
	for _, s := range span.FindAllStringSubmatch(block.ReplaceAllString(page, ""), -1) {
		code = append(code, s[1])
	}
	return code
}

var pages = []string{"README.md", "docs/design.md"}

// keyOfVariable is each key of the configuration by its variable.
func keyOfVariable() map[string]string {
	keys := map[string]string{}
	for key := range flat(defaultConfig()) {
		keys["HODOR_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = key
	}
	return keys
}

// Every variable that is mentioned anywhere is one that the program knows.
func TestVariablesThatAreMentionedExist(t *testing.T) {
	variable := regexp.MustCompile(`HODOR_[A-Z_]*[A-Z]`)
	known := keyOfVariable()
	found := 0
	for _, name := range append([]string{"Dockerfile", "config.example.toml", "Makefile", ".ci/run"}, pages...) {
		for _, v := range variable.FindAllString(fileOf(t, name), -1) {
			found++
			if known[v] == "" && v != "HODOR_TEXT" && v != "HODOR_TEXT_ZH_HANS" { // of a text, whose key follows
				t.Errorf("%s mentions %s, which is no variable of ours", name, v)
			}
		}
	}
	if found < 7 {
		t.Errorf("only %d variables found", found)
	}
}

// The lines with which the README starts the program load, except for the token, which is not to be a real one.
func TestTheReadmesStartLoads(t *testing.T) {
	assignment := regexp.MustCompile(`(HODOR_[A-Z_]+)=('[^']*'|\S+) `)
	started := false
	for _, line := range codeOf(fileOf(t, "README.md")) {
		if !strings.HasSuffix(line, " serve") {
			continue
		}
		started = true
		var environ []string
		for _, a := range assignment.FindAllStringSubmatch(line, -1) {
			environ = append(environ, a[1]+"="+strings.ReplaceAll(strings.Trim(a[2], "'"), "…", "DEF"))
		}
		c, err := loadConfig(filepath.Join(t.TempDir(), "config.toml"), false, environ, text.Languages())
		if err != nil || len(environ) != 3 || len(c.Telegram.AdminIDs) != 2 || c.Updates.Mode != "polling" {
			t.Errorf("%q does not load: %v", environ, err)
		}
		wantParsed(t, "README.md", line)
	}
	if !started {
		t.Error("the README does not say how to start")
	}
}

// Every line that runs the program is one that it understands.
func TestCommandsThatAreMentionedExist(t *testing.T) {
	parsed := 0
	for _, name := range pages {
		for _, line := range codeOf(fileOf(t, name)) {
			if strings.Contains(line, "./cmd/hodor ") || strings.HasPrefix(line, "hodor ") {
				wantParsed(t, name, line)
				parsed++
			}
		}
	}
	for _, name := range []string{"Makefile", ".ci/run"} {
		for line := range strings.Lines(fileOf(t, name)) {
			if strings.Contains(line, "go run ./cmd/hodor") {
				wantParsed(t, name, line)
				parsed++
			}
		}
	}
	if parsed < 5 {
		t.Errorf("only %d commands found", parsed)
	}
}

// wantParsed wants what stands behind the program's name to be a command line of it.
func wantParsed(t *testing.T, where, line string) {
	t.Helper()
	_, args, found := strings.Cut(line, "./cmd/hodor ")
	if !found {
		args = strings.TrimPrefix(line, "hodor ")
	}
	args, _, _ = strings.Cut(args, "&&")
	wantArgs(t, where, strings.Fields(args))
}

func wantArgs(t *testing.T, where string, args []string) {
	t.Helper()
	var line commandLine
	parser, err := kong.New(&line, kong.Name("hodor"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Errorf("%s: hodor %q: %v", where, args, err)
	}
}

// What the image sets loads as it is meant, and what it runs the program understands.
func TestTheDockerfileIsRight(t *testing.T) {
	dockerfile := fileOf(t, "Dockerfile")
	set := regexp.MustCompile(`(?m)^ENV (.*)$`).FindStringSubmatch(dockerfile)
	if set == nil {
		t.Fatal("it sets nothing")
	}
	environ := append(strings.Fields(set[1]), enough(t)[:2]...)
	c, err := loadConfig(filepath.Join(t.TempDir(), "config.toml"), false, environ, text.Languages())
	if err != nil || filepath.Dir(c.Database.Path) != "/data" || !strings.HasSuffix(c.HTTP.Listen, ":8080") {
		t.Errorf("%q: %v, %s, %s", environ, err, c.Database.Path, c.HTTP.Listen)
	}
	for _, want := range []string{"VOLUME /data", "EXPOSE 8080", "-X main.version=", `ENTRYPOINT ["/hodor"]`} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("nothing of %s", want)
		}
	}
	runs := regexp.MustCompile(`CMD \[(.*)\]`).FindAllStringSubmatch(dockerfile, -1)
	for _, r := range runs {
		args := strings.Split(strings.ReplaceAll(r[1], `"`, ""), ", ")
		wantArgs(t, "Dockerfile", slices.DeleteFunc(args, func(a string) bool { return a == "/hodor" }))
	}
	if len(runs) != 2 {
		t.Errorf("%d commands found", len(runs))
	}
}

// Every key of the configuration that a page mentions exists, with a value that fits where one is given.
func TestKeysThatAreMentionedExist(t *testing.T) {
	keys := flat(defaultConfig())
	tables := map[string]bool{}
	for key := range keys {
		table, _, _ := strings.Cut(key, ".")
		tables[table] = true
	}
	mention := regexp.MustCompile(`^([a-z]+)\.([a-z_.]+)(?: = (.*))?$`)
	found := 0
	for _, name := range pages {
		for _, code := range codeOf(fileOf(t, name)) {
			m := mention.FindStringSubmatch(code)
			if m == nil || !tables[m[1]] || m[2] == "go" {
				continue // text.go would be a file
			}
			found++
			key := m[1] + "." + m[2]
			if _, known := keys[key]; !known {
				t.Errorf("%s mentions %s, which is no key", name, code)
			}
			if m[3] != "" {
				environ := append(enough(t), "HODOR_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))+"="+strings.Trim(m[3], `"`))
				if _, err := loadConfig("", false, environ, text.Languages()); err != nil {
					t.Errorf("%s: %s: %v", name, code, err)
				}
			}
		}
	}
	if found < 3 {
		t.Errorf("only %d keys found", found)
	}
}

// What a page links to, and the make targets and files that it names, are there.
func TestLinksAndNamesOfThePagesExist(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	named := regexp.MustCompile(`^(?:make ([a-z]+)|([a-z_./]+\.(?:go|sql|toml|md)|\.ci/run|(?:bot|cmd|db|docs|internal|migrations)/[a-z0-9_./]*))$`)
	makefile := fileOf(t, "Makefile")
	for _, name := range pages {
		page := fileOf(t, name)
		for _, l := range link.FindAllStringSubmatch(page, -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			target, _, _ := strings.Cut(l[1], "#")
			wantFile(t, name, filepath.Join(filepath.Dir(name), target))
		}
		for _, code := range codeOf(page) {
			n := named.FindStringSubmatch(code)
			switch {
			case n == nil:
			case n[1] != "":
				if !strings.Contains(makefile, "\n"+n[1]+":") {
					t.Errorf("%s names make %s, which there is not", name, n[1])
				}
			case strings.Contains(n[2], "/"):
				wantFile(t, name, n[2])
			}
		}
	}
}

func wantFile(t *testing.T, page, name string) {
	t.Helper()
	// A page calls internal/desk "desk" once it has said where that is.
	for _, root := range []string{"", "internal"} {
		if _, err := os.Stat(filepath.Join("..", "..", root, name)); err == nil {
			return
		}
	}
	t.Errorf("%s names %s, which there is not", page, name)
}

// The version of Go is the same wherever it is named.
func TestGoIsNamedTheSameEverywhere(t *testing.T) {
	needs := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(fileOf(t, "go.mod"))[1]
	if !strings.Contains(fileOf(t, "README.md"), "[Go](https://go.dev/dl/) "+needs+" or newer") {
		t.Errorf("go.mod needs %s, and the README says otherwise", needs)
	}
	if !strings.Contains(fileOf(t, "Dockerfile"), "golang:"+needs+" ") {
		t.Errorf("go.mod needs %s, and the Dockerfile takes another", needs)
	}
}

// The README shows every command of the group, and no other; and where to ask whether all is well.
func TestTheReadmeShowsWhatTheGroupCanDo(t *testing.T) {
	readme := fileOf(t, "README.md")
	_, group, _ := strings.Cut(readme, "## In the group")
	group, _, _ = strings.Cut(group, "\n## ")
	command := regexp.MustCompile("`/([a-z]+)[^`]*`")
	shown := map[string]bool{}
	for _, c := range command.FindAllStringSubmatch(group, -1) {
		shown[c[1]] = true
	}
	for _, m := range bot.Menu() {
		if !shown[m.Name] {
			t.Errorf("the README does not show /%s", m.Name)
		}
		delete(shown, m.Name)
	}
	if len(shown) > 0 {
		t.Errorf("the README shows commands that there are not: %v", shown)
	}
	if !strings.Contains(readme, "http://"+defaultConfig().HTTP.Listen+"/readyz") {
		t.Error("the README names another address than the default")
	}
}
