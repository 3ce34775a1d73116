package emulator

import "slices"

// topicColors are the six that a topic's icon may have.
var topicColors = []int{7322096, 16766590, 13338331, 9367192, 16749490, 16478047}

func createForumTopic(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.forumOf(p)
	if refused != nil {
		return nil, refused
	}
	color := topicColors[0]
	if p.has("icon_color") {
		color = p.int("icon_color")
	}
	name := cleanName(p.text("name"))
	switch {
	case !c.rights["can_manage_topics"]:
		return nil, bad("not enough rights to create a topic")
	case name == "":
		return nil, bad("name must be non-empty")
	case !slices.Contains(topicColors, color):
		return nil, bad("invalid icon color specified")
	}
	if refused := t.spend(c, 1); refused != nil {
		return nil, refused
	}
	tp := t.openTopic(c, author{person: t.bot}, topic{name: name, color: color, emoji: p.text("icon_custom_emoji_id"), byBot: true})
	made := fields{"message_thread_id": tp.thread, "name": tp.name, "icon_color": tp.color}
	put(made, "icon_custom_emoji_id", tp.emoji)
	return made, nil
}

// openTopic opens a topic with the service message whose id is its thread.
func (t *Telegram) openTopic(c *chat, who author, tp topic) *topic {
	created := fields{"name": tp.name, "icon_color": tp.color}
	put(created, "icon_custom_emoji_id", tp.emoji)
	m := t.add(c, &message{author: who, kind: "forum_topic_created", service: true, body: fields{"forum_topic_created": created}})
	m.thread, tp.thread = m.id, m.id
	c.topics = append(c.topics, &tp)
	t.tellMessage(m)
	return &tp
}

// forumOf finds the group of a call about topics.
func (t *Telegram) forumOf(p *params) (*chat, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	if c.person != nil || !c.forum {
		return nil, bad(notForum)
	}
	return c, nil
}

// topicOf finds the topic of a call.
func (t *Telegram) topicOf(p *params) (*chat, *topic, *refusal) {
	c, refused := t.forumOf(p)
	if refused != nil {
		return nil, nil, refused
	}
	tp := c.live(p.int("message_thread_id"))
	if tp == nil {
		return nil, nil, bad("TOPIC_ID_INVALID")
	}
	return c, tp, nil
}

// editForumTopic changes name and icon; an empty name keeps the old one.
func editForumTopic(t *Telegram, p *params) (any, *refusal) {
	c, tp, refused := t.topicOf(p)
	if refused != nil {
		return nil, refused
	}
	if !c.rights["can_manage_topics"] && !tp.byBot {
		return nil, bad("not enough rights to edit the topic")
	}
	edited := fields{}
	if name := cleanName(p.text("name")); name != "" && name != tp.name {
		edited["name"] = name
	}
	if p.has("icon_custom_emoji_id") && p.text("icon_custom_emoji_id") != tp.emoji {
		edited["icon_custom_emoji_id"] = p.text("icon_custom_emoji_id")
	}
	if len(edited) == 0 {
		return nil, bad("TOPIC_NOT_MODIFIED")
	}
	if refused := t.spend(c, 1); refused != nil {
		return nil, refused
	}
	t.editTopic(c, tp, author{person: t.bot}, edited)
	return true, nil
}

func (t *Telegram) editTopic(c *chat, tp *topic, who author, edited fields) {
	if name, ok := edited["name"].(string); ok {
		tp.name = name
	}
	if emoji, ok := edited["icon_custom_emoji_id"].(string); ok {
		tp.emoji = emoji
	}
	t.serve(c, tp.thread, who, "forum_topic_edited", edited)
}

func closeForumTopic(t *Telegram, p *params) (any, *refusal)  { return t.turn(p, true) }
func reopenForumTopic(t *Telegram, p *params) (any, *refusal) { return t.turn(p, false) }

func (t *Telegram) turn(p *params, closed bool) (any, *refusal) {
	c, tp, refused := t.topicOf(p)
	switch {
	case refused != nil:
		return nil, refused
	case !c.rights["can_manage_topics"] && !tp.byBot:
		return nil, bad("not enough rights to close or open the topic")
	case tp.closed == closed:
		return nil, bad("TOPIC_NOT_MODIFIED")
	}
	t.turnTopic(c, tp, author{person: t.bot}, closed)
	return true, nil
}

func (t *Telegram) turnTopic(c *chat, tp *topic, who author, closed bool) {
	tp.closed = closed
	t.serve(c, tp.thread, who, turned(closed), fields{})
}

func turned(closed bool) string {
	if closed {
		return "forum_topic_closed"
	}
	return "forum_topic_reopened"
}

// deleteForumTopic deletes the topic and all in it. Nobody is told. Unlike the others it asks for the right of a topic of the
// bot's own too.
func deleteForumTopic(t *Telegram, p *params) (any, *refusal) {
	c, tp, refused := t.topicOf(p)
	if refused != nil {
		return nil, refused
	}
	if !c.rights["can_delete_messages"] {
		return nil, bad("not enough rights to delete the topic")
	}
	if refused := t.spendDeletion(c); refused != nil {
		return nil, refused
	}
	c.deleteTopic(tp)
	return true, nil
}

func (c *chat) deleteTopic(tp *topic) {
	tp.deleted = true
	c.messages = slices.DeleteFunc(c.messages, func(m *message) bool { return m.thread == tp.thread })
}
