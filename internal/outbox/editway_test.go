package outbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// The content of each kind, as Telegram sends it.
var contents = map[string]string{
	"text":      `"text":"a","entities":[{"type":"bold","offset":0,"length":1}]`,
	"photo":     `"photo":[{"file_id":"f","width":9}],"caption":"a"`,
	"video":     `"video":{"file_id":"f"},"caption":"a"`,
	"animation": `"animation":{"file_id":"f"},"document":{"file_id":"d"},"caption":"a"`,
	"audio":     `"audio":{"file_id":"f"},"caption":"a"`,
	"document":  `"document":{"file_id":"f"},"caption":"a"`,
	"voice":     `"voice":{"file_id":"f"},"caption":"a"`,

	"video_note":  `"video_note":{"file_id":"f"}`,
	"sticker":     `"sticker":{"file_id":"f"}`,
	"contact":     `"contact":{"phone_number":"1","first_name":"a"}`,
	"checklist":   `"checklist":{"title":"a"}`,
	"poll":        `"poll":{"id":"1"}`,
	"dice":        `"dice":{"value":5}`,
	"location":    `"location":{"latitude":1,"longitude":2}`,
	"venue":       `"venue":{"title":"a","location":{}},"location":{}`,
	"story":       `"story":{"id":1}`,
	"of_tomorrow": `"of_tomorrow":{}`,
}

// way names how a message of one kind is made of the copy of another.
func way(kind, was string, same bool) string {
	m := readContent(json.RawMessage(`{` + contents[kind] + `}`))
	switch p := m.edit(copyPlace{chat: -100, id: 50}, kind, was, same).(type) {
	case nil:
		return "anew"
	case *bot.EditMessageTextParams:
		return "text"
	case *bot.EditMessageCaptionParams:
		return "caption"
	case *bot.EditMessageMediaParams:
		return "media"
	default:
		return fmt.Sprintf("%T", p)
	}
}

// What Telegram lets a bot make of a message of its own: text of text, another caption under the same medium, another medium in place
// of text or of a medium that can be edited. All else stays as it is, and the newer form is sent anew.
func TestEditGoesTheWayThatTelegramHas(t *testing.T) {
	editable := map[string]bool{"photo": true, "video": true, "animation": true, "audio": true, "document": true} // and voice, by its caption only
	for kind := range contents {
		for was := range contents {
			for _, same := range []bool{true, false} {
				want := "anew"
				switch {
				case kind == "text" && was == "text":
					want = "text"
				case kind == was && same && (editable[kind] || kind == "voice"):
					want = "caption"
				case editable[kind] && (editable[was] || was == "text"):
					want = "media"
				}
				if got := way(kind, was, same); got != want {
					t.Errorf("%s, which was %s (same medium: %v), goes by %s, want %s", kind, was, same, got, want)
				}
			}
		}
	}
}

func edited(t *testing.T, kind, was, fields string, same bool) string {
	t.Helper()
	m := readContent(json.RawMessage(`{` + fields + `}`))
	b, err := json.Marshal(m.edit(copyPlace{chat: -100, id: 50}, kind, was, same))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The change says all that the message shows now, and where the copy stands.
func TestEditCarriesAllThatIsShown(t *testing.T) {
	for _, c := range []struct {
		kind, was, fields string
		same              bool
		want              string
	}{
		{"text", "text", `"text":"ab","entities":[{"type":"bold","offset":0,"length":1}],"link_preview_options":{"is_disabled":true}`, true,
			`{"chat_id":-100,"message_id":50,"text":"ab","entities":[{"type":"bold","offset":0,"length":1}],"link_preview_options":{"is_disabled":true}}`},
		{"photo", "photo", aPhoto + `,"caption":"ab","caption_entities":[{"type":"bold","offset":0,"length":1}],"show_caption_above_media":true`, true,
			`{"chat_id":-100,"message_id":50,"caption":"ab","show_caption_above_media":true,"caption_entities":[{"type":"bold","offset":0,"length":1}]}`},
		{"photo", "photo", aPhoto, true, `{"chat_id":-100,"message_id":50}`}, // the caption is gone
	} {
		got := edited(t, c.kind, c.was, c.fields, c.same)
		if !sameJSON(t, got, c.want) {
			t.Errorf("%s: %s\nwant %s", c.fields, got, c.want)
		}
	}
}

// Another medium takes its caption and its looks along.
func TestEditOfAMediumTakesItsCaptionAlong(t *testing.T) {
	m := readContent(json.RawMessage(`{` + aPhoto + `,"caption":"ab","caption_entities":[{"type":"bold","offset":0,"length":1}],
		"show_caption_above_media":true,"has_media_spoiler":true}`))
	p, ok := m.edit(copyPlace{chat: -100, id: 50}, "photo", "video", false).(*bot.EditMessageMediaParams)
	if !ok {
		t.Fatal("it is not edited as a medium")
	}
	photo, ok := p.Media.(*models.InputMediaPhoto)
	if !ok || photo.Media != "l" || photo.Caption != "ab" || len(photo.CaptionEntities) != 1 || !photo.ShowCaptionAboveMedia || !photo.HasSpoiler {
		t.Errorf("it becomes %+v", p.Media)
	}
	if p.ChatID != int64(-100) || p.MessageID != 50 {
		t.Errorf("of message %d in %v", p.MessageID, p.ChatID)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
