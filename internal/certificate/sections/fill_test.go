// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// fill makes a certificate by noting whatever the checker misses, and joining what is there already with it. It begins with all classes fixed, and begins again without those
// that were written; with no class atomic, then with each set of those whose words the program's own code accesses atomically, the largest one last, and of each with all kept first. It is no other engine, for all that it
// knows are the checker's own rules: what it finds says whether the checker accepts and refuses what it is meant to. What is refused whatever is atomic is refused for what is said of the largest set.
func fill(s *subject.Subject) (*Certificate, error) {
	if err := fits(s); err != nil {
		return nil, err
	}
	var last error
	for _, atomic := range subsets(touched(s)) {
		for _, kept := range backwards(subsets(atomic)) {
			x, err := fillWith(s, atomic, kept)
			if err == nil {
				return x, nil
			}
			if last = err; !strings.Contains(err.Error(), " is kept, ") {
				break
			}
		}
	}
	return nil, last
}

// touched are the texts of the classes of fields and elements whose words the program's own code accesses atomically, and of objects of the standard library whose methods it may call.
func touched(s *subject.Subject) (out []string) {
	t := newTypes(s.Prog)
	for _, f := range s.Prog.Funcs {
		if _, one := accesses[f.Name]; one && isOfObject(f) {
			of := t.objectClass(f)
			out = append(out, fmt.Sprintf("is %d+%d", of.of, of.n))
		}
		if f.Library() {
			continue
		}
		words := map[ir.Reg]class{}
		for pc := range f.Code {
			switch in := &f.Code[pc]; {
			case in.Op == ir.OpField:
				words[in.Dst] = t.word(in.T, hint{}, int(in.N))
			case (in.Op == ir.OpElem || in.Op == ir.OpArrayElem) && isLeaf(in.T):
				words[in.Dst] = class{elem, t.group[in.T.ID], 0}
			case in.Op >= ir.OpAtomicLoad && in.Op <= ir.OpAtomicOr:
				switch of := words[in.A]; of.sort {
				case field:
					out = append(out, fmt.Sprintf("is %d+%d", of.of, of.n))
				case elem:
					out = append(out, fmt.Sprintf("elem %d", of.of))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// subsets are those of a list, smaller ones first.
func subsets(list []string) (out [][]string) {
	for bits := range 1 << len(list) {
		set := []string{}
		for i, one := range list {
			if bits>>i&1 != 0 {
				set = append(set, one)
			}
		}
		out = append(out, set)
	}
	slices.SortStableFunc(out, func(a, b []string) int { return len(a) - len(b) })
	return out
}

func backwards(list [][]string) [][]string {
	slices.Reverse(list)
	return list
}

// fillWith does that with classes that are atomic, and kept.
func fillWith(s *subject.Subject, atomic, kept []string) (*Certificate, error) {
	x := &Certificate{Head: NewHead(s.Source, s.Prog)}
	x.Head.Lock, x.Head.Atomic, x.Head.Kept = "path +0", atomic, kept
	c := newChecker(s, x)
	x.Head.Fixed = slices.DeleteFunc(everyClass(c.types), func(text string) bool { return slices.Contains(atomic, text) })
	for {
		err := filled(s, x)
		if r := (*file.Rejection)(nil); errors.As(err, &r) {
			if m := otherLock.FindStringSubmatch(r.What); m != nil && x.Head.Lock != m[1] {
				if x.Head.Lock != "path +0" {
					return nil, err
				}
				x.Head.Lock = m[1]
				continue
			}
		}
		if err != errWritten {
			return x, err
		}
	}
}

var otherLock = regexp.MustCompile(`of "s (path [0-9,]*\+[0-9]+)[^"]*", which is not the lock`)

var errWritten = errors.New("a fixed class is written")

// everyClass are the texts of all classes that may be fixed.
func everyClass(t *types) (out []string) {
	for id, of := range t.p.Types {
		if of == nil || t.group[id] != id {
			continue
		}
		name := strconv.Itoa(id)
		switch {
		case of.Class == ir.Map:
			out = append(out, "map "+name, "elem "+name)
		case isLeaf(of):
			out = append(out, "elem "+name)
		case of.Class == ir.Struct:
			for w := range of.Size {
				if _, has := t.leaf[[2]int{id, w}]; has {
					out = append(out, "is "+name+"+"+strconv.Itoa(w))
				}
			}
		}
	}
	return out
}

// filled fills a certificate that has a head. The error is errWritten if fixed classes were written, which are taken out then.
func filled(s *subject.Subject, x *Certificate) error {
	c := newChecker(s, x)
	if err := c.head(); err != nil {
		return err
	}
	for i := range s.Operations {
		f := s.Operations[i].Func
		given := make([]value, f.ParamWords())
		given[0] = value{set: shared, path: place{set: true}}
		if of := s.New.Results[0].Elem; isLeaf(of) {
			given[0].hint = hint{isElem, c.types.group[of.ID], 0}
		}
		c.addCall(&called{fn: f, given: given})
	}
	c.addCall(&called{fn: s.New, given: make([]value, s.New.ParamWords()), phase: making})
	changed := true
	c.miss = func(l lack) {
		changed = true
		switch {
		case l.call != nil:
			c.addCall(l.call)
		case l.end != nil:
			c.addEnd(&c.calls[l.at.call], *l.end)
		default:
			c.addState(l.at, l.state.clone())
		}
	}
	for n := 0; changed; n++ {
		if n > 300 {
			return errors.New("no fixed point is found")
		}
		changed = false
		if err := c.entries(); err != nil {
			return err
		}
		c.again = false
		c.mixed, c.deep = false, nil
		c.steps = 10_000_000
		for i := 0; i < len(c.states); i++ {
			st := claimed{c.states[i].at, *c.states[i].state.clone()}
			if err := c.block(&st); err != nil {
				return err
			}
		}
		changed = changed || c.again && c.matters
	}
	var left []string
	for _, text := range x.Head.Fixed {
		of, _ := parser{c.p, c.types}.class(text)
		conflicts := false
		for w := range c.written {
			conflicts = conflicts || c.types.conflict(w, of)
		}
		if !conflicts {
			left = append(left, text)
		}
	}
	if len(left) < len(x.Head.Fixed) {
		x.Head.Fixed = left
		return errWritten
	}
	c.save()
	for _, step := range []func() error{c.initialisers, c.constructor, c.operations, c.apart} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// mostCalls is how many calls of a function there are, after which they are joined.
const mostCalls = 12

func (c *checker) addCall(l *called) {
	key := sought{l.fn.ID, l.phase}
	if list := c.find[key]; len(list) >= mostCalls {
		is := &c.calls[list[len(list)-1]]
		is.holds |= l.holds
		widen(is.given, l.given)
		return
	}
	c.find[key] = append(c.find[key], len(c.calls))
	c.calls = append(c.calls, called{fn: l.fn, given: slices.Clone(l.given), phase: l.phase, holds: l.holds})
	c.under, c.inner = append(c.under, false), append(c.inner, false)
	c.held, c.publish, c.inside = append(c.held, 0), append(c.publish, false), append(c.inside, nil)
}

func (c *checker) addEnd(is *called, e end) {
	for i := range is.ends {
		if old := &is.ends[i]; old.phase == e.phase && old.published == e.published {
			old.holds |= e.holds
			widen(old.results, e.results)
			return
		}
	}
	e.results = slices.Clone(e.results)
	is.ends = append(is.ends, e)
}

func (c *checker) addState(at spot, s *state) {
	for _, i := range c.at[at] {
		old := &c.states[i].state
		if old.phase == s.phase && old.published == s.published && slices.EqualFunc(old.deferred, s.deferred, func(d, e deferred) bool { return d.call == e.call }) {
			old.holds |= s.holds
			widen(old.regs, s.regs)
			for j := range s.deferred {
				widen(old.deferred[j].words, s.deferred[j].words)
			}
			return
		}
	}
	c.at[at] = append(c.at[at], len(c.states))
	c.states = append(c.states, claimed{at, *s})
}

// widen makes values cover others.
func widen(vs, ws []value) {
	for i := range vs {
		v, w := &vs[i], &ws[i]
		switch {
		case v.covers(w):
		case w.covers(v):
			*v = *w
		default:
			u := only(v.set | w.set)
			if v.hint == w.hint {
				u.hint = v.hint
			}
			if v.path == w.path {
				u.path = v.path
			}
			*v = u
		}
	}
}

// save writes what was found into the certificate.
func (c *checker) save() {
	texts := func(vs []value) []string {
		out := make([]string, len(vs))
		for i, v := range vs {
			out[i] = v.String()
		}
		return out
	}
	c.x.Calls, c.x.States = nil, nil
	for _, is := range c.calls {
		to := Call{Func: is.fn.ID, Given: texts(is.given), Phase: is.phase.String(), Holds: is.holds.String(), Ends: []End{}}
		for _, e := range is.ends {
			to.Ends = append(to.Ends, End{e.phase.String(), e.holds.String(), e.published, texts(e.results)})
		}
		c.x.Calls = append(c.x.Calls, to)
	}
	for _, s := range c.states {
		to := At{Call: s.at.call, PC: s.at.pc, Phase: s.phase.String(), Holds: s.holds.String(), Published: s.published, Deferred: []Defer{}, Regs: texts(s.regs)}
		for _, d := range s.deferred {
			to.Deferred = append(to.Deferred, Defer{d.call, texts(d.words)})
		}
		c.x.States = append(c.x.States, to)
	}
}
