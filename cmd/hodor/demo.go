package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

type demoCommand struct {
	Serve    bool   `help:"Afterwards leave the made-up Telegram's Bot API and the desk running until interrupted."`
	Listen   string `default:"127.0.0.1:0" help:"Where the made-up Telegram listens; loopback only makes sense." placeholder:"ADDR"`
	Database string `help:"Database file to use; a temporary one otherwise." placeholder:"FILE"`
}

// A demo is the real desk against a Telegram of its own.
type demo struct {
	ctx    context.Context
	out    *screen
	tg     *emulator.Telegram
	config Config
	stop   func() // ends the desk that runs now
	ended  <-chan struct{}
}

// Run plays the day, and says at the end whether all of it went as it should.
func (c demoCommand) Run(e environment) error {
	d := &demo{ctx: e.ctx, out: &screen{w: e.stdout, started: time.Now()}, tg: emulator.New(emulator.Options{Limits: true})}
	url, err := d.tg.StartAt(c.Listen)
	if err != nil {
		return fmt.Errorf("listen for --listen: %w", err)
	}
	defer d.tg.Close()
	path := c.Database
	if path == "" {
		dir, err := os.MkdirTemp("", "hodor-demo-")
		if err != nil {
			return fmt.Errorf("make a place for the database: %w", err)
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "hodor.db")
	}
	if d.config, err = demoConfig(d.tg, url, path); err != nil {
		return err
	}
	d.tg.OnCall(d.showCall)
	if err := d.start(); err != nil {
		return err
	}
	defer func() { d.stop() }()
	if err := d.day(); err != nil {
		if e.ctx.Err() != nil {
			d.out.printf("Interrupted.")
			return nil
		}
		return err
	}
	if c.Serve {
		d.out.printf("The desk keeps running. Its Telegram's Bot API is open until you interrupt; try")
		d.out.printf("  curl %s/bot%s/getMe", url, d.tg.Token())
		d.out.printf("  curl %s/bot%s/sendMessage -d chat_id=%d -d text=Hello   (to Anna; Ben is %d, the group %d)", url, d.tg.Token(),
			anna.ID(), ben.ID(), d.tg.Group())
		d.out.printf("but not getUpdates, which is the desk's own.")
		select {
		case <-e.ctx.Done():
		case <-d.ended:
			return errors.New("demo: the desk ended")
		}
	}
	return nil
}

func demoConfig(tg *emulator.Telegram, url, path string) (Config, error) {
	c := defaultConfig()
	c.Telegram.APIURL, c.Database.Path, c.HTTP.Listen = url, path, ""
	c.Telegram.SupportChatID = desk.ChatID(tg.Group())
	c.Telegram.AdminIDs = []desk.UserID{carol.ID()}
	return c, c.Telegram.Token.UnmarshalText([]byte(tg.Token()))
}

// start runs the desk until stop.
func (d *demo) start() error {
	ctx, cancel := context.WithCancel(d.ctx)
	h, err := open(ctx, d.config, options{log: zerolog.Nop()})
	if err != nil {
		cancel()
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := h.serve(ctx); err != nil {
			d.out.printf("The desk ended: %v", err)
		}
		h.close()
	}()
	d.stop, d.ended = func() { cancel(); <-ended }, ended
	return nil
}

// A screen prints what happens as it happens, from whichever goroutine.
type screen struct {
	mu      sync.Mutex
	w       io.Writer
	started time.Time
}

func (s *screen) printf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.w, "%6.2fs  %s\n", time.Since(s.started).Seconds(), fmt.Sprintf(format, args...))
}

// showCall prints what the desk made Telegram do, where people would see it.
func (d *demo) showCall(c emulator.Call) {
	where := d.where(c.Params["chat_id"], c.Params["message_thread_id"])
	switch {
	case c.Status == 429:
		d.out.printf("    Telegram: too many requests for %s, %s", c.Method, c.Description)
	case !c.Executed:
		if c.Status >= 400 && c.Method != "getUpdates" {
			d.out.printf("    Telegram refuses %s: %s", c.Method, c.Description)
		}
	case c.Method == "createForumTopic":
		d.out.printf("    desk opens the topic %q", c.Params["name"])
	case c.Method == "sendMessage":
		d.out.printf("    desk writes %s: %s", where, strings.ReplaceAll(c.Params["text"], "\n", " · "))
	case c.Method == "copyMessage":
		d.out.printf("    desk copies message %s from %s %s", c.Params["message_id"], d.name(c.Params["from_chat_id"]), where)
	case c.Method == "copyMessages":
		d.out.printf("    desk copies messages %s as one album %s", c.Params["message_ids"], where)
	case c.Method == "editMessageText":
		d.out.printf("    desk changes message %s for %s to: %s", c.Params["message_id"], d.name(c.Params["chat_id"]), c.Params["text"])
	case c.Method == "setMessageReaction":
		d.out.printf("    desk reacts to message %s in %s with %s", c.Params["message_id"], d.name(c.Params["chat_id"]), c.Params["reaction"])
	case c.Method == "deleteMessage", c.Method == "deleteMessages":
		d.out.printf("    desk removes message %s%s from the chat of %s", c.Params["message_id"], c.Params["message_ids"], d.name(c.Params["chat_id"]))
	case c.Method == "pinChatMessage":
		d.out.printf("    desk pins the card")
	}
}

func (d *demo) where(chat, thread string) string {
	if name := d.name(chat); name != "the group" {
		return "to " + name
	}
	for _, t := range d.tg.Topics() {
		if fmt.Sprint(t.Thread) == thread {
			return fmt.Sprintf("into the topic %q", t.Name)
		}
	}
	return "in General"
}

func (d *demo) name(chat string) string {
	for _, p := range []somebody{anna, ben, carol} {
		if fmt.Sprint(p.ID()) == chat {
			return p.FirstName
		}
	}
	return "the group"
}
