package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows are who may import whom among the rooms: the third sentence of the design, kept by which package is handed which value.
var arrows = map[string][]string{
	"internal/desk":     {},
	"migrations":        {},
	"internal/text":     {"internal/desk"},
	"db":                {"internal/desk", "migrations"},
	"db/dbtest":         {"db", "internal/desk"},
	"internal/outbox":   {"db", "internal/desk", "internal/text"},
	"internal/emulator": {},
	"bot":               {"db", "internal/desk", "internal/text"},
	"cmd/hodor":         {"bot", "db", "internal/desk", "internal/text", "internal/outbox", "internal/emulator"},
}

// only are the rooms in which an import from outside may stand.
var only = map[string][]string{
	"github.com/go-telegram/bot":        {"internal/outbox"},
	"github.com/go-telegram/bot/models": {"internal/outbox", "internal/emulator"},
	"database/sql":                      {"db"},
	"modernc.org/sqlite":                {"db"},
	"github.com/pressly/goose/v3":       {"db"},
}

func TestArrowsBetweenTheRooms(t *testing.T) {
	for file, imports := range sources(t) {
		room := filepath.ToSlash(filepath.Dir(file))
		allowed, known := arrows[room]
		if !known {
			t.Errorf("%s: a room that the design does not know", file)
		}
		for _, path := range imports {
			if inside, ours := strings.CutPrefix(path, "hodor/"); ours && !slices.Contains(allowed, inside) {
				t.Errorf("%s imports %s: there is no such arrow", file, inside)
			}
			if rooms, limited := only[path]; limited && !slices.Contains(rooms, room) {
				t.Errorf("%s imports %s, which stays in %v", file, path, rooms)
			}
			if room == "internal/desk" && strings.Contains(path, ".") {
				t.Errorf("%s imports %s: the words of the trade need the standard library only", file, path)
			}
		}
	}
}

// sources are the imports of each file that is no test.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..")
	files := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		for _, i := range parsed.Imports {
			imported, _ := strconv.Unquote(i.Path.Value)
			files[name] = append(files[name], imported)
		}
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files found: %v", len(files), err)
	}
	return files
}

// time.Now belongs to cmd alone: everybody else is handed a clock, so that tests can move it.
func TestOnlyCmdReadsTheClock(t *testing.T) {
	for file := range sources(t) {
		if strings.HasPrefix(filepath.ToSlash(file), "cmd/") || strings.HasPrefix(filepath.ToSlash(file), "internal/emulator") {
			continue
		}
		if uses(t, filepath.Join("..", "..", file), "time", "Now") {
			t.Errorf("%s uses time.Now", file)
		}
	}
}

// uses tells whether a file mentions pkg.name.
func uses(t *testing.T, path, pkg, name string) (found bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == name {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				found = true
			}
		}
		return true
	})
	return found
}
