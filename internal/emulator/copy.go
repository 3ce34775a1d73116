package emulator

import (
	"maps"
	"slices"
)

// A parcel is messages on their way from one chat into another.
type parcel struct {
	to       *target
	from     *chat
	messages []*message
	forward  bool
	plain    bool // without captions
}

// copyMessage sends the content again, as the bot's own. Telegram does that by itself unless something is to be different: then
// the content is sent anew, within the limits of a bot, and a caption that only a premium user may write is too long.
func copyMessage(t *Telegram, p *params) (any, *refusal) {
	to, source, refused := t.one(p, "message to copy not found")
	if refused != nil {
		return nil, refused
	}
	if !source.copyable() {
		return nil, bad("the message can't be copied")
	}
	m := source.copied()
	anew := to.replyTo != 0 || p.text("reply_markup") != ""
	switch {
	case captioned[m.kind] && p.has("caption"):
		delete(m.body, "show_caption_above_media")
		if refused := t.caption(p, m.body); refused != nil {
			return nil, refused
		}
	case anew && captionTooLong(m.body):
		return nil, bad(longCaption)
	}
	if refused := t.sendOne(to, m); refused != nil {
		return nil, refused
	}
	return fields{"message_id": m.id}, nil
}

// forwardMessage sends the message on, with its origin.
func forwardMessage(t *Telegram, p *params) (any, *refusal) {
	to, source, refused := t.one(p, "message to forward not found")
	if refused != nil {
		return nil, refused
	}
	if refused := source.forwardable(); refused != nil {
		return nil, refused
	}
	m := source.forwarded()
	if refused := t.sendOne(to, m); refused != nil {
		return nil, refused
	}
	return t.object(m), nil
}

func (m *message) forwardable() *refusal {
	switch {
	case m.service:
		return bad("the message can't be forwarded")
	case m.protected:
		return bad("message has protected content and can't be forwarded")
	}
	return nil
}

// one reads where to, and the one message that goes there.
func (t *Telegram) one(p *params, missing string) (*target, *message, *refusal) {
	to, refused := t.aim(p)
	if refused != nil {
		return nil, nil, refused
	}
	from, refused := t.chatOf(p, "from_chat_id")
	if refused != nil {
		return nil, nil, refused
	}
	source := from.message(p.int("message_id"))
	if source == nil {
		return nil, nil, bad("%s", missing)
	}
	return to, source, nil
}

func (t *Telegram) sendOne(to *target, m *message) *refusal {
	if refused := to.chat.welcome(m.kind); refused != nil {
		return refused
	}
	if refused := t.spend(to.chat, 1); refused != nil {
		return refused
	}
	t.put(to, m)
	return nil
}

func (m *message) copied() *message {
	return &message{kind: m.kind, body: maps.Clone(m.body), copiedFrom: Ref{m.chat.id, m.id}}
}

func (m *message) forwarded() *message {
	origin := m.origin
	if origin == nil {
		origin = fields{"type": "user", "date": m.date.Unix(), "sender_user": user(m.author.person)}
	}
	return &message{kind: m.kind, body: m.body, origin: origin, forwardedFrom: Ref{m.chat.id, m.id}}
}

func copyMessages(t *Telegram, p *params) (any, *refusal)    { return t.sendParcel(p, false) }
func forwardMessages(t *Telegram, p *params) (any, *refusal) { return t.sendParcel(p, true) }

// sendParcel sends several. What is missing or can't go is skipped without a word; what fails on its own turns the whole
// answer into a refusal although the others were delivered.
func (t *Telegram) sendParcel(p *params, forward bool) (any, *refusal) {
	parcel, refused := t.pack(p, forward)
	if refused != nil {
		return nil, refused
	}
	if refused := t.spend(parcel.to.chat, len(parcel.messages)); refused != nil {
		return nil, refused
	}
	albums := t.albums(parcel.messages)
	var ids []fields
	for i, source := range parcel.messages {
		if failed := parcel.to.chat.welcome(source.kind); failed != nil {
			if refused == nil {
				refused = bad("failed to send message #%d with the error message %q", i+1, failed.bare())
			}
			continue
		}
		if i < p.drop {
			continue
		}
		ids = append(ids, fields{"message_id": t.put(parcel.to, parcel.made(source, albums[source])).id})
	}
	if refused != nil {
		return nil, refused
	}
	if t.CopiesAnswerReversed {
		slices.Reverse(ids)
	}
	return append([]fields{}, ids...), nil
}

func (c parcel) made(source *message, album string) *message {
	m := source.copied()
	if c.forward {
		m = source.forwarded()
	} else if c.plain {
		setCaption(m.body, "", nil)
	}
	m.album = album
	return m
}

// pack checks the ids and gathers what can be sent of them.
func (t *Telegram) pack(p *params, forward bool) (*parcel, *refusal) {
	to, refused := t.aim(p)
	if refused != nil {
		return nil, refused
	}
	from, refused := t.chatOf(p, "from_chat_id")
	if refused != nil {
		return nil, refused
	}
	ids, refused := messageIDs(p)
	if refused != nil {
		return nil, refused
	}
	for i := 1; i < len(ids); i++ {
		if ids[i] <= ids[i-1] {
			return nil, bad("message identifiers must be in a strictly increasing order")
		}
	}
	parcel := &parcel{to: to, from: from, forward: forward, plain: p.bool("remove_caption")}
	existing := 0
	for _, id := range ids {
		m := from.message(id)
		if m == nil {
			continue
		}
		existing++
		if forward && m.forwardable() == nil || !forward && m.copyable() {
			parcel.messages = append(parcel.messages, m)
		}
	}
	switch {
	case existing == 0:
		return nil, bad("there are no messages to forward")
	case len(parcel.messages) == 0:
		return nil, bad("messages can't be forwarded")
	}
	return parcel, nil
}

func messageIDs(p *params) ([]int, *refusal) {
	var ids []int
	if refused := p.json("message_ids", &ids); refused != nil {
		return nil, refused
	}
	switch {
	case len(ids) == 0:
		return nil, bad("message identifiers are not specified")
	case len(ids) > 100:
		return nil, bad("too many message identifiers specified")
	}
	return ids, nil
}

// albums says into which new album each message goes. Albums stay albums; and two to ten items that are all audio or all
// documents become one even if they were not.
func (t *Telegram) albums(messages []*message) map[*message]string {
	made := map[*message]string{}
	if family := albumFamily(messages[0].kind); len(messages) >= 2 && len(messages) <= 10 && (family == "audio" || family == "document") {
		if !slices.ContainsFunc(messages, func(m *message) bool { return m.kind != family }) {
			id := t.nextID("album")
			for _, m := range messages {
				made[m] = id
			}
			return made
		}
	}
	members := map[string]int{}
	for _, m := range messages {
		members[m.album]++
	}
	fresh := map[string]string{}
	for _, m := range messages {
		if m.album == "" || members[m.album] < 2 {
			continue
		}
		if fresh[m.album] == "" {
			fresh[m.album] = t.nextID("album")
		}
		made[m] = fresh[m.album]
	}
	return made
}
