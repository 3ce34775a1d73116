// Package text is everything a person reads: one catalogue per language, the operator's overrides, plural rules, lengths.
//
// It promises that a text is never longer than Telegram takes, that our own words are never cut, and that what people wrote
// about themselves (names, notes) is shown as it is: it is data, never a template and never markup. Texts are sent without
// parse_mode. It never fails while speaking: what could go wrong is found by Load.
package text

import (
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"hodor/internal/desk"
)

// A Catalogue says texts in the languages there are. It is made by Load, never changes, and may be used by many at once.
type Catalogue struct {
	tags    []string          // as Languages
	voices  []*i18n.Localizer // one for each of tags
	matcher language.Matcher  // over the same order
	bases   []string          // the languages of tags without script or region
	group   int               // the index of text.language
}

// Say is the sentence in the reader's language, within the limit of its kind. languageCode is Telegram's language_code, which
// may be empty or anything at all; where no catalogue suits it, text.language is spoken. A text whose key is unknown (written by
// another version) is its key.
func (c *Catalogue) Say(languageCode string, m desk.Text) string {
	return c.say(c.voiceFor(languageCode), limitOf(m.Key), m)
}

// Group is the sentence for the support group, in text.language.
func (c *Catalogue) Group(m desk.Text) string {
	return c.say(c.voices[c.group], limitOf(m.Key), m)
}

// SayLines is one message of whole lines: the card, a notice with a heading. Where the whole would be too long, what people wrote
// is cut, the longest first. Where even our own words were too many, which only overrides of absurd length could bring about, the
// last lines are left out whole.
func (c *Catalogue) SayLines(languageCode string, lines ...desk.Text) string {
	return c.say(c.voiceFor(languageCode), wholeMessage, lines...)
}

// GroupLines is SayLines for the support group, in text.language.
func (c *Catalogue) GroupLines(lines ...desk.Text) string {
	return c.say(c.voices[c.group], wholeMessage, lines...)
}

func (c *Catalogue) say(voice *i18n.Localizer, limit int, lines ...desk.Text) string {
	var d draft
	for i, line := range lines {
		before := d
		if i > 0 {
			d.ours("\n")
		}
		lay(&d, voice, line)
		if d.fixed > limit {
			return before.fit(limit)
		}
	}
	return d.fit(limit)
}

// voiceFor matches as CLDR does: zh-CN is Simplified Chinese, en-GB is English, and Traditional Chinese gets Simplified rather
// than a language that is not Chinese at all.
func (c *Catalogue) voiceFor(languageCode string) *i18n.Localizer {
	for i, tag := range c.tags {
		if strings.EqualFold(tag, languageCode) {
			return c.voices[i]
		}
	}
	// The error is of no use: Telegram knows language packs of its own such as "zh-hans-raw", whose known part is enough,
	// and what cannot be read at all becomes the undetermined language, which matches nothing.
	wanted, _ := language.Parse(languageCode)
	_, i, confidence := c.matcher.Match(wanted)
	// A catalogue suits who reads its language. CLDR would also give Swahili readers English.
	if base, _ := wanted.Base(); confidence == language.No || base.String() != c.bases[i] {
		i = c.group
	}
	return c.voices[i]
}
