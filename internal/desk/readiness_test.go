package desk_test

import (
	"maps"
	"sync"
	"testing"
	"time"

	"hodor/internal/desk"
)

func TestReadiness(t *testing.T) {
	now := at
	r := desk.NewReadiness(func() time.Time { return now }, desk.Database, desk.Group)
	want := func(what string, list map[desk.Part]string) {
		t.Helper()
		if got := r.NotReady(); !maps.Equal(got, list) {
			t.Errorf("%s: not ready %v, want %v", what, got, list)
		}
	}
	want("at first", map[desk.Part]string{desk.Database: "not started yet", desk.Group: "not started yet"})
	if _, up := r.Up(desk.Group); up {
		t.Error("up before it began")
	}
	if !r.Clear(desk.Database) || r.Clear(desk.Database) {
		t.Error("ready is not news exactly once")
	}
	if !r.Fail(desk.Group, "kicked") || r.Fail(desk.Group, "kicked") || !r.Fail(desk.Group, "no rights") {
		t.Error("a reason is not news exactly once")
	}
	want("one of two", map[desk.Part]string{desk.Group: "no rights"})
	if r.Clear(desk.Source) {
		t.Error("what was never ill is well again")
	}
	r.Clear(desk.Group)
	want("all well", map[desk.Part]string{})
	r.NotReady()[desk.Group] = "scribbled on the answer"
	want("still", map[desk.Part]string{})
}

// Since when counts from the first time that it is well, and anew after each break.
func TestUpSince(t *testing.T) {
	now := at
	r := desk.NewReadiness(func() time.Time { return now }, desk.Source)
	want := func(since time.Time, up bool) {
		t.Helper()
		if got, is := r.Up(desk.Source); is != up || !got.Equal(since) {
			t.Errorf("up %v since %v, want %v since %v", is, got, up, since)
		}
	}
	r.Clear(desk.Source)
	now = now.Add(time.Minute)
	r.Clear(desk.Source)
	want(at, true)
	r.Fail(desk.Source, "409")
	want(time.Time{}, false)
	now = now.Add(time.Minute)
	r.Clear(desk.Source)
	want(at.Add(2*time.Minute), true)
}

func TestReadinessIsForManyAtOnce(t *testing.T) {
	r := desk.NewReadiness(func() time.Time { return at }, desk.Database)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				r.Fail(desk.Group, "x")
				r.NotReady()
				r.Up(desk.Group)
				r.Clear(desk.Group)
			}
		})
	}
	all.Wait()
	if _, ill := r.NotReady()[desk.Group]; ill {
		t.Error("the last word was that it is well")
	}
}
