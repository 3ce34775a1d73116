package desk

import (
	"sync"
	"time"
)

// A Part is something that must work before the desk can do its work.
type Part string

const (
	Database Part = "database"
	Settling Part = "settling" // what became of calls cannot be written down
	Identity Part = "telegram identity"
	Source   Part = "update source"
	Group    Part = "group"
)

// Readiness collects what is not ready and why. Every part is responsible for its own line; none is asked.
type Readiness struct {
	now func() time.Time
	mu  sync.Mutex
	ill map[Part]string
	up  map[Part]time.Time // since when a part has been well
}

// NewReadiness begins with these parts not ready.
func NewReadiness(now func() time.Time, pending ...Part) *Readiness {
	r := &Readiness{now: now, ill: make(map[Part]string), up: make(map[Part]time.Time)}
	for _, p := range pending {
		r.ill[p] = "not started yet"
	}
	return r
}

// Fail says that a part is not ready, and why, in one line without secrets. True if that is news.
func (r *Readiness) Fail(p Part, why string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	news := r.ill[p] != why
	r.ill[p] = why
	delete(r.up, p)
	return news
}

// Clear says that a part works. True if it did not before.
func (r *Readiness) Clear(p Part) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, was := r.ill[p]
	delete(r.ill, p)
	if _, ok := r.up[p]; !ok {
		r.up[p] = r.now()
	}
	return was
}

// Up is since when a part has been working without a break; false if it is not.
func (r *Readiness) Up(p Part) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	since, ok := r.up[p]
	return since, ok
}

// NotReady is what is not ready and why; empty if all is well.
func (r *Readiness) NotReady() map[Part]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make(map[Part]string, len(r.ill))
	for p, why := range r.ill {
		list[p] = why
	}
	return list
}
