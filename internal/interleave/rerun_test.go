// SPDX-License-Identifier: BSD-3-Clause

package interleave_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pangolin/internal/explore"
	"pangolin/internal/front"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// program is a whole program as a transition system.
type program struct {
	img  *vm.Image
	main *ir.Func
}

func (p *program) NewCursor() explore.Cursor {
	opt := interleave.Program(vm.Fusing)
	c := &programCursor{main: p.main, m: p.img.NewMachine(opt)}
	return c
}

type programCursor struct {
	main *ir.Func
	m    *vm.Machine
}

func (c *programCursor) Machine() *vm.Machine { return c.m }
func (c *programCursor) Initial(ch *explore.Choices) {
	c.m.Reset()
	c.m.Start(c.main)
	c.m.Settle(0, ch)
}
func (c *programCursor) Load(state []uint64)                      { c.m.Load(state) }
func (c *programCursor) Step(m explore.Move, ch *explore.Choices) { c.m.Step(m.Agent(), ch) }
func (c *programCursor) Save(dst []uint64) []uint64               { return c.m.Save(dst) }
func (c *programCursor) Moves(dst []explore.Move) []explore.Move {
	for i := range c.m.Threads() {
		if c.m.Enabled(i) {
			dst = append(dst, explore.MoveOf(i))
		}
	}
	return dst
}

func load(t *testing.T, src string) *program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
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
	return &program{img, prog.Roots[0]}
}

// ways finds a way to each state of a program that ends, and to one on each cycle, with the
// cycle behind it.
func (p *program) ways() (ends []explore.Path, loops []interleave.Loop, roots []explore.Path) {
	explore.Run(context.Background(), p, explore.Options{
		Visit: func(c explore.Cursor, t explore.Trail, _ int) explore.Action {
			if c.(*programCursor).m.Ended().Kind != vm.Running {
				ends = append(ends, t.Path())
			}
			return explore.Continue
		},
		Cycles: true, OnComponent: func(c *explore.Component) explore.Action {
			for _, l := range interleave.FairLoops(c, p.NewCursor().(interleave.Cursor)) {
				loops, roots = append(loops, l), append(roots, c.Trail())
			}
			return explore.Continue
		}})
	return ends, loops, roots
}

// record walks along a path and a cycle behind it.
func (p *program) record(path explore.Path, more ...[]explore.Taken) (turns []interleave.Turn, cycle []interleave.Turn) {
	w, first := interleave.Begin(p.NewCursor().(interleave.Cursor), path.Start)
	w.Settle()
	turns = []interleave.Turn{first}
	for _, s := range path.Steps {
		turns = append(turns, w.Step(s))
		w.Settle()
	}
	for i, leg := range more {
		for _, s := range leg {
			t := w.Step(s)
			w.Settle()
			if i == len(more)-1 {
				cycle = append(cycle, t)
			} else {
				turns = append(turns, t)
			}
		}
	}
	return turns, cycle
}

// rerun executes turns on a machine that assumes nothing.
func (p *program) rerun(turns []interleave.Turn) (*vm.Machine, *interleave.Rerun, error) {
	m := p.img.NewMachine(interleave.Plain(interleave.Program(vm.Fusing)))
	r := interleave.NewRerun(m)
	m.Start(p.main)
	for i := range turns {
		if err := r.Turn(&turns[i]); err != nil {
			return m, r, err
		}
	}
	return m, r, nil
}

// Two goroutines that end, one of them before the other begins: threads change their places in
// saved states, and which receiver is served is a decision between places.
const served = `package main

func main() {
	c := make(chan int)
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	for range 2 {
		go func() { print(<-c); done <- true }()
	}
	c <- 1
	c <- 2
	<-done
	<-done
}
`

func TestRerun_EndsAsTheSearchDid(t *testing.T) {
	p := load(t, served)
	ends, _, _ := p.ways()
	if len(ends) < 2 {
		t.Fatalf("the program ends in %d states", len(ends))
	}
	for _, path := range ends {
		turns, _ := p.record(path)
		m, _, err := p.rerun(turns)
		if err != nil {
			t.Fatal(err)
		}
		if m.Ended().Kind != vm.Exited {
			t.Errorf("the execution has not ended: %v", m.Ended())
		}
	}
}

func TestRerun_RejectsWhatCannotBeExecuted(t *testing.T) {
	p := load(t, served)
	ends, _, _ := p.ways()
	turns, _ := p.record(ends[0])
	last := len(turns) - 1
	spoilt := map[string]func(*interleave.Turn){
		"a thread that does not exist":  func(t *interleave.Turn) { t.Ran[0].Thread = 17 },
		"more instructions":             func(t *interleave.Turn) { t.Ran[len(t.Ran)-1].Instructions += 1000 },
		"a decision that nobody wanted": func(t *interleave.Turn) { t.Decisions = append(slices.Clone(t.Decisions), 0) },
	}
	for what, spoil := range spoilt {
		other := slices.Clone(turns)
		other[last].Ran = slices.Clone(turns[last].Ran)
		spoil(&other[last])
		if _, _, err := p.rerun(other); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

// A goroutine that is started anew in each round: on the cycle its number changes.
const rounds = `package main

func main() {
	ended := make(chan bool)
	for {
		go func() { ended <- true }()
		<-ended
	}
}
`

// One that counts for some rounds and begins again.
const counts = `package main

import "sync/atomic"

var n atomic.Int32

func main() {
	for {
		n.Store((n.Load() + 1) % 3)
	}
}
`

func TestBack_ConfirmsCyclesAndNothingElse(t *testing.T) {
	for name, src := range map[string]string{"rounds": rounds, "counts": counts} {
		p := load(t, src)
		_, loops, roots := p.ways()
		if len(loops) == 0 {
			t.Errorf("%s: there is no cycle", name)
			continue
		}
		turns, cycle := p.record(roots[0], loops[0].Way, loops[0].Cycle)
		for _, n := range []int{1, len(cycle)} {
			_, r, err := p.rerun(turns)
			if err != nil {
				t.Fatal(err)
			}
			mark := r.Mark()
			for i := range cycle[:n] {
				if err := r.Turn(&cycle[i]); err != nil {
					t.Fatal(err)
				}
			}
			err = r.Back(mark, nil)
			if (err == nil) != (n == len(cycle)) {
				t.Errorf("%s: %d turns of %d: %v", name, n, len(cycle), err)
			}
		}
	}
}
