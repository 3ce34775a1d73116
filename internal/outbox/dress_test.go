package outbox

import (
	"testing"

	"github.com/go-telegram/bot/models"
)

// Telegram may refuse a message for the quote in it, then for what it replies to; each stage takes that much off and no more.
func TestDressAtEachStage(t *testing.T) {
	reply := &models.ReplyParameters{MessageID: 50, AllowSendingWithoutReply: true, Quote: "words", QuotePosition: 3,
		QuoteEntities: []models.MessageEntity{{Type: "bold", Length: 1}}}
	mark := &models.InlineKeyboardMarkup{}
	for stage, want := range map[string]string{
		"": "quote mark", stageNoCard: "quote mark", stageNoQuote: "reply mark", stageTyped: "reply mark",
		stageBare: "", stageTypedBare: "", stageForward: "", stageLine: "",
	} {
		full := dress{reply: reply, mark: mark}
		got := full.at(stage)
		wears := ""
		switch {
		case got.quotes():
			wears = "quote"
		case got.reply != nil:
			wears = "reply"
		}
		if got.mark != nil {
			wears += " mark"
		}
		if wears != want {
			t.Errorf("at %q it wears %q, want %q", stage, wears, want)
		}
		if got.reply != nil && (got.reply.MessageID != 50 || !got.reply.AllowSendingWithoutReply) {
			t.Errorf("at %q it replies with %+v", stage, got.reply)
		}
		if got.bare() != (want == "") {
			t.Errorf("at %q bare is %v", stage, got.bare())
		}
		if full.reply.Quote != "words" || full.reply.QuotePosition != 3 {
			t.Fatalf("at %q the quote of the message itself is gone", stage)
		}
		if plain := (dress{}).at(stage); !plain.bare() || plain.quotes() {
			t.Errorf("at %q what wears nothing wears %+v", stage, plain)
		}
	}
}
