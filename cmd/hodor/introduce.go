package main

import (
	"context"
	"errors"
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

// introduce asks Telegram who we are, tells it our commands, and learns who administers the group. While Telegram cannot be reached
// it keeps trying.
func (h *hodor) introduce(ctx context.Context) error {
	var me db.Identity
	err := h.insist(ctx, desk.Identity, func(ctx context.Context) (err error) { me, err = h.client.Me(ctx); return err })
	if err != nil || ctx.Err() != nil {
		return err
	}
	if err := h.db.Update(ctx, func(tx *db.Tx) error { return tx.SetIdentity(me) }); err != nil {
		return err
	}
	h.log.Info().Str("username", me.Username).Msg("Telegram knows us")
	// What follows is a convenience each; the outbox finds out by itself what is wrong with the group.
	if err := h.setMenu(ctx); err != nil {
		h.log.Warn().Err(err).Msg("the command menu could not be set")
	}
	admins, err := h.client.Administrators(ctx, h.db.Group())
	if err == nil {
		err = h.db.Update(ctx, func(tx *db.Tx) error { return tx.SetGroupAdmins(admins) })
	}
	if err != nil {
		h.log.Warn().Err(err).Msg("the administrators of the group could not be read")
	}
	return nil
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
	waits := []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second}
	for try := 0; ctx.Err() == nil; try++ {
		err := ask(ctx)
		if err == nil {
			h.ready.Clear(part)
			return nil
		}
		if outbox.TokenRefused(err) {
			return errToken
		}
		if ctx.Err() == nil && h.ready.Fail(part, err.Error()) {
			h.log.Warn().Err(err).Msg("Telegram does not answer; trying again")
		}
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
