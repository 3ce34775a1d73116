package outbox

import (
	"encoding/json"
	"testing"
)

// In a group without topics a reply to what once stood in a topic bears that topic's number still, as a chain of replies. Only
// is_topic_message tells that it stands in a topic.
func TestAChainOfRepliesProvesNoTopic(t *testing.T) {
	r := readResult(answer{ok: true, result: json.RawMessage(`{"message_id":5,"message_thread_id":9,"chat":{"id":-1001}}`)})
	if r.thread != 0 {
		t.Errorf("thread %d is taken for a topic", r.thread)
	}
	r = readResult(answer{ok: true, result: json.RawMessage(`{"message_id":5,"message_thread_id":9,"is_topic_message":true,"chat":{"id":-1001}}`)})
	if r.thread != 9 {
		t.Errorf("thread %d, want 9", r.thread)
	}
}
