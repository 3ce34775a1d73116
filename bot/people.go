package bot

import (
	"strings"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// personWrote lets a person's message through the gates, in this order: ban, verification, rate; all of them before anything of the
// group is touched.
func (b *Bot) personWrote(tx *db.Tx, e personWrote) error {
	met, err := b.meet(tx, e.person)
	if err != nil {
		return err
	}
	chat := met.ID.PrivateChat()
	if decided, err := joinAlbum(tx, chat, e.said, toTopic); err != nil || decided {
		return err
	}
	if met.Banned {
		return b.refuse(tx, e, text.RefusedBanned())
	}
	// Here stands the verification gate, for whoever has not shown yet to be human.
	pass, err := tx.CountMessage(e.person.ID, e.at, b.rules.MaxMessagesPerMinute)
	if err != nil {
		return err
	}
	if !pass {
		return b.refuse(tx, e, text.RefusedTooFast(b.rules.MaxMessagesPerMinute))
	}
	if isStart(e.said) {
		return b.start(tx, e)
	}
	return oweRelay(tx, chat, e.copied(met.ID), toTopic)
}

// meet remembers who wrote, and lets the topic follow what is new about them.
func (b *Bot) meet(tx *db.Tx, p desk.Person) (db.Meeting, error) {
	met, err := tx.Meet(p)
	if err != nil {
		return met, err
	}
	return met, b.followPerson(tx, met)
}

// refuse tells a person that a message was not passed on; one notice speaks for all that is refused within its minute.
func (b *Bot) refuse(tx *db.Tx, e personWrote, why desk.Text) error {
	if err := refuseAlbum(tx, e.person.ID.PrivateChat(), e.said); err != nil {
		return err
	}
	won, err := tx.WinRefusal(e.person.ID)
	if err != nil || !won {
		return err
	}
	return tx.Owe(desk.Say{To: desk.UserLane(e.person.ID), Lines: []desk.Text{why}, ReplyTo: e.message, Prompt: true})
}

// start greets, and makes the topic so that the team sees who is there; the command itself is not relayed (D14–D16).
func (b *Bot) start(tx *db.Tx, e personWrote) error {
	if err := tx.Owe(desk.OpenTopic{User: e.person.ID}); err != nil {
		return err
	}
	won, err := tx.WinWelcome(e.person.ID)
	if err != nil || !won {
		return err
	}
	return tx.Owe(desk.Say{To: desk.UserLane(e.person.ID), Lines: []desk.Text{text.Welcome()}, Prompt: true})
}

// isStart recognises /start, with a payload or our name behind it, and not /startups.
func isStart(s said) bool {
	word, _, _ := strings.Cut(s.text, " ")
	word, _, _ = strings.Cut(word, "\n")
	word, _, _ = strings.Cut(word, "@")
	return word == "/start" && s.content == "text"
}

// renameEvery is how often a topic and its card follow what a person changes about themselves at most.
const renameEvery = time.Minute

// followPerson owes the card and the topic's title whatever changed about the person.
func (b *Bot) followPerson(tx *db.Tx, met db.Meeting) error {
	if met.New || !met.Changed {
		return nil
	}
	due, err := editDue(tx, met.ID)
	if err != nil {
		return err
	}
	if met.Back {
		if err := tx.OweOnce(desk.RefreshCard{User: met.ID}, tx.Now.Add(desk.CardGather)); err != nil {
			return err
		}
	}
	if err := tx.OweOnce(desk.RefreshCard{User: met.ID}, due); err != nil || !met.Renamed {
		return err
	}
	return tx.OweOnce(desk.RenameTopic{User: met.ID}, due)
}

// editDue is when the person's card and title may be edited for what the person did: gathered, and not twice within a minute.
func editDue(tx *db.Tx, user desk.UserID) (time.Time, error) {
	topic, err := tx.TopicOf(user)
	due := tx.Now.Add(desk.CardGather)
	if earliest := topic.EditedAt.Add(renameEvery); earliest.After(due) && earliest.Before(tx.Now.Add(2*renameEvery)) {
		due = earliest
	}
	return due, err
}

// reachChanged marks a person who blocked the bot, and takes the mark back.
func (b *Bot) reachChanged(tx *db.Tx, e reachChanged) error {
	why := db.Reachable
	if e.blocked {
		why = db.Blocked
	}
	news, err := tx.SetUnreachable(e.user, why)
	if err != nil || !news {
		return err
	}
	due := tx.Now.Add(desk.CardGather)
	if e.blocked { // who blocks and unblocks all day must not use up the group's budget
		if due, err = editDue(tx, e.user); err != nil {
			return err
		}
	}
	return tx.OweUnlessOwed(desk.RefreshCard{User: e.user}, due)
}
