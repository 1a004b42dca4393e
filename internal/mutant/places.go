// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
)

// Places are positions of executed code, by file, sorted.
type Places map[string][]place

type place struct{ line, column int }

func compare(a, b place) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
}

// within says whether some place is in [from, to].
func (p Places) within(file string, from, to place) bool {
	list := p[file]
	i, _ := slices.BinarySearchFunc(list, from, compare)
	return i < len(list) && compare(list[i], to) <= 0
}

// Reach gives the places of the code that the roots can execute: a superset, in which
// a call of a function value may call every function whose value is taken, and a call
// of an interface's method every method with that name and signature.
func Reach(p *ir.Program, roots []*ir.Func) Places {
	r := &reacher{p: p, seen: map[*ir.Func]bool{}, places: map[string]map[place]bool{}}
	for _, f := range roots {
		r.add(f)
	}
	for len(r.queue) > 0 {
		f := r.queue[0]
		r.queue = r.queue[1:]
		r.scan(f)
	}
	out := Places{}
	for file, set := range r.places {
		for at := range set {
			out[file] = append(out[file], at)
		}
		slices.SortFunc(out[file], compare)
	}
	return out
}

type reacher struct {
	p      *ir.Program
	seen   map[*ir.Func]bool
	queue  []*ir.Func
	places map[string]map[place]bool
	values bool // functions whose value is taken are in
}

func (r *reacher) add(f *ir.Func) {
	if f != nil && !r.seen[f] {
		r.seen[f] = true
		r.queue = append(r.queue, f)
	}
}

func (r *reacher) scan(f *ir.Func) {
	for pc := range f.Code {
		if at := f.Pos[pc]; at.Line > 0 {
			file := r.p.Files[at.File]
			if r.places[file] == nil {
				r.places[file] = map[place]bool{}
			}
			r.places[file][place{int(at.Line), int(at.Col)}] = true
		}
		switch in := &f.Code[pc]; in.Op {
		case ir.OpCall, ir.OpGo, ir.OpDefer:
			r.call(r.p.Calls[in.X])
		}
	}
}

func (r *reacher) call(c *ir.Call) {
	switch c.Kind {
	case ir.CallStatic:
		r.add(c.Func)
	case ir.CallMethod:
		for _, t := range r.p.Types {
			if t != nil {
				r.add(t.Methods[c.Method])
			}
		}
	case ir.CallClosure:
		if !r.values {
			r.values = true
			r.takenValues()
		}
	}
}

// takenValues adds every function that the program uses as a value.
func (r *reacher) takenValues() {
	for _, f := range r.p.Funcs {
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.OpMakeClosure {
				r.add(r.p.Funcs[in.N])
			}
		}
	}
	for i, kind := range r.p.ConstKinds {
		if w := r.p.Consts[i]; kind == ir.Code && w != 0 {
			r.add(r.p.Funcs[w&^ir.FuncTag])
		}
	}
}
