// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"

	"pangolin/internal/ir"
)

// made are the functions that may be what is not known: those of which the program makes values, and methods.
type made struct {
	p       *ir.Program
	values  []*ir.Func
	byCall  map[*ir.Call][]*ir.Func
	methods map[string][]*ir.Type // types that have a method, and of which the program makes interface values
}

func newMade(p *ir.Program) *made {
	m := &made{p: p, byCall: map[*ir.Call][]*ir.Func{}, methods: map[string][]*ir.Type{}}
	is := make([]bool, len(p.Funcs))
	for _, f := range p.Funcs {
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.OpMakeClosure {
				is[in.N] = true
			}
		}
	}
	for i, k := range p.ConstKinds {
		if w := p.Consts[i]; k == ir.Code && w != 0 {
			is[w&^ir.FuncTag] = true
		}
	}
	for id, yes := range is {
		if yes {
			m.values = append(m.values, p.Funcs[id])
		}
	}
	for _, t := range p.Types {
		if t == nil {
			continue
		}
		for name, f := range t.Methods {
			if f != nil {
				m.methods[name] = append(m.methods[name], t)
			}
		}
	}
	return m
}

// of are the functions that have the type of a function value that is called.
func (m *made) of(call *ir.Call) []*ir.Func {
	list, known := m.byCall[call]
	if !known {
		for _, f := range m.values {
			if slices.Equal(f.Results, call.Result) && slices.EqualFunc(f.Params, call.Args, func(t *ir.Type, a ir.Arg) bool { return t == a.Type }) {
				list = append(list, f)
			}
		}
		m.byCall[call] = list
	}
	return list
}

// target is a function that may be called, with what it is given.
type target struct {
	fn    *ir.Func
	given []value
}

// targets are the functions that a call may call; words are those of the function and of its arguments.
func (c *checker) targets(s *state, call *ir.Call, words []value) (out []target) {
	switch call.Kind {
	case ir.CallStatic:
		return []target{{call.Func, words}}
	case ir.CallClosure:
		fn, args := words[0], words[1:]
		switch {
		case fn.fn != nil:
			return []target{{c.p.Funcs[fn.fn.id], slices.Concat(args, fn.fn.captured)}}
		case fn.set == 0:
			return nil // nil: it panics
		}
		for _, f := range c.values.of(call) {
			out = append(out, target{f, slices.Concat(args, s.contents(fn.set, layoutOf(f.Free)))})
		}
		return out
	}
	data, args := words[1], words[2:]
	for _, t := range c.values.methods[call.Method] {
		out = append(out, target{t.Methods[call.Method], slices.Concat(data.unboxed(t), args)})
	}
	return out
}

// outcome is how a call may end.
type outcome struct {
	state   *state
	results []value
}

// calling executes a call, defers one, or makes the deferred ones.
func (c *checker) calling(at spot, s *state, in *ir.Instr) ([]*state, error) {
	if in.Op == ir.OpRunDefers {
		return c.runDefers(at, s)
	}
	call := c.p.Calls[in.X]
	var words []value
	if n := call.FnWords(); n > 0 {
		var err error
		if words, err = c.several(at, s, call.Fn, n); err != nil {
			return nil, err
		}
	}
	args, err := c.list(at, s, call.Args)
	if err != nil {
		return nil, err
	}
	words = append(words, args...)
	if in.Op == ir.OpDefer {
		if in.A != ir.NoReg {
			return nil, c.reject(at, "a call is deferred to the end of another function")
		}
		for i, k := range deferredKinds(call) {
			words[i] = words[i].fitted(k)
		}
		s.deferred = append(s.deferred, deferred{call.ID, words})
		return one(s, nil)
	}
	outs, err := c.invoke(at, s, call, words)
	if err != nil {
		return nil, err
	}
	states := make([]*state, len(outs))
	for i, out := range outs {
		states[i] = out.state
		if err := c.put(at, out.state, in.Dst, out.results...); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// runDefers makes the deferred calls, the last one first.
func (c *checker) runDefers(at spot, s *state) ([]*state, error) {
	live := []*state{s}
	for range s.deferred {
		var next []*state
		for _, st := range live {
			last := st.deferred[len(st.deferred)-1]
			st.deferred = st.deferred[:len(st.deferred)-1]
			if err := c.unwindsIn(at, st); err != nil {
				return nil, err
			}
			c.extent = c.inner[at.call] || c.mayRecover(st)
			outs, err := c.invoke(at, st, c.p.Calls[last.call], last.words)
			if err != nil {
				return nil, err
			}
			for _, out := range outs {
				next = append(next, out.state)
			}
		}
		var ok bool
		if live, ok = distinct(next); !ok {
			return nil, c.reject(at, "deferred calls may end in more than %d ways", mostAlike)
		}
	}
	return live, nil
}

// invoke makes a call, of each function that may be called. The state is left as it was.
func (c *checker) invoke(at spot, s *state, call *ir.Call, words []value) (outs []outcome, err error) {
	for _, t := range c.targets(s, call, words) {
		if c.steps--; c.steps < 0 {
			return nil, c.reject(at, "the certificate needs more steps than one of its size may")
		}
		kinds := layoutOf(slices.Concat(t.fn.Params, t.fn.Free))
		if len(kinds) != len(t.given) {
			return nil, c.reject(at, "%s is given %d words, and takes %d", t.fn.Short, len(t.given), len(kinds))
		}
		for i := range t.given {
			t.given[i] = t.given[i].fitted(kinds[i])
		}
		var out []outcome
		switch {
		case isOfObject(t.fn):
			out, err = c.object(at, s.clone(), t)
		case t.fn.External:
			out, err = c.external(at, s.clone(), t)
		case isClock(t.fn):
			out, err = c.clock(at, s.clone(), t)
		default:
			out, err = c.enter(at, s, t)
		}
		if err != nil {
			return nil, err
		}
		outs = append(outs, out...)
	}
	return outs, nil
}

// enter looks for the call in the certificate, and takes its ends for what it does.
func (c *checker) enter(at spot, s *state, t target) ([]outcome, error) {
	found := -1
	for _, i := range c.find[sought{t.fn.ID, s.phase}] {
		if is := &c.calls[i]; s.holds&^is.holds == 0 && coverAll(is.given, t.given) {
			found = i
			if is.holds == s.holds && coverAll(t.given, is.given) {
				break
			}
		}
	}
	if found < 0 && c.miss != nil {
		c.miss(lack{call: &called{fn: t.fn, given: t.given, phase: s.phase, holds: s.holds}})
		return nil, nil
	}
	if found < 0 {
		return nil, c.reject(at, "%s calls %s with %v, phase %v, %q in own memory, and the certificate has no such call", c.calls[at.call].fn.Short, t.fn.Short, t.given, s.phase, s.holds)
	}
	c.calledAt(at, found)
	var outs []outcome
	for _, e := range c.calls[found].ends {
		out := s.clone()
		if e.published {
			out.publish()
			c.publishing(at.call)
		}
		out.phase, out.holds = e.phase, e.holds
		outs = append(outs, outcome{out, e.results})
	}
	return outs, nil
}
