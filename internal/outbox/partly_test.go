package outbox

import (
	"fmt"
	"testing"
)

// Of several messages some were sent: the words about the one that was not are quoted behind it, whatever they are, and must not be
// read as being about all of them. Least of all is a topic given up for what they say.
func TestJudgeReadsAPartialRefusalBeforeItsReason(t *testing.T) {
	for _, about := range []string{"message thread not found", "TOPIC_DELETED", "TOPIC_ID_INVALID", "TOPIC_CLOSED", "message is not modified",
		"the chat is not a forum", "bot was blocked by the user", "user is deactivated", "chat not found", "not enough rights to send photos to the chat",
		"not enough rights to send text messages to the chat", "have no write access to the chat", "CHAT_RESTRICTED",
		"message to copy not found", "the message can't be copied", "VOICE_MESSAGES_FORBIDDEN", "of tomorrow"} {
		for _, n := range []int{1, 2, 10} {
			said := fmt.Sprintf(`Bad Request: failed to send message #%d with the error message "Bad Request: %s"`, n, about)
			v := judge(answer{status: 400, spoke: true, code: 400, description: said})
			if v.meaning != partly {
				t.Errorf("%s\nmeans %s, want %s", said, v.meaning, partly)
			}
			if private := v.forUser(); private.meaning != partly {
				t.Errorf("of a private chat, %s\nmeans %s, want %s", said, private.meaning, partly)
			}
		}
	}
}
