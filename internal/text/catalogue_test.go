package text

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
)

// builtIn is every wording there is, by language and key.
var builtIn = func() map[string]map[string][]string {
	books, err := readBooks()
	if err != nil {
		panic(err)
	}
	all := map[string]map[string][]string{}
	for _, b := range books {
		all[b.tag] = map[string][]string{}
		for _, m := range b.messages {
			for _, form := range forms(m) {
				all[b.tag][m.ID] = append(all[b.tag][m.ID], *form)
			}
		}
	}
	return all
}()

// sampleTexts are one of each constructor.
func sampleTexts() map[string]desk.Text {
	samples := map[string]desk.Text{}
	for _, m := range []desk.Text{
		Welcome(), RefusedBanned(), RefusedTooFast(20), NotPassedOn("voice"), NotDeliveredToTeam(), MaybeNotDeliveredToTeam(),
		TryAgain(), TryingAgain(), DeliveredAfterAll(), ToastTrying(), ToastNoLonger(), ToastNotYours(),
		CardName("Anna"), CardNameUsername("Anna", "anna"), CardID(7), CardLanguage("de"), CardFirstContact(time.Time{}),
		CardVerified(), CardNotVerified(), CardVerificationOff(), CardBanned(), CardRisk(), CardBlocked(), CardDeactivated(), CardNotStarted(),
		CardNote("note"), FailedAbout("Anna", 7), FailedBlocked(), FailedDeactivated(), FailedNotStarted(), FailedVoiceForbidden(),
		FailedCannotCopy("story"), FailedAttempts(8), FailedUncertain(), FailedOther("Bad Request: no"),
		LineNotShown("story", "no"), NoPerson(), TopicClosed(), TopicNotReady(), AdminsOnly(), AnonymousNotAllowed(), UnknownCommand(),
		RiskReminder("Anna"), BannedReminder("Anna"), HelpHead(), HelpDel(), HelpHelp(), HelpTeamTalk(), HelpPlain(),
		MenuDel(), MenuHelp(), Edited(), ToastEdited(), AlbumDoubled(), AlbumIncomplete(), EditNotPassedOn(), DelHow(), DelUnknown(), DelTooOld(),
		DelRefused("Bad Request: no"), DelMaybeArrived(), DelHereNot(), DelUncertain(), AlbumStays(), FailedEdit(), ForumOff(), TopicsVanishing(), GroupMigrated(-1007), UpdateFailed(7), TopicGoneTwice("Anna", 7),
	} {
		samples[m.Key] = m
	}
	return samples
}

func TestCataloguesAreCompleteAndWithoutFaults(t *testing.T) {
	for _, tag := range Languages() {
		for _, key := range sorted(table) {
			if len(builtIn[tag][key]) == 0 {
				t.Errorf("%s lacks %s", tag, key)
			}
		}
		for _, key := range sorted(builtIn[tag]) {
			for _, form := range builtIn[tag][key] {
				for _, fault := range faultsOf(key, form) {
					t.Errorf("%s.%s: %v", tag, key, fault)
				}
			}
			if forms := len(builtIn[tag][key]); forms > 1 && !table[key].counts() {
				t.Errorf("%s.%s has %d forms and no {{.Count}}", tag, key, forms)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	if got := Languages(); !slices.Equal(got, []string{"en", "zh-hans"}) {
		t.Errorf("Languages() = %v", got)
	}
	for _, tag := range append(Languages(), "language") {
		if _, both := table[tag]; both {
			t.Errorf("text.%s would be a text and something else too", tag)
		}
	}
}

func TestEveryLanguageHasAllItsPluralForms(t *testing.T) {
	c := load(t, "en")
	for i, voice := range c.voices {
		for key, entry := range table {
			for n := range 1200 {
				if !entry.counts() {
					break
				}
				var d draft
				lay(&d, voice, desk.Text{Key: key, Count: n})
				if len(d.runs) == 0 {
					t.Errorf("%s.%s says nothing for %d", c.tags[i], key, n)
				}
			}
		}
	}
}

func TestEveryTextHasItsConstructorAndViceVersa(t *testing.T) {
	samples := sampleTexts()
	var names []string
	for _, key := range sorted(table) {
		if strings.HasPrefix(key, "kind_") {
			continue // words for {{.Kind}}, never said alone
		}
		names = append(names, constructorOf(key))
		m, made := samples[key]
		given := slices.Collect(maps.Keys(m.Args))
		if m.Count != 0 {
			given = append(given, "Count")
		}
		slices.Sort(given)
		if wanted := slices.Sorted(slices.Values(table[key].placeholders)); !made || !slices.Equal(given, wanted) {
			t.Errorf("%s is made with %v, want %v", key, given, wanted)
		}
	}
	slices.Sort(names)
	if found := constructors(t); !slices.Equal(found, names) {
		t.Errorf("the constructors are\n%v, want\n%v", found, names)
	}
}

func constructorOf(key string) string {
	var name strings.Builder
	for part := range strings.SplitSeq(key, "_") {
		if part == "id" {
			part = "ID"
		}
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

// constructors are the exported functions of this package that return a desk.Text.
func constructors(t *testing.T) []string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := goparser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() && returnsText(fn) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func returnsText(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
		return false
	}
	result, ok := fn.Type.Results.List[0].Type.(*ast.SelectorExpr)
	return ok && result.Sel.Name == "Text"
}

// The longest values there can be leave every text within its limit, and all of them are shown.
func TestLimitsHoldWithTheLongestValues(t *testing.T) {
	c := load(t, "en")
	long := map[value]string{person: strings.Repeat("界", 5000), number: "-9223372036854775808", moment: "2026-01-02 15:04", kind: strings.Repeat("k", 64)}
	for _, tag := range Languages() {
		for key, sample := range sampleTexts() {
			sample.Count = -1 << 63
			for name := range sample.Args {
				sample.Args[name] = long[placeholders[name]]
			}
			got := c.Say(tag, sample)
			if Units(got) > table[key].limit || !hasOurWords(got, tag, key) {
				t.Errorf("%s.%s: %d units of at most %d: %q", tag, key, Units(got), table[key].limit, got)
			}
			for name, shown := range sample.Args {
				if placeholders[name] != person && !strings.Contains(got, shown) {
					t.Errorf("%s.%s: %s is not in %q", tag, key, shown, got)
				}
			}
		}
	}
}
