package outbox

import (
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
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
	}
	now := shown(c.Copied)
	if now != "" && now == copied.Shown {
		return drop("nothing to be seen has changed"), nil
	}
	if until := copied.EditedAt.Add(editEvery); until.After(tx.Now) && !copied.EditedAt.After(tx.Now) {
		return decision{wait: pause{until: until}}, nil
	}
	r := &request{step: stepEdit, family: edits, chat: c.User.PrivateChat(), edits: copied}
	id := copied.InPrivate
	if c.To.Kind == desk.ToTopic {
		r.chat, r.thread, id = tx.Group(), copied.Thread, copied.InGroup
	}
	m := readContent(c.Raw)
	if r.params = m.edit(int64(r.chat), int(id), c.Content, copied.Content, sameMedium(now, copied.Shown)); r.params == nil {
		return o.planAnew(tx, c, true)
	}
	return decision{send: r}, nil
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
func (c *content) edit(chat int64, id int, kind, was string, sameMedium bool) any {
	captioned := map[string]bool{"photo": true, "video": true, "animation": true, "audio": true, "document": true, "voice": true}
	switch {
	case kind == "text" && was == "text":
		return &bot.EditMessageTextParams{ChatID: chat, MessageID: id, Text: c.Text, Entities: c.Entities, LinkPreviewOptions: c.Preview}
	case kind == was && sameMedium && captioned[kind]:
		return &bot.EditMessageCaptionParams{ChatID: chat, MessageID: id, Caption: c.Caption, CaptionEntities: c.CaptionEntities,
			ShowCaptionAboveMedia: c.CaptionAbove}
	case captioned[was] && was != "voice", was == "text":
		if medium := c.medium(); medium != nil {
			return &bot.EditMessageMediaParams{ChatID: chat, MessageID: id, Media: medium}
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
	if s.verdict.meaning == userGone {
		return s.unreachableUser(tx, row, c.User)
	}
	if err := oweAnew(tx, c, true); err != nil {
		return err
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}
