package outbox

import (
	"encoding/json"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// A content is what of a message can be sent anew, from the update that brought it: for a source that was deleted meanwhile, or
// that Telegram does not copy.
type content struct {
	Text            string                 `json:"text"`
	Entities        []models.MessageEntity `json:"entities"`
	Caption         string                 `json:"caption"`
	CaptionEntities []models.MessageEntity `json:"caption_entities"`
	CaptionAbove    bool                   `json:"show_caption_above_media"`
	Spoiler         bool                   `json:"has_media_spoiler"`
	Photo           []models.PhotoSize     `json:"photo"`
	Video           *file                  `json:"video"`
	Animation       *file                  `json:"animation"`
	Audio           *file                  `json:"audio"`
	Document        *file                  `json:"document"`
	Voice           *file                  `json:"voice"`
	VideoNote       *file                  `json:"video_note"`
	Sticker         *file                  `json:"sticker"`
	Contact         *models.Contact        `json:"contact"`
	Location        *models.Location       `json:"location"`
	Venue           *models.Venue          `json:"venue"`
}

type file struct {
	ID string `json:"file_id"`
}

func (f *file) input() models.InputFile { return &models.InputFileString{Data: f.ID} }

// typed is how to send the message anew; false for kinds that only Telegram can make, such as a poll with its votes or a rolled
// dice. An animation is a document too, and a venue a location: the richer one is asked first.
func typed(raw json.RawMessage, to place) (params any, ok bool) {
	var c content
	if json.Unmarshal(raw, &c) != nil {
		return nil, false
	}
	if params := c.typedMedia(int64(to.chat), int(to.thread)); params != nil {
		return params, true
	}
	params = c.typedOther(int64(to.chat), int(to.thread))
	return params, params != nil
}

func (c *content) typedMedia(chat int64, thread int) any {
	switch {
	case len(c.Photo) > 0:
		return &bot.SendPhotoParams{ChatID: chat, MessageThreadID: thread, Photo: &models.InputFileString{Data: largest(c.Photo)},
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler}
	case c.Video != nil:
		return &bot.SendVideoParams{ChatID: chat, MessageThreadID: thread, Video: c.Video.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler}
	case c.Animation != nil:
		return &bot.SendAnimationParams{ChatID: chat, MessageThreadID: thread, Animation: c.Animation.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities, ShowCaptionAboveMedia: c.CaptionAbove, HasSpoiler: c.Spoiler}
	case c.Audio != nil:
		return &bot.SendAudioParams{ChatID: chat, MessageThreadID: thread, Audio: c.Audio.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities}
	case c.Document != nil:
		return &bot.SendDocumentParams{ChatID: chat, MessageThreadID: thread, Document: c.Document.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities}
	case c.Voice != nil:
		return &bot.SendVoiceParams{ChatID: chat, MessageThreadID: thread, Voice: c.Voice.input(),
			Caption: c.Caption, CaptionEntities: c.CaptionEntities}
	case c.VideoNote != nil:
		return &bot.SendVideoNoteParams{ChatID: chat, MessageThreadID: thread, VideoNote: c.VideoNote.input()}
	case c.Sticker != nil:
		return &bot.SendStickerParams{ChatID: chat, MessageThreadID: thread, Sticker: c.Sticker.input()}
	}
	return nil
}

func (c *content) typedOther(chat int64, thread int) any {
	switch {
	case c.Text != "":
		return &bot.SendMessageParams{ChatID: chat, MessageThreadID: thread, Text: c.Text, Entities: c.Entities}
	case c.Contact != nil:
		return &bot.SendContactParams{ChatID: chat, MessageThreadID: thread, PhoneNumber: c.Contact.PhoneNumber,
			FirstName: c.Contact.FirstName, LastName: c.Contact.LastName, VCard: c.Contact.VCard}
	case c.Venue != nil:
		return &bot.SendVenueParams{ChatID: chat, MessageThreadID: thread, Latitude: c.Venue.Location.Latitude,
			Longitude: c.Venue.Location.Longitude, Title: c.Venue.Title, Address: c.Venue.Address}
	case c.Location != nil:
		return &bot.SendLocationParams{ChatID: chat, MessageThreadID: thread, Latitude: c.Location.Latitude,
			Longitude: c.Location.Longitude}
	}
	return nil
}

// largest is the widest picture; of equals the later (F2).
func largest(sizes []models.PhotoSize) string {
	best := sizes[0]
	for _, s := range sizes[1:] {
		if s.Width >= best.Width {
			best = s
		}
	}
	return best.FileID
}
