// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/oracle"
)

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
	d.countFields()
	d.descend()
	j := judge(d.rec, d.c.maker, r.own, d.o)
	if j.roomy {
		small := d.c.maker.expr
		if err := d.refill(d.settings.cell, true); err != nil {
			return err
		}
		if d.c.maker.expr != small { // what is dropped where there is no room, or waits for some, no oracle of a kind knows
			d.c.maker.variants = append(slices.Clip(d.c.maker.variants), collection.Variant{New: small, Full: true})
		}
	}
	for _, m := range d.selected {
		if d.bound(m) == nil && j.self == "" {
			j.self = fmt.Sprintf("nothing is known of %s", m.name)
		}
	}
	if j.self == "" && !d.userOracle() {
		j.self = d.represent()
	}
	d.c.Protocol = j.protocol
	for _, m := range d.selected {
		d.c.Operations = append(d.c.Operations, d.operation(m))
	}
	if err := d.callsBack(); err != nil {
		return err
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
			if !c.Nilable() {
				continue
			}
			if c.Shape != collection.AsPointer {
				return "its first value is nil, which is no item"
			}
			c.ZeroIsNil = true
		}
	}
	return ""
}

// userOracle reports whether a Go type of the user's is to judge.
func (d *draft) userOracle() bool {
	_, is := d.o.Oracle.Type()
	return is
}

// operation describes one method.
func (d *draft) operation(m *method) collection.Operation {
	b := d.bound(m)
	o := collection.Operation{Name: m.name, Op: oracle.Op{Name: m.name}, Raw: d.userOracle(),
		Call: collection.Call{Params: m.params, Args: m.args, Watched: m.watched, Called: m.called, Noted: m.noted, Observed: m.observed, Again: slices.Contains(d.o.Again, m.name), Use: m.use, Leave: m.leave, Variadic: m.sig.Variadic()}}
	o.Call.Back, _ = strings.CutPrefix(d.o.Given[m.name], collection.Back)
	if o.Call.Back == d.o.Given[m.name] { // it is given a function of the package, or none is named
		o.Call.Back = ""
	}
	if b != nil {
		o.Op.Role, o.Op.Params, o.Op.Results, o.EitherSense = b.role, b.params, b.slots, b.eitherSense
		o.Effect = client.OpOf(o.Op).Effect
	}
	for i := range m.args {
		c := m.params[m.args[i]]
		meaning := oracle.ParamKey
		switch {
		case b != nil:
			meaning = b.params[i]
		case c.Chooses():
			meaning = oracle.ParamChoice
			if c.Values() > 2 {
				meaning = oracle.ParamChoice3
			}
		}
		if b == nil {
			o.Op.Params = append(o.Op.Params, meaning)
		}
		c.Fresh = buffers(d.rec.kind) || d.o.Turns // what is made once has one value, and not two in turns
		o.Params = append(o.Params, collection.Param{Name: m.arg(i).Name(), Type: typeString(m.arg(i).Type(), d.pkg),
			Meaning: meaning, Values: c.Values(), Codec: c})
	}
	if m.which {
		o.Op.Params = append(o.Op.Params, oracle.ParamChoice)
		o.Params = append(o.Params, collection.Param{Meaning: oracle.ParamChoice, Codec: &collection.Codec{Shape: collection.AsWhich}})
	}
	if m.keeps {
		o.Op.Params = append(o.Op.Params, oracle.ParamThread)
		o.Params = append(o.Params, collection.Param{Meaning: oracle.ParamThread, Codec: &collection.Codec{Shape: collection.AsThread}})
	}
	for i, c := range m.results {
		r := collection.Result{Name: m.result(i).Name(), Type: typeString(m.result(i).Type(), d.pkg), Codec: c}
		if b != nil && i < len(b.slots) {
			r.Slot = b.slots[i]
		}
		c.Fresh = buffers(d.rec.kind) // as arguments are
		r.Form = collection.FormOf(c, r.Slot)
		if o.Raw {
			r.Form = collection.FormOf(c, "")
		}
		o.Results = append(o.Results, r)
	}
	if o.Call.Reuses = writes(m); o.Call.Reuses {
		d.c.Environment = append(d.c.Environment, fmt.Sprintf("whoever calls %s uses the bytes again behind the call, as callers of an io.Writer may", m.name))
	}
	for _, i := range d.filled(m, len(o.Results)) {
		own, r := *m.params[i], *d.resultOf(m, i)
		own.Fresh, r.Fresh = true, true // an argument of this call alone
		o.Call.Params = slices.Clone(o.Call.Params)
		o.Call.Params[i] = &own
		o.Call.Filled = append(o.Call.Filled, i)
		o.Results = append(o.Results, collection.Result{Name: nameOf(m.sig.Params().At(i)), Type: typeString(m.sig.Params().At(i).Type(), d.pkg), Codec: &r, Form: collection.FormOf(&r, ""), Filled: true})
	}
	if m.counts() {
		o.Results = append(o.Results, collection.Result{Name: "calls", Type: "int", Form: collection.FormValue, Calls: m.noted || m.observed})
	}
	if (m.waits || m.seen) && o.Op.Role != "" && d.c.Protocol.Kind != oracle.Nonblocking {
		o.Op.Refusal = oracle.RefuseBlock
	}
	return o
}

// writes tells the method of io.Writer, which must not keep what it is given, and must not change it: Write(p []byte) (n int, err error).
func writes(m *method) bool {
	if m.name != "Write" || m.sig.Variadic() || m.sig.Params().Len() != 1 || m.sig.Results().Len() != 2 || len(m.params) != 1 || m.params[0].Shape != collection.AsSequence {
		return false
	}
	is := func(v *types.Var, t types.Type) bool { return types.Identical(v.Type(), t) }
	return is(m.sig.Params().At(0), types.NewSlice(types.Typ[types.Byte])) && is(m.sig.Results().At(0), types.Typ[types.Int]) && isError(m.sig.Results().At(1).Type())
}

// filled lists the parameters of a method whose content behind the call is compared, given the number of its results: those through which it hands something
// to its caller, slices and pointers, if the type's own code is to judge. A kind's oracle knows nothing of them. The verdict names those that are not compared.
func (d *draft) filled(m *method, results int) (list []int) {
	if m.fn == nil || d.o.Clues == nil || m.fn.Pkg() != d.pkg {
		return nil
	}
	recv := namedOf(m.fn.Signature().Recv().Type())
	if recv == nil {
		return nil
	}
	if m.counts() {
		results++
	}
	notCompared := func(i int) {
		d.c.Environment = append(d.c.Environment, fmt.Sprintf("of the %s that %s is given is not compared what it holds behind the call", d.coder.show(m.sig.Params().At(i).Type()), m.name))
	}
	for _, i := range d.o.Clues.MayHold[recv.Obj().Name()+"."+m.name] {
		if i < len(m.params) {
			notCompared(i)
		}
	}
	for _, i := range d.o.Clues.Filled[recv.Obj().Name()+"."+m.name] {
		if i >= len(m.params) || d.bound(m) != nil || m.sig.Variadic() && i == len(m.params)-1 || !slices.Contains(m.args, i) || d.resultOf(m, i) == nil || results == history.MaxArity {
			notCompared(i)
			continue
		}
		list = append(list, i)
		results++
	}
	return list
}

// resultOf is the codec that reads a slice or what a pointer points to behind a call; nil if there is none.
func (d *draft) resultOf(m *method, i int) *collection.Codec {
	switch m.params[i].Shape {
	case collection.AsSequence, collection.AsPointer:
		c, _ := d.coder.result(m.sig.Params().At(i).Type())
		if c != nil && c.Shape != collection.AsOpaque {
			return c
		}
	}
	return nil
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
	if err := d.chooseOracle(j, fits); err != nil {
		return err
	}
	if c.Oracle.IsSelf() && !d.o.Oracle.IsSelf() {
		notes = append(notes, "judged by the same code run sequentially"+because(d.rec.kind, fits))
		c.Unclear = d.unclear()
	}
	c.Environment = append(d.environment(), c.Environment...) // what is not compared of arguments is known by now
	if c.Oracle.IsSelf() {
		d.identify()
	}
	if i := slices.IndexFunc(d.selected, func(m *method) bool { return m.watched }); i >= 0 {
		notes = append(notes, fmt.Sprintf("%s is given a function that increments a plain counter, and the counter is a result", d.selected[i].name))
	}
	if d.o.New == "" && len(c.maker.notes) > 0 {
		notes = append(notes, "constructor: "+strings.Join(c.maker.notes, ", "))
	}
	for _, b := range d.rec.bindings {
		if b.note != "" && !c.Oracle.IsSelf() && !slices.Contains(c.Assumptions, b.note) {
			c.Assumptions = append(c.Assumptions, b.note)
		}
	}
	c.Assumptions = append(c.Assumptions, j.notes...)
	if c.maker.shown != "" {
		c.Assumptions = append(c.Assumptions, c.maker.shown)
	}
	if c.maker.guess != "" {
		c.Assumptions = append(c.Assumptions, c.maker.guess)
	}
	c.Reason = sentence(slices.Concat(notes, c.Environment, c.Assumptions)...)
	return nil
}

// chooseOracle takes the user's, or the kind's unless something speaks against it.
func (d *draft) chooseOracle(j judgement, against string) error {
	c := d.c
	kind, specified := d.o.Oracle.Kind()
	switch {
	case d.o.Oracle.IsAuto():
		c.Oracle = collection.KindOracle(d.rec.kind)
		if against != "" {
			c.Oracle = collection.SelfOracle
		}
	case specified:
		if _, err := oracle.New(kind, j.protocol, c.Ops()); err != nil {
			return fmt.Errorf("the oracle %s does not fit: %w", kind, err)
		}
		if why := d.misfit(); why != "" {
			return fmt.Errorf("the oracle %s does not fit: %s", kind, why)
		}
		c.Oracle = d.o.Oracle
	default:
		c.Oracle = d.o.Oracle
	}
	return nil
}

// unclear lists the operations of which nothing tells which value they return.
func (d *draft) unclear() (names []string) {
	for _, b := range d.rec.bindings {
		if b.unclear {
			names = append(names, b.m.name)
		}
	}
	return names
}

// because gives the reason for the oracle self, which for an object is plain.
func because(kind oracle.Kind, why string) string {
	if kind == collection.Object {
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
