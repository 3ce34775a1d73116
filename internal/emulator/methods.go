package emulator

import "strings"

// What every send takes besides its content.
const (
	sends    = "chat_id message_thread_id disable_notification protect_content allow_paid_broadcast message_effect_id reply_parameters reply_markup "
	captions = "caption parse_mode caption_entities show_caption_above_media "
	parcels  = "chat_id message_thread_id from_chat_id disable_notification protect_content "
	edits    = "chat_id message_id reply_markup "
	topical  = "chat_id message_thread_id "
)

// methods are the methods that are modelled, by their names in lower case, as the server looks them up.
var methods = map[string]*method{}

func model(name, params string, do func(*Telegram, *params) (any, *refusal)) *method {
	m := &method{name: name, params: map[string]bool{}, do: do}
	for p := range strings.FieldsSeq(params) {
		m.params[p] = true
	}
	methods[strings.ToLower(name)] = m
	return m
}

func init() {
	model("getMe", "", getMe)
	model("getUpdates", "offset limit timeout allowed_updates", nil).waits = getUpdates
	model("setWebhook", "url ip_address max_connections allowed_updates drop_pending_updates secret_token", setWebhook)
	model("deleteWebhook", "drop_pending_updates", deleteWebhook)
	model("getWebhookInfo", "", getWebhookInfo)
	model("setMyCommands", "commands scope language_code", setMyCommands)
	model("deleteMyCommands", "scope language_code", deleteMyCommands)
	model("getMyCommands", "scope language_code", getMyCommands)
	model("getChat", "chat_id", getChat)
	model("getChatMember", "chat_id user_id", getChatMember)
	model("getChatAdministrators", "chat_id", getChatAdministrators)

	model("createForumTopic", "chat_id name icon_color icon_custom_emoji_id", createForumTopic)
	model("editForumTopic", topical+"name icon_custom_emoji_id", editForumTopic)
	model("closeForumTopic", topical, closeForumTopic)
	model("reopenForumTopic", topical, reopenForumTopic)
	model("deleteForumTopic", topical, deleteForumTopic)
	model("unpinAllForumTopicMessages", topical, unpinAllForumTopicMessages)

	model("sendMessage", sends+"text parse_mode entities link_preview_options", sending(buildText))
	model("sendPhoto", sends+captions+"photo has_spoiler", sending(buildMedia("photo")))
	model("sendVideo", sends+captions+"video duration width height has_spoiler supports_streaming", sending(buildMedia("video")))
	model("sendAnimation", sends+captions+"animation duration width height has_spoiler", sending(buildMedia("animation")))
	model("sendAudio", sends+"audio caption parse_mode caption_entities duration performer title", sending(buildMedia("audio")))
	model("sendDocument", sends+"document caption parse_mode caption_entities disable_content_type_detection", sending(buildMedia("document")))
	model("sendVoice", sends+"voice caption parse_mode caption_entities duration", sending(buildMedia("voice")))
	model("sendVideoNote", sends+"video_note duration length", sending(buildMedia("video_note")))
	model("sendSticker", sends+"sticker emoji", sending(buildMedia("sticker")))
	model("sendContact", sends+"phone_number first_name last_name vcard", sending(buildContact))
	model("sendLocation", sends+"latitude longitude horizontal_accuracy live_period heading proximity_alert_radius", sending(buildLocation))
	model("sendVenue", sends+"latitude longitude title address foursquare_id foursquare_type google_place_id google_place_type", sending(buildVenue))
	model("sendPoll", sends+"question options is_anonymous type allows_multiple_answers correct_option_ids", sending(buildPoll))
	model("sendDice", sends+"emoji", sending(buildDice))
	model("sendMediaGroup", strings.Replace(sends, "reply_markup", "", 1)+"media", sendMediaGroup)

	model("copyMessage", sends+captions+"from_chat_id message_id", copyMessage)
	model("copyMessages", parcels+"message_ids remove_caption", copyMessages)
	model("forwardMessage", parcels+"message_id message_effect_id", forwardMessage)
	model("forwardMessages", parcels+"message_ids", forwardMessages)

	model("editMessageText", edits+"text parse_mode entities link_preview_options", editMessageText)
	model("editMessageCaption", edits+captions, editMessageCaption)
	model("editMessageMedia", edits+"media", editMessageMedia)
	model("editMessageReplyMarkup", edits, editMessageReplyMarkup)
	model("deleteMessage", "chat_id message_id", deleteMessage)
	model("deleteMessages", "chat_id message_ids", deleteMessages)
	model("pinChatMessage", "chat_id message_id disable_notification", pinChatMessage)
	model("unpinChatMessage", "chat_id message_id", unpinChatMessage)
	model("setMessageReaction", "chat_id message_id reaction is_big", setMessageReaction)
	model("answerCallbackQuery", "callback_query_id text show_alert cache_time", answerCallbackQuery)
	model("sendChatAction", topical+"action", sendChatAction)
}
