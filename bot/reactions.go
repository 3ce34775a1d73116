package bot

import (
	"hodor/db"
	"hodor/internal/desk"
)

// personReacted shows a person's reaction in the topic, unless nothing of theirs is passed on.
func (b *Bot) personReacted(tx *db.Tx, e personReacted) error {
	user, found, err := tx.User(e.user)
	if err != nil || !found || user.Banned {
		return err
	}
	return oweReaction(tx, e.reacted, desk.TopicLane(e.user))
}

// groupReacted shows an admin's reaction to the person; those of others stay in the group.
func (b *Bot) groupReacted(tx *db.Tx, e groupReacted) error {
	if may, err := b.mayAnswer(tx, e.author); err != nil || !may {
		return err
	}
	return oweReaction(tx, e.reacted, desk.ReactionLane(e.message))
}

// oweReaction owes the reaction to show, in place of one that is not shown yet: the last change decides.
func oweReaction(tx *db.Tx, e reacted, to desk.Lane) error {
	react := desk.React{To: to, Message: e.message, Emoji: e.emoji, At: tx.Now}
	calls, err := tx.CallsAbout(to, e.message)
	if err != nil {
		return err
	}
	for _, row := range calls {
		if _, same := row.Call.(desk.React); !same {
			continue
		}
		if replaced, err := tx.Replace(row.ID, react); err != nil || replaced {
			return err
		}
	}
	return tx.OweLater(react, tx.Now.Add(desk.ReactionGather))
}
