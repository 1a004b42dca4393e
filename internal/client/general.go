// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"math/bits"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// General is the plan of the most general client: an idle thread may call
// anything that the scope leaves room for. One search over it covers all clients of
// the scope at once.
//
// Generic items are numbered from 1 on in the order of their invocations, pre-adds first.
// Distinct priorities of a client with n adds, pre-adds included, are 0 to n-1, in every
// order. Each n has initial states of its own, from which all clients with n adds are
// explored and no others: were priorities drawn from a larger range, the same orders
// would come again and again.
//
// Where a scope has any number of calls, nothing counts them. A client may then end wherever its threads are idle or busy.
type General struct {
	space    *Space
	steps    []Step  // all that some thread may call, arguments as in Space.Steps
	classes  [][]int // by class of threads: indices into steps
	classOf  []int   // by thread
	initials []initial
	ranks    int
	perRank  bool        // priorities are distinct
	renamed  func() bool // generic items get their numbers elsewhere
	ranked   func() bool // keys are chosen by rank, see Gap
}

// initial is a way to begin.
type initial struct {
	pre  []Step
	used uint64 // the priorities that later adds must not have
}

// The count of all threads: calls made, and, where the scope needs to know them,
// adds, removes and the priorities in use. A thread's own count is its class and, with a
// fixed number of calls for each thread, how many are left, or, if the scope has no clients
// with few threads, whether it has made one.
const (
	allAdds    = 8
	allRemoves = 16
	allRanks   = 24 // 23 bits
	allBegun   = 46 // what need not come first has been called, see Begun; then there are no ranks
	allOnce    = 47 // what is called once has been called
	ownLeft    = 4
	ownClass   = 1<<ownLeft - 1
	rankShift  = 14 // in the number of a call: step | (rank+1) << rankShift
)

// NewGeneral makes the plan of a space. renamed says that generic items get their numbers
// elsewhere, ranked that keys are chosen by rank; the answers may change between searches.
func NewGeneral(space *Space, renamed, ranked func() bool) *General {
	g := &General{space: space, renamed: renamed, ranked: ranked}
	s := space.Scope
	perThread := s.Steps.To
	if s.PerThread > 0 {
		perThread = s.PerThread * s.Threads.To
	}
	g.ranks = perThread + s.PreAdds.To
	for t := range s.Threads.To {
		g.addThread(space.Steps(t))
	}
	g.perRank = s.DistinctPriorities && slices.ContainsFunc(g.steps, g.ranksPriority)
	for p := s.PreAdds.From; p <= s.PreAdds.To; p++ {
		for pre := range space.PreAddItems(p) {
			if !g.perRank {
				g.addInitials(pre, 0, 0)
				continue
			}
			for adds := p; adds <= p+perThread; adds++ {
				g.addInitials(pre, 0, 1<<g.ranks-1<<adds)
			}
		}
	}
	return g
}

// ranksPriority says that a step has a priority.
func (g *General) ranksPriority(s Step) bool {
	return slices.Contains(g.space.Ops[s.Op].Params, oracle.ParamPriority)
}

// addThread puts a thread into the class of those that may call the same.
func (g *General) addThread(steps []Step) {
	var class []int
	for _, s := range steps {
		i := slices.Index(g.steps, s)
		if i < 0 {
			i = len(g.steps)
			g.steps = append(g.steps, s)
		}
		class = append(class, i)
	}
	k := slices.IndexFunc(g.classes, func(c []int) bool { return slices.Equal(c, class) })
	if k < 0 {
		k = len(g.classes)
		g.classes = append(g.classes, class)
	}
	g.classOf = append(g.classOf, k)
}

// addInitials adds every choice of priorities for the pre-adds from index i on, without
// those in except if priorities are distinct.
func (g *General) addInitials(pre []Step, i int, except uint64) {
	for ; i < len(pre); i++ {
		at := slices.Index(g.space.Ops[pre[i].Op].Params, oracle.ParamPriority)
		if at < 0 {
			continue
		}
		for rank := range g.priorities() {
			if g.perRank && (g.taken(pre[:i])|except)>>rank&1 != 0 {
				continue
			}
			next := slices.Clone(pre)
			next[i].Args = next[i].Args.With(at, history.IntValue(int64(rank)))
			g.addInitials(next, i+1, except)
		}
		return
	}
	used := except
	if g.perRank {
		used |= g.taken(pre)
	}
	g.initials = append(g.initials, initial{pre, used & (1<<g.ranks - 1)})
}

// priorities is the number of different priorities.
func (g *General) priorities() int {
	if g.space.Scope.DistinctPriorities {
		return g.ranks
	}
	return g.space.Scope.Values
}

// taken is the set of priorities that steps use.
func (g *General) taken(steps []Step) uint64 {
	var set uint64
	for _, s := range steps {
		if at := slices.Index(g.space.Ops[s.Op].Params, oracle.ParamPriority); at >= 0 {
			set |= 1 << s.Args.At(at).Int
		}
	}
	return set
}

// Variants is the number of initial states.
func (g *General) Variants() int { return len(g.initials) }

// Start gives the counts of an initial state.
func (g *General) Start(variant int) (pre []Step, all uint64, own []uint64) {
	pre = g.initials[variant].pre
	if g.countsAdds() {
		all |= uint64(len(pre)) << allAdds
	}
	if g.perRank {
		all |= g.initials[variant].used << allRanks
	}
	for t := range g.space.Scope.Threads.To {
		own = append(own, uint64(g.classOf[t])|uint64(g.space.Scope.PerThread)<<ownLeft)
	}
	return pre, all, own
}

// countsAdds says that the future depends on the number of adds so far.
func (g *General) countsAdds() bool {
	return g.space.Scope.GenericValues && !g.renamed() || g.space.Scope.AddsDominant
}

// Calls appends the calls that an idle thread may make.
func (g *General) Calls(dst []int, all, own uint64) []int {
	s := &g.space.Scope
	once := all>>allOnce&1 != 0
	if once && g.space.HasLast() || s.PerThread > 0 && own>>ownLeft == 0 || s.PerThread == 0 && !s.Endless && int(all&0xff) >= s.Steps.To {
		return dst
	}
	for _, k := range g.classes[own&ownClass] {
		who := g.space.Ops[g.steps[k].Op].Who
		if !g.affordable(k, all) || once && who.Once || who.Last && !g.addsMade(all) {
			continue
		}
		if at := g.keyAt(k); at >= 0 && g.ranked() {
			dst = g.rankedCalls(dst, k, at, int(all>>KeysShift))
			continue
		}
		if !g.perRank || !g.ranksPriority(g.steps[k]) {
			if g.leavesAdds(all) {
				dst = append(dst, k)
			}
			continue
		}
		for rank := range g.ranks {
			if all>>allRanks>>rank&1 == 0 {
				dst = append(dst, k|(rank+1)<<rankShift)
			}
		}
	}
	return dst
}

// affordable says that enough calls are left to make up for step k if it removes. With a
// fixed number of calls for each thread nobody counts those of all: done decides.
func (g *General) affordable(k int, all uint64) bool {
	if !g.space.Scope.AddsDominant || g.space.Scope.PerThread > 0 || g.space.Ops[g.steps[k].Op].Effect != Removes {
		return true
	}
	left := g.space.Scope.Steps.To - int(all&0xff) - 1
	return int(all>>allAdds&0xff)+left >= int(all>>allRemoves&0xff)+1
}

// leavesAdds says that behind one more call that is no add there is room for all adds
// that the client is to have.
func (g *General) leavesAdds(all uint64) bool {
	if !g.perRank || g.space.Scope.PerThread > 0 {
		return true
	}
	return g.space.Scope.Steps.To-int(all&0xff)-1 >= g.missing(all)
}

// addsMade says that no add is missing of those that the client is to have.
func (g *General) addsMade(all uint64) bool {
	return !g.perRank || g.space.Scope.PerThread > 0 || g.missing(all) == 0
}

// missing is how many adds the client is still to have, where priorities are distinct.
func (g *General) missing(all uint64) int {
	return g.ranks - bits.OnesCount64(all>>allRanks&(1<<g.ranks-1))
}

// keyAt is where step k has a key among its arguments, or -1.
func (g *General) keyAt(k int) int {
	return slices.Index(g.space.Ops[g.steps[k].Op].Params, oracle.ParamKey)
}

// rankedCalls lists the ways to choose the key of step k among n keys and the places
// between them; of the steps that differ in the key only the first one counts.
func (g *General) rankedCalls(dst []int, k, at, n int) []int {
	if g.steps[k].Args.At(at).Int != 0 {
		return dst
	}
	for choice := range 2*n + 1 {
		dst = append(dst, k|(choice+1)<<rankShift)
	}
	return dst
}

// keyChoice is key k for choice 2k+1, and a new one before key k for choice 2k.
func keyChoice(choice int) history.Value {
	if choice%2 == 0 {
		return Gap(choice / 2)
	}
	return history.IntValue(int64(choice / 2))
}

// Make gives a call and the counts behind it.
func (g *General) Make(call int, all, own uint64) (step Step, nextAll, nextOwn uint64) {
	step = g.steps[call&(1<<rankShift-1)]
	op := &g.space.Ops[step.Op]
	if at := slices.Index(op.Params, oracle.ParamKey); at >= 0 && g.ranked() {
		step.Args = step.Args.With(at, keyChoice(call>>rankShift-1))
	} else if rank := call>>rankShift - 1; rank >= 0 {
		step.Args = step.Args.With(slices.Index(op.Params, oracle.ParamPriority), history.IntValue(int64(rank)))
		all |= 1 << rank << allRanks
	}
	if at := slices.Index(op.Params, oracle.ParamItem); at >= 0 && g.space.Scope.GenericValues {
		step.Args = step.Args.With(at, history.IntValue(int64(all>>allAdds&0xff)+1))
	}
	switch {
	case g.space.Scope.PerThread > 0:
		return step, g.count(op, all), own - 1<<ownLeft
	case g.tellsThreads():
		own |= 1 << ownLeft
	}
	if g.space.Scope.Endless {
		return step, g.count(op, all), own
	}
	return step, g.count(op, all+1), own
}

func (g *General) count(op *Op, all uint64) uint64 {
	if op.Who.Once {
		all |= 1 << allOnce
	}
	if g.countsAdds() && op.Effect == Adds {
		all += 1 << allAdds
	}
	if g.space.Scope.AddsDominant && op.Effect == Removes {
		all += 1 << allRemoves
	}
	return all
}

// Done says that a client of the scope may end here: it has threads and calls enough, and
// each of its threads has made its calls or is busy. A thread that has made none need not be
// one of the client's.
func (g *General) Done(all uint64, own []uint64, busy ThreadSet) bool {
	s := &g.space.Scope
	if s.AddsDominant && all>>allAdds&0xff < all>>allRemoves&0xff {
		return false
	}
	if s.PerThread == 0 && busy == 0 && int(all&0xff) < s.Steps.From { // who is busy may have more to make
		return false
	}
	if !g.tellsThreads() {
		return true
	}
	threads := 0
	for i, o := range own {
		switch left := int(o >> ownLeft); {
		case left == g.untouched() && !busy.Has(i):
			continue
		case s.PerThread > 0 && left > 0 && !busy.Has(i):
			return false
		}
		threads++
	}
	return threads >= s.Threads.From
}

// tellsThreads says that a thread's own count tells whether it has made a call: of the
// clients with few threads not all are in the scope, or each thread's calls are counted.
func (g *General) tellsThreads() bool {
	return g.space.Scope.PerThread > 0 || g.space.Scope.Threads.From > 1
}

// untouched is the own count, without the class, of a thread that has made no call.
func (g *General) untouched() int { return g.space.Scope.PerThread }
