package text

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/language"
)

//go:embed catalogues/*.toml
var catalogues embed.FS

// A book is one language's file, with the overrides once they are laid over it.
type book struct {
	tag      string
	messages []*i18n.Message
}

// Load reads the catalogues and lays the operator's overrides over them: overrides for every language, perLanguage (language,
// then key) for one, which goes before. groupLanguage is text.language, the one of the group. All faults are in the error at once, each beginning
// with its key as it stands in the configuration.
func Load(groupLanguage string, overrides map[string]string, perLanguage map[string]map[string]string) (*Catalogue, error) {
	books, err := readBooks()
	if err != nil {
		return nil, err
	}
	group := slices.Index(Languages(), strings.ToLower(groupLanguage))
	var faults []error
	if group < 0 {
		faults = append(faults, fmt.Errorf("text.language = %q: there is no such language; there are %s", groupLanguage, languageList()))
	}
	wording, more := readOverrides(overrides, perLanguage)
	faults = append(faults, more...)
	for _, b := range books {
		b.lay(wording)
		faults = append(faults, b.tooLongTogether()...)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return bind(books, group)
}

// Languages are those there is a catalogue for, as lower-case tags in the order of the alphabet.
func Languages() []string {
	files, _ := catalogues.ReadDir("catalogues") // embedded: it cannot fail
	var tags []string
	for _, f := range files {
		tags = append(tags, strings.TrimSuffix(f.Name(), ".toml"))
	}
	return tags
}

func languageList() string { return strings.Join(Languages(), ", ") }

func readBooks() ([]book, error) {
	var books []book
	for _, tag := range Languages() {
		name := path.Join("catalogues", tag+".toml")
		data, err := catalogues.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := i18n.ParseMessageFileBytes(data, name, map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		books = append(books, book{tag, file.Messages})
	}
	return books, nil
}

// bind makes a catalogue of books that have no faults.
func bind(books []book, group int) (*Catalogue, error) {
	c := &Catalogue{tags: Languages(), group: group}
	bundle := i18n.NewBundle(language.Make(books[group].tag))
	var tags []language.Tag
	for _, b := range books {
		tag := language.Make(b.tag)
		if err := bundle.AddMessages(tag, b.messages...); err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", b.tag, err)
		}
		tags = append(tags, tag)
		base, _ := tag.Base()
		c.bases = append(c.bases, base.String())
		c.voices = append(c.voices, i18n.NewLocalizer(bundle, b.tag))
	}
	c.matcher = language.NewMatcher(tags)
	return c, nil
}

// lay replaces every plural form of an overridden text: an override is one sentence, for whatever number.
func (b book) lay(wording map[string]map[string]string) {
	for _, m := range b.messages {
		text, overridden := wording[b.tag][m.ID]
		if !overridden {
			text, overridden = wording[everyLanguage][m.ID]
		}
		if !overridden {
			continue
		}
		for _, form := range forms(m) {
			*form = text
		}
	}
}

// forms are the plural forms that a message has; without plurals it has one.
func forms(m *i18n.Message) []*string {
	all := []*string{&m.Zero, &m.One, &m.Two, &m.Few, &m.Many, &m.Other}
	return slices.DeleteFunc(all, func(form *string) bool { return *form == "" })
}

// sorted makes the order of the faults the same each time.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
