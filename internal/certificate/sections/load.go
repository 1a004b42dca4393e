// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"

	"pangolin/internal/ir"
)

// called is a call of the certificate: a function with what it is given.
type called struct {
	fn    *ir.Func
	given []value
	phase phase
	holds set
	ends  []end
}

// end is how a function may return.
type end struct {
	phase     phase
	holds     set
	published bool
	results   []value
}

// state is what is known of a call in progress in front of an instruction.
type state struct {
	phase     phase
	holds     set
	published bool
	deferred  []deferred
	regs      []value
}

// deferred is a deferred call, an index in ir.Program.Calls, with the values of the words of the function and of its arguments.
type deferred struct {
	call  int
	words []value
}

// claimed is a state of the certificate.
type claimed struct {
	at spot
	state
}

func (s *state) clone() *state {
	out := *s
	out.regs = slices.Clone(s.regs)
	out.deferred = slices.Clone(s.deferred)
	for i := range out.deferred {
		out.deferred[i].words = slices.Clone(out.deferred[i].words)
	}
	return &out
}

// publish makes everything shared that was own.
func (s *state) publish() {
	s.published, s.holds = true, 0
	for i := range s.regs {
		s.regs[i].publish()
	}
	for i := range s.deferred {
		for j := range s.deferred[i].words {
			s.deferred[i].words[j].publish()
		}
	}
}

// covers says whether all is true of a state t that s says, if what t says is.
func (s *state) covers(t *state) bool {
	if s.phase != t.phase || s.published != t.published || t.holds&^s.holds != 0 || len(s.deferred) != len(t.deferred) {
		return false
	}
	for i := range s.deferred {
		if s.deferred[i].call != t.deferred[i].call || !coverAll(s.deferred[i].words, t.deferred[i].words) {
			return false
		}
	}
	return coverAll(s.regs, t.regs)
}

// head reads the head.
func (c *checker) head() error {
	h := &c.x.Head
	x := parser{c.p, c.types}
	v, ok := x.value("s "+h.Lock, ir.Pointer)
	if !ok || !v.path.set || v.hint != (hint{}) {
		return reject("%q is no place of a lock", h.Lock)
	}
	c.lock = v.path
	for _, text := range h.Fixed {
		of, ok := x.class(text)
		if !ok {
			return reject("%q is no class of words", text)
		}
		c.fixed[of] = true
	}
	return c.readAtomics()
}

// readCalls reads the calls.
func (c *checker) readCalls() error {
	for i := range c.x.Calls {
		from := &c.x.Calls[i]
		if from.Func < 0 || from.Func >= len(c.p.Funcs) {
			return reject("call %d is of function %d, and there are %d", i, from.Func, len(c.p.Funcs))
		}
		f := c.p.Funcs[from.Func]
		if f.External || len(f.Code) == 0 {
			return reject("call %d is of %s, which has no code", i, f.Short)
		}
		to := called{fn: f}
		var ok [2]bool
		to.phase, ok[0] = parsePhase(from.Phase)
		to.holds, ok[1] = parseHolds(from.Holds)
		if ok != [2]bool{true, true} {
			return reject("call %d has the phase %q and %q in its own memory", i, from.Phase, from.Holds)
		}
		var err error
		if to.given, err = c.read("call", i, from.Given, layoutOf(slices.Concat(f.Params, f.Free))); err != nil {
			return err
		}
		for j := range from.Ends {
			e, err := c.readEnd(i, &from.Ends[j], layoutOf(f.Results))
			if err != nil {
				return err
			}
			if (e.phase == making) != (to.phase == making) {
				return reject("an end of call %d has the phase %v", i, e.phase)
			}
			to.ends = append(to.ends, e)
		}
		c.calls = append(c.calls, to)
		key := sought{f.ID, to.phase}
		c.find[key] = append(c.find[key], i)
	}
	return nil
}

// readEnd reads an end of call i.
func (c *checker) readEnd(i int, from *End, kinds []ir.Kind) (end, error) {
	out := end{published: from.Published}
	var ok [2]bool
	out.phase, ok[0] = parsePhase(from.Phase)
	out.holds, ok[1] = parseHolds(from.Holds)
	if ok != [2]bool{true, true} {
		return out, reject("an end of call %d has the phase %q and %q in its own memory", i, from.Phase, from.Holds)
	}
	var err error
	out.results, err = c.read("call", i, from.Results, kinds)
	return out, err
}

// read reads values of words of some kinds, of a call or state with a number.
func (c *checker) read(of string, i int, texts []string, kinds []ir.Kind) ([]value, error) {
	if len(texts) != len(kinds) {
		return nil, reject("%s %d has %d values where there are %d words", of, i, len(texts), len(kinds))
	}
	out := make([]value, len(texts))
	x := parser{c.p, c.types}
	for j, text := range texts {
		var ok bool
		if out[j], ok = x.value(text, kinds[j]); !ok {
			return nil, reject("%s %d: %q is no value of word %d", of, i, text, j)
		}
	}
	return out, nil
}

// readStates reads the states.
func (c *checker) readStates() error {
	for i := range c.x.States {
		from := &c.x.States[i]
		if from.Call < 0 || from.Call >= len(c.calls) {
			return reject("state %d is of call %d, and there are %d", i, from.Call, len(c.calls))
		}
		f := c.calls[from.Call].fn
		if _, ok := blockEnd(f, from.PC); !ok {
			return reject("state %d is at instruction %d of %s, where no block begins", i, from.PC, f.Short)
		}
		to := claimed{at: spot{from.Call, from.PC}}
		var ok [2]bool
		to.phase, ok[0] = parsePhase(from.Phase)
		to.holds, ok[1] = parseHolds(from.Holds)
		if ok != [2]bool{true, true} {
			return reject("state %d has the phase %q and %q in its own memory", i, from.Phase, from.Holds)
		}
		if (to.phase == making) != (c.calls[from.Call].phase == making) {
			return reject("state %d has the phase %v", i, to.phase)
		}
		to.published = from.Published
		var err error
		if to.regs, err = c.read("state", i, from.Regs, f.Kinds); err != nil {
			return err
		}
		for _, d := range from.Deferred {
			if d.Call < 0 || d.Call >= len(c.p.Calls) {
				return reject("state %d defers call %d, and there are %d", i, d.Call, len(c.p.Calls))
			}
			words, err := c.read("state", i, d.Words, deferredKinds(c.p.Calls[d.Call]))
			if err != nil {
				return err
			}
			to.deferred = append(to.deferred, deferred{d.Call, words})
		}
		c.states = append(c.states, to)
		c.at[to.at] = append(c.at[to.at], i)
	}
	return nil
}

// deferredKinds are the kinds of the words that a deferred call has.
func deferredKinds(call *ir.Call) []ir.Kind {
	var kinds []ir.Kind
	switch call.Kind {
	case ir.CallClosure:
		kinds = []ir.Kind{ir.Code}
	case ir.CallMethod:
		kinds = []ir.Kind{ir.IfaceType, ir.IfaceData}
	}
	for _, a := range call.Args {
		kinds = append(kinds, a.Type.Layout()...)
	}
	return kinds
}

// blockEnd is where the block ends that begins at an instruction; false if none does.
func blockEnd(f *ir.Func, pc int) (int, bool) {
	i, found := slices.BinarySearchFunc(f.Blocks, pc, func(b ir.Block, pc int) int { return b.Start - pc })
	if !found {
		return 0, false
	}
	return f.Blocks[i].End, true
}

// operations is an error unless the first calls are the operations, in their order, which begin with the collection and numbers, and end without the lock.
func (c *checker) operations() error {
	root := c.root()
	for i := range c.s.Operations {
		o, is := &c.s.Operations[i], &c.calls[i]
		if is.fn != o.Func || is.phase != before || is.holds != 0 || len(is.given) == 0 || !is.given[0].covers(&root) {
			return reject("call %d is not the operation %s", i, o.Name)
		}
		for w, k := range layoutOf(o.Func.Params)[1:] {
			if k != ir.Scalar {
				return reject("operation %s: word %d of its arguments is no number", o.Name, w+1)
			}
		}
		for w, k := range layoutOf(o.Func.Results) {
			if k != ir.Scalar {
				return reject("operation %s: word %d of its results is no number", o.Name, w)
			}
		}
		for _, e := range is.ends {
			if e.phase.locked() {
				return reject("operation %s may return with the lock", o.Name)
			}
		}
	}
	return nil
}

// entries is an error unless there is a state for how each call begins.
func (c *checker) entries() error {
	for i := range c.calls {
		is := &c.calls[i]
		s := &state{phase: is.phase, holds: is.holds, regs: make([]value, is.fn.NumRegs)}
		if len(is.given) > len(s.regs) {
			return reject("call %d: %s has fewer registers than arguments", i, is.fn.Short)
		}
		copy(s.regs, is.given)
		if err := c.covered(spot{i, 0}, 0, s); err != nil {
			return err
		}
	}
	return nil
}

// covered is an error unless a state of the certificate covers a state in front of instruction pc, to which the instruction at a spot leads.
func (c *checker) covered(from spot, pc int, s *state) error {
	for _, i := range c.at[spot{from.call, pc}] {
		if c.states[i].covers(s) {
			return nil
		}
	}
	if c.miss != nil {
		c.miss(lack{at: spot{from.call, pc}, state: s})
		return nil
	}
	return c.reject(from, "%s: no state in front of instruction %d covers %s", c.calls[from.call].fn.Short, pc, c.say(from.call, pc, s))
}
