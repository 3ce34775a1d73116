package desk

import (
	"encoding/json"
	"time"
)

// A Priority orders what the database owes: the lower is sent first.
type Priority int

const (
	// Written is what people and admins wrote, and the replies they wait for.
	Written Priority = iota
	// Noticed is what the desk tells of itself.
	Noticed
	// Upkeep is cards and titles; among these order does not matter.
	Upkeep
	// Bulk is broadcasts.
	Bulk
)

// A Doubt says what to do when a send may or may not have arrived.
type Doubt int

const (
	// Repeat sends again: twice does no harm.
	Repeat Doubt = iota
	// RepeatOnce sends at most twice and then reports "may not have arrived".
	RepeatOnce
	// Forget never sends again.
	Forget
)

// CardGather is how long changes of a card are gathered before it is edited.
const CardGather = 3 * time.Second

// ReactionGather is how long changes of a reaction are gathered before the last is shown.
const ReactionGather = time.Second

// StrayWait is how long a topic that nobody owns is left alone, in case somebody has written in it whom we have not heard yet.
const StrayWait = 15 * time.Second

// AgainData is how the data of a "Try again" button begins; the number of the call follows.
const AgainData = "r:"

// EditedData is the data of the button that marks the newer form of a message.
const EditedData = "e:"

// A Call is one thing the bot owes Telegram. It says what is wanted, never how it is sent: the topic, the text and the language
// are resolved when it is sent. The set of calls is closed.
type Call interface {
	Kind() string // its name in the database; it never changes
	Lane() Lane
	Priority() Priority
	Doubt() Doubt
	isCall()
}

// A Copied is what a relay carries: a message that stands in one chat and is wanted in another.
type Copied struct {
	User    UserID    `json:"user"`
	Source  MessageID `json:"source"`
	Content string    `json:"content"` // the Bot API's name of the kind: text, photo, …
	// ReplyTo is the message it replies to, as that is numbered where this one was written.
	ReplyTo MessageID `json:"reply_to,omitempty"`
	// Album is the media_group_id of the album it is an item of.
	Album string `json:"album,omitempty"`
	// Items tells that the whole album is carried: Source is its first item, and the items are kept beside the call.
	Items bool `json:"items,omitempty"`
	// Edited marks the newer form of a message whose copy could not be edited, or that had none.
	Edited bool `json:"edited,omitempty"`
	// Raw is the source message as Telegram sent it, for the case that it cannot be copied. It is kept beside the call, not in
	// it, and only until the call is settled.
	Raw json.RawMessage `json:"-"`
}

type (
	// RelayToTopic copies a person's message into the person's topic, which it opens if there is none.
	RelayToTopic struct{ Copied }

	// RelayToUser copies an admin's message to the person.
	RelayToUser struct{ Copied }

	// EditCopy brings the copy of an edited message up to date. What cannot be edited is relayed anew.
	EditCopy struct {
		To Lane `json:"to"` // where the copy stands: the person's topic or private chat
		Copied
	}

	// React sets the bot's one reaction to what somebody reacted with on the other side; none if Emoji is empty.
	React struct {
		To      Lane      `json:"to"`      // the person's topic, or the lane of reactions to Message, which is in the group
		Message MessageID `json:"message"` // what they reacted to, where they did
		Emoji   string    `json:"emoji,omitempty"`
		At      time.Time `json:"at"`
	}

	// Unsend removes a relayed message from both sides, an album as a whole, and then the command that asked for it.
	Unsend struct {
		User    UserID    `json:"user"`
		Message MessageID `json:"message"` // in the group
		Command MessageID `json:"command"`
		// What else is of it: messages that stand in the group only, copies in the person's chat that are not in the ledger, and whether
		// there may be more of these.
		Also   []MessageID `json:"also,omitempty"`
		Copies []MessageID `json:"copies,omitempty"`
		Maybe  bool        `json:"maybe,omitempty"`
	}

	// OpenTopic makes the person's topic and card if there are none; nothing is written into it.
	OpenTopic struct {
		User UserID `json:"user"`
		// CardOnly makes the card and not the topic.
		CardOnly bool `json:"card_only,omitempty"`
	}

	// Say sends lines of the catalogue.
	Say struct {
		To      Lane      `json:"to"`
		Lines   []Text    `json:"lines"`
		ReplyTo MessageID `json:"reply_to,omitempty"`
		Again   CallID    `json:"again,omitempty"`   // offers to try this refused call again
		Prompt  bool      `json:"prompt,omitempty"`  // somebody waits for it: a reply to a command
		Failure bool      `json:"failure,omitempty"` // tells that something did not arrive: said in General if the topic is gone
	}

	// EditNotice rewrites a message that Say sent; its buttons go, unless Again names a call.
	EditNotice struct {
		To      Lane      `json:"to"`
		Message MessageID `json:"message"`
		Lines   []Text    `json:"lines"`
		Again   CallID    `json:"again,omitempty"`
		// Otherwise is said if the message is there no more.
		Otherwise *Say `json:"otherwise,omitempty"`
	}

	// RefreshCard edits the person's card to what holds now.
	RefreshCard struct {
		User UserID `json:"user"`
	}

	// PinCard pins the person's card silently.
	PinCard struct {
		User UserID `json:"user"`
	}

	// RenameTopic gives the topic the person's present name.
	RenameTopic struct {
		User UserID `json:"user"`
	}

	// DeleteMessage removes a message of the support group or, in a user's lane, of that private chat.
	DeleteMessage struct {
		From    Lane      `json:"from"`
		Message MessageID `json:"message"`
		// Otherwise is said if Telegram does not let us.
		Otherwise *Say `json:"otherwise,omitempty"`
	}

	// DeleteStrayTopic removes a topic that the bot made, nobody owns and nothing was written in.
	DeleteStrayTopic struct {
		Thread ThreadID `json:"thread"`
	}

	// AnswerPress ends the waiting of whoever pressed a button. Telegram accepts it for seconds only.
	AnswerPress struct {
		Query string    `json:"query"`
		Line  *Text     `json:"line,omitempty"`
		Lang  string    `json:"lang,omitempty"` // the presser's language_code; the group's language if empty
		Press int64     `json:"press"`          // the update that brought the press
		At    time.Time `json:"at"`
	}
)

func (RelayToTopic) Kind() string     { return "relay_to_topic" }
func (RelayToUser) Kind() string      { return "relay_to_user" }
func (EditCopy) Kind() string         { return "edit_copy" }
func (React) Kind() string            { return "react" }
func (Unsend) Kind() string           { return "unsend" }
func (OpenTopic) Kind() string        { return "open_topic" }
func (Say) Kind() string              { return "say" }
func (EditNotice) Kind() string       { return "edit_notice" }
func (RefreshCard) Kind() string      { return "refresh_card" }
func (PinCard) Kind() string          { return "pin_card" }
func (RenameTopic) Kind() string      { return "rename_topic" }
func (DeleteMessage) Kind() string    { return "delete_message" }
func (DeleteStrayTopic) Kind() string { return "delete_stray_topic" }
func (AnswerPress) Kind() string      { return "answer_press" }

func (c RelayToTopic) Lane() Lane     { return TopicLane(c.User) }
func (c RelayToUser) Lane() Lane      { return UserLane(c.User) }
func (c EditCopy) Lane() Lane         { return c.To }
func (c React) Lane() Lane            { return c.To }
func (c Unsend) Lane() Lane           { return UserLane(c.User) }
func (c OpenTopic) Lane() Lane        { return TopicLane(c.User) }
func (c Say) Lane() Lane              { return c.To }
func (c EditNotice) Lane() Lane       { return c.To }
func (c RefreshCard) Lane() Lane      { return TopicLane(c.User) }
func (c PinCard) Lane() Lane          { return TopicLane(c.User) }
func (c RenameTopic) Lane() Lane      { return TopicLane(c.User) }
func (c DeleteMessage) Lane() Lane    { return c.From }
func (c DeleteStrayTopic) Lane() Lane { return GeneralLane() }
func (c AnswerPress) Lane() Lane      { return Lane{ToPress, c.Press} }

func (RelayToTopic) Priority() Priority { return Written }
func (RelayToUser) Priority() Priority  { return Written }
func (EditCopy) Priority() Priority     { return Written }
func (React) Priority() Priority        { return Written }
func (Unsend) Priority() Priority       { return Written }
func (OpenTopic) Priority() Priority    { return Written }
func (c Say) Priority() Priority {
	if c.Prompt {
		return Written
	}
	return Noticed
}
func (EditNotice) Priority() Priority       { return Noticed }
func (RefreshCard) Priority() Priority      { return Upkeep }
func (PinCard) Priority() Priority          { return Noticed }
func (RenameTopic) Priority() Priority      { return Upkeep }
func (DeleteMessage) Priority() Priority    { return Noticed }
func (DeleteStrayTopic) Priority() Priority { return Upkeep }
func (AnswerPress) Priority() Priority      { return Written }

func (RelayToTopic) Doubt() Doubt     { return RepeatOnce }
func (RelayToUser) Doubt() Doubt      { return RepeatOnce }
func (EditCopy) Doubt() Doubt         { return Repeat }
func (React) Doubt() Doubt            { return Repeat }
func (Unsend) Doubt() Doubt           { return Repeat }
func (OpenTopic) Doubt() Doubt        { return Repeat }
func (Say) Doubt() Doubt              { return Repeat }
func (EditNotice) Doubt() Doubt       { return Repeat }
func (RefreshCard) Doubt() Doubt      { return Repeat }
func (PinCard) Doubt() Doubt          { return Repeat }
func (RenameTopic) Doubt() Doubt      { return Repeat }
func (DeleteMessage) Doubt() Doubt    { return Repeat }
func (DeleteStrayTopic) Doubt() Doubt { return Repeat }
func (AnswerPress) Doubt() Doubt      { return Forget }

func (RelayToTopic) isCall()     {}
func (RelayToUser) isCall()      {}
func (EditCopy) isCall()         {}
func (React) isCall()            {}
func (Unsend) isCall()           {}
func (OpenTopic) isCall()        {}
func (Say) isCall()              {}
func (EditNotice) isCall()       {}
func (RefreshCard) isCall()      {}
func (PinCard) isCall()          {}
func (RenameTopic) isCall()      {}
func (DeleteMessage) isCall()    {}
func (DeleteStrayTopic) isCall() {}
func (AnswerPress) isCall()      {}
