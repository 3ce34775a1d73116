package bot

import (
	"encoding/json"
	"time"

	"hodor/internal/desk"
)

// An event is what an update means to the desk. The set of events is closed.
type event interface{ isEvent() }

type (
	// personWrote: somebody wrote to the bot in private.
	personWrote struct {
		person desk.Person
		at     time.Time // by Telegram's clock
		said
	}

	// personEdited: somebody changed a message of theirs; at is when.
	personEdited struct{ personWrote }

	// groupWrote: somebody wrote in the group, in a topic or, if thread is 0, in General.
	groupWrote struct {
		author author
		thread desk.ThreadID
		said
	}

	// groupEdited: somebody changed a message of theirs in the group.
	groupEdited struct{ groupWrote }

	// personReacted: somebody reacted to a message of their private chat.
	personReacted struct {
		user desk.UserID
		reacted
	}

	// groupReacted: somebody reacted to a message in the group, which does not tell in which topic it stands.
	groupReacted struct {
		author author
		reacted
	}

	// pressed: somebody pressed a button of ours.
	pressed struct {
		query   string
		by      author
		lang    string
		chat    desk.ChatID
		message desk.MessageID
		data    string
	}

	// topicMade: the bot itself made a topic, now or as an answer that got lost.
	topicMade struct {
		thread desk.ThreadID
		title  string
		at     time.Time
	}

	// topicRenamed: somebody of the team renamed a topic.
	topicRenamed struct {
		thread desk.ThreadID
		title  string
	}

	topicClosed   struct{ thread desk.ThreadID }
	topicReopened struct{ thread desk.ThreadID }

	// cardPinned: Telegram's notice of a pin of ours.
	cardPinned struct {
		thread desk.ThreadID
		notice desk.MessageID
	}

	// reachChanged: a person blocked the bot, or let it in again.
	reachChanged struct {
		user    desk.UserID
		blocked bool
	}

	// placeChanged: the bot's own rights in the group are others now.
	placeChanged struct{}

	// adminChanged: somebody became, or is no more, an administrator of the group.
	adminChanged struct {
		user desk.UserID
		is   bool
	}

	// groupMoved: the group has another id.
	groupMoved struct{ to desk.ChatID }

	// ignored: nothing of ours.
	ignored struct{}
)

func (personWrote) isEvent()   {}
func (personEdited) isEvent()  {}
func (groupWrote) isEvent()    {}
func (groupEdited) isEvent()   {}
func (personReacted) isEvent() {}
func (groupReacted) isEvent()  {}
func (pressed) isEvent()       {}
func (topicMade) isEvent()     {}
func (topicRenamed) isEvent()  {}
func (topicClosed) isEvent()   {}
func (topicReopened) isEvent() {}
func (cardPinned) isEvent()    {}
func (reachChanged) isEvent()  {}
func (placeChanged) isEvent()  {}
func (adminChanged) isEvent()  {}
func (groupMoved) isEvent()    {}
func (ignored) isEvent()       {}

// said is a message, whoever wrote it.
type said struct {
	message desk.MessageID
	text    string // or the caption: a command may stand in either
	content string // the Bot API's name of its kind
	album   string // the media_group_id of the album it is an item of
	replyTo desk.MessageID
	dated   bool // of an edit: Telegram says when. Otherwise nobody made it: a preview was loaded, somebody reacted
	raw     json.RawMessage
}

// copied is the message as a relay carries it.
func (s said) copied(user desk.UserID) desk.Copied {
	return desk.Copied{User: user, Source: s.message, Content: s.content, ReplyTo: s.replyTo, Album: s.album, Raw: s.raw}
}

// reacted is the one reaction that somebody's are brought down to; emoji is empty if they took it back.
type reacted struct {
	message desk.MessageID
	emoji   string
}

// An author is who wrote in the group. A person is known by id; an anonymous administrator is the group itself.
type author struct {
	user      desk.UserID
	anonymous bool
}
