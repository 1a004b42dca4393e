// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/oracle"
)

// Step is one call of a client.
type Step struct {
	Op   int // index into the operations of the space
	Args history.Tuple
}

// Client is what is called before the threads start, and then by each thread in
// order. With roles, threads in the middle may have nothing to do.
type Client struct {
	Pre     []Step
	Threads [][]Step
}

// Format prints a client: pre: Add(0)  |  1: Add(0), Remove(1)  |  2: Contains(1)
func (sp *Space) Format(c Client) string {
	var parts []string
	if len(c.Pre) > 0 {
		parts = append(parts, "pre: "+sp.formatSteps(c.Pre))
	}
	for i, steps := range c.Threads {
		if len(steps) > 0 {
			parts = append(parts, fmt.Sprintf("%d: %s", i+1, sp.formatSteps(steps)))
		}
	}
	return strings.Join(parts, "  |  ")
}

func (sp *Space) formatSteps(steps []Step) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = sp.Ops[s.Op].Call(s.Args)
	}
	return strings.Join(parts, ", ")
}

// Steps lists the steps that a thread, counted from 0, may take in the scope,
// with enumerated arguments filled in and the others (generic items, distinct
// priorities) 0. A most general client chooses among them.
func (sp *Space) Steps(thread int) []Step {
	var allowed []int
	for i, op := range sp.Ops {
		if op.Who.Allows(thread) {
			allowed = append(allowed, i)
		}
	}
	return sp.alphabet(allowed, thread)
}

// alphabet lists the steps that a thread may take with the operations that are allowed to it.
func (sp *Space) alphabet(allowed []int, thread int) []Step {
	var out []Step
	for _, op := range allowed {
		lists := []history.Tuple{{}}
		for _, p := range sp.Ops[op].Params {
			var longer []history.Tuple
			for _, l := range lists {
				for _, v := range sp.domainOf(p, thread) {
					longer = append(longer, l.Append(history.IntValue(v)))
				}
			}
			lists = longer
		}
		for _, args := range lists {
			out = append(out, Step{Op: op, Args: args})
		}
	}
	return out
}

// by is a step as a thread takes it, which an argument may name.
func (sp *Space) by(s Step, thread int) Step {
	if at := slices.Index(sp.Ops[s.Op].Params, oracle.ParamThread); at >= 0 {
		s.Args = s.Args.With(at, history.IntValue(int64(thread)))
	}
	return s
}

// domainOf is what a parameter ranges over in the calls of a thread.
func (sp *Space) domainOf(p oracle.Param, thread int) []int64 {
	switch p {
	case oracle.ParamThread:
		return []int64{int64(thread)}
	case oracle.ParamChoice:
		return []int64{0, 1}
	case oracle.ParamChoice3:
		return []int64{0, 1, 2}
	}
	return sp.domain(p)
}

// domain lists the values of a parameter: 0, 1, 2 for a key if there are three values.
func (sp *Space) domain(p oracle.Param) []int64 {
	if !sp.enumerated(p) {
		return []int64{0}
	}
	out := make([]int64, sp.Scope.Values)
	for i := range out {
		out[i] = int64(i)
		if p == oracle.ParamDelta {
			out[i]++
		}
	}
	return out
}

// Holds says whether a client of another space, with the same operations and options, is one
// of this one.
func (sp *Space) Holds(c Client) bool {
	threads, steps, small := 0, 0, true
	for _, s := range c.Pre {
		small = small && sp.ranges(s, oracle.ParamKey)
	}
	for _, list := range c.Threads {
		steps += len(list)
		threads += min(1, len(list))
		for _, s := range list {
			small = small && sp.ranges(s, "")
		}
	}
	within := func(r Range, n int) bool { return r.From <= n && n <= r.To }
	return small && within(sp.Scope.Threads, threads) && within(sp.Scope.steps(threads), steps) && within(sp.Scope.PreAdds, len(c.Pre))
}

// ranges says that the arguments of a step that range over the values are among them, those
// of one kind excepted.
func (sp *Space) ranges(s Step, but oracle.Param) bool {
	for at, p := range sp.Ops[s.Op].Params {
		everybodys := p.Chooses() || p == oracle.ParamThread // in each scope alike
		if p != but && !everybodys && sp.enumerated(p) && !slices.Contains(sp.domain(p), int64(s.Args.At(at).Int)) {
			return false
		}
	}
	return true
}

// PreAdds are the steps of p pre-adds, with keys 0, 1, …, generic items 1, 2, …, and
// what is chosen when the whole client is known 0.
func (sp *Space) PreAdds(p int) []Step {
	steps := make([]Step, p)
	for i := range steps {
		steps[i].Op = sp.add
		for _, param := range sp.Ops[sp.add].Params {
			v := int64(0)
			switch {
			case param == oracle.ParamKey:
				v = int64(i)
			case param == oracle.ParamItem && sp.Scope.GenericValues:
				v = int64(i + 1)
			}
			steps[i].Args = steps[i].Args.Append(history.IntValue(v))
		}
	}
	return steps
}

// All lists the clients, each as a value of its own: by total number of steps,
// then pre-adds, then in the lexicographic order of the choices, longer threads
// first. The same space gives the same list.
func (sp *Space) All() iter.Seq[Client] {
	return func(yield func(Client) bool) {
		e := &enumeration{sp: sp, yield: yield, groups: sp.groups()}
		for i := range e.groups {
			e.alphabets = append(e.alphabets, sp.alphabet(e.groups[i].allowed, e.groups[i].threads[0]))
		}
		for steps := 1; steps <= sp.maxSteps(); steps++ {
			for p := sp.Scope.PreAdds.From; p <= sp.Scope.PreAdds.To; p++ {
				e.pre = p
				e.threads = make([]chosen, sp.Scope.Threads.To)
				if !e.group(0, 0, steps) {
					return
				}
			}
		}
	}
}

// chosen is a thread's sequence as indices into its group's alphabet.
type chosen struct {
	group   int
	letters []int
}

// enumeration is one run of All. Its methods return false to stop.
type enumeration struct {
	sp        *Space
	yield     func(Client) bool
	groups    []group
	alphabets [][]Step
	pre       int
	threads   []chosen // by thread number; no letters: idle
}

// group chooses for the k-th thread of group g and all after it, with so many
// steps left.
func (e *enumeration) group(g, k, left int) bool {
	if g == len(e.groups) {
		return left > 0 || e.complete()
	}
	if k == len(e.groups[g].threads) {
		return e.group(g+1, 0, left)
	}
	for length := e.longest(g, k, left); length >= 1; length-- {
		if per := e.sp.Scope.PerThread; per > 0 && length != per {
			continue
		}
		thread := e.groups[g].threads[k]
		e.threads[thread] = chosen{group: g, letters: make([]int, 0, length)}
		if !e.letters(g, k, length, left) {
			return false
		}
		e.threads[thread] = chosen{}
	}
	return e.group(g+1, 0, left)
}

// longest bounds the length of the k-th sequence of a group: with symmetry they
// do not grow.
func (e *enumeration) longest(g, k, left int) int {
	if k == 0 || !e.sp.Scope.ThreadSymmetry {
		return left
	}
	return min(left, len(e.threads[e.groups[g].threads[k-1]].letters))
}

// letters chooses the rest of the k-th sequence of group g: with symmetry, not
// before the one of equal length it follows.
func (e *enumeration) letters(g, k, length, left int) bool {
	thread := e.groups[g].threads[k]
	have := e.threads[thread].letters
	if len(have) == length {
		return e.group(g, k+1, left-length)
	}
	first := 0
	if k > 0 && e.sp.Scope.ThreadSymmetry {
		before := e.threads[e.groups[g].threads[k-1]].letters
		if len(before) == length && slices.Equal(before[:len(have)], have) {
			first = before[len(have)]
		}
	}
	for letter := first; letter < len(e.alphabets[g]); letter++ {
		e.threads[thread].letters = append(have, letter)
		if !e.letters(g, k, length, left) {
			return false
		}
	}
	e.threads[thread].letters = have
	return true
}

// complete emits the clients of a full choice of sequences.
func (e *enumeration) complete() bool {
	var t total
	c := Client{Pre: e.sp.PreAdds(e.pre)}
	for thread, ch := range e.threads {
		var steps []Step
		var own total
		for _, letter := range ch.letters {
			step := e.sp.by(e.alphabets[ch.group][letter], thread)
			own.class = e.sp.extend(own.class, step.Op)
			steps = append(steps, step)
		}
		own.threads = min(1, len(steps))
		t = t.plus(own)
		c.Threads = append(c.Threads, steps)
	}
	if !e.sp.fits(t, e.pre) {
		return true
	}
	for len(c.Threads) > 0 && len(c.Threads[len(c.Threads)-1]) == 0 {
		c.Threads = c.Threads[:len(c.Threads)-1]
	}
	e.sp.numberItems(c)
	return e.prioritise(c)
}
