// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"maps"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// What is around the operations: the constructor, the initialisers, which are executed before all and are not followed, and the harness, with variables and types of its own.

// around is what is known of it.
type around struct {
	keeps    map[int]bool // groups of types that the harness declares, and nobody else accesses
	vars     map[int]bool // package variables of the harness
	contents *contents    // what formatting may read; nil: not yet known

	unbuffered []Unbuffered // channels that may be made without room
}

// contents is what formatting may read of values that the program puts into interface values.
type contents struct {
	classes []class
	lock    string // a type with a lock, if there is one
	calls   string // the method that formatting may call though no instruction does, if there is one
}

func newAround(p *ir.Program, t *types) around {
	a := around{keeps: map[int]bool{}, vars: map[int]bool{}, unbuffered: AllUnbuffered(p, func(a, b *ir.Type) bool { return t.channelClass(a) == t.channelClass(b) })}
	used := map[int]bool{}
	users := map[int]bool{} // package variables that others than the harness mention
	for _, f := range p.Funcs {
		for pc := range f.Code {
			in := &f.Code[pc]
			if !f.Harness {
				t.mention(in.T, used)
			}
			p.Operands(in, func(r ir.Reg, n int, _ ir.Role) {
				for w := range n {
					if g := p.GlobalAt(r.Word(w)); r < 0 && r != ir.NoReg && g >= 0 && !f.Harness {
						users[g] = true
					}
				}
			})
		}
	}
	for id, of := range p.Types {
		if of != nil && t.group[id] == id {
			a.keeps[id] = !used[id]
		}
	}
	for id, of := range p.Types {
		if of != nil && !declaredByHarness(of.Name) {
			a.keeps[t.group[id]] = false
		}
	}
	for i, g := range p.Globals {
		a.vars[i] = !users[i] && declaredByHarness(g.Name)
	}
	return a
}

// declaredByHarness says whether a package variable, or a type or what it points to, has a name that a harness gives.
func declaredByHarness(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return !strings.Contains(name, "(") && strings.HasPrefix(name[strings.LastIndexAny(name, "./")+1:], "pangolin")
}

// mention notes the group of a type, and of those of its parts.
func (t *types) mention(of *ir.Type, used map[int]bool) {
	if of == nil {
		return
	}
	used[t.group[of.ID]] = true
	if of.Class == ir.Array {
		t.mention(of.Elem, used)
	}
	for i := range of.Fields {
		t.mention(of.Fields[i].Type, used)
	}
}

// hiddenCall is a method that package fmt may call, and that is no target of a call in the program: Error, String and GoString the model of the package calls, Format it does not. Of a reflect.Value it
// prints what that is of, with methods of types of which no interface value may be made. "": there is none.
func hiddenCall(p *ir.Program) string {
	for _, t := range p.Types {
		switch {
		case t == nil:
		case t.PkgPath == "reflect" && t.Name == "reflect.Value" && t.Dynamic:
			return "a method of what a reflect.Value is of"
		case slices.ContainsFunc(slices.Collect(maps.Keys(t.Methods)), func(key string) bool { return strings.HasPrefix(key, "Format(fmt.State,") }):
			return "the method Format of " + t.Name
		}
	}
	return ""
}

// initialisers is an error if code that is executed before all starts a goroutine, which may change what package variables lead to, or makes pointers of another type to them.
func (c *checker) initialisers() error {
	if c.p.Init == nil {
		return nil
	}
	for _, f := range c.p.Reached([]*ir.Func{c.p.Init}) {
		for pc := range f.Code {
			switch in := &f.Code[pc]; {
			case in.Op == ir.OpGo:
				return reject("an initialiser may start a goroutine, in %s", f.Short)
			case in.Op == ir.OpCast && !f.Standard && !f.Model:
				return reject("an initialiser may convert an unsafe.Pointer, in %s", f.Short)
			}
		}
	}
	return nil
}

// root is the collection, as operations are given it. If it is no struct and no array, and the constructor always makes a variable of its type, it leads to such a variable.
func (c *checker) root() value {
	v := value{set: shared, path: place{set: true}}
	t := c.s.New.Results[0].Elem
	if t == nil || !isLeaf(t) {
		return v
	}
	at := hint{isElem, c.types.group[t.ID], 0}
	for _, e := range c.calls[len(c.s.Operations)].ends {
		if r := &e.results[0]; r.set != 0 && r.hint != at {
			return v
		}
	}
	v.hint = at
	return v
}

// constructor is an error unless the call behind those of the operations is the constructor, which returns what is its own.
func (c *checker) constructor() error {
	if len(c.calls) <= len(c.s.Operations) {
		return reject("there are %d operations, a constructor, and %d calls", len(c.s.Operations), len(c.calls))
	}
	is := &c.calls[len(c.s.Operations)]
	if is.fn != c.s.New || is.phase != making || is.holds != 0 || !coverAll(is.given, make([]value, len(is.given))) {
		return reject("call %d is not the constructor", len(c.s.Operations))
	}
	for _, k := range layoutOf(is.fn.Params) {
		if k != ir.Scalar {
			return reject("an argument of the constructor is no number")
		}
	}
	for i := range is.ends {
		e := &is.ends[i]
		if reach(e.results)&(shared|foreign) != 0 || e.published {
			return reject("the constructor returns what it has not made, or gives it to others")
		}
		c.mixed = c.mixed || e.holds&foreign != 0
	}
	return nil
}

// publishes makes everything shared that was own.
func (c *checker) publishes(at spot, s *state) {
	c.mixed = c.mixed || s.holds&foreign != 0
	s.publish()
	c.publishing(at.call)
}

// leadsOut says whether a value leads to memory of package variables, and not only to code.
func (v *value) leadsOut() bool {
	if v.fn == nil {
		return v.set&foreign != 0
	}
	return slices.ContainsFunc(v.fn.captured, func(w value) bool { return w.leadsOut() })
}

// free says whether a package variable is read without the lock: only initialisers write it, and nothing leads to it, or it is the harness's.
func (c *checker) free(at spot, g int) bool {
	return c.p.Globals[g].ReadOnly || c.vars[g] && c.calls[at.call].fn.Harness
}

// harnessKeeps says whether the harness accesses only words of types that it declares.
func (c *checker) harnessKeeps(at spot, a access) bool {
	if !c.calls[at.call].fn.Harness || len(a.classes) == 0 {
		return false
	}
	return !slices.ContainsFunc(a.classes, func(w class) bool { return w.sort == entries || w.sort == anything || !c.keeps[w.of] })
}

// printed is what formatting may read. It follows a pointer only where an interface value has it.
func (c *checker) printed() *contents {
	if c.contents != nil {
		return c.contents
	}
	p := &printer{c.types, map[class]bool{}, map[int]bool{}, ""}
	is := map[*ir.Type]bool{}
	for _, f := range c.p.Funcs {
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.OpMakeIface {
				is[in.T] = true
			}
		}
	}
	for _, t := range c.p.Types {
		if t == nil || !t.Dynamic && !is[t] {
			continue
		}
		p.visit(t)
		if t.Class == ir.PointerClass {
			p.visit(t.Elem)
			p.words(t.Elem)
		}
	}
	c.contents = &contents{lock: p.lock, calls: hiddenCall(c.p)}
	for w := range p.classes {
		c.contents.classes = append(c.contents.classes, w)
	}
	return c.contents
}

// printer collects what formatting may read.
type printer struct {
	t       *types
	classes map[class]bool
	seen    map[int]bool
	lock    string
}

// words notes those of a value.
func (p *printer) words(of *ir.Type) {
	for _, w := range p.t.words(of, hint{}) {
		p.classes[w] = true
	}
}

// visit notes the words to which the parts of a value lead, but for pointers, which are printed as such.
func (p *printer) visit(of *ir.Type) {
	if p.seen[of.ID] {
		return
	}
	p.seen[of.ID] = true
	if p.t.hasLock(of) {
		p.lock = of.Name
	}
	switch of.Class {
	case ir.Array:
		p.visit(of.Elem)
	case ir.Slice:
		p.words(of.Elem)
		if isLeaf(of.Elem) {
			p.classes[class{elem, p.t.group[of.Elem.ID], 0}] = true
		}
		p.visit(of.Elem)
	case ir.Map:
		p.classes[class{entries, p.t.group[of.ID], 0}] = true
		p.visit(of.Key)
		p.visit(of.Elem)
	case ir.Struct:
		for i := range of.Fields {
			p.visit(of.Fields[i].Type)
		}
	}
}
