// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
)

// dice is a chooser that plays the same numbers again after a rewind.
type dice struct {
	rng    *rand.Rand
	thrown []int
	next   int
}

func (d *dice) Choose(n int) int {
	if d.next == len(d.thrown) {
		d.thrown = append(d.thrown, d.rng.IntN(1<<30))
	}
	d.next++
	return d.thrown[d.next-1] % n
}

func (d *dice) rewind() { d.next = 0 }

func (d *dice) clear() { d.thrown, d.next = d.thrown[:0], 0 }

// concurrentPrograms are sources of small concurrent programs: generated ones and
// some of package corpus's.
func concurrentPrograms(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for seed := range uint64(12) {
		all[fmt.Sprint("generated ", seed)] = generator.Program(seed)
	}
	files, err := filepath.Glob("../test/corpus/testdata/programs/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if i%7 != 0 {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), "pangolin/mark") { // a file by itself is in no module that has it
			continue
		}
		all[filepath.Base(file)] = string(src)
	}
	return all
}

// TestStates_LoadAsTheyWereSaved follows random executions. Each state is saved,
// loaded into the same machine and into one with another history, and saved again;
// then both machines make the same step, and must be in the same state again.
func TestStates_LoadAsTheyWereSaved(t *testing.T) {
	all := concurrentPrograms(t)
	var names, sources []string // some will do; with -level more all
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if !level.Out(i, 4) {
			names, sources = append(names, name), append(sources, all[name])
		}
	}
	for i, img := range compiledAll(t, sources) {
		t.Run(names[i], func(t *testing.T) {
			for seed := range uint64(3) {
				for _, opt := range []Options{{NoSymmetry: true}, {}, {NoFusing: true}} {
					follow(t, img, opt, seed)
				}
			}
		})
	}
}

// follow follows one random execution for a while.
func follow(t *testing.T, img *Image, opt Options, seed uint64) {
	t.Helper()
	d := &dice{rng: rand.New(rand.NewPCG(seed, 1))}
	a, b := img.NewMachine(opt), img.NewMachine(opt)
	a.Start(img.Prog.Roots[0])
	b.Start(img.Prog.Roots[0])
	a.Settle(0, d)
	for step := range 200 {
		if a.Fault() != nil {
			return
		}
		saved := a.Save(nil)
		if again := a.Save(nil); !slices.Equal(saved, again) {
			t.Fatalf("%+v, step %d: saving twice gives two states", opt, step)
		}
		if a.Ended().Kind != Running {
			return
		}
		for _, m := range []*Machine{a, b} {
			m.Load(saved)
			if loaded := m.Save(nil); !slices.Equal(saved, loaded) {
				t.Fatalf("%+v, step %d: the state differs after loading\n%x\n%x", opt, step, saved, loaded)
			}
		}
		i := enabled(a, d)
		if i < 0 {
			return
		}
		d.clear()
		a.Step(i, d)
		d.rewind()
		b.Step(i, d)
		if why := differ(a, b); why != "" {
			t.Fatalf("%+v, step %d of thread %d: %s", opt, step, i, why)
		}
		if d.rng.IntN(4) == 0 { // b gets a history of its own
			if i := enabled(b, d); i >= 0 && b.Fault() == nil {
				b.Step(i, d)
			}
		}
	}
}

// differ compares two machines that should be in the same state.
func differ(a, b *Machine) string {
	switch {
	case (a.Fault() != nil) != (b.Fault() != nil):
		return fmt.Sprintf("faults %v and %v", a.Fault(), b.Fault())
	case a.Fault() != nil && a.Fault().Error() != b.Fault().Error():
		return fmt.Sprintf("faults %v and %v", a.Fault(), b.Fault())
	case a.Fault() == nil && !slices.Equal(a.Save(nil), b.Save(nil)):
		return fmt.Sprintf("two states\n%x\n%x", a.Save(nil), b.Save(nil))
	}
	return ""
}

// enabled picks a thread that has a step; -1 if none has.
func enabled(m *Machine, d *dice) int {
	var list []int
	for i := range m.Threads() {
		if m.Enabled(i) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return -1
	}
	return list[d.rng.IntN(len(list))]
}
