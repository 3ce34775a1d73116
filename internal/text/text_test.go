package text

import (
	"strings"
	"sync"
	"testing"
	"time"

	"hodor/internal/desk"
)

func load(t testing.TB, language string) *Catalogue {
	t.Helper()
	c, err := Load(language, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}

func TestReaderGetsTheirLanguage(t *testing.T) {
	const english, chinese = "Try again", "重试"
	byCode := map[string]string{
		"en": english, "EN": english, "en-GB": english, "en_US": english,
		"zh": chinese, "zh-hans": chinese, "zh-CN": chinese, "zh_cn": chinese, "zh-hans-raw": chinese, "zh-TW": chinese,
	}
	neither := []string{"", "pt-br", "de", "ru", "xx", "classic-zh-cn", "!!", "x-\x00", strings.Repeat("a-", 500)}
	for group, fallback := range map[string]string{"en": english, "zh-hans": chinese, "ZH-Hans": chinese} {
		c := load(t, group)
		for code, want := range byCode {
			wantText(t, c.Say(code, TryAgain()), want)
		}
		for _, code := range neither {
			wantText(t, c.Say(code, TryAgain()), fallback)
		}
		wantText(t, c.Group(TryAgain()), fallback)
	}
}

func TestPluralForms(t *testing.T) {
	c := load(t, "en")
	for _, tc := range []struct {
		language string
		count    int
		want     string
	}{
		{"en", 0, "at most 0 messages a minute"},
		{"en", 1, "at most 1 message a minute"},
		{"en", 2, "at most 2 messages a minute"},
		{"en", 21, "at most 21 messages a minute"},
		{"zh-hans", 1, "每分钟最多转达 1 条消息"},
		{"zh-hans", 20, "每分钟最多转达 20 条消息"},
	} {
		if got := c.Say(tc.language, RefusedTooFast(tc.count)); !strings.Contains(got, tc.want) {
			t.Errorf("%s, %d: said %q, want %q in it", tc.language, tc.count, got, tc.want)
		}
	}
	wantText(t, c.Group(FailedAttempts(1)), "Not delivered: Telegram did not take it in 1 try.")
	wantText(t, c.Group(FailedAttempts(8)), "Not delivered: Telegram did not take it in 8 tries.")
}

func TestKindsAreNamedInTheReadersLanguage(t *testing.T) {
	c := load(t, "en")
	wantText(t, c.Say("en", NotPassedOn("video_note")),
		"Sorry, this message (video message) could not be passed on to the team. Please send it another way.")
	wantText(t, c.Say("zh-CN", NotPassedOn("video_note")), "抱歉，这条消息（视频消息）无法转达给团队。请换一种方式发送。")
	// Kinds newer than the catalogues keep Telegram's name.
	wantText(t, c.Say("en", NotPassedOn("smell_note")),
		"Sorry, this message (smell note) could not be passed on to the team. Please send it another way.")
}

func TestNamesAreShownAsTheyAre(t *testing.T) {
	c := load(t, "en")
	for _, name := range []string{"<b>", "_x_", "{{.Name}}", "{{", "{{.ID}}", "{{printf \"%s\" .}}", "%s", "&amp;", "`a`", `\n`, "👨‍👩‍👧‍👦", "Ağça", "محمد"} {
		wantText(t, c.Group(RiskReminder(name)), "⚠️ "+name+" is marked as a risk. Please be careful.")
		wantText(t, c.Group(CardNameUsername(name, "@x_y")), "👤 "+name+" (@x_y)")
	}
}

func TestNamesAreMadeHarmless(t *testing.T) {
	c := load(t, "en")
	for name, want := range map[string]string{
		"Anna\nBanned: no":            "Anna Banned: no",
		"a\r\n\t\x00b":                "a b",
		"\n x \n":                     "x",
		"a\u2028b\u2029c":             "a b c",
		"\u202Ecod.exe\u202C":         "cod.exe",
		"\u2066a\u2067b\u2068c\u2069": "abc",
		"a\xffb":                      "a\uFFFDb",
		"":                            "–",
		" \n ":                        "–",
		"\u202E":                      "–",
		"\u3164":                      "–",
		"\u200B\u2060":                "–",
		"\u0301":                      "–",
		"\u200Fאבג":                   "\u200Fאבג",
	} {
		wantText(t, c.Group(CardName(name)), "👤 "+want)
	}
}

func TestCardIsWholeLines(t *testing.T) {
	c := load(t, "en")
	at := time.Date(2026, 1, 2, 16, 4, 5, 0, time.FixedZone("", 3600))
	lines := []desk.Text{CardNameUsername("Anna", "anna"), CardID(7), CardLanguage("pt-br"), CardFirstContact(at),
		CardNotVerified(), CardBanned(), CardNote("owes\nus\n5 €")}
	wantText(t, c.GroupLines(lines...), strings.Join([]string{
		"👤 Anna (@anna)",
		"ID: 7",
		"Language: pt-br",
		"First contact: 2026-01-02 15:04 UTC",
		"Not verified",
		"🚫 Banned: what they write is not passed on",
		"📝 owes us 5 €",
	}, "\n"))
	wantText(t, c.SayLines("zh-hans", CardID(7), CardVerified()), "ID：7\n✅ 已通过验证")
	wantText(t, c.SayLines("en"), "")
}

// A text may have been owed by a version that had it, or by one that will.
func TestUnknownKeyIsSaidAsItIs(t *testing.T) {
	c := load(t, "en")
	wantText(t, c.Group(desk.Text{Key: "from_the_future", Count: 3}), "from_the_future")
	wantText(t, c.Group(desk.Text{}), "–")
	if got := c.Group(desk.Text{Key: strings.Repeat("k", 9000)}); Units(got) != wholeMessage {
		t.Errorf("a key of 9000 letters was said in %d units", Units(got))
	}
	for key, want := range map[string]string{"card_name": "👤 –", "card_id": "ID: –"} {
		wantText(t, c.Group(desk.Text{Key: key}), want)
	}
	wantText(t, c.Group(LineNotShown("\u202E", "")),
		"A message (–) could not be shown here, and its sender has been told. Telegram says: –")
}

// One catalogue serves everybody; this is for the race detector.
func TestManySpeakAtOnce(t *testing.T) {
	c := load(t, "en")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, m := range sampleTexts() {
				c.Say("zh", m)
				c.GroupLines(m, m)
			}
		})
	}
	all.Wait()
}

func BenchmarkSay(b *testing.B) {
	c := load(b, "en")
	for name, m := range map[string]desk.Text{
		"plain": Welcome(), "name": CardNameUsername("Anna Ağça", "anna"), "plural": RefusedTooFast(20), "kind": NotPassedOn("voice"),
	} {
		for _, code := range []string{"en", "pt-br"} {
			b.Run(name+"/"+code, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.Say(code, m)
				}
			})
		}
	}
}
