package collection

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/oracle"
)

// call is what an operation's harness function does.
type call struct {
	method  *method
	section *critical // a lock's; then there is no method
}

// build examines one type.
func build(pkg *types.Package, tn *types.TypeName, o Overrides) (*Collection, error) {
	s := settings{capacity: 2, cell: o.Kind == oracle.Counter || o.Kind == oracle.Register}
	m, err := makerOf(pkg, tn, o, s)
	if err != nil {
		return nil, err
	}
	sub, err := subjectOf(pkg, tn, &m)
	if err != nil {
		return nil, err
	}
	c := &Collection{
		Package:  pkg.Path(),
		Type:     tn.Name(),
		Instance: typeString(sub.typ, pkg),
		subject:  sub,
		maker:    m,
	}
	c.Display = types.TypeString(sub.typ, func(p *types.Package) string { return p.Name() })
	usable, skipped := methodsOf(pkg, &sub)
	c.Skipped = skipped
	if done, err := c.buildLock(usable, o); done || err != nil {
		return c, err
	}
	d := &draft{pkg: pkg, c: c, o: o, usable: usable, settings: s}
	if err := d.complete(); err != nil {
		return nil, err
	}
	return c, nil
}

// buildLock makes the collection a lock if it is one or has to be.
func (c *Collection) buildLock(usable []*method, o Overrides) (done bool, err error) {
	found, others := splitLock(usable)
	others = slices.DeleteFunc(others, func(m *method) bool { return isQuery(m) || !m.fn.Exported() })
	switch {
	case o.Kind == Lock && len(found) == 0:
		return false, fmt.Errorf("the kind lock does not fit: there are no methods like Lock() and Unlock()")
	case o.Kind != "" && o.Kind != Lock, len(found) == 0, o.Kind == "" && len(others) > 0:
		return false, nil
	}
	if len(o.Ops) > 0 {
		if found, err = chooseSections(found, o.Ops); err != nil {
			return false, err
		}
	}
	c.New = c.maker.expr
	c.Kind, c.Protocol, c.Oracle = Lock, oracle.Protocol{Kind: oracle.Nonblocking}, string(oracle.Counter)
	if o.Oracle != "" && o.Oracle != AutoOracle && o.Oracle != string(oracle.Counter) {
		return false, fmt.Errorf("the oracle %s does not fit a lock, whose critical sections are judged as a counter", o.Oracle)
	}
	c.Operations, c.Reason = lockOperations(found), sentence(lockReason(found))
	for _, m := range usable {
		if !slices.ContainsFunc(found, func(s critical) bool { return s.enter == m.name || s.leave == m.name }) && m.fn.Exported() {
			c.skip(m.name, "is no part of a critical section")
		}
	}
	c.sortSkipped()
	return true, nil
}

// chooseSections keeps the critical sections whose first half, or whole name, is
// among the operations.
func chooseSections(found []critical, ops []string) ([]critical, error) {
	var out []critical
	for _, op := range ops {
		known := false
		for _, s := range found {
			if op == s.enter || op == s.name() {
				out = append(out, s)
			}
			known = known || op == s.enter || op == s.leave || op == s.name()
		}
		if !known {
			return nil, fmt.Errorf("operation %s is no part of a lock's critical section", op)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("none of the operations takes the lock")
	}
	return out, nil
}

func (c *Collection) skip(name, why string) { c.Skipped = append(c.Skipped, Skipped{name, why}) }

func (c *Collection) sortSkipped() {
	slices.SortStableFunc(c.Skipped, func(a, b Skipped) int { return strings.Compare(a.Name, b.Name) })
}

// draft is a collection that is not a lock, on its way.
type draft struct {
	pkg      *types.Package
	c        *Collection
	o        Overrides
	usable   []*method
	settings settings
	selected []*method
	rec      recognition
}

func (d *draft) complete() error {
	d.setLocksAside()
	d.hideUnexported()
	d.setWatchedAside()
	if len(d.usable) == 0 {
		return d.nothing()
	}
	r := &reader{methods: d.usable, own: hintsOf(d.c.Type), pkg: hintsOf(d.pkg.Name())}
	rec, err := r.recognise(d.o.Kind)
	if err != nil {
		return err
	}
	d.rec = rec
	d.dropExtras()
	if err := d.selectOps(); err != nil {
		return err
	}
	d.c.Kind = rec.kind
	if err := d.refill(rec.kind == oracle.Counter || rec.kind == oracle.Register, false); err != nil {
		return err
	}
	if err := d.judge(r); err != nil {
		return err
	}
	d.c.New = d.c.maker.expr
	d.c.sortSkipped()
	return nil
}

// nothing is the error of a type without operations.
func (d *draft) nothing() error {
	var reasons []string
	for _, s := range d.c.Skipped {
		if len(reasons) < 3 {
			reasons = append(reasons, s.Name+" "+s.Why)
		}
	}
	if len(reasons) == 0 {
		return fmt.Errorf("%w: it has no methods", errNoOperations)
	}
	return fmt.Errorf("%w: %s", errNoOperations, strings.Join(reasons, "; "))
}

// setLocksAside removes the halves of critical sections, unless named.
func (d *draft) setLocksAside() {
	_, others := splitLock(d.usable)
	var kept []*method
	for _, m := range d.usable {
		if slices.Contains(others, m) || slices.Contains(d.o.Ops, m.name) {
			kept = append(kept, m)
		} else {
			d.c.skip(m.name, "is half of a critical section (-kind lock verifies the lock)")
		}
	}
	d.usable = kept
}

// hideUnexported keeps unexported methods only where the user names them or an
// unexported type has no others.
func (d *draft) hideUnexported() {
	exported := slices.ContainsFunc(d.usable, func(m *method) bool { return m.fn.Exported() })
	keep := !exported && !d.c.subject.name.Exported()
	visible := func(name string) bool {
		return keep || types.NewVar(0, nil, name, nil).Exported() || slices.Contains(d.o.Ops, name)
	}
	d.usable = slices.DeleteFunc(d.usable, func(m *method) bool { return !visible(m.name) })
	d.c.Skipped = slices.DeleteFunc(d.c.Skipped, func(s Skipped) bool { return !visible(s.Name) })
}

// setWatchedAside removes operations that take a function unless there are no
// others, as of a sync.Once, or they are named: what counts of them is only how
// often they call it.
func (d *draft) setWatchedAside() {
	if !slices.ContainsFunc(d.usable, func(m *method) bool { return !m.watched }) {
		return
	}
	d.usable = slices.DeleteFunc(d.usable, func(m *method) bool {
		aside := m.watched && !slices.Contains(d.o.Ops, m.name)
		if aside {
			d.c.skip(m.name, "takes a function (-ops may name it, to count the calls)")
		}
		return aside
	})
}

// dropExtras removes bindings of which the kind can do without and nothing
// certain is known.
func (d *draft) dropExtras() {
	core := func(b *binding) bool { return b.misfit == "" || !b.extra() || slices.Contains(d.o.Ops, b.m.name) }
	d.rec.bindings = slices.DeleteFunc(d.rec.bindings, func(b *binding) bool {
		if core(b) {
			return false
		}
		d.c.skip(b.m.name, strings.TrimPrefix(b.misfit, b.m.name+" "))
		d.usable = slices.DeleteFunc(d.usable, func(m *method) bool { return m == b.m })
		return true
	})
}

// selectOps chooses the operations: those that the user names, or all those that
// the kind knows; of kinds without a meaning for each, all.
func (d *draft) selectOps() error {
	if len(d.o.Ops) > 0 {
		for _, name := range d.o.Ops {
			m, err := d.method(name)
			if err != nil {
				return err
			}
			d.selected = append(d.selected, m)
		}
		for _, m := range d.usable {
			if !slices.Contains(d.selected, m) {
				d.c.skip(m.name, "is not among the operations asked for")
			}
		}
		return nil
	}
	for _, b := range d.rec.bindings {
		d.selected = append(d.selected, b.m)
	}
	whole := slices.Contains([]oracle.Kind{Object, oracle.Counter, oracle.Register}, d.rec.kind)
	for _, m := range d.usable {
		switch {
		case slices.Contains(d.selected, m):
		case whole:
			d.selected = append(d.selected, m)
		default:
			d.c.skip(m.name, fmt.Sprintf("is no operation of a %s (-ops may name it)", d.rec.kind))
		}
	}
	return nil
}

// method finds an operation that the user names.
func (d *draft) method(name string) (*method, error) {
	var names []string
	for _, m := range d.usable {
		if m.name == name {
			return m, nil
		}
		names = append(names, m.name)
	}
	for _, s := range d.c.Skipped {
		if s.Name == name {
			return nil, fmt.Errorf("%s cannot be an operation: it %s", name, s.Why)
		}
	}
	return nil, fmt.Errorf("there is no operation %s (there are %s)", name, enumerate(names))
}

// refill chooses the constructor's arguments again, now that more is known.
func (d *draft) refill(cell, roomy bool) error {
	s := settings{capacity: 2, cell: cell}
	if roomy {
		s.capacity = 8
	}
	if d.o.New != "" || s == d.settings {
		return nil
	}
	m, err := makerOf(d.pkg, d.c.subject.name, d.o, s)
	if err != nil {
		return err
	}
	if _, err := subjectOf(d.pkg, d.c.subject.name, &m); err != nil {
		return err
	}
	d.c.maker, d.settings = m, s
	return nil
}

// bound is the binding of a selected method, if it has one.
func (d *draft) bound(m *method) *binding {
	for _, b := range d.rec.bindings {
		if b.m == m {
			return b
		}
	}
	return nil
}

// judge decides on protocol and oracle and makes the operations.
func (d *draft) judge(r *reader) error {
	all := d.rec.bindings
	d.rec.bindings = slices.DeleteFunc(slices.Clone(all), func(b *binding) bool { return !slices.Contains(d.selected, b.m) })
	j := judge(d.rec, d.c.maker, r.own, d.o)
	if j.roomy {
		if err := d.refill(d.settings.cell, true); err != nil {
			return err
		}
	}
	for _, m := range d.selected {
		if d.bound(m) == nil && j.self == "" {
			j.self = fmt.Sprintf("nothing is known of %s", m.name)
		}
	}
	if j.self == "" {
		j.self = d.represent()
	}
	d.c.Protocol = j.protocol
	for _, m := range d.selected {
		d.c.Operations = append(d.c.Operations, d.operation(m))
	}
	return d.settle(j)
}

// represent makes the values of a register start at 0, as its oracle does, and
// says why that cannot be done.
func (d *draft) represent() string {
	if d.rec.kind != oracle.Register {
		return ""
	}
	for _, b := range d.rec.bindings {
		for _, c := range slices.Concat(b.m.params, b.m.results) {
			if !c.nilable() {
				continue
			}
			if c.shape != asPointer {
				return "its first value is nil, which is no item"
			}
			c.zeroIsNil = true
		}
	}
	return ""
}

// operation describes one method.
func (d *draft) operation(m *method) Operation {
	b := d.bound(m)
	o := Operation{Name: m.name, Op: oracle.Op{Name: m.name}, call: call{method: m}}
	if b != nil {
		o.Op.Role, o.Op.Params, o.Op.Results = b.role, b.params, b.slots
		o.Effect = client.OpOf(o.Op).Effect
	}
	for i := range m.args {
		meaning := oracle.ParamKey
		if b != nil {
			meaning = b.params[i]
		} else {
			o.Op.Params = append(o.Op.Params, meaning)
		}
		c := m.params[m.args[i]]
		c.fresh = buffers(d.rec.kind)
		o.Params = append(o.Params, Param{Name: m.arg(i).Name(), Type: typeString(m.arg(i).Type(), d.pkg),
			Meaning: meaning, Values: c.values(), codec: c})
	}
	for i, c := range m.results {
		r := Result{Name: m.result(i).Name(), Type: typeString(m.result(i).Type(), d.pkg), codec: c}
		if b != nil && i < len(b.slots) {
			r.Slot = b.slots[i]
		}
		r.form = formOf(c, r.Slot)
		o.Results = append(o.Results, r)
	}
	if m.watched {
		o.Results = append(o.Results, Result{Name: "calls", Type: "int", form: formValue})
	}
	if m.waits && o.Op.Role != "" && d.c.Protocol.Kind != oracle.Nonblocking {
		o.Op.Refusal = oracle.RefuseBlock
	}
	return o
}

// settle chooses the oracle and writes the reason.
func (d *draft) settle(j judgement) error {
	c := d.c
	notes := []string{d.rec.why}
	fits := j.self
	if fits == "" {
		if _, err := oracle.New(d.rec.kind, j.protocol, c.Ops()); err != nil {
			fits = err.Error()
		}
	}
	switch name := d.o.Oracle; {
	case name == SelfOracle:
		c.Oracle = SelfOracle
	case name == "" || name == AutoOracle:
		c.Oracle = string(d.rec.kind)
		if fits != "" {
			c.Oracle = SelfOracle
			notes = append(notes, "judged by the same code run sequentially"+because(d.rec.kind, fits))
		}
	case isSpecified(oracle.Kind(name)):
		if _, err := oracle.New(oracle.Kind(name), j.protocol, c.Ops()); err != nil {
			return fmt.Errorf("the oracle %s does not fit: %w", name, err)
		}
		if why := d.misfit(); why != "" {
			return fmt.Errorf("the oracle %s does not fit: %s", name, why)
		}
		c.Oracle = name
	default:
		c.Oracle = name
	}
	if i := slices.IndexFunc(d.selected, func(m *method) bool { return m.watched }); i >= 0 {
		notes = append(notes, fmt.Sprintf("%s is given a function that increments a plain counter, and the counter is a result", d.selected[i].name))
	}
	if d.o.New == "" && len(c.maker.notes) > 0 {
		notes = append(notes, "constructor: "+strings.Join(c.maker.notes, ", "))
	}
	for _, b := range d.rec.bindings {
		if b.note != "" && c.Oracle != SelfOracle && !slices.Contains(notes, b.note) {
			notes = append(notes, b.note)
		}
	}
	c.Reason = sentence(slices.Concat(notes, j.notes)...)
	return nil
}

// because gives the reason for the oracle self, which for an object is plain.
func because(kind oracle.Kind, why string) string {
	if kind == Object {
		return ""
	}
	return ": " + why
}

// misfit is what an oracle by name cannot take: the first result of unknown
// meaning.
func (d *draft) misfit() string {
	for _, b := range d.rec.bindings {
		if b.misfit != "" {
			return b.misfit
		}
	}
	return ""
}

// sentence makes sentences of notes.
func sentence(notes ...string) string {
	for i, n := range notes {
		notes[i] = strings.ToUpper(n[:1]) + n[1:] + "."
	}
	return strings.Join(notes, " ")
}
