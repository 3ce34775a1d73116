package bot

import "testing"

// A reaction of a type and shape that came after us does not hide the emoji beside it; a bot in private is nobody of ours.
func TestOddReactionsHideNoOthers(t *testing.T) {
	testRouting(t, []routing{
		{"an odd shape beside an emoji", reaction(private, annReacts, "", `{"type":"hologram","emoji":{"x":1}},`+thumb), `7 reacts "👍" to 9`},
		{"a bot in private", reaction(`"chat":{"id":55,"type":"private"}`, botReacts, "", thumb), "ignored"},
	})
}
