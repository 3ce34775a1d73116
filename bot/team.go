package bot

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// How often the group is told the same thing at most.
const (
	adminsOnlyEvery = time.Minute
	anonymousEvery  = time.Hour
	noPersonEvery   = 24 * time.Hour
	bannedEvery     = 24 * time.Hour
)

// groupWrote brings what the team writes in a topic to the topic's person. Commands are obeyed and not relayed, "//" is talk among
// the team, and what others write is not ours.
func (b *Bot) groupWrote(tx *db.Tx, e groupWrote) error {
	if e.thread != 0 {
		if err := tx.UseSighting(e.thread); err != nil {
			return err
		}
	}
	if strings.HasPrefix(e.text, "/") {
		if err := withdrawAlbum(tx, tx.Group(), e.said); err != nil || strings.HasPrefix(e.text, "//") {
			return err
		}
		return b.command(tx, e)
	}
	if e.thread == 0 {
		return nil
	}
	if decided, err := joinAlbum(tx, tx.Group(), e.said, toUser); err != nil || decided {
		return err
	}
	relayed, err := b.answer(tx, e)
	if err != nil || relayed {
		return err
	}
	return refuseAlbum(tx, tx.Group(), e.said)
}

// mayAnswer tells who is team: those named in the configuration and, if it says so, the administrators of the group.
func (b *Bot) mayAnswer(tx *db.Tx, a author) (bool, error) {
	switch {
	case a.anonymous:
		return b.rules.GroupAdmins, nil
	case b.admins[a.user]:
		return true, nil
	case !b.rules.GroupAdmins:
		return false, nil
	}
	return tx.IsGroupAdmin(a.user)
}

// turnAway tells an anonymous administrator why nothing is passed on: they believe that they answer. Others only talk.
func (b *Bot) turnAway(tx *db.Tx, e groupWrote) error {
	if !e.author.anonymous {
		return nil
	}
	return b.sayAtMost(tx, e, "anonymous", anonymousEvery, text.AnonymousNotAllowed())
}

// answer relays an admin's message to the person whose topic it stands in; false if it is not relayed.
func (b *Bot) answer(tx *db.Tx, e groupWrote) (bool, error) {
	if may, err := b.mayAnswer(tx, e.author); err != nil || !may {
		return false, errors.Join(err, b.turnAway(tx, e))
	}
	topic, found, err := tx.TopicIn(e.thread)
	switch {
	case err != nil:
		return false, err
	case !found:
		return false, b.nobodyHere(tx, e)
	case topic.Closed:
		return false, tx.Owe(desk.Say{To: desk.TopicLane(topic.User), Lines: []desk.Text{text.TopicClosed()}, ReplyTo: e.message,
			Prompt: true, Failure: true})
	}
	if err := oweRelay(tx, tx.Group(), e.copied(topic.User), toUser); err != nil {
		return false, err
	}
	return true, b.remindOfBan(tx, topic.User)
}

// nobodyHere tells an admin that nobody belongs to the topic, or not yet.
func (b *Bot) nobodyHere(tx *db.Tx, e groupWrote) error {
	if coming, err := isComing(tx, e.thread); err != nil || coming {
		return errors.Join(err, b.reply(tx, e, text.TopicNotReady()))
	}
	return b.sayAtMost(tx, e, "no_person", noPersonEvery, text.NoPerson())
}

// isComing tells that the thread may be a person's whose topic is still being made: the answer to the creation was lost, or has not
// come yet. Each message in it is answered, since its writer takes it for passed on.
func isComing(tx *db.Tx, thread desk.ThreadID) (bool, error) {
	if _, seen, err := tx.SightingOf(thread); err != nil || !seen {
		return false, err
	}
	begun, err := tx.Creations()
	return len(begun) > 0, err
}

// remindOfBan tells an admin who writes to a banned person that no answer will come.
func (b *Bot) remindOfBan(tx *db.Tx, id desk.UserID) error {
	user, found, err := tx.User(id)
	if err != nil || !found || !user.Banned {
		return err
	}
	won, err := tx.WinSlot(fmt.Sprintf("banned/%d", id), bannedEvery)
	if err != nil || !won {
		return err
	}
	return tx.Owe(desk.Say{To: desk.TopicLane(id), Lines: []desk.Text{text.BannedReminder(user.Name())}})
}

// sayAtMost replies in the topic of a message, unless the same was said there within the time.
func (b *Bot) sayAtMost(tx *db.Tx, e groupWrote, what string, every time.Duration, line desk.Text) error {
	won, err := tx.WinSlot(fmt.Sprintf("%s/%d/%d", what, tx.Group(), e.thread), every)
	if err != nil || !won {
		return err
	}
	return b.reply(tx, e, line)
}

// reply answers a message where it stands.
func (b *Bot) reply(tx *db.Tx, e groupWrote, lines ...desk.Text) error {
	lane, err := laneOf(tx, e.thread)
	if err != nil {
		return err
	}
	return tx.Owe(desk.Say{To: lane, Lines: lines, ReplyTo: e.message, Prompt: true})
}

// laneOf is the lane that leads into a thread: that of its person, if it has one.
func laneOf(tx *db.Tx, thread desk.ThreadID) (desk.Lane, error) {
	if thread == 0 {
		return desk.GeneralLane(), nil
	}
	topic, found, err := tx.TopicIn(thread)
	if err != nil || !found {
		return desk.ThreadLane(thread), err
	}
	return desk.TopicLane(topic.User), nil
}
