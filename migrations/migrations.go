// Package migrations holds the database's schema as goose reads it, one file a step. A released file is never edited, and there
// is no way down: a backup is the way back.
package migrations

import "embed"

// Files are the migrations, in the order of their numbers.
//
//go:embed *.sql
var Files embed.FS
