// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"testing"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// An object with more clients of two threads than are listed is asked four calls all the same, as long as
// that is cheap: D has room for none of the four that show this fault.
func TestVerify_AsksObjectsMoreThanDWhileThatIsCheap(t *testing.T) {
	level.SkipShort(t, "verifies a type in several scopes")
	dir := writeModule(t, map[string]string{"lease/lease.go": `package lease

import "sync"

// Lease is somebody's.
type Lease struct {
	mu    sync.Mutex
	owner int
}

// New returns one that nobody holds.
func New() *Lease { return &Lease{owner: -1} }

// Acquire takes it from whoever has it.
func (l *Lease) Acquire(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owner = id
}

// Renew says whether it is id's, and keeps it so.
func (l *Lease) Renew(id int) bool {
	l.mu.Lock()
	mine := l.owner == id
	l.mu.Unlock()
	if !mine {
		return false
	}
	l.mu.Lock() // somebody else may have it by now
	defer l.mu.Unlock()
	l.owner = id
	return true
}
`})
	for config, want := range map[string]verdict.Status{"": verdict.Violated, "D": verdict.Verified} {
		list, err := pangolin.Verify(front.Share(context.Background()), pangolin.Request{Dir: dir, Packages: []string{"./lease"},
			Scope: pangolin.Scope{Config: config}})
		if err != nil || len(list) != 1 {
			t.Fatalf("%d verdicts, %v", len(list), err)
		}
		if v := list[0]; v.Status != want {
			t.Errorf("%q: %s in %s, want %s", config, v.Status, v.Scope.Name(), want)
		}
	}
}
