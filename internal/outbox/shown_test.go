package outbox

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hodor/internal/desk"
)

// seen is the fingerprint of a message of that kind with those fields.
func seen(kind, fields string) string {
	return shown(desk.Copied{User: 7, Source: 9, Content: kind, Raw: json.RawMessage(`{"message_id":9,` + fields + `}`)})
}

const aPhoto = `"photo":[{"file_id":"s","file_unique_id":"us","width":90},{"file_id":"l","file_unique_id":"ul","width":1280}]`

// Telegram reports edits of which nobody sees anything; they look the same as what stands.
func TestShownIsTheSameWhereNothingCanBeSeen(t *testing.T) {
	for what, c := range map[string]struct{ kind, before, after string }{
		"the moment of the edit": {"text", `"text":"a"`, `"text":"a","edit_date":5`},
		"reactions, views and the like": {"text", `"text":"a"`,
			`"text":"a","reply_markup":{"inline_keyboard":[]},"reply_to_message":{"message_id":3},"has_protected_content":true`},
		"who wrote it was renamed": {"text", `"text":"a","from":{"id":7,"first_name":"Ann"}`, `"text":"a","from":{"id":7,"first_name":"Anna"}`},
		"who is mentioned was renamed": {"text",
			`"text":"Bob","entities":[{"type":"text_mention","offset":0,"length":3,"user":{"id":8,"first_name":"Bob"}}]`,
			`"text":"Bob","entities":[{"type":"text_mention","offset":0,"length":3,"user":{"id":8,"first_name":"Robert","username":"rob"}}]`},
		"who is mentioned in the caption was renamed": {"photo",
			aPhoto + `,"caption":"Bob","caption_entities":[{"type":"text_mention","offset":0,"length":3,"user":{"id":8,"first_name":"Bob"}}]`,
			aPhoto + `,"caption":"Bob","caption_entities":[{"type":"text_mention","offset":0,"length":3,"user":{"id":8,"first_name":"Rob"}}]`},
		"the same file by another id": {"video", `"video":{"file_id":"a","file_unique_id":"u"}`, `"video":{"file_id":"b","file_unique_id":"u"}`},
		"the same picture in other sizes": {"photo", aPhoto,
			`"photo":[{"file_id":"x","file_unique_id":"ux","width":320},{"file_id":"y","file_unique_id":"ul","width":1280}]`},
		"a task of a checklist was done": {"checklist", `"checklist":{"title":"t","tasks":[{"id":1,"text":"a"},{"id":2,"text":"b"}]}`,
			`"checklist":{"title":"t","tasks":[{"id":1,"text":"a","completed_by_user":{"id":7},"completion_date":5},{"id":2,"text":"b"}]}`},
		"fields that we do not know":       {"voice", `"voice":{"file_unique_id":"u"}`, `"voice":{"file_unique_id":"u","of_tomorrow":1},"of_tomorrow":{}`},
		"the order in which it is written": {"text", `"text":"a","entities":[]`, `"entities":[],"text":"a"`},
	} {
		if before, after := seen(c.kind, c.before), seen(c.kind, c.after); before != after || before == "" {
			t.Errorf("%s: %q became %q", what, before, after)
		}
	}
}

// Every change that a reader can see makes another fingerprint; and whether only the words changed is told, too.
func TestShownDiffersWhereSomethingCanBeSeen(t *testing.T) {
	link := func(url string) string {
		return `"text":"a","entities":[{"type":"text_link","offset":0,"length":1,"url":"` + url + `"}]`
	}
	entity := func(more string) string {
		return `"text":"abc","entities":[{"type":"bold","offset":0,"length":1},{` + more + `}]`
	}
	for what, c := range map[string]struct {
		kind, before, as, after string
		sameMedium              bool
	}{
		"the text":                    {"text", `"text":"a"`, "text", `"text":"b"`, true},
		"a letter's case":             {"text", `"text":"a"`, "text", `"text":"A"`, true},
		"a space at the end":          {"text", `"text":"a b"`, "text", `"text":"a b "`, true},
		"a format":                    {"text", entity(`"type":"bold","offset":1,"length":1`), "text", entity(`"type":"italic","offset":1,"length":1`), true},
		"where a format begins":       {"text", entity(`"type":"bold","offset":1,"length":1`), "text", entity(`"type":"bold","offset":2,"length":1`), true},
		"where a format ends":         {"text", entity(`"type":"bold","offset":1,"length":1`), "text", entity(`"type":"bold","offset":1,"length":2`), true},
		"digits that move along":      {"text", entity(`"type":"bold","offset":1,"length":11`), "text", entity(`"type":"bold","offset":11,"length":1`), true},
		"no format any more":          {"text", `"text":"a","entities":[{"type":"bold","offset":0,"length":1}]`, "text", `"text":"a"`, true},
		"a link's target":             {"text", link("http://a"), "text", link("http://b"), true},
		"who is mentioned":            {"text", entity(`"type":"text_mention","offset":1,"length":1,"user":{"id":8}`), "text", entity(`"type":"text_mention","offset":1,"length":1,"user":{"id":9}`), true},
		"an emoji":                    {"text", entity(`"type":"custom_emoji","offset":1,"length":1,"custom_emoji_id":"1"`), "text", entity(`"type":"custom_emoji","offset":1,"length":1,"custom_emoji_id":"2"`), true},
		"a program's language":        {"text", entity(`"type":"pre","offset":1,"length":1,"language":"go"`), "text", entity(`"type":"pre","offset":1,"length":1,"language":"c"`), true},
		"the preview is gone":         {"text", `"text":"a"`, "text", `"text":"a","link_preview_options":{"is_disabled":true}`, true},
		"the preview's size":          {"text", `"text":"a","link_preview_options":{"url":"u","prefer_small_media":true}`, "text", `"text":"a","link_preview_options":{"url":"u","prefer_large_media":true}`, true},
		"the caption":                 {"photo", aPhoto + `,"caption":"a"`, "photo", aPhoto + `,"caption":"b"`, true},
		"no caption any more":         {"photo", aPhoto + `,"caption":"a"`, "photo", aPhoto, true},
		"a format in the caption":     {"photo", aPhoto + `,"caption":"a"`, "photo", aPhoto + `,"caption":"a","caption_entities":[{"type":"bold","offset":0,"length":1}]`, true},
		"the caption above":           {"photo", aPhoto + `,"caption":"a"`, "photo", aPhoto + `,"caption":"a","show_caption_above_media":true`, true},
		"the words beside a new file": {"photo", aPhoto + `,"caption":"a"`, "photo", `"photo":[{"file_unique_id":"other","width":1}],"caption":"b"`, false},
		"the picture":                 {"photo", aPhoto, "photo", `"photo":[{"file_unique_id":"other","width":1}]`, false},
		"the spoiler":                 {"video", `"video":{"file_unique_id":"u"}`, "video", `"video":{"file_unique_id":"u"},"has_media_spoiler":true`, false},
		"the kind":                    {"video", `"video":{"file_unique_id":"u"}`, "document", `"document":{"file_unique_id":"u"}`, false},
		"a picture for words":         {"text", `"text":"a"`, "photo", aPhoto + `,"caption":"a"`, false},
		"an animation":                {"animation", `"animation":{"file_unique_id":"u"},"document":{"file_unique_id":"u"}`, "animation", `"animation":{"file_unique_id":"v"},"document":{"file_unique_id":"v"}`, false},
		"a contact's number":          {"contact", `"contact":{"phone_number":"1"}`, "contact", `"contact":{"phone_number":"2"}`, false},
		"a checklist's title":         {"checklist", `"checklist":{"title":"a"}`, "checklist", `"checklist":{"title":"b"}`, false},
		"a checklist's task":          {"checklist", `"checklist":{"title":"a","tasks":[{"text":"x"}]}`, "checklist", `"checklist":{"title":"a","tasks":[{"text":"y"}]}`, false},
		"a kind of tomorrow":          {"of_tomorrow", `"of_tomorrow":{"x":1}`, "of_tomorrow", `"of_tomorrow":{"x":2}`, false},
	} {
		before, after := seen(c.kind, c.before), seen(c.as, c.after)
		if before == after || before == "" || after == "" {
			t.Errorf("%s: %q and %q", what, before, after)
		}
		if sameMedium(before, after) != c.sameMedium {
			t.Errorf("%s: only the words differ: %v, want %v", what, !c.sameMedium, c.sameMedium)
		}
	}
}

// The ledger keeps no text, nor anything by which equal messages could be told to be equal.
func TestShownTellsNothingOfTheText(t *testing.T) {
	one := desk.Copied{User: 7, Source: 9, Content: "text", Raw: json.RawMessage(`{"text":"a secret"}`)}
	two := one
	two.Source = 10
	if shown(one) == shown(two) {
		t.Error("the same words in two messages have one fingerprint")
	}
	if strings.Contains(shown(one), "secret") || len(shown(one)) > 40 {
		t.Errorf("the fingerprint is %q", shown(one))
	}
}

// What is not known is no reason to believe that nothing changed.
func TestShownOfWhatIsNotKnownIsEmpty(t *testing.T) {
	if got := shown(desk.Copied{Source: 9, Content: "text"}); got != "" {
		t.Errorf("without the message it is %q", got)
	}
	for _, pair := range [][2]string{{"", ""}, {"", "a.b"}, {"a.b", ""}, {".b", ".b"}} {
		if sameMedium(pair[0], pair[1]) {
			t.Errorf("%q and %q are the same medium", pair[0], pair[1])
		}
	}
}

// Whatever Telegram sends, it has a fingerprint, the same each time; only of what cannot be read nothing can be said.
func TestShownNeverFails(t *testing.T) {
	kinds := []string{"text", "photo", "video", "checklist", "poll", "sticker", "of_tomorrow", ""}
	values := []string{`null`, `5`, `"x"`, `[]`, `{}`, `[null]`, `[{}]`, `[{"width":-1}]`, `{"file_unique_id":"u"}`, `{"file_unique_id":5}`,
		`{"title":[],"tasks":{}}`, `{"tasks":[null]}`, `[{"type":"text_mention","offset":0,"length":1}]`, `[{"type":5}]`, `{"is_disabled":true}`}
	keys := []string{"text", "entities", "caption", "caption_entities", "photo", "video", "checklist", "poll", "sticker", "of_tomorrow", "",
		"link_preview_options", "show_caption_above_media", "has_media_spoiler", "venue", "quote"}
	rapid.Check(t, func(t *rapid.T) {
		var fields []string
		for range rapid.IntRange(0, 6).Draw(t, "fields") {
			fields = append(fields, `"`+rapid.SampledFrom(keys).Draw(t, "key")+`":`+rapid.SampledFrom(values).Draw(t, "value"))
		}
		raw := `{` + strings.Join(fields, ",") + `}`
		if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
			raw = raw[:rapid.IntRange(0, len(raw)).Draw(t, "cut")]
		}
		c := desk.Copied{Source: 9, Content: rapid.SampledFrom(kinds).Draw(t, "kind"), Raw: json.RawMessage(raw)}
		readable := json.Unmarshal(c.Raw, new(content)) == nil
		if a, b := shown(c), shown(c); a != b || (a != "") != readable {
			t.Fatalf("%q: %q, then %q", raw, a, b)
		}
	})
}

// Texts that differ look different, whatever is in them.
func TestShownOfOtherWordsIsAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.String(), 2, 2, func(s string) string { return s }).Draw(t, "words")
		var prints []string
		for _, w := range words {
			raw, err := json.Marshal(map[string]string{"text": w})
			if err != nil {
				t.Fatal(err)
			}
			prints = append(prints, shown(desk.Copied{Source: 9, Content: "text", Raw: raw}))
		}
		if slices.Equal(prints[:1], prints[1:]) || !sameMedium(prints[0], prints[1]) {
			t.Fatalf("%q: %q", words, prints)
		}
	})
}

func FuzzShownNeverPanics(f *testing.F) {
	for _, raw := range []string{`{"text":"a"}`, `{` + aPhoto + `}`, `{"photo":[{}]}`, `{"checklist":{"tasks":[{}]}}`, `[`, `null`} {
		f.Add("text", raw)
		f.Add("checklist", raw)
	}
	f.Fuzz(func(_ *testing.T, kind, raw string) {
		c := desk.Copied{Source: 1, Content: kind, Raw: json.RawMessage(raw)}
		m := readContent(c.Raw)
		sameMedium(shown(c), shown(c))
		m.edit(copyPlace{chat: 1, id: 2}, kind, "photo", true)
		m.edit(copyPlace{chat: 1, id: 2}, kind, "text", false)
	})
}
