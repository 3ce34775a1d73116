package outbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// What is sent anew from an update, kind by kind: the parameters that count, as they go over the wire.
func TestTypedSendsEveryKindThatCanBeMadeAnew(t *testing.T) {
	const caption = `"caption":"words","caption_entities":[{"type":"bold","offset":0,"length":5}]`
	for _, c := range []struct {
		update string
		params any
		wire   []string // what must stand in the parameters
	}{
		{`"text":"words","entities":[{"type":"bold","offset":0,"length":5},{"type":"of_tomorrow","offset":0,"length":1}]`,
			&bot.SendMessageParams{}, []string{`"text":"words"`, `"entities":[{"type":"bold","offset":0,"length":5},{"type":"of_tomorrow"`}},
		{`"photo":[{"file_id":"small","width":90},{"file_id":"large","width":1280},{"file_id":"middle","width":320}],` + caption,
			&bot.SendPhotoParams{}, []string{`"photo":"large"`, caption}},
		{`"photo":[{"file_id":"p","width":9}],"has_media_spoiler":true,"show_caption_above_media":true,` + caption,
			&bot.SendPhotoParams{}, []string{`"has_spoiler":true`, `"show_caption_above_media":true`}},
		{`"video":{"file_id":"v"},"has_media_spoiler":true,` + caption, &bot.SendVideoParams{}, []string{`"video":"v"`, `"has_spoiler":true`, caption}},
		{`"animation":{"file_id":"a"},"document":{"file_id":"d"},` + caption, &bot.SendAnimationParams{}, []string{`"animation":"a"`, caption}},
		{`"audio":{"file_id":"a"},` + caption, &bot.SendAudioParams{}, []string{`"audio":"a"`, caption}},
		{`"document":{"file_id":"d"},` + caption, &bot.SendDocumentParams{}, []string{`"document":"d"`, caption}},
		{`"voice":{"file_id":"v"},` + caption, &bot.SendVoiceParams{}, []string{`"voice":"v"`, caption}},
		{`"video_note":{"file_id":"n"}`, &bot.SendVideoNoteParams{}, []string{`"video_note":"n"`}},
		{`"sticker":{"file_id":"s"}`, &bot.SendStickerParams{}, []string{`"sticker":"s"`}},
		{`"contact":{"phone_number":"+1","first_name":"Ada","last_name":"L","vcard":"BEGIN"}`, &bot.SendContactParams{},
			[]string{`"phone_number":"+1"`, `"first_name":"Ada"`, `"last_name":"L"`, `"vcard":"BEGIN"`}},
		{`"venue":{"location":{"latitude":1.5,"longitude":-2.5},"title":"here","address":"there"},"location":{"latitude":1.5,"longitude":-2.5}`,
			&bot.SendVenueParams{}, []string{`"latitude":1.5`, `"longitude":-2.5`, `"title":"here"`, `"address":"there"`}},
		{`"location":{"latitude":1.5,"longitude":-2.5}`, &bot.SendLocationParams{}, []string{`"latitude":1.5`, `"longitude":-2.5`}},
	} {
		update := `{"message_id":9,"chat":{"id":7},"forward_origin":{"type":"of_tomorrow"},` + c.update + `}`
		params := typedOf(update, place{chat: -100, thread: 5})
		if reflect.TypeOf(params) != reflect.TypeOf(c.params) {
			t.Errorf("%s is sent as %T", c.update, params)
			continue
		}
		wire, err := json.Marshal(params)
		if err != nil {
			t.Errorf("%s: %v", c.update, err)
		}
		for _, part := range append(c.wire, `"chat_id":-100`, `"message_thread_id":5`) {
			if got := strings.ReplaceAll(string(wire), `{"Data":`, ""); !strings.Contains(plain(got), plain(part)) {
				t.Errorf("%s\nis sent as %s\nwithout    %s", c.update, got, part)
			}
		}
		private := typedOf(update, place{chat: 7})
		if wire, _ := json.Marshal(private); strings.Contains(string(wire), "message_thread_id") {
			t.Errorf("to a person it goes with a thread: %s", wire)
		}
	}
}

func typedOf(update string, to place) any {
	c := readContent(json.RawMessage(update))
	return c.typed(target{place: to})
}

// plain ignores how the library nests a file id.
func plain(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "}", ""), `\"`, `"`) }

func TestTypedLeavesAloneWhatOnlyTelegramCanMake(t *testing.T) {
	for _, kind := range []string{`"poll":{"id":"1"}`, `"dice":{"emoji":"🎲","value":5}`, `"story":{"id":1}`, `"game":{"title":"x"}`,
		`"paid_media":{"star_count":1}`, `"rich_message":{"blocks":[]}`, `"checklist":{"title":"x"}`, `"of_tomorrow":{}`, `"text":""`} {
		if params := typedOf(`{"message_id":9,`+kind+`}`, place{chat: 7}); params != nil {
			t.Errorf("%s is sent as %T", kind, params)
		}
	}
}

func TestTypedNeverPanicsOnWhatCannotBeRead(t *testing.T) {
	for _, broken := range []string{"", "{", "null", "[]", `"x"`, `{"text":5}`, `{"photo":{}}`, `{"photo":[]}`, `{"venue":null}`, `{"video":"x"}`,
		`{"contact":[]}`} {
		if params := typedOf(broken, place{chat: 7}); params != nil {
			t.Errorf("%q is sent as %T", broken, params)
		}
	}
}

func TestTypedParametersHaveAMethod(t *testing.T) {
	for _, p := range []any{&bot.SendMessageParams{}, &bot.SendPhotoParams{}, &bot.SendVideoParams{}, &bot.SendAnimationParams{},
		&bot.SendAudioParams{}, &bot.SendDocumentParams{}, &bot.SendVoiceParams{}, &bot.SendVideoNoteParams{}, &bot.SendStickerParams{},
		&bot.SendContactParams{}, &bot.SendVenueParams{}, &bot.SendLocationParams{}, &bot.CopyMessageParams{}, &bot.ForwardMessageParams{},
		&bot.EditMessageTextParams{}, &bot.DeleteMessageParams{}, &bot.PinChatMessageParams{}, &bot.AnswerCallbackQueryParams{},
		&bot.CreateForumTopicParams{}, &bot.ReopenForumTopicParams{}, &bot.EditForumTopicParams{}, &bot.DeleteForumTopicParams{},
		&bot.CopyMessagesParams{}, &bot.SendMediaGroupParams{Media: []models.InputMedia{&models.InputMediaPhoto{Media: "x"}}},
		&bot.EditMessageCaptionParams{}, &bot.EditMessageMediaParams{Media: &models.InputMediaPhoto{Media: "x"}},
		&bot.SetMessageReactionParams{}, &bot.DeleteMessagesParams{}} {
		want := methodOf(p)
		called := methodCalled(t, p)
		if !strings.EqualFold(called, want) {
			t.Errorf("%T calls %q, want %q", p, called, want)
		}
	}
}

// methodOf is the method after which the library names its parameters.
func methodOf(p any) string {
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", p), "*bot."), "Params")
}
