package outbox

import (
	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// planRelayToTopic brings the person's message into the topic: first the topic and its card, then the message, as a copy if that is
// possible and by the fallbacks if not.
func (o *Outbox) planRelayToTopic(tx *db.Tx, row db.CallRow, c desk.RelayToTopic) (decision, error) {
	topic, first, err := o.readyTopic(tx, row, c.User)
	if err != nil || first != nothing {
		return first, err
	}
	to := target{place: place{chat: tx.Group(), thread: topic.Thread}, from: c.User.PrivateChat()}
	return o.planCarry(tx, row, c.Copied, to)
}

// planRelayToUser brings an admin's message to the person.
func (o *Outbox) planRelayToUser(tx *db.Tx, row db.CallRow, c desk.RelayToUser) (decision, error) {
	user, _, err := tx.User(c.User)
	if err != nil {
		return decision{}, err
	}
	to := target{place: place{chat: c.User.PrivateChat(), language: user.LanguageCode}, from: row.Group}
	return o.planCarry(tx, row, c.Copied, to)
}

// A target is where a message is carried, from where, and what it is given on the way.
type target struct {
	place
	from desk.ChatID
	dress
}

// A dress is what a message wears beside its content.
type dress struct {
	reply *models.ReplyParameters // what it answers, where it goes
	mark  models.ReplyMarkup      // that it is the newer form of an earlier one
}

// at is what is left of the dress at a stage: Telegram may refuse a message for the quote in it, or for what it replies to.
func (d dress) at(stage string) dress {
	switch stage {
	case stageNoQuote, stageTyped:
		if d.reply != nil {
			d.reply = &models.ReplyParameters{MessageID: d.reply.MessageID, AllowSendingWithoutReply: true}
		}
	case stageBare, stageTypedBare, stageForward, stageLine:
		return dress{}
	}
	return d
}

func (d dress) bare() bool   { return d.reply == nil && d.mark == nil }
func (d dress) quotes() bool { return d.reply != nil && d.reply.Quote != "" }

// planCarry carries a message, or the album that it begins, to where it is to stand.
func (o *Outbox) planCarry(tx *db.Tx, row db.CallRow, c desk.Copied, to target) (decision, error) {
	var items []db.AlbumItem
	var err error
	first := c.Raw
	if c.Items {
		if items, err = tx.AlbumItems(row.ID); err != nil || len(items) == 0 {
			return drop("an album of nothing"), err
		}
		first = items[0].Raw
	}
	if c.ReplyTo != 0 && row.Group == tx.Group() {
		quoted := readContent(first).Quote
		if late := c.Album != "" && !c.Items; late || c.Edited {
			quoted = nil // it is from what the message itself answers, and here it answers its own album or older form
		}
		var wait pause
		if to.reply, wait, err = o.findReply(tx, c, quoted, to); err != nil || wait != (pause{}) {
			return decision{wait: wait}, err
		}
	}
	if c.Edited {
		to.mark = o.editedMark(to.language)
	}
	if c.Items {
		return o.planAlbum(tx, row, c, items, to)
	}
	if row.Stage == stageWords {
		to.dress = dress{reply: &models.ReplyParameters{MessageID: int(row.Result), AllowSendingWithoutReply: true}}
	}
	return decision{send: o.attempt(row.Stage, row.Reason, c, to)}, nil
}

// editedMark is the button under the newer form of a message.
func (o *Outbox) editedMark(language string) models.ReplyMarkup {
	return &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{{{
		Text: o.Text.Say(language, text.Edited()), CallbackData: desk.EditedData}}}}
}

// attempt is the request that carries one message at this stage. Only into a topic is anything forwarded: to a person that would show
// the admin and the group.
func (o *Outbox) attempt(stage, reason string, c desk.Copied, to target) *request {
	to.dress = to.at(stage)
	r := &request{family: sends, chat: to.chat, thread: to.thread, dress: to.dress}
	if stage == stageTyped || stage == stageTypedBare {
		m := readContent(c.Raw)
		r.step, r.params = stepTyped, m.typed(to)
		if r.params == nil && to.thread != 0 {
			stage = stageForward
		}
	}
	switch {
	case r.params != nil:
	case stage == stageWords:
		m := readContent(c.Raw)
		r.step, r.params = stepWords, m.words(to)
	case stage == stageForward:
		r.step, r.params = stepForward, &bot.ForwardMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread),
			FromChatID: int64(to.from), MessageID: int(c.Source)}
	case stage == stageLine:
		r.step, r.params = stepLine, &bot.SendMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread),
			LinkPreviewOptions: noPreview, Text: o.Text.Group(text.LineNotShown(kindOf(c), reason))}
	default:
		r.step, r.params = stepCopy, &bot.CopyMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread),
			FromChatID: int64(to.from), MessageID: int(c.Source), ReplyParameters: to.reply, ReplyMarkup: to.mark}
	}
	return r
}
