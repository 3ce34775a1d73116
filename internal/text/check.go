package text

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// everyLanguage stands for the tag of overrides that name no language.
const everyLanguage = ""

// readOverrides sorts the overrides by tag and key. It leaves out those that are empty, which mean the built-in text, and those
// with faults, so that a fault is not found a second time in what the override would have done.
func readOverrides(all map[string]string, perLanguage map[string]map[string]string) (map[string]map[string]string, []error) {
	wording := map[string]map[string]string{}
	texts, faults := readTexts("text.", all)
	wording[everyLanguage] = texts
	for _, name := range sorted(perLanguage) {
		tag := tagOf(name)
		if !slices.Contains(Languages(), tag) {
			faults = append(faults, fmt.Errorf("text.%s: there is no such language; there are %s", name, languageList()))
			continue
		}
		if wording[tag] != nil {
			faults = append(faults, fmt.Errorf("text.%s: this language is there twice, written differently", name))
		}
		texts, more := readTexts("text."+name+".", perLanguage[name])
		faults = append(faults, more...)
		wording[tag] = texts
	}
	return wording, faults
}

// tagOf takes zh_hans for zh-hans: an environment variable cannot have the hyphen.
func tagOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

func readTexts(prefix string, overrides map[string]string) (map[string]string, []error) {
	texts := map[string]string{}
	var faults []error
	for _, key := range sorted(overrides) {
		text := unescape(overrides[key])
		found := faultsOf(key, text)
		for _, fault := range found {
			faults = append(faults, fmt.Errorf("%s%s: %w", prefix, key, fault))
		}
		if text != "" && found == nil {
			texts[key] = text
		}
	}
	return texts, faults
}

// unescape makes line breaks of literal \n, which is all that fits into an environment variable.
func unescape(text string) string {
	return strings.TrimSpace(strings.NewReplacer(`\n`, "\n", "\r\n", "\n").Replace(text))
}

// faultsOf is everything that is wrong with one wording of a text, in whatever language. An empty one is no wording.
func faultsOf(key, text string) []error {
	entry, known := table[key]
	if !known {
		return []error{errors.New("there is no such text")}
	}
	if text == "" {
		return nil
	}
	if !utf8.ValidString(text) {
		return []error{errors.New("this is not UTF-8")}
	}
	pieces, err := takeApart(text)
	if err != nil {
		return []error{err}
	}
	faults := entry.misplaced(pieces)
	if units := pieces.longest(); units > entry.limit {
		const rule = "takes up to %d UTF-16 units with the longest values; at most %d"
		faults = append(faults, fmt.Errorf(rule, units, entry.limit))
	}
	return faults
}

// misplaced tells which placeholders are missing and which have no value here.
func (e entry) misplaced(pieces layout) []error {
	var faults []error
	for _, name := range e.placeholders {
		if !slices.Contains(pieces, piece{placeholder: name}) {
			faults = append(faults, fmt.Errorf("the placeholder {{.%s}} is missing", name))
		}
	}
	for _, p := range pieces {
		if p.placeholder != "" && !slices.Contains(e.placeholders, p.placeholder) {
			faults = append(faults, fmt.Errorf("{{.%s}} has no value here; %s", p.placeholder, e.allowed()))
		}
	}
	return faults
}

func (e entry) allowed() string {
	if len(e.placeholders) == 0 {
		return "this text has no placeholders"
	}
	return "there is {{." + strings.Join(e.placeholders, "}}, {{.") + "}}"
}

// longest is how many units of a text can never be cut.
func (l layout) longest() int {
	units := 0
	for _, p := range l {
		units += Units(p.words)
		if p.placeholder != "" {
			units += placeholders[p.placeholder].longest()
		}
	}
	return units
}

// tooLongTogether finds lines that each fit but not into the one message they are said in.
func (b book) tooLongTogether() []error {
	var faults []error
	cards, helps, heading, failure := 0, 0, 0, 0
	for _, m := range b.messages {
		units := longestForm(m) + len("\n")
		switch {
		case strings.HasPrefix(m.ID, "card_"):
			cards += units
		case strings.HasPrefix(m.ID, "help_"):
			helps += units
		case m.ID == "failed_about":
			heading = units
		case strings.HasPrefix(m.ID, "failed_"):
			failure = max(failure, units)
		}
	}
	const rule = "text.%s.%s: these lines take up to %d UTF-16 units in one message; at most %d"
	add := func(keys string, units int) {
		if units > wholeMessage {
			faults = append(faults, fmt.Errorf(rule, b.tag, keys, units, wholeMessage))
		}
	}
	add("card_*", cards)
	add("help_*", helps)
	add("failed_about with the longest failed_*", heading+failure)
	return faults
}

func longestForm(m *i18n.Message) int {
	longest := 0
	for _, form := range forms(m) {
		if pieces, err := takeApart(*form); err == nil {
			longest = max(longest, pieces.longest())
		}
	}
	return longest
}
