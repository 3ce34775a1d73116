package outbox

import (
	"context"
	"time"

	"hodor/db"
	"hodor/internal/desk"
)

// work is what can be done now.
type work struct {
	calls   []db.Debt
	errands []func(context.Context) // questions to Telegram that no debt stands for
	wakeAt  time.Time               // when there will be more; zero if only news can tell
}

// aWhile parks a lane that waits for an event; the event wakes it.
const aWhile = time.Hour

// next chooses what is sent now, as many calls as senders are free. Their lanes are busy from here on.
func (o *Outbox) next() work {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	var w work
	if o.stuck > 0 {
		return w
	}
	for len(w.calls) < o.free {
		l := o.queue.pop(now)
		if l == nil {
			break
		}
		chat := o.chatOf(l.key)
		if until := o.gate(l, chat, now); until.After(now) {
			o.queue.park(l, until)
			o.offer(chat) // if it was this lane's turn, it is another's
			continue
		}
		o.queue.take(l, l.first)
		delete(o.afterTopic, l.first.ID)
		o.air.rise(chat)
		w.calls = append(w.calls, l.first)
		if takesOne(l.first) {
			o.pace.choose(chat)
		}
	}
	o.free -= len(w.calls)
	w.errands = o.errands(now)
	w.wakeAt = earliest(o.health.askAt(), o.group.askAt(now))
	if o.free > 0 { // otherwise a landing tells
		w.wakeAt = earliest(w.wakeAt, o.queue.wakeAt())
	}
	o.pace.tidy(now)
	return w
}

// gate is until when the lane's first call has to wait; not after now if it may go.
func (o *Outbox) gate(l *lane, chat desk.ChatID, now time.Time) time.Time {
	if l.key.Kind == desk.ToPress {
		return now
	}
	if until := o.health.gate(l.first.ID, now); until.After(now) {
		return until
	}
	if until := o.pace.resting(chat, every, now); until.After(now) {
		return until
	}
	if until := o.group.gate(l.key, now); until.After(now) {
		return until
	}
	if l.first.Items > 1 {
		if until := o.pace.promise(l.first.ID, chat, now, l.first.Items); until.After(now) {
			return until
		}
	} else if takesOne(l.first) {
		if until := o.pace.tokenAt(chat, now); until.After(now) {
			return until
		}
	}
	if o.air.full(chat, l.key, o.Senders) {
		return now.Add(aWhile)
	}
	return now
}

// takesOne tells whether the call may need one token; an album's are put aside.
func takesOne(d db.Debt) bool { return d.Items <= 1 && costs(d.Kind) }

// costs tells whether a call of this kind may need tokens.
func costs(kind string) bool {
	switch kind {
	case desk.PinCard{}.Kind(), desk.React{}.Kind(), desk.Unsend{}.Kind(), desk.DeleteMessage{}.Kind(),
		desk.DeleteStrayTopic{}.Kind(), desk.AnswerPress{}.Kind():
		return false
	}
	return true
}

// chatOf is where the lane leads; 0 for a press, which belongs to no chat, and for reactions, whose chat is known when they are sent.
func (o *Outbox) chatOf(l desk.Lane) desk.ChatID {
	switch {
	case l.InGroup():
		return o.db.Group()
	case l.Kind == desk.ToUser:
		return desk.UserID(l.ID).PrivateChat()
	}
	return 0
}

func (o *Outbox) errands(now time.Time) []func(context.Context) {
	var list []func(context.Context)
	if o.health.begin(now) {
		list = append(list, o.askHealth)
	}
	if o.group.begin(now) {
		list = append(list, o.askForum)
	}
	return list
}

// earliest of the moments that are not zero.
func earliest(moments ...time.Time) (first time.Time) {
	for _, m := range moments {
		if !m.IsZero() && (first.IsZero() || m.Before(first)) {
			first = m
		}
	}
	return first
}
