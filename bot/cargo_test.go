package bot_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// carry does everything to messages of this kind that are written on a side, and says in one word each what is seen.
func (p pair) carry(from side, row carriedRow) (words []string) {
	p.t.Helper()
	c := &cargo{pair: p, from: from, to: p.opposite(from)}
	words = append(words, c.written(0, 0, row.contents), c.asReply(row.contents), c.repliedTo(), c.reaction())
	for _, change := range []func(side, int){orTouch(row.itself), row.edit, row.exchange} {
		words = append(words, c.changed(change))
	}
	return append(words, c.takenBack())
}

func orTouch(f func(side, int)) func(side, int) {
	if f == nil {
		return side.touch
	}
	return f
}

// A cargo is a message, or the items of an album, with all that stands of it on the other side. What is done to one item is done to
// the last.
type cargo struct {
	pair
	from, to side
	sources  []int
	copies   []int // one of each source, if it is carried
	anew     []int // newer forms of the last
	line     int   // what says in their place that they were not
}

// source and counterpart are the message that something is done to, as it stands on either side; 0 if it does not.
func (c *cargo) source() int { return c.sources[len(c.sources)-1] }
func (c *cargo) counterpart() int {
	switch {
	case len(c.anew) > 0:
		return c.anew[len(c.anew)-1]
	case len(c.copies) > 0:
		return c.copies[len(c.copies)-1]
	}
	return c.line
}

// written writes, as a reply or not, and says how it arrives. answered is what it replies to on the other side.
func (c *cargo) written(to, answered int, contents []emulator.Content) string {
	c.t.Helper()
	var ids []int
	e := c.watch(c.from, 2*time.Second, func() []int { ids = c.from.write(to, contents...); return ids })
	word, copies, line := c.arrival(e, ids)
	if to == 0 {
		c.sources, c.copies, c.line = ids, copies, line
	}
	if answered != 0 && (word == "copied" || word == "sent") {
		for i, id := range copies {
			if r := c.to.message(id).ReplyTo; r != answered && (i == 0 || r != 0) {
				return "unlinked"
			}
		}
		return "reply"
	}
	return word
}

// asReply writes it once more, in reply to what was said first on the other side.
func (c *cargo) asReply(contents []emulator.Content) string {
	c.t.Helper()
	said := c.to.messages()
	answered := said[slices.IndexFunc(said, func(m emulator.Message) bool { return !m.FromBot && m.Service == "" })].ID
	for _, m := range c.from.messages() {
		if m.CopiedFrom.Message == answered && m.FromBot {
			return c.written(m.ID, answered, contents)
		}
	}
	c.t.Fatal("nothing was said that can be answered")
	return ""
}

// arrival says how messages arrive, and as which.
func (c *cargo) arrival(e effect, ids []int) (word string, as []int, line int) {
	c.t.Helper()
	told := len(e.here.added) == 1 && e.here.added[0].FromBot && e.here.added[0].ReplyTo == ids[0]
	word = fmt.Sprint(e.here, e.there)
	switch {
	case len(e.here.changed)+len(e.here.removed)+len(e.there.changed)+len(e.there.removed) != 0:
		return word, nil, 0
	case e.there.none() && told:
		return "told", nil, 0
	case len(e.there.added) == 1 && told && strings.Contains(e.there.added[0].Text, "could not be shown here"):
		return "described", nil, e.there.added[0].ID
	case len(e.there.added) != len(ids) || !e.here.none():
		return word, nil, 0
	}
	words := []string{}
	for i, m := range e.there.added {
		source := c.from.message(ids[i])
		if (m.GroupID != "") != (len(ids) > 1) || m.GroupID != e.there.added[0].GroupID {
			c.t.Errorf("item %d stands in album %q, the first in %q", i, m.GroupID, e.there.added[0].GroupID)
		}
		switch as = append(as, m.ID); {
		case m.ForwardedFrom.Message == source.ID:
			words = append(words, "forwarded")
			if !reflect.DeepEqual(body(c.t, m), body(c.t, source)) {
				c.t.Errorf("forwarded as %s, from %s", m.Raw, source.Raw)
			}
		case m.CopiedFrom.Message == source.ID:
			words = append(words, "copied")
			wantSame(c.t, source, m)
		default:
			words = append(words, "sent")
			wantSame(c.t, source, m)
		}
	}
	if words = slices.Compact(words); len(words) != 1 {
		return fmt.Sprint(words), as, 0
	}
	return words[0], as, 0
}

// repliedTo answers the message on its own side and, if something stands for it there, on the other.
func (c *cargo) repliedTo() string {
	c.t.Helper()
	reply := func(from side, to, answered int) string {
		e := c.watch(from, 2*time.Second, func() []int { return from.write(to, emulator.Text("about this")) })
		switch {
		case !e.here.none() || len(e.there.changed)+len(e.there.removed) > 0 || len(e.there.added) != 1:
			return fmt.Sprint(e.here, e.there)
		case answered != 0 && e.there.added[0].ReplyTo == answered:
			return "reply"
		case e.there.added[0].ReplyTo != 0:
			return "to another"
		}
		return "unlinked"
	}
	word := reply(c.from, c.source(), c.counterpart())
	if c.counterpart() != 0 {
		return agreed(word, reply(c.to, c.counterpart(), c.source()))
	}
	return word
}

func agreed(a, b string) string {
	if a == b {
		return a
	}
	return a + "/" + b
}

// reaction reacts on either side and takes it back. Under an album a reaction stands at its first message.
func (c *cargo) reaction() string {
	c.t.Helper()
	react := func(from side, msg int) string {
		words := []string{}
		for _, emoji := range []string{"👍", "❤", ""} {
			e := c.watch(from, 2*time.Second, func() []int { from.react(msg, emoji); return []int{msg} })
			switch {
			case !e.here.none() || len(e.there.added)+len(e.there.removed) > 0:
				return fmt.Sprint(e.here, e.there)
			case e.there.none():
				words = append(words, "hidden")
			case len(e.there.changed) == 1 && e.there.changed[0].Reactions[c.tg.BotID()] == emoji:
				words = append(words, "shown")
				if id := e.there.changed[0].ID; !slices.Contains(slices.Concat(c.sources, c.copies), id) {
					c.t.Errorf("the reaction appears under message %d", id)
				}
			default:
				return fmt.Sprint(e.there)
			}
		}
		return strings.Join(slices.Compact(words), ",")
	}
	word := react(c.from, c.source())
	if c.counterpart() != 0 {
		return agreed(word, react(c.to, c.counterpart()))
	}
	return word
}

// changed lets the message change, and says what is seen of it.
func (c *cargo) changed(change func(side, int)) string {
	c.t.Helper()
	if change == nil {
		return "never"
	}
	e := c.watch(c.from, 6*time.Second, func() []int { change(c.from, c.source()); return []int{c.source()} })
	old := c.counterpart()
	switch {
	case e.here.none() && e.there.none():
		return "unchanged"
	case !e.here.none() || len(e.there.removed) > 0 || len(e.there.added)+len(e.there.changed) != 1:
	case len(e.there.changed) == 1 && e.there.changed[0].ID == old:
		wantSame(c.t, c.from.message(c.source()), e.there.changed[0])
		return "edited"
	case len(e.there.added) == 1 && e.there.added[0].ReplyTo == old && marked(e.there.added[0]):
		wantSame(c.t, c.from.message(c.source()), e.there.added[0])
		c.anew = append(c.anew, e.there.added[0].ID)
		return "anew"
	}
	return fmt.Sprint(e.here, e.there)
}

// marked tells that a message says of itself that it is the newer form of another.
func marked(m emulator.Message) bool {
	return len(m.Buttons) == 1 && len(m.Buttons[0]) == 1 && m.Buttons[0][0].Data == desk.EditedData
}

// takenBack lets an admin take the message back.
func (c *cargo) takenBack() string {
	c.t.Helper()
	here, there := c.sources, slices.Concat(c.copies, c.anew)
	target := c.source()
	if !c.from.inTopic() {
		here, there, target = there, here, c.counterpart()
	}
	command := 0
	e := c.watch(c.team, 2*time.Second, func() []int {
		command = c.team.write(target, emulator.Text("/del"))[0]
		return []int{command}
	})
	obeyed := !slices.Contains(numbers(c.team.messages()), command)
	switch {
	case obeyed && len(e.here.added)+len(e.here.changed)+len(e.there.added)+len(e.there.changed) == 0 &&
		slices.Equal(numbers(e.here.removed), here) && slices.Equal(numbers(e.there.removed), there):
		return "gone"
	case !obeyed && e.there.none() && len(e.here.changed)+len(e.here.removed) == 0 && len(e.here.added) == 1 &&
		e.here.added[0].FromBot && e.here.added[0].ReplyTo == command:
		return "told"
	}
	return fmt.Sprint(e.here, e.there)
}

func numbers(messages []emulator.Message) (ids []int) {
	for _, m := range messages {
		ids = append(ids, m.ID)
	}
	return ids
}
