package outbox

import (
	"net/http"
	"strings"
	"time"

	"hodor/internal/desk"
)

// A meaning is what an answer says of a call. Telegram's texts are matched in this file and nowhere else.
type meaning int

const (
	delivered    meaning = iota
	flooded              // not carried out: rest
	unreachable          // not carried out: the request never left
	broken               // an answer without a verdict, taken as not carried out: again when other calls succeed
	doubtful             // nobody knows
	migrated             // not carried out: the group has another id
	topicGone            // refused: there is no such topic
	topicShut            // refused: the topic is closed
	groupShut            // refused: the group does not take anything from us
	rightMissing         // refused: the bot lacks a right in the group
	forumOff             // refused: the group has no topics
	userGone             // refused: this person cannot be written to
	expired              // refused: too late to answer a press
	unauthorized         // the token is not valid any more
	partly               // refused, but some of several messages were sent
	refused              // any other no
)

var meanings = [...]string{"delivered", "flooded", "unreachable", "broken", "doubtful", "migrated", "topic gone", "topic closed",
	"group shut", "right missing", "forum off", "user gone", "expired", "unauthorized", "partly refused", "refused"}

// String is the meaning's name in the log.
func (m meaning) String() string { return meanings[m] }

// A verdict is the meaning of an answer with what belongs to it.
type verdict struct {
	meaning
	wait   time.Duration // how long to rest, when flooded
	group  desk.ChatID   // where the group is now, when migrated
	reason string        // Telegram's own words, or the network's
}

// defaultRest is how long to rest after a 429 that does not say.
const defaultRest = 5 * time.Second

// judge says what an answer means. What it does not know is doubtful, unless Telegram clearly said no.
func judge(a answer) verdict {
	v := verdict{reason: a.description}
	switch {
	case a.unwritten:
		v.meaning, v.reason = refused, a.err.Error()
	case a.status == 0 && !a.connected:
		v.meaning, v.reason = unreachable, a.err.Error()
	case a.status == 0:
		v.meaning, v.reason = doubtful, a.err.Error()
	case a.spoke && a.ok:
		v.meaning = delivered
	case a.status >= 500, !a.spoke:
		v.meaning = broken
		if v.reason == "" {
			v.reason = http.StatusText(a.status)
		}
	case a.status == http.StatusTooManyRequests:
		v.meaning, v.wait = flooded, a.retryAfter
		if v.wait <= 0 {
			v.wait = defaultRest
		}
	case a.status == http.StatusUnauthorized:
		v.meaning = unauthorized
	case a.migrateTo != 0:
		v.meaning, v.group = migrated, desk.ChatID(a.migrateTo)
	case a.status >= 400:
		v.meaning = readRefusal(a.description)
	default:
		v.meaning = doubtful
	}
	return v
}

// readRefusal reads what a 4xx says. It rather misses a special case than sees one that is not there: a binding is forgotten only
// when Telegram plainly says that its topic is gone.
func readRefusal(description string) meaning {
	said := strings.ToLower(description)
	for _, phrase := range phrases {
		if strings.Contains(said, phrase.text) {
			return phrase.meaning
		}
	}
	return refused
}

// In lower case; the first that occurs decides.
var phrases = []struct {
	text string
	meaning
}{
	{"failed to send message #", partly}, // the words about that message follow, and say nothing of the others
	{"not modified", delivered},
	{"not_modified", delivered},
	{"message thread not found", topicGone},
	{"topic_deleted", topicGone},
	{"topic_id_invalid", topicGone},
	{"topic_closed", topicShut},
	{"the chat is not a forum", forumOff},
	{"query is too old", expired},
	{"bot was blocked by the user", userGone},
	{"user is deactivated", userGone},
	{"can't initiate conversation with a user", userGone},
	{"private chat not found", userGone},
	{"bot was kicked", groupShut},
	{"bot is not a member", groupShut},
	{"the group chat was deleted", groupShut},
	{"chat not found", groupShut}, // of a private chat it means the person: see forUser
	{"not enough rights to send text", rightMissing},
	{"not enough rights to send", refused}, // this kind of content
	{"not enough rights", rightMissing},
	{"have no write access", rightMissing},
	{"chat_write_forbidden", rightMissing},
	{"chat_restricted", rightMissing},
	{"need administrator rights", rightMissing},
}

// forUser reads a refusal about a private chat, where "chat not found" speaks of the person and rights do not exist.
func (v verdict) forUser() verdict {
	if v.meaning == groupShut || v.meaning == rightMissing {
		v.meaning = refused
		if strings.Contains(strings.ToLower(v.reason), "chat not found") {
			v.meaning = userGone
		}
	}
	return v
}

// Some refusals have a plainer name than "refused".
func (v verdict) saysDeactivated() bool {
	return strings.Contains(strings.ToLower(v.reason), "deactivated")
}
func (v verdict) saysBlocked() bool {
	return strings.Contains(strings.ToLower(v.reason), "blocked by the user")
}
func (v verdict) saysVoiceForbidden() bool {
	return strings.Contains(strings.ToLower(v.reason), "voice_messages_forbidden")
}
func (v verdict) saysNoCopy() bool {
	said := strings.ToLower(v.reason)
	return strings.Contains(said, "can't be copied") || strings.Contains(said, "message to copy not found")
}
func (v verdict) saysUndeletable() bool {
	return strings.Contains(strings.ToLower(v.reason), "message can't be deleted")
}
func (v verdict) saysNoChat() bool {
	return strings.Contains(strings.ToLower(v.reason), "chat not found")
}
func (v verdict) saysGone() bool {
	said := strings.ToLower(v.reason)
	return strings.Contains(said, "message to edit not found") || strings.Contains(said, "message to pin not found") ||
		strings.Contains(said, "message to delete not found")
}
