package outbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-telegram/bot/models"

	"hodor/internal/desk"
)

// shown is a fingerprint of what a message shows, "medium.words", so that an edit can be compared with what stands on the other side
// without keeping any text; empty if nothing can be said. Telegram reports edits that change nothing to be seen.
func shown(c desk.Copied) string {
	m, readable := tryContent(c.Raw)
	if !readable {
		return ""
	}
	return fingerprint(c.Source, m.essence(c)) + "." + fingerprint(c.Source, []any{m.Text, marks(m.Entities), m.Preview, m.Caption,
		marks(m.CaptionEntities), m.CaptionAbove})
}

// sameMedium tells whether two fingerprints differ in their words at most.
func sameMedium(a, b string) bool {
	mediumA, _, _ := strings.Cut(a, ".")
	mediumB, _, _ := strings.Cut(b, ".")
	return mediumA == mediumB && mediumA != ""
}

// fingerprint depends on the message's number too, so that equal messages do not look alike in the ledger.
func fingerprint(source desk.MessageID, what any) string {
	b, err := json.Marshal([]any{source, what})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}

// essence is what a message is beside its words: its kind, its file, and for other kinds all that Telegram says of them.
func (c *content) essence(of desk.Copied) []any {
	unique := ""
	if len(c.Photo) > 0 {
		unique = largest(c.Photo).FileUniqueID
	}
	for _, f := range []*file{c.Video, c.Animation, c.Audio, c.Document, c.Voice, c.VideoNote, c.Sticker} {
		if f != nil {
			unique = f.Unique
			break
		}
	}
	if unique != "" || of.Content == "text" {
		return []any{of.Content, unique, c.Spoiler}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(of.Raw, &fields) != nil {
		return []any{of.Content}
	}
	return []any{of.Content, steady(of.Content, fields[of.Content])}
}

// steady leaves out what of a kind changes without its author.
func steady(kind string, raw json.RawMessage) any {
	if kind != "checklist" {
		return string(raw)
	}
	var list struct {
		Title    string                 `json:"title"`
		Entities []models.MessageEntity `json:"title_entities"`
		Tasks    []struct {
			Text     string                 `json:"text"`
			Entities []models.MessageEntity `json:"text_entities"`
		} `json:"tasks"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	shows := []any{list.Title, marks(list.Entities)}
	for _, t := range list.Tasks {
		shows = append(shows, t.Text, marks(t.Entities))
	}
	return shows
}

// marks are entities without what Telegram adds of the people in them, who may be renamed.
func marks(entities []models.MessageEntity) []models.MessageEntity {
	plain := slices.Clone(entities)
	for i, e := range plain {
		if e.User != nil {
			plain[i].User = &models.User{ID: e.User.ID}
		}
	}
	return plain
}
