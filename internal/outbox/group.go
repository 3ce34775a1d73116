package outbox

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

const (
	// proofLasts is how long a sign that the group has topics counts. With topics switched off, Telegram says nothing and pours
	// every topic's messages into one common chat.
	proofLasts = 10 * time.Second
	// offAsk is how often we look whether topics are back.
	offAsk = time.Minute
	// shutAsk is how often we try again in a group that refuses us.
	shutAsk = 5 * time.Minute
	// More topics than this gone within the time means that something is wrong with the group, not with topics.
	maxGone    = 10
	goneWithin = time.Minute
)

// groupState is what stands between what we owe and the group.
type groupState struct {
	proof   time.Time // when the group was last known to have topics
	kept    time.Time // the same, on disk
	behind  time.Time // when an update of the group last came in late
	suspect bool      // a sign to the contrary, not confirmed
	off     bool      // confirmed: no topics
	wanted  bool      // somebody waits for a proof
	confirm time.Time // when to ask whether what was copied since the last proof stands where it should
	asking  bool
	asked   int // how often in vain
	nextAsk time.Time

	shutUntil time.Time
	shutWhy   string // Telegram's words: the missing right, or that we are out
	shutBy    family // … of this family: only one of it shows that the right was given
	shutRight bool   // it is a right: getChat does not show whether it was given

	gone    []time.Time // topics found gone lately
	stopped bool        // too many: nothing goes into topics until a restart
}

// gate is until when calls of the lane have to wait; not after now if they need not.
func (g *groupState) gate(l desk.Lane, now time.Time) time.Time {
	switch {
	case !l.InGroup():
		return now
	case g.shutUntil.After(now):
		return g.shutUntil
	case !l.NeedsForum():
		return now
	case g.stopped:
		return now.Add(aWhile)
	case g.off || g.suspect || now.Sub(g.proof) > proofLasts:
		g.wanted = true
		return now.Add(aWhile)
	}
	return now
}

// see takes in what an update showed of the group.
func (g *groupState) see(s db.ForumSign, now time.Time) {
	if now.Sub(s.At) > lag {
		g.behind = now
	}
	switch {
	case s.IsForum && g.off:
		g.nextAsk = time.Time{} // believed only when getChat says so
	case s.IsForum && !g.suspect:
		g.prove(s.At)
	case !s.IsForum && s.At.After(g.proof):
		g.suspect, g.wanted, g.nextAsk = true, true, time.Time{}
	}
}

// prove notes that the group had topics at the moment. What was copied before that stands in its topic.
func (g *groupState) prove(at time.Time) {
	g.proof = later(g.proof, at)
	if !g.confirm.After(g.proof.Add(proofLasts)) {
		g.confirm = time.Time{}
	}
}

// copied notes a message whose answer does not tell where it stands: if nothing proves it in time, we ask.
func (g *groupState) copied(now time.Time) { g.confirm = now.Add(proofLasts) }

func (g *groupState) askAt(now time.Time) time.Time {
	switch {
	case g.asking:
		return time.Time{}
	case g.wanted:
		return later(g.nextAsk, now)
	case !g.confirm.IsZero():
		return later(g.confirm, g.nextAsk)
	}
	return time.Time{}
}

func (g *groupState) begin(now time.Time) bool {
	at := g.askAt(now)
	if at.IsZero() || at.After(now) {
		return false
	}
	g.asking = true
	return true
}

// reconsider forgets why the group was closed to us: something about it changed.
func (g *groupState) reconsider(moved bool) {
	g.shutUntil, g.nextAsk = time.Time{}, time.Time{}
	g.shutRight = false
	if moved {
		g.kept = time.Time{}
		g.proof, g.off, g.suspect, g.wanted = time.Time{}, false, false, true
	}
}

// shut closes the group to us for a while.
func (o *Outbox) shut(why string) {
	o.mu.Lock()
	news := o.group.shutWhy != why
	o.group.shutWhy, o.group.shutUntil = why, o.Now().Add(shutAsk)
	o.tellGroup()
	o.mu.Unlock()
	if news {
		o.Log.Error().Str("reason", why).Msg("the group refuses the bot; what is owed to it waits")
	}
}

// lacksRight closes the group as shut does, until a call shows that the right was given.
func (o *Outbox) lacksRight(why string, by family) {
	o.mu.Lock()
	o.group.shutRight, o.group.shutBy = true, by
	o.mu.Unlock()
	o.shut(why)
}

// doubtGroup asks whether the group is still there.
func (o *Outbox) doubtGroup() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.group.suspect, o.group.wanted, o.group.nextAsk = true, true, time.Time{}
}

// vanished counts a topic found gone; true if this one is too many and everything into topics stops.
func (o *Outbox) vanished() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	g, now := &o.group, o.Now()
	for len(g.gone) > 0 && now.Sub(g.gone[0]) > goneWithin {
		g.gone = g.gone[1:]
	}
	g.gone = append(g.gone, now)
	if len(g.gone) <= maxGone || g.stopped {
		return false
	}
	g.stopped = true
	o.tellGroup()
	return true
}

// tellGroup says in one line why the group is not ready, or that it is.
func (o *Outbox) tellGroup() {
	switch g := &o.group; {
	case g.shutWhy != "":
		o.Ready.Fail(desk.Group, g.shutWhy)
	case g.stopped:
		o.Ready.Fail(desk.Group, "more than ten topics vanished within a minute; restart when the group is as it should be")
	case g.off:
		o.Ready.Fail(desk.Group, "topics are switched off in the group; what is owed to topics waits")
	case g.proof.IsZero():
	default:
		o.Ready.Clear(desk.Group)
	}
}

// askForum asks Telegram whether the group has topics: getChat, which is no send.
func (o *Outbox) askForum(ctx context.Context) {
	asked := o.Now()
	a := o.client.ask(ctx, func(ctx context.Context, b *bot.Bot) error {
		_, err := b.GetChat(ctx, &bot.GetChatParams{ChatID: int64(o.db.Group())})
		return err
	})
	v := judge(a)
	var chat struct {
		IsForum bool `json:"is_forum"`
	}
	if v.meaning == delivered && json.Unmarshal(a.result, &chat) != nil {
		v.meaning = broken
	}
	switch v.meaning {
	case delivered:
		o.learnForum(ctx, chat.IsForum, asked)
	case groupShut, rightMissing, refused:
		o.shut(v.reason)
		o.askForumLater(shutAsk)
	case unauthorized:
		o.halt(v.reason)
		o.askForumLater(haltedAsk)
	case migrated:
		o.commit(ctx, func(tx *db.Tx) error { return o.followGroup(tx, v.group) }, nil)
		o.askForumLater(0)
	case flooded:
		o.askForumLater(v.wait)
	default:
		o.mu.Lock()
		wait := backoff(o.group.asked)
		o.group.asked++
		o.mu.Unlock()
		o.askForumLater(wait)
	}
	o.poke()
}

func (o *Outbox) askForumLater(wait time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.group.asking, o.group.wanted, o.group.nextAsk = false, true, o.Now().Add(wait)
}

// learnForum acts on a clear answer. When topics turn out to be off, what was copied since the last proof stands in the common chat.
func (o *Outbox) learnForum(ctx context.Context, isForum bool, asked time.Time) {
	o.mu.Lock()
	g := &o.group
	wasOff, since := g.off, g.proof
	g.asked = 0
	if !g.shutRight {
		g.shutWhy, g.shutUntil = "", time.Time{}
	}
	g.off = !isForum // before the recall: a copy that is settled after it takes itself back
	o.mu.Unlock()
	switch {
	case !isForum && !wasOff:
		o.Log.Error().Msg("topics are switched off in the group; what is owed to topics waits")
		o.commit(ctx, func(tx *db.Tx) error { return o.recall(tx, since) }, nil)
	case isForum && wasOff:
		o.Log.Info().Msg("topics are back")
		o.commit(ctx, func(tx *db.Tx) error { return tx.FreeSlot(forumOffSlot) }, nil)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	// While off we ask on, whether somebody waits or not: /readyz has to learn that topics are back.
	g.off, g.suspect, g.asking, g.wanted, g.nextAsk = !isForum, false, false, !isForum, time.Time{}
	if isForum {
		g.prove(asked)
	} else {
		g.confirm, g.nextAsk = time.Time{}, o.Now().Add(offAsk)
	}
	o.tellGroup()
	o.queue.wakeAll()
}

const forumOffSlot = "forum_off"

// followGroup keeps and uses the group's new id, and tells.
func (o *Outbox) followGroup(tx *db.Tx, to desk.ChatID) error {
	moved, err := tx.MoveGroup(to)
	if err != nil || !moved {
		return err
	}
	return tx.Owe(desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{text.GroupMigrated(to)}})
}
