package outbox

import (
	"github.com/go-telegram/bot"

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
	to := place{chat: tx.Group(), thread: topic.Thread}
	switch row.Stage {
	case stageTyped:
		if params, ok := typed(c.Raw, to); ok {
			return decision{send: &request{step: stepTyped, family: sends, chat: to.chat, thread: to.thread, params: params}}, nil
		}
		fallthrough
	case stageForward:
		return decision{send: &request{step: stepForward, family: sends, chat: to.chat, thread: to.thread,
			params: &bot.ForwardMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread),
				FromChatID: int64(c.User.PrivateChat()), MessageID: int(c.Source)}}}, nil
	case stageLine:
		return decision{send: &request{step: stepLine, family: sends, chat: to.chat, thread: to.thread,
			params: &bot.SendMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread), LinkPreviewOptions: noPreview,
				Text: o.Text.Group(text.LineNotShown(c.Content, row.Reason))}}}, nil
	}
	return decision{send: copyRequest(c.Copied, c.User.PrivateChat(), to)}, nil
}

// planRelayToUser brings an admin's message to the person. It is never forwarded: that would show the admin and the group.
func (o *Outbox) planRelayToUser(row db.CallRow, c desk.RelayToUser) (decision, error) {
	to := place{chat: c.User.PrivateChat()}
	if row.Stage == stageTyped {
		if params, ok := typed(c.Raw, to); ok {
			return decision{send: &request{step: stepTyped, family: sends, chat: to.chat, params: params}}, nil
		}
	}
	return decision{send: copyRequest(c.Copied, row.Group, to)}, nil
}

func copyRequest(c desk.Copied, from desk.ChatID, to place) *request {
	return &request{step: stepCopy, family: sends, chat: to.chat, thread: to.thread,
		params: &bot.CopyMessageParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread), FromChatID: int64(from),
			MessageID: int(c.Source)}}
}
