package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
	"hodor/internal/outbox"
)

// The relay rules: changes collapse, a message is changed at most once in five seconds, and not at all for what nobody can see. One
// that is not sent yet is sent in its newest form instead.

func TestQuickEditsBecomeOneAndTheLastFormStands(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		for _, form := range []string{"two", "three", "four"} { // before anything of them can be sent
			y.edits(id, emulator.Text(form))
			y.intake()
		}
		y.settle()
		y.wantThere("four")
		y.wantEdits("editMessageText")

		for _, form := range []string{"five", "six", "seven"} {
			y.reword(id, form)
			y.clock.Advance(time.Second)
		}
		y.settle() // three seconds after the first
		y.wantThere("four")
		y.wantEdits("editMessageText")
		y.after(2 * time.Second)
		y.wantThere("seven")
		y.wantEdits("editMessageText", "editMessageText")
		y.wantNothingAtRest()
	})
}

// However long somebody goes on, the clock counts: a call is never followed by another within five seconds, and the other side is never
// left behind for longer.
func TestAMessageIsChangedAtMostOnceInFiveSeconds(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("0"))
		for n := range 30 {
			y.reword(id, itoa(n+1))
			y.after(time.Second)
		}
		y.after(5 * time.Second)
		y.wantThere("30")
		calls := y.editsTried(y.chat(), y.the().ID)
		for i := 1; i < len(calls); i++ {
			if gap := calls[i].At.Sub(calls[i-1].At); gap < 5*time.Second {
				t.Errorf("call %d came %s after the one before", i, gap)
			}
		}
		if len(calls) < 6 || len(calls) > 8 {
			t.Errorf("%d calls in 35 seconds, want one every five", len(calls))
		}
	}, generous)
}

// What waits for its five seconds holds up nobody: neither another message's edit nor a new message.
func TestEditsOfDifferentMessagesGoSideBySide(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		first, second := y.write(emulator.Text("a")), y.write(emulator.Text("b"))
		y.reword(first, "a1")
		y.reword(first, "a2") // has to wait
		y.reword(second, "b1")
		y.write(emulator.Text("c"))
		y.wantThere("a1", "b1", "c")
		y.after(5 * time.Second)
		y.wantThere("a2", "b1", "c")
		list := y.there()
		y.wantEditsOf(list[0].ID, "editMessageText", "editMessageText")
		y.wantEditsOf(list[1].ID, "editMessageText")
	})
}

// A form that was overtaken before its call is never sent, and one that ends where it began is no call.
func TestAnEditTakenBackInTimeIsNoCall(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		y.reword(id, "two")
		y.reword(id, "three")
		y.reword(id, "two")
		y.after(6 * time.Second)
		y.wantThere("two")
		y.wantEdits("editMessageText")
		y.wantNothingAtRest()
	})
}

// Telegram tells of an edit when a preview was loaded, a reaction set or a counter moved.
func TestAnEditThatChangesNothingVisibleIsNoCall(t *testing.T) {
	for name, c := range map[string]emulator.Content{
		"text": formatted, "photo": emulator.Photo("one"), "voice": emulator.Voice(""), "sticker": emulator.Sticker(),
		"contact": emulator.Contact("+4930", "Ann"), "checklist": emulator.Checklist(), "game": emulator.Game(),
	} {
		t.Run(name, func(t *testing.T) {
			editedBothWays(t, func(t *testing.T, y way) {
				id := y.write(c)
				calls := len(y.tg.Calls())
				y.touch(id)
				y.after(6 * time.Second)
				for _, c := range y.tg.Calls()[calls:] {
					if c.Method != "getChat" {
						t.Errorf("%s was called", c.Method)
					}
				}
				y.the()
				y.wantNothingAtRest()
			})
		})
	}
}

func TestMovesAndVotesAreNoEdits(t *testing.T) {
	w, thread := met(t)
	live := emulator.Location().Live(time.Hour)
	mine, theirs := w.tg.Send(7, live), w.tg.PostContent(admin, thread, live)
	poll, postedPoll := w.tg.Send(7, emulator.Poll()), w.tg.PostContent(admin, thread, emulator.Poll())
	w.settle()
	calls := len(w.tg.Calls())
	for n := range 5 {
		w.tg.Move(7, mine, 50, float64(n))
		w.tg.MovePost(theirs, 50, float64(n))
		w.tg.Vote(7, poll, n%2)
		w.tg.VotePost(admin, postedPoll, n%2)
		w.after(2 * time.Second)
	}
	for _, c := range w.tg.Calls()[calls:] {
		if c.Method != "getChat" {
			t.Errorf("%s was called", c.Method)
		}
	}
	if n := len(w.ledger(7)); n != 5 {
		t.Errorf("the ledger has %d lines, want 5", n)
	}
	w.wantNothingAtRest()
}

// What is still owed is sent in its newest form: one send, and no change after it.
func TestAnEditOfWhatIsStillOwedIsSentInstead(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		y.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: y.chat()}, 20)
		id := y.write(emulator.Text("one"))
		y.reword(id, "two")
		y.reword(id, "three")
		if n := len(y.owed()); n != 1 {
			t.Fatalf("%d calls are owed, want the message alone", n)
		}
		y.after(30 * time.Second)
		y.wantThere("three")
		y.wantEdits()
		y.touch(id) // and the ledger knows what it shows
		y.wantEdits()
		y.wantNothingAtRest()
	})
}

// Sent from the update, because Telegram does not copy it, it is the newest form as well.
func TestAnEditOfWhatIsStillOwedIsSentByTheFallback(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		y.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: y.chat()}, 20)
		id := y.write(emulator.Text("one"))
		photo := emulator.Photo("two")
		y.edit(id, photo)
		y.tg.Refuse(emulator.Fault{Method: "copyMessage", Chat: y.chat()}, 400, "Bad Request: the message can't be copied")
		y.after(30 * time.Second)
		y.wantThere("two")
		wantLike(t, y.source(id), y.the())
		y.wantEdits()
		if got := y.row().Content; got != "photo" {
			t.Errorf("the ledger calls it %q", got)
		}
		y.wantNothingAtRest()
	})
}

// The delivery rules: what is at Telegram is changed when its answer is there.
func TestAnEditWaitsForTheMessageThatIsOnItsWay(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		arrived, release := y.tg.HoldAnswer(emulator.Fault{Method: "copyMessage", Chat: y.chat()})
		id := y.writes(emulator.Text("one"))
		y.intake()
		done := make(chan struct{})
		go func() { defer close(done); y.drain() }()
		y.await(arrived, "the copy")
		y.edits(id, emulator.Text("two"))
		y.intake()
		y.edits(id, emulator.Text("three"))
		y.intake()
		y.wantThere("one")
		if n := y.tried("editMessageText"); n != 0 {
			t.Fatalf("%d edits before the answer to the copy", n)
		}
		release(true)
		y.await(done, "the drain")
		y.settle()
		y.wantThere("three")
		y.wantEdits("editMessageText")
		y.wantNothingAtRest()
	})
}

// An edit while an earlier edit is at Telegram waits for it, and for its five seconds.
func TestAnEditWaitsForTheEditThatIsOnItsWay(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Text("one"))
		arrived, release := y.tg.HoldAnswer(emulator.Fault{Method: "editMessageText", Chat: y.chat()})
		y.edits(id, emulator.Text("two"))
		y.intake()
		done := make(chan struct{})
		go func() { defer close(done); y.drain() }()
		y.await(arrived, "the edit")
		y.edits(id, emulator.Text("three"))
		y.intake()
		y.edits(id, emulator.Text("four"))
		y.intake()
		release(true)
		y.await(done, "the drain")
		y.settle()
		y.wantThere("two")
		y.after(5 * time.Second)
		y.wantThere("four")
		y.wantEdits("editMessageText", "editMessageText")
	})
}

// The budget: a change costs one token, and what changes nothing costs none.
func TestAnEditCostsOneTokenOfTheGroup(t *testing.T) {
	w, thread := met(t, func(w *world) {
		w.tuned(func(o *outbox.Options) { o.Limits.GroupPerMinute = 6 })
	})
	w.after(2 * minute) // the bucket is full
	var mine []int
	for _, s := range []string{"a", "b", "c"} {
		mine = append(mine, w.tg.Say(7, s))
	}
	w.settle()
	w.tg.Touch(7, mine[2])
	w.settle()
	w.tg.EditText(7, mine[0], "a1")
	w.tg.EditText(7, mine[1], "b1")
	w.settle()
	w.tg.Say(7, "d") // the sixth token
	w.settle()
	w.tg.EditText(7, mine[2], "c1")
	w.settle()
	w.wantTopic(thread, "hello", "a1", "b1", "c", "d")
	w.after(11 * time.Second)
	w.wantTopic(thread, "hello", "a1", "b1", "c1", "d")
}
