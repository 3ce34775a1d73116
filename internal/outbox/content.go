package outbox

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/internal/desk"
)

// A content is what of a message can be sent anew, from the update that brought it: for a source that was deleted meanwhile, that
// Telegram does not copy, or that was edited.
type content struct {
	Text            string                     `json:"text"`
	Entities        []models.MessageEntity     `json:"entities"`
	Preview         *models.LinkPreviewOptions `json:"link_preview_options"`
	Caption         string                     `json:"caption"`
	CaptionEntities []models.MessageEntity     `json:"caption_entities"`
	CaptionAbove    bool                       `json:"show_caption_above_media"`
	Spoiler         bool                       `json:"has_media_spoiler"`
	Quote           *quote                     `json:"quote"`
	Photo           []models.PhotoSize         `json:"photo"`
	LivePhoto       *file                      `json:"live_photo"` // it has a photo as well, which does not move
	Video           *file                      `json:"video"`
	Animation       *file                      `json:"animation"`
	Audio           *file                      `json:"audio"`
	Document        *file                      `json:"document"`
	Poll            *poll                      `json:"poll"`
	Voice           *file                      `json:"voice"`
	VideoNote       *file                      `json:"video_note"`
	Sticker         *file                      `json:"sticker"`
	Contact         *models.Contact            `json:"contact"`
	Location        *models.Location           `json:"location"`
	Venue           *models.Venue              `json:"venue"`
}

type file struct {
	ID     string `json:"file_id"`
	Unique string `json:"file_unique_id"` // the same for the same file, whoever asks
}

type poll struct {
	Type string `json:"type"`
}

// kindOf is the word for what a message is. A quiz is a poll that Telegram does not copy.
func kindOf(c desk.Copied) string {
	if m := readContent(c.Raw); m.Poll != nil && m.Poll.Type == "quiz" {
		return "quiz"
	}
	return c.Content
}

// A quote is the part of another message that this one answers.
type quote struct {
	Text     string                 `json:"text"`
	Entities []models.MessageEntity `json:"entities"`
	Position int                    `json:"position"`
}

func (f *file) input() models.InputFile { return &models.InputFileString{Data: f.ID} }

// readContent reads a message; one that cannot be read as a whole has no content, and only Telegram can copy it.
func readContent(raw json.RawMessage) content {
	c, _ := tryContent(raw)
	return c
}

func tryContent(raw json.RawMessage) (c content, readable bool) {
	if json.Unmarshal(raw, &c) != nil {
		return content{}, false
	}
	return c, true
}

// maxCaption is how long a caption may be that a bot sends, in characters. Some people may write longer ones.
const maxCaption = 1024

// splits tells that the caption is too long to be sent with its medium: it follows as a text.
func (c *content) splits() bool { return utf8.RuneCountInString(c.Caption) > maxCaption }

// splits tells the same of a message as it is carried.
func splits(c desk.Copied) bool {
	m := readContent(c.Raw)
	return m.splits()
}

// typed is how to send the message anew; nil for kinds that only Telegram can make, such as a poll with its votes or a rolled dice.
// An animation is a document too, and a venue a location: the richer one is asked first.
func (c *content) typed(to target) any {
	if c.splits() {
		bare := *c
		bare.Caption, bare.CaptionEntities = "", nil
		c = &bare
	}
	if params := c.typedMedia(to); params != nil {
		return params
	}
	return c.typedOther(to)
}

func (c *content) typedMedia(to target) any {
	chat, thread := int64(to.chat), int(to.thread)
	switch {
	case c.LivePhoto != nil:
		return nil
	case len(c.Photo) > 0:
		return &bot.SendPhotoParams{ChatID: chat, MessageThreadID: thread, Photo: &models.InputFileString{Data: largest(c.Photo).FileID},
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler,
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Video != nil:
		return &bot.SendVideoParams{ChatID: chat, MessageThreadID: thread, Video: c.Video.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler,
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Animation != nil:
		return &bot.SendAnimationParams{ChatID: chat, MessageThreadID: thread, Animation: c.Animation.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler,
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Audio != nil:
		return &bot.SendAudioParams{ChatID: chat, MessageThreadID: thread, Audio: c.Audio.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Document != nil:
		return &bot.SendDocumentParams{ChatID: chat, MessageThreadID: thread, Document: c.Document.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Voice != nil:
		return &bot.SendVoiceParams{ChatID: chat, MessageThreadID: thread, Voice: c.Voice.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.VideoNote != nil:
		return &bot.SendVideoNoteParams{ChatID: chat, MessageThreadID: thread, VideoNote: c.VideoNote.input(),
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Sticker != nil:
		return &bot.SendStickerParams{ChatID: chat, MessageThreadID: thread, Sticker: c.Sticker.input(),
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	}
	return nil
}

func (c *content) typedOther(to target) any {
	chat, thread := int64(to.chat), int(to.thread)
	switch {
	case c.Text != "":
		return &bot.SendMessageParams{ChatID: chat, MessageThreadID: thread, Text: c.Text, Entities: c.Entities,
			LinkPreviewOptions: c.Preview, ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Contact != nil:
		return &bot.SendContactParams{ChatID: chat, MessageThreadID: thread, PhoneNumber: c.Contact.PhoneNumber,
			FirstName: c.Contact.FirstName, LastName: c.Contact.LastName, VCard: c.Contact.VCard,
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Venue != nil:
		return &bot.SendVenueParams{ChatID: chat, MessageThreadID: thread, Latitude: c.Venue.Location.Latitude,
			Longitude: c.Venue.Location.Longitude, Title: c.Venue.Title, Address: c.Venue.Address,
			ReplyParameters: to.reply, ReplyMarkup: to.mark}
	case c.Location != nil:
		return &bot.SendLocationParams{ChatID: chat, MessageThreadID: thread, Latitude: c.Location.Latitude,
			Longitude: c.Location.Longitude, ReplyParameters: to.reply, ReplyMarkup: to.mark}
	}
	return nil
}

// words is the caption as a text of its own.
func (c *content) words(to target) any {
	return &bot.SendMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread), Text: c.Caption, Entities: c.CaptionEntities,
		LinkPreviewOptions: noPreview, ReplyParameters: to.reply}
}

// medium is the content as an item of an album, or to replace another medium; nil for kinds that cannot be either.
func (c *content) medium() models.InputMedia {
	switch {
	case c.LivePhoto != nil:
		return nil
	case len(c.Photo) > 0:
		return &models.InputMediaPhoto{Media: largest(c.Photo).FileID, Caption: c.Caption, CaptionEntities: c.CaptionEntities,
			ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler}
	case c.Video != nil:
		return &models.InputMediaVideo{Media: c.Video.ID, Caption: c.Caption, CaptionEntities: c.CaptionEntities,
			ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler}
	case c.Animation != nil:
		return &models.InputMediaAnimation{Media: c.Animation.ID, Caption: c.Caption, CaptionEntities: c.CaptionEntities,
			ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler}
	case c.Audio != nil:
		return &models.InputMediaAudio{Media: c.Audio.ID, Caption: c.Caption, CaptionEntities: c.CaptionEntities}
	case c.Document != nil:
		return &models.InputMediaDocument{Media: c.Document.ID, Caption: c.Caption, CaptionEntities: c.CaptionEntities}
	}
	return nil
}

// largest is the widest picture; of equals the later (F2).
func largest(sizes []models.PhotoSize) models.PhotoSize {
	best := sizes[0]
	for _, s := range sizes[1:] {
		if s.Width >= best.Width {
			best = s
		}
	}
	return best
}
