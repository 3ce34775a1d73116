package text

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"

	"hodor/internal/desk"
)

// A layout is a text taken apart at its placeholders. Placeholders are all that a text may contain: with the conditions and
// functions of text/template, neither its length nor what it does to a name could be known beforehand.
type layout []piece

// A piece is either words of ours or a placeholder.
type piece struct{ words, placeholder string }

var action = regexp.MustCompile(`(?s)\{\{.*?\}\}|\{\{`)
var named = regexp.MustCompile(`^\{\{\s*\.([A-Za-z]+)\s*\}\}$`)

func takeApart(text string) (layout, error) {
	var pieces layout
	from := 0
	for _, at := range action.FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		name := named.FindStringSubmatch(found)
		if name == nil {
			return nil, fmt.Errorf("%q is not a placeholder, which looks like {{.Name}}", found)
		}
		pieces = append(pieces, piece{words: text[from:at[0]]}, piece{placeholder: name[1]})
		from = at[1]
	}
	return append(pieces, piece{words: text[from:]}), nil
}

// parser makes layouts the templates of go-i18n, which then chooses the language and the plural form and keeps each template once
// it is parsed.
type parser struct{}

func (parser) Cacheable() bool { return true }

func (parser) Parse(text, _, _ string) (template.ParsedTemplate, error) { return takeApart(text) }

// A filling is what go-i18n hands to the chosen layout: where to write, and with which values.
type filling struct {
	draft *draft
	voice *i18n.Localizer
	text  desk.Text
}

// Execute writes into the draft of the filling and returns nothing: a string could no longer tell our words from a person's.
func (l layout) Execute(data any) (string, error) {
	f := data.(*filling)
	for _, p := range l {
		if p.placeholder == "" {
			f.draft.ours(p.words)
		} else {
			placeholders[p.placeholder].fill(f, p.placeholder)
		}
	}
	return "", nil
}

// lay adds one text to a draft.
func lay(d *draft, voice *i18n.Localizer, m desk.Text) {
	entry, known := table[m.Key]
	if !known {
		d.theirs(Clean(m.Key))
		return
	}
	config := i18n.LocalizeConfig{MessageID: m.Key, TemplateData: &filling{d, voice, m}, TemplateParser: parser{}}
	if entry.counts() {
		config.PluralCount = m.Count
	}
	// Nothing is left that could fail: Load has read every text, and the tests ask every language for every plural form.
	_, _ = voice.Localize(&config)
}

// word is how a kind of message, by the Bot API's name, is called in this language. A kind that is newer than our catalogues
// keeps its name.
func word(voice *i18n.Localizer, kind string) string {
	key := "kind_" + kind
	if _, known := table[key]; !known {
		return orNothing(Cut(Clean(strings.ReplaceAll(kind, "_", " ")), oneWord))
	}
	var d draft
	lay(&d, voice, desk.Text{Key: key})
	return d.fit(oneWord)
}
