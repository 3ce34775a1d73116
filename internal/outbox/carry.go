package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// carry sends one taken call, and settles it. It returns when what became of the call is on disk.
func (o *Outbox) carry(ctx context.Context, t taken) {
	o.Trace(Taken, t.row.ID)
	a := o.client.ask(ctx, func(ctx context.Context, b *bot.Bot) error { return send(ctx, b, t.request.params) })
	o.Trace(Answered, t.row.ID)
	o.mu.Lock()
	o.landed(o.chatOf(t.row.Lane))
	o.mu.Unlock()
	o.poke()
	v := judge(a)
	if _, private := t.request.chat.User(); private {
		v = v.forUser()
	}
	s := settlement{box: o, request: t.request, verdict: v, result: readResult(a)}
	o.learn(&s, t.row.ID)
	o.commitCall(ctx, s, t.row)
	o.Trace(Settled, t.row.ID)
	o.report(t, v)
	o.mu.Lock()
	o.queue.release(t.row.Lane)
	o.laneSettled(t.row.Lane)
	o.mu.Unlock()
	o.poke()
}

// laneSettled lets those try again who wait for what the lane had at Telegram.
func (o *Outbox) laneSettled(l desk.Lane) {
	for _, p := range o.afterLane[l] {
		o.queue.hasten(p.Debt, p.until)
	}
	delete(o.afterLane, l)
}

// landed gives the sender to another call, already while this one is settled: its connection is free.
func (o *Outbox) landed(chat desk.ChatID) {
	o.free++
	o.air.land(chat)
	o.offer(chat)
}

// offer gives a free place to the first who still waits for one.
func (o *Outbox) offer(chat desk.ChatID) {
	for {
		next, waits := o.air.next(chat, o.Senders)
		if !waits {
			return
		}
		l := o.queue.lanes[next]
		if l == nil || l.busy {
			continue
		}
		if _, due, _ := l.next(o.Now()); due {
			o.queue.wake(l)
			return
		}
	}
}

// settleRetry is how long to wait before a settle that did not commit is tried again.
const settleRetry = 200 * time.Millisecond

// commitCall settles a call. Where that fails by a fault of ours and not of the database's, the call is given up instead: it would fail
// for ever, and everything behind it.
func (o *Outbox) commitCall(ctx context.Context, s settlement, row db.CallRow) {
	o.commit(ctx, func(tx *db.Tx) error { return s.settle(tx, row) }, func(cause error) []func(*db.Tx) error {
		o.Log.Error().Err(cause).Int64("call_id", int64(row.ID)).Str("kind", row.Kind).Msg("what became of a call cannot be settled; it is given up")
		return []func(*db.Tx) error{
			func(tx *db.Tx) error { return s.giveUp(tx, row, text.FailedOther("internal error")) },
			func(tx *db.Tx) error { return tx.RefuseCall(row.ID, "fault") },
		}
	})
}

// commit writes down what became of a call, again and again until it is on disk: what Telegram has answered exists nowhere else.
// Meanwhile nothing new is taken. Only the end of the program ends it: then the call is in doubt after the next start.
func (o *Outbox) commit(ctx context.Context, fn func(*db.Tx) error, instead func(error) []func(*db.Tx) error) {
	err := o.db.Update(context.WithoutCancel(ctx), fn)
	if err == nil {
		return
	}
	if !db.Unavailable(err) && instead != nil {
		for _, other := range instead(err) {
			if o.db.Update(context.WithoutCancel(ctx), other) == nil {
				return
			}
		}
	}
	o.setStuck(+1)
	defer o.setStuck(-1)
	again := time.NewTicker(settleRetry)
	defer again.Stop()
	for err != nil && !o.db.Closed() {
		o.databaseWorks(err)
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
		err = o.db.Update(context.WithoutCancel(ctx), fn)
	}
	o.databaseWorks(err)
}

func (o *Outbox) setStuck(by int) {
	o.mu.Lock()
	o.stuck += by
	o.mu.Unlock()
	o.poke()
}

func (o *Outbox) databaseWorks(err error) {
	if err == nil {
		o.Ready.Clear(desk.Settling)
		return
	}
	if o.Ready.Fail(desk.Settling, "what became of calls cannot be written; nothing new is sent") {
		o.Log.Error().Err(err).Msg("the database does not take what became of a call; nothing new is sent until it does")
	}
}

// learn takes in memory what the answer says about more than its own call.
func (o *Outbox) learn(s *settlement, id desk.CallID) {
	now := o.Now()
	v, r := s.verdict, s.request
	switch v.meaning {
	case rightMissing:
		if r.family != sends && r.family != creations {
			s.verdict.meaning = refused // a right that only this small thing needs
			break
		}
		s.verdict.meaning = groupShut
		o.lacksRight(v.reason, r.family)
		return
	case groupShut:
		if v.saysNoChat() && carries(r.step) {
			s.verdict.meaning = refused // it may speak of the chat that the message comes from
			o.doubtGroup()
			break
		}
		o.shut(v.reason)
		return
	case unauthorized:
		o.halt(v.reason)
		return
	case topicGone:
		s.tooMany = o.vanished()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch v.meaning {
	case flooded:
		if r.family != free {
			s.rest, s.rests = o.pace.flooded(r.chat, r.family, now, v.wait), true
		}
	case broken:
		o.health.fail(id, now)
		return
	case unreachable, doubtful:
		return
	case forumOff:
		o.group.suspect, o.group.wanted, o.group.nextAsk = true, true, time.Time{}
	case delivered:
		o.learnDelivered(s, now)
	}
	o.healthy(now)
}

// learnDelivered reads what an answer shows of the group: a message that was sent into a topic and does not stand in one proves that
// topics are off, one that does proves the contrary.
func (o *Outbox) learnDelivered(s *settlement, now time.Time) {
	g := &o.group
	if s.request.chat == o.db.Group() && g.shutWhy != "" && s.request.costs() && (!g.shutRight || g.shutBy == s.request.family) {
		g.shutWhy, g.shutRight, g.shutUntil = "", false, time.Time{}
		o.tellGroup()
	}
	switch {
	case s.request.thread == 0:
		return
	case !s.result.isMessage:
		if s.result.message != 0 {
			g.copied(now)
		}
		return
	case s.result.thread == s.request.thread:
		g.prove(now)
		return
	}
	s.misrouted = s.request.family == sends // an edited message stands where it stood
	g.suspect, g.wanted, g.nextAsk = true, true, time.Time{}
}

// report writes one log line about a call.
func (o *Outbox) report(t taken, v verdict) {
	level := o.Log.Info()
	if v.meaning != delivered && v.meaning != expired {
		level = o.Log.Warn().Str("reason", v.reason)
	}
	if user, ok := t.row.Lane.User(); ok {
		level.Int64("user_id", int64(user))
	}
	level.Int64("call_id", int64(t.row.ID)).Str("kind", t.row.Kind).Str("step", t.request.step).
		Int64("thread_id", int64(t.request.thread)).Stringer("outcome", v.meaning).Msg("call")
}

// send makes the one call that a request is.
func send(ctx context.Context, b *bot.Bot, params any) (err error) {
	switch p := params.(type) {
	case *bot.CopyMessageParams:
		_, err = b.CopyMessage(ctx, p)
	case *bot.CopyMessagesParams:
		_, err = b.CopyMessages(ctx, p)
	case *bot.SendMediaGroupParams:
		_, err = b.SendMediaGroup(ctx, p)
	case *bot.ForwardMessageParams:
		_, err = b.ForwardMessage(ctx, p)
	case *bot.SendMessageParams:
		_, err = b.SendMessage(ctx, p)
	case *bot.EditMessageTextParams:
		_, err = b.EditMessageText(ctx, p)
	case *bot.EditMessageCaptionParams:
		_, err = b.EditMessageCaption(ctx, p)
	case *bot.EditMessageMediaParams:
		_, err = b.EditMessageMedia(ctx, p)
	case *bot.SetMessageReactionParams:
		_, err = b.SetMessageReaction(ctx, p)
	case *bot.DeleteMessageParams:
		_, err = b.DeleteMessage(ctx, p)
	case *bot.DeleteMessagesParams:
		_, err = b.DeleteMessages(ctx, p)
	case *bot.PinChatMessageParams:
		_, err = b.PinChatMessage(ctx, p)
	case *bot.AnswerCallbackQueryParams:
		_, err = b.AnswerCallbackQuery(ctx, p)
	case *bot.CreateForumTopicParams:
		_, err = b.CreateForumTopic(ctx, p)
	case *bot.ReopenForumTopicParams:
		_, err = b.ReopenForumTopic(ctx, p)
	case *bot.EditForumTopicParams:
		_, err = b.EditForumTopic(ctx, p)
	case *bot.DeleteForumTopicParams:
		_, err = b.DeleteForumTopic(ctx, p)
	default:
		err = sendTyped(ctx, b, params)
	}
	return err
}

func sendTyped(ctx context.Context, b *bot.Bot, params any) (err error) {
	switch p := params.(type) {
	case *bot.SendPhotoParams:
		_, err = b.SendPhoto(ctx, p)
	case *bot.SendVideoParams:
		_, err = b.SendVideo(ctx, p)
	case *bot.SendAnimationParams:
		_, err = b.SendAnimation(ctx, p)
	case *bot.SendAudioParams:
		_, err = b.SendAudio(ctx, p)
	case *bot.SendDocumentParams:
		_, err = b.SendDocument(ctx, p)
	case *bot.SendVoiceParams:
		_, err = b.SendVoice(ctx, p)
	case *bot.SendVideoNoteParams:
		_, err = b.SendVideoNote(ctx, p)
	case *bot.SendStickerParams:
		_, err = b.SendSticker(ctx, p)
	case *bot.SendContactParams:
		_, err = b.SendContact(ctx, p)
	case *bot.SendVenueParams:
		_, err = b.SendVenue(ctx, p)
	case *bot.SendLocationParams:
		_, err = b.SendLocation(ctx, p)
	default:
		err = fmt.Errorf("no method for %T", params)
	}
	return err
}
