package bot

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
)

// maxBody is the longest update we take. Telegram's are far below.
const maxBody = 1 << 20

// Webhook is the door by which Telegram posts updates. It answers 200 once an update and all its effects are on disk, and an error
// only where the update has to come again: Telegram holds back the whole chat behind a refused one.
//
//	401  the secret is missing or wrong; nothing is stored
//	413  longer than 1 MiB
//	200  stored, or a repeat, or nothing that could be an update
//	503  the database cannot be used; Retry-After says when to come again
func (b *Bot) Webhook(secret string) http.Handler {
	want := sha256.Sum256([]byte(secret))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Of equal length, so that the time tells nothing, not even how long the secret is.
		got := sha256.Sum256([]byte(r.Header.Get("X-Telegram-Bot-Api-Secret-Token")))
		if secret == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		var tooLong *http.MaxBytesError
		switch {
		case errors.As(err, &tooLong):
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		case err != nil: // the connection broke: whoever still listens must not take it for stored
			unavailable(w)
			return
		}
		if err := b.Handle(r.Context(), raw); err != nil {
			b.log.Error().Err(err).Msg("an update cannot be stored and must come again")
			unavailable(w)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
}

func unavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	http.Error(w, "unavailable", http.StatusServiceUnavailable)
}
