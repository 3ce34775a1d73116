package main

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"

	"hodor/internal/desk"
)

const envPrefix = "HODOR_"

// readEnvironment takes every variable that begins with HODOR_, over what the file said.
func (l *loader) readEnvironment(environ []string) {
	keys := map[string]string{}
	for key := range l.defaults {
		keys[envPrefix+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = key
	}
	variables := env.ToMap(environ)
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		key, known := keys[name]
		text, isText := strings.CutPrefix(name, envPrefix+"TEXT_")
		switch {
		case known:
			l.setFromVariable(name, key, variables[name])
		case isText && text != "":
			path := l.textPath(strings.ToLower(text))
			l.where[keyName(path)] = name
			l.setText(path, variables[name])
		case strings.HasPrefix(name, envPrefix):
			l.unknown(keyName([]string{name}), "unknown variable") // quoted, should it hold a line feed
		}
	}
}

func (l *loader) setFromVariable(name, key, value string) {
	l.where[key] = name
	l.bad[key] = false
	l.remember(key, value)
	if !l.assignVariable(name, key, value) {
		l.fault(key, value, l.wantedType(key))
	}
}

func (l *loader) assignVariable(name, key, value string) bool {
	// The library takes an empty variable for one that is not set; who writes HODOR_HTTP_LISTEN= means it.
	if value == "" {
		path := strings.Split(key, ".")
		return l.assign(path, "") || l.assign(path, []any{})
	}
	next := l.config
	err := env.ParseWithOptions(&next, env.Options{
		Prefix:      envPrefix,
		Environment: map[string]string{name: value},
		FuncMap:     map[reflect.Type]env.ParserFunc{reflect.TypeFor[desk.UserID](): parseUserID},
	})
	if err != nil {
		return false
	}
	l.config = next
	return true
}

// parseUserID allows a space after the comma of a list.
func parseUserID(text string) (any, error) {
	id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return desk.UserID(id), err
}

// textPath is the way to what HODOR_TEXT_<KEY> or HODOR_TEXT_<LANGUAGE>_<KEY> sets. Of languages that both fit, such as zh and
// zh-hans, the longer is meant.
func (l *loader) textPath(name string) []string {
	path, longest := []string{"text", name}, 0
	for _, language := range l.languages {
		key, found := strings.CutPrefix(name, strings.ReplaceAll(language, "-", "_")+"_")
		if found && key != "" && len(language) > longest {
			path, longest = []string{"text", language, key}, len(language)
		}
	}
	return path
}
