package main

import (
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"
)

// newLog writes one line per event, for people or for machines.
func newLog(c Config, w io.Writer) zerolog.Logger {
	level, err := zerolog.ParseLevel(c.Log.Level)
	if err != nil {
		level = zerolog.InfoLevel // its name was checked when it was loaded
	}
	if c.Log.Format == "console" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.DateTime, NoColor: !isTerminal(w)}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

// isTerminal tells whether somebody looks on; a file or a collector of logs has no use for colours.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
