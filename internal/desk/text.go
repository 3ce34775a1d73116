package desk

// A Text is something to say, by its key in the catalogue; it becomes a sentence in the reader's language only when it is sent.
type Text struct {
	Key  string            `json:"key"`
	Args map[string]string `json:"args,omitempty"`
	// Count chooses the plural form, for texts that have one, and stands in them as {{.Count}}.
	Count int `json:"count,omitempty"`
}
