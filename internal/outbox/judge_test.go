package outbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/go-telegram/bot"

	"hodor/internal/desk"
)

// Telegram's texts to the letter (botapi.md A2), and what each means in the group and in a private chat.
func TestJudgeReadsEveryRefusalOfTelegram(t *testing.T) {
	const (
		unmodified = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a " +
			"current content and reply markup of the message"
		tooOld = "Bad Request: query is too old and response timeout expired or query ID is invalid"
	)
	for _, c := range []struct {
		status      int
		description string
		group       meaning // said of a call into the group
		private     meaning // said of a call to a person
	}{
		{403, "Forbidden: bot was blocked by the user", userGone, userGone},
		{403, "Forbidden: user is deactivated", userGone, userGone},
		{403, "Forbidden: bot can't initiate conversation with a user", userGone, userGone},
		{403, "Forbidden: the bot can't send messages to the bot", refused, refused},
		{400, "Bad Request: chat not found", groupShut, userGone},
		{400, "Bad Request: private chat not found", userGone, userGone},
		{400, "Bad Request: chat_id is empty", refused, refused},
		{400, "Bad Request: PEER_ID_INVALID", refused, refused},
		{400, "Bad Request: VOICE_MESSAGES_FORBIDDEN", refused, refused},
		{400, "Bad Request: CHAT_RESTRICTED", rightMissing, refused},
		{400, "Bad Request: CHAT_WRITE_FORBIDDEN", rightMissing, refused},
		{403, "Forbidden: bot was kicked from the supergroup chat", groupShut, refused},
		{403, "Forbidden: bot is not a member of the supergroup chat", groupShut, refused},
		{403, "Forbidden: the group chat was deleted", groupShut, refused},
		{400, "Bad Request: have no write access to the chat", rightMissing, refused},
		{400, "Bad Request: not enough rights to send text messages to the chat", rightMissing, refused},
		{400, "Bad Request: not enough rights to send photos to the chat", refused, refused},
		{400, "Bad Request: message thread not found", topicGone, topicGone},
		{400, "Bad Request: TOPIC_DELETED", topicGone, topicGone},
		{400, "Bad Request: TOPIC_ID_INVALID", topicGone, topicGone},
		{400, "Bad Request: TOPIC_CLOSED", topicShut, topicShut},
		{400, "Bad Request: TOPIC_NOT_MODIFIED", delivered, delivered},
		{400, "Bad Request: the chat is not a forum", forumOff, forumOff},
		{400, "Bad Request: not enough rights to create a topic", rightMissing, refused},
		{400, "Bad Request: not enough rights to edit the topic", rightMissing, refused},
		{400, "Bad Request: not enough rights to close or open the topic", rightMissing, refused},
		{400, "Bad Request: not enough rights to manage pinned messages in the chat", rightMissing, refused},
		{400, "Bad Request: need administrator rights in the channel chat", rightMissing, refused},
		{400, "Bad Request: name must be non-empty", refused, refused},
		{400, "Bad Request: invalid icon color specified", refused, refused},
		{400, "Bad Request: message to copy not found", refused, refused},
		{400, "Bad Request: message to forward not found", refused, refused},
		{400, "Bad Request: message to edit not found", refused, refused},
		{400, "Bad Request: message to delete not found", refused, refused},
		{400, "Bad Request: message to react not found", refused, refused},
		{400, "Bad Request: message to pin not found", refused, refused},
		{400, "Bad Request: message to be replied not found", refused, refused},
		{400, "Bad Request: the message can't be copied", refused, refused},
		{400, "Bad Request: the message can't be forwarded", refused, refused},
		{400, "Bad Request: message has protected content and can't be forwarded", refused, refused},
		{400, "Bad Request: message identifiers must be in a strictly increasing order", refused, refused},
		{400, "Bad Request: too many message identifiers specified", refused, refused},
		{400, "Bad Request: messages can't be forwarded", refused, refused},
		{400, "Bad Request: there are no messages to forward", refused, refused},
		{400, unmodified, delivered, delivered},
		{400, "Bad Request: MESSAGE_NOT_MODIFIED", delivered, delivered},
		{400, "Bad Request: CHAT_NOT_MODIFIED", delivered, delivered},
		{400, "Bad Request: chat description is not modified", delivered, delivered},
		{400, "Bad Request: message can't be edited", refused, refused},
		{400, "Bad Request: there is no text in the message to edit", refused, refused},
		{400, "Bad Request: there is no caption in the message to edit", refused, refused},
		{400, "Bad Request: message media can't be edited", refused, refused},
		{400, "Bad Request: message can't be deleted", refused, refused},
		{400, "Bad Request: message can't be deleted for everyone", refused, refused},
		{400, "Bad Request: message is too long", refused, refused},
		{400, "Bad Request: message caption is too long", refused, refused},
		{400, "Bad Request: message text is empty", refused, refused},
		{400, "Bad Request: text is too long", refused, refused},
		{400, `Bad Request: can't parse entities: unsupported start tag "x" at byte offset 3`, refused, refused},
		{400, tooOld, expired, expired},
		{400, "Bad Request: BUTTON_DATA_INVALID", refused, refused},
		{400, "Bad Request: REACTION_INVALID", refused, refused},
		{400, "Bad Request: the reaction isn't available for the message", refused, refused},
		{401, "Unauthorized", unauthorized, unauthorized},
		{404, "Not Found: method not found", refused, refused},
		{409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", refused, refused},
		{413, "Request Entity Too Large", refused, refused},
		{500, "Internal Server Error", broken, broken},
		{502, "Bad Gateway", broken, broken},
		{504, "Gateway Timeout", broken, broken},
		{500, "Internal Server Error: message thread not found", broken, broken},
		{400, "bad request: MESSAGE THREAD NOT FOUND", topicGone, topicGone},
		{400, "Bad Request: something that nobody has seen yet", refused, refused},
		{400, "", refused, refused},
	} {
		v := judge(answer{connected: true, status: c.status, spoke: true, code: c.status, description: c.description})
		if v.meaning != c.group {
			t.Errorf("%d %q of the group means %s, want %s", c.status, c.description, v.meaning, c.group)
		}
		if got := v.forUser().meaning; got != c.private {
			t.Errorf("%d %q of a person means %s, want %s", c.status, c.description, got, c.private)
		}
	}
}

func TestJudgeReadsWhatIsNoRefusal(t *testing.T) {
	cut := errors.New("connection reset by peer")
	for name, c := range map[string]struct {
		answer
		want meaning
	}{
		"ok":                                {answer{connected: true, status: 200, spoke: true, ok: true}, delivered},
		"refused connection":                {answer{err: cut}, unreachable},
		"lost answer":                       {answer{connected: true, err: cut}, doubtful},
		"a page of HTML with 200":           {answer{connected: true, status: 200}, broken},
		"a page of HTML with 400":           {answer{connected: true, status: 400}, broken},
		"a page of HTML with 502":           {answer{connected: true, status: 502}, broken},
		"no, with the status of a yes":      {answer{connected: true, status: 200, spoke: true}, doubtful},
		"a redirect in Telegram's envelope": {answer{connected: true, status: 302, spoke: true}, doubtful},
	} {
		if got := judge(c.answer); got.meaning != c.want {
			t.Errorf("%s means %s, want %s", name, got.meaning, c.want)
		}
	}
}

func TestJudgeKnowsHowLongToRestAndWhereTheGroupIs(t *testing.T) {
	flood := func(after time.Duration) verdict {
		return judge(answer{connected: true, status: 429, spoke: true, description: "Too Many Requests: retry after 35", retryAfter: after})
	}
	if v := flood(35 * time.Second); v.meaning != flooded || v.wait != 35*time.Second {
		t.Errorf("%s for %s", v.meaning, v.wait)
	}
	for _, silly := range []time.Duration{0, -3 * time.Second} {
		if v := flood(silly); v.meaning != flooded || v.wait <= 0 {
			t.Errorf("retry_after %s: %s for %s", silly, v.meaning, v.wait)
		}
	}
	v := judge(answer{connected: true, status: 400, spoke: true, migrateTo: -1009,
		description: "Bad Request: group chat was upgraded to a supergroup chat"})
	if v.meaning != migrated || v.group != -1009 {
		t.Errorf("%s to %d", v.meaning, v.group)
	}
}

func TestJudgeKeepsTelegramsWordsForTheReader(t *testing.T) {
	for _, status := range []int{400, 403, 429, 500} {
		said := fmt.Sprintf("words of %d", status)
		if v := judge(answer{connected: true, status: status, spoke: true, description: said}); v.reason != said {
			t.Errorf("of %q %q is kept", said, v.reason)
		}
	}
	if v := judge(answer{connected: true, status: 502}); v.reason != "Bad Gateway" {
		t.Errorf("of a page of HTML %q is kept", v.reason)
	}
}

func TestJudgeNamesPlainReasons(t *testing.T) {
	of := func(said string) verdict { return verdict{reason: said} }
	for said, is := range map[string]bool{
		"Forbidden: user is deactivated":         of("Forbidden: user is deactivated").saysDeactivated(),
		"Forbidden: bot was blocked by the user": of("Forbidden: bot was blocked by the user").saysBlocked(),
		"Bad Request: VOICE_MESSAGES_FORBIDDEN":  of("Bad Request: VOICE_MESSAGES_FORBIDDEN").saysVoiceForbidden(),
	} {
		if !is {
			t.Errorf("%q is not recognised", said)
		}
	}
	if other := of("Bad Request: no"); other.saysDeactivated() || other.saysBlocked() || other.saysVoiceForbidden() {
		t.Error("a reason is recognised that is not there")
	}
}

func TestResultTellsAMessageFromItsBareId(t *testing.T) {
	one := []desk.MessageID{5}
	for json, want := range map[string]result{
		`true`:                                {},
		`{"message_id":5}`:                    {message: 5, messages: one},
		`{"message_id":5,"chat":{"id":-100}}`: {message: 5, messages: one, isMessage: true},
		`{"message_id":5,"message_thread_id":3,"is_topic_message":true,"chat":{"id":-100}}`:   {message: 5, messages: one, thread: 3, isMessage: true},
		`[{"message_id":5},{"message_id":9},{"message_id":7}]`:                                {message: 5, messages: []desk.MessageID{5, 9, 7}},
		`[{"message_id":5,"message_thread_id":3,"is_topic_message":true,"chat":{"id":-100}}]`: {message: 5, messages: one, thread: 3, isMessage: true},
		`{"message_thread_id":9,"name":"Ada","icon_color":1}`:                                 {thread: 9},
		`[]`: {}, `"x"`: {}, `null`: {},
	} {
		if got := readResult(answer{ok: true, result: []byte(json)}); !reflect.DeepEqual(got, want) {
			t.Errorf("of %s %+v is read, want %+v", json, got, want)
		}
	}
	if got := readResult(answer{result: []byte(`{"message_id":5}`)}); !reflect.DeepEqual(got, result{}) {
		t.Errorf("of a refusal %+v is read", got)
	}
}

func TestBackoffGrowsToTenMinutesWithAFifthByChance(t *testing.T) {
	for n, want := range []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
		10 * time.Minute, 10 * time.Minute} {
		several := make(map[time.Duration]bool)
		for range 100 {
			d := backoff(n)
			several[d] = true
			if d < want || d > want+want/5 {
				t.Fatalf("failure %d: %s, want %s and up to a fifth more", n, d, want)
			}
		}
		if len(several) < 2 {
			t.Errorf("failure %d: chance has no part in it", n)
		}
	}
	if d := backoff(1_000_000); d > 12*time.Minute {
		t.Errorf("after very many failures it waits %s", d)
	}
}

// A request that cannot be written will not be written at the next try either: it is refused, and not repeated like one that met no line.
func TestJudgeRefusesACallThatCannotBeWritten(t *testing.T) {
	calls := 0
	c := newTestClient(t, serve(t, func(http.ResponseWriter, *http.Request) { calls++ }))
	for name, params := range map[string]any{
		"a call of no method":        struct{}{},
		"a number that JSON has not": &bot.SendLocationParams{ChatID: int64(7), Latitude: math.NaN()},
		"words that cannot be written": &bot.SendMessageParams{ChatID: int64(7), Text: "x",
			ReplyMarkup: func() {}},
	} {
		a := c.ask(t.Context(), func(ctx context.Context, b *bot.Bot) error { return send(ctx, b, params) })
		if v := judge(a); calls == 0 && (v.meaning != refused || v.reason == "") {
			t.Errorf("%s means %s (%q), want refused, with the reason", name, v.meaning, v.reason)
		}
		calls = 0
	}
}
