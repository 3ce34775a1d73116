package outbox

import (
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// adoptAfter is how long, while updates come in, the topic of a creation whose answer was lost may take to show up.
const adoptAfter = 15 * time.Second

// forgetDoubt is after how long nobody settles a doubt any more: its call is gone, and a topic that shows up is a stray.
const forgetDoubt = 10 * time.Minute

// clockSkew is how far Telegram's clock may be behind ours when we ask whether a topic is older than the call.
const clockSkew = 30 * time.Second

// planOpenTopic makes the topic and the card and nothing else.
func (o *Outbox) planOpenTopic(tx *db.Tx, row db.CallRow, c desk.OpenTopic) (decision, error) {
	_, first, err := o.readyTopic(tx, row, c.User)
	if err != nil || first != nothing {
		return first, err
	}
	return decision{settle: db.Sent}, nil
}

// readyTopic decides what has to happen first, before something can be written into the person's topic; nothing means that the topic
// is there, open, and has its card.
func (o *Outbox) readyTopic(tx *db.Tx, row db.CallRow, id desk.UserID) (topic db.Topic, first decision, err error) {
	user, found, err := tx.User(id)
	if err != nil || !found {
		return topic, drop("the person is gone"), err
	}
	topic, err = tx.TopicOf(id)
	switch {
	case err != nil:
	case topic.Thread == 0 && cardOnly(row.Call):
		first = drop("no topic")
	case topic.Thread == 0:
		first, err = o.createTopic(tx, user)
	case topic.Closed:
		first.send = &request{step: stepReopen, family: creations, chat: tx.Group(), thread: topic.Thread,
			params: &bot.ReopenForumTopicParams{ChatID: int64(tx.Group()), MessageThreadID: int(topic.Thread)}}
	case topic.Card == 0 && row.Stage == "":
		first.send, err = o.cardRequest(tx, user, topic)
	}
	return topic, first, err
}

func cardOnly(c desk.Call) bool {
	open, ok := c.(desk.OpenTopic)
	return ok && open.CardOnly
}

// createTopic asks for a new topic, one at a time. While an answer is missing, a topic of the same title may show up by itself; a
// creation of another title goes on.
func (o *Outbox) createTopic(tx *db.Tx, user db.User) (decision, error) {
	title := text.TopicTitle(user.Person)
	begun, err := tx.Creations()
	if err != nil {
		return decision{}, err
	}
	for _, c := range begun {
		if c.User == user.ID && !c.DoubtfulSince.IsZero() {
			return o.adoptOrCreate(tx, c, title)
		}
		if c.User != user.ID && (c.DoubtfulSince.IsZero() || c.Title == title && tx.Now.Sub(c.DoubtfulSince) < forgetDoubt) {
			return decision{wait: pause{until: tx.Now.Add(forgetDoubt), topics: true}}, nil
		}
	}
	return askTopic(tx, user.ID, title), nil
}

func askTopic(tx *db.Tx, user desk.UserID, title string) decision {
	return decision{send: &request{step: stepTopic, family: creations, chat: tx.Group(),
		params: &bot.CreateForumTopicParams{ChatID: int64(tx.Group()), Name: title},
		begin:  func(tx *db.Tx) error { return tx.BeginCreation(user, title) }}}
}

// adoptOrCreate ends a doubt: a topic that nobody has, of that title and not older than the call, is the one; after 15 s during
// which updates came in and it did not show up, there is none.
func (o *Outbox) adoptOrCreate(tx *db.Tx, c db.Creation, title string) (decision, error) {
	seen, err := tx.Sightings()
	if err != nil {
		return decision{}, err
	}
	for _, s := range seen {
		if s.Title == c.Title && !s.At.Before(c.CalledAt.Add(-clockSkew)) {
			return decision{again: true}, o.bind(tx, c.User, s.Thread, c.Title)
		}
	}
	up, running := o.Ready.Up(desk.Source)
	if !running {
		return decision{wait: pause{until: tx.Now.Add(time.Second), topics: true}}, nil
	}
	since := later(up, o.behind())
	if c.DoubtfulSince.Before(tx.Now) { // otherwise some clock was wrong
		since = later(since, c.DoubtfulSince)
	}
	if until := since.Add(adoptAfter); until.After(tx.Now) {
		return decision{wait: pause{until: until, topics: true}}, nil
	}
	return askTopic(tx, c.User, title), nil
}

// lag is how old an update of the group may be while we count as hearing of the present.
const lag = 5 * time.Second

// behind is when an update of the group last told of the past: until then the topic may be in what has not come in yet.
func (o *Outbox) behind() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.group.behind
}

// bind gives a topic that was asked for to its person.
func (o *Outbox) bind(tx *db.Tx, id desk.UserID, thread desk.ThreadID, title string) error {
	if err := tx.BindTopic(id, thread, title); err != nil {
		return err
	}
	if err := tx.EndSighting(thread); err != nil {
		return err
	}
	if err := tx.EndCreation(id); err != nil {
		return err
	}
	if err := tx.SetActive(id); err != nil {
		return err
	}
	user, _, err := tx.User(id)
	if err != nil {
		return err
	}
	if text.TopicTitle(user.Person) != title { // renamed meanwhile
		if err := tx.OweOnce(desk.RenameTopic{User: id}, tx.Now.Add(desk.CardGather)); err != nil {
			return err
		}
	}
	return o.dropStrays(tx, title)
}

// dropStrays removes topics of ours that showed up and that nobody can own any more: those of a title that has its topic now and, when
// nothing more is asked for, all.
func (o *Outbox) dropStrays(tx *db.Tx, title string) error {
	begun, err := tx.Creations()
	if err != nil {
		return err
	}
	seen, err := tx.Sightings()
	if err != nil {
		return err
	}
	for _, s := range seen {
		if s.Title != title && len(begun) > 0 {
			continue
		}
		if err := tx.OweLater(desk.DeleteStrayTopic{Thread: s.Thread}, tx.Now.Add(desk.StrayWait)); err != nil {
			return err
		}
	}
	return nil
}

// planDeleteStrayTopic removes a topic of ours that turned out to be one too many, unless it is somebody's, or somebody wrote in it.
func (o *Outbox) planDeleteStrayTopic(tx *db.Tx, c desk.DeleteStrayTopic) (decision, error) {
	seen, found, err := tx.SightingOf(c.Thread)
	if err != nil || !found || seen.Used {
		return drop("not a stray"), err
	}
	if _, owned, err := tx.TopicIn(c.Thread); err != nil || owned {
		return drop("not a stray"), err
	}
	return decision{send: &request{step: stepOnly, family: deletions, chat: tx.Group(),
		params: &bot.DeleteForumTopicParams{ChatID: int64(tx.Group()), MessageThreadID: int(c.Thread)}}}, nil
}

// planRenameTopic follows the person's name, unless the team chose another.
func (o *Outbox) planRenameTopic(tx *db.Tx, c desk.RenameTopic) (decision, error) {
	user, found, err := tx.User(c.User)
	if err != nil || !found {
		return drop("the person is gone"), err
	}
	topic, err := tx.TopicOf(c.User)
	title := text.TopicTitle(user.Person)
	if err != nil || topic.Thread == 0 || topic.TitleByAdmin || topic.Title == title {
		return drop("the name stands already"), err
	}
	return decision{send: &request{step: stepOnly, family: edits, chat: tx.Group(), thread: topic.Thread,
		params: &bot.EditForumTopicParams{ChatID: int64(tx.Group()), MessageThreadID: int(topic.Thread), Name: title}}}, nil
}
