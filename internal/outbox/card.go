package outbox

import (
	"strconv"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// cardLines are the lines of a person's card, in their fixed order; the last ones only when they hold (E17–E24).
func cardLines(u db.User, t db.Topic, s db.Settings) []desk.Text {
	lines := []desk.Text{
		nameLine(u.Person), text.CardID(u.ID), text.CardLanguage(orDash(u.LanguageCode)),
		text.CardFirstContact(u.FirstSeen), verificationLine(u, s),
	}
	if u.Banned {
		lines = append(lines, text.CardBanned())
	}
	if u.Risk {
		lines = append(lines, text.CardRisk())
	}
	switch u.Unreachable {
	case db.Blocked:
		lines = append(lines, text.CardBlocked())
	case db.Deactivated:
		lines = append(lines, text.CardDeactivated())
	case db.NotStarted:
		lines = append(lines, text.CardNotStarted())
	}
	if strings.TrimSpace(t.Note) != "" {
		lines = append(lines, text.CardNote(t.Note))
	}
	return lines
}

// nameLine has the @username only beside a real name.
func nameLine(p desk.Person) desk.Text {
	if p.Username == "" || !p.Named() {
		return text.CardName(p.Name())
	}
	return text.CardNameUsername(p.Name(), p.Username)
}

func verificationLine(u db.User, s db.Settings) desk.Text {
	switch {
	case u.Archived:
		return text.CardNotVerified() // to come back they pass it again, whatever the switch says now (E26)
	case !s.VerifyEnabled:
		return text.CardVerificationOff()
	case u.Verified:
		return text.CardVerified()
	}
	return text.CardNotVerified()
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// cardText is the card and, over the id, a link to the person.
func (o *Outbox) cardText(tx *db.Tx, u db.User, t db.Topic) (string, []models.MessageEntity, error) {
	settings, err := tx.Settings(o.Verify)
	if err != nil {
		return "", nil, err
	}
	card := o.Text.GroupLines(cardLines(u, t, settings)...)
	return card, linkTo(u.ID, card, o.Text.Group(text.CardID(u.ID))), nil
}

// linkTo is the link over the id in its line. The line is looked for as a whole: a name may be made of the same words and digits, but
// has no line break.
func linkTo(user desk.UserID, card, line string) []models.MessageEntity {
	id := strconv.FormatInt(int64(user), 10)
	in := strings.LastIndex(line, id)
	before := ""
	for l := range strings.SplitSeq(card, "\n") {
		if l == line && in >= 0 {
			return []models.MessageEntity{{Type: models.MessageEntityTypeTextLink, URL: "tg://user?id=" + id,
				Offset: text.Units(before + line[:in]), Length: len(id)}}
		}
		before += l + "\n"
	}
	return nil
}

// cardRequest sends the person's card into the topic.
func (o *Outbox) cardRequest(tx *db.Tx, u db.User, t db.Topic) (*request, error) {
	card, entities, err := o.cardText(tx, u, t)
	return &request{step: stepCard, family: sends, chat: tx.Group(), thread: t.Thread,
		params: &bot.SendMessageParams{ChatID: int64(tx.Group()), MessageThreadID: int(t.Thread), Text: card, Entities: entities,
			LinkPreviewOptions: noPreview, DisableNotification: true}}, err
}

// planRefreshCard edits the card to what holds now. Without a card there is nothing to edit: the next message sends one.
func (o *Outbox) planRefreshCard(tx *db.Tx, c desk.RefreshCard) (decision, error) {
	user, found, err := tx.User(c.User)
	if err != nil || !found {
		return drop("the person is gone"), err
	}
	topic, err := tx.TopicOf(c.User)
	if err != nil || topic.Thread == 0 || topic.Card == 0 {
		return drop("no card"), err
	}
	card, entities, err := o.cardText(tx, user, topic)
	return decision{send: &request{step: stepOnly, family: edits, chat: tx.Group(), thread: topic.Thread,
		params: &bot.EditMessageTextParams{ChatID: int64(tx.Group()), MessageID: int(topic.Card), Text: card, Entities: entities,
			LinkPreviewOptions: noPreview}}}, err
}

// planPinCard pins the card as it is now, without a notification.
func (o *Outbox) planPinCard(tx *db.Tx, c desk.PinCard) (decision, error) {
	topic, err := tx.TopicOf(c.User)
	if err != nil || topic.Thread == 0 || topic.Card == 0 {
		return drop("no card"), err
	}
	return decision{send: &request{step: stepOnly, family: free, chat: tx.Group(),
		params: &bot.PinChatMessageParams{ChatID: int64(tx.Group()), MessageID: int(topic.Card), DisableNotification: true}}}, nil
}

var noPreview = &models.LinkPreviewOptions{IsDisabled: bot.True()}
