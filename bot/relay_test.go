package bot_test

import "testing"

// E1, H1
func TestMessageReachesItsTopicAndTheAnswerComesBack(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(7, "hello")
	w.settle()
	thread := w.thread("User 7")
	w.wantTopic(thread, "hello")
	w.tg.Post(admin, thread, "hi, how can we help?")
	w.settle()
	w.wantChat(7, "hello", "hi, how can we help?")
	if n := w.count("createForumTopic"); n != 1 {
		t.Errorf("%d topics were made", n)
	}
}
