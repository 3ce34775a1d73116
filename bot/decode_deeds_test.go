package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
)

// What people do with messages that stand already: they change them, react to them, answer them, and send several as one.

const (
	ourselves = `"sender_chat":{"id":-1001234567890,"title":"Support","type":"supergroup"}`
	aChannel  = `"sender_chat":{"id":-1005,"title":"News","type":"channel"}`
	aBot      = `"from":{"id":55,"is_bot":true,"first_name":"B"}`
	changed   = `"edit_date":1767323100`
)

func edited(parts ...string) string {
	return strings.Replace(message(append(parts, changed)...), `"message":`, `"edited_message":`, 1)
}

func TestEditsAreRoutedAsTheMessagesAre(t *testing.T) {
	testRouting(t, []routing{
		{"a person's", edited(ann, private, `"text":"hi"`), `7 edits text "hi"`},
		{"a caption", edited(ann, private, `"photo":[{"file_id":"a"}],"caption":"look"`), `7 edits photo "look"`},
		{"a caption taken away", edited(ann, private, `"photo":[{"file_id":"a"}]`), `7 edits photo ""`},
		{"a command is only a message", edited(ann, private, `"text":"/start"`), `7 edits text "/start"`},
		{"an admin's", edited(bob, forum, inTopic, `"text":"hi"`), `100 edits text "hi" in 5`},
		{"an anonymous administrator's", edited(hidden, ourselves, forum, inTopic, `"text":"hi"`), `anonymous edits text "hi" in 5`},
		{"in General", edited(bob, forum, `"text":"hi"`), `100 edits text "hi" in 0`},
		{"in a chain of replies in General", edited(bob, forum, `"message_thread_id":88,"text":"hi"`), `100 edits text "hi" in 0`},
		{"in a thread that nobody can place", edited(bob, forum, `"message_thread_id":0,"is_topic_message":true,"text":"hi"`), "ignored"},
		{"a channel's in the group", edited(channel, aChannel, forum, inTopic, `"text":"hi"`), "ignored"},
		{"another bot's in the group", edited(aBot, forum, inTopic, `"text":"hi"`), "ignored"},
		{"our own", edited(me, forum, inTopic, `"text":"hi"`), "ignored"},
		{"in another group", edited(bob, other, `"text":"hi"`), "ignored"},
		{"in somebody else's private chat", edited(bob, private, `"text":"hi"`), "ignored"},
		{"a post of a channel", `{"update_id":1,"edited_channel_post":{` + when + `,"chat":{"id":-1003,"type":"channel"},"text":"x"}}`, "ignored"},
		{"of business", `{"update_id":1,"edited_business_message":{` + when + `,` + ann + `,` + private + `,"text":"x"}}`, "ignored"},
		{"nothing is left", edited(ann, private), "ignored"},
		{"no message", `{"update_id":1,"edited_message":null}`, "ignored"},
		{"a message that is text", `{"update_id":1,"edited_message":"hi"}`, "ignored"},
		{"no number", `{"update_id":1,"edited_message":{` + ann + `,` + private + `,"text":"hi"}}`, "ignored"},
		{"a new message goes before", `{"update_id":1,"edited_message":{` + when + `,` + ann + `,` + private + `,"text":"x"},"message":{` + when + `,` + ann + `,` + private + `,"text":"y"}}`, `7 writes text "y"`},
	})
}

// A location changes because somebody walks, a poll because somebody votes: nobody has changed a message. What tells of topics does so once.
func TestWhatChangesByItselfIsNoEdit(t *testing.T) {
	byItself := map[string]bool{"location": true, "venue": true, "poll": true, "dice": true}
	for _, c := range contentsOf {
		who := map[string]string{edited(ann, private, c.body): "7 edits ", edited(bob, forum, inTopic, c.body): "100 edits "}
		for raw, want := range who {
			got := told(decode([]byte(raw), testBot, testGroup).event)
			if byItself[c.kind] && got != "ignored" || !byItself[c.kind] && !strings.HasPrefix(got, want+c.kind) {
				t.Errorf("%s is understood as %s", raw, got)
			}
		}
	}
	testRouting(t, []routing{
		{"closed", edited(bob, forum, inTopic, `"forum_topic_closed":{}`), "ignored"},
		{"reopened", edited(bob, forum, inTopic, `"forum_topic_reopened":{}`), "ignored"},
		{"made", edited(me, forum, inTopic, `"forum_topic_created":{"name":"Ann"}`), "ignored"},
		{"pinned", edited(me, forum, inTopic, `"pinned_message":{"message_id":2}`), "ignored"},
		{"moved", edited(bob, forum, `"migrate_to_chat_id":-1002`), "ignored"},
	})
}

// Only the moment of the change tells how present an edit is; its message may be of last year.
func TestAnEditIsAsOldAsTheChange(t *testing.T) {
	at := time.Unix(1767323100, 0)
	if e, ok := decode([]byte(edited(ann, private, `"text":"hi"`)), testBot, testGroup).event.(personEdited); !ok || !e.at.Equal(at) {
		t.Errorf("a person's edit is of %v, want %v", e.at, at)
	}
	if s := decode([]byte(edited(bob, forum, inTopic, `"text":"hi"`)), testBot, testGroup).group; s == nil || !s.IsForum || !s.At.Equal(at) {
		t.Errorf("an edit in the group shows %+v, want a forum at %v", s, at)
	}
	if s := decode([]byte(edited(bob, forum, inTopic, `"location":{"latitude":1,"longitude":2}`)), testBot, testGroup).group; s == nil {
		t.Error("somebody who walks in a topic does not show that there are topics")
	}
}

const (
	thumb   = `{"type":"emoji","emoji":"👍"}`
	heart   = `{"type":"emoji","emoji":"❤"}`
	fire    = `{"type":"emoji","emoji":"🔥"}`
	custom  = `{"type":"custom_emoji","custom_emoji_id":"5368324170671202286"}`
	paid    = `{"type":"paid"}`
	unheard = `{"type":"hologram","depth":3}`
)

func reaction(chat, who, before, now string) string {
	return `{"update_id":1,"message_reaction":{` + chat + `,"message_id":9,"date":1767323045,` + who + `"old_reaction":[` + before + `],"new_reaction":[` + now + `]}}`
}

const (
	annReacts = `"user":{"id":7,"is_bot":false,"first_name":"Ann"},`
	bobReacts = `"user":{"id":100,"is_bot":false,"first_name":"Bob"},`
	botReacts = `"user":{"id":55,"is_bot":true,"first_name":"B"},`
	asGroup   = `"actor_chat":{"id":-1001234567890,"title":"Support","type":"supergroup"},`
	asChannel = `"actor_chat":{"id":-1005,"title":"News","type":"channel"},`
)

func TestReactionsAreRoutedByWhoReacts(t *testing.T) {
	testRouting(t, []routing{
		{"a person", reaction(private, annReacts, "", thumb), `7 reacts "👍" to 9`},
		{"a member of the group", reaction(forum, bobReacts, "", thumb), `100 reacts "👍" to 9`},
		{"an anonymous administrator", reaction(forum, asGroup, "", thumb), `anonymous reacts "👍" to 9`},
		{"as a channel", reaction(forum, asChannel, "", thumb), "ignored"},
		{"another bot", reaction(forum, botReacts, "", thumb), "ignored"},
		{"nobody", reaction(forum, "", "", thumb), "ignored"},
		{"nobody in private", reaction(private, "", "", thumb), "ignored"},
		{"in somebody else's private chat", reaction(private, bobReacts, "", thumb), "ignored"},
		{"in another group", reaction(other, bobReacts, "", thumb), "ignored"},
		{"as another group in that group", reaction(other, `"actor_chat":{"id":-1009,"type":"supergroup"},`, "", thumb), "ignored"},
		{"no number", strings.Replace(reaction(private, annReacts, "", thumb), `"message_id":9,`, "", 1), "ignored"},
		{"a number that is text", strings.Replace(reaction(private, annReacts, "", thumb), `"message_id":9`, `"message_id":"9"`, 1), "ignored"},
		{"a person whose id is text", reaction(private, `"user":{"id":"7"},`, "", thumb), "ignored"},
		{"no reaction at all", `{"update_id":1,"message_reaction":null}`, "ignored"},
		{"a reaction that is text", `{"update_id":1,"message_reaction":"👍"}`, "ignored"},
		{"how many reacted, without who", `{"update_id":1,"message_reaction_count":{` + forum + `,"message_id":9,"date":1,"reactions":[{"type":` + thumb + `,"total_count":3}]}}`, "ignored"},
	})
}

// A bot has one reaction a message, an emoji of Telegram's list: the newest of them is shown, the last change decides, and what a bot
// cannot give is no change.
func TestOfSeveralReactionsTheNewestCounts(t *testing.T) {
	for _, c := range []struct{ name, before, now, want string }{
		{"taken back", thumb, "", `7 reacts "" to 9`},
		{"another instead", thumb, heart, `7 reacts "❤" to 9`},
		{"one added behind", thumb, thumb + `,` + heart, `7 reacts "❤" to 9`},
		{"one added in front", thumb, heart + `,` + thumb, `7 reacts "❤" to 9`},
		{"one added in the middle", thumb + `,` + heart, thumb + `,` + fire + `,` + heart, `7 reacts "🔥" to 9`},
		{"two at once", "", thumb + `,` + heart, `7 reacts "❤" to 9`},
		{"one of two taken back", thumb + `,` + heart, thumb, `7 reacts "👍" to 9`},
		{"one of three taken back", thumb + `,` + heart + `,` + fire, thumb + `,` + heart, `7 reacts "❤" to 9`},
		{"two of three taken back", thumb + `,` + heart + `,` + fire, heart, `7 reacts "❤" to 9`},
		{"a custom one", "", custom, "ignored"},
		{"a paid one", "", paid, "ignored"},
		{"one of a type that came after us", "", unheard, "ignored"},
		{"a custom one beside an emoji", "", thumb + `,` + custom, `7 reacts "👍" to 9`},
		{"a paid one beside an emoji that was there", thumb, paid + `,` + thumb, "ignored"},
		{"a custom one instead of an emoji", thumb, custom, `7 reacts "" to 9`},
		{"an emoji instead of a custom one", custom, thumb, `7 reacts "👍" to 9`},
		{"a custom one taken back", custom, "", "ignored"},
		{"nothing changed", thumb + `,` + heart, thumb + `,` + heart, "ignored"},
		{"nothing at all", "", "", "ignored"},
		{"an emoji without one", "", `{"type":"emoji"}`, "ignored"},
		{"no object", "", `null`, "ignored"},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw := reaction(private, annReacts, c.before, c.now)
			if got := told(decode([]byte(raw), testBot, testGroup).event); got != c.want {
				t.Errorf("%s\nis understood as %s\nwant %s", raw, got, c.want)
			}
		})
	}
	missing := strings.Replace(reaction(private, annReacts, "", thumb), `"old_reaction":[],`, "", 1)
	if got := told(decode([]byte(missing), testBot, testGroup).event); got != `7 reacts "👍" to 9` {
		t.Errorf("%s is understood as %s", missing, got)
	}
}

// bound is what a message belongs to: the one that it answers, and its album.
func bound(e event) string {
	s := said{}
	switch e := e.(type) {
	case personWrote:
		s = e.said
	case personEdited:
		s = e.said
	case groupWrote:
		s = e.said
	case groupEdited:
		s = e.said
	default:
		return told(e)
	}
	return fmt.Sprintf("answers %d in album %q", s.replyTo, s.album)
}

// In a topic everything silently answers the topic's creation, which is no answer. What cannot be read of an answer is left out, never
// the message.
func TestAnswersAndAlbumsAreReadAsFarAsTheyGo(t *testing.T) {
	creation := `"reply_to_message":{"message_id":5,"date":1,` + forum + `,` + me + `,"forum_topic_created":{"name":"Ann"}}`
	for _, c := range []struct{ name, raw, want string }{
		{"no answer", message(ann, private, `"text":"hi"`), `answers 0 in album ""`},
		{"to a message", message(ann, private, `"text":"hi","reply_to_message":{"message_id":8,"date":1,`+private+`,`+ann+`,"text":"x"}`), `answers 8 in album ""`},
		{"an edit of an answer", edited(ann, private, `"text":"hi","reply_to_message":{"message_id":8,"date":1,`+private+`}`), `answers 8 in album ""`},
		{"in a topic", message(bob, forum, inTopic, `"text":"hi","reply_to_message":{"message_id":8,"date":1,`+forum+`}`), `answers 8 in album ""`},
		{"the silent answer", message(bob, forum, inTopic, `"text":"hi",`+creation), `answers 0 in album ""`},
		{"the silent answer without what it is", message(bob, forum, inTopic, `"text":"hi","reply_to_message":{"message_id":5,"date":0}`), `answers 0 in album ""`},
		{"the silent answer without a thread", message(bob, forum, `"text":"hi",`+creation), `answers 0 in album ""`},
		{"the silent answer of an edit", edited(bob, forum, inTopic, `"text":"hi",`+creation), `answers 0 in album ""`},
		{"a message that is not accessible", message(bob, forum, inTopic, `"text":"hi","reply_to_message":{"message_id":8,"date":0}`), `answers 8 in album ""`},
		{"with a quote", message(ann, private, `"text":"hi","reply_to_message":{"message_id":8},"quote":{"text":"x","position":0}`), `answers 8 in album ""`},
		{"with a quote of a new shape", message(ann, private, `"text":"hi","reply_to_message":{"message_id":8},"quote":["x"]`), `answers 8 in album ""`},
		{"in another chat", message(ann, private, `"text":"hi","external_reply":{"origin":{"type":"user","date":1},"message_id":8}`), `answers 0 in album ""`},
		{"null", message(ann, private, `"text":"hi","reply_to_message":null`), `answers 0 in album ""`},
		{"text", message(ann, private, `"text":"hi","reply_to_message":"8"`), `answers 0 in album ""`},
		{"a list", message(ann, private, `"text":"hi","reply_to_message":[{"message_id":8}]`), `answers 0 in album ""`},
		{"a number that is text", message(ann, private, `"text":"hi","reply_to_message":{"message_id":"8"}`), `answers 0 in album ""`},
		{"a negative number", message(ann, private, `"text":"hi","reply_to_message":{"message_id":-8}`), `answers 0 in album ""`},
		{"a number beyond all", message(ann, private, `"text":"hi","reply_to_message":{"message_id":99999999999999999999}`), `answers 0 in album ""`},
		{"unknown parts inside", message(ann, private, `"text":"hi","reply_to_message":{"message_id":8,"forward_origin":7,"chat":"x","text":{}}`), `answers 8 in album ""`},

		{"an item", message(ann, private, `"photo":[],"media_group_id":"13579"`), `answers 0 in album "13579"`},
		{"an item in a topic", message(bob, forum, inTopic, `"video":{},"media_group_id":"13579"`), `answers 0 in album "13579"`},
		{"an edited item", edited(ann, private, `"photo":[],"media_group_id":"13579"`), `answers 0 in album "13579"`},
		{"an item that answers", message(ann, private, `"photo":[],"media_group_id":"1","reply_to_message":{"message_id":8}`), `answers 8 in album "1"`},
		{"an album without a name", message(ann, private, `"photo":[],"media_group_id":""`), `answers 0 in album ""`},
		{"an album that is null", message(ann, private, `"photo":[],"media_group_id":null`), `answers 0 in album ""`},
		{"an album that is a number", message(ann, private, `"photo":[],"media_group_id":13579`), `answers 0 in album ""`},
		{"an album of a new shape", message(ann, private, `"photo":[],"media_group_id":{"id":"1","of":3}`), `answers 0 in album ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := bound(decode([]byte(c.raw), testBot, testGroup).event); got != c.want {
				t.Errorf("%s\n%s, want %s", c.raw, got, c.want)
			}
		})
	}
}

// What a relay carries of a message is the whole of it, by the number it has where it was written.
func TestARelayCarriesTheMessageAsItCame(t *testing.T) {
	raw := message(ann, private, `"photo":[{"file_id":"a"}],"caption":"look","media_group_id":"1","reply_to_message":{"message_id":8}`)
	e, ok := decode([]byte(raw), testBot, testGroup).event.(personWrote)
	if !ok {
		t.Fatal("not understood")
	}
	c := e.copied(7)
	if c.User != 7 || c.Source != 3 || c.Content != "photo" || c.ReplyTo != 8 || c.Album != "1" || c.Items || c.Edited {
		t.Errorf("carries %+v", c)
	}
	if want := raw[len(`{"update_id":1,"message":`) : len(raw)-1]; string(c.Raw) != want {
		t.Errorf("carries\n%s, want\n%s", c.Raw, want)
	}
	if got := albumItem(c); got.Source != desk.MessageID(3) || got.Content != "photo" || string(got.Raw) != string(c.Raw) {
		t.Errorf("is the item %+v of its album", got)
	}
}
