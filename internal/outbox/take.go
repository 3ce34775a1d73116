package outbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// A taken call is on disk as under way, and what to send is decided.
type taken struct {
	row     db.CallRow
	request *request
}

// A pause says when a call that cannot go now is looked at again.
type pause struct {
	until  time.Time // zero: it is settled
	topics bool      // or earlier, when something becomes known of a topic that was asked for …
	behind desk.Lane // … or when what this lane has at Telegram is settled …
	after  desk.Lane // … or when the next of this lane is settled
}

// A paused debt goes back to its lane.
type paused struct {
	db.Debt
	pause
}

// maxReplans bounds how often one call may be decided anew in one go.
const maxReplans = 4

// take marks the calls as under way, in one transaction, and returns those that have something to send. The others are settled, or
// go back to their lanes.
func (o *Outbox) take(ctx context.Context, calls []db.Debt) []taken {
	if len(calls) == 0 {
		return nil
	}
	o.mu.Lock()
	moves, proof := o.topicMoves, o.group.proof
	keepProof := !proof.Equal(o.group.kept) && slices.ContainsFunc(calls, func(d db.Debt) bool { return d.Lane.NeedsForum() })
	o.mu.Unlock()
	var out []taken
	var waiting []paused
	err := o.db.Update(ctx, func(tx *db.Tx) (err error) {
		if keepProof {
			if err := tx.SetForumProof(proof); err != nil {
				return err
			}
		}
		out, waiting, err = o.takeAll(tx, calls)
		return err
	})
	switch {
	case err == nil:
		o.databaseWorks(nil)
		o.back(calls, out, waiting, moves, keepProof, proof)
		return out
	case len(calls) > 1 && !db.Unavailable(err):
		for _, d := range calls { // one of them is bad: the others must not wait for it
			out = append(out, o.take(ctx, []db.Debt{d})...)
		}
		return out
	}
	given := len(calls) == 1 && !db.Unavailable(err) && o.giveUp(ctx, calls[0], err)
	for _, d := range calls {
		waiting = append(waiting, paused{d, pause{until: o.Now().Add(settleRetry)}})
	}
	if !given {
		o.databaseWorks(err)
	}
	o.back(calls, nil, waiting, moves, false, proof)
	return nil
}

func (o *Outbox) takeAll(tx *db.Tx, calls []db.Debt) (out []taken, waiting []paused, err error) {
	for _, d := range calls {
		t, p, err := o.takeOne(tx, d)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case t.request != nil:
			out = append(out, t)
		case !p.until.IsZero():
			waiting = append(waiting, paused{d, p})
		}
	}
	return out, waiting, nil
}

// giveUp ends a call that nothing can be done with because of a fault of ours, so that its lane goes on; false if not even that can be
// written down.
func (o *Outbox) giveUp(ctx context.Context, d db.Debt, cause error) bool {
	o.Log.Error().Err(cause).Int64("call_id", int64(d.ID)).Str("kind", d.Kind).Msg("a call cannot be planned and is given up")
	err := o.db.Update(ctx, func(tx *db.Tx) error {
		row, found, unreadable, err := tx.CallByID(d.ID)
		if err != nil || !found || unreadable != nil || row.State != db.Owed {
			return errors.Join(err, unreadable)
		}
		return settlement{box: o}.giveUp(tx, row, text.FailedOther("internal error"))
	})
	if err != nil {
		err = o.db.Update(ctx, func(tx *db.Tx) error { return tx.RefuseCall(d.ID, "fault") })
	}
	if err != nil {
		o.Log.Error().Err(err).Int64("call_id", int64(d.ID)).Msg("a call cannot be given up")
	}
	return err == nil
}

// back gives the lanes of calls that are not sent now to others, and puts back those that wait.
func (o *Outbox) back(calls []db.Debt, out []taken, waiting []paused, moves int, keptProof bool, proof time.Time) {
	defer o.poke() // whoever waits for the next moment does not know of these yet
	o.mu.Lock()
	defer o.mu.Unlock()
	if keptProof {
		o.group.kept = proof
	}
	under := make(map[desk.CallID]bool, len(out))
	now := o.Now()
	for _, t := range out {
		under[t.row.ID] = true
		o.queue.lanes[t.row.Lane].away = true
		switch {
		case t.request.items > 1:
			delete(o.pace.albums, t.row.ID) // it was put aside
		case t.request.costs():
			o.pace.spend(t.request.chat, now)
		}
	}
	for _, p := range waiting {
		switch {
		case p.after.Kind != "":
			o.waitFor(p.after, p)
		case p.behind.Kind != "" && !o.queue.away(p.behind):
			p.until = p.Due // it is settled by now
		case p.behind.Kind != "":
			o.waitFor(p.behind, p)
		case p.topics && o.topicMoves != moves:
			p.until = p.Due // what it waits for may have come to pass while it was decided that it waits
		case p.topics:
			o.afterTopic[p.ID] = p.Debt
		}
		p.Due = p.until
		o.queue.add(p.Debt)
	}
	for _, d := range calls {
		if takesOne(d) {
			o.pace.decided(o.chatOf(d.Lane))
		}
		if !under[d.ID] {
			o.landed(o.chatOf(d.Lane))
			o.queue.release(d.Lane)
		}
	}
}

// waitFor lets a call try again when what the lane has at Telegram is settled.
func (o *Outbox) waitFor(l desk.Lane, p paused) {
	if o.afterLane[l] == nil {
		o.afterLane[l] = make(map[desk.CallID]paused)
	}
	o.afterLane[l][p.ID] = p
}

// topicsMoved lets those try again who wait for a topic that was asked for.
func (o *Outbox) topicsMoved() {
	o.topicMoves++
	for id, d := range o.afterTopic {
		o.queue.add(d)
		delete(o.afterTopic, id)
	}
}

// takeOne decides on one call. Neither a request nor a pause means that it is settled, or not owed any more.
func (o *Outbox) takeOne(tx *db.Tx, d db.Debt) (taken, pause, error) {
	row, found, unreadable, err := tx.CallByID(d.ID)
	if err != nil || !found || row.State != db.Owed {
		return taken{}, pause{}, err
	}
	if unreadable != nil {
		o.Log.Error().Err(unreadable).Int64("call_id", int64(d.ID)).Str("kind", row.Kind).Msg("a call cannot be read and is given up")
		row.State, row.Reason = db.Refused, "unreadable"
		return taken{}, pause{}, tx.SettleCall(row)
	}
	if carried, _ := desk.CarriedBy(row.Call); carried.Items && row.Due.After(tx.Now) {
		return taken{}, pause{until: row.Due}, nil // an item has joined since it was chosen, and there may be more
	}
	for range maxReplans {
		dec, err := o.plan(tx, row)
		switch {
		case err != nil:
			return taken{}, pause{}, err
		case dec.again:
			continue
		case dec.send != nil:
			return o.begin(tx, row, dec.send)
		case !dec.wait.until.IsZero():
			return taken{}, dec.wait, nil
		}
		row.State, row.Reason = dec.settle, dec.reason
		return taken{}, pause{}, tx.SettleCall(row)
	}
	return taken{}, pause{until: tx.Now.Add(time.Second)}, nil
}

// begin marks the call as under way, unless the family of methods that it needs rests, or an album waits for its tokens.
func (o *Outbox) begin(tx *db.Tx, row db.CallRow, r *request) (taken, pause, error) {
	if until := o.mayGo(row.ID, r, tx.Now); until.After(tx.Now) {
		return taken{}, pause{until: until}, nil
	}
	if r.begin != nil {
		if err := r.begin(tx); err != nil {
			return taken{}, pause{}, err
		}
	}
	if ok, err := tx.MarkSending(row.ID, r.step); err != nil || !ok {
		return taken{}, pause{}, err
	}
	row.Step = r.step
	return taken{row, r}, pause{}, nil
}

// mayGo is when the request may go, by what its lane does not show: its family, and how many messages it sends.
func (o *Outbox) mayGo(call desk.CallID, r *request, now time.Time) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	var until time.Time
	if r.family != free {
		until = o.pace.resting(r.chat, r.family, now)
	}
	if r.family == reactions && !until.After(now) {
		until = o.pace.reactionAt(r.chat, now)
	}
	if r.items > 1 {
		until = later(until, o.pace.promise(call, r.chat, now, r.items))
	}
	return until
}

// isAway tells whether a call of the lane is at Telegram.
func (o *Outbox) isAway(l desk.Lane) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.queue.away(l)
}
