package emulator

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/go-telegram/bot/models"
)

var htmlTags = map[string]models.MessageEntityType{
	"b": models.MessageEntityTypeBold, "strong": models.MessageEntityTypeBold,
	"i": models.MessageEntityTypeItalic, "em": models.MessageEntityTypeItalic,
	"u": models.MessageEntityTypeUnderline, "ins": models.MessageEntityTypeUnderline,
	"s": models.MessageEntityTypeStrikethrough, "strike": models.MessageEntityTypeStrikethrough,
	"del": models.MessageEntityTypeStrikethrough, "tg-spoiler": models.MessageEntityTypeSpoiler,
	"span": models.MessageEntityTypeSpoiler, "tg-emoji": models.MessageEntityTypeCustomEmoji,
	"tg-time": models.MessageEntityTypeDateTime, "code": models.MessageEntityTypeCode, "pre": models.MessageEntityTypePre,
	"blockquote": models.MessageEntityTypeBlockquote, "a": models.MessageEntityTypeTextLink,
}

var htmlAttribute = regexp.MustCompile(`([a-zA-Z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?`)

// htmlText is a text whose tags are being taken out.
type htmlText struct {
	plain    strings.Builder
	length   int // of plain, in UTF-16 units
	open     []htmlOpen
	entities []models.MessageEntity
}

type htmlOpen struct {
	tag    string
	entity models.MessageEntity
	at     int
}

// parseHTML takes Telegram's HTML apart. Its errors are the words after "can't parse entities: ".
func parseHTML(s string) (string, []models.MessageEntity, error) {
	var h htmlText
	for i := 0; i < len(s); {
		if s[i] != '<' {
			end := strings.IndexByte(s[i:], '<')
			if end < 0 {
				end = len(s) - i
			}
			h.write(html.UnescapeString(s[i : i+end]))
			i += end
			continue
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			return "", nil, fmt.Errorf("unclosed start tag at byte offset %d", i)
		}
		if err := h.tag(s[i+1:i+end], i); err != nil {
			return "", nil, err
		}
		i += end + 1
	}
	if len(h.open) > 0 {
		return "", nil, fmt.Errorf("can't find end tag corresponding to start tag %q", h.open[len(h.open)-1].tag)
	}
	slices.SortStableFunc(h.entities, func(a, b models.MessageEntity) int { return a.Offset - b.Offset })
	return h.plain.String(), h.entities, nil
}

func (h *htmlText) write(s string) {
	h.plain.WriteString(s)
	h.length += utf16Length(s)
}

func (h *htmlText) tag(inside string, at int) error {
	if name, isEnd := strings.CutPrefix(inside, "/"); isEnd {
		return h.end(strings.ToLower(strings.TrimSpace(name)), at)
	}
	name, rest, _ := strings.Cut(inside, " ")
	name = strings.ToLower(name)
	kind, known := htmlTags[name]
	if !known {
		return fmt.Errorf("unsupported start tag %q at byte offset %d", name, at)
	}
	e := models.MessageEntity{Type: kind, Offset: h.length}
	h.attributes(&e, name, rest)
	h.open = append(h.open, htmlOpen{tag: name, entity: e, at: at})
	return nil
}

func (h *htmlText) attributes(e *models.MessageEntity, tag, rest string) {
	for _, match := range htmlAttribute.FindAllStringSubmatch(rest, -1) {
		value := html.UnescapeString(match[2] + match[3] + match[4])
		switch name := strings.ToLower(match[1]); {
		case tag == "a" && name == "href":
			e.URL = value
		case tag == "tg-emoji" && name == "emoji-id":
			e.CustomEmojiID = value
		case tag == "code" && name == "class":
			e.Language = strings.TrimPrefix(value, "language-")
		case tag == "blockquote" && name == "expandable":
			e.Type = models.MessageEntityTypeExpandableBlockquote
		}
	}
}

func (h *htmlText) end(name string, at int) error {
	if len(h.open) == 0 {
		return fmt.Errorf("unexpected end tag at byte offset %d", at)
	}
	last := h.open[len(h.open)-1]
	if name != "" && name != last.tag {
		return fmt.Errorf("unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", at, last.tag, name)
	}
	h.open = h.open[:len(h.open)-1]
	e := last.entity
	e.Length = h.length - e.Offset
	deadLink := e.Type == models.MessageEntityTypeTextLink && e.URL == ""
	if e.Length > 0 && !deadLink {
		h.entities = append(h.entities, e)
	}
	return nil
}
