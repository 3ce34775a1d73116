package emulator

import (
	"slices"
	"strings"
)

// A Reaction is an emoji as it is, "👍", or one of those below.
type Reaction string

// PaidReaction is a star.
const PaidReaction Reaction = "paid"

const customReaction = "custom:"

// CustomReaction is a custom emoji, which needs a premium account.
func CustomReaction(emojiID string) Reaction { return Reaction(customReaction + emojiID) }

// object is the reaction as the Bot API shows it.
func (r Reaction) object() fields {
	if id, custom := strings.CutPrefix(string(r), customReaction); custom {
		return fields{"type": "custom_emoji", "custom_emoji_id": id}
	}
	if r == PaidReaction {
		return fields{"type": "paid"}
	}
	return fields{"type": "emoji", "emoji": string(r)}
}

func reactionList(reactions []Reaction) []fields {
	list := []fields{}
	for _, r := range reactions {
		list = append(list, r.object())
	}
	return list
}

// only is the list of this one, none if it is empty.
func only(emoji string) []Reaction {
	if emoji == "" {
		return nil
	}
	return []Reaction{Reaction(emoji)}
}

// React sets one's reaction to a message of the private chat; "" removes it.
func (t *Telegram) React(user int64, msg int, emoji string) {
	t.ReactWith(user, msg, only(emoji)...)
}

// ReactWith sets all of one's reactions to a message of the private chat; none removes them.
func (t *Telegram) ReactWith(user int64, msg int, reactions ...Reaction) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reacts(t.private(user), msg, t.person(user), reactions)
}

// ReactPost sets a member's reaction to a message in the group; "" removes it.
func (t *Telegram) ReactPost(user int64, msg int, emoji string) {
	t.ReactPostWith(user, msg, only(emoji)...)
}

// ReactPostWith sets all of a member's reactions to a message in the group; none removes them.
func (t *Telegram) ReactPostWith(user int64, msg int, reactions ...Reaction) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reacts(t.group, msg, t.inGroup(user).person, reactions)
}

// ReactPostAnonymously sets the reaction of an administrator who hides behind the group.
func (t *Telegram) ReactPostAnonymously(msg int, emoji string) {
	t.ReactPostAnonymouslyWith(msg, only(emoji)...)
}

// ReactPostAnonymouslyWith sets all of the reactions of an administrator who hides behind the group.
func (t *Telegram) ReactPostAnonymouslyWith(msg int, reactions ...Reaction) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reacts(t.group, msg, nil, reactions)
}

// reacts tells the bot of reactions; those by nobody are an anonymous administrator's.
func (t *Telegram) reacts(c *chat, msg int, who *Person, reactions []Reaction) {
	m := c.message(msg)
	if m == nil {
		return
	}
	id := c.id
	body := fields{"chat": chatObject(c), "message_id": msg, "date": t.now().Unix()}
	if who != nil {
		id = who.ID
		body["user"] = user(who)
	} else {
		body["actor_chat"] = chatObject(c)
	}
	old := m.react(id, reactions)
	if slices.Equal(old, reactions) || !c.tellsReactions() {
		return
	}
	body["old_reaction"], body["new_reaction"] = reactionList(old), reactionList(reactions)
	t.tell("message_reaction", "reaction:"+number(c.id), body)
}

// tellsReactions says whether the bot is told of reactions here: in a group only administrators are.
func (c *chat) tellsReactions() bool { return c.person != nil || c.standing() == "administrator" }

// react sets somebody's reactions and returns those they had.
func (m *message) react(id int64, reactions []Reaction) (old []Reaction) {
	old = m.reactions[id]
	if m.reactions == nil {
		m.reactions = map[int64][]Reaction{}
	}
	m.reactions[id] = slices.Clone(reactions)
	if len(reactions) == 0 {
		delete(m.reactions, id)
	}
	return old
}

// shows says whether anybody reacted so.
func (m *message) shows(r Reaction) bool {
	for _, theirs := range m.reactions {
		if slices.Contains(theirs, r) {
			return true
		}
	}
	return false
}

// reactionsSeen are the reactions by who gave them, several separated by spaces.
func (m *message) reactionsSeen() map[int64]string {
	seen := make(map[int64]string, len(m.reactions))
	for id, reactions := range m.reactions {
		words := make([]string, 0, len(reactions))
		for _, r := range reactions {
			words = append(words, string(r))
		}
		seen[id] = strings.Join(words, " ")
	}
	return seen
}
