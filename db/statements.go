package db

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// statements are prepared once and kept: parsing costs more than running most of what we run.
type statements struct {
	on interface {
		PrepareContext(context.Context, string) (*sql.Stmt, error)
	}
	mu   sync.RWMutex
	kept map[string]*sql.Stmt
}

func newStatements(on interface {
	PrepareContext(context.Context, string) (*sql.Stmt, error)
}) *statements {
	return &statements{on: on, kept: make(map[string]*sql.Stmt)}
}

// close lets the connection go: a statement that is kept keeps it open.
func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.kept {
		_ = stmt.Close() // what it did is done
	}
	clear(s.kept)
}

func (s *statements) prepare(query string) (*sql.Stmt, error) {
	s.mu.RLock()
	stmt := s.kept[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.kept[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := s.on.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	s.kept[query] = stmt
	return stmt, nil
}

// within binds the statements to a transaction of a pool.
func (s *statements) within(ctx context.Context, tx *sql.Tx) func(string) (*sql.Stmt, error) {
	return func(query string) (*sql.Stmt, error) {
		stmt, err := s.prepare(query)
		if err != nil {
			return nil, err
		}
		return tx.StmtContext(ctx, stmt), nil
	}
}
