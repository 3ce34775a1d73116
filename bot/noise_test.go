package bot_test

import (
	"fmt"
	"testing"
	"time"

	"hodor/internal/emulator"
)

// What is nobody's message to somebody: service messages, other bots, channels, administrators without a name. None of it causes a call.

// tells gives the desk an update about the topic as Telegram would write it.
func (w *world) tells(kind, fields string, thread int) {
	w.t.Helper()
	place := ""
	if thread != 0 {
		place = fmt.Sprintf(`"message_thread_id":%d,"is_topic_message":true,`, thread)
	}
	w.tg.Inject(fmt.Sprintf(`{%q:{"date":%d,"chat":{"id":%d,"title":"Support","type":"supergroup","is_forum":true},%s%s}}`,
		kind, w.clock.Now().Unix(), w.tg.Group(), place, fields))
	w.settle()
}

func TestServiceMessagesAreNeverRelayed(t *testing.T) {
	w, thread := met(t, withGroupAdmins)
	w.after(5 * time.Second)
	w.tg.ResetCalls()
	who := map[string]string{
		"an admin":  `"from":{"id":100,"is_bot":false,"first_name":"B"}`,
		"ourselves": `"from":{"id":1000,"is_bot":true,"first_name":"Hodor"}`,
		"nameless": `"from":{"id":1087968824,"is_bot":true,"first_name":"Group"},"sender_chat":{"id":` + fmt.Sprint(w.tg.Group()) +
			`,"type":"supergroup"}`,
	}
	id := 70000
	for name, from := range who {
		for _, service := range []string{
			`"new_chat_members":[{"id":9,"is_bot":false,"first_name":"N"}]`, `"left_chat_member":{"id":9,"is_bot":false,"first_name":"N"}`,
			`"new_chat_title":"Desk"`, `"new_chat_photo":[{"file_id":"a","file_unique_id":"b","width":1,"height":1}]`,
			`"delete_chat_photo":true`, `"message_auto_delete_timer_changed":{"message_auto_delete_time":86400}`,
			`"general_forum_topic_hidden":{}`, `"general_forum_topic_unhidden":{}`, `"video_chat_scheduled":{"start_date":1}`,
			`"video_chat_started":{}`, `"video_chat_ended":{"duration":3}`, `"video_chat_participants_invited":{"users":[]}`,
			`"boost_added":{"boost_count":1}`, `"chat_background_set":{"type":{"type":"fill"}}`, `"proximity_alert_triggered":{"distance":5}`,
			`"users_shared":{"request_id":1,"users":[]}`, `"chat_shared":{"request_id":1,"chat_id":-5}`, `"write_access_allowed":{}`,
			`"connected_website":"example.org"`, `"giveaway_created":{}`, `"giveaway_completed":{"winner_count":1}`,
			`"forum_topic_edited":{"icon_custom_emoji_id":"5"}`,
		} {
			for _, place := range []int{thread, 0} {
				for _, kind := range []string{"message", "edited_message"} {
					id++
					before := len(w.tg.Calls())
					w.tells(kind, fmt.Sprintf(`"message_id":%d,%s,%s`, id, from, service), place)
					if calls := w.tg.Calls(); len(calls) != before {
						t.Errorf("%s as %s of %s caused %+v", service, kind, name, calls[before:])
					}
				}
			}
		}
	}
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello")
}

// The changes and reactions of those who may not write reach nobody either, whatever message they are about.
func TestOnlyTheTeamsChangesAndReactionsReachThePerson(t *testing.T) {
	w, thread := met(t)
	mine := w.tg.Post(admin, thread, "an answer")
	w.settle()
	theirs := w.inTopic(thread, "hello")
	w.after(10 * time.Second)
	w.tg.ResetCalls()
	group := fmt.Sprint(w.tg.Group())
	for name, from := range map[string]string{
		"another bot":        `"from":{"id":55,"is_bot":true,"first_name":"B"}`,
		"ourselves":          `"from":{"id":1000,"is_bot":true,"first_name":"Hodor"}`,
		"an outsider":        `"from":{"id":200,"is_bot":false,"first_name":"O"}`,
		"a channel":          `"from":{"id":136817688,"is_bot":true,"first_name":"Channel"},"sender_chat":{"id":-1005,"type":"channel"}`,
		"an admin's channel": `"from":{"id":100,"is_bot":false,"first_name":"B"},"sender_chat":{"id":-1005,"type":"channel"}`,
		"the linked channel": `"from":{"id":777000,"is_bot":false,"first_name":"Telegram"},"is_automatic_forward":true,"sender_chat":{"id":-1005,"type":"channel"}`,
		"another group":      `"from":{"id":1087968824,"is_bot":true,"first_name":"Group"},"sender_chat":{"id":-1006,"type":"supergroup"}`,
		"a nameless administrator": `"from":{"id":1087968824,"is_bot":true,"first_name":"Group"},"sender_chat":{"id":` + group +
			`,"type":"supergroup"}`,
	} {
		for _, msg := range []int{mine, theirs, 70001} {
			w.tells("edited_message", fmt.Sprintf(`"message_id":%d,"edit_date":%d,%s,"text":"changed"`, msg, w.clock.Now().Unix(), from), thread)
		}
		w.after(10 * time.Second)
		if calls := w.callsOf("editMessageText", "copyMessage", "sendMessage"); len(calls) != 0 {
			t.Errorf("the change of %s caused %+v", name, calls)
		}
	}
	for name, by := range map[string]string{
		"another bot":              `"user":{"id":55,"is_bot":true,"first_name":"B"}`,
		"ourselves":                `"user":{"id":1000,"is_bot":true,"first_name":"Hodor"}`,
		"an outsider":              `"user":{"id":200,"is_bot":false,"first_name":"O"}`,
		"a channel":                `"actor_chat":{"id":-1005,"type":"channel"}`,
		"a nameless administrator": `"actor_chat":{"id":` + group + `,"type":"supergroup"}`,
	} {
		for _, msg := range []int{mine, theirs} {
			w.tells("message_reaction", fmt.Sprintf(`"message_id":%d,%s,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👍"}]`,
				msg, by), 0)
		}
		w.after(10 * time.Second)
		if n := w.tried("setMessageReaction"); n != 0 {
			t.Errorf("the reaction of %s reached the person", name)
			w.tg.ResetCalls()
		}
	}
	w.wantChat(7, "hello", "an answer")
}

// An album of somebody who may not write is nobody's either, and an anonymous administrator is told once for all of it.
func TestAlbumsOfOthersStayInTheGroup(t *testing.T) {
	w, thread := met(t, generous)
	w.tg.PostAlbum(outsider, thread, emulator.Photo("one"), emulator.Photo("two"))
	w.after(10 * time.Second)
	w.tg.PostAnonymousReplyWith(thread, 0, emulator.Photo("three").InAlbum("x"))
	w.tg.PostAnonymousReplyWith(thread, 0, emulator.Photo("four").InAlbum("x"))
	w.after(10 * time.Second)
	w.wantChat(7, "hello")
	w.wantTopic(thread, "hello", "one", "two", "three", "four", saysAnonymous)
}
