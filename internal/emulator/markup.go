package emulator

import (
	"encoding/json"
	"strings"
)

// A Button is one inline button as people see it.
type Button struct{ Text, Data, URL, WebApp string }

type inlineButton struct {
	Text   string                `json:"text"`
	Data   *string               `json:"callback_data"`
	URL    *string               `json:"url"`
	WebApp *struct{ URL string } `json:"web_app"`
	Pay    bool                  `json:"pay"`
	Copy   json.RawMessage       `json:"copy_text"`
}

// buttons reads reply_markup. Only an inline keyboard becomes part of the message; the others change what people type on.
func buttons(p *params, c *chat) (fields, *refusal) {
	var markup struct {
		Inline   [][]inlineButton `json:"inline_keyboard"`
		Keyboard [][]any          `json:"keyboard"`
		Remove   bool             `json:"remove_keyboard"`
		Force    bool             `json:"force_reply"`
	}
	if refused := p.json("reply_markup", &markup); refused != nil {
		return nil, refused
	}
	empty := true
	for _, row := range markup.Inline {
		for _, b := range row {
			empty = false
			if refused := b.check(c); refused != nil {
				return nil, refused
			}
		}
	}
	if empty {
		return nil, nil
	}
	var raw fields
	return raw, p.json("reply_markup", &raw)
}

func (b inlineButton) check(c *chat) *refusal {
	actions := 0
	for _, present := range []bool{b.Data != nil, b.URL != nil, b.WebApp != nil, b.Pay, b.Copy != nil} {
		if present {
			actions++
		}
	}
	switch {
	case b.Text == "":
		return bad("can't parse inline keyboard button: Field \"text\" must be of type String")
	case actions != 1:
		return bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
	case b.Data != nil && (*b.Data == "" || len(*b.Data) > 64):
		return bad("BUTTON_DATA_INVALID")
	case b.WebApp != nil && c.person == nil:
		return bad("web App buttons can be used in private chats only")
	case b.WebApp != nil && !strings.HasPrefix(b.WebApp.URL, "https://"):
		return bad("inline keyboard button Web App URL '%s' is invalid: Only HTTPS links are allowed", b.WebApp.URL)
	}
	return nil
}

// buttonRows are the buttons of a message as people see them.
func (m *message) buttonRows() [][]Button {
	if m.inline == nil {
		return nil
	}
	var markup struct {
		Inline [][]inlineButton `json:"inline_keyboard"`
	}
	raw, _ := json.Marshal(m.inline)
	json.Unmarshal(raw, &markup)
	rows := make([][]Button, 0, len(markup.Inline))
	for _, row := range markup.Inline {
		var shown []Button
		for _, b := range row {
			button := Button{Text: b.Text}
			if b.Data != nil {
				button.Data = *b.Data
			}
			if b.URL != nil {
				button.URL = *b.URL
			}
			if b.WebApp != nil {
				button.WebApp = b.WebApp.URL
			}
			shown = append(shown, button)
		}
		rows = append(rows, shown)
	}
	return rows
}
