package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// loadConfig reads the file, then the environment over it, and checks the outcome. Only a file that was not asked for may be
// missing. languages are those there are texts in; also are checks that others make of what was read. The error has one line for each
// fault, and never a secret's value.
func loadConfig(path string, pathGiven bool, environ, languages []string, also ...func(Config) error) (Config, error) {
	document, err := os.ReadFile(path)
	if err != nil && (pathGiven || !errors.Is(err, fs.ErrNotExist)) {
		return Config{}, fmt.Errorf("read the configuration: %w", err)
	}
	l := newLoader(languages)
	if err := l.readFile(path, document); err != nil {
		return Config{}, err
	}
	l.readEnvironment(environ)
	l.checkRules()
	for _, check := range also {
		if err := check(l.config); err != nil {
			l.faults = append(l.faults, strings.Split(err.Error(), "\n")...)
		}
	}
	if err := l.err(); err != nil {
		return Config{}, err
	}
	return l.config, nil
}

// A loader sets one key after the other, so that one fault never hides another.
type loader struct {
	config    Config
	languages []string          // in small letters
	defaults  map[string]any    // every key with its default: "relay.max_attempts" → 8
	where     map[string]string // where a key was last set: "config.toml:7", or the name of a variable
	bad       map[string]bool   // keys whose value could not be taken; no rule is asked about them
	secrets   []string          // every secret that was read, also one that the environment then replaced
	faults    []string
}

func newLoader(languages []string) *loader {
	l := &loader{
		config:   defaultConfig(),
		defaults: map[string]any{},
		where:    map[string]string{},
		bad:      map[string]bool{},
	}
	for _, language := range languages {
		l.languages = append(l.languages, strings.ToLower(language))
	}
	for _, leaf := range leaves(nil, asTree(l.config)) {
		l.defaults[keyName(leaf.path)] = leaf.value
	}
	return l
}

// setText takes text.<key> or text.<language>.<key>.
func (l *loader) setText(path []string, value any) {
	key := keyName(path)
	text, isText := value.(string)
	if len(path) > 2 || isEmptyTable(value) {
		l.setLanguageText(path, value)
		return
	}
	if !isText {
		l.fault(key, value, "must be a text; an empty one is the built-in")
		return
	}
	l.config.Text.Overrides[path[1]] = text
}

func (l *loader) setLanguageText(path []string, value any) {
	key, language := keyName(path), strings.ToLower(path[1])
	text, isText := value.(string)
	switch {
	case !slices.Contains(l.languages, language):
		l.unknown(key, fmt.Sprintf("unknown language, there are %s", strings.Join(l.languages, ", ")))
	case len(path) == 2: // a language's table with nothing in it
	case len(path) > 3:
		l.unknown(key, "unknown key")
	case !isText:
		l.fault(key, value, "must be a text; an empty one is the built-in")
	default:
		if l.config.Text.PerLanguage[language] == nil {
			l.config.Text.PerLanguage[language] = map[string]string{}
		}
		l.config.Text.PerLanguage[language][path[2]] = text
	}
}

// remember keeps the secrets, so that one which was also written elsewhere is not shown from there.
func (l *loader) remember(key string, value any) {
	if text, ok := value.(string); ok && text != "" && isSecret(key) {
		l.secrets = append(l.secrets, text)
	}
}

// isTable tells whether a key is one of the tables, [relay] or [verify.turnstile].
func (l *loader) isTable(key string) bool {
	for known := range l.defaults {
		if known != key && within(known, key) {
			return true
		}
	}
	return false
}

// wantedType is the rule that a key's type makes, told by its default.
func (l *loader) wantedType(key string) string {
	switch l.defaults[key].(type) {
	case int64:
		return "must be a whole number"
	case bool:
		return "must be true or false"
	case []any:
		return "must be a list of whole numbers"
	default:
		return "must be a text"
	}
}

func (l *loader) fault(key string, value any, rule string) {
	l.bad[key] = true
	l.faults = append(l.faults, fmt.Sprintf("%s%s = %s: %s", l.place(key), key, shown(key, value), rule))
}

// unknown shows no value: under a misspelt name it may be a secret.
func (l *loader) unknown(key, rule string) {
	l.faults = append(l.faults, fmt.Sprintf("%s%s: %s", l.place(key), key, rule))
}

func (l *loader) place(key string) string {
	if where := l.where[key]; where != "" {
		return where + ": "
	}
	return ""
}

func (l *loader) err() error {
	// The longest first: one secret may be a part of another. Very short ones would only tear up words.
	slices.SortFunc(l.secrets, func(a, b string) int { return len(b) - len(a) })
	var errs []error
	for _, line := range l.faults {
		for _, secret := range l.secrets {
			if len(secret) >= 8 {
				line = strings.ReplaceAll(line, secret, hidden)
			}
		}
		errs = append(errs, errors.New(line))
	}
	return errors.Join(errs...)
}

// shown is a value as an error shows it, always in one line.
func shown(key string, value any) string {
	if text, ok := value.(string); ok {
		value = strconv.Quote(text)
	} else if encoded, err := json.Marshal(value); err == nil {
		value = string(encoded)
	}
	if isSecret(key) && value != `""` {
		return hidden
	}
	return fmt.Sprint(value)
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// keyName is a key as TOML writes it.
func keyName(path []string) string {
	parts := slices.Clone(path)
	for i, part := range parts {
		if !bareKey.MatchString(part) {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

// within tells whether key is outer, or lies in the table of that name.
func within(key, outer string) bool { return key == outer || strings.HasPrefix(key, outer+".") }
