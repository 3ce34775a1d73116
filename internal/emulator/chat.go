package emulator

import (
	"slices"
	"strings"
	"time"
)

// OwnerID is the person who owns the support group. Nobody else may have this id.
const OwnerID int64 = 5000000001

// fields is a JSON object as the Bot API writes it; what is absent in Telegram is absent here.
type fields = map[string]any

// A Person is somebody with a Telegram account; the bot itself is one too.
type Person struct {
	ID                                          int64
	FirstName, LastName, Username, LanguageCode string
	IsBot                                       bool
}

// A chat is a person's private chat with the bot, or a support group.
type chat struct {
	id       int64
	person   *Person    // whose private chat it is; nil for a group
	last     int        // the newest message id ever given
	messages []*message // in order, without the deleted ones

	// of a private chat
	started, blocked, deactivated, noVoice bool

	// of a group
	forum         bool
	topics        []*topic // by thread, which is the order in which they were opened
	generalClosed bool
	kicked        bool
	muted         bool            // the bot has no write access
	rights        map[string]bool // the bot's, as administrator
	members       map[int64]string
	movedTo       int64
}

// A topic is a forum topic; its thread is the id of the service message that opened it.
type topic struct {
	thread          int
	name            string
	color           int
	emoji           string
	closed, deleted bool
	byBot           bool
}

// A message is one message of a chat.
type message struct {
	chat      *chat
	id        int
	thread    int // 0: General, or no topic at all
	author    author
	date      time.Time
	edited    time.Time
	kind      string // the Bot API's name of what it holds
	service   bool
	body      fields // never changed in place
	replyTo   int
	quote     fields
	origin    fields // forward_origin
	protected bool
	album     string
	inline    fields // its inline keyboard
	reactions map[int64][]Reaction
	votes     map[int64]int // the chosen option of a poll, by who chose it
	pinned    bool

	copiedFrom, forwardedFrom Ref
}

// An author is who a message seems to come from: a person, or somebody who hides behind a chat.
type author struct {
	person     *Person
	senderChat fields
	signature  string
}

// A Ref names a message of some chat.
type Ref struct {
	Chat    int64
	Message int
}

// botRights are what the bot may do at first, by the Bot API's names.
var botRights = []string{
	"can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members",
	"can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics",
	"can_post_stories", "can_edit_stories", "can_delete_stories",
}

func newGroup(id int64, owner, bot *Person) *chat {
	c := &chat{id: id, forum: true, last: 1, rights: map[string]bool{}, members: map[int64]string{}}
	for _, right := range botRights {
		c.rights[right] = true
	}
	c.members[owner.ID] = "creator"
	c.members[bot.ID] = "administrator"
	return c
}

// person is somebody by id, made up on first sight.
func (t *Telegram) person(id int64) *Person {
	p := t.people[id]
	if p == nil {
		p = &Person{ID: id, FirstName: "User " + number(id)}
		t.people[id] = p
	}
	return p
}

// private is a person's chat with the bot.
func (t *Telegram) private(user int64) *chat {
	c := t.chats[user]
	if c == nil {
		c = &chat{id: user, person: t.person(user)}
		t.chats[user] = c
	}
	return c
}

func (c *chat) index(id int) (int, bool) {
	return slices.BinarySearchFunc(c.messages, id, func(m *message, id int) int { return m.id - id })
}

// message is a message that is still there.
func (c *chat) message(id int) *message {
	if i, ok := c.index(id); ok {
		return c.messages[i]
	}
	return nil
}

// add puts a message at the end of the chat.
func (t *Telegram) add(c *chat, m *message) *message {
	c.last++
	m.chat, m.id, m.date = c, c.last, t.now()
	c.messages = append(c.messages, m)
	return m
}

func (c *chat) remove(id int) {
	if i, ok := c.index(id); ok {
		c.messages = slices.Delete(c.messages, i, i+1)
	}
}

// topic is a topic that was opened, deleted or not.
func (c *chat) topic(thread int) *topic {
	i, ok := slices.BinarySearchFunc(c.topics, thread, func(tp *topic, thread int) int { return tp.thread - thread })
	if !ok {
		return nil
	}
	return c.topics[i]
}

// live is a topic that can be used.
func (c *chat) live(thread int) *topic {
	if tp := c.topic(thread); tp != nil && !tp.deleted {
		return tp
	}
	return nil
}

// byBot says whether our bot wrote the message.
func (t *Telegram) byBot(m *message) bool { return m.author.person == t.bot }

// text is what a reader would read: the text or the caption, with its entities.
func (m *message) text() (string, any) {
	if text, ok := m.body["text"].(string); ok {
		return text, m.body["entities"]
	}
	caption, _ := m.body["caption"].(string)
	return caption, m.body["caption_entities"]
}

// nextID numbers what must be unique: albums, queries, polls.
func (t *Telegram) nextID(prefix string) string {
	t.serial++
	return prefix + number(int64(t.serial))
}

func cleanName(name string) string {
	runes := []rune(strings.Join(strings.Fields(name), " "))
	return string(runes[:min(len(runes), 128)])
}
