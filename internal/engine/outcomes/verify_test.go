// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/vm"
)

// Schedules that are executed again, whole and damaged.

const lockOrder = `package main

import "sync"

var a, b sync.Mutex

func main() {
	done := make(chan bool)
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
		done <- true
	}()
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	<-done
}
`

// deadlocked explores a program and returns the exploration and its deadlock.
func deadlocked(t *testing.T) (*exploration, *Outcome) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(lockOrder), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, err := front.Load(front.Share(context.Background()), front.Request{Patterns: []string{file}, Roots: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	img, err := vm.NewImage(prog)
	if err != nil {
		t.Fatal(err)
	}
	x := newExploration(img, prog.Roots[0], Options{Reductions: Applicable})
	x.explore(context.Background())
	if err := x.findSchedules(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, o := range x.found {
		if o.Kind == Deadlock {
			return x, o
		}
	}
	t.Fatal("no deadlock")
	return nil, nil
}

func TestVerify_AcceptsTheScheduleThatWasFound(t *testing.T) {
	x, o := deadlocked(t)
	if err := x.verify(o.Schedule, o.key()); err != nil {
		t.Error(err)
	}
}

func TestVerify_RejectsAScheduleThatEndsEarly(t *testing.T) {
	x, o := deadlocked(t)
	short := &Schedule{Turns: o.Schedule.Turns[:len(o.Schedule.Turns)-1]}
	if x.verify(short, o.key()) == nil {
		t.Error("a schedule without its last turn was accepted")
	}
}

func TestVerify_RejectsAThreadThatDoesNotExist(t *testing.T) {
	x, o := deadlocked(t)
	other := &Schedule{Turns: append([]Turn(nil), o.Schedule.Turns...)}
	first := other.Turns[1].Thread
	other.Turns[1].Thread = -1
	for i := range other.Turns[1].Ran {
		other.Turns[1].Ran[i].Thread = first + 7
	}
	if x.verify(other, o.key()) == nil {
		t.Error("a schedule of a thread that does not exist was accepted")
	}
}

func TestExplore_ShowsTheShortestSchedule(t *testing.T) {
	_, o := deadlocked(t)
	var who []string
	for _, turn := range o.Schedule.Turns[1:] {
		who = append(who, turn.Goroutine+" "+turn.Does)
	}
	if len(who) != 2 {
		t.Errorf("two turns lead to the deadlock, not %q", who)
	}
}
