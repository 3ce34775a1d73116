package desk

import (
	"fmt"
	"strconv"
	"strings"
)

// A LaneKind says where the calls of a lane go.
type LaneKind string

const (
	// ToTopic is the lane into one person's topic, whichever thread that is when the call is sent.
	ToTopic LaneKind = "topic"
	// ToUser is the lane to one person's private chat.
	ToUser LaneKind = "user"
	// ToThread is the lane into a topic that no person has.
	ToThread LaneKind = "thread"
	// ToGeneral is the lane into the group's General.
	ToGeneral LaneKind = "general"
	// ToReaction is the lane of the reactions to one message of the group, which are brought to whoever has it in private.
	ToReaction LaneKind = "reaction"
	// ToPress is the lane of one pressed button's answer; no two presses share one.
	ToPress LaneKind = "press"
)

// A Lane is a queue of calls: those of one priority are sent one at a time in the order they were owed, while different lanes
// go side by side.
type Lane struct {
	Kind LaneKind
	ID   int64
}

// TopicLane leads into the person's topic.
func TopicLane(u UserID) Lane { return Lane{ToTopic, int64(u)} }

// UserLane leads to the person's private chat.
func UserLane(u UserID) Lane { return Lane{ToUser, int64(u)} }

// ThreadLane leads into a topic that no person has.
func ThreadLane(t ThreadID) Lane { return Lane{ToThread, int64(t)} }

// GeneralLane leads into General.
func GeneralLane() Lane { return Lane{Kind: ToGeneral} }

// ReactionLane is that of the reactions to a message of the group.
func ReactionLane(m MessageID) Lane { return Lane{ToReaction, int64(m)} }

// InGroup tells whether the lane's calls go to the support group.
func (l Lane) InGroup() bool {
	return l.Kind == ToTopic || l.Kind == ToThread || l.Kind == ToGeneral
}

// NeedsForum tells whether a call of this lane would land in the common chat if the group's topics were switched off.
func (l Lane) NeedsForum() bool { return l.Kind == ToTopic || l.Kind == ToThread }

// User is the person whose lane this is; false where no person is meant.
func (l Lane) User() (UserID, bool) { return UserID(l.ID), l.Kind == ToTopic || l.Kind == ToUser }

// String is the lane's name in the database, such as "topic/7".
func (l Lane) String() string { return string(l.Kind) + "/" + strconv.FormatInt(l.ID, 10) }

// ParseLane is the inverse of String.
func ParseLane(s string) (Lane, error) {
	kind, number, _ := strings.Cut(s, "/")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return Lane{}, fmt.Errorf("lane %q: %w", s, err)
	}
	switch k := LaneKind(kind); k {
	case ToTopic, ToUser, ToThread, ToGeneral, ToReaction, ToPress:
		return Lane{k, id}, nil
	}
	return Lane{}, fmt.Errorf("lane %q: there is no such kind", s)
}

// MarshalText writes the lane's name.
func (l Lane) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the lane's name.
func (l *Lane) UnmarshalText(b []byte) (err error) {
	*l, err = ParseLane(string(b))
	return err
}
