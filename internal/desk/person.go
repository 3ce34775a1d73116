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

// maxTitle is how many characters Telegram allows a topic's name.
const maxTitle = 128

// TopicTitle is what a person's topic is called: the first name, else @username, else ID_<id>; at most 128 characters (E4).
func (p Person) TopicTitle() string {
	if name := cut(tidy(p.FirstName), maxTitle); name != "" {
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

// tidy makes one line of a name, of what can be seen: Telegram refuses a name that has nothing else.
func tidy(s string) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, s)
	if strings.TrimFunc(seen, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) }) == "" {
		return ""
	}
	return strings.Join(strings.Fields(seen), " ")
}

// invisible characters change how the rest of a line is shown, or fill it with nothing.
func invisible(r rune) bool {
	switch {
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x2800, r == 0x3164, r == 0xFEFF, r == 0x200B:
		return true
	}
	return false
}

// cut keeps the first n characters.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.TrimSpace(s[:i])
		}
		n--
	}
	return s
}
