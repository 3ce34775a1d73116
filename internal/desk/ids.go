// Package desk holds the words of the trade: typed ids, the states of things, the texts we say and the calls we can owe
// Telegram. It knows neither the database nor Telegram's client, and imports nothing but the standard library.
package desk

import (
	"strconv"
	"strings"
)

// Every id is its own type, converted only where it enters or leaves the program.
type (
	// BotID is the bot's own user id: the number before the colon of its token.
	BotID int64
	// UserID is a person's Telegram id. In a private chat it is the chat's id too.
	UserID int64
	// ChatID is a chat: the support group (-100…) or a person's private chat.
	ChatID int64
	// ThreadID is a topic's message_thread_id. General has none.
	ThreadID int64
	// MessageID is a message's number within its chat.
	MessageID int64
	// UpdateID is Telegram's number of an update.
	UpdateID int64
	// CallID is the number of one call we owe, a row of the outbox.
	CallID int64
)

// PrivateChat is the chat in which this person writes to the bot.
func (u UserID) PrivateChat() ChatID { return ChatID(u) }

// User is whose private chat this is; false for groups and channels, whose ids are negative.
func (c ChatID) User() (UserID, bool) { return UserID(c), c > 0 }

// Bot is the id inside a bot token, "123:abc" → 123.
func Bot(token string) (BotID, bool) {
	number, secret, found := strings.Cut(token, ":")
	id, err := strconv.ParseInt(number, 10, 64)
	return BotID(id), found && err == nil && id > 0 && secret != ""
}
