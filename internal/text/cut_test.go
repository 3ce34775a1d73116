package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"hodor/internal/desk"
)

const family = "👨‍👩‍👧‍👦" // one character to people, 11 units to Telegram

func TestUnits(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "é": 1, "重试": 2, "👤": 2, family: 11, "e\u0301": 2, "\xff": 1} {
		if got := Units(s); got != want {
			t.Errorf("Units(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCutKeepsCharactersWhole(t *testing.T) {
	for _, tc := range []struct {
		s     string
		units int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -5, ""},
		{"重试重试", 4, "重试重试"},
		{"重试重试", 3, "重试…"},
		{family + family, 22, family + family},
		{family + family, 21, family + "…"},
		{family + family, 12, family + "…"},
		{family + family, 11, "…"},
		{family, 10, "…"},
		{"e\u0301e\u0301e\u0301", 5, "e\u0301e\u0301…"},
		{"e\u0301e\u0301e\u0301", 4, "e\u0301…"},
		{"🇩🇪🇫🇷", 7, "🇩🇪…"},
		{"🇩🇪🇫🇷", 4, "…"},
		{"👍🏽👍🏽", 7, "👍🏽…"},
		{"ab cd", 4, "ab…"},
		{"a" + strings.Repeat("\u0301", 5000), 100, "…"},
	} {
		if got := Cut(tc.s, tc.units); got != tc.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tc.s, tc.units, got, tc.want)
		}
	}
}

func TestOnlyPeoplesStringsAreCut(t *testing.T) {
	c := load(t, "en")
	name := strings.Repeat(family, 1000)
	got := c.Group(TopicGoneTwice(name, 1<<62))
	rest, ours := strings.CutPrefix(got, "The topic of "+family)
	if !ours || !strings.HasSuffix(rest, family+"… (4611686018427387904) vanished twice while a message was on its way into it. "+
		"The message was not delivered; you can try again.") {
		t.Errorf("our own words were cut, or a family was torn: %q", got)
	}
	if units := Units(got); units > wholeMessage || units <= wholeMessage-Units(family) {
		t.Errorf("%d units, want as many as fit into %d", units, wholeMessage)
	}
}

// A long note must not cost the name its end.
func TestTheLongestIsCutFirst(t *testing.T) {
	c := load(t, "en")
	got := c.GroupLines(CardNameUsername("Anna", "anna"), CardID(7), CardNote(strings.Repeat("n", 9000)), CardBlocked())
	if !strings.HasPrefix(got, "👤 Anna (@anna)\nID: 7\n📝 nnn") || !strings.HasSuffix(got, "nnn…\n🔕 Has blocked the bot") {
		t.Errorf("said %q", got)
	}
	if units := Units(got); units != wholeMessage {
		t.Errorf("%d units, want %d", units, wholeMessage)
	}
	both := c.GroupLines(CardName(strings.Repeat("a", 9000)), CardNote(strings.Repeat("n", 5000)))
	if a, n := strings.Count(both, "a"), strings.Count(both, "n"); a != n {
		t.Errorf("%d of the name and %d of the note are left, want as many of each", a, n)
	}
}

func TestMoreLinesThanFitAreLeftOutWhole(t *testing.T) {
	c := load(t, "en")
	got := c.GroupLines(repeat(CardVerified(), 1000)...)
	if Units(got) > wholeMessage || strings.ReplaceAll(got, "✅ Verified", "") != strings.Repeat("\n", strings.Count(got, "\n")) {
		t.Errorf("said %d units, ending in %q", Units(got), got[len(got)-30:])
	}
}

func repeat(m desk.Text, n int) []desk.Text {
	lines := make([]desk.Text, n)
	for i := range lines {
		lines[i] = m
	}
	return lines
}

// FuzzSay says every text with arbitrary values: within the limit, valid, and with every word of ours in its place.
func FuzzSay(f *testing.F) {
	c := load(f, "en")
	samples := sampleTexts()
	keys := sorted(table)
	f.Add(uint16(3), "en", "<b>", "7", 1)
	f.Add(uint16(9), "zh-CN", strings.Repeat(family, 400), strings.Repeat("9", 5000), -1)
	f.Add(uint16(12), "", "{{.Name}}\u202E\n", "\xff", 1<<62)
	f.Add(uint16(31), "pt-br", "🇩🇪🇩"+strings.Repeat("e\u0301", 2100), "voice", -1<<63)
	f.Fuzz(func(t *testing.T, which uint16, languageCode, person, other string, n int) {
		key := keys[int(which)%len(keys)]
		m := desk.Text{Key: key, Count: n, Args: map[string]string{}}
		for name := range samples[key].Args {
			m.Args[name] = other
			if placeholders[name] == 0 {
				m.Args[name] = person
			}
		}
		got := c.Say(languageCode, m)
		if Units(got) > table[key].limit || !utf8.ValidString(got) || got == "" {
			t.Errorf("%s: %d units, %q", key, Units(got), got)
		}
		tag := "en"
		if c.voiceFor(languageCode) != c.voiceFor("en") {
			tag = "zh-hans"
		}
		if !hasOurWords(got, tag, key) {
			t.Errorf("%s: our words are cut in %q", key, got)
		}
		whole := c.SayLines(languageCode, FailedAbout(person, 1), m, CardNote(person))
		if Units(whole) > wholeMessage || strings.Count(whole, "\n") != 2 {
			t.Errorf("%s in lines: %d units, %q", key, Units(whole), whole)
		}
		if short := Cut(Clean(person), 50); Units(short) > 50 || !endsBetweenCharacters(short, Clean(person)) {
			t.Errorf("%q was cut to %q", person, short)
		}
	})
}

// endsBetweenCharacters holds if short is the whole, or some of its first characters and "…".
func endsBetweenCharacters(short, whole string) bool {
	if short == whole {
		return true
	}
	before := ""
	for g := uniseg.NewGraphemes(whole); ; before += g.Str() {
		if short == strings.TrimRightFunc(before, unicode.IsSpace)+ellipsis {
			return true
		}
		if len(before) > len(short) || !g.Next() {
			return false
		}
	}
}

// hasOurWords looks for the words of one of the key's forms in their order, the first and the last at the ends.
func hasOurWords(said, tag, key string) bool {
	for _, form := range builtIn[tag][key] {
		pieces, _ := takeApart(form)
		rest, ok := strings.CutPrefix(said, pieces[0].words)
		for _, p := range pieces[1:] {
			if at := strings.Index(rest, p.words); at < 0 {
				ok = false
			} else {
				rest = rest[at+len(p.words):]
			}
		}
		if ok && strings.HasSuffix(said, pieces[len(pieces)-1].words) {
			return true
		}
	}
	return false
}
