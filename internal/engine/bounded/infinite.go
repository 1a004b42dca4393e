// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Infinite is the class of operations that call themselves deeper and deeper without end, so that there is no bound on the states, such as
// the endless resize of COLLECT, section 5.4, item 6.
//
// A recursion without end cannot be recognised for certain. If a thread has more calls of one function in progress than the bounds below,
// which small clients give no reason for, it runs alone for soloSteps instructions. If it has not returned then and has still more calls in
// progress, or memory or stack are exhausted, that is reported with these figures. This costs little, because it is tried again only when
// the nesting is twice as deep.
const Infinite Class = "infinite"

const (
	soloFrames = 9          // calls in progress from which a thread is checked
	soloFrom   = 4          // calls of one function in progress
	soloTo     = 12         // calls of one function in progress after running alone
	soloSteps  = 20_000_000 // instructions
)

// endless looks in a state that has just been saved for a thread that recurses without end.
func (v *verification) endless(c *cursor, state []uint64) *finding {
	if c.makes() || !c.place.Deep(soloFrames) {
		return nil
	}
	deep := false
	for i := range c.sys.threads {
		deep = deep || v.deep(c.place.Stand(), i)
	}
	if !deep {
		return nil
	}
	s := c.sys.NewCursor().(*cursor)
	for i := range c.sys.threads {
		s.Load(state)
		m := s.Machine()
		if !v.deep(m, i) {
			continue
		}
		v.try(m, i)
		if _, err := solo(m, i); err == nil {
			return &finding{class: Infinite, thread: -1}
		}
	}
	return nil
}

// deep reports whether a function is nested deeply enough to let the thread run alone.
func (a *attempt) deep(m *vm.Machine, i int) bool {
	if m.Depth(i) < soloFrames {
		return false
	}
	function, n := m.Nesting(i)
	if n < soloFrom {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return n >= 2*a.tried[function]
}

// try records how deeply the function is nested when the thread runs alone.
func (a *attempt) try(m *vm.Machine, i int) {
	function, n := m.Nesting(i)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tried[function] = n
}

// solo lets a thread run alone and describes what grows; the error says why it is no endless recursion.
func solo(m *vm.Machine, i int) (string, error) {
	const slice = 100_000
	for n := 0; n < soloSteps; n += slice {
		if m.RunExactly(i, slice, explore.Replay(nil)) < slice && m.Fault() == nil {
			return "", errors.New("the operation returns, or waits for another one")
		}
		function, calls := m.Nesting(i)
		text := fmt.Sprintf("%d calls of %s are in progress and memory has grown to %d KiB", calls, function, m.MemoryBytes()>>10)
		switch f := m.Fault(); {
		case calls < soloTo && f == nil:
		case f == nil:
			return text, nil
		case f.Kind == vm.FaultMemory || f.Kind == vm.FaultStack:
			return text, nil
		default:
			return "", f
		}
	}
	return "", errors.New("the recursion grows too slowly to be called endless")
}

// confirmInfinite lets each busy thread run alone until one recurses without end.
func (r *replayer) confirmInfinite() error {
	for thread := range r.sys.threads {
		if _, ok := r.busy[thread]; !ok || r.c.m.Depth(r.rerun.Place(thread)) < soloFrames {
			continue
		}
		grows, err := solo(r.c.m, r.rerun.Place(thread))
		if err != nil {
			return err
		}
		r.w.Message = fmt.Sprintf("%s of thread %d calls itself without end: running alone, %s", r.names[thread], thread+1, grows)
		if len(r.w.Start) > 0 {
			r.w.Message += fmt.Sprintf("; with the choices %d of the constructor", r.w.Start)
		}
		return nil
	}
	return errors.New("no operation is nested deeply")
}
