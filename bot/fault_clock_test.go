package bot_test

import (
	"testing"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// The delivery rules, "Clocks": the computer's clock was a year ahead, is set right, and the program starts again.

const aYear = 365 * 24 * time.Hour

func TestFaultBackOffStoredByAClockThatWasAheadIsOver(t *testing.T) {
	w := newWorld(t)
	thread := w.talk(7)
	w.clock.Advance(aYear)
	w.tg.ResetBefore(emulator.Fault{Method: "copyMessage", Chat: 7})
	w.tg.Post(admin, thread, "an answer")
	w.settle()
	w.clock.Advance(-aYear)
	w.restart()
	w.after(time.Minute)
	w.wantChat(7, "hello", "an answer")
}

func TestFaultDoubtStoredByAClockThatWasAheadIsOver(t *testing.T) {
	w := newWorld(t)
	w.clock.Advance(aYear)
	w.tg.ResetBefore(creation)
	w.tg.Say(7, "hello")
	w.intake()
	w.drain()
	w.clock.Advance(-aYear)
	w.restart()
	w.after(time.Minute)
	w.wantTopic(w.thread("User 7"), "hello")
}

func TestFaultProofStoredByAClockThatWasAheadIsNone(t *testing.T) {
	w := newWorld(t)
	w.clock.Advance(aYear)
	thread := w.talk(7)
	w.clock.Advance(-aYear)
	w.restart()
	w.after(20 * time.Second)
	w.tg.SetForum(false)
	w.tg.Say(7, "one")
	w.after(20 * time.Second)
	w.wantNotReady(desk.Group, "topics are switched off")
	w.wantCommonChat(saysForumOff)
	w.tg.SetForum(true)
	w.after(2 * time.Minute)
	w.wantTopic(thread, "hello", "one")
}
