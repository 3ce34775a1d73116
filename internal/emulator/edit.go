package emulator

import (
	"maps"
	"reflect"
)

// editable kinds are those whose content a bot may change; textless ones refuse even before they are looked at.
var editable = map[string]bool{
	"text": true, "rich_message": true, "animation": true, "audio": true, "document": true, "photo": true, "video": true,
	"voice": true, "game": true, "checklist": true, "paid_media": true,
}

// toEdit finds the bot's own message that a call wants to change.
func (t *Telegram) toEdit(p *params) (*message, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	m := c.message(p.int("message_id"))
	switch {
	case m == nil:
		return nil, bad("message to edit not found")
	case !t.byBot(m), m.service, m.origin != nil:
		return nil, bad("message can't be edited")
	}
	return m, nil
}

// change gives a message a new body and the keyboard of the call; without one the old keyboard goes.
func (t *Telegram) change(m *message, kind string, body fields, p *params) (any, *refusal) {
	inline, refused := buttons(p, m.chat)
	if refused == nil {
		refused = m.chat.reachable()
	}
	if refused != nil {
		return nil, refused
	}
	if same(body, m.body) && same(inline, m.inline) {
		return nil, bad(notModified)
	}
	if refused := t.spend(m.chat, 1); refused != nil {
		return nil, refused
	}
	if !same(body, m.body) {
		m.edited = t.now()
	}
	m.kind, m.body, m.inline = kind, body, inline
	return t.object(m), nil
}

func same(a, b fields) bool { return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b) }

func editMessageText(t *Telegram, p *params) (any, *refusal) {
	m, refused := t.toEdit(p)
	if refused != nil {
		return nil, refused
	}
	switch {
	case !editable[m.kind]:
		return nil, bad("message can't be edited")
	case m.kind != "text" && m.kind != "rich_message":
		return nil, bad("there is no text in the message to edit")
	}
	body, refused := t.textBody(p)
	if refused != nil {
		return nil, refused
	}
	return t.change(m, "text", body, p)
}

func editMessageCaption(t *Telegram, p *params) (any, *refusal) {
	m, refused := t.toEdit(p)
	if refused != nil {
		return nil, refused
	}
	switch {
	case !editable[m.kind]:
		return nil, bad("message can't be edited")
	case !captioned[m.kind]:
		return nil, bad("there is no caption in the message to edit")
	}
	body := maps.Clone(m.body)
	delete(body, "show_caption_above_media")
	if refused := t.caption(p, body); refused != nil {
		return nil, refused
	}
	return t.change(m, m.kind, body, p)
}

// editMessageMedia replaces the media. A text may become media, never the other way; in an album the family must stay.
func editMessageMedia(t *Telegram, p *params) (any, *refusal) {
	m, refused := t.toEdit(p)
	if refused != nil {
		return nil, refused
	}
	var item inputMedia
	if refused := p.json("media", &item); refused != nil {
		return nil, refused
	}
	switch {
	case !editable[m.kind]:
		return nil, bad("message can't be edited")
	case m.kind == "voice", m.kind == "game", m.kind == "checklist", m.kind == "paid_media", item.Type == "voice":
		return nil, bad("message media can't be edited")
	case m.album != "" && albumFamily(item.Type) != albumFamily(m.kind):
		return nil, bad("message media can't be edited")
	}
	body, refused := t.input(item, p)
	if refused != nil {
		return nil, refused
	}
	return t.change(m, item.Type, body, p)
}

func editMessageReplyMarkup(t *Telegram, p *params) (any, *refusal) {
	m, refused := t.toEdit(p)
	if refused != nil {
		return nil, refused
	}
	return t.change(m, m.kind, m.body, p)
}
