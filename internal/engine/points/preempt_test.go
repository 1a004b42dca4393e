// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// waits is a counter whose Get goes on for ever once the fourth Inc has taken effect where no search with one preemption and three calls was.
const waits = `package waits

import (
	"sync"
	"sync/atomic"
)

type Counter struct {
	mu               sync.Mutex
	n, waiters, tick atomic.Int64
}

func (c *Counter) Inc() int {
	c.waiters.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tick.Load()
	if c.tick.CompareAndSwap(t, t) || c.n.Load() < 3 {
		v := c.n.Add(1)
		c.waiters.Add(-1)
		return int(v)
	}
	return int(c.n.Add(1))
}

func (c *Counter) Get() int {
	c.mu.Lock()
	for c.waiters.Load() > 0 {
		c.mu.Unlock()
		c.tick.Store(c.tick.Load() ^ 1)
		c.mu.Lock()
	}
	v := c.n.Load()
	c.mu.Unlock()
	return int(v)
}
`

// Cycles are judged without a bound on preemptions. What points do not explain on the way to one ends the search by points.
func TestByPoints_DoNotHideWhatIsBehindTheBoundOnPreemptions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module waits\n\ngo 1.26\n", "waits.go": waits} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	q := find.Query{Dir: dir, Packages: []string{"."}, Note: func(string, ...any) {},
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{}, nil }}
	found, _, err := q.Find(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatal(len(found), err)
	}
	j, err := generated(t, found[0])
	if err != nil {
		t.Fatal(err)
	}
	j.Scope.Preset, j.Scope.Preempt, j.Scope.Fair, j.Scope.Clients.Steps = "", 1, true, client.Range{From: 1, To: 5}
	if points, _ := fixed(shared, within(j, findThreads, findCalls)); points == nil {
		t.Error("no points are found, so the test says nothing")
	}
	if v, judged := byPoints(shared, j, engine.Events{}); judged {
		t.Errorf("%s by points", v.Status)
	}
	e := bounded.Engine()
	if v, err := e.Decide(shared, j, engine.Events{}); err != nil || v.Status != verdict.Violated || v.Violation.Class != string(bounded.Livelock) {
		t.Errorf("%s by the monitor: %s %v", v.Status, v.Reason, err)
	}
}
