// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"slices"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Numbers of threads (mark.Thread). A thread may write its number into memory, such as the word that says who owns a lock. What one thread sees
// has names for numbers, in the order in which they are met (vm/state/numbers.go): those in common memory first, which are the same
// for all threads that see it, then those that only the thread holds. Its own is among them. Code that does anything but
// ask whether numbers are equal is refused.

// ownNumber is set in the address of a hold that stands for a thread's own number, the name of which is in the low bits. No two
// threads have one number, so those that hold the same exclude each other, as those do that hold a lock.
const ownNumber = 1 << 16

// misused is an error if the code did more with a number of a thread than ask whether it is that of another one. at is the place.
func misused(m *vm.Machine, at string) error {
	if m.Misnumbered {
		return outside("the code does more with the number of a thread than compare it with another one, at %s", at)
	}
	return nil
}

// returnsNumber is an error if thread i has returned a number of a thread.
func returnsNumber(m *vm.Machine, i int, call string) error {
	if state.NumbersIn(m.Results(i)) > 0 {
		return outside("%s returns the number of a thread", call)
	}
	return nil
}

// ownHold is the hold of the number of thread 0, of the state saved last, if common memory holds it.
func (s *search) ownHold() []hold {
	if !s.m.Numbers {
		return nil
	}
	if n := s.m.Numbering(s.saved, s.m.Parts()); n.Own < n.Common {
		return []hold{{lock: ownNumber | uint64(n.Own)}}
	}
	return nil
}

// numbers are the numbers of threads in an effect.
type numbers struct {
	common int   // names below this one are those of numbers in the common memory before the step
	own    int   // the name of the acting thread's own number before the step
	behind []int // the names before the step of the numbers in the memory behind it, by their names there
	local  []int // those that are not common before the step, and stand in that memory or in cells of the effect
}

// numbersOf are the numbers in an effect whose state has just been saved. own is the number of the acting thread.
func (s *search) numbersOf(cells []state.Cell, own int) (n numbers) {
	n.own = own
	n.common = max(state.NumbersIn(s.pre.words[:s.pre.parts.Thread]), state.NumbersIn(s.pre.words[s.pre.parts.Objects:s.pre.parts.Own]))
	see := func(name int) {
		if name >= n.common && !slices.Contains(n.local, name) {
			n.local = append(n.local, name)
		}
	}
	for _, name := range s.m.Named() {
		n.behind = append(n.behind, int(name))
		see(int(name))
	}
	for i := range cells {
		for _, w := range cells[i].Words {
			if name, ok := state.NumberIn(w); ok {
				see(name)
			}
		}
	}
	return n
}

// words writes the numbers for the key of an effect.
func (n *numbers) words() []uint64 {
	out := []uint64{uint64(n.own)}
	for _, name := range n.behind {
		out = append(out, uint64(name))
	}
	return out
}

// each calls tell for each way in which numbers that only the thread of a view knows can be numbers in the effect: with a list that has, for each
// name in the view, the name in the effect, or state.NoNumber. The list is valid during the call only.
func (n *numbers) each(view state.Numbering, tell func(names []int) error) error {
	names := make([]int, view.All)
	for k := range names {
		names[k] = state.NoNumber
		if k < view.Common {
			names[k] = k
		}
	}
	var from func(k int) error
	from = func(k int) error {
		if k == view.All {
			return tell(names)
		}
		names[k] = state.NoNumber
		if err := from(k + 1); err != nil {
			return err
		}
		for _, theirs := range n.local {
			if theirs == n.own && k == view.Own || slices.Contains(names[:k], theirs) {
				continue
			}
			names[k] = theirs
			if err := from(k + 1); err != nil {
				return err
			}
		}
		names[k] = state.NoNumber
		return nil
	}
	return from(view.Common)
}

// after are the numbers that the names of a view have in the memory behind an effect.
func (n *numbers) after(names []int) []int {
	list := make([]int, len(names))
	for k, name := range names {
		list[k] = state.NoNumber
		if name != state.NoNumber {
			list[k] = slices.Index(n.behind, name) // -1 is state.NoNumber
		}
	}
	return list
}
