package outbox

import (
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
)

// standsAlone is why nothing is done about a message that was never carried.
const standsAlone = "the message stands on no other side"

// otherSide finds a message of a person's conversation, by its number in the person's chat or in the group, as it stands on both
// sides. If it is not known, but a call that may have brought it there is not settled, wait says until when nothing can be said.
func (o *Outbox) otherSide(tx *db.Tx, user desk.UserID, id desk.MessageID, inPrivate bool) (r db.Relayed, found bool, wait pause, err error) {
	brings := desk.TopicLane(user)
	if inPrivate {
		brings = desk.UserLane(user)
		r, found, err = tx.ByPrivate(user, id)
	} else {
		r, found, err = tx.ByGroup(id)
	}
	if !found && err == nil && o.isAway(brings) {
		wait = pause{until: tx.Now.Add(aWhile), behind: brings}
	}
	return r, found && r.User == user && !r.Removed, wait, err
}

// findReply finds what a message replies to where it goes. What is not known there is no reply, and never keeps the message back.
func (o *Outbox) findReply(tx *db.Tx, c desk.Copied, said *quote, to target) (*models.ReplyParameters, pause, error) {
	intoTopic := to.thread != 0
	known, found, wait, err := o.otherSide(tx, c.User, c.ReplyTo, intoTopic)
	if err != nil || !found || intoTopic && known.Thread != to.thread { // … or in a topic that is gone
		return nil, wait, err
	}
	reply := &models.ReplyParameters{MessageID: int(known.InPrivate), AllowSendingWithoutReply: true}
	if intoTopic {
		reply.MessageID = int(known.InGroup)
	}
	if said != nil {
		reply.Quote, reply.QuoteEntities, reply.QuotePosition = said.Text, said.Entities, said.Position
	}
	return reply, pause{}, nil
}
