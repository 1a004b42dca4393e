// SPDX-License-Identifier: BSD-3-Clause

package ir

// Reach calls visit once for each function that some functions may execute, themselves included. A
// call of a method of an interface may execute that method of every type, a call of a function
// value every function that the program uses as a value.
func (p *Program) Reach(from []*Func, visit func(*Func)) {
	r := &reacher{p: p, seen: map[*Func]bool{}}
	for _, f := range from {
		r.add(f)
	}
	for len(r.queue) > 0 {
		f := r.queue[0]
		r.queue = r.queue[1:]
		visit(f)
		r.calls(f)
	}
}

// Reached lists the functions that some functions may execute, as Reach does, together with those
// that functions without code may call back: functions that they are given, and any method of what
// they are given in interfaces.
func (p *Program) Reached(from []*Func) (list []*Func) {
	r := &reacher{p: p, seen: map[*Func]bool{}}
	for _, f := range from {
		r.add(f)
	}
	for len(r.queue) > 0 {
		f := r.queue[0]
		r.queue = r.queue[1:]
		list = append(list, f)
		r.calls(f)
		if f.External {
			r.calledBack(f)
			r.methods(f)
		}
	}
	return list
}

// methods adds all methods of all types, if a function without code is given interfaces.
func (r *reacher) methods(f *Func) {
	for _, t := range f.Params {
		if t.Class != Interface && (t.Class != Slice || t.Elem.Class != Interface) {
			continue
		}
		for _, of := range r.p.Types {
			if of != nil {
				for _, m := range of.Methods {
					r.add(m)
				}
			}
		}
		return
	}
}

type reacher struct {
	p      *Program
	seen   map[*Func]bool
	queue  []*Func
	values bool // the functions that are used as values are in
	// among are the functions that calls of function values may reach so far; nil: every function that the program uses as a value.
	among map[*Func]bool
}

func (r *reacher) add(f *Func) {
	if f != nil && !r.seen[f] {
		r.seen[f] = true
		r.queue = append(r.queue, f)
	}
}

// calls adds what a function calls.
func (r *reacher) calls(f *Func) {
	for pc := range f.Code {
		switch in := &f.Code[pc]; in.Op {
		case OpCall, OpGo, OpDefer:
			r.call(r.p.Calls[in.X])
		}
	}
}

func (r *reacher) call(c *Call) {
	switch c.Kind {
	case CallStatic:
		r.add(c.Func)
	case CallMethod:
		for _, t := range r.p.Types {
			if t != nil {
				r.add(t.Methods[c.Method])
			}
		}
	case CallClosure:
		r.takenValues()
	}
}

// takenValues adds every function that the program uses as a value, or those in among.
func (r *reacher) takenValues() {
	if r.among != nil {
		r.values = true
		for f := range r.among { // in any order: what is found does not depend on it
			r.add(f)
		}
		return
	}
	if r.values {
		return
	}
	r.values = true
	for _, f := range r.p.Funcs {
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == OpMakeClosure {
				r.add(r.p.Funcs[in.N])
			}
		}
	}
	for i, kind := range r.p.ConstKinds {
		if w := r.p.Consts[i]; kind == Code && w != 0 {
			r.add(r.p.Funcs[w&^FuncTag])
		}
	}
}
