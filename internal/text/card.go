package text

import (
	"strings"
	"time"

	"hodor/internal/desk"
)

// The lines of the card, each whole; SayLines joins those that hold.

// CardName is the line of a person without a username.
func CardName(name string) desk.Text {
	return desk.Text{Key: "card_name", Args: args("Name", name)}
}

// CardNameUsername is the line of a person with a username, which may be given with its @ or without.
func CardNameUsername(name, username string) desk.Text {
	return desk.Text{Key: "card_name_username", Args: args("Name", name, "Username", strings.TrimPrefix(username, "@"))}
}

// CardID is the line with the person's Telegram id.
func CardID(user desk.UserID) desk.Text {
	return desk.Text{Key: "card_id", Args: args("ID", id(user))}
}

// CardLanguage is the line with Telegram's language_code.
func CardLanguage(code string) desk.Text {
	return desk.Text{Key: "card_language", Args: args("Language", code)}
}

// CardFirstContact is the line with the minute, in UTC, in which the person first wrote.
func CardFirstContact(at time.Time) desk.Text {
	return desk.Text{Key: "card_first_contact", Args: args("Time", at.UTC().Format("2006-01-02 15:04"))}
}

// CardVerified is the line of a person who has passed verification.
func CardVerified() desk.Text { return desk.Text{Key: "card_verified"} }

// CardNotVerified is the line of a person who has not.
func CardNotVerified() desk.Text { return desk.Text{Key: "card_not_verified"} }

// CardVerificationOff is the line of everybody while verification is off.
func CardVerificationOff() desk.Text { return desk.Text{Key: "card_verification_off"} }

// CardBanned is the line of a banned person.
func CardBanned() desk.Text { return desk.Text{Key: "card_banned"} }

// CardRisk is the line of a person marked as a risk.
func CardRisk() desk.Text { return desk.Text{Key: "card_risk"} }

// CardBlocked is the line of a person who has blocked the bot.
func CardBlocked() desk.Text { return desk.Text{Key: "card_blocked"} }

// CardDeactivated is the line of a person whose account is gone.
func CardDeactivated() desk.Text { return desk.Text{Key: "card_deactivated"} }

// CardNotStarted is the line of a person whom Telegram does not let the bot write to.
func CardNotStarted() desk.Text { return desk.Text{Key: "card_not_started"} }

// CardNote is the line with the team's note, line breaks and all else on one line.
func CardNote(note string) desk.Text {
	return desk.Text{Key: "card_note", Args: args("Note", note)}
}
