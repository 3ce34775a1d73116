package emulator

import (
	"regexp"
	"strings"
)

var commandRule = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

// command is one entry of the bot's menu.
type command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menu is the key of a command menu: its scope, as sent, and its language.
func menu(p *params) string {
	scope := p.text("scope")
	if scope == "" || strings.Contains(scope, `"default"`) {
		scope = "default"
	}
	return scope + "/" + p.text("language_code")
}

func setMyCommands(t *Telegram, p *params) (any, *refusal) {
	var commands []command
	if refused := p.json("commands", &commands); refused != nil {
		return nil, refused
	}
	if len(commands) > 100 {
		return nil, bad("BOT_COMMANDS_TOO_MUCH")
	}
	for _, c := range commands {
		switch {
		case !commandRule.MatchString(c.Command):
			return nil, bad("BOT_COMMAND_INVALID")
		case c.Description == "" || len([]rune(c.Description)) > 256:
			return nil, bad("BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	t.commands[menu(p)] = commands
	return true, nil
}

func deleteMyCommands(t *Telegram, p *params) (any, *refusal) {
	delete(t.commands, menu(p))
	return true, nil
}

func getMyCommands(t *Telegram, p *params) (any, *refusal) {
	return append([]command{}, t.commands[menu(p)]...), nil
}
