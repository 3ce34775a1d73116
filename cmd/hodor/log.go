package main

import (
	"io"
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
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.DateTime}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}
