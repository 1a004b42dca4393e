// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// timedTypes read the clock, which goes on once.
var timedTypes = map[string]struct {
	source string
	status verdict.Status
	class  string
}{
	"what expires is deleted under the lock": {expiring("Lock", "Unlock"), verdict.Verified, ""},
	// Shown by nothing but a value that has expired.
	"what expires is deleted under a lock for reading": {expiring("RLock", "RUnlock"), verdict.Violated, "race"},
	// The oracle map holds what has been stored for ever, and the clock stands still for it.
	"a map that forgets": {strings.ReplaceAll(expiring("Lock", "Unlock"), "Cache", "Map"), verdict.Verified, ""},
	"who waits for a deadline does not do so for ever": {`
type Gate struct{ n atomic.Int64 }
func (g *Gate) Wait() int64 {
	for end := time.Now().Add(time.Second); time.Now().Before(end); { runtime.Gosched() }
	return g.n.Add(1)
}`, verdict.Verified, ""},
	// One call has read the clock and is late: the others are in order with a clock that goes on twice.
	"the clock is read before the lock": {`
type Stamps struct { mu sync.Mutex; last time.Time }
func (s *Stamps) Touch() { now := time.Now(); s.mu.Lock(); s.last = now; s.mu.Unlock() }
func (s *Stamps) Stale() bool { now := time.Now(); s.mu.Lock(); defer s.mu.Unlock(); return now.Sub(s.last) > time.Hour }`, verdict.Verified, ""},
	// Two calls may both see a year go by; a third one then sees it go back.
	"what has passed is counted twice": {`
type Clock struct { mu sync.Mutex; at time.Time }
func New() *Clock { return &Clock{at: time.Now()} }
func (c *Clock) Tick() time.Duration { c.mu.Lock(); d := time.Since(c.at); c.mu.Unlock(); c.mu.Lock(); c.at = c.at.Add(d); c.mu.Unlock(); return d }`,
		verdict.Violated, "history"},
}

func expiring(lock, unlock string) string {
	return strings.NewReplacer("LOCK", lock, "UNLOCK", unlock).Replace(`
type entry struct { v int; until time.Time }
type Cache struct { mu sync.RWMutex; m map[string]entry }
func New() *Cache { return &Cache{m: map[string]entry{}} }
func (c *Cache) Set(key string, v int) { c.mu.Lock(); defer c.mu.Unlock(); c.m[key] = entry{v, time.Now().Add(time.Minute)} }
func (c *Cache) Get(key string) (int, bool) {
	c.mu.LOCK()
	defer c.mu.UNLOCK()
	e, ok := c.m[key]
	if ok && time.Now().After(e.until) {
		delete(c.m, key)
		return 0, false
	}
	return e.v, ok
}`)
}

func TestVerify_LetsTheClockGoOn(t *testing.T) {
	level.SkipShort(t, "verifies types that read the clock")
	for name, c := range timedTypes {
		t.Run(name, func(t *testing.T) {
			dir := modules.Dir(t, "package example\n\nimport (\n\"runtime\"\n\"sync\"\n\"sync/atomic\"\n\"time\"\n)\n\n"+
				"var (\n_ = runtime.Gosched\n_ sync.Mutex\n_ atomic.Int64\n_ time.Time\n)\n"+c.source)
			r := pangolin.Request{Dir: dir, Packages: []string{"."}, Scope: pangolin.Scope{Config: "B"}}
			if c.class == "history" {
				r.Scope.Config = "2x3"
			}
			list, err := pangolin.Verify(modules.Context, r)
			if err != nil {
				t.Fatal(err)
			}
			v := hasVerdict(t, list, c.status, c.class)
			said := slices.ContainsFunc(v.Assumptions, func(a string) bool { return strings.HasPrefix(a, "the clock goes on once at most") })
			if v.Status == verdict.Verified && !said {
				t.Errorf("nothing is said of the clock: %q", v.Assumptions)
			}
		})
	}
}
