// SPDX-License-Identifier: BSD-3-Clause

// Package recognise finds the collections of a Go package.
//
// It takes a type-checked package (go/types) and what the user wants otherwise
// (collection.Overrides), and gives for each collection its constructor, its
// operations, its kind, its protocol and which oracle judges it.
//
// Only names and signatures are looked at, never function bodies, of which
// others may say what they show (collection.Clues). What they do
// not tell is either assumed, and then Reason says so, or left to the oracle
// "self", the same code run sequentially: a wrong oracle is worse than none.
// The package does not load or run anything, and does not know oracles written
// by the user: it passes their names on.
package recognise

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// Find lists the collections of a package, sorted by name. It reports what the
// user asks for and is not there or does not fit, and packages without any
// collection.
func Find(pkg *types.Package, o collection.Overrides) ([]*collection.Collection, error) {
	found, rejected, err := Survey(pkg, o)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return found, nil
	}
	if len(rejected) == 0 {
		return nil, fmt.Errorf("package %s has no collection: no exported type with operations that goroutines seem to share (Request.Type names another)", pkg.Path())
	}
	var errs []error
	for _, r := range rejected {
		errs = append(errs, fmt.Errorf("%s.%s: %s", pkg.Name(), r.Type, r.Why))
	}
	return nil, errors.Join(errs...)
}

// Survey is Find that also lists the types that it had to pass over. It fails only if
// what the user asks for is not there or does not fit.
func Survey(pkg *types.Package, o collection.Overrides) (found []*collection.Collection, rejected []collection.Rejected, err error) {
	if err := validate(&o, pkg); err != nil {
		return nil, nil, err
	}
	if o.Type != "" || o.New != "" {
		c, err := single(pkg, o)
		if err != nil {
			return nil, nil, err
		}
		return []*collection.Collection{c}, nil, nil
	}
	handed := handedOut(pkg)
	list, named := exportedTypes(pkg)
	for _, tn := range list {
		c, err := build(pkg, tn, o)
		switch {
		case err == nil && plausible(c) && !(c.Kind == collection.Object && handed[tn]):
			found = append(found, c.Collection)
			rejected = append(rejected, otherInstances(c, named[tn])...)
		case err == nil && !handed[tn] && synchronised(c) != "":
			rejected = append(rejected, collection.Rejected{Type: tn.Name(), Why: fmt.Sprintf("it looks like a value, and not like what goroutines share, but %s (Request.Type names it)", synchronised(c))})
		case err != nil && !errors.Is(err, errNoOperations) && hasMethods(tn):
			rejected = append(rejected, collection.Rejected{Type: tn.Name(), Why: err.Error(), Asked: !errors.Is(err, ErrNotTaken)})
		}
	}
	return found, rejected, nil
}

// ErrNotTaken is wrapped by errors about types that are what was asked for, but that cannot be verified as they are: they have no
// operations that can be called, or nobody can make up how they are made. Other errors are about what was asked.
var ErrNotTaken = errors.New("it cannot be taken")

// notTaken is an error that wraps ErrNotTaken and says no more than its own text.
type notTaken struct{ error }

func (e notTaken) Is(other error) bool { return other == ErrNotTaken }
func (e notTaken) Unwrap() error       { return e.error }

// errNoOperations is wrapped by errors about types without operations.
var errNoOperations error = notTaken{errors.New("no operations")}

// errUncallable is errNoOperations of a type that goroutines share: it has exported methods, and nobody can make up what they take.
var errUncallable error = notTaken{errors.New("no operations that can be called")}

// validate checks what can be checked without a type.
func validate(o *collection.Overrides, pkg *types.Package) error {
	if o.Kind == "auto" {
		o.Kind = ""
	}
	specified := knownKinds()
	if known := append(slices.Clone(specified), collection.Object, collection.Lock); o.Kind != "" && !slices.Contains(known, o.Kind) {
		return fmt.Errorf("unknown kind %q: there are %s", o.Kind, listKinds(known))
	}
	if name, ok := o.Oracle.Type(); ok && !strings.Contains(name, ".") && typeNamed(pkg, name) == nil {
		return fmt.Errorf("unknown oracle %q: there are auto, self, %s, and Go types (PKG.Type)", name, listKinds(specified))
	}
	for i, op := range o.Ops {
		if slices.Contains(o.Ops[:i], op) {
			return fmt.Errorf("operation %s is given twice", op)
		}
	}
	return nil
}

func listKinds(kinds []oracle.Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return enumerate(names)
}

func typeNamed(pkg *types.Package, name string) *types.TypeName {
	tn, _ := pkg.Scope().Lookup(name).(*types.TypeName)
	return tn
}

// exportedTypes are the types that a package offers: exported ones, unexported ones
// that an exported constructor gives or that have an exported alias, and interfaces that
// a constructor gives if it is not known which type holds them. The aliases of a type are listed with it.
func exportedTypes(pkg *types.Package) (out []*types.TypeName, aliases map[*types.TypeName][]*types.TypeName) {
	aliases = aliasesIn(pkg)
	var interfaces []*types.TypeName
	var used []*types.Func
	for _, name := range pkg.Scope().Names() {
		tn := typeNamed(pkg, name)
		if tn == nil || tn.IsAlias() {
			continue
		}
		if types.IsInterface(tn.Type()) {
			interfaces = append(interfaces, tn)
			continue
		}
		makers := append(constructors(pkg, tn), givers(pkg, tn)...)
		used = append(used, makers...)
		if tn.Exported() || len(aliases[tn]) > 0 || slices.ContainsFunc(makers, (*types.Func).Exported) {
			out = append(out, tn)
		}
	}
	for _, tn := range interfaces {
		unknown := func(fn *types.Func) bool { return fn.Exported() && !slices.Contains(used, fn) }
		if slices.ContainsFunc(append(constructors(pkg, tn), givers(pkg, tn)...), unknown) {
			out = append(out, tn)
		}
	}
	slices.SortFunc(out, func(a, b *types.TypeName) int { return strings.Compare(a.Name(), b.Name()) })
	return out, aliases
}

// handedOut are the types without a constructor that another type's methods return:
// iterators, elements, handles.
func handedOut(pkg *types.Package) map[*types.TypeName]bool {
	out := map[*types.TypeName]bool{}
	for _, name := range pkg.Scope().Names() {
		other := typeNamed(pkg, name)
		if other == nil || other.IsAlias() {
			continue
		}
		for m := range other.Type().(*types.Named).Methods() {
			for v := range m.Signature().Results().Variables() {
				n := namedOf(v.Type())
				if n != nil && n.Obj() != other && n.Obj().Pkg() == pkg && len(constructors(pkg, n.Obj())) == 0 {
					out[n.Obj()] = true
				}
			}
		}
	}
	return out
}

func hasMethods(tn *types.TypeName) bool {
	return types.NewMethodSet(types.NewPointer(tn.Type())).Len() > 0
}

// plausible keeps objects out of a package's list that are rather values than
// collections: errors, plain structs, and types of which no method seems to
// change anything.
func plausible(c *candidate) bool {
	if c.Kind != collection.Object || shared(c.Subject.Type, 0) {
		return true
	}
	if types.Implements(c.Subject.Receiver(), types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		return false
	}
	if hasMaker(c) && leadsToShared(c.Subject.Type, c.Subject.Name.Pkg(), 0) {
		return true
	}
	if s, ok := c.Subject.Type.Underlying().(*types.Struct); ok && strings.HasPrefix(c.New, "new(") {
		for f := range s.Fields() {
			if f.Exported() && !f.Embedded() {
				return false
			}
		}
	}
	if c.clues != nil && c.clues.Synchronised[c.Type] != "" {
		return true
	}
	for i, m := range c.methods {
		if m.fn == nil { // an operation on what a method gives: a channel, a function, an iterator
			if m.receives() {
				return true
			}
			continue
		}
		_, pointer := m.fn.Signature().Recv().Type().(*types.Pointer)
		if o := &c.Operations[i]; pointer && (len(o.Params) > 0 || len(o.Results) == 0 || m.watched) {
			return true
		}
	}
	return false
}

// shared tells types that hold something made for several goroutines: a channel, or
// a type of sync or sync/atomic.
func shared(t types.Type, depth int) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		if path := n.Obj().Pkg().Path(); path == "sync" || path == "sync/atomic" {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Array:
		return depth < maxDepth && shared(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if depth < maxDepth && shared(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// leadsToShared tells types with an unexported field, or an element, that leads by pointers, slices and maps to something of sync, or to a type of their own
// package that holds such a thing: copies of a Stats{s *state} share what has the lock, and its methods may have values for receivers.
func leadsToShared(t types.Type, pkg *types.Package, depth int) bool {
	if depth > maxDepth {
		return false
	}
	var to types.Type
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if (!f.Exported() || f.Embedded()) && leadsToShared(f.Type(), pkg, depth+1) {
				return true
			}
		}
		return false
	case *types.Pointer:
		to = u.Elem()
	case *types.Slice:
		to = u.Elem()
	case *types.Array:
		to = u.Elem()
	case *types.Map:
		to = u.Elem()
	default:
		return false
	}
	if n, ok := types.Unalias(to).(*types.Named); ok && (n.Obj().Pkg() == nil || n.Obj().Pkg() != pkg && !strings.HasPrefix(n.Obj().Pkg().Path()+"/", "sync/")) {
		return false
	}
	return shared(to, 0) || leadsToShared(to, pkg, depth+1)
}

// synchronised says what a type has that several goroutines call for though it is not plausible; "" if nothing is known.
func synchronised(c *candidate) string {
	switch {
	case c.clues == nil:
		return ""
	case c.clues.Synchronised[c.Type] != "":
		return c.clues.Synchronised[c.Type]
	case hasMaker(c) && leadsToShared(c.Subject.Type, c.Subject.Name.Pkg(), 0) && !isConfiguration(c):
		return "it leads to something of sync"
	case isConfiguration(c):
		return ""
	}
	return c.clues.Made[c.Type]
}

// hasMaker reports whether a function of the package makes the type.
func hasMaker(c *candidate) bool {
	return !strings.HasPrefix(c.New, "new(") && !strings.HasPrefix(c.New, "&")
}

// isConfiguration reports whether a type is a struct with exported fields, which users fill in.
func isConfiguration(c *candidate) bool {
	s, ok := c.Subject.Type.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Exported() && !f.Embedded() {
			return true
		}
	}
	return false
}

// single builds the one collection that -type or -new name.
func single(pkg *types.Package, o collection.Overrides) (*collection.Collection, error) {
	if o.Type == "" {
		m, err := given(pkg, o.New)
		if err != nil {
			return nil, err
		}
		named := namedOf(m.typ)
		if named == nil {
			return nil, fmt.Errorf("Request.New: %s gives a %s, which has no methods", o.New, typeString(m.typ, pkg))
		}
		c, err := build(pkg, named.Origin().Obj(), o)
		if err != nil {
			return nil, err
		}
		return c.Collection, nil
	}
	name := o.Type
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	tn := typeNamed(pkg, name)
	if tn == nil {
		return nil, fmt.Errorf("package %s has no type %s%s", pkg.Path(), name, suggest(pkg, name))
	}
	if named, ok := types.Unalias(tn.Type()).(*types.Named); ok && tn.IsAlias() {
		var err error
		if o.Type, err = aliased(pkg, tn, named, o.Type); err != nil {
			return nil, err
		}
		tn = named.Origin().Obj()
	}
	if _, ok := tn.Type().(*types.Named); !ok {
		return nil, fmt.Errorf("type %s has no methods", name)
	}
	c, err := build(pkg, tn, o)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", pkg.Name(), name, err)
	}
	return c.Collection, nil
}

// suggest names a type that differs in case only, or lists the exported ones.
func suggest(pkg *types.Package, name string) string {
	var names []string
	for _, n := range pkg.Scope().Names() {
		tn := typeNamed(pkg, n)
		if tn == nil {
			continue
		}
		if strings.EqualFold(n, name) {
			return " (did you mean " + n + "?)"
		}
		if tn.Exported() {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (it has " + enumerate(names) + ")"
}

// makerOf finds how a type is made: as the user says, by its best constructor that
// can be called, or as a zero value if there is no constructor.
func makerOf(pkg *types.Package, tn *types.TypeName, o collection.Overrides, s settings) (maker, error) {
	m, err := makerWithout(pkg, tn, o, s)
	if err == nil && o.Prefix != "" {
		return m.prefixed(pkg, o.Prefix)
	}
	return m, err
}

// makerWithout is makerOf without a prefix.
func makerWithout(pkg *types.Package, tn *types.TypeName, o collection.Overrides, s settings) (maker, error) {
	if o.New != "" && !mentionsMadeUp(o.New) {
		return given(pkg, o.New)
	}
	var want *types.Named
	if strings.Contains(o.Type, "[") {
		e, err := evaluate(pkg, "new("+o.Type+")")
		if err != nil {
			return maker{}, fmt.Errorf("Request.Type: %w", err)
		}
		want = namedOf(e.value.Type)
	}
	var first error
	w := &wanted{pkg, tn, want, s, o.Clues}
	list := constructors(pkg, tn)
	for _, fn := range shownToReturn(pkg, tn, o.Clues) {
		if !slices.Contains(list, fn) {
			list = append(list, fn)
		}
	}
	if o.New != "" {
		return again(w, list, o.New)
	}
	for _, fn := range list {
		m, err := construct(pkg, fn, want, s)
		if err == nil {
			m.others = w.ways(fn, list, m.expr)
			m.otherwise(w, fn, list)
			m.refusing(w, fn)
			return m, nil
		}
		if first == nil {
			first = err
		}
	}
	for _, fn := range list {
		if all := w.ways(fn, nil, ""); len(all) > 0 {
			if m, err := given(pkg, all[0].New); err == nil {
				m.others, m.shown = all[1:], fmt.Sprintf("it is made by %s, %s", all[0].New, all[0].Why)
				return m, nil
			}
		}
	}
	others := givers(pkg, tn)
	if m, found := byGiver(pkg, others, want, s); found {
		return m, nil
	}
	if m, found := w.byOwner(); found {
		return m, nil
	}
	if m, found := w.withinAnother(); found {
		return m, nil
	}
	for _, fn := range list {
		if m, err := w.withMadeUp(fn, false); err == nil {
			m.refusing(w, fn)
			return m, nil
		}
	}
	if first != nil {
		return maker{}, notTaken{fmt.Errorf("%w: give Request.New an expression", first)}
	}
	if types.IsInterface(tn.Type()) {
		return maker{}, notTaken{errors.New("no constructor returns it: give Request.New an expression")}
	}
	m, err := zero(pkg, tn)
	if want != nil {
		m, err = maker{expr: zeroExpr(o.Type, want), typ: types.NewPointer(want)}, nil
	}
	m.guess = unmade(tn, others, want, s)
	return m, err
}

// subjectOf checks that a maker gives the wanted type.
func subjectOf(pkg *types.Package, tn *types.TypeName, m *maker) (collection.Subject, error) {
	if named := namedOf(m.typ); named != nil && named.Origin().Obj() == tn {
		return collection.Subject{Name: tn, Type: named}, nil
	}
	named := tn.Type().(*types.Named)
	iface, ok := m.typ.Underlying().(*types.Interface)
	if ok && named.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), iface) {
		m.assert = true
		return collection.Subject{Name: tn, Type: named}, nil
	}
	if ok && named.TypeParams().Len() > 0 {
		args := namedOf(m.typ)
		if args == nil || args.TypeArgs().Len() != named.TypeParams().Len() {
			return collection.Subject{}, fmt.Errorf("%s gives an interface, which does not tell the type arguments of %s", m.expr, tn.Name())
		}
		t, err := types.Instantiate(nil, named, slices.Collect(args.TypeArgs().Types()), true)
		if err == nil && types.Implements(types.NewPointer(t), iface) {
			m.assert = true
			return collection.Subject{Name: tn, Type: t}, nil
		}
	}
	return collection.Subject{}, fmt.Errorf("%s gives a %s, not a %s", m.expr, typeString(m.typ, pkg), tn.Name())
}
