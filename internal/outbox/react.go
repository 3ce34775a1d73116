package outbox

import (
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
)

// planReact shows on the other side what somebody reacted with. Telegram lets a bot have one reaction a message, from a fixed list; what
// it refuses is left out.
func (o *Outbox) planReact(tx *db.Tx, row db.CallRow, c desk.React) (decision, error) {
	p := &bot.SetMessageReactionParams{}
	if c.Emoji != "" {
		p.Reaction = []models.ReactionType{{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Emoji: c.Emoji}}}
	}
	r := &request{step: stepOnly, family: reactions, params: p}
	if user, fromPrivate := c.To.User(); fromPrivate {
		known, found, wait, err := o.otherSide(tx, user, c.Message, true)
		switch {
		case err != nil || wait != (pause{}):
			return decision{wait: wait}, err
		case !found:
			return drop(standsAlone), nil
		}
		r.chat = tx.Group()
		p.ChatID, p.MessageID = int64(tx.Group()), int(known.InGroup)
		return decision{send: r}, nil
	}
	known, found, err := tx.ByGroup(c.Message)
	switch {
	case err != nil:
		return decision{}, err
	case row.Group != tx.Group():
		return drop("another group"), nil
	case !found:
		return o.waitForMessage(tx, c)
	case known.Removed:
		return drop(standsAlone), nil
	}
	r.chat = known.User.PrivateChat()
	p.ChatID, p.MessageID = int64(r.chat), int(known.InPrivate)
	return decision{send: r}, nil
}

// reactionRefused leaves a reaction out; a person who cannot be written to is remembered.
func (s settlement) reactionRefused(tx *db.Tx, row db.CallRow) error {
	if user, private := s.request.chat.User(); private && s.verdict.meaning == userGone {
		why, _ := s.unreachable()
		if err := s.markUnreachable(tx, user, why); err != nil {
			return err
		}
	}
	return s.end(tx, row, db.Dropped, s.verdict.reason)
}

// strayReaction is how long a reaction to an unknown message of the group waits while something is on its way there.
const strayReaction = callTimeout + 5*time.Second

// waitForMessage waits with a reaction to a message of the group that is not known: an admin's that is not sent yet, or one that has
// just been put there by a call that is not settled. Whose it is, the reaction does not tell.
func (o *Outbox) waitForMessage(tx *db.Tx, c desk.React) (decision, error) {
	relays, err := tx.RelaysOf(c.Message)
	if err != nil {
		return decision{}, err
	}
	for _, row := range relays {
		if row.Open() {
			return decision{wait: pause{until: tx.Now.Add(time.Minute), after: row.Lane}}, nil
		}
	}
	o.mu.Lock()
	busy := o.queue.topicAway()
	o.mu.Unlock()
	if busy && tx.Now.Sub(c.At) < strayReaction {
		return decision{wait: pause{until: tx.Now.Add(time.Second)}}, nil
	}
	return drop(standsAlone), nil
}
