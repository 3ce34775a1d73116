package emulator

import (
	"maps"

	"github.com/go-telegram/bot/models"
)

// What people do to their own messages once they stand there. A message that is gone stays so.

// EditText changes the text of one's message, or its caption if it is media, with these entities besides those that Telegram
// finds itself. The media stays the same file.
func (t *Telegram) EditText(user int64, msg int, text string, entities ...models.MessageEntity) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rewrite(t.private(user).message(msg), text, entities)
}

// EditContent replaces what one's message holds.
func (t *Telegram) EditContent(user int64, msg int, content Content) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.replace(t.private(user).message(msg), content)
}

// EditPost is EditText in the group. Whoever wrote the message seems to edit it: behind an anonymous post is still the group.
func (t *Telegram) EditPost(_ int64, msg int, text string, entities ...models.MessageEntity) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rewrite(t.group.message(msg), text, entities)
}

// EditPostContent replaces what a message in the group holds.
func (t *Telegram) EditPostContent(_ int64, msg int, content Content) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.replace(t.group.message(msg), content)
}

func (t *Telegram) rewrite(m *message, text string, entities []models.MessageEntity) {
	switch {
	case m == nil:
	case captioned[m.kind]:
		body := maps.Clone(m.body)
		setCaption(body, text, marked(text, entities))
		t.replace(m, Content{Kind: m.kind, body: body})
	case m.kind == "text", m.kind == "rich_message":
		t.replace(m, TextWith(text, entities...))
	default:
		panic("emulator: a message of kind " + m.kind + " has no text to edit")
	}
}

func (t *Telegram) replace(m *message, content Content) {
	if m == nil {
		return
	}
	if t.byBot(m) || m.service {
		panic("emulator: no person can edit message " + number(int64(m.id)))
	}
	t.remember(content.Kind, content.body, upload{})
	m.kind, m.body, m.edited = content.Kind, content.body, t.now()
	t.tellEdit(m)
}

// Touch makes Telegram tell of an edit of one's message in which nothing has changed, as it does when a preview was loaded or
// a counter moved. Nobody sees it, and the time of the last edit stays.
func (t *Telegram) Touch(user int64, msg int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tellEdit(t.private(user).message(msg))
}

// TouchPost is Touch in the group.
func (t *Telegram) TouchPost(msg int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tellEdit(t.group.message(msg))
}

// Move moves one's live location.
func (t *Telegram) Move(user int64, msg int, latitude, longitude float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(t.private(user).message(msg), latitude, longitude)
}

// MovePost moves a live location in the group.
func (t *Telegram) MovePost(msg int, latitude, longitude float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.move(t.group.message(msg), latitude, longitude)
}

func (t *Telegram) move(m *message, latitude, longitude float64) {
	if m == nil {
		return
	}
	location, _ := m.body["location"].(fields)
	if _, live := location["live_period"]; !live {
		panic("emulator: message " + number(int64(m.id)) + " is no live location")
	}
	location = maps.Clone(location)
	location["latitude"], location["longitude"] = latitude, longitude
	t.replace(m, Content{Kind: m.kind, body: m.body}.With("location", location))
}
