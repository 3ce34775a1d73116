package bot_test

import (
	"strings"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// A message owed before the group moved has a number of the old group: one with that number in the new is another.
func TestDelInTheNewGroupCancelsNothingOfTheOld(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: 7}, 3600)
	msg := w.tg.Post(admin, thread, "from the old group")
	w.settle()
	w.tg.MigrateGroup(newGroup)
	w.tg.Say(7, "still there?")
	w.after(minute)
	moved := w.topicOf(7)
	w.tg.Inject(`{"message":{"message_id":70001,"date":1767323045,"chat":{"id":` + itoa(newGroup) + `,"type":"supergroup","is_forum":true},` +
		`"from":{"id":100,"is_bot":false,"first_name":"B"},"message_thread_id":` + itoa(moved) + `,"is_topic_message":true,` +
		`"reply_to_message":{"message_id":` + itoa(msg) + `},"text":"/del"}}`)
	w.settle()
	w.after(2 * time.Hour)
	if got := strings.Join(w.chatTexts(7), "|"); !strings.Contains(got, "from the old group") {
		t.Errorf("the chat shows %q; the group %q", got, w.topicTexts(moved))
	}
}

// A restart while topics are off takes back what may stand in the common chat, and not what was proved to stand in its topic.
func TestARestartWhileTopicsAreOffTakesNothingElseBack(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.Say(7, "question")
	w.after(20 * time.Second)
	w.tg.Post(admin, thread, "answer") // an update of the group proves that it has topics
	w.after(20 * time.Second)
	w.tg.SetForum(false)
	w.tg.Say(7, "anybody?")
	w.after(minute)
	w.restart()
	w.after(minute)
	w.tg.SetForum(true)
	w.after(3 * minute)
	w.wantTopic(thread, "hello", "question", "answer", "anybody?")
}
