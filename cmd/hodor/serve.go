package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"hodor/bot"
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/outbox"
	"hodor/internal/text"
)

type serveCommand struct{}

// Run is the desk, until it is told to stop.
func (serveCommand) Run(e environment) error {
	config, err := e.load()
	if err != nil {
		return err
	}
	release, err := lock(e.ctx, config.Database.Path)
	if e.ctx.Err() != nil {
		return nil // told to stop before it has begun
	}
	if err != nil {
		return err
	}
	defer release()
	log := newLog(config, e.stderr)
	log.Info().Str("version", buildVersion()).Msg("hodor starts")
	if len(config.Telegram.AdminIDs) == 0 && !config.Telegram.GroupAdmins {
		log.Warn().Msg("nobody is in the team and nobody can answer: set telegram.admin_ids or telegram.group_admins")
	}
	h, err := open(e.ctx, config, options{log: log, trace: e.trace})
	if err != nil {
		return err
	}
	defer h.close()
	return h.serve(e.ctx)
}

// load reads the configuration as the command line and the environment say.
func (e environment) load() (Config, error) {
	path, given := e.config, e.config != ""
	if !given {
		path = "config.toml"
	}
	return loadConfig(path, given, e.environ, text.Languages(), func(c Config) error {
		_, err := text.Load(c.Text.Language, c.Text.Overrides, c.Text.PerLanguage)
		return err
	})
}

// options are what differs between serve, demo and tests.
type options struct {
	log   zerolog.Logger
	trace func(outbox.Stage, desk.CallID)
}

// A hodor is the wired desk.
type hodor struct {
	config Config
	log    zerolog.Logger
	text   *text.Catalogue
	ready  *desk.Readiness
	db     *db.DB
	client *outbox.Client
	box    *outbox.Outbox
	bot    *bot.Bot

	groupNews chan struct{} // the group, or our place in it, is another; holds one
}

// senders is how many calls may be under way at once.
const senders = 64

// open makes everything, and reads what the database owes. Nothing is called yet.
func open(ctx context.Context, c Config, o options) (*hodor, error) {
	h := &hodor{config: c, log: o.log, groupNews: make(chan struct{}, 1)}
	h.ready = desk.NewReadiness(time.Now, desk.Identity, desk.Source, desk.Group)
	var err error
	if h.text, err = text.Load(c.Text.Language, c.Text.Overrides, c.Text.PerLanguage); err != nil {
		return nil, err
	}
	if h.client, err = outbox.NewClient(c.Telegram.Token.Reveal(), c.Telegram.APIURL, senders); err != nil {
		return nil, err
	}
	h.db, err = db.Open(ctx, db.Options{Path: c.Database.Path, Bot: c.BotID(), Group: c.Telegram.SupportChatID,
		Now: time.Now, Ready: h.ready})
	if err != nil {
		return nil, err
	}
	h.db.Listen(func(n db.News) {
		if n.Group || n.Moved {
			select {
			case h.groupNews <- struct{}{}:
			default:
			}
		}
	})
	h.box = outbox.New(h.db, h.client, outbox.Options{
		Now: time.Now, Log: h.log, Text: h.text, MaxAttempts: c.Relay.MaxAttempts, Senders: senders, Ready: h.ready, Trace: o.trace,
		Limits: outbox.Limits{GroupPerMinute: c.Limits.GroupPerMinute, PrivatePerSecond: float64(c.Limits.PrivatePerSecond),
			GlobalPerSecond: float64(c.Limits.GlobalPerSecond)},
		Verify: db.Settings{VerifyEnabled: c.Verify.Enabled, VerifyMode: c.Verify.Mode},
	})
	h.bot = bot.New(h.db, bot.Rules{Admins: c.Telegram.AdminIDs, GroupAdmins: c.Telegram.GroupAdmins,
		MaxMessagesPerMinute: c.Relay.MaxMessagesPerMinute}, time.Now, h.log)
	if err := h.box.Load(ctx); err != nil {
		return nil, errors.Join(err, h.db.Close())
	}
	return h, nil
}

func (h *hodor) close() {
	if err := h.db.Close(); err != nil {
		h.log.Error().Err(err).Msg("the database did not close well")
	}
}

// serve takes updates in and pays what is owed, until ctx ends or going on is pointless. Updates are stored before Telegram has told
// our name; nothing is sent before.
func (h *hodor) serve(ctx context.Context) error {
	var listener net.Listener
	if h.config.HTTP.Listen != "" {
		var err error
		if listener, err = net.Listen("tcp", h.config.HTTP.Listen); err != nil {
			return fmt.Errorf("listen for http.listen: %w", err)
		}
		h.log.Info().Str("address", listener.Addr().String()).Msg("listening")
	}
	g, ctx := errgroup.WithContext(ctx)
	if listener != nil {
		g.Go(func() error { return h.listen(ctx, listener) })
	}
	g.Go(func() error { h.bot.RunRetries(ctx); return nil })
	g.Go(func() error {
		if err := h.introduce(ctx); err != nil || ctx.Err() != nil {
			return err
		}
		later := h.settleIn(ctx)
		g.Go(func() error { later(); h.settleInAgain(ctx); return nil })
		g.Go(func() error { h.box.Run(ctx); return nil })
		return h.source(ctx)
	})
	err := g.Wait()
	h.log.Info().Msg("stopped")
	return err
}

// stopHTTP is how long requests under way may take at the end.
const stopHTTP = 5 * time.Second

func (h *hodor) listen(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: h.routes(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, ErrorLog: nil}
	ended := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		defer close(ended)
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopHTTP)
		defer cancel()
		_ = server.Shutdown(within)
	})()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	<-ended // requests under way are answered before the database closes
	return nil
}
