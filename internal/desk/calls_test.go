package desk_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hodor/internal/desk"
)

func anyUser() *rapid.Generator[desk.UserID] { return rapid.Map(rapid.Int64(), toID[desk.UserID]) }

func anyMessage() *rapid.Generator[desk.MessageID] {
	return rapid.Map(rapid.Int64(), toID[desk.MessageID])
}

func toID[ID ~int64](n int64) ID { return ID(n) }

func anyLane() *rapid.Generator[desk.Lane] {
	return rapid.Custom(func(t *rapid.T) desk.Lane {
		kinds := []desk.LaneKind{desk.ToTopic, desk.ToUser, desk.ToThread, desk.ToGeneral, desk.ToPress}
		return desk.Lane{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), ID: rapid.Int64().Draw(t, "id")}
	})
}

func anyText() *rapid.Generator[desk.Text] {
	return rapid.Custom(func(t *rapid.T) desk.Text {
		text := desk.Text{Key: rapid.String().Draw(t, "key"), Count: rapid.Int().Draw(t, "count")}
		if args := rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "args"); len(args) > 0 {
			text.Args = args
		}
		return text
	})
}

func anyCopied() *rapid.Generator[desk.Copied] {
	return rapid.Custom(func(t *rapid.T) desk.Copied {
		c := desk.Copied{User: anyUser().Draw(t, "user"), Source: anyMessage().Draw(t, "source"), Content: rapid.String().Draw(t, "content")}
		if raw := rapid.SliceOf(rapid.Byte()).Draw(t, "raw"); len(raw) > 0 {
			c.Raw = raw
		}
		return c
	})
}

// anyCall draws a call of any kind with any values.
func anyCall() *rapid.Generator[desk.Call] {
	return rapid.Custom(func(t *rapid.T) desk.Call {
		user, message := anyUser().Draw(t, "user"), anyMessage().Draw(t, "message")
		switch kind := rapid.SampledFrom(everyCall).Draw(t, "kind").(type) {
		case desk.RelayToTopic:
			return desk.RelayToTopic{Copied: anyCopied().Draw(t, "copied")}
		case desk.RelayToUser:
			return desk.RelayToUser{Copied: anyCopied().Draw(t, "copied")}
		case desk.OpenTopic:
			return desk.OpenTopic{User: user}
		case desk.Say:
			return desk.Say{To: anyLane().Draw(t, "to"), Lines: rapid.SliceOf(anyText()).Draw(t, "lines"), ReplyTo: message,
				Again: desk.CallID(rapid.Int64().Draw(t, "again")), Prompt: rapid.Bool().Draw(t, "prompt"),
				Failure: rapid.Bool().Draw(t, "failure")}
		case desk.EditNotice:
			return desk.EditNotice{To: anyLane().Draw(t, "to"), Message: message, Lines: rapid.SliceOf(anyText()).Draw(t, "lines"),
				Again: desk.CallID(rapid.Int64().Draw(t, "again"))}
		case desk.EditCopy:
			return desk.EditCopy{To: anyLane().Draw(t, "to"), Copied: anyCopied().Draw(t, "copied")}
		case desk.React:
			return desk.React{To: anyLane().Draw(t, "to"), Message: message, Emoji: rapid.String().Draw(t, "emoji"),
				At: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0).UTC()}
		case desk.Unsend:
			return desk.Unsend{User: user, Message: message, Command: desk.MessageID(rapid.Int64().Draw(t, "command"))}
		case desk.RefreshCard:
			return desk.RefreshCard{User: user}
		case desk.PinCard:
			return desk.PinCard{User: user}
		case desk.RenameTopic:
			return desk.RenameTopic{User: user}
		case desk.DeleteMessage:
			return desk.DeleteMessage{From: anyLane().Draw(t, "from"), Message: message}
		case desk.DeleteStrayTopic:
			return desk.DeleteStrayTopic{Thread: desk.ThreadID(rapid.Int64().Draw(t, "thread"))}
		case desk.AnswerPress:
			press := desk.AnswerPress{Query: rapid.String().Draw(t, "query"), Lang: rapid.String().Draw(t, "lang"),
				Press: rapid.Int64().Draw(t, "press"), At: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0).UTC()}
			if line := anyText().Draw(t, "line"); rapid.Bool().Draw(t, "has line") {
				press.Line = &line
			}
			return press
		default:
			t.Fatalf("draw a %s too", kind.Kind())
			return nil
		}
	})
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := anyCall().Draw(t, "call")
		payload, content, err := desk.Encode(call)
		if err != nil {
			t.Fatal(err)
		}
		got, err := desk.Decode(call.Kind(), payload, content)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, call) {
			t.Fatalf("%s\n got %#v\nwant %#v", payload, got, call)
		}
		if got.Lane() != call.Lane() || got.Priority() != call.Priority() || got.Doubt() != call.Doubt() {
			t.Fatal("it would be sent in another way")
		}
	})
}

// What people wrote is beside the payload, where it can be erased, and never in it.
func TestPayloadHoldsNoText(t *testing.T) {
	raw := []byte(`{"text":"secret"}`)
	for _, c := range []desk.Call{desk.RelayToTopic{Copied: desk.Copied{User: 7, Raw: raw}}, desk.RelayToUser{Copied: desk.Copied{User: 7, Raw: raw}}} {
		payload, content, err := desk.Encode(c)
		if err != nil || strings.Contains(string(payload), "secret") || string(content) != string(raw) {
			t.Errorf("%s: payload %s, content %s, %v", c.Kind(), payload, content, err)
		}
	}
}

func TestUnreadablePayloadIsAnError(t *testing.T) {
	for _, c := range everyCall {
		for _, broken := range []string{"", "{", "[]", `"x"`, "7", `{"user":"x","to":"x","from":"x","thread":"x","press":"x"}`, "{} {}"} {
			if got, err := desk.Decode(c.Kind(), []byte(broken), nil); err == nil {
				t.Errorf("%s %q is read as %#v", c.Kind(), broken, got)
			} else if !strings.Contains(err.Error(), c.Kind()) {
				t.Errorf("%s: error %q does not say of what kind it is", c.Kind(), err)
			}
		}
	}
	for _, kind := range []string{"", "of_the_future", "Say", "say "} {
		if got, err := desk.Decode(kind, []byte("{}"), nil); err == nil {
			t.Errorf("kind %q is read as %#v", kind, got)
		}
	}
}

// A newer program's fields do not stop an older one, and an older program's payload lacks the newer's.
func TestFieldsMayBeAdded(t *testing.T) {
	got, err := desk.Decode("say", []byte(`{"to":"general/0","lines":[{"key":"hi","new":1}],"newer":{"x":[1]}}`), nil)
	want := desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{{Key: "hi"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v", got, err)
	}
}

// Where each call goes, how urgent it is, and what doubt means for it: a change here is a change of what people see.
func TestHowCallsAreSent(t *testing.T) {
	for _, c := range []struct {
		call     desk.Call
		lane     string
		priority desk.Priority
		doubt    desk.Doubt
	}{
		{everyCall[0], "topic/7", desk.Written, desk.RepeatOnce},
		{everyCall[1], "user/7", desk.Written, desk.RepeatOnce},
		{everyCall[2], "topic/7", desk.Written, desk.Repeat},
		{everyCall[3], "thread/9", desk.Written, desk.Repeat},
		{desk.Say{To: desk.GeneralLane()}, "general/0", desk.Noticed, desk.Repeat},
		{everyCall[4], "user/7", desk.Noticed, desk.Repeat},
		{everyCall[5], "topic/7", desk.Upkeep, desk.Repeat},
		{everyCall[6], "topic/7", desk.Noticed, desk.Repeat},
		{everyCall[7], "topic/7", desk.Upkeep, desk.Repeat},
		{everyCall[8], "general/0", desk.Noticed, desk.Repeat},
		{everyCall[9], "general/0", desk.Upkeep, desk.Repeat},
		{everyCall[10], "press/77", desk.Written, desk.Forget},
		{everyCall[11], "user/7", desk.Written, desk.Repeat},
		{everyCall[12], "reaction/5", desk.Written, desk.Repeat},
		{everyCall[13], "user/7", desk.Written, desk.Repeat},
	} {
		if c.call.Lane().String() != c.lane || c.call.Priority() != c.priority || c.call.Doubt() != c.doubt {
			t.Errorf("%s: lane %s, priority %d, doubt %d", c.call.Kind(), c.call.Lane(), c.call.Priority(), c.call.Doubt())
		}
	}
	if desk.Written >= desk.Noticed || desk.Noticed >= desk.Upkeep || desk.Upkeep >= desk.Bulk {
		t.Error("priorities are out of order")
	}
}

func TestLanesAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lane := anyLane().Draw(t, "lane")
		if got, err := desk.ParseLane(lane.String()); err != nil || got != lane {
			t.Fatalf("%s: got %v, %v", lane, got, err)
		}
		text, err := json.Marshal(lane)
		var got desk.Lane
		if err := json.Unmarshal(text, &got); err != nil || got != lane {
			t.Fatalf("%s: got %v, %v", text, got, err)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, broken := range []string{"", "topic", "topic/", "topic/x", "topic/1/2", "topic/1.5", "topic/99999999999999999999", "topic/ 1"} {
		if got, err := desk.ParseLane(broken); err == nil {
			t.Errorf("lane %q is read as %v", broken, got)
		}
	}
}

func TestWhereLanesLead(t *testing.T) {
	for _, c := range []struct {
		lane           desk.Lane
		inGroup, forum bool
		user           desk.UserID
		someones       bool
	}{
		{lane: desk.TopicLane(7), inGroup: true, forum: true, user: 7, someones: true},
		{lane: desk.UserLane(7), user: 7, someones: true},
		{lane: desk.ThreadLane(9), inGroup: true, forum: true},
		{lane: desk.GeneralLane(), inGroup: true},
		{lane: desk.AnswerPress{Press: 77}.Lane()},
	} {
		user, someones := c.lane.User()
		if c.lane.InGroup() != c.inGroup || c.lane.NeedsForum() != c.forum || someones != c.someones || (someones && user != c.user) {
			t.Errorf("%s: in group %v, needs a forum %v, of %d %v", c.lane, c.lane.InGroup(), c.lane.NeedsForum(), user, someones)
		}
	}
	if desk.TopicLane(7) == desk.UserLane(7) || desk.ThreadLane(7) == desk.TopicLane(7) {
		t.Error("lanes of one number are one")
	}
}
