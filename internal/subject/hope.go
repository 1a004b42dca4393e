// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// A call that waits alone is excused if calls of other threads could let it return. That is decided by the first of these that can:
//
//	what was found out about the same state before
//	it was given a context that never ends, and waits at nil channels alone, such as that of the context: another context would
//	have let it return, so it is excused
//	nothing that may move leads to what the call waits for, such as a nil channel (vm.Machine.OutOfReach): no call helps
//	it waits at channels, and no operation contains a statement that meets it there: `<-c` of a chan int, and nobody sends
//	an int or closes a chan int: no call helps
//	a search: helpers call operations until the call returns, with arguments from 0 to 2. If the call waits for a lock that it has taken itself, as a
//	handler does that calls what is locked, only a call that gives back others' locks helps: two calls by one helper show that, and without them no call helps
//	the same where an argument of the call is larger, with it and its successor as well: Await(3) may wait for Set(3)
//	a few calls with arguments up to 5, for what the object holds may come from others that had them: Acquire(0) waits for the Release(3) of
//	who called Acquire(3). If these do not help, it stays at what the others have decided
//
// A search that reaches its limit, or in which helpers had to stop (mostBegun), has decided nothing, and the next one is tried. If the last one has
// decided nothing, the waiting is allowed, and the verdict cannot be verified (Unsettled). If it has, its eight calls are taken for any number of them.

// helpers lists what is tried to let an operation return that waits alone: threads, calls by all of them together, and a limit on the
// states of each try. A small number of calls is mostly enough, so it is tried first. Where the object has few states, all that three
// threads can do to it by any number of calls are explored: that settles it, and takes fewer states than eight calls, of which
// every state is counted once for each number of calls that are left.
var helpers = []helping{
	{threads: 1, calls: 2, most: mostHelped},
	{threads: 2, calls: 4, most: mostHelped >> 2},
	{threads: 3, calls: anyNumber, most: mostHelped >> 2},
	{threads: 3, calls: 8, most: mostHelped},
}

// helpersOfLarger is the same for calls with larger arguments, of which each operation has more. Set(3) may help only between Open and Publish.
var helpersOfLarger = []helping{
	{threads: 2, calls: 2, most: mostHelped >> 2},
	{threads: 2, calls: anyNumber, most: mostHelped >> 2},
	{threads: 1, calls: 5, most: mostHelped},
}

// helperOfOthers has the arguments of all scopes that are searched unasked.
var helperOfOthers = helping{threads: 1, calls: 4, most: mostHelped >> 3, larger: []int64{3, 4, 5}}

// helping is one try: so many threads make so many calls in all.
type helping struct {
	threads, calls int
	most           uint64  // states
	larger         []int64 // arguments of the calls, beside 0 to 2
}

const (
	anyNumber  = 1 << 30
	helperInts = 3       // arguments are 0, 1 and 2
	mostHelped = 1 << 18 // states; if they do not suffice the waiting is allowed, and nothing is verified
	// mostInVain limits the states of all tries of one search that decided nothing. When they are spent, a try may take fewestHelped.
	mostInVain   = 1 << 18
	fewestHelped = 1 << 10
	// mostBegun is the number of threads, those of helpers and of the call included, from which on helpers that make any number of calls begin no
	// further one. Where each call leaves a timer or a goroutine, 65,536 states of ever more threads took minutes.
	mostBegun = 12
)

// hopes reports whether a call that waits in one of these states could return if other threads called operations from now
// on, or whether that could not be found out. The call began in the saved state before.
func (o *self) hopes(waiting [][]uint64, call oracle.Call, before string) bool {
	var open [][]uint64
	for _, state := range waiting {
		o.mu.Lock()
		hope, known := o.hoped[string(asText(state))]
		o.mu.Unlock()
		switch {
		case known && hope || !known && o.forContext(state, call):
			return true
		case !known && !o.hopeless(state):
			open = append(open, state)
		}
	}
	if len(open) == 0 {
		return false
	}
	hope, settled := o.tries(open, call, before)
	if o.within().Err() != nil {
		return hope
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !settled {
		o.unsettled[call.Op] = true
	}
	if !hope || len(open) == 1 { // else it is not known which of them lets the call return
		for _, state := range open {
			o.hoped[string(asText(state))] = hope
		}
	}
	return hope
}

// tries searches for calls that let a call return. If it has not settled the question, the answer is yes.
func (o *self) tries(waiting [][]uint64, call oracle.Call, before string) (hope, settled bool) {
	vain := uint64(0)
	complete := true
	for i, h := range helpers {
		hope, all, states := o.hopesWith(waiting, h)
		if hope {
			return true, true
		}
		if i == 0 && all && o.locksItself(waiting, before) {
			return false, true
		}
		if complete = all; all && h.calls == anyNumber {
			break
		}
		if !all {
			vain += states
		}
	}
	if larger := largerArguments(call); complete && len(larger) > 0 {
		for _, h := range helpersOfLarger {
			h.larger = larger
			hope, all, states := o.hopesWith(waiting, h)
			if hope {
				return true, true
			}
			if complete = all; all && h.calls == anyNumber {
				break
			}
			if !all {
				vain += states
			}
		}
	}
	if complete {
		if hope, _, _ := o.hopesWith(waiting, helperOfOthers); hope {
			return true, true
		}
	} else {
		o.mu.Lock()
		o.vain += vain
		o.mu.Unlock()
	}
	return !complete, complete
}

// locksItself reports whether thread 0 waits, in each of these saved states, for a lock that it holds itself and has taken in this call: where it began, the
// thread held none. Nor may a goroutine run that the call could have handed the lock to.
func (o *self) locksItself(waiting [][]uint64, before string) bool {
	m := o.machine()
	defer o.release(m)
	if m.Load(asWords(before)); len(m.HeldBy(0)) > 0 {
		return false
	}
	return !slices.ContainsFunc(waiting, func(state []uint64) bool {
		m.Load(state)
		return m.Threads() > 1 || !slices.Contains(m.HoldersOf(0), 0)
	})
}

// hopeless reports whether it can be seen without a search that no call of another thread lets thread 0 go on, which waits in a saved
// state.
func (o *self) hopeless(state []uint64) bool {
	m := o.machine()
	defer o.release(m)
	m.Load(state)
	return nobodyMoves(m) && (m.OutOfReach(0) || o.unmet(m))
}

// forContext reports whether a call is given a context that never ends, and waits in a saved state at nil channels alone. It is not asked
// which of them is the context's.
func (o *self) forContext(state []uint64, call oracle.Call) bool {
	if unending := o.subject.Operations[call.Op].Unending; unending == nil || !unending(call.Args) {
		return false
	}
	m := o.machine()
	defer o.release(m)
	m.Load(state)
	at, nils := m.Channels(0)
	return nils > 0 && len(at) == 0
}

// unmet reports whether thread 0 waits at channels, and neither an operation nor another thread has code that sends, receives or closes
// where it does. Channels are told apart by the types of their elements.
func (o *self) unmet(m *vm.Machine) bool {
	at, _ := m.Channels(0)
	if len(at) == 0 {
		return false
	}
	var code []*ir.Func
	for i := range o.subject.Operations {
		code = append(code, o.subject.Operations[i].Func)
	}
	for i := 1; i < m.Threads(); i++ {
		for _, f := range m.Code(i) {
			if !slices.Contains(code, f) {
				code = append(code, f)
			}
		}
	}
	return !slices.ContainsFunc(o.img.Prog.Reached(code), func(f *ir.Func) bool { return meets(o.img.Prog, f, at) })
}

// meets reports whether a function has code that lets go on who waits at one of these channels.
func meets(p *ir.Program, f *ir.Func, at []vm.Waited) bool {
	fits := func(elem *ir.Type, sends bool) bool {
		return slices.ContainsFunc(at, func(w vm.Waited) bool { return w.Elem == elem && w.Sends != sends })
	}
	return slices.ContainsFunc(f.Code, func(in ir.Instr) bool {
		switch in.Op {
		case ir.OpSend:
			return fits(in.T.Elem, true)
		case ir.OpRecv:
			return fits(in.T.Elem, false)
		case ir.OpClose:
			return fits(in.T.Elem, true) || fits(in.T.Elem, false)
		case ir.OpSelect:
			return slices.ContainsFunc(p.Selects[in.X].Cases, func(c ir.SelectCase) bool { return fits(c.Elem, c.Send) })
		}
		return false
	})
}

// largerArguments lists, of the arguments of a call and their successors, those that helpers do not use anyway.
func largerArguments(call oracle.Call) (larger []int64) {
	for i := range call.Args.Len() {
		for _, v := range []int64{call.Args.At(i).Int, call.Args.At(i).Int + 1} {
			if v >= helperInts && !slices.Contains(larger, v) {
				larger = append(larger, v)
			}
		}
	}
	return larger
}

// hopesWith reports whether a try could let a call return, whether all its states were explored, and how many were. A panic counts as
// hope, as the search that meets it will report it; but not where arguments are larger, which the search may never use.
func (o *self) hopesWith(waiting [][]uint64, h helping) (hope, complete bool, states uint64) {
	m := o.machine()
	defer o.release(m)
	sys := &besides{self: o, ends: map[string]bool{}, helps: o.help(h.larger...), calls: h.calls}
	for _, state := range waiting {
		m.Load(state)
		for range h.threads {
			m.SetTag(m.Spawn(), tagHelper)
		}
		sys.from = append(sys.from, m.Save(nil))
	}
	res := explore.Run(o.within(), sys, explore.Options{
		From: []uint64{isChoice}, MaxStates: min(h.most, o.mostTried()),
		Visit: func(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
			c := cur.(*beside)
			if hope = !c.choice && len(h.larger) == 0 && c.m.Fault() != nil || len(sys.result.returned) > 0; hope {
				return explore.Stop
			}
			return explore.Continue
		},
	})
	return hope, res.Complete && !sys.heldBack.Load(), res.States
}

// mostTried is the limit on the states that are explored to let a call return.
func (o *self) mostTried() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.vain >= mostInVain {
		return min(o.helped, fewestHelped)
	}
	return o.helped
}

// help lists the calls that a helper may make: every operation with every combination of small arguments and of these.
func (o *self) help(larger ...int64) []client.Step {
	values := append([]int64{0, 1, 2}, larger...)
	var out []client.Step
	for i := range o.subject.Operations {
		lists := []history.Tuple{{}}
		for range o.subject.Operations[i].Client.Params {
			var longer []history.Tuple
			for _, l := range lists {
				for _, v := range values {
					longer = append(longer, l.Append(history.IntValue(v)))
				}
			}
			lists = longer
		}
		for _, args := range lists {
			out = append(out, client.Step{Op: i, Args: args})
		}
	}
	return out
}
