// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// candidate is a collection on its way: what will be told of it, and what it is
// told from.
type candidate struct {
	*collection.Collection
	maker   maker
	methods []*method // of the operations, in their order; none of a lock
	clues   *collection.Clues
}

// build examines one type.
func build(pkg *types.Package, tn *types.TypeName, o collection.Overrides) (*candidate, error) {
	s := newSettings(o)
	s.cell = o.Kind == oracle.Counter || o.Kind == oracle.Register || o.Kind == "" && resemblesCell(tn)
	m, err := makerOf(pkg, tn, o, s)
	if err != nil {
		return nil, err
	}
	sub, err := subjectOf(pkg, tn, &m)
	if err != nil {
		return nil, err
	}
	c := &candidate{maker: m, clues: o.Clues, Collection: &collection.Collection{
		Package:  pkg.Path(),
		Type:     tn.Name(),
		Instance: typeString(sub.Type, pkg),
		Display:  types.TypeString(sub.Type, func(p *types.Package) string { return p.Name() }),
		Subject:  sub,
	}}
	usable, skipped, k := methodsOf(pkg, &sub, &o)
	if usable, skipped, err = c.takeInvariants(o.Invariants, k, usable, skipped); err != nil {
		return nil, err
	}
	c.Skipped = skipped
	for _, s := range skipped {
		if s.Why == conventionally && slices.Contains(shows, s.Name) {
			c.More = append(c.More, s.Name)
		}
	}
	l := &lockDraft{pkg: pkg, c: c, o: o}
	if done, err := l.build(usable); done || err != nil {
		return c, err
	}
	d := &draft{pkg: pkg, c: c, o: o, usable: usable, settings: s, coder: k}
	if err := d.complete(); err != nil {
		return nil, err
	}
	c.methods = d.selected
	if o.Clock == collection.YearsPass {
		c.Operations = append(c.Operations, collection.Operation{Name: collection.YearPasses, Op: oracle.Op{Name: collection.YearPasses}, Call: collection.Call{Clock: true}})
	}
	return c, nil
}

// resemblesCell tells types that hold one value by the names of their methods, for
// the sake of the constructor's arguments.
func resemblesCell(tn *types.TypeName) bool {
	set := types.NewMethodSet(types.NewPointer(tn.Type()))
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return set.Lookup(tn.Pkg(), n) != nil })
	}
	reads := func(n string) bool {
		m := set.Lookup(tn.Pkg(), n)
		return m != nil && m.Obj().(*types.Func).Signature().Params().Len() == 0 // Get(key) looks for one of several
	}
	return slices.ContainsFunc([]string{"Load", "Get", "Value", "Read"}, reads) && has("Store", "Set", "Write", "Inc", "Add", "Dec", "CompareAndSwap") &&
		!has("Delete", "Remove", "Contains", "Put", "Push", "Pop", "Enqueue", "Dequeue", "LoadOrStore")
}

func (c *candidate) skip(name, why string) {
	c.Skipped = append(c.Skipped, collection.Skipped{Name: name, Why: why})
}

// finish tells the constructor that was chosen in the end.
func (c *candidate) finish() {
	c.New = c.maker.expr
	c.Made = collection.Made{Type: c.maker.typ, Fallible: c.maker.besides.fallible, Functions: c.maker.besides.functions, Asserted: c.maker.assert, Guess: c.maker.guess, Others: c.maker.others, Variants: c.maker.variants, Beyond: c.maker.beyond, Unset: c.maker.unset, StandIns: c.maker.standIns, Implemented: c.maker.implements}
	if len(c.maker.standIns) > 0 {
		c.Assumptions = append(c.Assumptions, c.maker.madeUp())
	}
	if c.maker.besides.functions > 0 {
		c.Assumptions = append(c.Assumptions, "what "+c.New+" gives besides, to stop it or to release what it holds, is not called")
	}
	c.skipFunctions()
	c.Assumptions = append(c.Assumptions, c.oneInstance()...)
	slices.SortStableFunc(c.Skipped, func(a, b collection.Skipped) int { return strings.Compare(a.Name, b.Name) })
}

// draft is a collection that is not a lock, on its way.
type draft struct {
	pkg      *types.Package
	c        *candidate
	o        collection.Overrides
	usable   []*method
	settings settings
	coder    *coder
	selected []*method
	rec      recognition
}

// readings are those of operations that count for an oracle: the type's own code judges all results.
func readings(o collection.Overrides) map[string]string {
	if !o.Oracle.IsSelf() {
		return o.Readings
	}
	all := maps.Clone(o.Readings)
	maps.DeleteFunc(all, func(_, reading string) bool { return reading == collection.Elsewise })
	return all
}

func (d *draft) complete() error {
	d.setLocksAside()
	d.hideUnexported()
	d.setWatchedAside()
	if len(d.usable) == 0 {
		return d.nothing()
	}
	for _, m := range d.usable {
		m.seen = slices.Contains(d.o.Waits, m.name)
	}
	r := &reader{methods: narrow(d.usable), own: hintsOf(d.c.Type), pkg: hintsOf(d.pkg.Name()), readings: readings(d.o), order: d.o.Order}
	rec, err := r.recognise(d.o.Kind)
	if err != nil {
		return err
	}
	d.rec = rec
	d.dropExtras()
	if err := d.selectOps(); err != nil {
		return err
	}
	if err := d.readWide(); err != nil {
		return err
	}
	d.c.Kind = rec.kind
	cell := rec.kind == oracle.Counter || rec.kind == oracle.Register || rec.kind == collection.Object && d.settings.cell
	if err := d.refill(cell, false); err != nil {
		return err
	}
	if err := d.judge(r); err != nil {
		return err
	}
	d.c.setFields(d.o, d.settings)
	if names := handlersIn(d.c.maker.expr); len(names) > 0 && d.o.New == "" {
		d.c.Assumptions = append(d.c.Assumptions, collection.NotObserved(names))
	}
	d.c.finish()
	return nil
}

// nothing is the error of a type without operations.
func (d *draft) nothing() error {
	var reasons []string
	why := errNoOperations
	for _, s := range d.c.Skipped {
		if len(reasons) < 3 {
			reasons = append(reasons, s.Name+" "+s.Why)
		}
		if s.Why != conventionally && ast.IsExported(s.Name) && shared(d.c.Subject.Type, 0) {
			why = errUncallable
		}
	}
	if len(reasons) == 0 {
		return fmt.Errorf("%w: it has no methods", errNoOperations)
	}
	return fmt.Errorf("%w: %s", why, strings.Join(reasons, "; "))
}

// refill chooses the constructor's arguments again, now that more is known.
func (d *draft) refill(cell, roomy bool) error {
	s := newSettings(d.o)
	s.cell = cell
	if roomy {
		s.capacity = 8
	}
	if s == d.settings {
		return nil
	}
	d.settings = s
	return d.c.remake(d.pkg, d.o, s)
}

// remake chooses the constructor's arguments anew, unless the user did.
func (c *candidate) remake(pkg *types.Package, o collection.Overrides, s settings) error {
	if o.New != "" {
		return nil
	}
	m, err := makerOf(pkg, c.Subject.Name, o, s)
	if err != nil {
		return err
	}
	if _, err := subjectOf(pkg, c.Subject.Name, &m); err != nil {
		return err
	}
	c.maker = m
	return nil
}
