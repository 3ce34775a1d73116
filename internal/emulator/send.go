package emulator

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"unicode/utf8"
)

// A method is one method of the Bot API: the parameters it models and what it does, under the lock. waits is for the one that
// takes its time, and is called without.
type method struct {
	name   string
	params map[string]bool
	do     func(*Telegram, *params) (any, *refusal)
	waits  func(*Telegram, *http.Request, *params) (any, *refusal)
}

// sending makes a send out of what builds its content.
func sending(build func(*Telegram, *params) (kind string, body fields, refused *refusal)) func(*Telegram, *params) (any, *refusal) {
	return func(t *Telegram, p *params) (any, *refusal) {
		to, refused := t.aim(p)
		if refused != nil {
			return nil, refused
		}
		kind, body, refused := build(t, p)
		if refused == nil {
			refused = to.chat.welcome(kind)
		}
		if refused == nil {
			refused = t.spend(to.chat, 1)
		}
		if refused != nil {
			return nil, refused
		}
		return t.object(t.put(to, &message{kind: kind, body: body})), nil
	}
}

func buildText(t *Telegram, p *params) (string, fields, *refusal) {
	body, refused := t.textBody(p)
	return "text", body, refused
}

// buildMedia builds a photo, video, document … from a file id, a URL or an upload.
func buildMedia(kind string) func(*Telegram, *params) (string, fields, *refusal) {
	return func(t *Telegram, p *params) (string, fields, *refusal) {
		body, refused := t.media(kind, p.text(kind), p)
		if refused != nil {
			return "", nil, refused
		}
		if captioned[kind] {
			refused = t.caption(p, body)
		}
		if p.bool("has_spoiler") {
			body["has_media_spoiler"] = true
		}
		return kind, body, refused
	}
}

func buildContact(_ *Telegram, p *params) (string, fields, *refusal) {
	if p.text("phone_number") == "" {
		return "", nil, bad("phone number is empty")
	}
	if p.text("first_name") == "" {
		return "", nil, bad("first name is empty")
	}
	contact := fields{"phone_number": p.text("phone_number"), "first_name": p.text("first_name")}
	put(contact, "last_name", p.text("last_name"))
	put(contact, "vcard", p.text("vcard"))
	return "contact", fields{"contact": contact}, nil
}

func place(p *params) (fields, *refusal) {
	if p.text("latitude") == "" || p.text("longitude") == "" {
		return nil, bad("latitude is empty")
	}
	return fields{"latitude": p.float("latitude"), "longitude": p.float("longitude")}, nil
}

func buildLocation(_ *Telegram, p *params) (string, fields, *refusal) {
	location, refused := place(p)
	if refused != nil {
		return "", nil, refused
	}
	if p.has("horizontal_accuracy") {
		location["horizontal_accuracy"] = p.float("horizontal_accuracy")
	}
	if p.has("live_period") {
		location["live_period"] = p.int("live_period")
	}
	return "location", fields{"location": location}, nil
}

func buildVenue(_ *Telegram, p *params) (string, fields, *refusal) {
	location, refused := place(p)
	if refused != nil {
		return "", nil, refused
	}
	venue := fields{"location": location, "title": p.text("title"), "address": p.text("address")}
	for _, name := range []string{"foursquare_id", "foursquare_type", "google_place_id", "google_place_type"} {
		put(venue, name, p.text(name))
	}
	return "venue", fields{"venue": venue, "location": location}, nil
}

func buildPoll(t *Telegram, p *params) (string, fields, *refusal) {
	var options []struct {
		Text string `json:"text"`
	}
	if refused := p.json("options", &options); refused != nil {
		return "", nil, refused
	}
	switch {
	case p.text("question") == "":
		return "", nil, bad("poll question is empty")
	case utf8.RuneCountInString(p.text("question")) > 300:
		return "", nil, bad("poll question length must not exceed 300")
	case len(options) == 0:
		return "", nil, bad("poll must have at least 1 option")
	}
	texts := make([]string, 0, len(options))
	for _, o := range options {
		texts = append(texts, o.Text)
	}
	poll := newPoll(t.nextID("poll"), p.text("question"), texts...)
	poll["is_anonymous"] = !p.has("is_anonymous") || p.bool("is_anonymous")
	poll["allows_multiple_answers"] = p.bool("allows_multiple_answers")
	if p.text("type") == "quiz" {
		poll["type"] = "quiz"
		var right []int
		if refused := p.json("correct_option_ids", &right); refused != nil {
			return "", nil, refused
		}
		poll["correct_option_ids"] = right
	}
	return "poll", fields{"poll": poll}, nil
}

func buildDice(_ *Telegram, p *params) (string, fields, *refusal) {
	emoji := p.text("emoji")
	if emoji == "" {
		emoji = "🎲"
	}
	sides, ok := map[string]int{"🎲": 6, "🎯": 6, "🎳": 6, "🏀": 5, "⚽": 5, "🎰": 64}[emoji]
	if !ok {
		return "", nil, bad("dice emoji is invalid")
	}
	return "dice", fields{"dice": fields{"emoji": emoji, "value": 1 + rand.N(sides)}}, nil
}

// sendMediaGroup sends an album: all of it or nothing.
func sendMediaGroup(t *Telegram, p *params) (any, *refusal) {
	to, refused := t.aim(p)
	if refused != nil {
		return nil, refused
	}
	var items []inputMedia
	if refused := p.json("media", &items); refused != nil {
		return nil, refused
	}
	album, refused := t.albumOf(items, p)
	if refused == nil {
		refused = t.spend(to.chat, len(album))
	}
	if refused != nil {
		return nil, refused
	}
	id := ""
	if len(album) > 1 {
		id = t.nextID("album")
	}
	sent := make([]fields, 0, len(album))
	for _, m := range album {
		m.album = id
		sent = append(sent, t.object(t.put(to, m)))
	}
	return sent, nil
}

func (t *Telegram) albumOf(items []inputMedia, p *params) ([]*message, *refusal) {
	if len(items) == 0 {
		return nil, bad("there are no messages to send")
	}
	if len(items) > 10 {
		return nil, bad("too many messages to send as an album")
	}
	var album []*message
	for _, item := range items {
		family, first := albumFamily(item.Type), albumFamily(items[0].Type)
		if family == "" {
			return nil, bad("%s can't be sent as an album item", strings.ReplaceAll(item.Type, "_", " "))
		}
		if family != first {
			return nil, bad("%s can't be mixed with other media types", strings.ReplaceAll(item.Type, "_", " "))
		}
		body, refused := t.input(item, p)
		if refused != nil {
			return nil, refused
		}
		album = append(album, &message{kind: item.Type, body: body})
	}
	return album, nil
}

// albumFamily is what may stand together in one album.
func albumFamily(kind string) string {
	switch kind {
	case "photo", "video":
		return "visual"
	case "audio", "document":
		return kind
	}
	return ""
}
