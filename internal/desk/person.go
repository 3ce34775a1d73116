package desk

import (
	"strconv"
	"strings"
	"unicode"
)

// A Person is how Telegram describes somebody at the moment.
type Person struct {
	ID           UserID
	FirstName    string
	LastName     string
	Username     string
	LanguageCode string
}

// TopicTitle is what a person's topic is called, before it is cut to what Telegram takes: the first name, else @username, else
// ID_<id> (E4).
func (p Person) TopicTitle() string {
	if name := tidy(p.FirstName); name != "" {
		return name
	}
	if p.Username != "" {
		return "@" + p.Username
	}
	return "ID_" + strconv.FormatInt(int64(p.ID), 10)
}

// Name is what a person is called in a text: first and last name, else @username, else ID_<id>.
func (p Person) Name() string {
	if name := tidy(p.FirstName + " " + p.LastName); name != "" {
		return name
	}
	return p.TopicTitle()
}

// Named tells whether the person has a first or last name that can be seen.
func (p Person) Named() bool { return tidy(p.FirstName+" "+p.LastName) != "" }

// tidy makes one line of a name: no control characters, nothing that turns the direction of what follows, nothing at all if there is
// nothing to see.
func tidy(s string) string {
	line := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		case turns(r), blank(r):
			return -1
		}
		return r
	}, s)
	if !strings.ContainsFunc(line, seen) {
		return ""
	}
	return strings.Join(strings.Fields(line), " ")
}

// turns holds for bidirectional embeddings, overrides and isolates.
func turns(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// blank holds for what fills a line with nothing and is no space: Hangul fillers, the empty Braille cell, zero-width spaces, the place
// of an object.
func blank(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x200B, 0xFEFF, 0xFFFC:
		return true
	}
	return false
}

// seen holds for characters that show by themselves; joiners and accents do not.
func seen(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.M)
}
