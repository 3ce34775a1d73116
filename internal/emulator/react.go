package emulator

import (
	"strings"
	"time"
	"unicode/utf8"
)

// reactionEmoji are the only ones a bot may react with.
var reactionEmoji = func() map[string]bool {
	known := map[string]bool{}
	const list = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤\u200d🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 " +
		"👨\u200d💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷\u200d♂ 🤷 🤷\u200d♀ 😡"
	for emoji := range strings.FieldsSeq(list) {
		known[emoji] = true
	}
	return known
}()

type reactionType struct {
	Type          string `json:"type"`
	Emoji         string `json:"emoji"`
	CustomEmojiID string `json:"custom_emoji_id"`
}

// reaction is what a bot may react with: the fixed emoji, and a custom one that stands under the message already.
func (r reactionType) reaction(m *message) (Reaction, bool) {
	if r.Type == "custom_emoji" {
		custom := CustomReaction(r.CustomEmojiID)
		return custom, m.shows(custom)
	}
	return Reaction(r.Emoji), r.Type == "emoji" && reactionEmoji[r.Emoji]
}

// setMessageReaction gives the bot's one reaction, or takes it away. In an album it goes to the first member still there.
func setMessageReaction(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	var reactions []reactionType
	if refused := p.json("reaction", &reactions); refused != nil {
		return nil, refused
	}
	m := c.message(p.int("message_id"))
	if m == nil {
		return nil, bad("message to react not found")
	}
	if refused := c.reachable(); refused != nil {
		return nil, refused
	}
	m = m.albumHead()
	if len(reactions) > 1 {
		return nil, bad("REACTIONS_TOO_MANY")
	}
	var given []Reaction
	for _, r := range reactions {
		reaction, allowed := r.reaction(m)
		if !allowed {
			return nil, bad("REACTION_INVALID")
		}
		given = append(given, reaction)
	}
	m.react(t.bot.ID, given)
	return true, nil
}

func (m *message) albumHead() *message {
	if m.album != "" {
		for _, other := range m.chat.messages {
			if other.album == m.album {
				return other
			}
		}
	}
	return m
}

// An Answer is what answerCallbackQuery showed to the person who pressed.
type Answer struct {
	Text      string
	ShowAlert bool
}

type query struct {
	asked   time.Time
	answers []Answer
}

func answerCallbackQuery(t *Telegram, p *params) (any, *refusal) {
	q := t.queries[p.text("callback_query_id")]
	switch {
	case q == nil || t.now().Sub(q.asked) > keptCallbacks:
		return nil, bad(queryTooOld)
	case utf8.RuneCountInString(p.text("text")) > 200:
		return nil, bad("MESSAGE_TOO_LONG")
	}
	q.answers = append(q.answers, Answer{Text: p.text("text"), ShowAlert: p.bool("show_alert")})
	return true, nil
}

// Answers is what the bot said to a press of a button, by the id that Press returned.
func (t *Telegram) Answers(queryID string) []Answer {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q := t.queries[queryID]; q != nil {
		return append([]Answer(nil), q.answers...)
	}
	return nil
}

// sendChatAction shows "typing…"; nobody sees it here. It has a budget of its own at Telegram, so it spends none.
func sendChatAction(t *Telegram, p *params) (any, *refusal) {
	if _, refused := t.aim(p); refused != nil {
		return nil, refused
	}
	if p.text("action") == "" {
		return nil, bad("wrong parameter action in request")
	}
	return true, nil
}
