package text_test

import (
	"strings"
	"testing"

	"hodor/internal/desk"
	"hodor/internal/text"
)

// E4
func TestTopicTitleIsCutBetweenCharacters(t *testing.T) {
	family := "👨\u200d👩\u200d👧"
	a := strings.Repeat("a", 128)
	for _, c := range []struct{ first, want string }{
		{"Ann", "Ann"},
		{a, a},
		{a + "a", a},
		{strings.Repeat("安", 200), strings.Repeat("安", 128)},
		{a[:127] + " b", a[:127]},
		{a[:123] + family, a[:123] + family},
		{a[:124] + family, a[:124]},
		{a[:127] + family, a[:127]},
		{a[:127] + "e\u0301", a[:127]},
	} {
		if got := text.TopicTitle(desk.Person{ID: 7, FirstName: c.first}); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.first, got, c.want)
		}
	}
}
