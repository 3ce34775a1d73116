package emulator

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-telegram/bot/models"
)

// maxQuote is how many code points a quote may have.
const maxQuote = 1024

// quotable are the entities that a quote keeps, and with which it must agree with what it quotes.
var quotable = map[models.MessageEntityType]bool{
	models.MessageEntityTypeBold: true, models.MessageEntityTypeItalic: true, models.MessageEntityTypeUnderline: true,
	models.MessageEntityTypeStrikethrough: true, models.MessageEntityTypeSpoiler: true,
	models.MessageEntityTypeCustomEmoji: true, models.MessageEntityTypeDateTime: true,
}

// quoteIn finds the quote of a call in the message that it answers.
func (t *Telegram) quoteIn(m *message, reply replyParameters) (fields, *refusal) {
	own := &params{values: map[string]string{"quote": reply.Quote, "parse_mode": reply.QuoteParseMode}}
	if len(reply.QuoteEntities) > 0 {
		raw, _ := json.Marshal(reply.QuoteEntities)
		own.values["quote_entities"] = string(raw)
	}
	text, entities, refused := t.formatted(own, "quote", "quote_entities")
	if refused != nil {
		return nil, refused
	}
	wanted := clip(entities, 0, utf16Length(text))
	var best fields
	for _, quote := range m.parts(text) {
		nearer := best == nil || distance(quote, reply.QuotePosition) < distance(best, reply.QuotePosition)
		if nearer && sameMarks(quote, wanted) {
			best = quote
		}
	}
	if best == nil || utf8.RuneCountInString(text) > maxQuote {
		return nil, bad("QUOTE_TEXT_INVALID")
	}
	return best, nil
}

// parts are the quotes of a message that read like this, one for each place where the text stands in it.
func (m *message) parts(text string) []fields {
	if text == "" {
		return nil
	}
	whole, marks := m.text()
	entities, _ := marks.([]models.MessageEntity)
	var parts []fields
	for at := range whole {
		if !strings.HasPrefix(whole[at:], text) {
			continue
		}
		position := utf16Length(whole[:at])
		part := fields{"text": text, "position": position, "is_manual": true}
		if kept := clip(entities, position, utf16Length(text)); len(kept) > 0 {
			part["entities"] = kept
		}
		parts = append(parts, part)
	}
	return parts
}

// clip keeps the quotable entities of a part of a text, in a fixed order.
func clip(entities []models.MessageEntity, from, length int) []models.MessageEntity {
	var kept []models.MessageEntity
	for _, e := range entities {
		start, end := max(e.Offset, from), min(e.Offset+e.Length, from+length)
		if quotable[e.Type] && start < end {
			e.Offset, e.Length = start-from, end-start
			kept = append(kept, e)
		}
	}
	slices.SortFunc(kept, func(a, b models.MessageEntity) int {
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return strings.Compare(string(a.Type), string(b.Type))
	})
	return kept
}

func sameMarks(quote fields, wanted []models.MessageEntity) bool {
	has, _ := quote["entities"].([]models.MessageEntity)
	return reflect.DeepEqual(has, wanted)
}

func distance(quote fields, position int) int {
	d := quote["position"].(int) - position
	return max(d, -d)
}

// quoted is what a person quotes of the message they answer. What no longer stands there was taken from an older version.
func (m *message) quoted(quote fields) fields {
	if m == nil || quote == nil {
		return quote
	}
	if parts := m.parts(quote["text"].(string)); len(parts) > 0 {
		return parts[0]
	}
	return quote
}
