package bot

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// A desk on a real database, without anybody who sends.
type fuzzed struct {
	bot   *Bot
	shell *sql.DB
	next  int64
}

func newFuzzed(f *testing.F) *fuzzed {
	f.Helper()
	clock := dbtest.NewClock()
	path := filepath.Join(f.TempDir(), "hodor.db")
	d := dbtest.OpenAt(f, path, clock.Now)
	dbtest.Update(f, d, func(tx *db.Tx) error {
		return tx.SetIdentity(db.Identity{Username: "hodor_test_bot", DisplayName: "H"})
	})
	shell, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { shell.Close() })
	rules := Rules{Admins: []desk.UserID{100}, GroupAdmins: true, MaxMessagesPerMinute: 20}
	return &fuzzed{bot: New(d, rules, clock.Now, zerolog.Nop()), shell: shell}
}

// state is everything that an update may leave behind, in figures.
func (z *fuzzed) state(t *testing.T, id int64) (claims string, owed int) {
	t.Helper()
	err := z.shell.QueryRow(`SELECT (SELECT COALESCE(group_concat(status), '') FROM processed_updates WHERE update_id = ?),
		(SELECT COALESCE(max(id), 0) FROM outbox)`, id).Scan(&claims, &owed)
	if err != nil {
		t.Fatal(err)
	}
	return claims, owed
}

func (z *fuzzed) handle(t *testing.T, raw string) {
	t.Helper()
	if err := z.bot.Handle(context.Background(), []byte(raw)); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
}

// Whatever comes in: never a panic, never an error, never kept for another try, never stored or acted upon twice.
func FuzzUpdate(f *testing.F) {
	albums := 0
	album := func() string { albums++; return fmt.Sprintf(`"media_group_id":"%d"`, albums) }
	for _, c := range contentsOf {
		f.Add(message(ann, private, c.body)[len(`{"update_id":1,`):])
		f.Add(message(bob, forum, inTopic, c.body)[len(`{"update_id":1,`):])
		f.Add(edited(ann, private, c.body)[len(`{"update_id":1,`):])
		f.Add(edited(bob, forum, inTopic, c.body)[len(`{"update_id":1,`):])
		f.Add(message(ann, private, c.body, album())[len(`{"update_id":1,`):])
		f.Add(message(bob, forum, inTopic, c.body, album())[len(`{"update_id":1,`):])
	}
	for _, bound := range []string{`"reply_to_message":{"message_id":8}`, `"reply_to_message":{"message_id":"8"}`, `"reply_to_message":[8]`,
		`"reply_to_message":{"message_id":5,"forum_topic_created":{"name":"Ann"}}`, `"quote":{"text":"x","position":0}`, `"quote":7`,
		`"media_group_id":13579`, `"media_group_id":{"id":"1"}`} {
		for _, text := range []string{`"text":"hi"`, `"photo":[],"caption":"// talk"`, `"photo":[],"caption":"/del"`, `"text":"/del"`} {
			f.Add(message(ann, private, text, bound)[len(`{"update_id":1,`):])
			f.Add(message(bob, forum, inTopic, text, bound)[len(`{"update_id":1,`):])
			f.Add(edited(bob, forum, inTopic, text, bound)[len(`{"update_id":1,`):])
			f.Add(message(bob, forum, inTopic, text, album(), bound)[len(`{"update_id":1,`):])
		}
	}
	for _, change := range [][2]string{{"", thumb}, {thumb, ""}, {thumb, heart + `,` + custom}, {custom, paid}, {"", unheard}, {"null", "7"}} {
		f.Add(reaction(private, annReacts, change[0], change[1])[len(`{"update_id":1,`):])
		f.Add(reaction(forum, bobReacts, change[0], change[1])[len(`{"update_id":1,`):])
		f.Add(reaction(forum, asGroup, change[0], change[1])[len(`{"update_id":1,`):])
	}
	for _, body := range []string{
		`"callback_query":{"id":"q",` + ann + `,"message":{"message_id":9,"date":0,` + private + `},"chat_instance":"1","data":"r:1"}}`,
		`"callback_query":{"id":"q",` + bob + `,"message":{"message_id":9,"date":1,` + forum + `},"chat_instance":"1","data":"r:99999999999"}}`,
		`"my_chat_member":{` + private + `,` + ann + `,"date":1,"old_chat_member":{},"new_chat_member":{"status":"kicked","user":{"id":1000}}}}`,
		`"my_chat_member":{` + forum + `,` + bob + `,"date":1,"old_chat_member":{},"new_chat_member":{"status":"kicked","user":{"id":1000}}}}`,
		`"chat_member":{` + forum + `,` + bob + `,"date":1,"old_chat_member":{},"new_chat_member":{"status":"administrator","user":{"id":44}}}}`,
		`"edited_message":{` + when + `,` + ann + `,` + private + `,"edit_date":5,"text":"x"}}`,
		`"message_reaction":{` + private + `,"message_id":3,"date":1,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👍"}]}}`,
		`"telepathy":{}}`, `}`, ``, `"message":null}`,
	} {
		f.Add(body)
	}
	for _, service := range []string{`"forum_topic_created":{"name":"Ann","icon_color":7322096}`, `"forum_topic_edited":{"name":"VIP"}`,
		`"forum_topic_closed":{}`, `"forum_topic_reopened":{}`, `"pinned_message":{"message_id":2,"date":1}`, `"migrate_to_chat_id":-1001234567890`} {
		f.Add(message(me, forum, inTopic, service)[len(`{"update_id":1,`):])
		f.Add(message(bob, forum, inTopic, service)[len(`{"update_id":1,`):])
	}
	for _, text := range []string{"/start", "/help@hodor_test_bot", "/help@other", "//", "/", "// team"} {
		f.Add(message(ann, private, fmt.Sprintf(`"text":%q`, text))[len(`{"update_id":1,`):])
		f.Add(message(bob, forum, inTopic, fmt.Sprintf(`"text":%q`, text))[len(`{"update_id":1,`):])
	}
	z := newFuzzed(f)
	f.Fuzz(func(t *testing.T, body string) {
		z.next++
		raw := fmt.Sprintf(`{"update_id":%d,%s`, z.next, body)
		z.handle(t, raw)
		claims, owed := z.state(t, z.next)
		if strings.Contains(claims, "processing") || strings.Contains(claims, "failed") {
			t.Fatalf("%q could not be handled: %s", raw, claims)
		}
		z.handle(t, raw)
		again, owedAgain := z.state(t, z.next)
		if again != claims || strings.Contains(claims, ",") || owedAgain != owed {
			t.Fatalf("%q a second time: claims %q, then %q; owed %d, then %d", raw, claims, again, owed, owedAgain)
		}
		z.handle(t, body) // as it came, without a number of ours
	})
}
