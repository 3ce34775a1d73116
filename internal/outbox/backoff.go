package outbox

import (
	"math/rand/v2"
	"time"
)

var delays = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// longestWait is more than any call is ever put off.
const longestWait = 15 * time.Minute

// backoff is how long to wait after the nth failure in a row, counted from 0: longer each time, up to 10 min, and up to a fifth more
// by chance, so that what failed together does not come back together.
func backoff(n int) time.Duration {
	d := delays[min(n, len(delays)-1)]
	return d + rand.N(d/5)
}
