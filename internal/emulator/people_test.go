package emulator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"
)

func TestAlbumsComePieceByPiece(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	asked, posted := d.Say(7, "?"), d.Post(9, thread, "!")
	d.told()
	d.Send(7, Photo("first").InAlbum("a"))
	d.Post(9, thread, "between")
	d.now = d.now.Add(time.Hour)
	late := d.ReplyWith(7, asked, Photo("late").InAlbum("a"))
	d.PostReplyWith(9, thread, posted, Video("").InAlbum("b"))
	d.PostAnonymousReplyWith(thread, 0, Video("").InAlbum("b"))
	updates := d.told()
	equal(t, "first", updates[0].Message.MediaGroupID, "a")
	equal(t, "late", updates[2].Message.MediaGroupID, "a")
	equal(t, "late reply", updates[2].Message.ReplyToMessage.ID, asked)
	equal(t, "posted", updates[3].Message.MediaGroupID, "b")
	equal(t, "anonymous", updates[4].Message.MediaGroupID+" "+updates[4].Message.From.Username, "b GroupAnonymousBot")
	equal(t, "one album", d.Chat(7)[1].GroupID, d.Chat(7)[2].GroupID)

	d.EditText(7, late, "new", models.MessageEntity{Type: "bold", Length: 3})
	edited := d.told()[0].EditedMessage
	equal(t, "edited member", edited.MediaGroupID+" "+edited.Caption, "a new")
	equal(t, "formatted", edited.CaptionEntities[0].Type, models.MessageEntityTypeBold)
}

func TestAlbumsMayBeReplies(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	asked, posted := d.Say(7, "?"), d.Post(9, thread, "!")
	d.told()
	d.AlbumReply(7, asked, Photo(""), Photo(""))
	d.PostAlbumReply(9, thread, posted, Photo(""), Photo(""))
	for i, u := range d.told() {
		equal(t, "reply", u.Message.ReplyToMessage.ID, []int{asked, asked, posted, posted}[i])
		equal(t, "album", u.Message.MediaGroupID != "", true)
	}
}

func TestEditsKeepWhoAndWhich(t *testing.T) {
	d := newDesk(t)
	thread := d.newTopic("Ann")
	hidden := d.PostAnonymously(thread, "psst")
	photo := d.Send(7, Photo("one"))
	d.told()
	d.EditPost(0, hidden, "psst!")
	edited := d.told()[0].EditedMessage
	equal(t, "anonymous", edited.SenderChat.ID, d.Group())
	equal(t, "thread", edited.MessageThreadID, thread)

	file := d.Chat(7)[0].File
	d.EditText(7, photo, "two")
	equal(t, "same file", d.Chat(7)[0].File, file)
	d.EditContent(7, photo, Photo("two"))
	equal(t, "another file", d.Chat(7)[0].File != file && file != "", true)
}

func TestEditsThatNobodySees(t *testing.T) {
	d := newDesk(t)
	said, posted := d.Say(7, "hi"), d.Post(9, 0, "ho")
	mine := int(d.ok("sendMessage", "chat_id", 7, "text", "x")["message_id"].(float64))
	d.told()
	d.Touch(7, said)
	d.TouchPost(posted)
	d.Touch(7, mine)
	d.Touch(7, 99)
	updates := d.told()
	equal(t, "told", len(updates), 2)
	equal(t, "same", updates[0].EditedMessage.Text+updates[1].EditedMessage.Text, "hiho")
	equal(t, "edit date", updates[0].EditedMessage.EditDate, 0)
	equal(t, "seen", d.Chat(7)[0].Edited, false)

	live := d.Send(7, Location().Live(time.Hour))
	d.told()
	d.Move(7, live, 1.5, 2.5)
	at := d.told()[0].EditedMessage.Location
	equal(t, "moved", fmt.Sprint(at.Latitude, at.Longitude, at.LivePeriod), "1.5 2.5 3600")
	d.MovePost(d.PostContent(9, 0, Location().Live(time.Hour)), 3, 4)
	equal(t, "moved in the group", d.told()[1].EditedMessage.Location.Latitude, 3)
}

func TestVotesAreEditsOfAPersonsPoll(t *testing.T) {
	d := newDesk(t)
	theirs := d.Send(7, Poll())
	d.ok("copyMessage", "chat_id", d.Group(), "from_chat_id", 7, "message_id", theirs)
	d.ok("sendPoll", "chat_id", d.Group(), "question", "?", "options", `[{"text":"a"},{"text":"b"}]`)
	d.told()
	votes := func(p *models.Poll) string {
		return fmt.Sprint(p.Options[0].VoterCount, p.Options[1].VoterCount, p.TotalVoterCount)
	}
	for _, c := range []struct {
		option int
		want   string
	}{{1, "0 1 1"}, {0, "1 0 1"}, {-1, "0 0 0"}} {
		d.Vote(7, theirs, c.option)
		d.Vote(7, theirs, c.option)
		updates := d.told()
		equal(t, "told once", len(updates), 1)
		equal(t, "votes", votes(updates[0].EditedMessage.Poll), c.want)
	}
	general := d.General()
	d.VotePost(9, general[0].ID, 0)
	equal(t, "a copy is still theirs", d.Updates(), 0)
	d.VotePost(9, general[1].ID, 0)
	d.VotePost(10, general[1].ID, 1)
	equal(t, "the bot's own", votes(d.told()[1].Poll), "1 1 2")
}

func TestReactionsOfAllTypes(t *testing.T) {
	d := newDesk(t)
	said, posted := d.Say(7, "hi"), d.Post(9, 0, "ho")
	d.told()
	types := func(list []models.ReactionType) string {
		var names []string
		for _, r := range list {
			names = append(names, string(r.Type))
		}
		return strings.Join(names, " ")
	}
	next := func(old, new string) *models.MessageReactionUpdated {
		t.Helper()
		u := d.told()[0].MessageReaction
		equal(t, "old", types(u.OldReaction), old)
		equal(t, "new", types(u.NewReaction), new)
		return u
	}
	d.ReactWith(7, said, "👍", CustomReaction("5368"))
	u := next("", "emoji custom_emoji")
	equal(t, "who", u.User.ID, 7)
	equal(t, "custom emoji", u.NewReaction[1].ReactionTypeCustomEmoji.CustomEmojiID, "5368")
	equal(t, "seen", d.Chat(7)[0].Reactions[7], "👍 custom:5368")
	d.ReactWith(7, said, "👍", CustomReaction("5368"))
	equal(t, "nothing new", d.Updates(), 0)
	d.React(7, said, "🔥")
	next("emoji custom_emoji", "emoji")
	d.ReactPostWith(9, posted, PaidReaction, "🔥")
	equal(t, "message", next("", "paid emoji").MessageID, posted)
	d.ReactPostAnonymouslyWith(posted, "👍", "🔥")
	u = next("", "emoji emoji")
	equal(t, "anonymous", u.User == nil && u.ActorChat.ID == d.Group(), true)
	d.ReactPostAnonymously(posted, "")
	next("emoji emoji", "")

	d.SetRight("can_send", false)
	d.told()
	d.ReactPost(9, posted, "👎")
	equal(t, "told although no administrator", d.Updates(), 0)
	equal(t, "seen all the same", d.General()[0].Reactions[9], "👎")
}

func TestTheBotReacts(t *testing.T) {
	d := newDesk(t)
	album := d.Album(7, Photo(""), Photo(""))
	d.ReactWith(7, album[0], CustomReaction("1"))
	d.told()
	react := func(reactions string) envelope {
		return d.call("setMessageReaction", "chat_id", 7, "message_id", album[1], "reaction", reactions)
	}
	for _, c := range []struct{ reactions, want string }{
		{`[{"type":"emoji","emoji":"👍"},{"type":"emoji","emoji":"🔥"}]`, "Bad Request: REACTIONS_TOO_MANY"},
		{`[{"type":"emoji","emoji":"🥑"}]`, "Bad Request: REACTION_INVALID"},
		{`[{"type":"custom_emoji","custom_emoji_id":"2"}]`, "Bad Request: REACTION_INVALID"},
		{`[{"type":"paid"}]`, "Bad Request: REACTION_INVALID"},
		{`[{"type":"custom_emoji","custom_emoji_id":"1"}]`, ""},
	} {
		equal(t, c.reactions, react(c.reactions).Description, c.want)
	}
	equal(t, "on the album's first", d.Chat(7)[0].Reactions[d.BotID()], "custom:1")
	equal(t, "taken away", react(`[]`).OK, true)
	equal(t, "none left", len(d.Chat(7)[0].Reactions), 1)
	equal(t, "told", d.Updates(), 0)
	d.refused("Bad Request: message to react not found", "setMessageReaction", "chat_id", 7, "message_id", 99)
}

func TestWhatABlockedBotMayDo(t *testing.T) {
	d := newDesk(t)
	said := d.Say(7, "hi")
	mine := int(d.ok("sendPhoto", "chat_id", 7, "photo", "https://x/a.jpg")["message_id"].(float64))
	d.Block(7)
	const blocked = "Forbidden: bot was blocked by the user"
	d.refused(blocked, "setMessageReaction", "chat_id", 7, "message_id", said)
	d.refused(blocked, "editMessageCaption", "chat_id", 7, "message_id", mine, "caption", "x")
	d.refused(blocked, "editMessageReplyMarkup", "chat_id", 7, "message_id", mine)
	d.refused("Bad Request: message to edit not found", "editMessageText", "chat_id", 7, "message_id", 99, "text", "x")
	d.refused("Bad Request: message to react not found", "setMessageReaction", "chat_id", 7, "message_id", 99)
	d.ok("deleteMessage", "chat_id", 7, "message_id", mine)
	d.ok("deleteMessages", "chat_id", 7, "message_ids", []int{said, mine})
	equal(t, "left", len(d.Chat(7)), 0)
}

func TestPeoplesQuotes(t *testing.T) {
	d := newDesk(t)
	said := d.Send(7, TextWith("one two", models.MessageEntity{Type: "bold", Offset: 2, Length: 3}))
	d.ReplyWith(7, said, Text("?").Quoting("two"))
	quote := d.told()[1].Message.Quote
	equal(t, "position", quote.Position, 4)
	if want := []models.MessageEntity{{Type: "bold", Length: 1}}; !slices.Equal(quote.Entities, want) {
		t.Errorf("entities: %+v, want %+v", quote.Entities, want)
	}
	equal(t, "seen", d.Chat(7)[1].Quote, "two")
}
