package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// routes are what hodor answers over HTTP: the webhook, and how it is.
func (h *hodor) routes() http.Handler {
	mux := http.NewServeMux()
	if h.config.Updates.Mode == "webhook" {
		mux.Handle("POST /webhook", h.bot.Webhook(h.config.HTTP.WebhookSecret.Reveal()))
	}
	mux.HandleFunc("GET /healthz", healthz)
	mux.HandleFunc("GET /readyz", h.readyz)
	return mux
}

// healthz says that the process lives; it touches nothing (A19).
func healthz(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok", "version": buildVersion()})
}

// readyz says whether the desk can do its work, and if not, why.
func (h *hodor) readyz(w http.ResponseWriter, _ *http.Request) {
	type line struct {
		Part string `json:"part"`
		Why  string `json:"why"`
	}
	notReady := h.ready.NotReady()
	if len(notReady) == 0 {
		writeJSON(w, http.StatusOK, map[string]any{"status": "ready"})
		return
	}
	var lines []line
	for _, part := range slices.Sorted(maps.Keys(notReady)) {
		lines = append(lines, line{string(part), notReady[part]})
	}
	writeJSON(w, http.StatusServiceUnavailable, map[string]any{"status": "not ready", "not_ready": lines})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the other side may have gone: nobody is left to tell
}
