// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Some calls return only together, such as those of a barrier or an exchanger. No order of them exists in which each is executed alone,
// so the oracle self does not know their results. For such a history this file asks another question: does it come about if operations
// are executed one at a time, but one that cannot return stays where it is while others execute? (Compare the dual data structures of
// Scherer and Scott, Nonblocking concurrent data structures with condition synchronization, DISC 2004.) It continues as soon as it can
// return. If the answer is yes, the history only shows such an interleaving, and the verdict stays open.

// MetOnly describes such a history in the reason for an open verdict.
const MetOnly = "calls that return only if others meet them"

// mostMet limits the states that are tried.
const mostMet = 1 << 14

// meeting is the question whether one history comes about in this way.
type meeting struct {
	o       *self
	ops     []history.Operation
	threads []int // threads of the history; the machine's thread of threads[k] has the tag k+1
	tried   map[string]bool
	left    int // states that may still be tried
	err     error
}

// met is a state between two operations. begun and done have a bit for each operation of the history: begun, returned.
type met struct {
	words       []uint64
	begun, done uint64
	waited      bool // some operation had to wait; if none had, the order of calls is an ordinary one
	// asleep has a bit for each operation that waits at a channel while another operation executes. If that one serves the channel, the
	// operation takes or gives the value at once, in one step of its own.
	asleep uint64
}

// Meet reports whether a history comes about in this way, starting in a state of the oracle self. An error means that the code could
// not be executed.
func (s *Subject) Meet(from oracle.State, h history.History) (bool, error) {
	o, ok := s.Spec.(*self)
	ops := h.Operations()
	if !ok || len(ops) > 64 {
		return false, nil
	}
	mt := &meeting{o: o, ops: ops, tried: map[string]bool{}, left: mostMet}
	for i, op := range ops {
		ops[i].Result = s.Operations[op.Method].Unnamed(op.Result)
		if !slices.Contains(mt.threads, op.Thread) {
			mt.threads = append(mt.threads, op.Thread)
		}
	}
	_, rest := o.names(from)
	for _, member := range members(rest) {
		m := o.machine()
		m.Load(asWords(member))
		for k := range mt.threads {
			i := 0
			if k > 0 {
				i = m.Spawn() // behind the goroutines that run since the beginning
			}
			m.SetTag(i, uint64(k+1))
		}
		start := met{words: m.Save(nil)}
		o.release(m)
		if mt.goesOn(start) {
			return true, nil
		}
	}
	return false, mt.err
}

// goesOn reports whether the rest of the history comes about from a state.
func (mt *meeting) goesOn(at met) bool {
	key := fmt.Sprint(at.begun, at.done, at.waited) + string(asText(at.words))
	if mt.err != nil || mt.tried[key] {
		return false
	}
	mt.tried[key] = true
	missing := false
	for x, op := range mt.ops {
		missing = missing || op.Returned && at.done>>x&1 == 0
	}
	if !missing {
		return at.waited
	}
	awaited := false
	for x := range mt.ops {
		if at.begun&^at.done>>x&1 == 0 {
			continue
		}
		ends, waits := mt.alone(at, x)
		if slices.ContainsFunc(ends, mt.goesOn) {
			return true
		}
		awaited = awaited || waits == nil
	}
	for x := range mt.ops {
		if !awaited && mt.may(x, at) && mt.begins(x, at) {
			return true
		}
	}
	return false
}

// place is the index of the thread of operation x in a state. It is found by the thread's tag, because indices shift when
// goroutines end.
func (mt *meeting) place(m *vm.Machine, x int) int {
	tag := mt.tag(x)
	for i := range m.Threads() {
		if m.Tag(i) == tag {
			return i
		}
	}
	panic("subject: a thread of a history is not in the state")
}

// tag is the tag of the thread of operation x.
func (mt *meeting) tag(x int) uint64 { return uint64(slices.Index(mt.threads, mt.ops[x].Thread) + 1) }

// may reports whether operation x may begin.
func (mt *meeting) may(x int, at met) bool {
	if at.begun>>x&1 != 0 {
		return false
	}
	for y, op := range mt.ops {
		if at.done>>y&1 == 0 && (op.Precedes(mt.ops[x]) || op.Thread == mt.ops[x].Thread && y < x) {
			return false
		}
	}
	return true
}

// begins reports whether the rest of the history comes about if operation x executes next, until it returns or cannot
// continue alone.
func (mt *meeting) begins(x int, at met) bool {
	op := mt.ops[x]
	m := mt.o.machine()
	before := mt.without(at.words, x)
	m.Load(at.words)
	called := &mt.o.subject.Operations[op.Method]
	m.SetNumber(mt.place(m, x), called.Caller(op.Args))
	m.Call(mt.place(m, x), called.Func, called.Words(nil, m.Root(0), op.Args))
	at.words = m.Save(nil)
	mt.o.release(m)
	at.begun |= 1 << x
	ends, waits := mt.alone(at, x)
	waits = slices.DeleteFunc(waits, func(w met) bool {
		return mt.goesRound(w.words, x) && mt.without(w.words, x) == before
	})
	for i := range waits {
		waits[i].waited = true
	}
	return slices.ContainsFunc(append(ends, waits...), mt.goesOn)
}

// goesRound reports whether operation x, which does not return alone, loops instead of being blocked.
func (mt *meeting) goesRound(words []uint64, x int) bool {
	m := mt.o.machine()
	defer mt.o.release(m)
	m.Load(words)
	return m.Enabled(mt.place(m, x))
}

// without is the state that results if operation x is abandoned, leaving only what it wrote. If an operation loops and has
// written nothing, no other thread can know of it, so its call may as well not have begun. To continue it with what
// it read earlier would excuse a method that checks first and acts later, which is a fault and not a meeting.
func (mt *meeting) without(words []uint64, x int) string {
	m := mt.o.machine()
	defer mt.o.release(m)
	m.Load(words)
	m.Abandon(mt.place(m, x))
	return string(asText(m.Save(nil)))
}

// alone executes operation x together with the goroutines that belong to no client. It returns the states in which x has returned what
// the history says, and those in which x stays for ever. Other operations may return on the way.
func (mt *meeting) alone(from met, x int) (ends, waits []met) {
	m := mt.o.machine()
	defer mt.o.release(m)
	from.asleep = mt.asleep(m, from, x)
	g := &solo{number: map[string]int{}}
	g.add(from)
	for at := 0; at < len(g.states) && mt.left > 0; at++ {
		served := map[int]int{} // operations in asleep, by the index of their thread before the step
		moves := func(i int) bool {
			y := mt.sleeper(m, g.states[at], i)
			if y >= 0 {
				served[i] = y
			}
			return y >= 0 || i == mt.place(m, x) || m.Tag(i) == 0 // x itself, and goroutines that belong to no client
		}
		for i := range stepsFrom(m, g.states[at].words, moves) {
			mt.left--
			if mt.o.tell(m); mt.o.broken.Load() {
				mt.err = errWithdrawn
				return nil, nil
			}
			if f := m.Fault(); f != nil {
				mt.err = fmt.Errorf("the oracle %q cannot execute the operation: %w", "self", f)
				return nil, nil
			}
			next, ok := mt.behind(m, g.states[at])
			if y, is := served[i]; is {
				next.asleep &^= 1 << y
			}
			if !ok || next.done>>x&1 != 0 {
				g.leaves[at] = true
			} else {
				to := g.add(next)
				g.next[at] = append(g.next[at], to)
			}
			if ok && next.done>>x&1 != 0 {
				ends = append(ends, next.awake())
			}
		}
	}
	for _, w := range g.bottom() {
		waits = append(waits, w.awake())
	}
	return ends, waits
}

// awake clears asleep, for a state in which no operation is executed.
func (at met) awake() met {
	at.asleep = 0
	return at
}

// channels are the instructions that wait for a channel. A thread that is parked in a select is excluded: it is served by the step of
// the other thread.
var channels = []ir.Op{ir.OpSend, ir.OpRecv, ir.OpSelect}

// asleep returns a bit for each operation other than x that waits at a channel.
func (mt *meeting) asleep(m *vm.Machine, at met, x int) (set uint64) {
	m.Load(at.words)
	for y := range mt.ops {
		if y == x || at.begun&^at.done>>y&1 == 0 {
			continue
		}
		i := mt.place(m, y)
		if t := m.Thread[i]; !m.Idle(i) && !m.Enabled(i) && !t.Midway() && slices.Contains(channels, t.Instr().Op) {
			set |= 1 << y
		}
	}
	return set
}

// sleeper returns the operation of thread i if it is in asleep; else -1.
func (mt *meeting) sleeper(m *vm.Machine, at met, i int) int {
	for y := range mt.ops {
		if at.asleep>>y&1 != 0 && m.Tag(i) == mt.tag(y) {
			return y
		}
	}
	return -1
}

// behind is the state after a step; ok is false if the program has ended, or an operation has returned another result than
// in the history.
func (mt *meeting) behind(m *vm.Machine, at met) (next met, ok bool) {
	if m.Ended().Kind != vm.Running {
		return met{}, false
	}
	for x, op := range mt.ops {
		if place := mt.place(m, x); at.begun&^at.done>>x&1 != 0 && m.Idle(place) {
			if op.Returned && mt.result(m, place, op) != op.Result {
				return met{}, false
			}
			at.done |= 1 << x
		}
	}
	at.words = m.Save(nil)
	return at, true
}

// solo is the graph of the states in which one operation executes alone.
type solo struct {
	states []met
	next   [][]int
	leaves []bool // by state: a step lets the operation return, or deviates from the history
	number map[string]int
}

func (g *solo) add(at met) int {
	text := fmt.Sprint(at.done, at.asleep) + string(asText(at.words))
	n, known := g.number[text]
	if !known {
		n = len(g.states)
		g.number[text] = n
		g.states, g.next, g.leaves = append(g.states, at), append(g.next, nil), append(g.leaves, false)
	}
	return n
}

// bottom lists the states from which the operation never returns: those without a successor, and those of a loop that
// has no exit.
func (g *solo) bottom() (out []met) {
	for n := range g.states {
		stays := true
		for other := range g.from(n) {
			stays = stays && !g.leaves[other] && g.from(other)[n]
		}
		if stays {
			out = append(out, g.states[n])
		}
	}
	return out
}

// from is the set of states that can be reached from a state, itself included.
func (g *solo) from(n int) map[int]bool {
	seen := map[int]bool{n: true}
	for todo := []int{n}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, next := range g.next[at] {
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return seen
}

func (mt *meeting) result(m *vm.Machine, place int, op history.Operation) history.Tuple {
	if m.Panicked(place) != "" {
		return history.PanicTuple()
	}
	f := &mt.o.subject.Operations[op.Method]
	return f.Unnamed(f.Tuple(slices.Clone(m.Results(place)))) // objects are numbered by every execution for itself
}
