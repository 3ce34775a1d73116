package desk_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hodor/internal/desk"
)

// E4
func TestTopicTitle(t *testing.T) {
	family := "👨\u200d👩\u200d👧"
	for _, c := range []struct {
		first, username, want string
	}{
		{"Ann", "annlee", "Ann"},
		{"", "annlee", "@annlee"},
		{"   ", "annlee", "@annlee"},
		{"", "", "ID_7"},
		{"\t\n", "", "ID_7"},
		{"\u3164", "", "ID_7"},             // Hangul filler: Telegram shows nothing
		{"\u2800\u2800", "ann", "@ann"},    // braille blank
		{"\u200b\ufeff\u2060", "", "ID_7"}, // zero-width characters
		{"\u00ad", "", "ID_7"},             // soft hyphen
		{"\u0301", "", "ID_7"},             // an accent on nothing
		{"\u202eevil", "", "evil"},         // turns the rest of the line round
		{"\u2066a\u2069b", "", "ab"},
		{"Ann\u0000\u0007Lee", "", "Ann Lee"},
		{"Ann\nLee\r\n\tx", "", "Ann Lee x"},
		{"  Ann \u00a0 Lee  ", "", "Ann Lee"},
		{"安娜", "", "安娜"},
		{"علي", "", "علي"},
		{"<b>_x_", "", "<b>_x_"},
		{family, "", family}, // joined emoji stay joined
		{"🇩🇪", "", "🇩🇪"},
		{"\u115f\u1160\uffa0", "", "ID_7"}, // Hangul fillers
		{"\ufffc", "", "ID_7"},             // the place of an object
		{"\u20dd", "", "ID_7"},             // a circle around nothing
	} {
		p := desk.Person{ID: 7, FirstName: c.first, LastName: "ignored", Username: c.username}
		if got := p.TopicTitle(); got != c.want {
			t.Errorf("%q, @%s: %q, want %q", c.first, c.username, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		first, last, username, want string
		named                       bool
	}{
		{"Ann", "Lee", "x", "Ann Lee", true},
		{"Ann", "", "x", "Ann", true},
		{"", "Lee", "x", "Lee", true},
		{" Ann ", "\u202eLee\n", "", "Ann Lee", true},
		{"", "", "annlee", "@annlee", false},
		{"\u3164", "\u200b", "", "ID_7", false},
		{"", "", "", "ID_7", false},
	} {
		p := desk.Person{ID: 7, FirstName: c.first, LastName: c.last, Username: c.username}
		if p.Name() != c.want || p.Named() != c.named {
			t.Errorf("%q %q: %q, named %v", c.first, c.last, p.Name(), p.Named())
		}
	}
}

// Whatever somebody calls themselves, Telegram accepts the title and it stays on its line.
func TestAnyNameMakesATitle(t *testing.T) {
	odd := rapid.SampledFrom([]rune{'a', ' ', '\n', 0, 0x1b, 0x200b, 0x200d, 0x200f, 0x202e, 0x2066, 0x2800, 0x3164, 0xfeff, 0x301, '安', '👩', utf8.RuneError})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringOfN(odd, 0, 300, -1)).Draw(t, "name")
		for _, title := range []string{desk.Person{ID: 7, FirstName: name}.TopicTitle(), desk.Person{ID: 7, LastName: name}.Name()} {
			if title == "" || title != strings.TrimSpace(title) || !utf8.ValidString(title) {
				t.Fatalf("title %q", title)
			}
			visible := false
			for _, r := range title {
				if unicode.IsControl(r) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
					t.Fatalf("title %q holds %U", title, r)
				}
				visible = visible || !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Mn)
			}
			if !visible {
				t.Fatalf("nothing to be seen in %q", title)
			}
		}
		if n := utf8.RuneCountInString(desk.Person{ID: 7, FirstName: name}.TopicTitle()); n > 128 {
			t.Fatalf("%d characters", n)
		}
	})
}

func TestBotOfAToken(t *testing.T) {
	for token, want := range map[string]desk.BotID{"123:abc": 123, "9007199254740991:a:b": 9007199254740991, "": 0, "123": 0, "123:": 0,
		":abc": 0, "x:abc": 0, "-5:abc": 0, "0:abc": 0, "99999999999999999999:abc": 0, " 1:abc": 0} {
		got, ok := desk.Bot(token)
		if ok != (want > 0) || (ok && got != want) {
			t.Errorf("%q: %d, %v", token, got, ok)
		}
	}
}

func TestPrivateChatsAndGroups(t *testing.T) {
	if desk.UserID(7).PrivateChat() != 7 {
		t.Error("a person's private chat has another id")
	}
	for chat, want := range map[desk.ChatID]bool{7: true, 0: false, -5: false, -1001234567890: false} {
		if user, ok := chat.User(); ok != want || (ok && user != desk.UserID(chat)) {
			t.Errorf("chat %d: %d, %v", chat, user, ok)
		}
	}
}
