package bot_test

import (
	"testing"
	"time"

	"hodor/internal/emulator"
)

// Reactions are shown on the other side: the last one, once it has stood for a second.

// reacts is the time in which a reaction is gathered.
const reacts = 1100 * time.Millisecond

// react lets what was reacted be shown.
func (w *world) react() {
	w.t.Helper()
	w.intake()
	w.clock.Advance(reacts)
	w.settle()
}

// wantReaction is what the bot shows under the one message that begins so; "" is nothing.
func (w *world) wantReaction(list []emulator.Message, head, want string) {
	w.t.Helper()
	if got := w.message(list, head).Reactions[w.tg.BotID()]; got != want {
		w.t.Fatalf("under %q the bot shows %q, want %q", head, got, want)
	}
}

// wantNoReactionCalls is that nothing was even tried.
func (w *world) wantNoReactionCalls() {
	w.t.Helper()
	w.wantTried("setMessageReaction", 0)
	w.wantNothingOwed()
}

// spoken is a world in which both sides have said something: "hello" and "an answer".
func spoken(t testing.TB, change ...func(*world)) (w *world, thread, hello, answer int) {
	t.Helper()
	w = newWorld(t, change...)
	hello = w.tg.Say(7, "hello")
	w.settle()
	thread = w.topicOf(7)
	answer = w.tg.Post(admin, thread, "an answer")
	w.settle()
	return w, thread, hello, answer
}

func TestAPersonsReactionIsShownInTheTopic(t *testing.T) {
	w, thread, hello, _ := spoken(t)
	w.tg.React(7, w.message(w.tg.Chat(7), "an answer").ID, "❤")
	w.tg.React(7, hello, "🤔")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "an answer", "❤")
	w.wantReaction(w.tg.Topic(thread), "hello", "🤔")
	w.wantDone("setMessageReaction", 2)
	w.wantNothingOwed()
}

func TestAnAdminsReactionIsShownToThePerson(t *testing.T) {
	w, thread, _, answer := spoken(t)
	w.tg.ReactPost(admin, w.message(w.tg.Topic(thread), "hello").ID, "👍")
	w.tg.ReactPost(admin2, answer, "🎉")
	w.react()
	w.wantReaction(w.tg.Chat(7), "hello", "👍")
	w.wantReaction(w.tg.Chat(7), "an answer", "🎉")
	w.wantDone("setMessageReaction", 2)
	w.wantNothingOwed()
}

func TestAReactionThatIsTakenBackGoesOnTheOtherSideToo(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.tg.React(7, hello, "👍")
	w.tg.ReactPost(admin, answer, "👍")
	w.react()
	w.tg.React(7, hello, "")
	w.tg.ReactPost(admin, answer, "")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "")
	w.wantReaction(w.tg.Chat(7), "an answer", "")
	w.wantDone("setMessageReaction", 4)
	w.wantNothingOwed()
}

// Who tries several makes one call of it; what comes later is shown later.
func TestQuickChangesOfAReactionAreOneCallForTheLast(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	for _, emoji := range []string{"👍", "👎", "", "🔥"} {
		w.tg.React(7, hello, emoji)
		w.tg.ReactPost(admin, answer, emoji)
		w.settle()
	}
	w.wantDone("setMessageReaction", 0)
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "🔥")
	w.wantReaction(w.tg.Chat(7), "an answer", "🔥")
	w.wantDone("setMessageReaction", 2)
	w.tg.React(7, hello, "🎉")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "🎉")
	w.wantDone("setMessageReaction", 3)
}

// Telegram lets a bot have one: of several the one added last is shown and, when that is taken back, the one that is left.
func TestOfSeveralReactionsTheNewestIsShown(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	step := func(want string, reactions ...emulator.Reaction) {
		t.Helper()
		w.tg.ReactWith(7, hello, reactions...)
		w.tg.ReactPostWith(admin, answer, reactions...)
		w.react()
		w.wantReaction(w.tg.Topic(thread), "hello", want)
		w.wantReaction(w.tg.Chat(7), "an answer", want)
	}
	step("👍", "👍")
	step("🔥", "👍", "🔥")
	step("❤", "❤", "👍", "🔥")
	step("🔥", "👍", "🔥")
	step("👍", "👍")
	step("")
}

// A bot cannot give them.
func TestCustomAndPaidReactionsAreIgnored(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	for _, r := range []emulator.Reaction{emulator.CustomReaction("5368324170671202286"), emulator.PaidReaction} {
		w.tg.ReactWith(7, hello, r)
		w.tg.ReactPostWith(admin, answer, r)
		w.react()
	}
	w.wantNoReactionCalls()
	w.tg.ReactWith(7, hello, emulator.CustomReaction("5368324170671202286"), "👏", emulator.PaidReaction)
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "👏")
	w.tg.ReactWith(7, hello, "👏") // only the others go
	w.react()
	w.wantDone("setMessageReaction", 1)
}

// A type of reaction that nobody knows yet is nothing to show, and keeps the others from nothing.
func TestAReactionOfAnUnknownTypeIsIgnored(t *testing.T) {
	w, thread, hello, _ := spoken(t)
	reaction := func(list string) string {
		return `{"message_reaction":{"chat":{"id":7,"type":"private"},"message_id":` + itoa(hello) + `,"user":{"id":7,"first_name":"User 7"},
			"date":1767323045,"old_reaction":[],"new_reaction":[` + list + `]}}`
	}
	w.tg.Inject(reaction(`{"type":"hologram","depth":{"of":3}}`))
	w.react()
	w.wantNoReactionCalls()
	w.tg.Inject(reaction(`{"type":"hologram","emoji":"🔥","depth":3},{"type":"emoji","emoji":"👍"}`))
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "👍")
}

// Telegram has a list of what a bot may react with.
func TestAReactionThatABotMayNotGiveIsLeftOutSilently(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.tg.React(7, hello, "🦑")
	w.tg.ReactPost(admin, answer, "🦑")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "")
	w.wantReaction(w.tg.Chat(7), "an answer", "")
	w.wantTried("setMessageReaction", 2)
	w.after(minute)
	w.wantTried("setMessageReaction", 2)
	w.wantTopic(thread, "hello", "an answer")
	w.wantChat(7, "hello", "an answer")
	w.wantGeneral()
	w.wantNothingOwed()
}

// Only the team's reactions are the desk's.
func TestReactionsOfOthersInTheGroupStayThere(t *testing.T) {
	w, thread, _, answer := spoken(t)
	w.tg.Promote(outsider) // an administrator of the group, who is not of the team
	w.tg.ReactPost(outsider, answer, "👍")
	w.tg.ReactPost(7, answer, "👍") // not even the person themselves, from here
	w.tg.ReactPostAnonymously(w.message(w.tg.Topic(thread), "hello").ID, "👍")
	w.react()
	w.wantNoReactionCalls()
	w.wantTopic(thread, "hello", "an answer") // and nobody is told of it
}

func TestReactionsOfTheGroupsAdministratorsAreShownIfTheyAreTeam(t *testing.T) {
	w, thread, _, answer := spoken(t, withGroupAdmins)
	w.tg.Promote(outsider)
	w.tg.ReactPost(outsider, answer, "👍")
	w.tg.ReactPostAnonymously(w.message(w.tg.Topic(thread), "hello").ID, "🔥")
	w.react()
	w.wantReaction(w.tg.Chat(7), "an answer", "👍")
	w.wantReaction(w.tg.Chat(7), "hello", "🔥")
	w.tg.Demote(outsider)
	w.tg.ReactPost(outsider, answer, "👎")
	w.react()
	w.wantReaction(w.tg.Chat(7), "an answer", "👍")
}

// Two of the team react to the same message: the bot has one reaction, and the last change decides.
func TestOfTwoAdminsTheLastChangeDecides(t *testing.T) {
	w, _, _, answer := spoken(t)
	w.tg.ReactPost(admin, answer, "👍")
	w.settle()
	w.tg.ReactPost(admin2, answer, "🔥")
	w.react()
	w.wantReaction(w.tg.Chat(7), "an answer", "🔥")
	w.wantDone("setMessageReaction", 1)
	w.tg.ReactPost(admin, answer, "🎉")
	w.react()
	w.wantReaction(w.tg.Chat(7), "an answer", "🎉")
	w.tg.ReactPost(admin2, answer, "")
	w.react()
	w.wantReaction(w.tg.Chat(7), "an answer", "")
}

// Nothing of a banned person reaches the team, and the team's reactions reach them as its messages do.
func TestABannedPersonsReactionIsNotShown(t *testing.T) {
	w, thread, hello, answer := spoken(t)
	w.ban(7, true)
	w.settle()
	w.tg.React(7, hello, "💩")
	w.tg.ReactPost(admin, answer, "👍")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "hello", "")
	w.wantReaction(w.tg.Chat(7), "an answer", "👍")
	w.wantDone("setMessageReaction", 1)
	w.wantChat(7, "hello", "an answer") // without a word
	w.wantTopic(thread, "hello", "an answer")
}

// An admin's reaction is nothing to tell anybody about when it cannot be shown; but that the person is gone is known from then on.
func TestAReactionToSomebodyWhoBlockedTheBotMarksThemAndSaysNothing(t *testing.T) {
	w, thread, _, answer := spoken(t)
	w.tg.Block(7)
	w.tg.TakeUpdates() // we are not told
	w.tg.ReactPost(admin, answer, "👍")
	w.react()
	w.after(10 * time.Second)
	if u, _ := w.user(7); u.Unreachable == "" {
		t.Error("nobody noted that the bot is blocked")
	}
	if card := w.card(thread); !card.Edited {
		t.Error("the card does not show it")
	}
	w.wantTried("setMessageReaction", 1)
	w.wantTopic(thread, "hello", "an answer")
	w.wantGeneral()
	w.wantNothingOwed()
}

// Telegram shows a bot's reaction to any item of an album under its first.
func TestAReactionToAnItemOfAnAlbumIsShownUnderTheAlbum(t *testing.T) {
	w, thread := met(t)
	theirs := w.tg.Album(7, emulator.Photo("their first"), emulator.Photo("their second"))
	ours := w.tg.PostAlbum(admin, thread, emulator.Photo("our first"), emulator.Photo("our second"))
	w.after(2 * time.Second)
	w.tg.React(7, w.message(w.tg.Chat(7), "our second").ID, "❤")
	w.tg.ReactPost(admin, w.message(w.tg.Topic(thread), "their first").ID, "👍")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "our first", "❤")
	w.wantReaction(w.tg.Chat(7), "their first", "👍")
	w.tg.React(7, theirs[1], "🔥")
	w.tg.ReactPost(admin, ours[0], "🎉")
	w.react()
	w.wantReaction(w.tg.Topic(thread), "their first", "🔥")
	w.wantReaction(w.tg.Chat(7), "our first", "🎉")
	for _, c := range w.callsOf("setMessageReaction") {
		if c.Params["message_id"] == "" || c.Params["message_id"] == "0" {
			t.Errorf("a reaction went to message %q", c.Params["message_id"])
		}
	}
}

// What stands on one side only has no other side to react on.
func TestReactionsToWhatWasNeverRelayedAreIgnored(t *testing.T) {
	w := newWorld(t)
	w.tg.Say(7, "/start")
	w.settle()
	thread := w.topicOf(7)
	noted := w.tg.Post(admin, thread, "// among us")
	command := w.tg.Post(admin, thread, "/help")
	talk := w.tg.Post(outsider, thread, "from an outsider")
	general := w.tg.Post(admin, 0, "in General")
	alone := w.tg.Post(admin, w.tg.OpenTopic(admin, "the kitchen"), "nobody lives here")
	w.settle()
	for _, m := range []int{noted, command, talk, general, alone, w.card(thread).ID, thread, last(t, w.tg.Topic(thread)).ID} {
		w.tg.ReactPost(admin, m, "👍")
	}
	for _, m := range w.tg.Chat(7) {
		w.tg.React(7, m.ID, "👍")
	}
	w.react()
	w.after(2 * time.Second) // they may have been of a call that was just under way
	w.wantNoReactionCalls()
}

// A stranger who never wrote has nothing to show a reaction on.
func TestAReactionOfSomebodyUnknownIsIgnored(t *testing.T) {
	w := newWorld(t)
	w.tg.Inject(`{"message_reaction":{"chat":{"id":9,"type":"private"},"message_id":1,"user":{"id":9,"first_name":"User 9"},
		"date":1767323045,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👍"}]}}`)
	w.react()
	w.wantNoReactionCalls()
	if len(w.tg.Topics()) != 0 {
		t.Error("a reaction made a topic")
	}
}

// Numbers of private chats are counted in each: a reaction there is to one's own message of that number.
func TestAReactionNeverReachesAnotherPersonsTopic(t *testing.T) {
	w, one, hello, answer := spoken(t)
	two := w.talk(8)
	w.tg.React(8, hello, "🔥") // number 1 of both
	w.tg.ReactPost(admin, w.message(w.tg.Topic(two), "hello").ID, "👍")
	w.react()
	w.wantReaction(w.tg.Topic(two), "hello", "🔥")
	w.wantReaction(w.tg.Topic(one), "hello", "")
	w.wantReaction(w.tg.Chat(8), "hello", "👍")
	w.wantReaction(w.tg.Chat(7), "hello", "")
	w.tg.ReactPost(admin, answer, "🎉")
	w.react()
	w.wantReaction(w.tg.Chat(7), "an answer", "🎉")
	w.wantDone("setMessageReaction", 3)
}
