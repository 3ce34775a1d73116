package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The delivery rules, "Forum switched off": edits, reactions, deletions, albums and replies wait as messages do. Nothing of one person is
// shown among the others', nothing is lost, and the order is kept.

// newInCommonChat are the messages that came to stand in the common chat since its newest was that one.
func (w *world) newInCommonChat(after int) (list []string) {
	w.t.Helper()
	for _, m := range w.tg.General() {
		if m.ID > after && m.Service == "" && !strings.HasPrefix(m.Text, strings.TrimSuffix(saysForumOff, "…")) {
			list = append(list, m.Text)
		}
	}
	return list
}

func (w *world) newest() (id int) {
	w.t.Helper()
	for _, topic := range w.tg.Topics() {
		for _, m := range w.tg.Topic(topic.Thread) {
			id = max(id, m.ID)
		}
	}
	return id
}

// Everything a person does while topics are off is done when they are back, whether the desk knew that they were off or finds out.
func TestWhatAPersonDoesWhileTopicsAreOffIsDoneAfterwards(t *testing.T) {
	for _, known := range []bool{true, false} {
		w, thread := met(t, generous)
		question := w.tg.Say(7, "question")
		w.after(20 * time.Second)
		w.tg.Post(admin, thread, "answer")
		w.settle()
		answer := last(t, w.tg.Chat(7)).ID
		w.after(20 * time.Second)
		before := w.newest()
		w.tg.SetForum(false)
		if known {
			w.tg.Say(7, "are you there?")
			w.after(5 * time.Second)
		}
		w.tg.EditText(7, question, "question, edited")
		w.tg.React(7, answer, "👍")
		w.tg.Reply(7, answer, "thanks for it")
		w.tg.Album(7, emulator.Photo("one"), emulator.Photo("two"))
		w.tg.AlbumReply(7, answer, emulator.Photo("three"), emulator.Photo("four"))
		w.after(2 * minute)
		if got := w.newInCommonChat(before); len(got) != 0 {
			t.Errorf("the common chat shows %q", got)
		}
		w.tg.SetForum(true)
		w.after(3 * minute)
		want := []string{"hello", "question, edited", "answer", "are you there?", "thanks for it", "one", "two", "three", "four"}
		if !known {
			want = slices.Delete(want, 3, 4)
		}
		w.wantTopic(thread, want...)
		topic := w.tg.Topic(thread)
		inGroup := w.message(topic, "answer")
		if got := inGroup.Reactions[w.tg.BotID()]; got != "👍" {
			t.Errorf("the answer shows the reaction %q", got)
		}
		for text, to := range map[string]int{"thanks for it": inGroup.ID, "one": 0, "three": inGroup.ID} {
			if m := w.message(topic, text); m.ReplyTo != to {
				t.Errorf("%q replies to %d, want %d", text, m.ReplyTo, to)
			}
		}
		if a, b := w.message(topic, "one").GroupID, w.message(topic, "two").GroupID; a == "" || a != b {
			t.Errorf("the album came as %q and %q", a, b)
		}
		if got := w.newInCommonChat(0); len(got) != 0 {
			t.Errorf("General shows %q", got)
		}
		w.wantNothingOwed()
	}
}

// The switch is thrown while an album is copied: copyMessages does not tell where it lands. Nothing of it stays in the common chat.
func TestAnAlbumPouredIntoTheCommonChatIsTakenBack(t *testing.T) {
	for _, replying := range []bool{false, true} {
		w, thread := met(t, generous)
		w.after(3 * time.Second)
		before := w.newest()
		w.tg.SetForum(false) // nobody is told
		if replying {
			w.tg.AlbumReply(7, 1, emulator.Photo("one"), emulator.Video("two"))
		} else {
			w.tg.Album(7, emulator.Photo("one"), emulator.Video("two"))
		}
		w.after(20 * time.Second)
		w.tg.Say(7, "three") // whoever is next finds out
		w.after(minute)
		if got := w.newInCommonChat(before); len(got) != 0 {
			t.Errorf("the common chat shows %q", got)
		}
		w.tg.SetForum(true)
		w.after(2 * minute)
		w.wantTopic(thread, "hello", "one", "two", "three")
		if rows := w.ledger(7); len(rows) != 4 {
			t.Errorf("the ledger has %d rows", len(rows))
		}
		w.wantNothingOwed()
	}
}

// What an album that was poured into the common chat was edited to meanwhile stands in the topic afterwards.
func TestAnEditOfWhatWasTakenBackIsNotLost(t *testing.T) {
	w, thread := met(t, generous)
	w.after(3 * time.Second)
	before := w.newest()
	w.tg.SetForum(false)
	album := w.tg.Album(7, emulator.Photo("one"), emulator.Photo("two"))
	single := w.tg.Say(7, "three")
	w.after(3 * time.Second)
	w.tg.EditText(7, album[1], "two, edited")
	w.tg.EditText(7, single, "three, edited")
	w.after(minute)
	if got := w.newInCommonChat(before); len(got) != 0 {
		t.Errorf("the common chat shows %q", got)
	}
	w.tg.SetForum(true)
	w.after(3 * minute)
	got := w.topicTexts(thread)
	slices.Sort(got)
	if want := []string{"hello", "one", "three, edited", "two, edited"}; !slices.Equal(got, want) {
		t.Errorf("the topic shows %q", got)
	}
	w.wantNothingOwed()
}

// /del given just before the switch: the person's side goes at once, the group's when topics are back.
func TestDelIsDoneThoughTopicsGoOff(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "oops")
	w.tg.Say(7, "mine")
	w.after(20 * time.Second)
	theirs := w.inTopic(thread, "mine")
	w.tg.PostReply(admin, thread, msg, "/del")
	w.tg.PostReply(admin, thread, theirs, "/del")
	w.intake()
	w.tg.SetForum(false)
	w.after(minute)
	w.wantChat(7, "hello")
	w.restart()
	w.after(minute)
	w.tg.SetForum(true)
	w.after(2 * minute)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
	w.wantNothingOwed()
}

// What the team does in the common chat while topics are off is General's: it reaches nobody.
func TestTheCommonChatReachesNobody(t *testing.T) {
	w, thread := met(t, generous)
	msg := w.tg.Post(admin, thread, "answer")
	w.settle()
	w.tg.SetForum(false)
	w.tg.PostAlbum(admin, 0, emulator.Photo("one"), emulator.Photo("two"))
	w.tg.PostReply(admin, 0, msg, "for whom?")
	w.tg.PostReply(admin, 0, msg, "/del")
	w.after(minute)
	w.wantChat(7, "hello", "answer")
	w.tg.SetForum(true)
	w.after(2 * minute)
	w.wantChat(7, "hello", "answer")
}

// The last thing copied before anybody knew that topics are off must not stay in the common chat because nothing came after it.
func TestTheLastCopyBeforeTopicsWentOffIsTakenBackToo(t *testing.T) {
	w, thread := met(t, generous)
	w.after(3 * time.Second)
	before := w.newest()
	w.tg.SetForum(false) // nobody is told
	w.tg.Album(7, emulator.Photo("one"), emulator.Video("two"))
	w.after(minute)
	if got := w.newInCommonChat(before); len(got) != 0 {
		t.Errorf("the common chat shows %q", got)
	}
	w.tg.SetForum(true)
	w.after(2 * minute)
	w.wantTopic(thread, "hello", "one", "two")
}
