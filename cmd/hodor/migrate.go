package main

import (
	"fmt"
	"os"

	"hodor/db"
)

type migrateCommand struct {
	Action string `arg:"" optional:"" enum:"status,up" default:"status" help:"status (the default) or up."`
}

// Run shows where the schema stands, or brings it up to date. serve does the latter by itself.
func (c migrateCommand) Run(e environment) error {
	config, err := e.load()
	if err != nil {
		return err
	}
	path := config.Database.Path
	if c.Action == "up" {
		release, err := lock(e.ctx, path)
		if err != nil {
			return err
		}
		defer release()
		steps, err := db.Migrate(e.ctx, path)
		if err != nil {
			return err
		}
		for _, s := range steps {
			fmt.Fprintln(e.stdout, "applied", s)
		}
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no database %s yet; serve or migrate up makes it", path)
	}
	current, newest, err := db.SchemaVersion(e.ctx, path)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s: schema %d, newest known %d\n", path, current, newest)
	return nil
}
