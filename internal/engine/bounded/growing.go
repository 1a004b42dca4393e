// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
)

// What grows without end where threads make any number of calls: a counter that only goes up, a chain of removed nodes that a delayed thread
// still holds. Such code has infinitely many states, and no search ends. It is recognised by pumping: in some of the states that the search
// meets, one idle thread makes the same one or two calls again and again, alone, while the others stand where they are. If the state never
// comes back, and something in it is greater each time, that is named. Garbage does not count: a state has what can be reached only.
//
// That is evidence and no proof, for what goes up may come back behind the last repetition. So the verdict is unknown, never worse; and the
// search goes on for a while, because it may find a violation.

const (
	pumpFrom    = 1024  // of the states that are met, those whose number is a power of two, and each of so many, are pumped
	pumpTimes   = 3_000 // repetitions, in all of which no state comes back
	pumpLarge   = 600   // or until so many objects of one type can be reached
	pumpMeasure = 24    // repetitions in which what grows is measured, in the second half
	pumpSteps   = 2_000 // of one call, which runs alone
	// A search in whose states something grows goes on for so many states, or until so much is kept of them, in bytes.
	grownStates = 1 << 15
	grownBytes  = 64 << 20
)

// pump is one thread that repeats calls.
type pump struct {
	c      *cursor
	thread int
	state  []uint64
}

// growing returns what grows if calls are repeated from a state; "" if nothing is seen to.
func (v *verification) growing(sys *system, state []uint64) string {
	own := *sys
	own.opt.symmetry, own.cursors, own.made = false, nil, nil
	p := &pump{c: own.newCursor()}
	for p.thread = range sys.threads {
		p.load(state)
		if p.c.makes() || !p.c.place.Idle(p.thread) {
			continue
		}
		first := slices.Clone(p.c.calls(p.thread))
		for _, k := range first {
			if text := p.repeats(state, []int{k}); text != "" {
				return text
			}
		}
		for _, k := range first {
			p.load(state)
			if !p.call(k) {
				continue
			}
			for _, next := range slices.Clone(p.c.calls(p.thread)) {
				if next == k {
					continue
				}
				if text := p.repeats(state, []int{k, next}); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

func (p *pump) load(state []uint64) {
	p.state = append(p.state[:0], state...)
	p.c.Load(p.state)
}

// step executes a move, and gives items their new names.
func (p *pump) step(mv explore.Move) bool {
	p.c.place.Stand()
	p.c.Step(mv, explore.Replay(nil))
	if p.c.found != nil || p.c.useless() {
		return false
	}
	p.state = p.c.Save(p.state[:0])
	p.c.Load(p.state)
	return true
}

// call makes a call and lets it run alone until it has returned; false if it may not begin, does not return, or shows a fault.
func (p *pump) call(k int) bool {
	if !slices.Contains(p.c.calls(p.thread), k) || int(p.c.all>>client.ItemsShift&0xff) >= vm.MaxItems || !p.step(invocation(p.thread, k)) {
		return false
	}
	for n := 0; !p.c.place.Idle(p.thread); n++ {
		if n == pumpSteps || !p.c.place.Enabled(p.thread) || !p.step(goOn(p.thread)) {
			return false
		}
	}
	return true
}

// repeats makes calls from a state again and again, and returns what grows without end.
func (p *pump) repeats(from []uint64, calls []int) string {
	p.load(from)
	seen, parts := map[string]bool{}, map[string]bool{}
	var measured []map[string]int
	for n := 0; n < pumpTimes; n++ {
		for _, k := range calls {
			if !p.call(k) {
				return p.crowds(measured, calls, n)
			}
		}
		key := interleave.StateKey(p.state)
		if seen[key] {
			return ""
		}
		seen[key] = true
		if n < pumpMeasure {
			m := measure(p.c.place.Stand().View())
			if place := interleave.StateKey(p.state[2:]); parts[place] {
				m[oracleGrows] = n
			} else {
				parts[place] = true
			}
			if n >= pumpMeasure/2 {
				measured = append(measured, m)
			}
			continue
		}
		if n == pumpMeasure && grown(measured) == "" {
			return ""
		}
		if n%100 == 0 && slices.Max(slices.Collect(maps.Values(objects(measure(p.c.place.Stand().View()))))) > pumpLarge {
			return p.text(measured, calls, n)
		}
	}
	return p.text(measured, calls, pumpTimes)
}

// crowds is what grows where repetitions had to end because there was no name for another item.
func (p *pump) crowds(measured []map[string]int, calls []int, n int) string {
	if int(p.c.all>>client.ItemsShift&0xff) < vm.MaxItems || len(measured) < 3 || grown(measured) == "" {
		return ""
	}
	return p.text(measured, calls, n)
}

// oracleGrows stands among measures for a monitor that grows while the code comes back to the same state.
const oracleGrows = "oracle"

// measure is how much of what a state has: of each type the objects ("*queue.node") and their words ("[]int"), and of each field the sum
// of the numbers in it, a slice's length and capacity for example ("queue.Queue.tail"); of several objects the greatest.
func measure(view *vm.View) map[string]int {
	m := map[string]int{}
	for i := range view.Objects {
		o := &view.Objects[i]
		m["*"+o.Type.Name]++
		if len(o.Fields) > 0 && o.Fields[0].Path != "" && o.Fields[0].Path[0] == '[' {
			m["[]"+o.Type.Name] += len(o.Fields)
		}
		own := map[string]int{}
		for k := range o.Fields {
			f := &o.Fields[k]
			if n, err := strconv.Atoi(f.Value.Text); err == nil && f.Value.To == nil {
				own[cmp.Or(o.Global, o.Type.Name)+fieldOf(f.Path)] += n
			}
		}
		for at, n := range own {
			if old, ok := m[at]; !ok || n > old {
				m[at] = n
			}
		}
	}
	return m
}

// fieldOf is the first field of a path: ".tail" of ".tail.v".
func fieldOf(path string) string {
	if !strings.HasPrefix(path, ".") {
		return ""
	}
	if end := strings.IndexAny(path[1:], ".["); end >= 0 {
		return path[:end+1]
	}
	return path
}

// objects are the numbers of objects among measures.
func objects(m map[string]int) map[string]int {
	own := map[string]int{"": 0}
	for k, n := range m {
		if k[0] == '*' {
			own[k] = n
		}
	}
	return own
}

// grown names what is greater in each of the measures than in the one before: objects first, then elements, then numbers, then the oracle; of
// several the first by name. "": nothing is.
func grown(measured []map[string]int) string {
	if len(measured) == 0 {
		return ""
	}
	rank := func(k string) int {
		switch {
		case k == oracleGrows:
			return 3
		case k[0] == '*':
			return 0
		case k[0] == '[':
			return 1
		}
		return 2
	}
	names := slices.SortedFunc(maps.Keys(measured[0]), func(a, b string) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b)) })
	for _, k := range names {
		more := true
		for i := 1; i < len(measured); i++ {
			now, ok := measured[i][k]
			more = more && ok && now > measured[i-1][k]
		}
		if more {
			return k
		}
	}
	return ""
}

// text says what grows, where it is made or written, and by which calls.
func (p *pump) text(measured []map[string]int, calls []int, n int) string {
	what := grown(measured)
	if what == "" {
		return ""
	}
	var names []string
	for _, k := range calls {
		step, _, _ := p.c.sys.plan.Make(k, 0, p.c.own[p.thread])
		names = append(names, p.c.sys.ops[step.Op].Name)
	}
	by := fmt.Sprintf("%d repetitions of %s by one thread, alone, never came back to a state", n, strings.Join(names, ", "))
	prog := p.c.sys.subject.Prog
	switch name := strings.TrimLeft(what, "*[]"); {
	case what == oracleGrows:
		return "the states of the oracle grow: " + by
	case what[0] == '*':
		at, link := prog.MadeAt(name), prog.LinkOf(name)
		return fmt.Sprintf("a chain of objects %s%s, made at %s, grows: %s", name, link, at, by)
	case what[0] == '[':
		return fmt.Sprintf("the number of elements %s, made at %s, grows: %s", name, prog.MadeAt(name), by)
	case !strings.Contains(name, "."):
		return fmt.Sprintf("the values of type %s grow: %s", name, by)
	default:
		return fmt.Sprintf("%s, written at %s, grows: %s", name, prog.WrittenAt(name), by)
	}
}
