package emulator

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot/models"
)

// Content is what a message holds, of any kind: made by the functions below, sent by Send, Post and their like.
type Content struct {
	Kind      string // the Bot API's name: "text", "photo", "video_note", …
	body      fields
	origin    fields
	quote     fields
	protected bool
	album     string
}

// Text is a text, with the commands, links and mentions in it marked as Telegram marks them.
func Text(s string) Content { return TextWith(s) }

// TextWith is a text with these entities besides those that Telegram finds itself.
func TextWith(s string, entities ...models.MessageEntity) Content {
	body := fields{"text": s}
	if all := marked(s, entities); len(all) > 0 {
		body["entities"] = all
	}
	return Content{Kind: "text", body: body}
}

// marked are the entities of a text that a person wrote: those they set, and those that Telegram finds.
func marked(s string, set []models.MessageEntity) []models.MessageEntity {
	return slices.Concat(set, found(s, set))
}

func captionedMedia(kind, caption string) Content {
	body := newMedia(kind)
	setCaption(body, caption, found(caption, nil))
	return Content{Kind: kind, body: body}
}

// Photo, Video, Animation, Audio, Document and Voice are media with a caption, which may be empty, or as long as only premium
// users may write it. Each call makes a file of its own.
func Photo(caption string) Content     { return captionedMedia("photo", caption) }
func Video(caption string) Content     { return captionedMedia("video", caption) }
func Animation(caption string) Content { return captionedMedia("animation", caption) }
func Audio(caption string) Content     { return captionedMedia("audio", caption) }
func Document(caption string) Content  { return captionedMedia("document", caption) }
func Voice(caption string) Content     { return captionedMedia("voice", caption) }

// VideoNote is a round video. It has no caption.
func VideoNote() Content { return Content{Kind: "video_note", body: newMedia("video_note")} }

// Sticker is a regular sticker.
func Sticker() Content { return Content{Kind: "sticker", body: newMedia("sticker")} }

func single(kind string, object any) Content { return Content{Kind: kind, body: fields{kind: object}} }

// Contact is a phone book entry.
func Contact(phone, firstName string) Content {
	return single("contact", fields{"phone_number": phone, "first_name": firstName})
}

var somewhere = fields{"latitude": 52.520008, "longitude": 13.404954}

// Location is a point on the map.
func Location() Content { return single("location", somewhere) }

// Venue is a point on the map with a name. The message holds the location as well.
func Venue() Content {
	return Content{Kind: "venue", body: fields{
		"venue":    fields{"location": somewhere, "title": "Café", "address": "Hauptstr. 1"},
		"location": somewhere,
	}}
}

// Poll is an ordinary poll.
func Poll() Content {
	return single("poll", newPoll(fileNumber("poll"), "Tea or coffee?", "Tea", "Coffee"))
}

// Quiz is a poll whose right answer the bot does not know: it can't be copied.
func Quiz() Content {
	poll := newPoll(fileNumber("poll"), "2 + 2?", "4", "5")
	poll["type"] = "quiz"
	return single("poll", poll)
}

// Dice shows a five.
func Dice() Content { return single("dice", fields{"emoji": "🎲", "value": 5}) }

// Story is a forwarded story.
func Story() Content {
	return single("story", fields{"chat": fields{"id": 42, "type": "private", "first_name": "Ann"}, "id": 3})
}

// Game is an HTML5 game.
func Game() Content {
	return single("game", fields{"title": "Chess", "description": "A game", "photo": newMedia("photo")["photo"]})
}

// PaidMedia must be paid for: it can't be copied.
func PaidMedia() Content {
	return single("paid_media", fields{
		"star_count": 5,
		"paid_media": []fields{{"type": "photo", "photo": newMedia("photo")["photo"]}},
	})
}

// Giveaway can't be copied.
func Giveaway() Content {
	return single("giveaway", fields{
		"chats":                  []fields{aChannel},
		"winners_selection_date": 1893456000,
		"winner_count":           3,
	})
}

// Invoice can't be copied.
func Invoice() Content {
	return single("invoice", fields{
		"title": "Goods", "description": "Some goods", "start_parameter": "buy", "currency": "EUR", "total_amount": 1250,
	})
}

// Checklist is a list of tasks.
func Checklist() Content {
	return single("checklist", fields{"title": "To do", "tasks": []fields{{"id": 1, "text": "Sleep"}, {"id": 2, "text": "Eat"}}})
}

// RichMessage is a message made of blocks: it has neither text nor caption.
func RichMessage() Content {
	return single("rich_message", fields{"blocks": []fields{{"type": "paragraph", "text": "Rich text"}}})
}

// Unknown is a kind of message that no program knows yet.
func Unknown() Content { return single("hologram", fields{"depth": 3}) }

var aChannel = fields{"id": -1001111111111, "type": "channel", "title": "News"}

// Forwarded is the same content, forwarded from a "user", "hidden_user", "chat" or "channel"; any other word makes an origin
// of a type that nobody knows yet.
func (c Content) Forwarded(origin string) Content {
	c.origin = fields{"type": origin, "date": 1700000000}
	switch origin {
	case "user":
		c.origin["sender_user"] = user(&Person{ID: 4040, FirstName: "Ann"})
	case "hidden_user":
		c.origin["sender_user_name"] = "Somebody"
	case "chat":
		c.origin["sender_chat"] = fields{"id": -1002222222222, "type": "supergroup", "title": "A group"}
	case "channel":
		c.origin["chat"], c.origin["message_id"] = aChannel, 17
	}
	return c
}

// Quoting quotes a part of the message it replies to.
func (c Content) Quoting(text string) Content {
	c.quote = fields{"text": text, "position": 0, "is_manual": true}
	return c
}

// Protected content can't be forwarded, but bots may copy it.
func (c Content) Protected() Content {
	c.protected = true
	return c
}

// With is the same content with one more field in the message, or another value there.
func (c Content) With(field string, value any) Content {
	c.body = maps.Clone(c.body)
	c.body[field] = value
	return c
}

// CaptionAbove shows the caption above the media.
func (c Content) CaptionAbove() Content { return c.With("show_caption_above_media", true) }

// Live is a location that moves, for so long. A message of another kind stays as it is.
func (c Content) Live(d time.Duration) Content {
	location, ok := c.body["location"].(fields)
	if !ok {
		return c
	}
	location = maps.Clone(location)
	location["live_period"] = int(d.Seconds())
	return c.With("location", location)
}

var files atomic.Int64

// fileNumber makes an id that no other file has.
func fileNumber(prefix string) string { return fmt.Sprintf("%s%06d", prefix, files.Add(1)) }

func newFile(prefix string, more fields) fields {
	id := fileNumber(prefix)
	more["file_id"], more["file_unique_id"] = "AgAC"+id, "AQAD"+id
	if _, ok := more["file_size"]; !ok {
		more["file_size"] = 12345
	}
	return more
}

// newMedia is the body of a message that holds one new file of this kind.
func newMedia(kind string) fields {
	switch kind {
	case "photo":
		return fields{kind: []fields{
			newFile("photo", fields{"width": 90, "height": 67, "file_size": 1253}),
			newFile("photo", fields{"width": 800, "height": 600, "file_size": 86921}),
		}}
	case "video":
		return fields{kind: newFile(kind, fields{"width": 640, "height": 360, "duration": 4, "mime_type": "video/mp4"})}
	case "animation":
		return media(kind, newFile(kind, fields{"width": 320, "height": 240, "duration": 2, "mime_type": "video/mp4"}))
	case "audio":
		return fields{kind: newFile(kind, fields{"duration": 180, "performer": "Band", "title": "Song", "mime_type": "audio/mpeg"})}
	case "voice":
		return fields{kind: newFile(kind, fields{"duration": 3, "mime_type": "audio/ogg"})}
	case "video_note":
		return fields{kind: newFile("round", fields{"length": 240, "duration": 5})}
	case "sticker":
		return fields{kind: newFile(kind, fields{
			"type": "regular", "width": 512, "height": 512, "is_animated": false, "is_video": false, "emoji": "👍", "set_name": "Set",
		})}
	}
	return fields{kind: newFile(kind, fields{"file_name": "file.pdf", "mime_type": "application/pdf"})}
}

func newPoll(id, question string, options ...string) fields {
	var list []fields
	for i, text := range options {
		list = append(list, fields{"persistent_id": number(int64(i)), "text": text, "voter_count": 0})
	}
	return fields{
		"id": id, "question": question, "options": list, "total_voter_count": 0, "is_closed": false, "is_anonymous": true,
		"type": "regular", "allows_multiple_answers": false, "allows_revoting": false, "members_only": false,
	}
}

// copyable says whether the Bot API's copyMessage can take this content.
func (m *message) copyable() bool {
	switch {
	case m.service:
		return false
	case m.kind == "paid_media", m.kind == "giveaway", m.kind == "giveaway_winners", m.kind == "invoice":
		return false
	case m.kind == "poll":
		poll := m.body["poll"].(fields)
		_, known := poll["correct_option_ids"]
		return poll["type"] != "quiz" || known
	}
	return true
}
