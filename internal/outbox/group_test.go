package outbox

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"

	"hodor/db"
	"hodor/internal/desk"
)

// methodCalled is the Bot API method that a request with these parameters calls.
func methodCalled(t *testing.T, params any) (method string) {
	t.Helper()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		method = r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		io.WriteString(w, `{"ok":true,"result":true}`)
	})
	newTestClient(t, url).ask(t.Context(), func(ctx context.Context, b *bot.Bot) error { return send(ctx, b, params) })
	return method
}

var (
	aTopic   = desk.TopicLane(7)
	aThread  = desk.ThreadLane(5)
	aPerson  = desk.UserLane(7)
	aPress   = desk.Lane{Kind: desk.ToPress, ID: 1}
	allLanes = []desk.Lane{aTopic, aThread, aPerson, aPress, desk.GeneralLane()}
)

// free are the lanes that need not wait.
func freeLanes(g *groupState, now time.Time) string {
	var names []string
	for _, l := range allLanes {
		if !g.gate(l, now).After(now) {
			names = append(names, string(l.Kind))
		}
	}
	return strings.Join(names, " ")
}

func wantFree(t *testing.T, when string, g *groupState, now time.Time, want string) {
	t.Helper()
	if got := freeLanes(g, now); got != want {
		t.Errorf("%s: %q need not wait, want %q", when, got, want)
	}
}

const all, noTopics, noGroup = "topic thread user press general", "user press general", "user press"

func TestGroupTopicsNeedAProofNotOlderThanTenSeconds(t *testing.T) {
	var g groupState
	wantFree(t, "at first", &g, noon, noTopics)
	if !g.wanted {
		t.Error("nobody asks for a proof")
	}
	g.see(db.ForumSign{IsForum: true, At: noon}, noon)
	wantFree(t, "with a proof", &g, noon, all)
	wantFree(t, "with one of 10 s ago", &g, noon.Add(10*time.Second), all)
	wantFree(t, "with one of more than 10 s ago", &g, noon.Add(10*time.Second+time.Millisecond), noTopics)
	g.see(db.ForumSign{IsForum: true, At: noon.Add(-time.Hour)}, noon) // a late update
	if !g.proof.Equal(noon) {
		t.Errorf("an older sign made the proof %s", g.proof)
	}
}

func TestGroupContrarySignStopsTopicsUntilItIsConfirmed(t *testing.T) {
	g := groupState{proof: noon}
	g.see(db.ForumSign{IsForum: false, At: noon.Add(-time.Second)}, noon)
	wantFree(t, "a sign older than the proof", &g, noon, all)
	g.see(db.ForumSign{IsForum: false, At: noon.Add(time.Second)}, noon)
	wantFree(t, "a contrary sign", &g, noon.Add(time.Second), noTopics)
	g.see(db.ForumSign{IsForum: true, At: noon.Add(2 * time.Second)}, noon)
	wantFree(t, "a sign that takes it back", &g, noon.Add(2*time.Second), noTopics) // only getChat decides
	if at := g.askAt(noon.Add(2 * time.Second)); !at.Equal(noon.Add(2 * time.Second)) {
		t.Errorf("it is asked at %s", at)
	}
}

func TestGroupIsAskedByOneAtATimeAndNotBeforeItsMoment(t *testing.T) {
	g := groupState{}
	if !g.askAt(noon).IsZero() || g.begin(noon) {
		t.Error("it is asked although nobody waits")
	}
	g.wanted, g.nextAsk = true, noon.Add(time.Minute)
	if g.begin(noon) || !g.askAt(noon).Equal(noon.Add(time.Minute)) {
		t.Errorf("it is asked before its moment, or at %s", g.askAt(noon))
	}
	if !g.begin(noon.Add(time.Minute)) || g.begin(noon.Add(time.Minute)) {
		t.Error("it is not asked once")
	}
	if !g.askAt(noon.Add(time.Hour)).IsZero() {
		t.Error("a second question is planned while the first is under way")
	}
}

func TestGroupThatIsShutTakesNothingAndOthersGoOn(t *testing.T) {
	g := groupState{proof: noon, shutUntil: noon.Add(5 * time.Minute), shutWhy: "kicked"}
	wantFree(t, "shut", &g, noon, noGroup)
	g.proof = noon.Add(5 * time.Minute)
	wantFree(t, "after 5 min", &g, noon.Add(5*time.Minute), all)
	g.shutUntil = noon.Add(time.Hour)
	g.reconsider(false)
	wantFree(t, "when something about the group changed", &g, noon.Add(5*time.Minute), all)
}

func TestGroupThatLostTooManyTopicsTakesGeneralOnly(t *testing.T) {
	g := groupState{proof: noon, stopped: true}
	wantFree(t, "stopped", &g, noon, noTopics)
	g.reconsider(false)
	g.see(db.ForumSign{IsForum: true, At: noon}, noon)
	wantFree(t, "stopped, whatever comes in", &g, noon, noTopics)
}

func TestGroupThatMovedNeedsANewProof(t *testing.T) {
	g := groupState{proof: noon, off: true}
	g.reconsider(true)
	wantFree(t, "moved", &g, noon, noTopics)
	if !g.wanted || g.off || !g.askAt(noon).Equal(noon) {
		t.Errorf("of the new group is known %+v", g)
	}
}

func TestHealthHoldsBackACallUntilSomethingSucceeded(t *testing.T) {
	var h health
	if h.gate(1, noon).After(noon) {
		t.Error("a call waits although all is well")
	}
	h.fail(1, noon)
	if h.wanted {
		t.Error("getMe is asked for before anybody waits")
	}
	if h.gate(2, noon).After(noon) || !h.gate(1, noon.Add(time.Hour)).After(noon.Add(time.Hour)) {
		t.Error("not just the call that got no verdict waits")
	}
	if !h.wanted || h.begin(noon) || !h.begin(noon.Add(2*time.Second)) || h.begin(noon.Add(2*time.Second)) {
		t.Error("getMe is not asked once, after a second")
	}
	if !h.succeed(noon.Add(3 * time.Second)) {
		t.Error("nobody is told that it works again")
	}
	if h.gate(1, noon.Add(3*time.Second)).After(noon.Add(3*time.Second)) || h.wanted {
		t.Error("it still waits")
	}
	if h.succeed(noon.Add(4 * time.Second)) {
		t.Error("a success that nobody waited for wakes all lanes")
	}
}

func TestHealthHaltedHoldsBackEverything(t *testing.T) {
	h := health{halted: "Unauthorized", nextAsk: noon.Add(haltedAsk)}
	if !h.gate(1, noon).After(noon) || !h.gate(2, noon).After(noon) {
		t.Error("a call goes out although the token is refused")
	}
	if at := h.askAt(); !at.Equal(noon.Add(haltedAsk)) {
		t.Errorf("the token is looked at again at %s", at)
	}
	if !h.succeed(noon) || h.gate(1, noon).After(noon) {
		t.Error("it does not end with a success")
	}
}
