package outbox

import "testing"

// A moment that Telegram shows in the reader's own time is seen, and so are the formats in a checklist.
func TestShownDiffersForEveryFieldOfAFormat(t *testing.T) {
	date := func(more string) string {
		return `"text":"noon","entities":[{"type":"date_time","offset":0,"length":4,` + more + `}]`
	}
	for what, c := range map[string]struct{ kind, before, after string }{
		"the moment":          {"text", date(`"unix_time":1`), date(`"unix_time":2`)},
		"how it is written":   {"text", date(`"unix_time":1,"date_time_format":"t"`), date(`"unix_time":1,"date_time_format":"d"`)},
		"a format in a title": {"checklist", `"checklist":{"title":"a"}`, `"checklist":{"title":"a","title_entities":[{"type":"bold","offset":0,"length":1}]}`},
		"a format in a task": {"checklist", `"checklist":{"title":"a","tasks":[{"text":"x"}]}`,
			`"checklist":{"title":"a","tasks":[{"text":"x","text_entities":[{"type":"bold","offset":0,"length":1}]}]}`},
	} {
		if before, after := seen(c.kind, c.before), seen(c.kind, c.after); before == after {
			t.Errorf("%s: both are %q", what, before)
		}
	}
}
