package outbox

import (
	"strconv"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// planSay speaks in the reader's language at the time of sending.
func (o *Outbox) planSay(tx *db.Tx, row db.CallRow, c desk.Say) (decision, error) {
	place, why, err := o.place(tx, row, c.To)
	if err == nil && why != "" {
		err = moveToGeneral(tx, c)
	}
	if err != nil || why != "" {
		return drop(why), err
	}
	p := &bot.SendMessageParams{ChatID: int64(place.chat), MessageThreadID: int(place.thread), LinkPreviewOptions: noPreview,
		Text: o.Text.SayLines(place.language, c.Lines...)}
	sameGroup := !c.To.InGroup() || row.Group == tx.Group()
	if c.ReplyTo != 0 && sameGroup && row.Stage != stageNoReply {
		p.ReplyParameters = &models.ReplyParameters{MessageID: int(c.ReplyTo), AllowSendingWithoutReply: true}
	}
	if c.Again != 0 {
		failed, found, _, err := tx.CallByID(c.Again)
		if err != nil || found && failed.State == db.Dropped {
			return drop("taken back meanwhile"), err
		}
		p.ReplyMarkup = o.againButton(place.language, c.Again)
	}
	return decision{send: &request{step: stepOnly, family: sends, chat: place.chat, thread: place.thread, params: p}}, nil
}

// planEditNotice rewrites a message of ours.
func (o *Outbox) planEditNotice(tx *db.Tx, row db.CallRow, c desk.EditNotice) (decision, error) {
	place, why, err := o.place(tx, row, c.To)
	if err == nil && c.To.InGroup() && row.Group != tx.Group() {
		if why = "another group"; c.Otherwise != nil {
			say := *c.Otherwise
			say.ReplyTo = 0
			err = tx.Owe(say)
		}
	}
	if err != nil || why != "" {
		return drop(why), err
	}
	p := &bot.EditMessageTextParams{ChatID: int64(place.chat), MessageID: int(c.Message), LinkPreviewOptions: noPreview,
		Text: o.Text.SayLines(place.language, c.Lines...)}
	if c.Again != 0 {
		p.ReplyMarkup = o.againButton(place.language, c.Again)
	}
	return decision{send: &request{step: stepOnly, family: edits, chat: place.chat, params: p}}, nil
}

func (o *Outbox) againButton(language string, again desk.CallID) *models.InlineKeyboardMarkup {
	return &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{{{
		Text: o.Text.Say(language, text.TryAgain()), CallbackData: desk.AgainData + strconv.FormatInt(int64(again), 10)}}}}
}

// A place is where a lane leads at the moment, and which language is read there; "" is the group's.
type place struct {
	chat     desk.ChatID
	thread   desk.ThreadID
	language string
}

// moveToGeneral says in General what was to be said of a person's topic that is not there, if it tells of a failure.
func moveToGeneral(tx *db.Tx, c desk.Say) error {
	user, _ := c.To.User()
	if !c.Failure || c.To.Kind != desk.ToTopic {
		return nil
	}
	person, _, err := tx.User(user)
	if err != nil {
		return err
	}
	lines := append([]desk.Text{text.FailedAbout(person.Name(), user)}, c.Lines...)
	return tx.Owe(desk.Say{To: desk.GeneralLane(), Lines: lines, Again: c.Again})
}

// place resolves a lane; why is set if it leads nowhere.
func (o *Outbox) place(tx *db.Tx, row db.CallRow, l desk.Lane) (p place, why string, err error) {
	switch l.Kind {
	case desk.ToUser:
		u, found, err := tx.User(desk.UserID(l.ID))
		if err != nil || !found {
			return p, "the person is gone", err
		}
		return place{chat: u.ID.PrivateChat(), language: u.LanguageCode}, "", nil
	case desk.ToTopic:
		t, err := tx.TopicOf(desk.UserID(l.ID))
		if err != nil || t.Thread <= 1 {
			return p, "no topic", err
		}
		return place{chat: tx.Group(), thread: t.Thread}, "", nil
	case desk.ToThread:
		if l.ID <= 1 || row.Group != tx.Group() {
			return p, "not a topic of this group", nil
		}
		return place{chat: tx.Group(), thread: desk.ThreadID(l.ID)}, "", nil
	case desk.ToGeneral:
		return place{chat: tx.Group()}, "", nil
	}
	return p, "no such place", nil
}
