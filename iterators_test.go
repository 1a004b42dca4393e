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

// An iterator that a method gives is run at once, which the verdict says, or each of its steps is an operation: what
// other threads do comes between two steps in either case, but only at once all steps have to be of one moment.
func TestVerify_TakesIteratorsAtOnceOrStepByStep(t *testing.T) {
	level.SkipShort(t, "seven searches")
	const head = `package example

import (
	"iter"
	"slices"
	"sync"
)

var _ = slices.Clone[[]int]

type Bag struct {
	mu   sync.Mutex
	list []int
}

func (b *Bag) Add(v int) { b.mu.Lock(); defer b.mu.Unlock(); b.list = append(b.list, v) }

func (b *Bag) at(i int) (v int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i < len(b.list) {
		v, ok = b.list[i], true
	}
	return v, ok
}

var _ iter.Seq[int]
`
	const each = `
func (b *Bag) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; ; i++ {
			if v, ok := b.at(i); !ok || !yield(i, v) {
				return
			}
		}
	}
}
func (b *Bag) Cut() { b.mu.Lock(); defer b.mu.Unlock(); b.list = nil }
`
	for _, c := range []struct {
		name, source, steps  string
		atOnce, stepwise     verdict.Status
		operations           []string // beside Add and All
		stepwiseSaid, failed string   // "": All can be taken step by step
	}{
		{"a copy", `
type Values func(yield func(int) bool)
func (b *Bag) All() Values {
	return func(yield func(int) bool) {
		b.mu.Lock()
		list := slices.Clone(b.list)
		b.mu.Unlock()
		for _, v := range list {
			if !yield(v) { return }
		}
	}
}`, "1..3", verdict.Verified, verdict.Verified, []string{"All.next", "All.stop"}, "step by step: All.next, All.stop", ""},
		{"each where it is", each, "1..4", verdict.Violated, verdict.Verified, []string{"All.next", "All.stop", "Cut"}, "step by step: All.next, All.stop", ""},
		{"two looks at one", strings.Replace(each, "!ok || !yield(i, v)", "!ok || !yield(i, v+len(b.list)-len(b.list))", 1), "1..4", verdict.Violated, verdict.Violated, []string{"All.next", "All.stop", "Cut"}, "step by step: All.next, All.stop", ""},
		{"nothing to give", `
func (b *Bag) All() func(yield func() bool) {
	return func(yield func() bool) {
		for i := 0; ; i++ {
			if _, ok := b.at(i); !ok || !yield() { return }
		}
	}
}`, "1..3", verdict.Verified, "", nil, "", "All is to be taken step by step, and gives no iterator of one or two values"},
	} {
		if c.name == "each where it is" && !level.More() {
			continue // it takes seconds
		}
		dir := writeModule(t, map[string]string{"bag.go": head + c.source})
		verify := func(give string) (verdict.Verdict, error) {
			list, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: dir, Property: "linear", Scope: pangolin.Scope{Threads: "1..2", Steps: pangolin.Range(c.steps), Values: 2}, Give: give})
			if err != nil || len(list) != 1 {
				return verdict.Verdict{}, err
			}
			return list[0], nil
		}
		v, err := verify("")
		if said := strings.Join(v.Assumptions, "\n"); err != nil || v.Status != c.atOnce || !strings.Contains(said, "at once") {
			t.Errorf("%s: %v, %s, want %s; assumed: %s", c.name, err, v.Status, c.atOnce, said)
		}
		v, err = verify("All=iter.Pull")
		if c.failed != "" {
			if err == nil || !strings.Contains(err.Error(), c.failed) {
				t.Errorf("%s: %v, want %s", c.name, err, c.failed)
			}
			continue
		}
		said := strings.Join(v.Assumptions, "\n")
		if err != nil || v.Status != c.stepwise || !strings.Contains(said, c.stepwiseSaid) || strings.Contains(said, "at once") {
			t.Errorf("%s: %v, %s, want %s; assumed: %s", c.name, err, v.Status, c.stepwise, said)
			continue
		}
		if want := append([]string{"Add", "All"}, c.operations...); !slices.Equal(slices.Sorted(slices.Values(v.Operations)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: operations %q, want %q", c.name, v.Operations, want)
		}
		if v.Violation != nil {
			if w, err := pangolin.Replay(t.Context(), dir, v.Violation.Execution); err != nil || w.Class != v.Violation.Class {
				t.Errorf("%s: the witness does not show it: %v", c.name, err)
			}
		}
	}
}

// A caller may break off its loop: who then keeps a lock, a goroutine or what was not given yet is seen by the next call.
func TestVerify_StopsIteratorsAtTheirFirstItem(t *testing.T) {
	const head = `package example

import (
	"iter"
	"sync"
)

var _ iter.Seq[int]

type Bag struct {
	mu   sync.Mutex
	list []int
}

func (b *Bag) Add(v int) { b.mu.Lock(); defer b.mu.Unlock(); b.list = append(b.list, v) }
`
	for _, c := range []struct {
		name, source string
		want         verdict.Status
	}{
		{"unlocked by defer", `
func (b *Bag) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, v := range b.list {
			if !yield(v) { return }
		}
	}
}`, verdict.Verified},
		{"unlocked behind the last item alone", `
func (b *Bag) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		b.mu.Lock()
		for _, v := range b.list {
			if !yield(v) { return }
		}
		b.mu.Unlock()
	}
}`, verdict.Violated},
		{"goes on behind a break", `
func (b *Bag) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, v := range b.list { yield(v) }
	}
}`, verdict.Violated},
		{"taken out as they are given", `
func (b *Bag) Drain() iter.Seq[int] {
	return func(yield func(int) bool) {
		for {
			b.mu.Lock()
			if len(b.list) == 0 { b.mu.Unlock(); return }
			v := b.list[0]
			b.list = b.list[1:]
			b.mu.Unlock()
			if !yield(v) { return }
		}
	}
}
func (b *Bag) Len() int { b.mu.Lock(); defer b.mu.Unlock(); return len(b.list) }`, verdict.Violated},
		{"put back in a second step", `
func (b *Bag) Drain() iter.Seq[int] {
	return func(yield func(int) bool) {
		b.mu.Lock()
		all := b.list
		b.list = nil
		b.mu.Unlock()
		for i, v := range all {
			if !yield(v) {
				b.mu.Lock()
				b.list = append(all[i+1:len(all):len(all)], b.list...)
				b.mu.Unlock()
				return
			}
		}
	}
}`, verdict.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := writeModule(t, map[string]string{"bag.go": head + c.source})
			list, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: dir, Property: "linear", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..4", Values: 2}})
			if err != nil || len(list) != 1 || list[0].Status != c.want {
				t.Fatalf("%v, %v, want %s", err, list, c.want)
			}
			v := list[0].Violation
			if v == nil {
				return
			}
			if w, err := pangolin.Replay(t.Context(), dir, v.Execution); err != nil || w.Class != v.Class {
				t.Errorf("the witness does not show it: %v", err)
			}
		})
	}
}
