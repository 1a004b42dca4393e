// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"context"
	"slices"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Two threads together. If each of many threads sees what is claimed, then for any two of them there is a state that contains both, which
// is made here from what each of them sees.

// tuple is the result of call i, which has returned on thread 0; a panic counts as a result.
func (c *Checker) tuple(i int) history.Tuple {
	op := &c.subject.Operations[c.calls[i].step.Op]
	if c.m.Panicked(0) != "" {
		return history.PanicTuple()
	}
	return op.Tuple(c.m.Results(0))
}

// shared copies all words that others may know, from a state that was loaded from view v and perhaps changed: those
// of base objects, of the objects of the memory, and of own objects that have ever been shared.
func (c *Checker) shared(v *view) []uint64 {
	out := c.m.BaseImage(nil)
	for id := c.base + 1; id <= c.base+v.in.count+len(v.cells); id++ {
		if i := id - c.base - 1 - v.in.count; i >= 0 && !v.cells[i].Known() {
			continue
		}
		o := &c.m.Objs[id]
		out = append(out, uint64(id), uint64(uint32(o.Count))|uint64(o.Aux)<<32)
		out = append(out, c.m.Mem[o.At:o.At+o.Words()]...)
	}
	return out
}

// together checks every two threads that see one memory: what one sees after a step of the other must be claimed, and they must not race.
func (c *Checker) together(ctx context.Context, m *memory) error {
	seen := map[string]bool{}
	for _, a := range m.views {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.head.Races {
			if err := c.races(a); err != nil {
				return err
			}
		}
		if !a.loud || c.alike(a, seen) {
			continue
		}
		if err := c.beside(a, c.allBeside); err != nil {
			return err
		}
		if err := c.disturb(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// races rejects if the thread of view a and another one that sees the same memory may race.
func (c *Checker) races(a *view) error {
	for _, b := range a.in.views {
		if !c.mayRace(a, b) || c.excluded(a, b) {
			continue
		}
		if err := c.joined(a, b, func() error {
			if _, wrong := c.m.Race(); wrong {
				return reject("two threads race: at %s, and at %s", c.m.At(0), c.m.At(1))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// alike reports whether the step of view a does the same to others as that of a view that was checked already: the thread knows no removed
// objects that others may know, and after the step the memory, the content and the locks held before are the same, and the call ends or does not.
func (c *Checker) alike(a *view, seen map[string]bool) bool {
	if slices.ContainsFunc(a.cells, func(x state.Cell) bool { return x.Known() }) {
		return false
	}
	c.m.Load(a.words)
	role := 0
	if a.Call > 0 {
		role = c.calls[a.Call-1].only
	}
	held := slices.Sorted(slices.Values(c.m.Thread[0].Held))
	held = append([]uint64{uint64(len(held)), uint64(role), uint64(a.numbers.Own)}, held...)
	c.m.Step(0, nil)
	if c.m.Decided() {
		return false
	}
	content, within := a.in.Content, true
	if a.Acts {
		_, content, within = c.act(a.status, content)
	}
	if !within {
		return true // steps beyond the bound are not followed
	}
	ends := uint64(0)
	if c.m.Idle(0) {
		ends = 1
	}
	held = append(append(held, ends, uint64(len(c.m.Took))), c.m.Took...)
	roots := len(c.m.Kept)
	for i := range a.in.count {
		c.m.Kept = append(c.m.Kept, state.Pointer(c.base+1+i, 0))
	}
	c.m.RetireThreads(0)
	words := c.m.Save(nil)
	c.m.Kept = c.m.Kept[:roots]
	for _, number := range c.m.Named() { // which numbers the names in words stand for
		words = append(words, uint64(number))
	}
	key := string(c.keyOf(content, status{}, append(held, words...)))
	if seen[key] {
		return true
	}
	seen[key] = true
	return false
}

// excluded reports whether the threads of two views never exist together, because both make calls that only one thread makes.
func (c *Checker) excluded(a, b *view) bool {
	return a.Call > 0 && b.Call > 0 && c.calls[a.Call-1].only > 0 && c.calls[a.Call-1].only == c.calls[b.Call-1].only
}

// mayRace reports whether two threads may be about to access one object, at least one of them writing, and not both atomically. It compares
// only objects, so it may be true without a race.
func (c *Checker) mayRace(a, b *view) bool {
	first := c.base + 1 + a.in.count
	for _, x := range a.stands {
		for _, y := range b.stands {
			i, k := state.ObjectID(x.P), state.ObjectID(y.P)
			if (i == k || i >= first && k >= first) && (x.Write || y.Write) && !(x.Atomic && y.Atomic) {
				return true
			}
		}
	}
	return false
}

// joined makes the states of two threads that see views a and b (thread 0 and thread 1), and calls tell in each. There are several if cells
// of one may be cells of the other. States in which both hold one lock are left out.
func (c *Checker) joined(a, b *view, tell func() error) error {
	return c.matches(a, b, func(same, numbers []int) error {
		c.m.Load(a.words)
		held := c.holds()
		c.graft(a, b, same, numbers)
		if exclusive(held, c.m.Thread[1].Held) {
			return nil
		}
		return tell()
	})
}

// graft adds the thread of view b, and its cells, to a state that was loaded from view a: same and numbers are what matches gives.
func (c *Checker) graft(a, b *view, same, numbers []int) {
	count := a.in.count
	ids := c.mapped[:0]
	for i := range count {
		ids = append(ids, uint32(c.base+1+i))
	}
	for k := range b.cells {
		ids = append(ids, 0)
		if i := same[k]; i >= 0 {
			ids[count+k] = uint32(c.base + 1 + count + i)
		}
	}
	c.mapped = ids
	c.m.Graft(b.words, b.parts, ids, numbers)
}

// readersAt is the index of the word of a sync.RWMutex that counts its readers (vm/builtin_sync.go).
const readersAt = 4

// hold is a lock that a thread holds, and how many read it; uncounted: any number.
type hold struct{ lock, readers uint64 }

const uncounted = 1 << 62

// holds lists the locks that thread 0 holds.
func (c *Checker) holds() (list []hold) {
	for _, p := range c.m.Thread[0].Held {
		h := hold{lock: p}
		switch {
		case p&state.ReadHold == 0:
		case !c.m.CountsReaders():
			h.readers = uncounted
		default:
			h.readers = c.m.Words(p&^state.ReadHold, readersAt+1)[readersAt]
		}
		list = append(list, h)
	}
	return list
}

// took adds to locks that thread 0 held before its step those that the step has taken for writing from all who read: the words of the lock do not tell
// of readers that are not counted.
func (c *Checker) took(held []hold) []hold {
	for _, p := range c.m.Took {
		held = append(held, hold{lock: p})
	}
	return held
}

// exclusive reports whether two threads cannot hold these locks at the same time: one lock is in both lists and one of the threads holds it
// for writing, or fewer threads read it than hold it for reading here.
func exclusive(a []hold, b []uint64) bool {
	for _, h := range a {
		p, readers := h.lock, uint64(0)
		for _, q := range b {
			if p&^state.ReadHold != q&^state.ReadHold {
				continue
			}
			if p&state.ReadHold == 0 || q&state.ReadHold == 0 {
				return true
			}
			readers++
		}
		for _, other := range a {
			if other.lock == p {
				readers++
			}
		}
		if p&state.ReadHold != 0 && readers > h.readers {
			return true
		}
	}
	return false
}

// disturb lets the thread of view a make its step, and checks that what every other thread that sees the same memory sees then is claimed.
//
// The step is made once, alone: it reads and writes what its thread leads to, or it counts as Peered. The others are put into the
// memory that it leaves behind, one after the other, and taken out again. Of a cell that is one of a's as well, they see what the step made of it.
func (c *Checker) disturb(ctx context.Context, a *view) error {
	var ch explore.Choices
	for more := true; more; more = ch.Next() {
		c.m.Load(a.words)
		held := c.holds()
		content, within, err := c.step(a, &ch, 1)
		if err != nil {
			return err
		}
		if !within {
			continue
		}
		if c.m.Moved { // garbage was collected, perhaps what other threads know
			return c.beside(a, true)
		}
		before, ends := c.took(held), c.m.Idle(0)
		c.m.RetireThreads(0)
		objects, words := len(c.m.Objs), len(c.m.Mem)
		for _, list := range a.in.same {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !slices.ContainsFunc(list, func(b *view) bool { return !c.excluded(a, b) }) {
				continue
			}
			if err := c.matches(a, list[0], func(same, numbers []int) error {
				c.graft(a, list[0], same, numbers)
				defer c.m.Ungraft(objects, words)
				if exclusive(before, c.m.Thread[0].Held) {
					return nil
				}
				return c.disturbed(a, list, content, ends)
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside makes the step of view a beside another thread, and checks the same of it as disturb: beside all, or the first that can be there, to
// see that the step is what it is alone.
func (c *Checker) beside(a *view, all bool) error {
	for _, b := range a.in.views {
		made := false
		if c.excluded(a, b) {
			continue
		}
		if err := c.joined(a, b, func() error {
			if !c.m.Enabled(0) { // a writer waits for the other thread, which reads
				return nil
			}
			start := c.m.Save(nil)
			var ch explore.Choices
			for more := true; more; more = ch.Next() {
				made = true
				c.m.Load(start)
				content, within, err := c.step(a, &ch, 2)
				if err != nil {
					return err
				}
				if !within {
					continue
				}
				ends := c.m.Idle(0)
				c.m.Thread[0], c.m.Thread[1] = c.m.Thread[1], c.m.Thread[0]
				c.m.RetireThreads(1)
				if err := c.disturbed(a, []*view{b}, content, ends); err != nil {
					return err
				}
			}
			return nil
		}); err != nil || made && !all {
			return err
		}
	}
	return nil
}

// step lets thread 0, which sees view a, make its step in a state with so many threads, and tells the content after it; within is false if
// that is beyond the bound.
func (c *Checker) step(a *view, ch *explore.Choices, threads int) (content int, within bool, err error) {
	at := c.m.At(0)
	c.m.Step(0, ch)
	if c.m.Fault() != nil || c.m.Breached() >= 0 || c.unguarded() || c.m.Peered || c.m.Misnumbered || c.m.Threads() != threads || c.m.Ended().Kind != vm.Running {
		return 0, false, reject("a step can be made alone, but not among other threads: %s", at)
	}
	content, within = a.in.Content, true
	if a.Acts {
		_, content, within = c.act(a.status, content)
	}
	return content, within, nil
}

// disturbed rejects if what thread 0, which saw one of the views of a list, sees after the step of view a is not claimed. ends says whether that step ends its call.
func (c *Checker) disturbed(a *view, list []*view, content int, ends bool) error {
	c.words = c.m.Save(c.words[:0])
	for _, b := range list {
		if c.excluded(a, b) {
			continue
		}
		s, err := c.see(b.status, content)
		if err != nil {
			return err
		}
		key := c.keyOf(content, s, c.words)
		if c.saw != nil {
			c.saw(a, b, key)
		}
		next := c.claimed[string(key)]
		if next == nil {
			c.m.Load(a.words)
			return reject("what a thread sees behind the step of another at %s is not claimed", c.m.At(0))
		}
		if err := c.goesOn(b, next, step{ends: ends}); err != nil {
			return err
		}
	}
	return nil
}

// matches finds every way in which own cells of b can be cells of a, and numbers of threads that b names can be those that a names, and calls tell
// with two lists: for each own cell of b the index of one of a's, or -1; and what identities gives. Cells that are the same have the same
// words and refer to the same cells.
func (c *Checker) matches(a, b *view, tell func(same, numbers []int) error) error {
	if !c.m.Numbers {
		return c.matchCells(a, b, nil, tell)
	}
	return identities(a, b, func(numbers []int) error { return c.matchCells(a, b, numbers, tell) })
}

// matchCells does what matches does, for one way in which numbers can be the same.
func (c *Checker) matchCells(a, b *view, numbers []int, tell func(same, numbers []int) error) error {
	first := c.base + 1 + a.in.count
	same, taken := make([]int, len(b.cells)), make([]bool, len(a.cells))
	for k := range same {
		same[k] = -1
	}
	// could says that two cells may be the same if only their own words are compared; agree says that the cells to which
	// they refer are the same as well.
	could := func(x, y *state.Cell) bool {
		if !x.Known() || x.Head != y.Head || x.Aux != y.Aux || len(x.Words) != len(y.Words) {
			return false
		}
		for w := range y.Words {
			p, q := int(x.To[w]), int(y.To[w])
			switch {
			case p >= first && q >= first: // which cells they refer to is compared by agree
				if uint32(x.Words[w]) != uint32(y.Words[w]) {
					return false
				}
			case p != q || !equal(x.Words[w], y.Words[w], numbers):
				return false
			}
		}
		return true
	}
	agree := func() bool {
		for k, i := range same {
			for w := 0; i >= 0 && w < len(b.cells[k].To); w++ {
				if q := int(b.cells[k].To[w]) - first; q >= 0 && same[q] != int(a.cells[i].To[w])-first {
					return false
				}
			}
		}
		return true
	}
	var choose func(k int) error
	choose = func(k int) error {
		if k == len(same) {
			if !agree() {
				return nil
			}
			return tell(same, numbers)
		}
		same[k] = -1
		if err := choose(k + 1); err != nil {
			return err
		}
		for i := range a.cells {
			if taken[i] || !could(&a.cells[i], &b.cells[k]) {
				continue
			}
			same[k], taken[i] = i, true
			err := choose(k + 1)
			same[k], taken[i] = -1, false
			if err != nil {
				return err
			}
		}
		return nil
	}
	return choose(0)
}
