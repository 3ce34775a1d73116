package emulator

import (
	"fmt"
	"strings"
)

// A refusal is Telegram's no: the HTTP status, which is also error_code, and the exact description.
type refusal struct {
	code        int
	description string
	retryAfter  int
	migrateTo   int64
}

func bad(text string, args ...any) *refusal {
	return &refusal{code: 400, description: "Bad Request: " + fmt.Sprintf(text, args...)}
}

func forbidden(text string) *refusal {
	return &refusal{code: 403, description: "Forbidden: " + text}
}

func conflict(text string) *refusal {
	return &refusal{code: 409, description: "Conflict: " + text}
}

func tooMany(seconds int) *refusal {
	return &refusal{
		code:        429,
		description: fmt.Sprintf("Too Many Requests: retry after %d", seconds),
		retryAfter:  seconds,
	}
}

func (r *refusal) parameters() map[string]any {
	switch {
	case r.retryAfter > 0:
		return map[string]any{"retry_after": r.retryAfter}
	case r.migrateTo != 0:
		return map[string]any{"migrate_to_chat_id": r.migrateTo}
	}
	return nil
}

const (
	notModified   = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"
	queryTooOld   = "query is too old and response timeout expired or query ID is invalid"
	longCaption   = "message caption is too long"
	noThread      = "message thread not found"
	notForum      = "the chat is not a forum"
	webhookActive = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
	otherPoller   = "terminated by other getUpdates request; make sure that only one bot instance is running"
)

// bare is the description without "Bad Request: ".
func (r *refusal) bare() string {
	_, text, _ := strings.Cut(r.description, ": ")
	return text
}
