package subject

import (
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Calls that return only together, as those of a barrier or an exchanger, have no order in
// which each is executed alone: the oracle self does not know what they return. So before a
// history is held against the code, it is asked whether it comes about if operations are
// executed one at a time, but one that cannot return alone stays where it is and lets others
// go on (as in the dual data structures of Scherer and Scott, Nonblocking concurrent data
// structures with condition synchronization, DISC 2004). As soon as it can return it does:
// what comes in between is an interleaving of operations. Then nothing is decided.

// mostMet is how many states are tried.
const mostMet = 1 << 14

// meeting is one such question.
type meeting struct {
	o       *self
	ops     []history.Operation
	threads []int // of the history; the place is the thread's in the machine
	tried   map[string]bool
	left    int // states that may still be made
	err     error
}

// met is a state between operations: which have begun, and which have returned.
type met struct {
	words       []uint64
	begun, done uint64
}

// Meet says whether a history comes about so from a state of the oracle self on.
func (s *Subject) Meet(from oracle.State, h history.History) (bool, error) {
	o, ok := s.Spec.(*self)
	ops := h.Operations()
	if !ok || len(ops) > 64 {
		return false, nil
	}
	mt := &meeting{o: o, ops: ops, tried: map[string]bool{}, left: mostMet}
	for _, op := range ops {
		if !slices.Contains(mt.threads, op.Thread) {
			mt.threads = append(mt.threads, op.Thread)
		}
	}
	for _, member := range members(from) {
		m := o.machine()
		m.Load(asWords(member))
		for range len(mt.threads) - 1 {
			m.Spawn()
		}
		start := met{words: m.Save(nil)}
		o.release(m)
		if mt.goesOn(start) {
			return true, nil
		}
	}
	return false, mt.err
}

// goesOn says whether the rest of the history comes about.
func (mt *meeting) goesOn(at met) bool {
	key := fmt.Sprint(at.begun, at.done) + string(asText(at.words))
	if mt.err != nil || mt.tried[key] {
		return false
	}
	mt.tried[key] = true
	missing := false
	for x, op := range mt.ops {
		missing = missing || op.Returned && at.done>>x&1 == 0
	}
	if !missing {
		return true
	}
	awaited := false
	for x := range mt.ops {
		if at.begun&^at.done>>x&1 == 0 {
			continue
		}
		if returned, _ := mt.alone(at.words, mt.place(x), mt.ops[x]); len(returned) > 0 {
			awaited = true
			if mt.returns(x, at, returned) {
				return true
			}
		}
	}
	for x := range mt.ops {
		if !awaited && mt.may(x, at) && mt.begins(x, at) {
			return true
		}
	}
	return false
}

func (mt *meeting) place(x int) int { return slices.Index(mt.threads, mt.ops[x].Thread) }

// may says that operation x may begin.
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

// begins executes operation x until it returns, or cannot without others.
func (mt *meeting) begins(x int, at met) bool {
	op := mt.ops[x]
	m := mt.o.machine()
	m.Load(at.words)
	m.Call(mt.place(x), mt.o.subject.Operations[op.Method].Func, ArgumentWords(nil, m.Root(0), op.Args))
	words := m.Save(nil)
	mt.o.release(m)
	at.begun |= 1 << x
	returned, waits := mt.alone(words, mt.place(x), op)
	if len(returned) > 0 { // it does not have to wait
		return mt.returns(x, at, returned)
	}
	return slices.ContainsFunc(waits, func(w []uint64) bool { return mt.goesOn(met{w, at.begun, at.done}) })
}

// returns goes on behind operation x.
func (mt *meeting) returns(x int, at met, list []returned) bool {
	op := mt.ops[x]
	return slices.ContainsFunc(list, func(r returned) bool {
		return (!op.Returned || r.result == op.Result) && mt.goesOn(met{r.words, at.begun, at.done | 1<<x})
	})
}

// alone explores what a thread and the goroutines that no client is come to: the states in which
// its operation has returned, and those in which it stays if it cannot return.
func (mt *meeting) alone(from []uint64, place int, op history.Operation) (ends []returned, waits [][]uint64) {
	m := mt.o.machine()
	defer mt.o.release(m)
	if m.Load(from); m.Idle(place) { // with what another one did
		return []returned{{words: from, result: mt.result(m, place, op)}}, nil
	}
	g := &solo{number: map[string]int{}}
	g.add(from)
	for at := 0; at < len(g.states) && mt.left > 0; at++ {
		m.Load(g.states[at])
		for _, i := range mt.able(m, place) {
			for ch := (&explore.Choices{}); ; {
				m.Load(g.states[at])
				m.Step(i, ch)
				mt.left--
				switch f := m.Fault(); {
				case f != nil:
					mt.err = fmt.Errorf("the oracle %q cannot execute the operation: %w", "self", f)
					return nil, nil
				case m.Ended().Kind != vm.Running:
				case m.Idle(place):
					ends = append(ends, returned{words: m.Save(nil), result: mt.result(m, place, op)})
				default:
					next := g.add(m.Save(nil))
					g.next[at] = append(g.next[at], next)
				}
				if !ch.Next() {
					break
				}
			}
		}
	}
	if len(ends) == 0 {
		waits = g.bottom()
	}
	return ends, waits
}

// solo is a graph of states.
type solo struct {
	states [][]uint64
	next   [][]int
	number map[string]int
}

func (g *solo) add(words []uint64) int {
	text := string(asText(words))
	n, known := g.number[text]
	if !known {
		n = len(g.states)
		g.number[text] = n
		g.states, g.next = append(g.states, words), append(g.next, nil)
	}
	return n
}

// bottom lists the states that can be reached from whatever they lead to: those without
// a next one, and those of a loop that nothing leaves.
func (g *solo) bottom() (out [][]uint64) {
	for n := range g.states {
		stays := true
		for other := range g.from(n) {
			stays = stays && g.from(other)[n]
		}
		if stays {
			out = append(out, g.states[n])
		}
	}
	return out
}

// from is the set of states that a state leads to, itself included.
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

// able lists the threads that may move beside a client.
func (mt *meeting) able(m *vm.Machine, place int) (out []int) {
	for i := range m.Threads() {
		if (i == place || i >= len(mt.threads)) && !m.Idle(i) && m.Enabled(i) {
			out = append(out, i)
		}
	}
	return out
}

func (mt *meeting) result(m *vm.Machine, place int, op history.Operation) history.Tuple {
	if m.Panicked(place) != "" {
		return history.PanicTuple()
	}
	return mt.o.subject.Operations[op.Method].Tuple(slices.Clone(m.Results(place)))
}
