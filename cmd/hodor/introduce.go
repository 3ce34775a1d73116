package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"hodor/bot"
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/outbox"
	"hodor/internal/text"
)

// errToken is the one reason for which Telegram itself ends the start.
var errToken = errors.New("the token is refused by Telegram: check telegram.token with @BotFather")

// introduce asks Telegram who we are. While Telegram cannot be reached it keeps trying.
func (h *hodor) introduce(ctx context.Context) error {
	var me db.Identity
	err := h.insist(ctx, desk.Identity, func(ctx context.Context) (err error) { me, err = h.client.Me(ctx); return err })
	if err != nil || ctx.Err() != nil {
		return err
	}
	if err := h.db.Update(ctx, func(tx *db.Tx) error { return tx.SetIdentity(me) }); err != nil {
		return err
	}
	h.log.Info().Str("username", me.Username).Msg("connected to Telegram")
	return nil
}

// settleIn tells Telegram our commands and learns who administers the group. Neither holds up the desk: what does not work the first
// time is tried again meanwhile, unless Telegram plainly refuses; what is wrong with the group the outbox finds out by itself.
func (h *hodor) settleIn(ctx context.Context) (later func()) {
	var left []func(context.Context) error
	for _, do := range []func(context.Context) error{h.setMenu, h.learnAdmins} {
		err := do(ctx)
		if err != nil {
			h.log.Warn().Err(err).Msg("the command menu or the list of administrators has to wait")
		}
		if err != nil && !refusedFor(err) {
			left = append(left, do)
		}
	}
	return func() {
		for _, do := range left {
			if err := keepTrying(ctx, do, refusedFor, func(error) {}); err != nil {
				h.log.Warn().Err(err).Msg("the command menu or the list of administrators is refused")
			}
		}
	}
}

// settleInAgain does the same whenever the group, or our place in it, has become another.
func (h *hodor) settleInAgain(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.groupNews:
			h.settleIn(ctx)()
		}
	}
}

// refusedFor tells that asking again would bring the same answer.
func refusedFor(err error) bool {
	var no *outbox.Refusal
	return errors.As(err, &no) && no.Code >= 400 && no.Code < 500 && no.Code != http.StatusTooManyRequests
}

func (h *hodor) learnAdmins(ctx context.Context) error {
	admins, err := h.client.Administrators(ctx, h.db.Group())
	if err != nil {
		return err
	}
	return h.db.Update(ctx, func(tx *db.Tx) error { return tx.SetGroupAdmins(admins) })
}

func (h *hodor) setMenu(ctx context.Context) error {
	for _, language := range append(text.Languages(), "") {
		var lines []outbox.MenuLine
		for _, m := range bot.Menu() {
			lines = append(lines, outbox.MenuLine{Command: m.Name, Description: h.text.Say(language, m.Description)})
		}
		twoLetters, _, _ := strings.Cut(language, "-") // all that Telegram takes here
		if err := h.client.SetMenu(ctx, h.db.Group(), twoLetters, lines); err != nil {
			return err
		}
	}
	return nil
}

// source opens the door for updates.
func (h *hodor) source(ctx context.Context) error {
	if h.config.Updates.Mode == "webhook" {
		err := h.insist(ctx, desk.Source, func(ctx context.Context) error {
			return h.client.SetWebhook(ctx, h.config.HTTP.PublicURL+"/webhook", h.config.HTTP.WebhookSecret.Reveal(), bot.AllowedUpdates)
		})
		if err == nil {
			<-ctx.Done()
		}
		return err
	}
	if err := h.insist(ctx, desk.Source, h.client.DeleteWebhook); err != nil || ctx.Err() != nil {
		return err
	}
	poller := &bot.Poller{URL: h.config.Telegram.APIURL + "/bot" + h.config.Telegram.Token.Reveal() + "/getUpdates",
		Bot: h.bot, Ready: h.ready, Now: time.Now, Log: h.log}
	return poller.Run(ctx)
}

// insist asks until Telegram has answered, and ends the start only if it refuses the token.
func (h *hodor) insist(ctx context.Context, part desk.Part, ask func(context.Context) error) error {
	err := keepTrying(ctx, ask, outbox.TokenRefused, func(err error) {
		if h.ready.Fail(part, err.Error()) {
			h.log.Warn().Err(err).Msg("Telegram does not answer; trying again")
		}
	})
	switch {
	case err != nil:
		return errToken
	case ctx.Err() == nil:
		h.ready.Clear(part)
	}
	return nil
}

// keepTrying asks until it succeeds, which is nil, as is the end of ctx, or until the error is final; others are told.
func keepTrying(ctx context.Context, ask func(context.Context) error, final func(error) bool, tell func(error)) error {
	waits := []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second}
	for try := 0; ctx.Err() == nil; try++ {
		err := ask(ctx)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if final(err) {
			return err
		}
		tell(err)
		wait := waits[min(try, len(waits)-1)]
		var refused *outbox.Refusal
		if errors.As(err, &refused) && refused.RetryAfter > wait {
			wait = refused.RetryAfter
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return nil
}
