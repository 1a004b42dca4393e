// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/oracle"
)

// lockWords are the halves of critical sections, folded.
func lockWords() []collection.Section {
	return []collection.Section{
		{Enter: "lock", Leave: "unlock"},
		{Enter: "acquire", Leave: "release"},
		{Enter: "rlock", Leave: "runlock", Shared: true},
		{Enter: "trylock", Leave: "unlock", Try: true},
		{Enter: "tryacquire", Leave: "release", Try: true},
		{Enter: "tryrlock", Leave: "runlock", Shared: true, Try: true},
	}
}

// sections finds the critical sections that a type's methods make up.
func sections(methods []*method) []collection.Section {
	var out []collection.Section
	for _, s := range lockWords() {
		enter, leave := byFolded(methods, s.Enter), byFolded(methods, s.Leave)
		if enter == nil || leave == nil {
			continue
		}
		if matches(&s, enter, leave) {
			s.Enter, s.Leave = enter.name, leave.name
			out = append(out, s)
		}
	}
	return out
}

// matches checks the signatures: nothing is passed, but perhaps a token that leave
// wants back, and whether the attempt was successful.
func matches(s *collection.Section, enter, leave *method) bool {
	in, out, back := enter.sig.Params(), enter.sig.Results(), leave.sig.Params()
	if in.Len() > 0 || leave.sig.Results().Len() > 0 || back.Len() > 1 {
		return false
	}
	s.Token, s.OKAt = -1, -1
	for i := range out.Len() {
		switch t := out.At(i).Type(); {
		case back.Len() == 1 && s.Token < 0 && types.Identical(t, back.At(0).Type()):
			s.Token = i
		case s.Try && s.OKAt < 0 && isBool(t):
			s.OKAt = i
		default:
			return false
		}
	}
	if s.Token >= 0 && s.Leave == "release" && visible(out.At(s.Token).Type()) {
		return false // what callers see, acquire and release is one of several: of a pool, say
	}
	return (s.Token >= 0) == (back.Len() == 1) && (s.OKAt >= 0) == s.Try
}

// visible tells types with a name that callers can use.
func visible(t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Obj().Exported()
}

func byFolded(methods []*method, name string) *method {
	for _, m := range methods {
		if fold(m.name) == name {
			return m
		}
	}
	return nil
}

// splitLock separates the halves of critical sections from the other methods.
func splitLock(methods []*method) (found []collection.Section, others []*method) {
	found = sections(methods)
	for _, m := range methods {
		half := slices.ContainsFunc(found, func(s collection.Section) bool { return s.Enter == m.name || s.Leave == m.name })
		if !half {
			others = append(others, m)
		}
	}
	return found, others
}

// halves are the methods of a handle that are half of a critical section: an Unlock that no Lock precedes is a misuse, not a fault of the
// collection.
func halves(uses []*types.Selection) map[*types.Func]bool {
	var methods []*method
	for _, sel := range uses {
		fn := sel.Obj().(*types.Func)
		methods = append(methods, &method{name: fn.Name(), fn: fn, sig: sel.Type().(*types.Signature)})
	}
	out := map[*types.Func]bool{}
	_, others := splitLock(methods)
	for _, m := range methods {
		out[m.fn] = !slices.Contains(others, m)
	}
	return out
}

// isQuery tells methods such as IsLocked, which ask a lock for its state.
func isQuery(m *method) bool {
	return len(m.params) == 0 && (onlyBool(m) || len(m.results) == 1 && m.results[0].Shape == collection.AsOpaque)
}

// lockOperations are the operations on the guarded counter.
func lockOperations(found []collection.Section) []collection.Operation {
	var out []collection.Operation
	for _, s := range found {
		number := collection.Result{Type: "int", Slot: oracle.SlotNew, Form: collection.FormValue}
		o := collection.Operation{
			Name:    s.Name(),
			Op:      oracle.Op{Name: s.Name(), Role: oracle.Round},
			Effect:  client.Neither,
			Results: []collection.Result{number},
			Call:    collection.Call{Section: &s},
		}
		if s.Shared {
			o.Op.Role = oracle.Load
			o.Results[0].Slot = oracle.SlotItem
		}
		if s.Try {
			o.Op.Spurious = true
			o.Results = append(o.Results, collection.Result{Name: "ok", Type: "bool", Slot: oracle.SlotOK, Form: collection.FormBool})
		}
		for _, r := range o.Results {
			o.Op.Results = append(o.Op.Results, r.Slot)
		}
		out = append(out, o)
	}
	return out
}

// lockReason explains what is verified of a lock.
func lockReason(found []collection.Section) string {
	var halves []string
	for _, s := range found {
		halves = append(halves, s.Name())
	}
	return fmt.Sprintf("lock: %s each are one operation, which increments a plain counter or, where the lock is shared, reads it; "+
		"the oracle of a counter and the check for data races judge mutual exclusion", strings.Join(halves, ", "))
}

// lockDraft is a collection that may be a lock.
type lockDraft struct {
	pkg *types.Package
	c   *candidate
	o   collection.Overrides
}

// build makes the collection a lock if it is one or has to be.
func (d *lockDraft) build(all []*method) (done bool, err error) {
	usable := narrow(all)
	found, others := splitLock(usable)
	if slices.ContainsFunc(found, func(s collection.Section) bool { return d.embedded(usable, s) }) {
		_, others = splitLock(all) // the lock is a part of the type, which is for something else
	}
	others = slices.DeleteFunc(others, func(m *method) bool { return isQuery(m) || !m.fn.Exported() })
	switch {
	case d.o.Kind == collection.Lock && len(found) == 0:
		return false, fmt.Errorf("the kind lock does not fit: there are no methods like Lock() and Unlock()")
	case d.o.Kind == "" && (len(others)+len(d.o.Without) > 0 || d.admitsSeveral(found)), // what is left out is not what a lock has
		d.o.Kind != "" && d.o.Kind != collection.Lock, len(found) == 0:
		return false, nil
	}
	if len(d.o.Ops) > 0 {
		if found, err = chooseSections(found, d.o.Ops); err != nil {
			return false, err
		}
	}
	if by := d.o.Oracle; !by.IsAuto() && by != collection.KindOracle(oracle.Counter) {
		return false, fmt.Errorf("the oracle %s does not fit a lock, whose critical sections are judged as a counter", by)
	}
	// What sounds like a capacity is the number of threads that a queue lock has
	// room for.
	s := newSettings(d.o)
	s.capacity = s.threads
	if err := d.c.remake(d.pkg, d.o, s); err != nil {
		return false, err
	}
	d.finish(found, usable)
	return true, nil
}

// embedded says that a critical section is that of a lock of package sync which the type embeds.
func (d *lockDraft) embedded(methods []*method, s collection.Section) bool {
	enter := byFolded(methods, fold(s.Enter))
	return enter != nil && enter.fn.Pkg().Path() == "sync" && d.pkg.Path() != "sync"
}

// admitsSeveral tells what are rather semaphores: they are acquired and released,
// and have a number or a name that says so.
func (d *lockDraft) admitsSeveral(found []collection.Section) bool {
	if !slices.ContainsFunc(found, func(s collection.Section) bool { return fold(s.Leave) == "release" }) {
		return false
	}
	low := fold(d.c.Type)
	return d.c.maker.bound != nil || len(d.c.maker.notes) > 0 ||
		slices.ContainsFunc([]string{"sem", "pool", "limit", "token", "permit"}, func(s string) bool { return strings.Contains(low, s) })
}

// finish describes the lock.
func (d *lockDraft) finish(found []collection.Section, usable []*method) {
	c := d.c
	c.Kind, c.Protocol, c.Oracle = collection.Lock, oracle.Protocol{Kind: oracle.Nonblocking}, collection.KindOracle(oracle.Counter)
	notes := []string{lockReason(found)}
	if d.o.New == "" && len(c.maker.notes) > 0 {
		notes = append(notes, "constructor: "+strings.Join(c.maker.notes, ", "))
	}
	if c.maker.shown != "" {
		c.Assumptions = append(c.Assumptions, c.maker.shown)
	}
	if c.maker.guess != "" {
		c.Assumptions = append(c.Assumptions, c.maker.guess)
	}
	c.Operations, c.Reason = lockOperations(found), sentence(slices.Concat(notes, c.Assumptions)...)
	for _, m := range usable {
		if !slices.ContainsFunc(found, func(s collection.Section) bool { return s.Enter == m.name || s.Leave == m.name }) && m.fn.Exported() {
			c.skip(m.name, "is no part of a critical section")
		}
	}
	c.finish()
}

// chooseSections keeps the critical sections whose first half, or whole name, is
// among the operations.
func chooseSections(found []collection.Section, ops []string) ([]collection.Section, error) {
	var out []collection.Section
	for _, op := range ops {
		known := false
		for _, s := range found {
			if op == s.Enter || op == s.Name() {
				out = append(out, s)
			}
			known = known || op == s.Enter || op == s.Leave || op == s.Name()
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
