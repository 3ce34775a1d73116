package bot

import (
	"strings"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// A command is one thing the team can tell the desk to do. Routing, /help and Telegram's menu are made from this table.
type command struct {
	name    string
	general bool // works in General too
	help    func() desk.Text
	menu    func() desk.Text
	run     func(*Bot, *db.Tx, groupWrote) error
}

func commands() []command {
	return []command{
		{name: "del", help: text.HelpDel, menu: text.MenuDel, run: (*Bot).del},
		{name: "help", general: true, help: text.HelpHelp, menu: text.MenuHelp, run: (*Bot).help},
	}
}

// A MenuEntry is one line of Telegram's command menu in the group.
type MenuEntry struct {
	Name        string
	Description desk.Text
}

// Menu is what Telegram offers when somebody types "/" in the group.
func Menu() []MenuEntry {
	var menu []MenuEntry
	for _, c := range commands() {
		menu = append(menu, MenuEntry{c.name, c.menu()})
	}
	return menu
}

// command obeys a command of the team. One that is meant for another bot is not ours, and in General only those that work there are.
func (b *Bot) command(tx *db.Tx, e groupWrote) error {
	name, suffix := splitCommand(e.text)
	ours, err := b.isOurName(tx, suffix)
	if err != nil || !ours {
		return err
	}
	c, known := find(name)
	if e.thread == 0 && !(known && c.general) {
		return nil
	}
	may, err := b.mayAnswer(tx, e.author)
	switch {
	case err != nil:
		return err
	case !may && e.author.anonymous:
		return b.turnAway(tx, e)
	case !may:
		return b.sayAtMost(tx, e, "admins_only", adminsOnlyEvery, text.AdminsOnly())
	case !known:
		return b.reply(tx, e, text.UnknownCommand())
	}
	return c.run(b, tx, e)
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// splitCommand takes "/name@suffix rest" apart.
func splitCommand(text string) (name, suffix string) {
	word := text
	if fields := strings.Fields(text); len(fields) > 0 {
		word = fields[0]
	}
	name, suffix, _ = strings.Cut(strings.TrimPrefix(word, "/"), "@")
	return name, suffix
}

// isOurName tells whether a command's suffix means us; without one it does. Before Telegram has told our name nobody can say.
func (b *Bot) isOurName(tx *db.Tx, suffix string) (bool, error) {
	if suffix == "" {
		return true, nil
	}
	me, known, err := tx.Identity()
	if err == nil && !known {
		err = errNoName
	}
	return strings.EqualFold(suffix, me.Username), err
}

// help lists what the team can do.
func (b *Bot) help(tx *db.Tx, e groupWrote) error {
	lines := []desk.Text{text.HelpHead()}
	for _, c := range commands() {
		lines = append(lines, c.help())
	}
	return b.reply(tx, e, append(lines, text.HelpTeamTalk(), text.HelpPlain())...)
}
