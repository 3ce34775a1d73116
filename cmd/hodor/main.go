// Command hodor is a self-hosted support desk in Telegram. This package only wires: the rooms do the work, and each command has a
// file of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"hodor/internal/desk"
	"hodor/internal/outbox"
)

// version is set when a release is built.
var version = "development"

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, program{args: os.Args[1:], environ: os.Environ(), stdout: os.Stdout, stderr: os.Stderr}))
}

// A program is one run of hodor, with everything it takes from outside, so that a test can be outside.
type program struct {
	args    []string
	environ []string
	stdout  io.Writer
	stderr  io.Writer
	trace   func(outbox.Stage, desk.CallID) // of every call; nil outside tests
}

// commandLine is what can be said to hodor.
type commandLine struct {
	Config string `help:"Configuration file; everything in it can come from the environment instead." placeholder:"FILE"`

	Serve   serveCommand   `cmd:"" help:"Run the desk."`
	Demo    demoCommand    `cmd:"" help:"Play a short day of a desk against a Telegram made for it; needs no token and no network."`
	Migrate migrateCommand `cmd:"" help:"Show or bring up to date the schema of the database."`
	Health  healthCommand  `cmd:"" help:"Ask a running serve on this machine whether it lives."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// environment is what every command is given.
type environment struct {
	program
	ctx    context.Context
	config string
}

func run(ctx context.Context, p program) int {
	var line commandLine
	exit := -1
	parser, err := kong.New(&line, kong.Name("hodor"), kong.Description("A support desk in Telegram: one person, one topic."),
		kong.Writers(p.stdout, p.stderr), kong.Exit(func(code int) { exit = code }), kong.UsageOnError())
	if err != nil {
		fmt.Fprintln(p.stderr, "hodor:", err)
		return exitFailure
	}
	chosen, err := parser.Parse(p.args)
	if exit >= 0 {
		return exit // help was asked for, and printed
	}
	if err != nil {
		fmt.Fprintln(p.stderr, "hodor:", err)
		fmt.Fprintln(p.stderr, "Run hodor --help to see what it can do.")
		return exitUsage
	}
	err = chosen.Run(environment{program: p, ctx: ctx, config: line.Config})
	if err != nil && !errors.Is(err, errSaid) {
		fmt.Fprintln(p.stderr, "hodor:", err)
	}
	if err != nil {
		return exitFailure
	}
	return exitOK
}

// errSaid ends a command as failed that has said why itself.
var errSaid = errors.New("said already")

type versionCommand struct{}

// Run prints the version, and for a development build the commit it was made from.
func (versionCommand) Run(e environment) error {
	_, err := fmt.Fprintln(e.stdout, "hodor", buildVersion())
	return err
}

func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if version != "development" || !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return version + " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return version
}
