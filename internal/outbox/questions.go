package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
)

// A Refusal is Telegram's no to a question that no debt stands for, such as those at the start.
type Refusal struct {
	Code        int
	Description string
	RetryAfter  time.Duration
}

func (r *Refusal) Error() string { return fmt.Sprintf("Telegram says %d: %s", r.Code, r.Description) }

// TokenRefused tells that the token is not valid, or not any more.
func TokenRefused(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (r.Code == http.StatusUnauthorized || r.Code == http.StatusNotFound)
}

// question makes one call and returns its result.
func (c *Client) question(ctx context.Context, call func(context.Context, *bot.Bot) error) (json.RawMessage, error) {
	a := c.ask(ctx, call)
	switch {
	case a.ok:
		return a.result, nil
	case a.spoke:
		return nil, &Refusal{Code: a.code, Description: a.description, RetryAfter: a.retryAfter}
	case a.err != nil:
		return nil, a.err
	}
	return nil, fmt.Errorf("the answer is not of the Bot API: %d %s", a.status, http.StatusText(a.status))
}

// Me is what the bot is called.
func (c *Client) Me(ctx context.Context) (db.Identity, error) {
	result, err := c.question(ctx, func(ctx context.Context, b *bot.Bot) error { _, err := b.GetMe(ctx); return err })
	if err != nil {
		return db.Identity{}, err
	}
	var me struct {
		Username  string `json:"username"`
		FirstName string `json:"first_name"`
	}
	if err := json.Unmarshal(result, &me); err != nil {
		return db.Identity{}, fmt.Errorf("read getMe: %w", err)
	}
	return db.Identity{Username: me.Username, DisplayName: me.FirstName}, nil
}

// Administrators are the people who administer the chat.
func (c *Client) Administrators(ctx context.Context, chat desk.ChatID) ([]desk.UserID, error) {
	result, err := c.question(ctx, func(ctx context.Context, b *bot.Bot) error {
		_, err := b.GetChatAdministrators(ctx, &bot.GetChatAdministratorsParams{ChatID: int64(chat)})
		return err
	})
	if err != nil {
		return nil, err
	}
	var members []struct {
		User struct {
			ID    int64 `json:"id"`
			IsBot bool  `json:"is_bot"`
		} `json:"user"`
	}
	if err := json.Unmarshal(result, &members); err != nil {
		return nil, fmt.Errorf("read getChatAdministrators: %w", err)
	}
	var people []desk.UserID
	for _, m := range members {
		if !m.User.IsBot {
			people = append(people, desk.UserID(m.User.ID))
		}
	}
	return people, nil
}

// A MenuLine is one command that Telegram offers in a chat.
type MenuLine struct{ Command, Description string }

// SetMenu makes Telegram offer the commands in this chat, to readers of the language or, if it is empty, to all others.
func (c *Client) SetMenu(ctx context.Context, chat desk.ChatID, language string, lines []MenuLine) error {
	p := &bot.SetMyCommandsParams{Scope: &models.BotCommandScopeChat{ChatID: int64(chat)}, LanguageCode: language}
	for _, l := range lines {
		p.Commands = append(p.Commands, models.BotCommand{Command: l.Command, Description: l.Description})
	}
	_, err := c.question(ctx, func(ctx context.Context, b *bot.Bot) error { _, err := b.SetMyCommands(ctx, p); return err })
	return err
}

// webhookConnections is how many updates Telegram may post at once; they share commits.
const webhookConnections = 40

// SetWebhook makes Telegram post updates to url.
func (c *Client) SetWebhook(ctx context.Context, url, secret string, allowed []string) error {
	_, err := c.question(ctx, func(ctx context.Context, b *bot.Bot) error {
		_, err := b.SetWebhook(ctx, &bot.SetWebhookParams{URL: url, SecretToken: secret, AllowedUpdates: allowed,
			MaxConnections: webhookConnections})
		return err
	})
	return err
}

// DeleteWebhook makes Telegram keep updates for getUpdates. What waits is kept.
func (c *Client) DeleteWebhook(ctx context.Context) error {
	_, err := c.question(ctx, func(ctx context.Context, b *bot.Bot) error {
		_, err := b.DeleteWebhook(ctx, &bot.DeleteWebhookParams{})
		return err
	})
	return err
}
