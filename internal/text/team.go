package text

import "hodor/internal/desk"

// What the team reads in topics and in General.

// FailedAbout is the heading, in General, above one of the other Failed texts, which there lack a message to reply to.
func FailedAbout(name string, user desk.UserID) desk.Text {
	return desk.Text{Key: "failed_about", Args: args("Name", name, "ID", id(user))}
}

// FailedEdit is the heading above one of the other Failed texts when it was the change of a message that did not arrive.
func FailedEdit() desk.Text { return desk.Text{Key: "failed_edit"} }

// FailedBlocked: the person has blocked the bot.
func FailedBlocked() desk.Text { return desk.Text{Key: "failed_blocked"} }

// FailedDeactivated: the person's account is gone.
func FailedDeactivated() desk.Text { return desk.Text{Key: "failed_deactivated"} }

// FailedNotStarted: the bot may not begin a conversation with this person.
func FailedNotStarted() desk.Text { return desk.Text{Key: "failed_not_started"} }

// FailedVoiceForbidden: the person's privacy settings refuse voice and video messages.
func FailedVoiceForbidden() desk.Text { return desk.Text{Key: "failed_voice_forbidden"} }

// FailedCannotCopy: Telegram copies no message of this kind, by the Bot API's name.
func FailedCannotCopy(kind string) desk.Text {
	return desk.Text{Key: "failed_cannot_copy", Args: args("Kind", kind)}
}

// FailedAttempts: given up after so many tries.
func FailedAttempts(tries int) desk.Text { return desk.Text{Key: "failed_attempts", Count: tries} }

// FailedUncertain: the answer was lost, and nobody knows whether the message arrived.
func FailedUncertain() desk.Text { return desk.Text{Key: "failed_uncertain"} }

// FailedOther: refused for a reason that we have no words for; reason is Telegram's own.
func FailedOther(reason string) desk.Text {
	return desk.Text{Key: "failed_other", Args: args("Reason", reason)}
}

// LineNotShown stands in a topic in place of a person's message that could not be carried there.
func LineNotShown(kind, reason string) desk.Text {
	return desk.Text{Key: "line_not_shown", Args: args("Kind", kind, "Reason", reason)}
}

// NoPerson answers in a topic that no person has.
func NoPerson() desk.Text { return desk.Text{Key: "no_person"} }

// TopicNotReady answers a message in a topic whose person is not known yet.
func TopicNotReady() desk.Text { return desk.Text{Key: "topic_not_ready"} }

// TopicClosed answers a message written in a closed topic.
func TopicClosed() desk.Text { return desk.Text{Key: "topic_closed"} }

// AdminsOnly answers a command of somebody who is not of the team.
func AdminsOnly() desk.Text { return desk.Text{Key: "admins_only"} }

// AnonymousNotAllowed answers an anonymous administrator who may not answer people.
func AnonymousNotAllowed() desk.Text { return desk.Text{Key: "anonymous_not_allowed"} }

// UnknownCommand answers a command there is not.
func UnknownCommand() desk.Text { return desk.Text{Key: "unknown_command"} }

// RiskReminder reminds the team that the person is marked as a risk.
func RiskReminder(name string) desk.Text {
	return desk.Text{Key: "risk_reminder", Args: args("Name", name)}
}

// BannedReminder reminds an admin that the person he writes to is banned.
func BannedReminder(name string) desk.Text {
	return desk.Text{Key: "banned_reminder", Args: args("Name", name)}
}

// EditNotPassedOn answers an edit that turned a message, which the person has, into a command or talk among the team.
func EditNotPassedOn() desk.Text { return desk.Text{Key: "edit_not_passed_on"} }

// DelHow answers a /del that replies to nothing.
func DelHow() desk.Text { return desk.Text{Key: "del_how"} }

// DelUnknown answers a /del of what stands on no other side.
func DelUnknown() desk.Text { return desk.Text{Key: "del_unknown"} }

// DelTooOld answers a /del of what Telegram lets nobody remove from the person's chat any more.
func DelTooOld() desk.Text { return desk.Text{Key: "del_too_old"} }

// DelRefused answers a /del that Telegram refuses; reason is its own.
func DelRefused(reason string) desk.Text {
	return desk.Text{Key: "del_refused", Args: args("Reason", reason)}
}

// DelMaybeArrived answers a /del of what will not be sent again, but may have arrived before.
func DelMaybeArrived() desk.Text { return desk.Text{Key: "del_maybe_arrived"} }

// DelHereNot tells that what is gone from the person's chat stays in the topic.
func DelHereNot() desk.Text { return desk.Text{Key: "del_here_not"} }

// DelUncertain answers a /del of which nobody knows whether Telegram has done it.
func DelUncertain() desk.Text { return desk.Text{Key: "del_uncertain"} }

// AlbumStays answers the edit of an item whose album was not passed on.
func AlbumStays() desk.Text { return desk.Text{Key: "album_stays"} }

// HelpHead is the first line of the answer to /help.
func HelpHead() desk.Text { return desk.Text{Key: "help_head"} }

// HelpDel is the line about /del.
func HelpDel() desk.Text { return desk.Text{Key: "help_del"} }

// HelpHelp is the line about /help.
func HelpHelp() desk.Text { return desk.Text{Key: "help_help"} }

// HelpTeamTalk is the line about messages that begin with //.
func HelpTeamTalk() desk.Text { return desk.Text{Key: "help_team_talk"} }

// HelpPlain is the line about every other message in a topic.
func HelpPlain() desk.Text { return desk.Text{Key: "help_plain"} }

// MenuDel describes /del in Telegram's menu of commands.
func MenuDel() desk.Text { return desk.Text{Key: "menu_del"} }

// MenuHelp describes /help in Telegram's menu of commands.
func MenuHelp() desk.Text { return desk.Text{Key: "menu_help"} }

// ForumOff tells the group that its topics are switched off and messages wait.
func ForumOff() desk.Text { return desk.Text{Key: "forum_off"} }

// TopicsVanishing tells General that so many topics vanished at once that nothing is sent into topics any more.
func TopicsVanishing() desk.Text { return desk.Text{Key: "topics_vanishing"} }

// GroupMigrated tells General the new id of the group.
func GroupMigrated(group desk.ChatID) desk.Text {
	return desk.Text{Key: "group_migrated", Args: args("ID", id(group))}
}

// UpdateFailed tells General that an update was given up.
func UpdateFailed(update desk.UpdateID) desk.Text {
	return desk.Text{Key: "update_failed", Args: args("ID", id(update))}
}

// TopicGoneTwice tells General that a person's topic vanished twice while one message was delivered.
func TopicGoneTwice(name string, user desk.UserID) desk.Text {
	return desk.Text{Key: "topic_gone_twice", Args: args("Name", name, "ID", id(user))}
}
