// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// binding is a method in a role.
type binding struct {
	m      *method
	role   oracle.Role
	rank   int // place of the role among the kind's names
	try    bool
	params []oracle.Param
	slots  []oracle.Slot
	// misfit says why the kind's oracle cannot judge the method.
	misfit string
	note   string // what was assumed
	// eitherSense says that no name tells whether true, which a result is, means that it was done: it is taken to.
	eitherSense bool
	// unclear says that the misfit is a value of which nothing tells whether it is that of before.
	unclear bool
}

// extra tells the roles without which the kind is what it is.
func (b *binding) extra() bool {
	return slices.Contains([]oracle.Role{oracle.Len, oracle.IsEmpty, oracle.Clear, oracle.Peek, oracle.PeekFront, oracle.PeekBack}, b.role)
}

// tells reports whether a result shows that the operation could not do its work.
func (b *binding) tells() bool {
	if b.m.waits || b.m.seen {
		return false
	}
	return slices.ContainsFunc(b.slots, func(s oracle.Slot) bool {
		return s == oracle.SlotOK || s == oracle.SlotNotOK || s == oracle.SlotError || s == oracle.SlotItemOrNil
	})
}

func (b *binding) isPut() bool {
	return b.role == oracle.Put || b.role == oracle.PutFront || b.role == oracle.PutBack
}

func (b *binding) isTake() bool {
	return b.role == oracle.Take || b.role == oracle.TakeFront || b.role == oracle.TakeBack
}

// bindByName gives a method the first role of the kind that its name and its number
// of arguments fit; nil if there is none.
func bindByName(kind oracle.Kind, m *method) *binding {
	name, try := untried(m.name)
	for rank, n := range namesOf(kind) {
		if !slices.Contains(n.names, name) {
			continue
		}
		want := oracle.Params(kind, n.role)
		short := n.role == oracle.Put && len(m.args) == 1 // of a priority queue: the item is its priority
		if len(m.args) != len(want) && !short {
			continue
		}
		if short {
			want = want[:1]
		}
		return &binding{m: m, role: n.role, rank: rank, try: try, params: slices.Clone(want)}
	}
	return nil
}

// bindEnd is bindByName for a deque.
func bindEnd(m *method) *binding {
	for rank, n := range containerNames() {
		if slices.Contains(n.names, fold(m.name)) && len(m.args) == 0 {
			return &binding{m: m, role: n.role, rank: 9 + rank}
		}
	}
	verb, front, ok := end(m.name)
	if !ok || (verb == oracle.Put) != (len(m.args) == 1) || len(m.args) > 1 {
		return nil
	}
	_, try := untried(m.name)
	role := endRole(verb, front)
	order := []oracle.Role{oracle.PutFront, oracle.PutBack, oracle.TakeFront, oracle.TakeBack}
	b := &binding{m: m, role: role, rank: slices.Index(order, role), try: try, params: oracle.Params(oracle.Deque, role)}
	if b.rank < 0 {
		b.rank = len(order)
	}
	return b
}

// source is a parameter or a result of a method with its declared (generic) counterpart.
type source struct {
	m          *method
	v, generic *types.Var
}

// mixes says that two of them have the same type by chance: both belong to methods of one generic type, and are declared with different types. The
// index i of List[T].Remove(i int) is no item of a List[int].
func (s *source) mixes(other *source) bool {
	return s.m.owner() == other.m.owner() && parameterOf(s.generic.Type()) != parameterOf(other.generic.Type())
}

// owner is the type that declares the method, without type arguments.
func (m *method) owner() *types.TypeName {
	if named := namedOf(m.fn.Origin().Signature().Recv().Type()); named != nil {
		return named.Obj()
	}
	return nil
}

// parameterOf is the index of the type parameter that a type is or points to; -1 if it is or points to none.
func parameterOf(t types.Type) int {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if p, ok := t.(*types.TypeParam); ok {
		return p.Index()
	}
	return -1
}

// content finds what an argument of the given meaning looks like.
func content(bindings []*binding, meaning oracle.Param) *source {
	for _, b := range bindings {
		for i, p := range b.params {
			if p == meaning {
				return &source{b.m, b.m.arg(i), b.m.genericArg(i)}
			}
		}
	}
	return nil
}

// fit finds what the results of each bound method mean; readings say it of those whose names do not tell.
func fit(kind oracle.Kind, bindings []*binding, readings map[string]string) {
	if kind == oracle.PQueue {
		for _, b := range bindings {
			b.orderPriority(bindings)
		}
	}
	atomicLike := resemblesAtomic(bindings)
	item := content(bindings, oracle.ParamItem)
	if item == nil {
		item = content(bindings, oracle.ParamPriority)
	}
	for _, b := range bindings {
		if readings[b.m.name] == collection.Elsewise && b.isPut() && onlyBool(b.m) {
			b.m.results = nil
			b.note = fmt.Sprintf("the bool that %s returns is not compared: it tells something else than whether it was done", b.m.name)
		}
		b.fitParams(bindings)
		b.fitResults(kind, item, content(bindings, oracle.ParamPriority))
		if b.misfit == unclearValue && atomicLike {
			b.likeAtomic()
		}
		if slot, said := readings[b.m.name]; said && b.misfit == unclearValue {
			b.misfit, b.slots = "", []oracle.Slot{oracle.Slot(slot)}
			b.note = fmt.Sprintf("%s returns the %s value", b.m.name, slot)
		}
		if slot, said := readings[b.m.name]; said && b.eitherSense {
			b.readBool(oracle.Slot(slot))
		}
		b.unclear = b.misfit == unclearValue
		if b.misfit != "" {
			b.misfit = b.m.name + " " + b.misfit
		}
	}
}

// fitParams compares an argument's type with those that mean the same elsewhere.
func (b *binding) fitParams(bindings []*binding) {
	for i, p := range b.params {
		same := p
		if p == oracle.ParamOld {
			same = oracle.ParamItem
		}
		if p == oracle.ParamDelta {
			if !isInteger(b.m.arg(i).Type()) {
				b.misfit = "adds something that is no integer"
			}
			continue
		}
		own := &source{b.m, b.m.arg(i), b.m.genericArg(i)}
		if other := content(bindings, same); other != nil && (!types.Identical(other.v.Type(), own.v.Type()) || own.mixes(other)) {
			b.misfit = fmt.Sprintf("takes a %s of another type than the others", p)
		}
	}
}

// fitResults dispatches on what roles can return.
func (b *binding) fitResults(kind oracle.Kind, item, priority *source) {
	cell := kind == oracle.Counter || kind == oracle.Register
	switch b.role {
	case oracle.Contains, oracle.IsEmpty, oracle.CompareAndSwap, oracle.CompareAndDelete:
		if len(b.m.results) != 1 || !isBool(b.m.result(0).Type()) {
			b.misfit = "does not return one bool"
			return
		}
		b.slots = []oracle.Slot{oracle.SlotOK}
	case oracle.Len:
		if len(b.m.results) != 1 || !isInteger(b.m.result(0).Type()) {
			b.misfit = "does not return one integer"
			return
		}
		b.slots = []oracle.Slot{oracle.SlotCount}
	case oracle.Take, oracle.TakeFront, oracle.TakeBack, oracle.Peek, oracle.PeekFront, oracle.PeekBack:
		b.fitItem(item, priority)
	case oracle.LoadOrStore, oracle.LoadAndDelete:
		b.fitItem(item, nil)
	case oracle.Load, oracle.Swap:
		if cell {
			b.fitCell(item)
			return
		}
		b.fitItem(item, nil)
	case oracle.Inc, oracle.Dec, oracle.AddTo, oracle.SubOf, oracle.Toggle, oracle.And, oracle.Or:
		b.fitCell(item)
	case oracle.Delete:
		b.fitDelete(item)
	case oracle.Store:
		b.fitDone()
		switch {
		case len(b.slots) == 0 || b.misfit != "":
		case b.slots[0] != oracle.SlotError:
			b.misfit = "returns a bool of which nothing is known"
		case kind == oracle.Map: // perhaps it refuses a key that is there
			b.misfit = "returns an error of which nothing is known"
		}
	default:
		b.fitDone()
	}
}

// fitDone allows no result, or one that tells whether it was done.
func (b *binding) fitDone() {
	switch {
	case len(b.m.results) == 0:
	case len(b.m.results) > 1:
		b.misfit = "returns more than whether it was done"
	case isError(b.m.result(0).Type()):
		b.slots = []oracle.Slot{oracle.SlotError}
	case isBool(b.m.result(0).Type()):
		b.slots = []oracle.Slot{b.polarity(b.m.result(0).Name())}
	default:
		b.misfit = "returns something else than whether it was done"
	}
	if b.role == oracle.Clear && len(b.slots) > 0 {
		b.misfit = "returns something of which nothing is known"
	}
}

// fitDelete allows Delete to give back the item, and then is LoadAndDelete.
func (b *binding) fitDelete(item *source) {
	if len(b.m.results) == 0 || len(b.m.results) == 1 && isBool(b.m.result(0).Type()) {
		b.fitDone()
		return
	}
	if b.role = oracle.LoadAndDelete; isError(b.m.result(0).Type()) {
		b.misfit = "returns an error, which may or may not tell of a missing key"
		return
	}
	b.fitItem(item, nil)
}

// fitItem allows an item with what tells whether there is one, and of a priority
// queue the priority.
func (b *binding) fitItem(item, priority *source) {
	if b.role == oracle.LoadOrStore && len(b.m.results) == 1 && isBool(b.m.result(0).Type()) {
		if strings.HasSuffix(fold(b.m.name), "ifabsent") {
			b.slots = []oracle.Slot{oracle.SlotNotOK}
		} else {
			b.misfit = "returns a bool of which nothing is known"
		}
		return
	}
	at := b.itemAt(item)
	if at < 0 {
		b.misfit = "does not return an item"
		return
	}
	b.slots = make([]oracle.Slot, len(b.m.results))
	for i := range b.slots {
		v := b.m.result(i)
		switch {
		case i == at:
			b.slots[i] = oracle.SlotItem
		case isError(v.Type()):
			b.slots[i] = oracle.SlotError
		case isBool(v.Type()):
			b.slots[i] = b.polarity(v.Name())
		case priority != nil && types.Identical(v.Type(), priority.v.Type()):
			b.slots[i] = oracle.SlotPriority
		default:
			b.misfit = "returns more than an item"
			return
		}
	}
	if slices.Contains(b.slots, oracle.SlotError) && slices.ContainsFunc(b.slots, func(s oracle.Slot) bool { return s == oracle.SlotOK || s == oracle.SlotNotOK }) {
		b.misfit = "returns a bool beside an error, of which nothing tells what it means"
		return
	}
	if !b.tells() && b.m.results[at].Nilable() {
		b.slots[at] = oracle.SlotItemOrNil
	}
	if b.extra() && !b.tells() {
		b.misfit = "returns only a value, so that nothing tells what it does when there is none"
	}
}

// resultSource is the i-th result with its declared counterpart.
func (m *method) resultSource(i int) *source {
	return &source{m, m.result(i), m.generic.Results().At(i)}
}

// itemAt finds the result that holds the item: one declared with a type parameter if the item is, rather than one that is as good when
// instantiated, as those of an embedded Ring[int] are for the item int.
func (b *binding) itemAt(item *source) int {
	if item == nil {
		return b.firstValue()
	}
	loose := -1
	for i := range b.m.results {
		own := b.m.resultSource(i)
		t := own.v.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok && !types.Identical(t, item.v.Type()) {
			t = p.Elem()
		}
		if !types.Identical(t, item.v.Type()) || own.mixes(item) {
			continue
		}
		if (parameterOf(own.generic.Type()) < 0) == (parameterOf(item.generic.Type()) < 0) {
			return i
		}
		if loose < 0 {
			loose = i
		}
	}
	return loose
}

// firstValue is the first result that is not a bool or an error.
func (b *binding) firstValue() int {
	for i := range b.m.results {
		if t := b.m.result(i).Type(); !isBool(t) && !isError(t) {
			return i
		}
	}
	return -1
}

// orderPriority tells item from priority among the two arguments of Put.
func (b *binding) orderPriority(bindings []*binding) {
	if b.role != oracle.Put || len(b.params) != 2 {
		return
	}
	first, ok := b.priorityFirst(bindings)
	if !ok {
		b.misfit = "takes two arguments, and nothing tells which is the priority"
	}
	b.params = []oracle.Param{oracle.ParamItem, oracle.ParamPriority}
	if first {
		slices.Reverse(b.params)
	}
}

func (b *binding) priorityFirst(bindings []*binding) (first, ok bool) {
	named := func(i int) bool {
		return slices.Contains([]string{"priority", "prio", "score", "key", "rank", "weight", "p", "pri"}, fold(b.m.arg(i).Name()))
	}
	if named(0) != named(1) {
		return named(0), true
	}
	generic := func(i int) bool { _, ok := b.m.genericArg(i).Type().(*types.TypeParam); return ok }
	if generic(0) != generic(1) {
		return generic(1), true
	}
	number := func(i int) bool { return isInteger(b.m.arg(i).Type()) }
	return number(0) && !number(1), number(0) != number(1)
}

// fitCell allows a counter's or a register's value, from before or from after.
func (b *binding) fitCell(item *source) {
	switch {
	case len(b.m.results) == 0 && b.role != oracle.Load:
		return
	case len(b.m.results) != 1:
		b.misfit = "returns more than the value"
		return
	case item != nil && (!types.Identical(b.m.result(0).Type(), item.v.Type()) || b.m.resultSource(0).mixes(item)),
		item == nil && !isInteger(b.m.result(0).Type()):
		b.misfit = "returns something else than the value"
		return
	}
	switch b.role {
	case oracle.Load:
		b.slots = []oracle.Slot{oracle.SlotItem}
	case oracle.Swap:
		b.slots = []oracle.Slot{oracle.SlotOld}
	default:
		if slot := b.oldOrNew(); slot != "" {
			b.slots = []oracle.Slot{slot}
			return
		}
		b.misfit = unclearValue
	}
}

const unclearValue = "returns a value: nothing tells whether that of before or that of after"

// resemblesAtomic tells registers with the methods of the integers of sync/atomic,
// whose conventions they can be expected to follow.
func resemblesAtomic(bindings []*binding) bool {
	add := find(bindings, oracle.AddTo)
	return add != nil && len(add.m.results) == 1 && find(bindings, oracle.Load) != nil &&
		find(bindings, oracle.Store) != nil && find(bindings, oracle.CompareAndSwap) != nil
}

// likeAtomic takes a value for the new one, or of And and Or for the old one, as in
// sync/atomic.
func (b *binding) likeAtomic() {
	b.misfit, b.slots = "", []oracle.Slot{oracle.SlotNew}
	b.note = "numbers that Add and the like return are the new value, as in sync/atomic"
	if b.role == oracle.And || b.role == oracle.Or {
		b.slots[0] = oracle.SlotOld
		b.note = "values that And and Or return are the old one, as in sync/atomic"
	}
}

// oldOrNew looks for a sign in the names of the method and of its result.
func (b *binding) oldOrNew() oracle.Slot {
	name, result := fold(b.m.name), fold(b.m.result(0).Name())
	switch {
	case strings.HasPrefix(name, "getand"), strings.HasPrefix(name, "fetch"),
		strings.HasPrefix(result, "old"), strings.HasPrefix(result, "prev"):
		return oracle.SlotOld
	case strings.HasSuffix(name, "andget"), strings.HasSuffix(name, "andfetch"), strings.HasPrefix(result, "new"):
		return oracle.SlotNew
	}
	return ""
}
