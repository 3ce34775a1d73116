package emulator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPrivateChatErrors(t *testing.T) {
	d := newDesk(t)
	send := func(want string, user int64) {
		t.Helper()
		d.refused(want, "sendMessage", "chat_id", user, "text", "x")
	}
	send("Bad Request: chat not found", 7)
	d.Know(Person{ID: 8, FirstName: "Ann"})
	send("Forbidden: bot can't initiate conversation with a user", 8)
	d.Say(7, "hi")
	d.ok("sendMessage", "chat_id", 7, "text", "hello")
	d.Block(7)
	send("Forbidden: bot was blocked by the user", 7)
	d.Say(7, "I am back")
	d.ok("sendMessage", "chat_id", 7, "text", "hello")
	d.ForbidVoice(7)
	voice := d.Send(7, Voice(""))
	d.refused("Bad Request: VOICE_MESSAGES_FORBIDDEN", "copyMessage", "chat_id", 7, "from_chat_id", 7, "message_id", voice)
	send("Forbidden: the bot can't send messages to the bot", d.BotID())
	d.Deactivate(7)
	send("Forbidden: user is deactivated", 7)
}

func TestTextAndButtonRules(t *testing.T) {
	d := newDesk(t)
	d.Say(7, "hi")
	keyboard := func(button string) string { return `{"inline_keyboard":[[` + button + `]]}` }
	long := strings.Repeat("ä", 65)
	for _, c := range []struct{ text, markup, want string }{
		{"", "", "Bad Request: message text is empty"},
		{"  \n", "", "Bad Request: message text is empty"},
		{strings.Repeat("ä", 4097), "", "Bad Request: message is too long"},
		{strings.Repeat("ä", 20000), "", "Bad Request: text is too long"},
		{"x", keyboard(`{"text":"b","callback_data":"` + long[:66] + `"}`), "Bad Request: BUTTON_DATA_INVALID"},
	} {
		d.refused(c.want, "sendMessage", "chat_id", 7, "text", c.text, "reply_markup", c.markup)
	}
	web := keyboard(`{"text":"b","web_app":{"url":"https://x"}}`)
	d.ok("sendMessage", "chat_id", 7, "text", "x", "reply_markup", web)
	d.refused("Bad Request: web App buttons can be used in private chats only", "sendMessage", "chat_id", d.Group(), "text", "x", "reply_markup", web)
	equal(t, "button", d.Chat(7)[1].Buttons[0][0].WebApp, "https://x")
	d.refused("Bad Request: message caption is too long", "sendPhoto", "chat_id", 7, "photo", "https://x/y.jpg", "caption", strings.Repeat("x", 1025))
}

func TestHTML(t *testing.T) {
	for _, c := range []struct{ in, plain, marked, err string }{
		{"a <b>ü😀</b> &lt;c&gt;", "a ü😀 <c>", "bold:2+3", ""},
		{`<a href="tg://user?id=7">Ann</a>`, "Ann", "text_link:0+3", ""},
		{"<i><b>x</b></i>", "x", "bold:0+1 italic:0+1", ""},
		{"<blockquote expandable>x</blockquote>", "x", "expandable_blockquote:0+1", ""},
		{"<h1>x</h1>", "", "", `unsupported start tag "h1" at byte offset 0`},
		{"a <b>x", "", "", `can't find end tag corresponding to start tag "b"`},
		{"x</b>", "", "", "unexpected end tag at byte offset 1"},
		{"<b>x</i>", "", "", `unmatched end tag at byte offset 4, expected "</b>", found "</i>"`},
	} {
		plain, entities, err := parseHTML(c.in)
		var marked []string
		for _, e := range entities {
			marked = append(marked, fmt.Sprintf("%s:%d+%d", e.Type, e.Offset, e.Length))
		}
		if plain != c.plain || strings.Join(marked, " ") != c.marked || (c.err == "") != (err == nil) || err != nil && err.Error() != c.err {
			t.Errorf("%s: %q %v %v", c.in, plain, marked, err)
		}
	}
}

func TestTopicsOpenCloseAndGo(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	if thread <= 1 {
		t.Errorf("thread %d is General's", thread)
	}
	created := d.told()[0].Message
	equal(t, "name", created.ForumTopicCreated.Name, "Ann")
	equal(t, "from", created.From.ID, d.BotID())
	equal(t, "thread", created.MessageThreadID, thread)

	sent := d.ok("sendMessage", "chat_id", d.Group(), "message_thread_id", thread, "text", "hello")
	equal(t, "is_topic_message", sent["is_topic_message"], any(true))
	equal(t, "own messages told", len(d.told()), 0)

	d.Post(9, thread, "answer")
	said := d.told()[0].Message
	equal(t, "implicit reply", said.ReplyToMessage.ID, thread)
	equal(t, "forum", said.Chat.IsForum, true)
	d.Post(9, 0, "general")
	said = d.told()[0].Message
	equal(t, "General has no thread", said.MessageThreadID, 0)

	group, at := d.Group(), thread
	same := func(method string) {
		t.Helper()
		d.refused("Bad Request: TOPIC_NOT_MODIFIED", method, "chat_id", group, "message_thread_id", at, "name", "Ann")
	}
	same("editForumTopic")
	d.refused("Bad Request: TOPIC_NOT_MODIFIED", "reopenForumTopic", "chat_id", group, "message_thread_id", at)
	d.ok("closeForumTopic", "chat_id", group, "message_thread_id", at)
	equal(t, "closing told", d.told()[0].Message.ForumTopicClosed != nil, true)
	d.refused("Bad Request: TOPIC_NOT_MODIFIED", "closeForumTopic", "chat_id", group, "message_thread_id", at)
	d.refused("Bad Request: TOPIC_CLOSED", "sendMessage", "chat_id", group, "message_thread_id", at, "text", "x")
	d.ClosedTopicsAcceptAdmins = true
	d.ok("sendMessage", "chat_id", group, "message_thread_id", at, "text", "x")

	d.DeleteTopic(thread)
	equal(t, "deletion told", len(d.told()), 0)
	for _, gone := range []int{thread, 1, 99} {
		d.refused("Bad Request: message thread not found", "sendMessage", "chat_id", group, "message_thread_id", gone, "text", "x")
	}
	d.refused("Bad Request: TOPIC_ID_INVALID", "closeForumTopic", "chat_id", group, "message_thread_id", at)
	equal(t, "gone", d.Topics()[0].Deleted, true)
}

func TestTheBotDeletesATopic(t *testing.T) {
	d := newDesk(t)
	thread, other := d.newTopic("Ann"), d.newTopic("Bob")
	d.Post(9, thread, "hers")
	his := d.Post(9, other, "his")
	d.told()
	at := []any{"chat_id", d.Group(), "message_thread_id", thread}
	d.SetRight("can_delete_messages", false)
	d.refused("Bad Request: not enough rights to delete the topic", "deleteForumTopic", at...)
	equal(t, "still there", len(d.Topic(thread)), 2)
	d.SetRight("can_delete_messages", true)
	d.told()
	d.ok("deleteForumTopic", at...)
	equal(t, "nobody is told", d.Updates(), 0)
	equal(t, "gone", d.Topics()[0].Deleted, true)
	equal(t, "its messages", len(d.Topic(thread)), 0)
	equal(t, "those of others", d.Topic(other)[1].ID, his)
	for _, method := range []string{"deleteForumTopic", "closeForumTopic", "reopenForumTopic", "unpinAllForumTopicMessages"} {
		d.refused("Bad Request: TOPIC_ID_INVALID", method, at...)
	}
	d.refused("Bad Request: TOPIC_ID_INVALID", "editForumTopic", append(at, "name", "x")...)
	d.refused("Bad Request: message to delete not found", "deleteMessage", "chat_id", d.Group(), "message_id", thread)
}

func TestWithoutTopicsThreadsAreIgnoredInSilence(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	d.SetForum(false)
	sent := d.ok("sendMessage", "chat_id", d.Group(), "message_thread_id", thread, "text", "lost")
	if sent["message_thread_id"] != nil || sent["chat"].(fields)["is_forum"] != nil {
		t.Errorf("sent %v", sent)
	}
	d.refused("Bad Request: the chat is not a forum", "createForumTopic", "chat_id", d.Group(), "name", "x")
	d.SetForum(true)
	equal(t, "landed in General", d.General()[0].Text, "lost")
}

func TestRightsAndGroupTrouble(t *testing.T) {
	d := newDesk(t)
	group := d.Group()
	theirs := d.Post(9, 0, "x")
	for _, c := range []struct{ right, want, method string }{
		{"can_manage_topics", "Bad Request: not enough rights to create a topic", "createForumTopic"},
		{"can_delete_messages", "Bad Request: message can't be deleted", "deleteMessage"},
		{"can_pin_messages", "Bad Request: not enough rights to manage pinned messages in the chat", "pinChatMessage"},
		{"can_send", "Bad Request: have no write access to the chat", "sendDice"},
	} {
		d.SetRight(c.right, false)
		pairs := []any{"chat_id", group}
		switch c.method {
		case "createForumTopic":
			pairs = append(pairs, "name", "x")
		case "deleteMessage", "pinChatMessage":
			pairs = append(pairs, "message_id", theirs)
		}
		d.refused(c.want, c.method, pairs...)
		d.SetRight(c.right, true)
		d.ok(c.method, pairs...)
		theirs = d.Post(9, 0, "x")
	}
	d.told()
	d.Kick()
	d.Post(9, 0, "unseen")
	d.refused("Forbidden: bot was kicked from the supergroup chat", "sendDice", "chat_id", group)
	d.Readmit()
	updates := d.told()
	equal(t, "updates", len(updates), 2)
	equal(t, "status", updates[0].MyChatMember.NewChatMember.Type, "kicked")

	d.MigrateGroup(-100777)
	e := d.call("sendDice", "chat_id", group)
	equal(t, "description", e.Description, "Bad Request: group chat was upgraded to a supergroup chat")
	equal(t, "new id", e.Parameters.MigrateToChatID, -100777)
	d.ok("sendDice", "chat_id", d.Group())
}

func TestMembersAreTold(t *testing.T) {
	d := newDesk(t)
	d.Join(9)
	d.Promote(9)
	d.Demote(9)
	updates := d.told()
	equal(t, "updates", len(updates), 3)
	equal(t, "promoted", updates[1].ChatMember.NewChatMember.Type, "administrator")
	equal(t, "status", d.ok("getChatMember", "chat_id", d.Group(), "user_id", 9)["status"], any("member"))
	d.PostAnonymously(0, "psst")
	d.PostAsChannel(0, "news")
	updates = d.told()
	equal(t, "anonymous", updates[0].Message.SenderChat.ID, d.Group())
	equal(t, "channel", updates[1].Message.From.Username, "Channel_Bot")
}

func TestMembershipAgreesWithWhatWasTold(t *testing.T) {
	d := newDesk(t)
	d.Know(Person{ID: 20, FirstName: "Helper", IsBot: true})
	administrators := func() string {
		t.Helper()
		var list []struct {
			Status string
			User   struct{ ID int64 }
		}
		if err := json.Unmarshal(d.call("getChatAdministrators", "chat_id", d.Group()).Result, &list); err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, m := range list {
			words = append(words, fmt.Sprint(m.Status, " ", m.User.ID))
		}
		return strings.Join(words, ", ")
	}
	const alone, with = "administrator 1000, creator 5000000001", "administrator 9, administrator 1000, creator 5000000001"
	for _, c := range []struct {
		does                     string
		do                       func()
		told, by, administrators string
	}{
		{"join", func() { d.Join(9) }, "left member", "9", alone},
		{"demote a member", func() { d.Demote(9) }, "", "", alone},
		{"promote", func() { d.Promote(9) }, "member administrator", "5000000001", with},
		{"join again", func() { d.Join(9) }, "", "", with},
		{"promote again", func() { d.Promote(9) }, "", "", with},
		{"demote", func() { d.Demote(9) }, "administrator member", "5000000001", alone},
		{"leave", func() { d.Leave(9) }, "member left", "9", alone},
		{"demote who left", func() { d.Demote(9) }, "", "", alone},
		{"come back by a post", func() { d.Post(9, 0, "x") }, "left member", "9", alone},
		{"promote another bot", func() { d.Promote(20) }, "left administrator", "5000000001", alone},
		{"the owner", func() { d.Promote(OwnerID); d.Demote(OwnerID); d.Leave(OwnerID); d.Join(OwnerID) }, "", "", alone},
		{"a bot without a say is told nothing", func() { d.SetRight("can_send", false); d.Promote(9) }, "", "",
			"administrator 9, creator 5000000001"},
	} {
		c.do()
		told, by := "", ""
		for _, u := range d.told() {
			if m := u.ChatMember; m != nil {
				told, by = told+string(m.OldChatMember.Type)+" "+string(m.NewChatMember.Type), by+fmt.Sprint(m.From.ID)
			}
		}
		equal(t, c.does, told, c.told)
		equal(t, c.does+": by", by, c.by)
		equal(t, c.does+": administrators", administrators(), c.administrators)
	}
	d.MigrateGroup(-100777)
	equal(t, "after a move", administrators(), "administrator 9, creator 5000000001")
	d.refused("Bad Request: have no write access to the chat", "sendDice", "chat_id", d.Group())
}

func TestDeletionRules(t *testing.T) {
	d := newDesk(t)
	old, young := d.Say(7, "old"), 0
	d.now = d.now.Add(48 * time.Hour)
	young = d.Say(7, "young")
	d.refused("Bad Request: message can't be deleted for everyone", "deleteMessage", "chat_id", 7, "message_id", old)
	d.refused("Bad Request: message can't be deleted for everyone", "deleteMessages", "chat_id", 7, "message_ids", []int{old, young})
	equal(t, "all or nothing", len(d.Chat(7)), 2)
	d.ok("deleteMessages", "chat_id", 7, "message_ids", []int{young, 99})
	d.refused("Bad Request: message to delete not found", "deleteMessage", "chat_id", 7, "message_id", young)
	thread := d.newTopic("x")
	d.refused("Bad Request: message can't be deleted", "deleteMessage", "chat_id", d.Group(), "message_id", thread)
}

func TestPinsAreToldReactionsOfTheBotAreNot(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	card := int(d.ok("sendMessage", "chat_id", d.Group(), "message_thread_id", thread, "text", "card")["message_id"].(float64))
	d.told()
	d.ok("pinChatMessage", "chat_id", d.Group(), "message_id", card)
	pin := d.told()[0].Message
	equal(t, "pinned", pin.PinnedMessage.Message.ID, card)
	equal(t, "thread", pin.MessageThreadID, thread)

	d.refused("Bad Request: REACTION_INVALID", "setMessageReaction", "chat_id", d.Group(), "message_id", card, "reaction", `[{"type":"emoji","emoji":"🥑"}]`)
	d.ok("setMessageReaction", "chat_id", d.Group(), "message_id", card, "reaction", `[{"type":"emoji","emoji":"👍"}]`)
	equal(t, "reaction", d.Topic(thread)[1].Reactions[d.BotID()], "👍")
	d.ok("setMessageReaction", "chat_id", d.Group(), "message_id", card)
	equal(t, "reactions", len(d.Topic(thread)[1].Reactions), 0)
	equal(t, "told", len(d.told()), 0)
	d.ReactPost(9, card, "🔥")
	reacted := d.told()[0].MessageReaction
	equal(t, "new", reacted.NewReaction[0].ReactionTypeEmoji.Emoji, "🔥")
}

func TestAPressTellsItsTopic(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	at := []any{"chat_id", d.Group(), "message_thread_id", thread, "text", "card"}
	card := int(d.ok("sendMessage", at...)["message_id"].(float64))
	general := int(d.ok("sendMessage", "chat_id", d.Group(), "text", "x")["message_id"].(float64))
	d.told()
	// The library shows an absent field as an empty one, so the update is looked at as it is.
	next := func() string {
		t.Helper()
		var u struct {
			CallbackQuery struct {
				ID      string
				Message fields
			} `json:"callback_query"`
		}
		if err := json.Unmarshal(d.TakeUpdates()[0], &u); err != nil {
			t.Fatal(err)
		}
		m := u.CallbackQuery.Message
		equal(t, "chat", m["chat"].(fields)["id"], any(float64(d.Group())))
		d.ok("answerCallbackQuery", "callback_query_id", u.CallbackQuery.ID)
		return fmt.Sprint(m["message_id"], m["message_thread_id"], m["is_topic_message"], m["reply_to_message"] != nil, m["date"] == 0.0)
	}
	told := func(message, thread, topical any, answers, gone bool) string {
		return fmt.Sprint(message, thread, topical, answers, gone)
	}
	d.Press(9, d.Group(), card, "v")
	equal(t, "in a topic", next(), told(card, thread, true, true, false))
	d.PressAnonymously(card, "v")
	equal(t, "anonymously", next(), told(card, thread, true, true, false))
	d.PressWithoutThread(9, d.Group(), card, "v")
	equal(t, "without its thread", next(), told(card, nil, nil, false, false))
	d.Press(9, d.Group(), general, "v")
	equal(t, "in General", next(), told(general, nil, nil, false, false))
	d.DeleteTopic(thread)
	for _, press := range []func(int64, int64, int, string) string{d.Press, d.PressWithoutThread} {
		press(9, d.Group(), card, "v")
		equal(t, "in a deleted topic", next(), told(card, nil, nil, false, true))
	}
}

func TestCallbacksExpire(t *testing.T) {
	d := newDesk(t)
	d.Say(7, "hi")
	first, second := d.Press(7, 7, 1, "v:1"), d.Press(7, 7, 1, "v:2")
	d.ok("answerCallbackQuery", "callback_query_id", first, "text", "yes")
	equal(t, "answer", d.Answers(first)[0].Text, "yes")
	d.now = d.now.Add(151 * time.Second)
	d.refused("Bad Request: query is too old and response timeout expired or query ID is invalid", "answerCallbackQuery", "callback_query_id", second)
	equal(t, "only the message still waits", d.Updates(), 1)
}
