package emulator

import (
	"encoding/json"
	"strings"

	"github.com/go-telegram/bot/models"
)

// A file is something that a file_id names: the object that stood in the message it came with.
type file struct {
	kind   string
	object any
	name   string
	data   []byte // of an upload
}

// captioned are the kinds that may have a caption.
var captioned = map[string]bool{
	"photo": true, "video": true, "animation": true, "audio": true, "document": true, "voice": true, "paid_media": true,
}

// file is the file_unique_id of what a message holds; of a photo it is that of the largest size.
func (m *message) file() string {
	object, _ := m.body[m.kind].(fields)
	if sizes, ok := m.body[m.kind].([]fields); ok {
		object = sizes[len(sizes)-1]
	}
	id, _ := object["file_unique_id"].(string)
	return id
}

// remember registers the files of a content, so that the bot may send them on by their ids. u is what was uploaded, if it was.
func (t *Telegram) remember(kind string, body fields, u upload) {
	sizes, ok := body[kind].([]fields)
	if !ok {
		if object, ok := body[kind].(fields); ok {
			sizes = []fields{object}
		}
	}
	for _, size := range sizes {
		if id, ok := size["file_id"].(string); ok {
			t.files[id] = file{kind: kind, object: body[kind], name: u.name, data: u.data}
		}
	}
}

// media is the body for a file named by a parameter: a file id, a URL, attach://part, or the part of that name itself.
func (t *Telegram) media(kind, named string, p *params) (fields, *refusal) {
	part := strings.TrimPrefix(named, "attach://")
	if part == named {
		part = kind
	}
	if upload, ok := p.uploads[part]; ok {
		return t.stored(kind, upload), nil
	}
	if f, ok := t.files[named]; ok {
		if f.kind != kind {
			return nil, bad("can't use file of type %s as %s", typeName(f.kind), typeName(kind))
		}
		return media(kind, f.object), nil
	}
	switch {
	case named == "":
		return nil, bad("there is no %s in the request", strings.ReplaceAll(kind, "_", " "))
	case strings.HasPrefix(named, "http://"), strings.HasPrefix(named, "https://"):
		return t.stored(kind, upload{name: named[strings.LastIndex(named, "/")+1:]}), nil
	}
	return nil, bad("wrong file identifier/HTTP URL specified")
}

// media is a body that holds this file. An animation stands there twice, for bots that know only documents.
func media(kind string, object any) fields {
	body := fields{kind: object}
	if kind == "animation" {
		body["document"] = object
	}
	return body
}

// stored keeps an upload under new file ids.
func (t *Telegram) stored(kind string, u upload) fields {
	body := newMedia(kind)
	if object, ok := body[kind].(fields); ok {
		if kind == "document" || kind == "audio" || kind == "video" || kind == "animation" {
			put(object, "file_name", u.name)
		}
		if len(u.data) > 0 {
			object["file_size"] = len(u.data)
		}
	}
	t.remember(kind, body, u)
	return body
}

// typeName is how the server calls a kind of file, "video_note" → "VideoNote".
func typeName(kind string) string {
	words := strings.Split(kind, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// inputMedia is an InputMedia of sendMediaGroup and editMessageMedia.
type inputMedia struct {
	Type            string                 `json:"type"`
	Media           string                 `json:"media"`
	Caption         string                 `json:"caption"`
	ParseMode       string                 `json:"parse_mode"`
	CaptionEntities []models.MessageEntity `json:"caption_entities"`
	Above           bool                   `json:"show_caption_above_media"`
	Spoiler         bool                   `json:"has_spoiler"`
}

// input is the body for an InputMedia.
func (t *Telegram) input(item inputMedia, p *params) (fields, *refusal) {
	if !captioned[item.Type] {
		return nil, bad("can't parse InputMedia: invalid type specified")
	}
	body, refused := t.media(item.Type, item.Media, p)
	if refused != nil {
		return nil, refused
	}
	own := &params{values: map[string]string{"caption": item.Caption, "parse_mode": item.ParseMode}}
	if len(item.CaptionEntities) > 0 {
		raw, _ := json.Marshal(item.CaptionEntities)
		own.values["caption_entities"] = string(raw)
	}
	if item.Above {
		own.values["show_caption_above_media"] = "true"
	}
	if item.Spoiler {
		body["has_media_spoiler"] = true
	}
	return body, t.caption(own, body)
}

// File is what was uploaded under a file id: its name and bytes.
func (t *Telegram) File(fileID string) (name string, data []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[fileID]
	return f.name, f.data
}
