package text

import (
	"strings"
	"testing"
)

type perLanguage = map[string]map[string]string

func TestOverridesForEveryLanguageAndForOne(t *testing.T) {
	c, err := Load("en", map[string]string{"try_again": "↻", "card_name": "=> {{ .Name }}"},
		perLanguage{"zh-hans": {"try_again": "再来"}, "EN": {"toast_trying": "On it."}})
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, c.Say("en", TryAgain()), "↻")
	wantText(t, c.Say("zh", TryAgain()), "再来")
	wantText(t, c.Say("en", CardName("{{.Name}}")), "=> {{.Name}}")
	wantText(t, c.Say("zh", CardName("Anna")), "=> Anna")
	wantText(t, c.Say("en", ToastTrying()), "On it.")
	wantText(t, c.Say("zh", ToastTrying()), "正在重试……")
}

// An environment variable HODOR_TEXT_ZH_HANS_… cannot have the hyphen.
func TestLanguageOfAnOverrideMayHaveAnUnderscore(t *testing.T) {
	c, err := Load("en", nil, perLanguage{"zh_hans": {"try_again": "再来"}})
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, c.Say("zh", TryAgain()), "再来")
}

// D17
func TestOverrideWithLineBreaksAndEmptyOnes(t *testing.T) {
	c, err := Load("en", map[string]string{"welcome": `Hi!\nJust write.`, "try_again": " \n ", "toast_trying": "", "no_person": `\n`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, c.Group(Welcome()), "Hi!\nJust write.")
	wantText(t, c.Group(TryAgain()), "Try again")
	wantText(t, c.Group(ToastTrying()), "Trying again…")
	wantText(t, c.Say("zh", NoPerson()), "这个话题没有对应的用户，这里的消息不会转达给任何人。")
}

func TestOverrideOfAPluralStandsForEveryForm(t *testing.T) {
	c, err := Load("en", map[string]string{"refused_too_fast": "{{.Count}}/min"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "1/min", 2: "2/min"} {
		wantText(t, c.Say("en", RefusedTooFast(n)), want)
		wantText(t, c.Say("zh", RefusedTooFast(n)), want)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	_, err := Load("klingon",
		map[string]string{
			"wellcome":     "Hi",
			"empty":        "",
			"card_name":    "A person",
			"card_note":    "{{.Note}} of {{.Name}}",
			"welcome":      "Hi {{.Name}}",
			"no_person":    `{{printf "%s" .}}`,
			"topic_closed": "{{.Oops",
			"admins_only":  "a\xff",
			"toast_trying": strings.Repeat("x", 201),
		},
		perLanguage{
			"tlh":     {"welcome": "nuqneH"},
			"zh-hans": {"menu_help": strings.Repeat("界", 257), "update_failed": "x"},
			"zh_hans": {"menu_help": "x"},
		})
	want := []string{
		`text.language = "klingon": there is no such language; there are en, zh-hans`,
		`text.admins_only: this is not UTF-8`,
		`text.card_name: the placeholder {{.Name}} is missing`,
		`text.card_note: {{.Name}} has no value here; there is {{.Note}}`,
		`text.empty: there is no such text`,
		`text.no_person: "{{printf \"%s\" .}}" is not a placeholder, which looks like {{.Name}}`,
		`text.toast_trying: takes up to 201 UTF-16 units with the longest values; at most 200`,
		`text.topic_closed: "{{" is not a placeholder, which looks like {{.Name}}`,
		`text.welcome: {{.Name}} has no value here; this text has no placeholders`,
		`text.wellcome: there is no such text`,
		`text.tlh: there is no such language; there are en, zh-hans`,
		`text.zh-hans.menu_help: takes up to 257 UTF-16 units with the longest values; at most 256`,
		`text.zh-hans.update_failed: the placeholder {{.ID}} is missing`,
		`text.zh_hans: this language is there twice, written differently`,
	}
	if err == nil {
		t.Fatal("no fault was found")
	}
	wantText(t, err.Error(), strings.Join(want, "\n"))
}

// Limits count the longest values: an id takes 20 units, and a name must keep at least 16.
func TestLimitsOfOverridesCountTheLongestValues(t *testing.T) {
	fits := strings.Repeat("x", wholeMessage-20-16) + "{{.ID}}{{.Name}}"
	if _, err := Load("en", map[string]string{"topic_gone_twice": fits}, nil); err != nil {
		t.Errorf("a text that just fits: %v", err)
	}
	if _, err := Load("en", map[string]string{"topic_gone_twice": "x" + fits}, nil); err == nil {
		t.Error("one unit too many was not found")
	}
}

func TestLinesThatDoNotFitTogether(t *testing.T) {
	long := strings.Repeat("x", 4000)
	_, err := Load("en", map[string]string{"failed_blocked": long}, perLanguage{
		"en":      {"card_risk": long, "card_banned": long, "failed_about": long + "{{.Name}} {{.ID}}"},
		"zh-hans": {"help_head": long, "help_plain": long},
	})
	if err == nil {
		t.Fatal("no fault was found")
	}
	for i, start := range []string{"text.en.card_*: ", "text.en.failed_about with the longest failed_*: ", "text.zh-hans.help_*: "} {
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[i], start) {
			t.Errorf("line %d does not begin with %q in\n%v", i+1, start, err)
		}
	}
}
