// Package outbox pays what the database owes Telegram. It is the only place that calls Telegram on behalf of the desk, and it never
// does so while a transaction is open.
//
// A call is taken (marked in the database as under way), sent, judged, and settled (what became of it is written down together with
// everything that follows from it: the ledger, the topic's binding, a notice of failure). A call of several steps (topic, card,
// message) goes round once for each step, so that each step's result is on disk before the next. Calls of one lane and priority
// are sent in the order in which they were owed, one at a time; lanes go side by side. Only what changes a message that stands already
// (an edit, a reaction, a card) lets those behind it pass while it waits for its moment.
//
// What Telegram's answer does to a call:
//
//	done, or nothing to change      settled
//	429                             again when Telegram says; that family of methods rests in that chat, then the chat, then all
//	never left (refused, DNS, TLS)  again after 1 s, 5 s, 30 s, 2 min, 10 min …; not counted
//	5xx, HTML                       the same, but only once something else has succeeded; counted
//	lost answer                     the same, counted; a relay is sent at most twice and then reported as uncertain
//	topic gone                      a person's message opens another, once; other calls into it are dropped
//	topic closed                    a person's message reopens it, once
//	about the group or its topics   nothing more goes into the group until that changes; what is owed waits
//	about the person                refused, told to the sender, remembered
//	an album in part                its items one by one, in order; the reader is told that some may be doubled
//	any other no                    the fallbacks: without the quote, without the reply, sent anew from the update, forwarded,
//	                                described; then refused and told
//
// A call that the program was sending when it died is in doubt like one whose answer was lost.
package outbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// Options are what an Outbox needs to know.
type Options struct {
	Now         func() time.Time
	Log         zerolog.Logger
	Text        *text.Catalogue
	Limits      Limits
	MaxAttempts int         // tries that count before a call is given up
	Verify      db.Settings // while the team has not set them
	Senders     int         // calls under way at once; 64 if 0
	Ready       *desk.Readiness
	Trace       func(Stage, desk.CallID) // called at each stage of each call; may be nil
}

// A Stage is a moment in the life of a call, for tests that end the program there.
type Stage string

const (
	Taken    Stage = "taken"    // on disk as under way, not sent
	Answered Stage = "answered" // Telegram has answered, nothing of it is on disk
	Settled  Stage = "settled"  // on disk
)

// An Outbox sends what one database owes.
type Outbox struct {
	Options
	db     *db.DB
	client *Client
	wake   chan struct{} // something changed; holds one
	flight sync.WaitGroup

	mu     sync.Mutex // guards what follows, all of it hints that a restart can do without
	queue  *queue
	pace   *pace
	free   int // senders not busy
	stuck  int // settles that do not commit: nothing new is taken meanwhile
	health health
	group  groupState
	// calls that wait until more is known of a topic that was asked for
	afterTopic map[desk.CallID]db.Debt
	topicMoves int // how often more became known
	// calls that wait until what another lane has at Telegram is settled
	afterLane map[desk.Lane]map[desk.CallID]paused
	air       air
}

// New makes the outbox of a database. Nothing is sent before Run or Drain.
func New(d *db.DB, client *Client, o Options) *Outbox {
	if o.Senders == 0 {
		o.Senders = 64
	}
	if o.Trace == nil {
		o.Trace = func(Stage, desk.CallID) {}
	}
	box := &Outbox{Options: o, db: d, client: client, wake: make(chan struct{}, 1),
		queue: newQueue(), pace: newPace(o.Limits), free: o.Senders, afterTopic: make(map[desk.CallID]db.Debt),
		afterLane: make(map[desk.Lane]map[desk.CallID]paused),
		air:       air{calls: make(map[desk.ChatID]int), crowd: make(map[desk.ChatID][]desk.Lane), waits: make(map[desk.Lane]bool)}}
	box.group.wanted = true // so that /readyz knows of the group before anybody writes
	d.Listen(box.hear)
	return box
}

// Load reads what the database owes, and puts in doubt what was being sent when the program ended. It must have returned before
// Run or Drain.
func (o *Outbox) Load(ctx context.Context) error {
	now := o.Now()
	var debts []db.Debt
	var inDoubt []desk.CallID
	var rests []db.Rest
	err := o.db.View(ctx, func(v db.View) (err error) {
		if rests, err = v.Rests(now); err != nil {
			return err
		}
		if o.group.proof, err = v.ForumProof(); err != nil {
			return err
		}
		debts, inDoubt, err = v.OpenDebts()
		return err
	})
	if err != nil {
		return err
	}
	if o.group.proof.After(now) {
		o.group.proof = now.Add(-2 * proofLasts) // some clock was wrong: nothing is proved
	}
	if err := o.doubtAll(ctx, inDoubt); err != nil {
		return fmt.Errorf("settle what was under way: %w", err)
	}
	o.restore(rests, debts, inDoubt)
	return nil
}

// doubtAll settles what was at Telegram when the program ended.
func (o *Outbox) doubtAll(ctx context.Context, inDoubt []desk.CallID) error {
	for _, id := range inDoubt {
		err := o.db.Update(ctx, func(tx *db.Tx) error { return o.doubtAfterCrash(tx, id) })
		if err != nil && !db.Unavailable(err) { // a fault of ours with one call must not keep the desk from starting
			o.Log.Error().Err(err).Int64("call_id", int64(id)).Msg("a call that was under way cannot be settled and is given up")
			err = o.db.Update(ctx, func(tx *db.Tx) error { return tx.RefuseCall(id, "fault") })
		}
		if err != nil {
			return err
		}
	}
	return o.db.Update(ctx, (*db.Tx).DoubtCreations)
}

// restore puts in memory what the database holds.
func (o *Outbox) restore(rests []db.Rest, debts []db.Debt, inDoubt []desk.CallID) {
	now := o.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range rests {
		o.pace.rests[rest{r.Chat, family(r.Family)}] = r.Until
	}
	doubted := make(map[desk.CallID]bool, len(inDoubt))
	for _, id := range inDoubt {
		doubted[id] = true // came into the queue, or left it, when it was settled
	}
	for _, d := range debts {
		if d.Due.After(now.Add(longestWait)) {
			d.Due = now // some clock was wrong
		}
		if !doubted[d.ID] {
			o.queue.add(d)
		}
	}
}

// hear takes in what a commit made true.
func (o *Outbox) hear(n db.News) {
	o.mu.Lock()
	for _, d := range n.Owed {
		o.queue.add(d)
	}
	for _, s := range n.Forum {
		o.group.see(s, o.Now())
	}
	if n.Moved {
		o.Log.Warn().Int64("chat_id", int64(o.db.Group())).Msg("the group has a new id; put it into telegram.support_chat_id")
	}
	if n.Group || n.Moved {
		o.group.reconsider(n.Moved)
		o.queue.wakeAll()
	}
	if n.Topics {
		o.topicsMoved()
	}
	o.mu.Unlock()
	o.poke()
}

func (o *Outbox) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// stopWait is how long Run waits at the end for calls under way.
const stopWait = 8 * time.Second

// Run sends until ctx ends, then waits up to 8 s for the calls under way. What was not sent is sent after the next start.
func (o *Outbox) Run(ctx context.Context) {
	sending, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		work := o.next()
		for _, errand := range work.errands {
			o.flight.Go(func() { errand(sending) })
		}
		if len(work.calls) > 0 {
			o.flight.Go(func() {
				for _, c := range o.take(sending, work.calls) {
					o.flight.Go(func() { o.carry(sending, c) })
				}
			})
			continue
		}
		timer.Stop()
		if !work.wakeAt.IsZero() {
			timer.Reset(work.wakeAt.Sub(o.Now()))
		}
		select {
		case <-o.wake:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	o.land(abort)
}

// land waits for what is in the air.
func (o *Outbox) land(abort func()) {
	landed := make(chan struct{})
	go func() { o.flight.Wait(); close(landed) }()
	select {
	case <-landed:
	case <-time.After(stopWait):
		abort()
		<-landed
	}
}

// Drain sends, one call after another, all that can be sent at this moment.
func (o *Outbox) Drain(ctx context.Context) {
	for ctx.Err() == nil {
		work := o.next()
		for _, errand := range work.errands {
			errand(ctx)
		}
		for _, c := range o.take(ctx, work.calls) {
			o.carry(ctx, c)
		}
		if len(work.errands) == 0 && len(work.calls) == 0 {
			return
		}
	}
}

// Owed tells how many calls wait in memory.
func (o *Outbox) Owed() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for _, l := range o.queue.lanes {
		for _, line := range l.debts {
			n += len(line)
		}
	}
	return n
}
