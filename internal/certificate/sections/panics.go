// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// A panic may begin in front of any instruction. Where nobody recovers it the program ends. Where somebody may, the deferred calls are made that the functions have at that moment, and the code
// goes on in the one that has deferred who recovers. Of the calls that are left by the panic it is not known how far they have come: so own memory may hold what it held anywhere in
// them, and they have published something or not. What they may be is collected while all is executed, and all is executed again until nothing is new. A call that is left so
// has deferred nothing itself.

// panics is what is known so far of panics.
type panics struct {
	again   bool                  // something was noted that matters to what was executed before
	matters bool                  // some panic may be recovered
	careful bool                  // the instruction that is executed may be left by a panic that is recovered
	extent  bool                  // the same, but for deferred calls of the function that are made when no other one is left that recovers
	thrown  set                   // to what values of panics lead
	under   []bool                // calls that neither take nor give the lock: those that may be left by a panic that is recovered, and deferred ones that recover
	inner   []bool                // calls that may be left by a panic that is recovered
	held    []set                 // what own memory may hold anywhere in a call, but for what the calls in it do
	publish []bool                // calls that may publish something
	made    map[spot]map[int]bool // which calls an instruction makes
	inside  []map[int]bool        // which calls a call makes
	knows   map[*ir.Func]bool     // see recovers
}

func newPanics(p *ir.Program, calls int) panics {
	thrown := set(0)
	for _, t := range p.Errors.List() {
		if t != nil && t.Class == ir.PointerClass {
			thrown = own // what the machine panics with is made then
		}
	}
	return panics{thrown: thrown, under: make([]bool, calls), inner: make([]bool, calls), held: make([]set, calls), publish: make([]bool, calls), made: map[spot]map[int]bool{}, inside: make([]map[int]bool, calls), knows: map[*ir.Func]bool{}}
}

// note says that something is new.
func (p *panics) note(is bool) {
	if is {
		p.again = true
	}
}

func (p *panics) holding(call int, s set) {
	p.note(s&^p.held[call] != 0)
	p.held[call] |= s
}

func (p *panics) publishing(call int) {
	p.note(!p.publish[call])
	p.publish[call] = true
}

func (p *panics) calledAt(at spot, call int) {
	if p.made[at] == nil {
		p.made[at] = map[int]bool{}
	}
	if p.inside[at.call] == nil {
		p.inside[at.call] = map[int]bool{}
	}
	p.note(!p.made[at][call] || p.careful && !p.under[call] || p.extent && !p.inner[call])
	p.made[at][call], p.inside[at.call][call] = true, true
	p.under[call], p.inner[call] = p.under[call] || p.careful, p.inner[call] || p.extent
}

// panicked notes to what the value of a panic leads. What is own there may be shared where it is recovered.
func (p *panics) panicked(s set) {
	if s&own != 0 {
		s |= shared
	}
	p.note(s&^p.thrown != 0)
	p.thrown |= s
}

// asked notes that code asks for the value of a panic.
func (p *panics) asked() { p.matters = true }

// recovers says whether a function that is called as a deferred one may recover a panic.
func (c *checker) recovers(f *ir.Func) bool {
	yes, known := c.knows[f]
	if known {
		return yes
	}
	c.knows[f] = false // for a wrapper that calls itself
	for pc := range f.Code {
		switch in := &f.Code[pc]; in.Op {
		case ir.OpRecover:
			yes = yes || !in.Ok
		case ir.OpDefer: // a deferred call of recover counts as one by the function that defers it
			call := c.p.Calls[in.X]
			yes = yes || call.Kind == ir.CallStatic && standsForRecover(call.Func)
		case ir.OpCall:
			call := c.p.Calls[in.X]
			yes = yes || f.Wrapper && (call.Kind != ir.CallStatic || c.recovers(call.Func))
		}
	}
	c.knows[f] = yes
	return yes
}

// standsForRecover says whether a function stands for a deferred call of recover.
func standsForRecover(f *ir.Func) bool {
	for pc := range f.Code {
		if f.Code[pc].Op == ir.OpRecover && f.Code[pc].Ok {
			return true
		}
	}
	return false
}

// mayRecover says whether one of the deferred calls of a state may recover a panic.
func (c *checker) mayRecover(s *state) bool {
	for i := range s.deferred {
		for _, t := range c.targets(s, c.p.Calls[s.deferred[i].call], s.deferred[i].words) {
			if c.recovers(t.fn) {
				c.matters = true
				return true
			}
		}
	}
	return false
}

// unwinds is an error unless all is in the certificate that follows a panic in front of an instruction, or in a call that it makes, where the function recovers. It says whether it does.
func (c *checker) unwinds(at spot, s *state) (recovers bool, err error) {
	if len(s.deferred) == 0 {
		return false, nil
	}
	if c.inner[at.call] {
		return false, c.reject(at, "%s defers a call, and a caller may recover a panic of it", c.calls[at.call].fn.Short)
	}
	if recovers = c.mayRecover(s); !recovers {
		return false, nil
	}
	live := []*state{s.clone()}
	if c.calls[at.call].fn.Code[at.pc].Op == ir.OpCall {
		live = append(live, c.amid(at, s)...)
	}
	return true, c.unwind(at, live)
}

// unwindsIn is the same for a panic in a deferred call, that is not on the list any more.
func (c *checker) unwindsIn(at spot, s *state) error {
	if !c.mayRecover(s) {
		return nil
	}
	return c.unwind(at, c.amid(at, s))
}

// amid are the states in which the calls that an instruction makes may be left by a panic.
func (c *checker) amid(at spot, s *state) []*state {
	held, published := set(0), false
	seen := map[int]bool{}
	var visit func(calls map[int]bool)
	visit = func(calls map[int]bool) {
		for i := range calls {
			if !seen[i] {
				seen[i] = true
				held |= c.held[i]
				published = published || c.publish[i]
				visit(c.inside[i])
			}
		}
	}
	visit(c.made[at])
	whole := s.clone()
	whole.holds |= held
	out := []*state{whole}
	if published {
		all := s.clone()
		all.publish()
		all.holds |= held
		out = append(out, all)
	}
	return out
}

// unwind makes the deferred calls of states of panic, one of which recovers, and goes on behind them.
func (c *checker) unwind(at spot, live []*state) error {
	c.careful = true
	for len(live[0].deferred) > 0 {
		var next []*state
		for _, s := range live {
			last := s.deferred[len(s.deferred)-1]
			s.deferred = s.deferred[:len(s.deferred)-1]
			c.extent = c.inner[at.call] || c.mayRecover(s)
			outs, err := c.invoke(at, s, c.p.Calls[last.call], last.words)
			if err != nil {
				return err
			}
			for _, out := range outs {
				next = append(next, out.state)
			}
			next = append(next, s)
			next = append(next, c.amid(at, s)...)
		}
		var ok bool
		if live, ok = distinct(next); !ok {
			return c.reject(at, "a panic may end in more than %d ways", mostAlike)
		}
	}
	f := c.calls[at.call].fn
	for _, s := range live {
		c.holding(at.call, s.holds)
		if f.Recover >= 0 {
			if err := c.covered(at, f.Recover, s); err != nil {
				return err
			}
		} else if err := c.returns(at, s, make([]value, f.ResultWords())); err != nil {
			return err
		}
	}
	return nil
}
