package bot

import (
	"encoding/json"
	"slices"
)

// What we read of Telegram's objects, and no more: a field that is not here cannot make an update unreadable. (The library's types
// refuse a whole message for one forward origin or reaction type that they do not know.)
type (
	wireUpdate struct {
		ID            *int64          `json:"update_id"`
		Message       json.RawMessage `json:"message"`
		Edited        json.RawMessage `json:"edited_message"`
		Reaction      json.RawMessage `json:"message_reaction"`
		CallbackQuery json.RawMessage `json:"callback_query"`
		MyChatMember  json.RawMessage `json:"my_chat_member"`
		ChatMember    json.RawMessage `json:"chat_member"`
	}

	wireUser struct {
		ID           int64  `json:"id"`
		IsBot        bool   `json:"is_bot"`
		FirstName    string `json:"first_name"`
		LastName     string `json:"last_name"`
		Username     string `json:"username"`
		LanguageCode string `json:"language_code"`
	}

	wireChat struct {
		ID      int64  `json:"id"`
		Type    string `json:"type"`
		IsForum bool   `json:"is_forum"`
	}

	wireMessage struct {
		ID            int64     `json:"message_id"`
		Thread        *int64    `json:"message_thread_id"`
		IsTopic       bool      `json:"is_topic_message"`
		Date          int64     `json:"date"`
		EditDate      int64     `json:"edit_date"`
		Chat          wireChat  `json:"chat"`
		From          *wireUser `json:"from"`
		SenderChat    *wireChat `json:"sender_chat"`
		Album         word      `json:"media_group_id"`
		ReplyTo       wireReply `json:"reply_to_message"`
		Text          string    `json:"text"`
		Caption       string    `json:"caption"`
		MigrateTo     int64     `json:"migrate_to_chat_id"`
		TopicCreated  *topic    `json:"forum_topic_created"`
		TopicEdited   *topic    `json:"forum_topic_edited"`
		TopicClosed   *struct{} `json:"forum_topic_closed"`
		TopicReopened *struct{} `json:"forum_topic_reopened"`
		Pinned        *struct{} `json:"pinned_message"`
		contents
	}

	// wireReply is a message that is replied to, as far as it can be read: none is better than no message at all.
	wireReply struct {
		ID           int64
		TopicCreated bool
	}

	// word is a string, as far as it is one.
	word string

	topic struct {
		Name string `json:"name"`
	}

	wireReaction struct {
		Chat  wireChat            `json:"chat"`
		ID    int64               `json:"message_id"`
		User  *wireUser           `json:"user"`
		Actor *wireChat           `json:"actor_chat"`
		Old   []wireReactionEmoji `json:"old_reaction"`
		New   []wireReactionEmoji `json:"new_reaction"`
	}

	// wireReactionEmoji is one reaction. Only an emoji of Telegram's list has an Emoji: a custom one has an id, a paid one nothing.
	wireReactionEmoji struct {
		Type  word `json:"type"`
		Emoji word `json:"emoji"`
	}

	wirePress struct {
		ID      string       `json:"id"`
		From    *wireUser    `json:"from"`
		Message *wireMessage `json:"message"`
		Data    string       `json:"data"`
	}

	wireMember struct {
		Chat wireChat `json:"chat"`
		From wireUser `json:"from"`
		Date int64    `json:"date"`
		New  struct {
			Status string   `json:"status"`
			User   wireUser `json:"user"`
		} `json:"new_chat_member"`
	}

	// contents are the kinds of content that a message may have; only that they are there is read.
	contents struct {
		RichMessage     present `json:"rich_message"`
		Photo           present `json:"photo"`
		LivePhoto       present `json:"live_photo"`
		Video           present `json:"video"`
		Animation       present `json:"animation"`
		Document        present `json:"document"`
		Voice           present `json:"voice"`
		VideoNote       present `json:"video_note"`
		Audio           present `json:"audio"`
		Sticker         present `json:"sticker"`
		Contact         present `json:"contact"`
		Venue           present `json:"venue"`
		Location        present `json:"location"`
		Poll            present `json:"poll"`
		Dice            present `json:"dice"`
		Story           present `json:"story"`
		Game            present `json:"game"`
		Checklist       present `json:"checklist"`
		PaidMedia       present `json:"paid_media"`
		Giveaway        present `json:"giveaway"`
		GiveawayWinners present `json:"giveaway_winners"`
		Invoice         present `json:"invoice"`
	}
)

// present is true of a field that is there and not null, whatever it holds.
type present bool

// UnmarshalJSON never fails.
func (p *present) UnmarshalJSON(b []byte) error {
	*p = string(b) != "null"
	return nil
}

// UnmarshalJSON never fails.
func (w *word) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*w = word(s)
	}
	return nil
}

// UnmarshalJSON never fails.
func (r *wireReply) UnmarshalJSON(b []byte) error {
	var m struct {
		ID           int64   `json:"message_id"`
		TopicCreated present `json:"forum_topic_created"`
	}
	if json.Unmarshal(b, &m) == nil {
		r.ID, r.TopicCreated = m.ID, bool(m.TopicCreated)
	}
	return nil
}

// kind is the Bot API's name of what the message contains; "" for a message that says something about the chat instead. An animation
// is a document as well, and a venue a location: the richer one is asked first.
func (m *wireMessage) kind(raw []byte) string {
	if m.Text != "" {
		return "text"
	}
	c := &m.contents
	for _, k := range []struct {
		name string
		has  present
	}{
		{"rich_message", c.RichMessage}, {"live_photo", c.LivePhoto}, {"photo", c.Photo}, {"video", c.Video},
		{"animation", c.Animation}, {"document", c.Document}, {"voice", c.Voice}, {"video_note", c.VideoNote}, {"audio", c.Audio},
		{"sticker", c.Sticker}, {"contact", c.Contact}, {"venue", c.Venue}, {"location", c.Location}, {"poll", c.Poll},
		{"dice", c.Dice}, {"story", c.Story}, {"game", c.Game}, {"checklist", c.Checklist}, {"paid_media", c.PaidMedia},
		{"giveaway", c.Giveaway}, {"giveaway_winners", c.GiveawayWinners}, {"invoice", c.Invoice},
	} {
		if k.has {
			return k.name
		}
	}
	return unknownKind(raw)
}

// unknownKind finds the name of a content that came after us: a field that is neither about the message nor about the chat. Relayed
// as a copy it may well work, and if not, its writer is told.
func unknownKind(raw []byte) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return ""
	}
	var names []string
	for name := range all {
		if aboutMessage[name] {
			continue
		}
		if aboutChat[name] {
			return ""
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

var aboutMessage = set("message_id", "message_thread_id", "direct_messages_topic", "from", "sender_chat", "sender_boost_count",
	"sender_business_bot", "sender_tag", "date", "guest_query_id", "business_connection_id", "chat", "forward_origin",
	"is_topic_message", "is_automatic_forward", "reply_to_message", "external_reply", "quote", "reply_to_story",
	"reply_to_checklist_task_id", "reply_to_poll_option_id", "via_bot", "guest_bot_caller_user", "guest_bot_caller_chat",
	"edit_date", "has_protected_content", "is_from_offline", "is_paid_post", "media_group_id", "author_signature",
	"paid_star_count", "text", "entities", "link_preview_options", "suggested_post_info", "effect_id", "caption",
	"caption_entities", "show_caption_above_media", "has_media_spoiler", "reply_markup", "ephemeral_message_id", "receiver_user",
	"forward_from", "forward_from_chat", "forward_from_message_id", "forward_signature", "forward_sender_name", "forward_date")

var aboutChat = set("new_chat_members", "new_chat_member", "new_chat_participant", "left_chat_member", "left_chat_participant",
	"chat_owner_left", "chat_owner_changed", "new_chat_title", "new_chat_photo", "delete_chat_photo", "group_chat_created",
	"supergroup_chat_created", "channel_chat_created", "message_auto_delete_timer_changed", "migrate_to_chat_id",
	"migrate_from_chat_id", "pinned_message", "successful_payment", "refunded_payment", "users_shared", "user_shared",
	"chat_shared", "gift", "unique_gift", "gift_upgrade_sent", "connected_website", "write_access_allowed", "passport_data",
	"proximity_alert_triggered", "boost_added", "chat_background_set", "checklist_tasks_done", "checklist_tasks_added",
	"direct_message_price_changed", "forum_topic_created", "forum_topic_edited", "forum_topic_closed", "forum_topic_reopened",
	"general_forum_topic_hidden", "general_forum_topic_unhidden", "giveaway_created", "giveaway_completed",
	"managed_bot_created", "paid_message_price_changed", "poll_option_added", "poll_option_deleted", "suggested_post_approved",
	"suggested_post_approval_failed", "suggested_post_declined", "suggested_post_paid", "suggested_post_refunded",
	"video_chat_scheduled", "video_chat_started", "video_chat_ended", "video_chat_participants_invited", "web_app_data")

func set(names ...string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, n := range names {
		s[n] = true
	}
	return s
}
