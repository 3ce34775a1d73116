// Package bot turns updates into changes of the database. When Handle returns nil, an update and everything that follows from it is
// on disk, and Telegram may forget it; on an error it must come again.
//
// It never calls Telegram: what an update makes us say or do is owed (internal/outbox pays). An update goes three steps in one
// transaction: it is claimed, so that a repeat does nothing; decoded into an event (decode.go, pure); and applied, one method an
// event: people.go for what people write, team.go for what the group writes, commands.go, presses.go, topics.go for the life of
// topics. webhook.go and poll.go are the two doors by which updates come in.
package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// Rules are what the operator decided.
type Rules struct {
	Admins               []desk.UserID
	GroupAdmins          bool // administrators of the group are team too, anonymous ones included
	MaxMessagesPerMinute int
}

// A Bot handles the updates of one bot.
type Bot struct {
	db     *db.DB
	rules  Rules
	admins map[desk.UserID]bool
	now    func() time.Time
	log    zerolog.Logger
	kept   chan struct{} // an update was kept for another try; holds one
}

// New makes the handler of a database's updates.
func New(d *db.DB, rules Rules, now func() time.Time, log zerolog.Logger) *Bot {
	b := &Bot{db: d, rules: rules, admins: make(map[desk.UserID]bool), now: now, log: log, kept: make(chan struct{}, 1)}
	for _, id := range rules.Admins {
		b.admins[id] = true
	}
	d.Listen(func(n db.News) {
		if n.Names {
			b.poke() // commands with a @suffix have waited for our name
		}
	})
	return b
}

// errNoName says that an update has to wait until Telegram has told what we are called.
var errNoName = errors.New("the bot's name is not known yet")

// Handle applies updates, in the order given, each in a transaction of its own or together. When it returns nil the effects of all
// are on disk, or the update is on disk to be tried again; on any error all must come again.
func (b *Bot) Handle(ctx context.Context, raws ...[]byte) error {
	incoming := make([]db.Incoming, 0, len(raws))
	bodies := make([][]byte, 0, len(raws))
	arrivals := make([]*arrival, 0, len(raws))
	for _, raw := range raws {
		group := b.db.Group()
		arrived := decode(raw, b.db.Bot(), group) // here, where many can do it at once, and not while all wait
		if !arrived.numbered {
			b.log.Warn().Int("bytes", len(raw)).Msg("an update without a number is forgotten")
			continue
		}
		incoming = append(incoming, db.Incoming{ID: arrived.id, Apply: func(tx *db.Tx) error {
			if tx.Group() != group {
				arrived = decode(raw, b.db.Bot(), tx.Group())
			}
			arrived.applied = true
			return b.apply(tx, arrived)
		}})
		bodies = append(bodies, raw)
		arrivals = append(arrivals, &arrived)
	}
	for i, err := range b.db.Claim(ctx, incoming...) {
		if err == nil {
			b.report(arrivals[i])
			continue
		}
		if db.Unavailable(err) {
			return err
		}
		if err := b.keep(ctx, incoming[i].ID, bodies[i], err); err != nil {
			return err
		}
	}
	return nil
}

// report writes the one line about an update: what it was, never what it says.
func (b *Bot) report(a *arrival) {
	line := b.log.Info().Int64("update_id", int64(a.id))
	outcome := "handled"
	switch e := a.event.(type) {
	case personWrote:
		line.Int64("user_id", int64(e.person.ID)).Str("content", e.content)
	case personEdited:
		line.Int64("user_id", int64(e.person.ID)).Str("content", e.content)
	case personReacted:
		line.Int64("user_id", int64(e.user))
	case groupWrote:
		line.Int64("user_id", int64(e.author.user)).Int64("thread_id", int64(e.thread)).Str("content", e.content)
	case groupEdited:
		line.Int64("user_id", int64(e.author.user)).Int64("thread_id", int64(e.thread)).Str("content", e.content)
	case groupReacted:
		line.Int64("user_id", int64(e.author.user))
	case pressed:
		line.Int64("user_id", int64(e.by.user))
	case ignored:
		outcome = "ignored"
	}
	if !a.applied {
		outcome = "repeat"
	}
	line.Str("event", strings.TrimPrefix(fmt.Sprintf("%T", a.event), "bot.")).Str("outcome", outcome).Msg("update")
}

// keep stores an update that could not be handled, so that it is tried again by us and not by Telegram, which would hold back the
// whole chat behind it.
func (b *Bot) keep(ctx context.Context, id desk.UpdateID, raw []byte, cause error) error {
	attempts := 1
	if errors.Is(cause, errNoName) {
		attempts = 0
	}
	if err := b.db.Update(ctx, func(tx *db.Tx) error { return tx.KeepUpdate(id, raw, attempts) }); err != nil {
		return err
	}
	if attempts > 0 {
		b.log.Error().Err(cause).Int64("update_id", int64(id)).Msg("an update could not be handled and is kept")
	}
	b.poke()
	return nil
}

func (b *Bot) poke() {
	select {
	case b.kept <- struct{}{}:
	default:
	}
}

// apply makes every change and every debt that follows from an update.
func (b *Bot) apply(tx *db.Tx, arrived arrival) error {
	if s := arrived.group; s != nil {
		tx.SawForum(s.IsForum, s.At)
	}
	switch e := arrived.event.(type) {
	case personWrote:
		return b.personWrote(tx, e)
	case personEdited:
		return b.personEdited(tx, e)
	case personReacted:
		return b.personReacted(tx, e)
	case groupWrote:
		return b.groupWrote(tx, e)
	case groupEdited:
		return b.groupEdited(tx, e)
	case groupReacted:
		return b.groupReacted(tx, e)
	case pressed:
		return b.pressed(tx, arrived.id, e)
	case topicMade:
		return b.topicMade(tx, e)
	case topicRenamed:
		return tx.SetTitleByAdmin(e.thread, e.title)
	case topicClosed:
		_, err := tx.CloseTopic(e.thread)
		return err
	case topicReopened:
		return b.topicReopened(tx, e)
	case cardPinned:
		return b.cardPinned(tx, e)
	case reachChanged:
		return b.reachChanged(tx, e)
	case placeChanged:
		tx.SawGroupChange()
	case adminChanged:
		return tx.SetGroupAdmin(e.user, e.is)
	case groupMoved:
		return b.groupMoved(tx, e)
	case ignored:
	default:
		return fmt.Errorf("no rule for %T", e)
	}
	return nil
}

// Retry handles the kept updates that are due, and returns when the next will be; the zero moment if none is kept.
func (b *Bot) Retry(ctx context.Context) (next time.Time, err error) {
	var kept []db.Unfinished
	var named bool
	err = b.db.View(ctx, func(v db.View) (err error) {
		if _, named, err = v.Identity(); err != nil {
			return err
		}
		kept, err = v.UnfinishedUpdates(retryBatch)
		return err
	})
	if err != nil {
		return b.now().Add(db.RetryAfter), err
	}
	for _, u := range kept {
		due := u.KeptAt.Add(db.RetryAfter)
		if u.KeptAt.After(b.now()) {
			due = b.now() // some clock was wrong
		}
		if u.Attempts == 0 { // it only waits for our name
			if !named {
				continue
			}
			due = u.KeptAt
		}
		if due.After(b.now()) {
			if next.IsZero() || due.Before(next) {
				next = due
			}
			continue
		}
		if err := b.retry(ctx, u); err != nil {
			return b.now().Add(db.RetryAfter), err
		}
		next = b.now() // there may be more behind it
	}
	return next, nil
}

const retryBatch = 50

func (b *Bot) retry(ctx context.Context, u db.Unfinished) error {
	cause := b.db.Update(ctx, func(tx *db.Tx) error {
		waiting, err := tx.FinishUpdate(u.ID)
		if err != nil || !waiting {
			return err
		}
		return b.apply(tx, decode(u.Raw, b.db.Bot(), tx.Group()))
	})
	if cause == nil {
		return nil
	}
	failed := false
	err := b.db.Update(ctx, func(tx *db.Tx) (err error) {
		if failed, err = tx.FailUpdate(u.ID); err != nil || !failed {
			return err
		}
		return tx.Owe(desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{text.UpdateFailed(u.ID)}})
	})
	b.log.Error().Err(cause).Int64("update_id", int64(u.ID)).Bool("given_up", failed).Msg("a kept update could not be handled")
	return err
}

// RunRetries handles kept updates when they are due, until ctx ends. With none kept it sleeps.
func (b *Bot) RunRetries(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-b.kept:
		}
		next, err := b.Retry(ctx)
		if err != nil && ctx.Err() == nil {
			b.log.Error().Err(err).Msg("cannot look at kept updates")
		}
		timer.Stop()
		if !next.IsZero() {
			timer.Reset(max(next.Sub(b.now()), 0))
		}
	}
}
