package bot

import (
	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// topicMade notes a topic that the bot is said to have made. Whoever settles the creation decides whose it is; one that nobody asks
// for any more is one too many.
func (b *Bot) topicMade(tx *db.Tx, e topicMade) error {
	if _, owned, err := tx.TopicIn(e.thread); err != nil || owned {
		return err
	}
	if err := tx.NoteSighting(e.thread, e.title, e.at); err != nil {
		return err
	}
	// While one is asked for, this may be it, also under another title: Telegram tidies names.
	if begun, err := tx.Creations(); err != nil || len(begun) > 0 {
		return err
	}
	return tx.OweLater(desk.DeleteStrayTopic{Thread: e.thread}, tx.Now.Add(desk.StrayWait))
}

// topicReopened notes that the conversation goes on.
func (b *Bot) topicReopened(tx *db.Tx, e topicReopened) error {
	if found, err := tx.ReopenTopic(e.thread); err != nil || !found {
		return err
	}
	topic, _, err := tx.TopicIn(e.thread)
	if err != nil {
		return err
	}
	user, found, err := tx.User(topic.User)
	if err != nil || !found || !user.Archived {
		return err
	}
	if err := tx.SetActive(topic.User); err != nil {
		return err
	}
	return tx.OweOnce(desk.RefreshCard{User: topic.User}, tx.Now.Add(desk.CardGather))
}

// cardPinned removes Telegram's notice of a pin of ours: it says nothing to the team.
func (b *Bot) cardPinned(tx *db.Tx, e cardPinned) error {
	lane, err := laneOf(tx, e.thread)
	if err != nil {
		return err
	}
	return tx.Owe(desk.DeleteMessage{From: lane, Message: e.notice})
}

// groupMoved follows the group to its new id, and tells.
func (b *Bot) groupMoved(tx *db.Tx, e groupMoved) error {
	moved, err := tx.MoveGroup(e.to)
	if err != nil || !moved {
		return err
	}
	return tx.Owe(desk.Say{To: desk.GeneralLane(), Lines: []desk.Text{text.GroupMigrated(e.to)}})
}
