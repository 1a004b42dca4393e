// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"slices"
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

// Which of two channels callers get is not compared; the verdict says so. The type returns two to callers that come together.
func TestVerify_SaysThatChannelsAreNotToldApart(t *testing.T) {
	dir := writeModule(t, map[string]string{"topic/topic.go": `package topic

import "sync"

// Topic has one channel.
type Topic struct {
	mu sync.Mutex
	c  chan int
}

// Chan makes the channel if there is none.
func (t *Topic) Chan() chan int {
	t.mu.Lock()
	c := t.c
	t.mu.Unlock()
	if c == nil {
		c = make(chan int)
		t.mu.Lock()
		t.c = c
		t.mu.Unlock()
	}
	return c
}
`})
	list, err := pangolin.Verify(context.Background(), pangolin.Request{Dir: dir, Packages: []string{"./topic"}, Scope: pangolin.Scope{Config: "2x2"}})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d verdicts, %v", len(list), err)
	}
	const said = "which chan int Chan returns is not compared: two callers may get different ones"
	if v := list[0]; v.Status == verdict.Verified && !slices.Contains(v.Assumptions, said) {
		t.Errorf("verified under the assumptions %q, without %q", v.Assumptions, said)
	}
}
