package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"
	"github.com/rs/zerolog"

	"hodor/bot"
	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// people is how many different people write in the benchmarks.
const people = 2_000

// BenchmarkIntake posts updates to the webhook over real connections, beside a floor measured in the same run: the same HTTP server
// and the same JSON decoding without a database. It reports both per second, their ratio, commits per update, and the time in which
// 99 of 100 updates are acknowledged.
func BenchmarkIntake(b *testing.B) {
	for _, connections := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) { benchIntake(b, connections, 0) })
	}
	b.Run("rows=1000000", func(b *testing.B) { benchIntake(b, 64, 1_000_000) })
}

func benchIntake(b *testing.B, connections, rows int) {
	floor := httptest.NewServer(http.HandlerFunc(decodeOnly))
	defer floor.Close()
	d := dbtest.OpenAt(b, filepath.Join(b.TempDir(), "hodor.db"), time.Now)
	fill(b, d, rows)
	desk := bot.New(d, bot.Rules{MaxMessagesPerMinute: 1 << 30}, time.Now, zerolog.Nop())
	real := httptest.NewServer(desk.Webhook("secret"))
	defer real.Close()
	n := max(b.N, 200*connections)
	next := int64(rows)
	floorTook, _ := post(b, floor.URL, connections, n, &next)
	commits := d.Commits()
	b.ResetTimer()
	took, waits := post(b, real.URL, connections, n, &next)
	b.StopTimer()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(n)/floorTook.Seconds(), "floor/s")
	b.ReportMetric(float64(n)/took.Seconds(), "updates/s")
	b.ReportMetric(floorTook.Seconds()/took.Seconds(), "of-floor")
	b.ReportMetric(float64(d.Commits()-commits)/float64(n), "commits/update")
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
}

func decodeOnly(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	var u models.Update
	if json.Unmarshal(raw, &u) != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
}

// post sends n updates over the connections and returns how long all took, and each.
func post(b *testing.B, url string, connections, n int, next *int64) (time.Duration, []time.Duration) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	waits := make([]time.Duration, n)
	var at atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for range connections {
		all.Go(func() {
			for {
				i := at.Add(1) - 1
				if i >= int64(n) {
					return
				}
				began := time.Now()
				if status := postOne(client, url, atomic.AddInt64(next, 1)); status != http.StatusOK {
					b.Errorf("status %d", status)
					return
				}
				waits[i] = time.Since(began)
			}
		})
	}
	all.Wait()
	return time.Since(start), waits
}

func postOne(client *http.Client, url string, id int64) int {
	user := 1_000_000 + rand.Int64N(people)
	body := fmt.Appendf(nil, `{"update_id":%d,"message":{"message_id":%d,"from":{"id":%d,"is_bot":false,"first_name":"Person",`+
		`"last_name":"Number","username":"person%d","language_code":"en"},"chat":{"id":%d,"first_name":"Person","last_name":"Number",`+
		`"username":"person%d","type":"private"},"date":%d,"text":"A question of about the usual length, with a few words more."}}`,
		id, id, user, user, user, user, time.Now().Unix())
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Telegram-Bot-Api-Secret-Token", "secret")
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// fill makes the database old: so many rows in the ledger and as many claims, and everybody known.
func fill(b *testing.B, d *db.DB, rows int) {
	const batch = 10_000
	for from := 0; from < rows; from += batch {
		dbtest.Update(b, d, func(tx *db.Tx) error {
			for i := from; i < from+batch; i++ {
				err := tx.WriteLedger(db.Relayed{User: desk.UserID(1_000_000 + i%people), Thread: desk.ThreadID(2 + i%people),
					Direction: db.In, InGroup: desk.MessageID(i), InPrivate: desk.MessageID(i), Content: "text"})
				if err != nil {
					return err
				}
			}
			return nil
		})
		var claims []db.Incoming
		for i := from; i < from+batch; i++ {
			claims = append(claims, db.Incoming{ID: desk.UpdateID(i), Apply: func(*db.Tx) error { return nil }})
		}
		for at := 0; at < batch; at += 200 {
			for _, err := range d.Claim(context.Background(), claims[at:at+200]...) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	dbtest.Update(b, d, func(tx *db.Tx) error {
		for i := range people {
			p := desk.Person{ID: desk.UserID(1_000_000 + i), FirstName: "Person", LastName: "Number",
				Username: fmt.Sprintf("person%d", 1_000_000+i), LanguageCode: "en"}
			if _, err := tx.Meet(p); err != nil {
				return err
			}
		}
		return nil
	})
}
