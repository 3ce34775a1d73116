package outbox

import (
	"fmt"
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
)

// A request is one call of one method, complete.
type request struct {
	step   string // which step of its call it is
	family family
	chat   desk.ChatID
	thread desk.ThreadID      // where it has to land; 0 if not in a topic
	params any                // the library's parameters
	begin  func(*db.Tx) error // what has to be on disk before it leaves, beside the mark; may be nil

	dress                // what a carried message wears
	items   int          // how many messages it sends; 0 means one
	item    db.AlbumItem // the one item of an album that it carries
	edits   db.Relayed   // what it changes
	unsends []db.Relayed // what it removes
}

// costs tells whether the request takes a token.
func (r *request) costs() bool {
	return r.family == sends || r.family == edits || r.family == creations
}

// The steps of calls. A call that has only one step names it after what it does.
const (
	stepTopic   = "topic"   // make the topic
	stepReopen  = "reopen"  // open it again
	stepCard    = "card"    // send the card
	stepCopy    = "copy"    // copy the message
	stepCopies  = "copies"  // copy an album
	stepTyped   = "typed"   // send it anew from the update
	stepGroup   = "group"   // send an album anew from its updates
	stepWords   = "words"   // send the caption that is too long for one
	stepEdit    = "edit"    // change the copy
	stepForward = "forward" // forward it
	stepLine    = "line"    // describe it
	stepOnly    = "only"    // the one step of a call that has no other
)

// carries tells whether the step puts a message itself on the other side.
func carries(step string) bool {
	switch step {
	case stepCopy, stepCopies, stepTyped, stepGroup, stepWords, stepForward:
		return true
	}
	return false
}

// The stages of a call that was refused something: how far down the fallbacks it is.
const (
	stageNoCard    = "no_card"  // the card is refused, the message goes on without it
	stageNoQuote   = "no_quote" // … without the quote in its reply
	stageBare      = "bare"     // … without reply and mark
	stageTyped     = "typed"
	stageTypedBare = "typed_bare"
	stageWords     = "words"
	stageForward   = "forward"
	stageLine      = "line"
	stageNoReply   = "no_reply" // a notice whose target is gone
	// An album that goes one by one: nothing of it has arrived, or some may have. After a slash stands the stage of its present item.
	stageSingly  = "singly"
	stageDoubled = db.StageDoubled
)

// A decision is what to do with an owed call now: exactly one of its parts is set.
type decision struct {
	send   *request
	wait   pause    // not now
	settle db.State // there is nothing to send
	reason string   // why
	again  bool     // the database has moved on; decide once more
}

// nothing is no decision: what was asked about stands in the way of nothing.
var nothing decision

func drop(reason string) decision { return decision{settle: db.Dropped, reason: reason} }

// plan decides the next step of a call by what holds now: the topic, the texts and the language are resolved here, not when the
// call was owed.
func (o *Outbox) plan(tx *db.Tx, row db.CallRow) (decision, error) {
	switch c := row.Call.(type) {
	case desk.RelayToTopic:
		return o.planRelayToTopic(tx, row, c)
	case desk.RelayToUser:
		return o.planRelayToUser(tx, row, c)
	case desk.EditCopy:
		return o.planEditCopy(tx, row, c)
	case desk.React:
		return o.planReact(tx, row, c)
	case desk.Unsend:
		return o.planUnsend(tx, row, c)
	case desk.OpenTopic:
		return o.planOpenTopic(tx, row, c)
	case desk.Say:
		return o.planSay(tx, row, c)
	case desk.EditNotice:
		return o.planEditNotice(tx, row, c)
	case desk.RefreshCard:
		return o.planRefreshCard(tx, c)
	case desk.PinCard:
		return o.planPinCard(tx, c)
	case desk.RenameTopic:
		return o.planRenameTopic(tx, c)
	case desk.DeleteMessage:
		return o.planDeleteMessage(tx, row, c)
	case desk.DeleteStrayTopic:
		return o.planDeleteStrayTopic(tx, c)
	case desk.AnswerPress:
		return o.planAnswerPress(tx, c)
	}
	return decision{}, fmt.Errorf("no plan for %T", row.Call)
}

// pressLasts is how long Telegram lets a press be answered, with some room.
const pressLasts = 15 * time.Second

func (o *Outbox) planAnswerPress(tx *db.Tx, c desk.AnswerPress) (decision, error) {
	if tx.Now.Sub(c.At) > pressLasts {
		return drop("too late"), nil
	}
	p := &bot.AnswerCallbackQueryParams{CallbackQueryID: c.Query}
	if c.Line != nil {
		p.Text = o.Text.Say(c.Lang, *c.Line)
	}
	return decision{send: &request{step: stepOnly, family: free, params: p}}, nil
}

// planDeleteMessage removes a message where the call was owed: in a group that is ours no more it stays.
func (o *Outbox) planDeleteMessage(tx *db.Tx, row db.CallRow, c desk.DeleteMessage) (decision, error) {
	chat := o.chatOf(c.From)
	if c.From.InGroup() && row.Group != tx.Group() {
		return drop("another group"), nil
	}
	return decision{send: &request{step: stepOnly, family: deletions, chat: chat,
		params: &bot.DeleteMessageParams{ChatID: int64(chat), MessageID: int(c.Message)}}}, nil
}
