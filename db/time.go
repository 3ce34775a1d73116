package db

import (
	"database/sql"
	"fmt"
	"time"
)

const layout = "2006-01-02T15:04:05.000Z"

// stamp is a moment as the database keeps it. A time.Time bound directly would become text that does not sort.
func stamp(t time.Time) string { return t.UTC().Format(layout) }

// moment scans a stamp into a time.Time; NULL becomes the zero moment.
type moment struct{ to *time.Time }

func (m moment) Scan(value any) error {
	var s sql.NullString
	if err := s.Scan(value); err != nil {
		return err
	}
	if !s.Valid {
		*m.to = time.Time{}
		return nil
	}
	t, err := time.Parse(layout, s.String)
	if err != nil {
		return fmt.Errorf("moment %q: %w", s.String, err)
	}
	*m.to = t
	return nil
}

// stampOrNull keeps the zero moment as NULL.
func stampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}

// orZero scans a nullable number into one whose zero means none.
type orZero[T ~int64] struct{ to *T }

func (n orZero[T]) Scan(value any) error {
	var i sql.NullInt64
	if err := i.Scan(value); err != nil {
		return err
	}
	*n.to = T(i.Int64)
	return nil
}

// numberOrNull keeps zero as NULL.
func numberOrNull[T ~int64](n T) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}
