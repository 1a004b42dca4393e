// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/collection"
)

// A method may take an interface with methods that no type of the package has: Subscribe(o Observer). Then a stand-in is made, a type of the
// harness with these methods:
//
//	type pangolin_Observer int
//	func (s pangolin_Observer) Notify(event string) { ... }
//
// A stand-in is a number, so that two of them are equal if and only if they are the same one, and each may be a map's key. What its methods give depends on
// the number and on what they are given, as with generated functions; they hold no state. What they are called with is observed, see standin.go of package harness.

// standIn is the codec of an interface without a type of the package that has its methods.
func (k *coder) standIn(t types.Type, u *types.Interface) (*collection.Codec, refusal) {
	named := k.stood(t, u)
	if named == nil {
		return nil, ""
	}
	key := types.TypeString(t, nil)
	if c, ok := k.standIns[key]; ok {
		if c == nil {
			return nil, refusal(fmt.Sprintf("an interface (%s) that its own methods give or take", k.show(t)))
		}
		return c, ""
	}
	k.standIns[key] = nil // as long as its methods are looked at
	s := &collection.Codec{Shape: collection.AsInt}
	var methods []*types.Func
	for m := range u.Methods() {
		c, why := k.function(m.Type(), m.Signature(), nil)
		if c == nil {
			return nil, refusal(fmt.Sprintf("an interface (%s) whose method %s is %s", k.show(t), m.Name(), why))
		}
		if c.Made = compares(m, t); c.Made == "" && k.made != "" {
			c.Made = k.transfers(m)
		}
		s.Parts = append(s.Parts, collection.Part{Name: m.Name(), Codec: c})
		methods = append(methods, m)
	}
	s.Type = k.standInType(named, methods)
	c := &collection.Codec{Type: t, Shape: collection.AsDynamic, Elem: s, Parts: k.alternatives(u, nil, 0)}
	k.standIns[key] = c
	return c, ""
}

// oneOfMany says that a parameter is an interface, of which there are more implementations than the one type that it is given: another one of the package, or users'.
func (k *coder) oneOfMany(c *collection.Codec) bool {
	if c.Shape != collection.AsDynamic || c.HasStandIn() {
		return false
	}
	u, ok := c.Type.Underlying().(*types.Interface)
	if !ok || u.NumMethods() == 0 {
		return false
	}
	for m := range u.Methods() {
		if !m.Exported() {
			return len(c.Parts) > 0
		}
	}
	return true
}

// ofChannel says that an operation receives from a channel that a thread keeps, or sends to one.
func (d *draft) ofChannel(m *method) bool {
	if m.use == nil {
		return false
	}
	_, is := d.coder.handles[m.use.Slot].Underlying().(*types.Chan)
	return is && m.use.Method == ""
}

// stood is the named interface that a stand-in can be made for, nil if it is none: one of the package, or of a package that is not the standard library's, or one
// of the few of the latter that ask for nothing but one call. One with a method that is not exported is none, for no user can have a type for it (an option), nor is what is
// waited for, or locks, for a stand-in does neither.
func (k *coder) stood(t types.Type, u *types.Interface) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !u.IsMethodSet() || u.NumMethods() == 0 || k.unnameable(t) != "" || k.declared(t) != nil {
		return nil
	}
	if standard(named.Obj().Pkg(), k.pkg) && types.TypeString(t, nil) != "fmt.Stringer" && !(k.made != "" && slices.Contains(plain, types.TypeString(t, nil))) {
		return nil
	}
	names := map[string]bool{}
	for m := range u.Methods() {
		if !m.Exported() || waiting.MatchString(m.Name()) {
			return nil
		}
		if k.made != "" && callsBack(m.Signature()) {
			return nil
		}
		names[fold(m.Name())] = true
	}
	if k.made != "" && slices.ContainsFunc(brackets, func(pair [2]string) bool { return names[pair[0]] && names[pair[1]] }) {
		return nil
	}
	return named
}

// compares is what a method does that is given another one of its interface, by its name and result: Less(Item) bool, Equal(Item) bool, Compare(Item) int; ""
// if it is none of these.
func compares(m *types.Func, t types.Type) string {
	sig := m.Signature()
	if sig.Params().Len() != 1 || sig.Results().Len() != 1 || sig.Variadic() || !types.Identical(sig.Params().At(0).Type(), t) {
		return ""
	}
	r, name := sig.Results().At(0).Type(), fold(m.Name())
	switch {
	case types.Identical(r, types.Typ[types.Bool]) && (strings.Contains(name, "less") || strings.Contains(name, "before")):
		return collection.Less
	case types.Identical(r, types.Typ[types.Bool]) && (strings.Contains(name, "eq") || strings.Contains(name, "same")):
		return collection.Equal
	case types.Identical(r, types.Typ[types.Int]) && (strings.Contains(name, "comp") || strings.Contains(name, "cmp")):
		return collection.Compare
	}
	return ""
}

// callsBack says that a method is given a function, of which nobody knows when it is called, if it ever is.
func callsBack(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if _, is := v.Type().Underlying().(*types.Signature); is {
			return true
		}
	}
	return false
}

// transfers is what a method does that says how much it has written or read, by its name and type: Write([]byte) (int, error). "" if it is none of these.
func (k *coder) transfers(m *types.Func) string {
	sig := m.Signature()
	if sig.Params().Len() != 1 || sig.Results().Len() != 2 || sig.Variadic() || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) || !isError(sig.Results().At(1).Type()) {
		return ""
	}
	switch t := types.TypeString(sig.Params().At(0).Type(), nil); {
	case t == "[]byte" && m.Name() == "Write" || t == "string" && m.Name() == "WriteString":
		return collection.Written
	case t == "[]byte" && m.Name() == "Read" && slices.ContainsFunc(k.pkg.Imports(), func(p *types.Package) bool { return p.Path() == "io" }):
		return collection.Ended
	}
	return ""
}

// waiting tells methods that wait or let others wait, by their names.
var waiting = regexp.MustCompile(`(?i)^(try)?r?(un)?lock|^wait|^acquire|^release|^signal|^broadcast`)

// brackets are the names of methods between whose calls no other thread may be, and a constructor's argument may be what the type relies on for that.
var brackets = [][2]string{{"enter", "leave"}, {"enter", "exit"}, {"begin", "end"}, {"down", "up"}, {"take", "give"}, {"p", "v"}}

// standard says that a package is one of the standard library: the first element of its path has no dot, and is not that of the verified package.
func standard(p, verified *types.Package) bool {
	first, _, _ := strings.Cut(p.Path(), "/")
	own, _, _ := strings.Cut(verified.Path(), "/")
	return !strings.Contains(first, ".") && first != own
}

// standInType is the type of the stand-ins for an interface: pangolin_Observer. No other type of the package, and no stand-in for another interface, has its name.
func (k *coder) standInType(named *types.Named, methods []*types.Func) *types.Named {
	name := collection.StandInPrefix + k.made + named.Obj().Name()
	taken := func(name string) bool {
		if k.pkg.Scope().Lookup(name) != nil {
			return true
		}
		for _, c := range k.standIns {
			if c != nil && c.Elem.Type.(*types.Named).Obj().Name() == name {
				return true
			}
		}
		return false
	}
	for taken(name) {
		name += "_"
	}
	t := types.NewNamed(types.NewTypeName(token.NoPos, k.pkg, name, nil), types.Typ[types.Int], nil)
	for _, m := range methods {
		recv := types.NewVar(token.NoPos, k.pkg, "s", t)
		sig := types.NewSignatureType(recv, nil, nil, m.Signature().Params(), m.Signature().Results(), m.Signature().Variadic())
		t.AddMethod(types.NewFunc(token.NoPos, k.pkg, m.Name(), sig)) // m may be of another package
	}
	return t
}

// standInsOf says of which interfaces operations are given stand-ins, and what these do.
func (d *draft) standInsOf() (out []string) {
	by := map[string][]string{} // names of operations, by interface
	observed := map[string]bool{}
	for _, m := range d.selected {
		for _, c := range m.params {
			for _, s := range c.StandIns() {
				name := collection.StandInName(s.Type)
				if !slices.Contains(by[name], m.name) {
					by[name] = append(by[name], m.name)
				}
				observed[name] = observed[name] || s.HasTelling()
			}
		}
	}
	unobserved := slices.ContainsFunc(d.selected, func(m *method) bool { return !m.observed })
	for _, name := range slices.Sorted(maps.Keys(by)) {
		text := fmt.Sprintf("implementations of %s are made up for %s: two of them differ, and their methods return at once", name, strings.Join(by[name], ", "))
		switch {
		case observed[name] && !unobserved:
			text += "; with what its own goroutine calls them is a result of each call"
		case observed[name] && d.rec.kind == collection.Object:
			text += "; with what they are called is not compared of every operation"
		}
		out = append(out, text)
	}
	return out
}

// observe makes what stand-ins are called with a result of each operation, if operations are given stand-ins, and the code itself judges all of them.
func (d *draft) observe() {
	if d.rec.kind != collection.Object || d.userOracle() || d.o.Untold {
		return
	}
	if !slices.ContainsFunc(d.selected, func(m *method) bool { return slices.ContainsFunc(m.params, (*collection.Codec).HasTelling) }) {
		return
	}
	for _, m := range d.selected {
		m.observed = !m.watched && !d.ofChannel(m) && (m.noted || m.slots() < history.MaxArity)
	}
}
