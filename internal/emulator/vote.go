package emulator

import (
	"maps"
	"slices"
)

// noVote takes one's vote back.
const noVote = -1

// Vote chooses an option, counted from 0, of a poll in the private chat instead of the one chosen before; -1 takes the vote
// back. A poll that a person sent comes as edited though nobody edited it. The bot's own comes as a poll; one that the bot
// copied from somebody is still theirs, and nothing is told.
func (t *Telegram) Vote(user int64, msg, option int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vote(t.private(user).message(msg), user, option)
}

// VotePost is Vote in the group.
func (t *Telegram) VotePost(user int64, msg, option int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vote(t.group.message(msg), t.inGroup(user).person.ID, option)
}

func (t *Telegram) vote(m *message, user int64, option int) {
	if m == nil || !m.voted(user, option) {
		return
	}
	switch {
	case !t.byBot(m):
		t.tellEdit(m)
	case m.copiedFrom == Ref{} && m.forwardedFrom == Ref{}:
		poll := m.body["poll"].(fields)
		t.tell("poll", "poll:"+poll["id"].(string), poll)
	}
}

// voted counts a vote and says whether it changes anything.
func (m *message) voted(user int64, option int) bool {
	poll, isPoll := m.body["poll"].(fields)
	if !isPoll {
		panic("emulator: message " + number(int64(m.id)) + " is no poll")
	}
	before, voted := m.votes[user]
	if !voted {
		before = noVote
	}
	if before == option {
		return false
	}
	poll = maps.Clone(poll)
	options := slices.Clone(poll["options"].([]fields))
	poll["options"] = options
	poll["total_voter_count"] = poll["total_voter_count"].(int) + count(options, before, -1) + count(options, option, 1)
	m.body = maps.Clone(m.body)
	m.body["poll"] = poll
	if m.votes == nil {
		m.votes = map[int64]int{}
	}
	m.votes[user] = option
	return true
}

// count adds n votes to an option, none to noVote, and returns how many were added.
func count(options []fields, option, n int) int {
	if option == noVote {
		return 0
	}
	options[option] = maps.Clone(options[option])
	options[option]["voter_count"] = options[option]["voter_count"].(int) + n
	return n
}
