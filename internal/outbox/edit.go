package outbox

import (
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// editEvery is how often one message is edited at most; changes in between collapse into the last.
const editEvery = 5 * time.Second

// planEditCopy changes the copy of an edited message, if something of it that can be seen has changed.
func (o *Outbox) planEditCopy(tx *db.Tx, row db.CallRow, c desk.EditCopy) (decision, error) {
	copied, found, err := tx.Standing(c.To, c.Source)
	switch {
	case err != nil:
		return decision{}, err
	case c.To.Kind == desk.ToUser && row.Group != tx.Group():
		return drop("another group"), nil
	case !found:
		return o.planAnew(tx, c, false)
	case copied.Removed:
		return drop("taken back"), nil
	}
	now := shown(c.Copied)
	if now != "" && now == copied.Shown {
		return drop("nothing to be seen has changed"), nil
	}
	if until := copied.EditedAt.Add(editEvery); until.After(tx.Now) && !copied.EditedAt.After(tx.Now) {
		return decision{wait: pause{until: until}}, nil
	}
	to := copyPlace{chat: c.User.PrivateChat(), id: copied.InPrivate}
	r := &request{step: stepEdit, family: edits, chat: to.chat, edits: copied}
	if c.To.Kind == desk.ToTopic {
		to = copyPlace{chat: tx.Group(), id: copied.InGroup}
		r.chat, r.thread = to.chat, copied.Thread
	}
	if copied.Marked {
		place, _, err := o.place(tx, row, c.To)
		if err != nil {
			return decision{}, err
		}
		to.mark = o.editedMark(place.language)
	}
	m, readable := tryContent(c.Raw)
	if !readable {
		return o.planAnew(tx, c, true)
	}
	if r.params = m.edit(to, c.Content, copied.Content, sameMedium(now, copied.Shown)); r.params == nil {
		return o.planAnew(tx, c, true)
	}
	return decision{send: r}, nil
}

// A copyPlace is a message of ours that is changed, and the mark that it keeps.
type copyPlace struct {
	chat desk.ChatID
	id   desk.MessageID
	mark models.ReplyMarkup
}

// planAnew sends as a new message, marked as an edit, what cannot be edited or is not there; if it is there, as a reply to it.
func (o *Outbox) planAnew(tx *db.Tx, c desk.EditCopy, stands bool) (decision, error) {
	return drop("sent anew"), oweAnew(tx, c, stands)
}

func oweAnew(tx *db.Tx, c desk.EditCopy, stands bool) error {
	again := c.Copied
	again.Edited, again.ReplyTo = true, 0
	if stands {
		again.ReplyTo = c.Source
	}
	if c.To.Kind == desk.ToTopic {
		return tx.Owe(desk.RelayToTopic{Copied: again})
	}
	return tx.Owe(desk.RelayToUser{Copied: again})
}

// edit is how to make another message show the same; nil where Telegram has no way: media become no text, and a sticker, contact or
// voice stays what it is.
func (c *content) edit(at copyPlace, kind, was string, sameMedium bool) any {
	chat, id := int64(at.chat), int(at.id)
	captioned := map[string]bool{"photo": true, "live_photo": true, "video": true, "animation": true, "audio": true, "document": true, "voice": true}
	switch {
	case kind == "text" && was == "text":
		return &bot.EditMessageTextParams{ChatID: chat, MessageID: id, Text: c.Text, Entities: c.Entities, LinkPreviewOptions: c.Preview,
			ReplyMarkup: at.mark}
	case kind == was && sameMedium && captioned[kind]:
		return &bot.EditMessageCaptionParams{ChatID: chat, MessageID: id, Caption: c.Caption, CaptionEntities: c.CaptionEntities,
			ShowCaptionAboveMedia: c.CaptionAbove, ReplyMarkup: at.mark}
	case captioned[was] && was != "voice", was == "text":
		if medium := c.medium(); medium != nil {
			return &bot.EditMessageMediaParams{ChatID: chat, MessageID: id, Media: medium, ReplyMarkup: at.mark}
		}
	}
	return nil
}

// editArrived notes what the copy shows now.
func (s settlement) editArrived(tx *db.Tx, row db.CallRow, c desk.EditCopy) error {
	if err := tx.SetShown(s.request.edits, c.Content, shown(c.Copied)); err != nil {
		return err
	}
	return s.relayed(tx, row, true)
}

// editRefused sends the newer form as a new message where the old one cannot be changed.
func (s settlement) editRefused(tx *db.Tx, row db.CallRow, c desk.EditCopy) error {
	newer, err := overtaken(tx, row)
	if err != nil {
		return err
	}
	withdrawn, err := tx.Withdrawn(row.ID)
	switch {
	case err != nil:
		return err
	case newer, withdrawn != "":
		return s.end(tx, row, db.Dropped, s.verdict.reason)
	case c.To.Kind == desk.ToUser && row.Group != tx.Group(): // the message has that number in a group that is ours no more
		return s.tell(tx, row, text.FailedOther(s.verdict.reason), false)
	case s.verdict.meaning == userGone:
		return s.unreachableUser(tx, row, c.User)
	}
	if err := oweAnew(tx, c, true); err != nil {
		return err
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}
