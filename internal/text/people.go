package text

import (
	"strconv"

	"hodor/internal/desk"
)

// One constructor for each key, so that no caller forgets a placeholder. These are read by people who write to the bot.

// args pairs names with values.
func args(pairs ...string) map[string]string {
	m := make(map[string]string, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

func id[ID ~int64](n ID) string { return strconv.FormatInt(int64(n), 10) }

// Welcome greets: just write.
func Welcome() desk.Text { return desk.Text{Key: "welcome"} }

// RefusedBanned tells a banned person that nothing they write is passed on.
func RefusedBanned() desk.Text { return desk.Text{Key: "refused_banned"} }

// RefusedTooFast tells how many messages a minute are passed on.
func RefusedTooFast(perMinute int) desk.Text {
	return desk.Text{Key: "refused_too_fast", Count: perMinute}
}

// NotPassedOn tells that a message of this kind, by the Bot API's name, cannot be carried to the team.
func NotPassedOn(kind string) desk.Text {
	return desk.Text{Key: "not_passed_on", Args: args("Kind", kind)}
}

// NotDeliveredToTeam tells that a message did not arrive.
func NotDeliveredToTeam() desk.Text { return desk.Text{Key: "not_delivered_to_team"} }

// MaybeNotDeliveredToTeam tells that a message may not have arrived; it stands above a button TryAgain.
func MaybeNotDeliveredToTeam() desk.Text { return desk.Text{Key: "maybe_not_delivered_to_team"} }

// TryAgain is the label of a button.
func TryAgain() desk.Text { return desk.Text{Key: "try_again"} }

// Edited is the label of the button under a message that is the newer form of an earlier one; both sides may read it.
func Edited() desk.Text { return desk.Text{Key: "edited"} }

// ToastEdited answers a press of Edited.
func ToastEdited() desk.Text { return desk.Text{Key: "toast_edited"} }

// AlbumDoubled tells that items of the album before it may be there twice; both sides may read it.
func AlbumDoubled() desk.Text { return desk.Text{Key: "album_doubled"} }

// AlbumIncomplete takes the place of a notice when trying again did not help all of an album.
func AlbumIncomplete() desk.Text { return desk.Text{Key: "album_incomplete"} }

// TryingAgain takes the place of a notice whose button TryAgain was pressed.
func TryingAgain() desk.Text { return desk.Text{Key: "trying_again"} }

// DeliveredAfterAll takes the place of a notice when trying again has helped.
func DeliveredAfterAll() desk.Text { return desk.Text{Key: "delivered_after_all"} }

// ToastTrying answers a press of TryAgain.
func ToastTrying() desk.Text { return desk.Text{Key: "toast_trying"} }

// ToastNoLonger answers a press of a button that means nothing any more.
func ToastNoLonger() desk.Text { return desk.Text{Key: "toast_no_longer"} }

// ToastNotYours answers a press by somebody who is not of the team.
func ToastNotYours() desk.Text { return desk.Text{Key: "toast_not_yours"} }
