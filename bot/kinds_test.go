package bot

import "testing"

// Contents of every kind as the Bot API writes them, and the name under which they stand in the ledger. F1–F9
var contentsOf = []struct{ kind, body string }{
	{"text", `"text":"hi <b>","entities":[{"type":"bold","offset":0,"length":2}]`},
	{"photo", `"photo":[{"file_id":"a","file_unique_id":"b","width":90,"height":90},{"file_id":"c","file_unique_id":"d","width":800,"height":600}],"caption":"look"`},
	{"live_photo", `"live_photo":{"file_id":"a","file_unique_id":"b"},"photo":[{"file_id":"a","file_unique_id":"b","width":9,"height":9}]`},
	{"video", `"video":{"file_id":"a","file_unique_id":"b","width":1,"height":1,"duration":4},"caption":"look"`},
	{"animation", `"animation":{"file_id":"a","file_unique_id":"b","width":1,"height":1,"duration":4},"document":{"file_id":"a","file_unique_id":"b"}`},
	{"document", `"document":{"file_id":"a","file_unique_id":"b","file_name":"x.pdf"}`},
	{"voice", `"voice":{"file_id":"a","file_unique_id":"b","duration":3}`},
	{"video_note", `"video_note":{"file_id":"a","file_unique_id":"b","length":240,"duration":5}`},
	{"audio", `"audio":{"file_id":"a","file_unique_id":"b","duration":180}`},
	{"sticker", `"sticker":{"file_id":"a","file_unique_id":"b","type":"regular","width":512,"height":512,"is_animated":false,"is_video":false}`},
	{"contact", `"contact":{"phone_number":"+49","first_name":"Ann"}`},
	{"venue", `"venue":{"location":{"latitude":1,"longitude":2},"title":"Café","address":"x"},"location":{"latitude":1,"longitude":2}`},
	{"location", `"location":{"latitude":1,"longitude":2,"live_period":900}`},
	{"poll", `"poll":{"id":"1","question":"?","options":[],"total_voter_count":0,"is_closed":false,"is_anonymous":true,"type":"quiz"}`},
	{"dice", `"dice":{"emoji":"🎲","value":6}`},
	{"story", `"story":{"chat":{"id":5,"type":"private"},"id":3}`},
	{"game", `"game":{"title":"Chess","description":"d","photo":[]}`},
	{"checklist", `"checklist":{"title":"To do","tasks":[]}`},
	{"rich_message", `"rich_message":{"blocks":[{"type":"paragraph","text":"x"}]}`},
	{"paid_media", `"paid_media":{"star_count":5,"paid_media":[]}`},
	{"giveaway", `"giveaway":{"chats":[],"winners_selection_date":1,"winner_count":3}`},
	{"giveaway_winners", `"giveaway_winners":{"chat":{"id":5,"type":"channel"},"giveaway_message_id":1,"winners_selection_date":1,"winner_count":1,"winners":[]}`},
	{"invoice", `"invoice":{"title":"x","description":"x","start_parameter":"x","currency":"EUR","total_amount":5}`},
	{"hologram", `"hologram":{"depth":3},"effect_id":"5","show_caption_above_media":true`},
	{"hologram", `"hologram":7`},
	{"aura", `"hologram":{},"aura":{},"caption":"two new ones: the first by name"`},
}

func TestEveryKindHasItsName(t *testing.T) {
	for _, c := range contentsOf {
		for side, raw := range map[string]string{"private": message(ann, private, c.body), "topic": message(bob, forum, inTopic, c.body)} {
			got := ""
			switch e := decode([]byte(raw), testBot, testGroup).event.(type) {
			case personWrote:
				got = e.content
			case groupWrote:
				got = e.content
			}
			if got != c.kind {
				t.Errorf("in a %s chat %s is a %q, want %q", side, raw, got, c.kind)
			}
		}
	}
}

// A message that says something about the chat is no content of anybody, whatever else it holds.
func TestServiceMessagesAreNoContent(t *testing.T) {
	for name := range aboutChat {
		raw := message(ann, private, `"`+name+`":{"id":1}`)
		if name == "migrate_to_chat_id" || name == "migrate_from_chat_id" {
			raw = message(ann, private, `"`+name+`":-1005`)
		}
		if got := told(decode([]byte(raw), testBot, testGroup).event); got != "ignored" {
			t.Errorf("%s is understood as %s", raw, got)
		}
	}
}

// What a message always has is no content either.
func TestAnEmptyEnvelopeIsNoContent(t *testing.T) {
	for name := range aboutMessage {
		switch name {
		case "message_id", "date", "chat", "from", "text":
			continue
		}
		raw := message(ann, private, `"`+name+`":null`)
		if got := told(decode([]byte(raw), testBot, testGroup).event); got != "ignored" {
			t.Errorf("%s is understood as %s", raw, got)
		}
	}
}

// Commands are taken apart as Telegram writes them.
func TestCommandsAreTakenApart(t *testing.T) {
	for text, want := range map[string][2]string{
		"/help": {"help", ""}, "/help@Bot": {"help", "Bot"}, "/help@bot now": {"help", "bot"}, "/help\nnow": {"help", ""},
		"/help\tnow": {"help", ""}, "/": {"", ""}, "/ help": {"", ""}, "/@bot": {"", "bot"}, "/HELP": {"HELP", ""}, "/help/x": {"help/x", ""},
	} {
		if name, suffix := splitCommand(text); name != want[0] || suffix != want[1] {
			t.Errorf("%q is command %q for %q", text, name, suffix)
		}
	}
}

// D14, D15
func TestStartIsRecognised(t *testing.T) {
	for text, want := range map[string]bool{
		"/start": true, "/start@hodor_test_bot": true, "/start promo": true, "/start\npromo": true, "/start@bot x": true,
		"/startups": false, "start": false, " /start": false, "/START": false, "/help": false, "": false,
	} {
		if got := isStart(said{text: text, content: "text"}); got != want {
			t.Errorf("isStart(%q) = %v", text, got)
		}
	}
}
