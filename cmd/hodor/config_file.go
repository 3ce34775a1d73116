package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readFile takes every key of a TOML document. It returns an error only for a document that is not TOML, of which nothing can
// be said but where it breaks: the library's own words quote what stands there, and that may be a secret without its quotes.
func (l *loader) readFile(name string, document []byte) error {
	var tree map[string]any
	if err := toml.Unmarshal(document, &tree); err != nil {
		var broken *toml.DecodeError
		if !errors.As(err, &broken) {
			return fmt.Errorf("%s: not valid TOML", name)
		}
		line, column := broken.Position()
		return fmt.Errorf("%s:%d: not valid TOML at column %d: a text stands in quotes, and a key stands only once", name, line, column)
	}
	lines := keyLines(document)
	values := leaves(nil, tree)
	slices.SortStableFunc(values, func(a, b leaf) int { return lineOf(lines, a.path) - lineOf(lines, b.path) })
	for _, v := range values {
		l.where[keyName(v.path)] = fmt.Sprintf("%s:%d", name, lineOf(lines, v.path))
		l.setFromFile(v.path, v.value)
	}
	return nil
}

func (l *loader) setFromFile(path []string, value any) {
	key := keyName(path)
	l.remember(key, value)
	_, known := l.defaults[key]
	switch {
	case known:
		_, isText := value.(string)
		// A Secret takes the text of whatever stands there, a number too.
		if isSecret(key) && !isText || !l.assign(path, value) {
			l.fault(key, value, l.wantedType(key))
		}
	case l.isTable(key):
		if !isEmptyTable(value) {
			l.fault(key, value, "must be a table, ["+key+"]")
		}
	case path[0] == "text":
		l.setText(path, value)
	default:
		l.unknown(key, "unknown key")
	}
}

// assign sets one key of the configuration; false if the value's type does not fit it.
func (l *loader) assign(path []string, value any) bool {
	for _, name := range slices.Backward(path) {
		value = map[string]any{name: value}
	}
	document, err := toml.Marshal(value)
	if err != nil {
		return false
	}
	next := l.config
	if err := toml.Unmarshal(document, &next); err != nil {
		return false
	}
	l.config = next
	return true
}

// A leaf is a value that is not a table, or an empty table, with the way to it.
type leaf struct {
	path  []string
	value any
}

func leaves(path []string, value any) []leaf {
	table, ok := value.(map[string]any)
	if !ok || len(table) == 0 && len(path) > 0 {
		return []leaf{{path, value}}
	}
	var all []leaf
	for _, name := range slices.Sorted(maps.Keys(table)) {
		all = append(all, leaves(append(slices.Clone(path), name), table[name])...)
	}
	return all
}

// asTree is the configuration as the TOML library reads it into a map.
func asTree(c Config) map[string]any {
	var tree map[string]any
	document, err := toml.Marshal(c)
	if err == nil {
		err = toml.Unmarshal(document, &tree)
	}
	if err != nil {
		panic(fmt.Sprintf("a configuration that is no TOML: %v", err)) // the type Config itself would be wrong
	}
	return tree
}

// keyLines tells in which line each key and table of a valid document stands.
func keyLines(document []byte) map[string]int {
	lines := map[string]int{}
	var table []string
	var parser unstable.Parser
	parser.Reset(document)
	for parser.NextExpression() {
		expression := parser.Expression()
		inTable := expression.Kind == unstable.KeyValue
		var path []string
		if inTable {
			path = slices.Clone(table)
		}
		line := 0
		for part := expression.Key(); part.Next(); {
			path = append(path, string(part.Node().Data))
			line = parser.Shape(part.Node().Raw).Start.Line
		}
		if !inTable {
			table = path
		}
		lines[keyName(path)] = line
	}
	return lines
}

// lineOf is the line of a key; what stands in an inline table has the line of that table.
func lineOf(lines map[string]int, path []string) int {
	for ; len(path) > 0; path = path[:len(path)-1] {
		if line, ok := lines[keyName(path)]; ok {
			return line
		}
	}
	return 1
}

func isEmptyTable(value any) bool {
	table, ok := value.(map[string]any)
	return ok && len(table) == 0
}
