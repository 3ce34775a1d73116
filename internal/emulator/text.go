package emulator

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-telegram/bot/models"
)

const (
	maxText    = 4096 // code points, after the markup is taken out
	maxCaption = 1024
	maxRaw     = 32768 // bytes, before
)

// formatted reads a text with its parse_mode or entities.
func (t *Telegram) formatted(p *params, text, entities string) (string, []models.MessageEntity, *refusal) {
	raw := p.text(text)
	if len(raw) > maxRaw {
		return "", nil, bad("text is too long")
	}
	switch strings.ToLower(p.text("parse_mode")) {
	case "":
		var given []models.MessageEntity
		refused := p.json(entities, &given)
		text, entities := trim(raw, append(given, found(raw, given)...))
		return text, entities, refused
	case "html":
		plain, marked, err := parseHTML(raw)
		if err != nil {
			return "", nil, bad("can't parse entities: %s", err.Error())
		}
		text, entities := trim(plain, append(marked, found(plain, marked)...))
		return text, entities, nil
	}
	t.unmodelled = append(t.unmodelled, "parse_mode: "+p.text("parse_mode"))
	return "", nil, bad("the emulator does not model the parse mode %q", p.text("parse_mode"))
}

// trim takes the white space from the end of a text, and from the entities that reach into it.
func trim(s string, entities []models.MessageEntity) (string, []models.MessageEntity) {
	trimmed := strings.TrimRight(s, " \t\r\n")
	if len(trimmed) == len(s) || len(entities) == 0 {
		return trimmed, entities
	}
	end := utf16Length(trimmed)
	var kept []models.MessageEntity
	for _, e := range entities {
		if e.Length = min(e.Length, end-e.Offset); e.Length > 0 {
			kept = append(kept, e)
		}
	}
	return trimmed, kept
}

// textBody is the content of a text message.
func (t *Telegram) textBody(p *params) (fields, *refusal) {
	text, entities, refused := t.formatted(p, "text", "entities")
	switch {
	case refused != nil:
		return nil, refused
	case strings.TrimSpace(text) == "":
		return nil, bad("message text is empty")
	case utf8.RuneCountInString(text) > maxText:
		return nil, bad("message is too long")
	}
	body := fields{"text": text}
	if len(entities) > 0 {
		body["entities"] = entities
	}
	if p.has("link_preview_options") {
		var options fields
		if refused := p.json("link_preview_options", &options); refused != nil {
			return nil, refused
		}
		body["link_preview_options"] = options
	}
	return body, nil
}

// caption puts the caption of a call into a body.
func (t *Telegram) caption(p *params, body fields) *refusal {
	text, entities, refused := t.formatted(p, "caption", "caption_entities")
	if refused != nil {
		return refused
	}
	setCaption(body, text, entities)
	if captionTooLong(body) {
		return bad(longCaption)
	}
	if p.bool("show_caption_above_media") {
		body["show_caption_above_media"] = true
	}
	return nil
}

// captionTooLong says whether no bot may send this caption.
func captionTooLong(body fields) bool {
	caption, _ := body["caption"].(string)
	return utf8.RuneCountInString(caption) > maxCaption
}

func setCaption(body fields, text string, entities []models.MessageEntity) {
	delete(body, "caption")
	delete(body, "caption_entities")
	put(body, "caption", text)
	if text != "" && len(entities) > 0 {
		body["caption_entities"] = entities
	}
}

var plainEntities = []struct {
	kind models.MessageEntityType
	rule *regexp.Regexp
}{
	{models.MessageEntityTypeBotCommand, regexp.MustCompile(`(?:^|\s)(/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)`)},
	{models.MessageEntityTypeURL, regexp.MustCompile(`(https?://[^\s<>"]+)`)},
	{models.MessageEntityTypeMention, regexp.MustCompile(`(?:^|\s)(@[A-Za-z0-9_]{4,32})`)},
}

// found are the entities Telegram itself finds in a text: commands, links, mentions, outside those that are marked.
func found(text string, marked []models.MessageEntity) []models.MessageEntity {
	if !strings.ContainsAny(text, "/@") {
		return nil
	}
	var entities []models.MessageEntity
	for _, plain := range plainEntities {
		for _, at := range plain.rule.FindAllStringSubmatchIndex(text, -1) {
			e := models.MessageEntity{
				Type:   plain.kind,
				Offset: utf16Length(text[:at[2]]),
				Length: utf16Length(text[at[2]:at[3]]),
			}
			if !overlaps(e, marked) && !overlaps(e, entities) {
				entities = append(entities, e)
			}
		}
	}
	return entities
}

func overlaps(e models.MessageEntity, others []models.MessageEntity) bool {
	for _, o := range others {
		if e.Offset < o.Offset+o.Length && o.Offset < e.Offset+e.Length {
			return true
		}
	}
	return false
}

// utf16Length is the unit in which entities are measured.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
