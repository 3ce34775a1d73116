package bot

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
)

const (
	testBot   desk.BotID  = 1000
	testGroup desk.ChatID = -1001234567890
)

// Pieces of updates as Telegram writes them.
const (
	ann     = `"from":{"id":7,"is_bot":false,"first_name":"Ann","last_name":"Lee","username":"ann","language_code":"de"}`
	private = `"chat":{"id":7,"first_name":"Ann","last_name":"Lee","username":"ann","type":"private"}`
	bob     = `"from":{"id":100,"is_bot":false,"first_name":"Bob"}`
	me      = `"from":{"id":1000,"is_bot":true,"first_name":"Hodor","username":"hodor_test_bot"}`
	hidden  = `"from":{"id":1087968824,"is_bot":true,"first_name":"Group","username":"GroupAnonymousBot"}`
	channel = `"from":{"id":136817688,"is_bot":true,"first_name":"Channel","username":"Channel_Bot"}`
	linked  = `"from":{"id":777000,"is_bot":false,"first_name":"Telegram"}`
	forum   = `"chat":{"id":-1001234567890,"title":"Support","is_forum":true,"type":"supergroup"}`
	other   = `"chat":{"id":-1009,"title":"Other","type":"supergroup"}`
	inTopic = `"message_thread_id":5,"is_topic_message":true`
	when    = `"message_id":3,"date":1767323045`
)

func message(parts ...string) string {
	return `{"update_id":1,"message":{` + strings.Join(append([]string{when}, parts...), ",") + `}}`
}

// told says in words what an update was understood to be.
func told(e event) string {
	switch e := e.(type) {
	case personWrote:
		return fmt.Sprintf("%d writes %s %q", e.person.ID, e.content, e.text)
	case personEdited:
		return fmt.Sprintf("%d edits %s %q", e.person.ID, e.content, e.text)
	case groupEdited:
		return fmt.Sprintf("%s edits %s %q in %d", byline(e.author), e.content, e.text, e.thread)
	case personReacted:
		return fmt.Sprintf("%d reacts %q to %d", e.user, e.emoji, e.message)
	case groupReacted:
		return fmt.Sprintf("%s reacts %q to %d", byline(e.author), e.emoji, e.message)
	case groupWrote:
		return fmt.Sprintf("%s writes %s %q in %d", byline(e.author), e.content, e.text, e.thread)
	case pressed:
		return fmt.Sprintf("%s presses %q under %d in %d", byline(e.by), e.data, e.message, e.chat)
	case topicMade:
		return fmt.Sprintf("made %d %q", e.thread, e.title)
	case topicRenamed:
		return fmt.Sprintf("renamed %d %q", e.thread, e.title)
	case topicClosed:
		return fmt.Sprintf("closed %d", e.thread)
	case topicReopened:
		return fmt.Sprintf("reopened %d", e.thread)
	case cardPinned:
		return fmt.Sprintf("pinned in %d by notice %d", e.thread, e.notice)
	case reachChanged:
		return fmt.Sprintf("%d blocked=%v", e.user, e.blocked)
	case placeChanged:
		return "our place changed"
	case adminChanged:
		return fmt.Sprintf("%d admin=%v", e.user, e.is)
	case groupMoved:
		return fmt.Sprintf("moved to %d", e.to)
	case ignored:
		return "ignored"
	}
	return fmt.Sprintf("%T", e)
}

func byline(a author) string {
	if a.anonymous {
		return "anonymous"
	}
	return fmt.Sprint(a.user)
}

type routing struct{ name, raw, want string }

func testRouting(t *testing.T, cases []routing) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := told(decode([]byte(c.raw), testBot, testGroup).event); got != c.want {
				t.Errorf("%s\nis understood as %s\nwant %s", c.raw, got, c.want)
			}
		})
	}
}

// C1–C4, C13, D27, D28
func TestMessagesAreRoutedByWhereTheyStand(t *testing.T) {
	testRouting(t, []routing{
		{"C1 private", message(ann, private, `"text":"hi"`), `7 writes text "hi"`},
		{"C12 a command in private is a message", message(ann, private, `"text":"/broadcast x"`), `7 writes text "/broadcast x"`},
		{"C2 a topic", message(bob, forum, inTopic, `"text":"hi"`), `100 writes text "hi" in 5`},
		{"C3 a thread that is text", message(bob, forum, `"message_thread_id":"5","is_topic_message":true,"text":"hi"`), "ignored"},
		{"thread 0", message(bob, forum, `"message_thread_id":0,"is_topic_message":true,"text":"hi"`), "ignored"},
		{"a negative thread", message(bob, forum, `"message_thread_id":-4,"is_topic_message":true,"text":"hi"`), "ignored"},
		{"C4 General has no thread", message(bob, forum, `"text":"hi"`), `100 writes text "hi" in 0`},
		{"thread 1 is General", message(bob, forum, `"message_thread_id":1,"is_topic_message":true,"text":"hi"`), `100 writes text "hi" in 0`},
		{"a chain of replies in General", message(bob, forum, `"message_thread_id":88,"text":"hi"`), `100 writes text "hi" in 0`},
		{"C13 another group", message(bob, other, `"text":"hi"`), "ignored"},
		{"C13 a command in another group", message(bob, other, `"text":"/help"`), "ignored"},
		{"a channel the bot is in", `{"update_id":1,"channel_post":{` + when + `,"chat":{"id":-1003,"type":"channel"},"text":"x"}}`, "ignored"},
		{"D27 an empty message", message(ann, private), "ignored"},
		{"D27 an empty text", message(ann, private, `"text":""`), "ignored"},
		{"D28 nobody wrote it", message(private, `"text":"hi"`), "ignored"},
		{"a private chat that is not the writer's", message(bob, private, `"text":"hi"`), "ignored"},
		{"another bot in private", message(`"from":{"id":7,"is_bot":true,"first_name":"Bot"}`, private, `"text":"hi"`), "ignored"},
	})
}

// C19–C21, A8
func TestOddUpdatesAreIgnored(t *testing.T) {
	testRouting(t, []routing{
		{"a kind of update that came after us", `{"update_id":1,"telepathy":{"from":7}}`, "ignored"},
		{"C20 no object", `[1]`, "ignored"},
		{"C20 no JSON", `{"update_id":1,"message":`, "ignored"},
		{"C20 a message that is text", `{"update_id":1,"message":"hi"}`, "ignored"},
		{"C20 no message", `{"update_id":1,"message":null}`, "ignored"},
		{"C20 no chat", message(ann, `"text":"hi"`), "ignored"},
		{"C20 a chat without id", message(ann, `"chat":{"type":"private"}`, `"text":"hi"`), "ignored"},
		{"C20 a chat without type", message(ann, `"chat":{"id":7}`, `"text":"hi"`), "ignored"},
		{"C20 a chat id that is text", message(ann, `"chat":{"id":"7","type":"private"}`, `"text":"hi"`), "ignored"},
		{"a message without number", `{"update_id":1,"message":{` + ann + `,` + private + `,"text":"hi"}}`, "ignored"},
		{"a number that is text", `{"update_id":1,"message":{"message_id":"3",` + ann + `,` + private + `,"text":"hi"}}`, "ignored"},
		{"a writer whose id is text", message(`"from":{"id":"7","first_name":"Ann"}`, private, `"text":"hi"`), "ignored"},
		{"the group under another type", message(bob, `"chat":{"id":-1001234567890,"type":"channel"}`, `"text":"hi"`), "ignored"},
	})
}

// C14–C17
func TestPressesAreRouted(t *testing.T) {
	press := func(head, chat string) string {
		return `{"update_id":1,"callback_query":{` + head + `"message":{"message_id":9,"date":0,` + chat + `},"chat_instance":"1","data":"v:3"}}`
	}
	whole := `"id":"q1",` + ann + `,`
	testRouting(t, []routing{
		{"C14 in private", press(whole, private), `7 presses "v:3" under 9 in 7`},
		{"C14 no id", press(ann+`,`, private), "ignored"},
		{"C14 a numeric id", press(`"id":5,`+ann+`,`, private), "ignored"},
		{"C15 in the group", press(whole, forum), `7 presses "v:3" under 9 in -1001234567890`},
		{"C15 in another group", press(whole, other), "ignored"},
		{"C16 no presser", press(`"id":"q1",`, private), "ignored"},
		{"C16 a presser whose id is text", press(`"id":"q1","from":{"id":"7"},`, private), "ignored"},
		{"C16 no message", `{"update_id":1,"callback_query":{` + whole + `"data":"v:3"}}`, "ignored"},
		{"C16 a message number that is text", `{"update_id":1,"callback_query":{` + whole + `"message":{"message_id":"9",` + private + `}}}`, "ignored"},
		{"C17 no data", `{"update_id":1,"callback_query":{` + whole + `"message":{"message_id":9,` + private + `},"game_short_name":"g"}}`, `7 presses "" under 9 in 7`},
		{"a press goes before a message", `{"update_id":1,"message":{` + when + `,` + ann + `,` + private + `,"text":"x"},"callback_query":{` + whole + `"message":{"message_id":9,` + private + `},"data":"d"}}`, `7 presses "d" under 9 in 7`},
		{"somebody else's private chat", press(`"id":"q1",`+bob+`,`, private), "ignored"},
		{"an anonymous administrator is known when he presses", press(`"id":"q1",`+bob+`,`, forum), `100 presses "v:3" under 9 in -1001234567890`},
	})
}

// C18, C19
func TestServiceMessagesTellOfTopics(t *testing.T) {
	testRouting(t, []routing{
		{"C18 closed", message(bob, forum, inTopic, `"forum_topic_closed":{}`), "closed 5"},
		{"C18 reopened", message(bob, forum, inTopic, `"forum_topic_reopened":{}`), "reopened 5"},
		{"closed by ourselves", message(me, forum, inTopic, `"forum_topic_closed":{}`), "closed 5"},
		{"closed by an anonymous administrator", message(hidden, `"sender_chat":{"id":-1001234567890,"type":"supergroup"}`, forum, inTopic, `"forum_topic_closed":{}`), "closed 5"},
		{"C19 in another group", message(bob, other, inTopic, `"forum_topic_closed":{}`), "ignored"},
		{"C19 no thread", message(bob, forum, `"forum_topic_closed":{}`), "ignored"},
		{"C19 both", message(bob, forum, inTopic, `"forum_topic_closed":{},"forum_topic_reopened":{}`), "ignored"},
		{"C19 null", message(bob, forum, inTopic, `"forum_topic_closed":null`), "ignored"},
		{"C19 no number", `{"update_id":1,"message":{"message_id":0,` + bob + `,` + forum + `,` + inTopic + `,"forum_topic_closed":{}}}`, "ignored"},
		{"made by ourselves", message(me, forum, inTopic, `"forum_topic_created":{"name":"Ann","icon_color":7322096}`), `made 5 "Ann"`},
		{"made by an admin", message(bob, forum, inTopic, `"forum_topic_created":{"name":"Plans","icon_color":7322096}`), "ignored"},
		{"renamed by an admin", message(bob, forum, inTopic, `"forum_topic_edited":{"name":"VIP"}`), `renamed 5 "VIP"`},
		{"renamed by ourselves", message(me, forum, inTopic, `"forum_topic_edited":{"name":"Ann"}`), "ignored"},
		{"another icon", message(bob, forum, inTopic, `"forum_topic_edited":{"icon_custom_emoji_id":"5"}`), "ignored"},
		{"our own pin", message(me, forum, inTopic, `"pinned_message":{"message_id":2,"date":1,`+forum+`}`), "pinned in 5 by notice 3"},
		{"an admin's pin", message(bob, forum, inTopic, `"pinned_message":{"message_id":2,"date":1,`+forum+`}`), "ignored"},
		{"a pin in private", message(ann, private, `"pinned_message":{"message_id":2}`), "ignored"},
		{"the group moved", message(bob, `"chat":{"id":-1001234567890,"type":"supergroup"},"migrate_to_chat_id":-1002`), "moved to -1002"},
		{"General hidden", message(bob, forum, `"general_forum_topic_hidden":{}`), "ignored"},
		{"somebody joined", message(bob, forum, `"new_chat_members":[{"id":9,"is_bot":false,"first_name":"N"}]`), "ignored"},
		{"a new title", message(bob, forum, `"new_chat_title":"Desk"`), "ignored"},
		{"a payment in private", message(ann, private, `"successful_payment":{"currency":"EUR","total_amount":5}`), "ignored"},
	})
}

// H2, the relay rules: who may answer
func TestWritersInTheGroupAreTold(t *testing.T) {
	ourselves := `"sender_chat":{"id":-1001234567890,"title":"Support","type":"supergroup"}`
	testRouting(t, []routing{
		{"an anonymous administrator", message(hidden, ourselves, forum, inTopic, `"author_signature":"boss","text":"hi"`), `anonymous writes text "hi" in 5`},
		{"a channel", message(channel, `"sender_chat":{"id":-1005,"title":"News","type":"channel"}`, forum, inTopic, `"text":"hi"`), "ignored"},
		{"another group", message(hidden, `"sender_chat":{"id":-1006,"title":"X","type":"supergroup"}`, forum, inTopic, `"text":"hi"`), "ignored"},
		{"the linked channel's post", message(linked, `"sender_chat":{"id":-1005,"title":"News","type":"channel"},"is_automatic_forward":true`, forum, `"text":"hi"`), "ignored"},
		{"another bot", message(`"from":{"id":55,"is_bot":true,"first_name":"B"}`, forum, inTopic, `"text":"hi"`), "ignored"},
		{"ourselves", message(me, forum, inTopic, `"text":"hi"`), "ignored"},
		{"nobody", message(forum, inTopic, `"text":"hi"`), "ignored"},
		{"a reply, as everything in a topic is", message(bob, forum, inTopic, `"text":"hi","reply_to_message":{"message_id":5,"date":1,`+forum+`,`+me+`,"forum_topic_created":{"name":"Ann"}}`), `100 writes text "hi" in 5`},
	})
}

// The relay rules: blocked, and back; who is an administrator
func TestMembershipsAreRead(t *testing.T) {
	mine := func(chat, status string) string {
		return `{"update_id":1,"my_chat_member":{` + chat + `,` + ann + `,"date":1767323045,"old_chat_member":{"status":"member","user":{"id":1000}},"new_chat_member":{"status":"` + status + `","user":{"id":1000,"is_bot":true,"first_name":"H"}}}}`
	}
	theirs := func(chat, status string) string {
		return `{"update_id":1,"chat_member":{` + chat + `,` + bob + `,"date":1767323045,"old_chat_member":{"status":"left","user":{"id":44}},"new_chat_member":{"status":"` + status + `","user":{"id":44,"is_bot":false,"first_name":"Eve"}}}}`
	}
	testRouting(t, []routing{
		{"blocked", mine(private, "kicked"), "7 blocked=true"},
		{"unblocked", mine(private, "member"), "7 blocked=false"},
		{"our rights", mine(forum, "administrator"), "our place changed"},
		{"thrown out", mine(forum, "kicked"), "our place changed"},
		{"our rights elsewhere", mine(other, "administrator"), "ignored"},
		{"promoted", theirs(forum, "administrator"), "44 admin=true"},
		{"the owner", theirs(forum, "creator"), "44 admin=true"},
		{"demoted", theirs(forum, "member"), "44 admin=false"},
		{"gone", theirs(forum, "left"), "44 admin=false"},
		{"promoted elsewhere", theirs(other, "administrator"), "ignored"},
		{"a member whose id is text", strings.Replace(theirs(forum, "administrator"), `"id":44,"is`, `"id":"44","is`, 1), "ignored"},
	})
}

// The desk works before the group is known, on nothing at all. C21
func TestWithoutAGroupTheGroupIsIgnored(t *testing.T) {
	for _, raw := range []string{message(bob, forum, inTopic, `"text":"hi"`), message(bob, forum, `"text":"/help"`)} {
		if got := told(decode([]byte(raw), testBot, 0).event); got != "ignored" {
			t.Errorf("%s is understood as %s", raw, got)
		}
	}
}

// A part that came after us does not hinder the message. (The delivery rules.)
func TestUnknownPartsDoNotHinder(t *testing.T) {
	for name, part := range map[string]string{
		"an origin of a new type":   `"forward_origin":{"type":"starship","date":1,"captain":{"id":5}}`,
		"an origin that is no one":  `"forward_origin":"somebody"`,
		"an entity of a new type":   `"entities":[{"type":"glow","offset":0,"length":2,"colour":"red"}]`,
		"entities that are no list": `"entities":7`,
		"a reply of a new shape":    `"external_reply":{"origin":{"type":"dream"},"hologram":{}}`,
		"a quote":                   `"quote":{"text":"x","position":0}`,
		"a reply to a story":        `"reply_to_story":{"chat":{"id":1,"type":"private"},"id":3}`,
		"a keyboard of a new shape": `"reply_markup":{"inline_keyboard":[[{"text":"x","teleport":{}}]]}`,
		"a preview of a new shape":  `"link_preview_options":[]`,
		"via a bot":                 `"via_bot":{"id":5,"is_bot":true,"first_name":"B"}`,
	} {
		t.Run(name, func(t *testing.T) {
			raw := message(ann, private, `"text":"hi"`, part)
			if got := told(decode([]byte(raw), testBot, testGroup).event); got != `7 writes text "hi"` {
				t.Errorf("%s is understood as %s", raw, got)
			}
		})
	}
}

// What is told of a person, and when they wrote, arrives as it is. D29
func TestAPersonIsReadWhole(t *testing.T) {
	e, ok := decode([]byte(message(ann, private, `"text":"hi"`)), testBot, testGroup).event.(personWrote)
	if !ok {
		t.Fatal("not understood")
	}
	want := desk.Person{ID: 7, FirstName: "Ann", LastName: "Lee", Username: "ann", LanguageCode: "de"}
	if e.person != want || e.message != 3 || !e.at.Equal(time.Unix(1767323045, 0)) {
		t.Errorf("read %+v, message %d, at %v", e.person, e.message, e.at)
	}
	if !json.Valid(e.raw) || !strings.Contains(string(e.raw), `"text":"hi"`) {
		t.Errorf("kept of the message: %s", e.raw)
	}
}

// Everything from the group tells whether it has topics.
func TestTheGroupShowsWhetherItHasTopics(t *testing.T) {
	plain := `"chat":{"id":-1001234567890,"title":"Support","type":"supergroup"}`
	for raw, want := range map[string]string{
		message(bob, forum, inTopic, `"text":"hi"`): "true",
		message(bob, plain, `"text":"hi"`):          "false",
		message(bob, plain, `"new_chat_title":"x"`): "false",
		message(ann, private, `"text":"hi"`):        "nothing",
		message(bob, other, `"text":"hi"`):          "nothing",
	} {
		got := "nothing"
		if s := decode([]byte(raw), testBot, testGroup).group; s != nil {
			got = fmt.Sprint(s.IsForum)
			if !s.At.Equal(time.Unix(1767323045, 0)) {
				t.Errorf("%s was seen at %v", raw, s.At)
			}
		}
		if got != want {
			t.Errorf("%s shows %s, want %s", raw, got, want)
		}
	}
}
