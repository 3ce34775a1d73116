package emulator

import "slices"

// The accounts behind which Telegram hides people in groups.
var (
	groupAnonymousBot = &Person{ID: 1087968824, IsBot: true, FirstName: "Group", Username: "GroupAnonymousBot"}
	channelBot        = &Person{ID: 136817688, IsBot: true, FirstName: "Channel", Username: "Channel_Bot"}
)

// Join makes a person a member of the support group. Who is in it already stays what they are.
func (t *Telegram) Join(user int64) { t.become(user, "member", user, "left") }

// Promote makes a person an administrator of the support group. The owner stays its owner.
func (t *Telegram) Promote(user int64) { t.become(user, "administrator", OwnerID, "left", "member") }

// Demote makes an administrator a member again. The owner can't be demoted.
func (t *Telegram) Demote(user int64) { t.become(user, "member", OwnerID, "administrator") }

// Leave makes a person leave the support group. The owner stays.
func (t *Telegram) Leave(user int64) { t.become(user, "left", user, "member", "administrator") }

// become changes the status of a person who has one of those named last.
func (t *Telegram) become(user int64, status string, by int64, from ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if user == t.bot.ID {
		panic("emulator: the bot's own standing is changed by SetRight, Kick and Readmit")
	}
	if slices.Contains(from, t.group.status(user)) {
		t.setStatus(user, status, t.person(by))
	}
}

// setStatus changes what a person is in the group. The bot is told only while it is an administrator.
func (t *Telegram) setStatus(user int64, status string, by *Person) {
	c, who := t.group, t.person(user)
	was := t.member(c, who)
	c.members[user] = status
	if c.standing() == "administrator" {
		t.tellMembership("chat_member", c, by, was, t.member(c, who))
	}
}

// Post writes a text into a topic of the support group, or with thread 0 into General. Whoever posts is a member from then on.
func (t *Telegram) Post(user int64, thread int, text string) int {
	return t.PostContent(user, thread, Text(text))
}

// PostContent writes anything into a topic.
func (t *Telegram) PostContent(user int64, thread int, content Content) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(t.group, t.placed(thread), 0, t.inGroup(user), content)
}

// PostReply answers a message in a topic.
func (t *Telegram) PostReply(user int64, thread, to int, text string) int {
	return t.PostReplyWith(user, thread, to, Text(text))
}

// PostReplyWith answers a message in a topic with anything.
func (t *Telegram) PostReplyWith(user int64, thread, to int, content Content) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(t.group, t.placed(thread), to, t.inGroup(user), content)
}

// PostAnonymously writes as an administrator who hides behind the group.
func (t *Telegram) PostAnonymously(thread int, text string) int {
	return t.PostAnonymousReply(thread, 0, text)
}

// PostAnonymousReply is PostAnonymously in reply to a message.
func (t *Telegram) PostAnonymousReply(thread, to int, text string) int {
	return t.PostAnonymousReplyWith(thread, to, Text(text))
}

// PostAnonymousReplyWith is PostAnonymousReply with anything; to 0 is no reply.
func (t *Telegram) PostAnonymousReplyWith(thread, to int, content Content) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(t.group, t.placed(thread), to, t.anonymous(), content)
}

func (t *Telegram) anonymous() author {
	return author{person: groupAnonymousBot, senderChat: chatObject(t.group), signature: "admin"}
}

// PostAsChannel writes as a channel that somebody owns.
func (t *Telegram) PostAsChannel(thread int, text string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(t.group, t.placed(thread), 0, author{person: channelBot, senderChat: aChannel}, Text(text))
}

// inGroup is a person who acts in the group. Whoever was never told of seems to have been in it before the bot came; of who had
// left the bot is told that they are back.
func (t *Telegram) inGroup(user int64) author {
	switch t.group.members[user] {
	case "":
		t.group.members[user] = "member"
	case "left":
		t.setStatus(user, "member", t.person(user))
	}
	return t.as(user)
}

// placed is where a post really lands: without topics everything lands in the common chat.
func (t *Telegram) placed(thread int) int {
	if !t.group.forum {
		return 0
	}
	if thread != 0 && t.group.live(thread) == nil {
		panic("emulator: nobody can post into topic " + number(int64(thread)) + ": there is none")
	}
	return thread
}

// PressAnonymously presses a button in the group as an administrator who hides behind it.
func (t *Telegram) PressAnonymously(msg int, data string) (queryID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.press(groupAnonymousBot, t.group, t.pressed(t.group, msg), data)
}

// DeletePost deletes a message in the group. Telegram tells bots nothing of it.
func (t *Telegram) DeletePost(msg int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.group.remove(msg)
}
