package main

import (
	"fmt"
	"slices"
	"time"

	"hodor/internal/desk"
	"hodor/internal/emulator"
)

// somebody is a person of the demo.
type somebody struct{ emulator.Person }

// ID is the person's Telegram id.
func (s somebody) ID() desk.UserID { return desk.UserID(s.Person.ID) }

var (
	anna  = somebody{emulator.Person{ID: 7001, FirstName: "Anna", Username: "anna", LanguageCode: "en"}}
	ben   = somebody{emulator.Person{ID: 7002, FirstName: "Ben", LanguageCode: "zh-hans"}}
	carol = somebody{emulator.Person{ID: 9001, FirstName: "Carol"}} // of the team
)

// patience is how long the demo waits for something that should happen at once.
const patience = 30 * time.Second

// day is a short day of a desk: each scene says what happens, does it, and waits until both sides show it.
func (d *demo) day() error {
	for _, p := range []somebody{anna, ben, carol} {
		d.tg.Know(p.Person)
	}
	d.tg.Join(carol.Person.ID)
	scenes := []func() error{d.firstContact, d.answer, d.album, d.corrections, d.deletedTopic, d.flood, d.restart}
	for _, scene := range scenes {
		if err := scene(); err != nil {
			return err
		}
	}
	d.out.printf("That was the day: everything arrived, once, in its own topic.")
	return nil
}

func (d *demo) firstContact() error {
	d.out.printf("Anna and Ben write to the bot for the first time.")
	d.tg.Say(anna.Person.ID, "Hello, is my order on its way?")
	d.tg.Say(ben.Person.ID, "你好，营业时间是几点？")
	if err := d.untilTopic(anna, "Hello, is my order on its way?"); err != nil {
		return err
	}
	return d.untilTopic(ben, "你好，营业时间是几点？")
}

func (d *demo) answer() error {
	d.out.printf("Carol, of the team, answers in Anna's topic.")
	d.tg.Post(carol.Person.ID, d.topic(anna), "Yes, it left this morning.")
	return d.untilChat(anna, "Yes, it left this morning.")
}

func (d *demo) album() error {
	d.out.printf("Anna sends an album.")
	d.tg.Album(anna.Person.ID, emulator.Photo("The parcel from last time"), emulator.Photo("and its label"))
	if err := d.untilTopic(anna, "The parcel from last time"); err != nil {
		return err
	}
	return d.untilTopic(anna, "and its label")
}

func (d *demo) corrections() error {
	d.out.printf("Carol says something too soon, corrects it, and takes another message back with /del; Anna reacts.")
	said := d.tg.Post(carol.Person.ID, d.topic(anna), "It comes tomorow.")
	wrong := d.tg.Post(carol.Person.ID, d.topic(anna), "Ben, your order is ready.")
	if err := d.untilChat(anna, "Ben, your order is ready."); err != nil {
		return err
	}
	d.tg.EditPost(carol.Person.ID, said, "It comes tomorrow.")
	d.tg.PostReply(carol.Person.ID, d.topic(anna), wrong, "/del")
	if err := d.untilChat(anna, "It comes tomorrow."); err != nil {
		return err
	}
	err := d.until("Anna no longer has what was not for her", func() bool {
		return !slices.ContainsFunc(d.tg.Chat(anna.Person.ID), func(m emulator.Message) bool { return m.Text == "Ben, your order is ready." })
	})
	if err != nil {
		return err
	}
	for _, m := range d.tg.Chat(anna.Person.ID) {
		if m.Text == "It comes tomorrow." {
			d.tg.React(anna.Person.ID, m.ID, "👍")
		}
	}
	return d.until("the topic shows Anna's 👍", func() bool {
		return slices.ContainsFunc(d.tg.Topic(d.topic(anna)), func(m emulator.Message) bool { return m.Reactions[d.tg.BotID()] == "👍" })
	})
}

func (d *demo) deletedTopic() error {
	d.out.printf("Somebody deletes Ben's topic by hand; Ben writes again.")
	d.tg.DeleteTopic(d.topic(ben))
	d.tg.Say(ben.Person.ID, "还在吗？")
	return d.untilTopic(ben, "还在吗？")
}

func (d *demo) flood() error {
	d.out.printf("Telegram asks the desk to slow down in the group; Ben still has his answer at once, Anna's messages follow in order.")
	d.tg.Flood(emulator.Fault{Method: "copyMessage", Chat: d.tg.Group()}, 2)
	d.tg.Say(anna.Person.ID, "One more question:")
	d.tg.Say(anna.Person.ID, "can I change the address?")
	d.tg.Post(carol.Person.ID, d.topic(ben), "在的！")
	if err := d.untilChat(ben, "在的！"); err != nil {
		return err
	}
	return d.untilTopic(anna, "can I change the address?")
}

func (d *demo) restart() error {
	d.out.printf("The desk is stopped. Anna and Carol write meanwhile. The desk starts again.")
	d.stop()
	d.tg.Say(anna.Person.ID, "Sorry, I meant the other address.")
	d.tg.Post(carol.Person.ID, d.topic(anna), "No problem, which one?")
	if err := d.start(); err != nil {
		return err
	}
	if err := d.untilTopic(anna, "Sorry, I meant the other address."); err != nil {
		return err
	}
	return d.untilChat(anna, "No problem, which one?")
}

// topic is the thread of a person's living topic; 0 if there is none.
func (d *demo) topic(p somebody) int {
	for _, t := range d.tg.Topics() {
		if t.Name == p.FirstName && !t.Deleted {
			return t.Thread
		}
	}
	return 0
}

func (d *demo) untilTopic(p somebody, text string) error {
	return d.until(fmt.Sprintf("%s's topic shows %q", p.FirstName, text), func() bool {
		thread := d.topic(p)
		return thread != 0 && shows(d.tg.Topic(thread), text)
	})
}

func (d *demo) untilChat(p somebody, text string) error {
	return d.until(fmt.Sprintf("%s reads %q", p.FirstName, text), func() bool { return shows(d.tg.Chat(p.Person.ID), text) })
}

// shows tells whether the bot's last messages contain the text exactly once.
func shows(messages []emulator.Message, text string) bool {
	n := 0
	for _, m := range messages {
		if m.FromBot && m.Text == text {
			n++
		}
	}
	return n == 1
}

func (d *demo) until(what string, done func() bool) error {
	give := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-give:
			return fmt.Errorf("demo: it did not come to pass that %s", what)
		case <-d.ctx.Done():
			return d.ctx.Err()
		}
	}
	d.out.printf("  ✓ %s", what)
	return nil
}
