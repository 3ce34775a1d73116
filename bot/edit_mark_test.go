package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// The mark of a newer form.

// The mark tells that an older copy stands above; it stays while that does.
func TestTheMarkStaysWhenTheNewerFormIsChanged(t *testing.T) {
	editedBothWays(t, func(t *testing.T, y way) {
		id := y.write(emulator.Photo("photo"))
		old := y.the()
		y.edit(id, emulator.Text("text"))
		y.after(6 * time.Second)
		y.reword(id, "better text")
		wantMarked(t, last(t, y.there()), "better text", old.ID)
	})
}
