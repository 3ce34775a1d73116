package bot_test

import (
	"fmt"
	"testing"
	"time"
)

// Whoever edits all day keeps no notice of a failure from the team.
func TestEditsAllDayKeepNoNoticeBack(t *testing.T) {
	w, _ := met(t)
	other := w.talk(8)
	var ids []int
	for i := range 20 {
		ids = append(ids, w.tg.Say(7, fmt.Sprint("m", i)))
		w.after(4 * time.Second)
	}
	w.after(2 * minute)
	w.tg.Block(8)
	for i := range 200 {
		w.tg.EditText(7, ids[i%20], fmt.Sprint("e", i))
		w.after(time.Second)
		if i == 60 {
			w.tg.Post(admin, other, "are you there?")
		}
	}
	w.wantTopic(other, "hello", "are you there?", "Not delivered…")
}
