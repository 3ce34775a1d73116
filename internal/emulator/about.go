package emulator

import (
	"cmp"
	"slices"
)

// What the bot may ask about itself, chats and people.

func getMe(t *Telegram, _ *params) (any, *refusal) {
	me := user(t.bot)
	me["can_join_groups"] = true
	for _, can := range []string{
		"can_read_all_group_messages", "supports_guest_queries", "supports_inline_queries", "can_connect_to_business",
		"has_main_web_app", "has_topics_enabled", "allows_users_to_create_topics", "can_manage_bots", "supports_join_request_queries",
	} {
		me[can] = false
	}
	return me, nil
}

func getChat(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	if c.person != nil && !c.started {
		return nil, bad("chat not found")
	}
	info := chatObject(c)
	info["accent_color_id"] = 0
	info["max_reaction_count"] = 11
	info["accepted_gift_types"] = fields{
		"unlimited_gifts": false, "limited_gifts": false, "unique_gifts": false, "premium_subscription": false,
		"gifts_from_channels": false,
	}
	if c.person != nil {
		if c.noVoice {
			info["has_restricted_voice_and_video_messages"] = true
		}
		return info, nil
	}
	allowed := fields{}
	for _, permission := range permissions {
		allowed[permission] = true
	}
	info["permissions"] = allowed
	return info, nil
}

func getChatMember(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	who := t.people[p.int64("user_id")]
	if who == nil {
		return nil, bad("user not found")
	}
	if c.person != nil {
		return fields{"user": user(who), "status": "member"}, nil
	}
	return t.member(c, who), nil
}

// getChatAdministrators lists the owner, the administrators and the bot itself, in the order of their ids. Other bots are left
// out, as Telegram does unless asked for them.
func getChatAdministrators(t *Telegram, p *params) (any, *refusal) {
	c, refused := t.chatOf(p, "chat_id")
	if refused != nil {
		return nil, refused
	}
	if c.person != nil {
		return nil, bad("there are no administrators in the private chat")
	}
	list := []fields{}
	for id, status := range c.members {
		who := t.person(id)
		if (status == "creator" || status == "administrator") && (!who.IsBot || who == t.bot) {
			list = append(list, t.member(c, who))
		}
	}
	slices.SortFunc(list, func(a, b fields) int {
		return cmp.Compare(a["user"].(fields)["id"].(int64), b["user"].(fields)["id"].(int64))
	})
	return list, nil
}
