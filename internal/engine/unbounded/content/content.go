// SPDX-License-Identifier: BSD-3-Clause

// Package content says what a collection holds, in a view, and what may become of it.
//
// A Map reads the content out of a heap: a chain of cells from a word of the collection,
// perhaps without its first cell, perhaps without those that carry a mark. It is a ghost:
// any map will do with which the rules of a Property hold, for these imply that the
// operations take effect one at a time as the oracle says:
//
//   - at first nothing is held;
//   - every write changes what is held as the writer's own operation does, once a call,
//     or not at all;
//   - a call that returns has changed it and gives the result of that change, or has changed
//     nothing and gives a result that was right at some moment since the call.
//
// Of a set only one arbitrary value k is looked at: a set is the product of its values, each
// of which is in it or not, and linearizability is local (Herlihy and Wing 1990, theorem 1).
// Stacks and queues are looked at as sequences of cells; that the right value is returned is
// shown for one arbitrary value k, too: a value and its copy agree on "is it k?" for every k.
//
// The package takes heaps and says what is wrong. It does not execute anything, and does
// not find the map that fits; who asks tries them all.
package content

import (
	"fmt"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// Map is a way to read the content of a collection.
type Map struct {
	Word int // the word of the collection to which the chain is linked
	Skip int // how many cells at the beginning hold nothing
	// Mark is a word of the cells of type MarkType. A cell whose mark is not 0 is not held; if MarkType holds no items,
	// the mark is about the cell that links to it. MarkType 0: no cell has a mark.
	Mark, MarkType int
	// Object says how the registers of an object are read, and what its operations do; nil: the collection is no object
	// of registers.
	Object *certificate.Object
	Offers Offers // cells at which a put and a take take effect together
}

// Candidates are the maps that the types of a collection allow, simple ones first.
func Candidates(d *shape.Domain, collection *ir.Type, kind oracle.Kind) []Map {
	var out []Map
	for off, word := range collection.Layout() {
		to := collection.PointeeAt(off)
		if word != ir.Pointer && word != ir.Unsafe || to == nil || d.Link(to.ID) < 0 {
			continue
		}
		if !d.Ordered {
			out = append(out, Map{Word: off}, Map{Word: off, Skip: 1})
			continue
		}
		out = append(out, marked(d, off, to)...)
		out = append(out, Map{Word: off})
	}
	if kind != oracle.Stack {
		return out
	}
	chains := out // a put directly before a take leaves a stack as it was, whatever it holds
	for _, o := range offersOf(d, collection) {
		for _, m := range chains {
			m.Offers = o
			out = append(out, m)
		}
	}
	return out
}

// marked are the maps in which a truth value, of one of the types in the chain, marks cells as not held.
func marked(d *shape.Domain, word int, first *ir.Type) []Map {
	var out []Map
	seen := map[int]bool{}
	for t := first.ID; !seen[t] && d.Link(t) >= 0; t = d.LinkTo(t) {
		seen[t] = true
		typ := d.Prog.Types[t]
		for off := range typ.Layout() {
			leaf, _ := typ.LeafAt(off)
			if leaf.Class == ir.Bool || leaf.Name == "atomic.Bool" {
				out = append(out, Map{Word: word, Mark: off, MarkType: t})
			}
		}
	}
	return out
}

// Describe says for people which cells a map reads.
func (m Map) Describe(p *ir.Program, collection *ir.Type) string {
	text := "the cells from " + collection.FieldPath(m.Word)[1:]
	if m.Skip > 0 {
		text += " but for the first"
	}
	if m.MarkType != 0 {
		t := p.Types[m.MarkType]
		text += fmt.Sprintf(" whose %s is not set", t.FieldPath(m.Mark)[1:])
	}
	return text + m.Offers.describe(p)
}

// Operation is what an operation of the collection does, and which results tell what it did.
type Operation struct {
	Name  string
	Role  oracle.Role // see package oracle
	Param bool        // it has an argument: an item or a key
	Item  int         // index of the result that is the item; -1: none
	OK    int         // index of the result that says whether it was done; -1: none
	Not   bool        // that result says that it was not done
}

// Property is what is to be proved, with what was seen of it so far.
type Property struct {
	d    *shape.Domain
	Map  Map
	Kind oracle.Kind
	Ops  []Operation
	// Returned are the ways in which operations were seen to return; Changed are the operations that were seen to change
	// what is held.
	Returned map[Outcome]bool
	Changed  map[int]bool
	Met      bool // a put and a take have taken effect together
}

// Outcome is a way in which an operation returns.
type Outcome struct {
	Op   int
	Done bool
}

// New makes a property.
func New(d *shape.Domain, m Map, kind oracle.Kind, ops []Operation) *Property {
	return &Property{d: d, Map: m, Kind: kind, Ops: ops, Returned: map[Outcome]bool{}, Changed: map[int]bool{}}
}

// item is a part of a sequence: a cell with its item, or a summary.
type item struct {
	node  int
	value shape.Word
}

// sequence lists what a stack or a queue holds, in the order of its chain; ok is false if that is not certain.
func (p *Property) sequence(h *shape.Heap) (list []item, ok bool) {
	w := h.Get(0, p.Map.Word)
	for left := 2 * len(h.Nodes); w != shape.Nil; left-- {
		if !w.IsRef() || w.Off() != 0 || left == 0 {
			return nil, false
		}
		n := w.Node()
		d := &h.Nodes[n]
		if d.Summary {
			if !d.Empty() {
				list = append(list, item{n, shape.Nil})
			}
			w = d.Next
			continue
		}
		link := p.d.Link(int(d.Type))
		if link < 0 || !d.Shared {
			return nil, false
		}
		list = append(list, item{n, p.valueOf(h, n)})
		w = h.Get(n, link)
	}
	if p.Map.Skip > 0 {
		if len(list) == 0 || h.Nodes[list[0].node].Summary {
			return nil, false
		}
		list = list[1:]
	}
	return list, true
}

// valueOf is the item of a cell: its one word that holds items. It is Top if there are several such words, or none.
func (p *Property) valueOf(h *shape.Heap, n int) shape.Word {
	value, found := shape.Top, false
	for off, w := range h.Of(n) {
		if p.d.HoldsData(int(h.Nodes[n].Type), off) {
			if found {
				return shape.Top
			}
			value, found = w, true
		}
	}
	return value
}

// held says whether a set certainly holds k, or certainly does not. Both are false if neither is certain.
func (p *Property) held(h *shape.Heap) (yes, no bool) {
	w := h.Get(0, p.Map.Word)
	maybe := false
	for left := 2 * len(h.Nodes); w != shape.Nil; left-- {
		if !w.IsRef() || w.Off() != 0 || left == 0 {
			return false, false
		}
		d := &h.Nodes[w.Node()]
		if d.Summary {
			w = d.Next
			continue
		}
		link := p.d.Link(int(d.Type))
		if link < 0 || !d.Shared {
			return false, false
		}
		if class, some := p.d.ClassOf(h, w.Node()); some && class == shape.Equal {
			switch mark := p.mark(h, w.Node()); {
			case mark == shape.Nil:
				yes = true
			case !mark.IsConst():
				maybe = true
			}
		}
		w = h.Get(w.Node(), link)
	}
	return yes, !yes && !maybe
}

// mark is the mark of a cell; Nil if the map has none.
func (p *Property) mark(h *shape.Heap, n int) shape.Word {
	if p.Map.MarkType == 0 {
		return shape.Nil
	}
	if int(h.Nodes[n].Type) != p.Map.MarkType {
		w := h.Get(n, p.d.Link(int(h.Nodes[n].Type)))
		if !w.IsRef() || h.Nodes[w.Node()].Summary || int(h.Nodes[w.Node()].Type) != p.Map.MarkType {
			return shape.Top
		}
		n = w.Node()
	}
	return h.Get(n, p.Map.Mark)
}

// concerns says whether the operation of a view can change, or depends on, what the property looks at: of a set only
// k.
func (p *Property) concerns(v *shape.View) bool {
	return p.Kind != oracle.Set || v.Param == shape.Equal
}

// Initial reports what is wrong with the content of a new collection.
func (p *Property) Initial(h *shape.Heap) error {
	if p.Map.Object != nil {
		return nil // whatever it holds, see Starts
	}
	if p.Kind == oracle.Set {
		if _, no := p.held(h); !no {
			return fmt.Errorf("it is not certain that a new collection holds nothing")
		}
		return nil
	}
	if list, ok := p.sequence(h); !ok || len(list) > 0 {
		return fmt.Errorf("it is not certain that a new collection holds nothing")
	}
	return nil
}

// See adds to the flags of a view what is certain in the heap that it sees.
func (p *Property) See(v *shape.View) {
	if mask := p.Minds(int(v.Op), v.Param); mask != 0 {
		v.Flags |= p.Certain(&v.Heap) & mask
	}
	p.Observe(v, false)
}

// Certain is what is certain of the content of a heap.
func (p *Property) Certain(h *shape.Heap) shape.Flags {
	if p.Map.Object != nil {
		return 0 // see Observe
	}
	if p.Kind == oracle.Set {
		switch yes, no := p.held(h); {
		case yes:
			return shape.SawPresent
		case no:
			return shape.SawAbsent
		}
		return 0
	}
	if list, ok := p.sequence(h); ok && len(list) == 0 {
		return shape.SawEmpty
	}
	return 0
}

// Minds are the flags on which the result of an operation with this argument may depend.
func (p *Property) Minds(op int, param shape.Class) shape.Flags {
	switch {
	case p.Map.Object != nil:
		return 0
	case p.Kind == oracle.Set && param == shape.Equal:
		return shape.SawPresent | shape.SawAbsent
	case p.Kind != oracle.Set && p.Ops[op].Role == oracle.Take:
		return shape.SawEmpty
	}
	return 0
}

// Write is a write to memory that others see: of N words at the address At.
type Write struct {
	Before, After *shape.Heap // with the same numbers for the same nodes
	At            shape.Word
	N             int
}

// Step judges a write, and notes in the writer's view v what it has done. The error says which rule it breaks.
func (p *Property) Step(w *Write, v *shape.View) error {
	before, after := w.Before, w.After
	switch {
	case p.Map.Object != nil:
		return p.stepObject(w, v)
	case p.Kind == oracle.Set:
		return p.stepSet(before, after, v)
	}
	old, ok := p.sequence(before)
	now, ok2 := p.sequence(after)
	if !ok || !ok2 {
		return fmt.Errorf("it cannot be told what is held")
	}
	if same(old, now) {
		return nil
	}
	op := &p.Ops[v.Op]
	if v.Flags&shape.Linearized != 0 {
		return fmt.Errorf("%s changes what is held a second time", op.Name)
	}
	if v.Flags&shape.Offering != 0 {
		return fmt.Errorf("%s changes what is held, and has an offer that another operation may meet", op.Name)
	}
	added, taken, ok := p.difference(old, now, after)
	switch {
	case ok && op.Role == oracle.Put && taken == nil && added != nil:
		if added.value != shape.Data(v.Param) {
			return fmt.Errorf("%s adds another item than its argument", op.Name)
		}
	case ok && op.Role == oracle.Take && added == nil && taken != nil:
		if !taken.value.IsData() {
			return fmt.Errorf("%s takes something that is no item", op.Name)
		}
		v.Taken = taken.value
	default:
		return fmt.Errorf("%s changes what is held in a way that it should not", op.Name)
	}
	v.Flags |= shape.Linearized
	p.Changed[int(v.Op)] = true
	return nil
}

func same(a, b []item) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// difference is the item that was added at the right end, or taken from the front; false if the two sequences differ
// in another way.
func (p *Property) difference(old, now []item, after *shape.Heap) (added, taken *item, ok bool) {
	switch n := len(now); {
	case n == len(old)+1 && p.Kind == oracle.Queue && same(old, now[:n-1]):
		added = &now[n-1]
	case n == len(old)+1 && p.Kind == oracle.Stack && same(old, now[1:]):
		added = &now[0]
	case n == len(old)-1 && same(old[1:], now):
		taken = &old[0]
	default:
		return nil, nil, false
	}
	for _, x := range []*item{added, taken} {
		if x != nil && after.Nodes[x.node].Summary {
			return nil, nil, false
		}
	}
	return added, taken, true
}

// stepSet judges a write to a set.
func (p *Property) stepSet(before, after *shape.Heap, v *shape.View) error {
	yes, no := p.held(before)
	yes2, no2 := p.held(after)
	op := &p.Ops[v.Op]
	switch {
	case yes && yes2, no && no2:
		return nil
	case !yes && !no || !yes2 && !no2:
		return fmt.Errorf("it cannot be told whether k is held")
	case v.Param != shape.Equal:
		return fmt.Errorf("%s changes whether another value than its argument is held", op.Name)
	case v.Flags&shape.Linearized != 0:
		return fmt.Errorf("%s changes what is held a second time", op.Name)
	case yes2 && op.Role != oracle.Add:
		return fmt.Errorf("%s adds its argument", op.Name)
	case no2 && op.Role != oracle.Remove:
		return fmt.Errorf("%s removes its argument", op.Name)
	}
	v.Flags |= shape.Linearized
	p.Changed[int(v.Op)] = true
	return nil
}

// Return judges the results of an operation. The error says which rule they break.
func (p *Property) Return(v *shape.View, results []shape.Word) error {
	if p.Map.Object != nil {
		return p.returnObject(v, results)
	}
	op := &p.Ops[v.Op]
	done := true
	if op.OK >= 0 {
		ok := results[op.OK]
		if !ok.IsConst() {
			return fmt.Errorf("it cannot be told whether %s says that it was done", op.Name)
		}
		done = (ok != shape.Nil) != op.Not
	}
	p.Returned[Outcome{int(v.Op), done}] = true
	changed := v.Flags&shape.Linearized != 0
	if p.Kind == oracle.Set {
		return p.returnSet(v, op, done, changed)
	}
	switch {
	case v.Flags&shape.Offering != 0:
		return fmt.Errorf("%s returns, and has an offer that another operation may meet", op.Name)
	case op.Role == oracle.Put && !done:
		return fmt.Errorf("%s says that it was not done", op.Name)
	case op.Role == oracle.Put && !changed:
		return fmt.Errorf("%s returns, and nothing has been added", op.Name)
	case op.Role == oracle.Put:
		return nil
	case !done && changed:
		return fmt.Errorf("%s says that nothing was held, and has taken an item", op.Name)
	case !done && v.Flags&shape.SawEmpty == 0:
		return fmt.Errorf("%s says that nothing was held, and at no moment since its call that was so for certain", op.Name)
	case !done && op.Item >= 0 && results[op.Item] != shape.Nil:
		return fmt.Errorf("%s says that nothing was held, and returns something", op.Name)
	case !done:
		return nil
	case !changed:
		return fmt.Errorf("%s returns an item, and nothing has been taken", op.Name)
	case op.Item < 0 || results[op.Item] != v.Taken:
		return fmt.Errorf("%s returns another item than it has taken", op.Name)
	}
	return nil
}

// returnSet judges what an operation of a set returns.
func (p *Property) returnSet(v *shape.View, op *Operation, done, changed bool) error {
	if !p.concerns(v) {
		return nil
	}
	updates := op.Role == oracle.Add || op.Role == oracle.Remove
	saw := shape.SawPresent // what must have been seen if the operation has changed nothing
	if (op.Role == oracle.Remove || op.Role == oracle.Contains) && !done {
		saw = shape.SawAbsent
	}
	switch {
	case updates && done && !changed:
		return fmt.Errorf("%s says that it was done, and nothing has changed", op.Name)
	case updates && done:
		return nil
	case changed:
		return fmt.Errorf("%s says that nothing was done, and has changed what is held", op.Name)
	case v.Flags&saw == 0:
		return fmt.Errorf("%s returns %t, which at no moment since its call was right for certain", op.Name, done)
	}
	return nil
}
