// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/explore"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// Assumptions are made with their reductions and withdrawn when they are breached.

func compile(t *testing.T, text string) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, err := front.Load(front.Share(context.Background()), front.Request{Patterns: []string{file}, Roots: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// What is assumed follows from the reductions; without fusing nothing is.
func TestAssumptions_AreThoseOfTheReductions(t *testing.T) {
	img, err := vm.NewImage(compile(t, "package main\n\nvar n int\n\nfunc main() { n++ }\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set             vm.Reductions
		frozen, guarded bool
	}{
		{vm.AllReductions, true, true}, {vm.FrozenReads, false, false}, {vm.Fusing, false, false},
		{vm.Fusing | vm.FrozenReads, true, false}, {vm.Fusing | vm.GuardedAccesses, false, true},
	} {
		a := NewAssumptions(img, c.set)
		if (a.Frozen != nil) != c.frozen || (a.Guards != nil) != c.guarded {
			t.Errorf("%s: frozen %t, guarded %t", c.set, a.Frozen != nil, a.Guards != nil)
		}
		if a.Withdraw() {
			t.Errorf("%s: something is withdrawn before anything was told", c.set)
		}
	}
}

// run lets threads take their steps round about until nobody can go on, and tells what the
// machine finds out.
func run(img *vm.Image, main *ir.Func, a *Assumptions) (useless bool) {
	opt := Program(vm.Fusing)
	opt.Frozen, opt.Guards = a.Frozen, a.Guards
	m := img.NewMachine(opt)
	m.Start(main)
	m.Settle(0, explore.Replay(nil))
	for moved := true; moved; {
		moved = false
		for i := 0; i < m.Threads() && m.Ended().Kind == vm.Running; i++ {
			if m.Enabled(i) {
				m.Step(i, explore.Replay(nil))
				m.Load(m.Save(nil))
				moved = true
			}
			if a.Tell(m) {
				return true
			}
		}
	}
	return false
}

// A class that is written while it is shared is withdrawn, and the next attempt goes on.
func TestAssumptions_WithdrawWhatIsBreached(t *testing.T) {
	prog := compile(t, `package main

type cell struct{ a, b int }

func main() {
	c, done := &cell{}, make(chan int)
	go func() {
		c.b = c.a + 1
		done <- 1
	}()
	<-done
}
`)
	img, err := vm.NewImage(prog)
	if err != nil {
		t.Fatal(err)
	}
	a := NewAssumptions(img, vm.Fusing|vm.FrozenReads)
	attempts := 0
	for {
		a.Begin()
		attempts++
		useless := run(img, prog.Roots[0], a)
		if useless != (a.Fault() != nil || attempts == 1) {
			t.Fatalf("attempt %d: useless %t, %v", attempts, useless, a.Fault())
		}
		if !a.Withdraw() {
			break
		}
	}
	if attempts != 2 {
		t.Errorf("%d attempts, want 2: only b is written while it is shared", attempts)
	}
	given := 0
	for _, frozen := range a.Frozen {
		if !frozen {
			given++
		}
	}
	if given != 1 {
		t.Errorf("%d classes are given up, want 1", given)
	}
}
