// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"math/bits"
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
	"pangolin/oracle"
)

// Names are those of the items and keys of a state, for a place in either form.
//
// Items are renamed in saved states (vm/state, items.go), and the listener's state with them. The items of a saved state
// have the names 0, 1, …: first those in the place, then those that only the listener remembers. A new item takes the next
// name. To clients and oracle item k is the value k+1, for 0 is what code returns that has no item to return.
//
// Keys that are only compared with each other matter by their order alone. A state then holds keys by rank, and a
// call takes either one of them or a new one, at any place between: that covers all values, however many there are
// (an order abstraction; vm/state/keys.go checks what the code does with keys). To the listener keys are names without order:
// key k of a saved state has the name k, and one that has been new since then the next name.
type Names struct {
	At       Place // where they are used
	opt      *Options
	m        *vm.Machine
	listener *Listener
	// Of the state that was loaded: how many items and keys it has. Since then: where a new key stands, 0 if there is none.
	items, keys, between int
	// Before lists, of the last saved state, for each key the name that it had before.
	Before    []int
	words     []uint64
	answers   []answer // see Items
	renamings map[oracle.Renaming]oracle.RenamingID
}

// Renamed says what is not known by its value.
type Renamed struct {
	Generic bool // items are watched: the code does not look at them
	Items   bool // and renamed
	Keys    bool // are held by rank
	Numbers bool // of threads are renamed: symmetry although the code asks for them
}

// Looked is what the code does with renamed words that it must not do. What is not renamed does not count:
// fmt looks at everything that it is given.
func (r *Renamed) Looked(l vm.Looked) vm.Looked {
	return vm.Looked{Items: l.Items && r.Generic, Keys: l.Keys && r.Keys, Numbers: l.Numbers && r.Numbers, Asked: l.Asked}
}

// NewNames makes the names of the place that it makes.
func NewNames(img *vm.Image, opt *Options, l *Listener) *Names {
	n := &Names{opt: opt, listener: l, renamings: map[oracle.Renaming]oracle.RenamingID{}}
	opt.Words = n.Words
	n.At = NewPlace(img, opt)
	n.m = n.At.Stand()
	return n
}

// Load reads how many there are from the plan's word of a state.
func (n *Names) Load(all uint64) {
	n.items, n.keys, n.between = int(all>>client.ItemsShift&0xff), int(all>>client.KeysShift&0xff), 0
}

// Forget forgets that keys were renamed, in a state that names none.
func (n *Names) Forget() { n.Before = n.Before[:0] }

// param is the index of an operation's parameter; -1: it has none.
func (n *Names) param(op int, p oracle.Param) int {
	return slices.Index(n.opt.Operations[op].Client.Params, p)
}

// Fresh gives the item and the key that a call brings names that the state does not have.
func (n *Names) Fresh(s client.Step) client.Step {
	if n.opt.Items {
		if at := n.param(s.Op, oracle.ParamItem); at >= 0 {
			s.Args = s.Args.With(at, history.IntValue(int64(n.items+1)))
		}
	}
	n.between = 0
	if !n.opt.Keys {
		return s
	}
	if at := n.param(s.Op, oracle.ParamKey); at >= 0 && s.Args.At(at).Int < 0 {
		n.between, _ = vm.KeyOffset(vm.KeyBefore(int(-s.Args.At(at).Int - 1)))
		s.Args = s.Args.With(at, history.IntValue(int64(n.keys)))
	}
	return s
}

// Begin makes a turn begin with a call that has the number k in the plan.
func (n *Names) Begin(t *Turn, s *client.Step, k int) {
	t.Begins, t.Call, t.Number = true, *s, 0
	// An item that the call brings has no name in it; if there is no other either, the plan's number says it all.
	if n.opt.Items || !n.opt.Generic {
		t.Number = uint32(k) + 1
	}
	if n.opt.Items && n.param(s.Op, oracle.ParamItem) >= 0 {
		t.Fresh = n.items
	}
}

// Words are the argument words of a call.
func (n *Names) Words(s *client.Step) []uint64 {
	op := &n.opt.Operations[s.Op]
	n.words = op.Words(n.words[:0], n.At.Root(), s.Args)
	for i, p := range op.Client.Params {
		switch {
		case p == oracle.ParamItem && n.opt.Generic:
			n.words[i+1] = vm.Item(int(s.Args.At(i).Int - 1))
		case p == oracle.ParamKey && n.opt.Keys:
			n.words[i+1] = n.keyWord(int(s.Args.At(i).Int))
		}
	}
	return n.words
}

// Values gives words of results, items and keys as values. Those at the indices in items are items for all that is known.
func (n *Names) Values(words []uint64, items []int) []uint64 {
	if !n.opt.Generic && !n.opt.Keys && !n.opt.Numbers {
		return words
	}
	n.tellItems(words, items)
	n.words = append(n.words[:0], words...)
	for j, w := range n.words {
		if k, ok := vm.AsItem(w); ok {
			n.words[j] = uint64(k + 1)
		} else if at, ok := vm.KeyOffset(w); ok {
			n.words[j] = uint64(n.keyName(at))
		} else {
			n.m.Inspect(w)
		}
	}
	return n.words
}

// Result is what a call of an operation has returned.
func (n *Names) Result(op *subject.Operation, words []uint64) history.Tuple {
	return op.Tuple(n.Values(words, op.Items))
}

// tellItems looks for a number where an item is returned: it could be an item's value by
// chance, and which one, if any, must not depend on how items are numbered.
func (n *Names) tellItems(words []uint64, items []int) {
	if !n.opt.Generic {
		return
	}
	for _, j := range items {
		if j < len(words) && words[j]-1 < vm.MaxItems {
			n.m.Inspect(vm.Item(0))
		}
	}
}

// Rename names items and keys anew in the state that the place has sorted, and in that of the listener. It gives how many there
// are, for the plan's word; false if the place has changed its form and has to be sorted again.
func (n *Names) Rename(id consist.ID) (renamed consist.ID, counts uint64, ok bool) {
	if n.opt.Items {
		items := 0
		id, items = n.Items(id, n.At.Items())
		counts = uint64(items) << client.ItemsShift
	}
	if !n.opt.Keys {
		return id, counts, true
	}
	id, present, keys := n.rank(id, n.At.Keys())
	return id, counts | uint64(keys)<<client.KeysShift, n.At.Rank(present)
}

// Items is a listener's state with its items named: first those that the place names, in their order, then the others. It
// returns the number of names as well.
func (n *Names) Items(id consist.ID, order []uint8) (consist.ID, int) {
	packed, ok := pack(order)
	if !ok || n.listener.Loose(id) {
		return n.nameItems(id, order)
	}
	if n.answers == nil {
		n.answers = make([]answer, answers)
	}
	a := &n.answers[(uint64(id)*0x9e3779b97f4a7c15^packed*0xd6e8feb86659fd93)>>(64-answerBits)]
	if a.as == consist.Rejected || a.id != id || a.order != packed {
		*a = answer{order: packed, id: id}
		as, names := n.nameItems(id, order)
		a.as, a.names = n.listener.Settle(as), int32(names)
	}
	return a.as, int(a.names)
}

// answer is one of Items that is kept until another one takes its place: many steps leave the listener and the items alone,
// and orders of threads that are tried one after the other mostly ask for the same.
type answer struct {
	order  uint64
	id, as consist.ID // as is Rejected in an empty place
	names  int32
}

const (
	answerBits = 13
	answers    = 1 << answerBits
	itemBits   = 5
)

// pack puts an order of few items into a word.
func pack(order []uint8) (word uint64, ok bool) {
	for _, k := range order {
		word = word<<itemBits | uint64(k)
	}
	return word<<4 | uint64(len(order)), len(order) <= 12
}

func (n *Names) nameItems(id consist.ID, order []uint8) (consist.ID, int) {
	live := n.listener.Names(id)[oracle.Items] >> 1 // without 0, which is no item
	r := oracle.NoRenaming()
	next, plain := 0, true
	give := func(k int) {
		r[oracle.Items][k+1] = uint8(next + 1)
		plain = plain && k == next
		next++
		live &^= 1 << k
	}
	for _, k := range order {
		give(int(k))
	}
	for k := 0; live != 0; k++ {
		if live>>k&1 != 0 {
			give(k)
		}
	}
	if plain {
		return id, next
	}
	return n.listener.RenameValues(id, n.renaming(r)), next
}

// renaming numbers a renaming.
func (n *Names) renaming(r oracle.Renaming) oracle.RenamingID {
	id, ok := n.renamings[r]
	if !ok {
		id = n.listener.Renaming(r)
		n.renamings[r] = id
	}
	return id
}

// keyWord is the word of the key that has a name.
func (n *Names) keyWord(name int) uint64 {
	if name == n.keys && n.between > 0 {
		return vm.KeyBefore(n.between / 2)
	}
	return vm.Key(name)
}

// keyName is the name of the key at an offset.
func (n *Names) keyName(at int) int {
	if at%2 == 1 {
		return n.keys
	}
	return at/2 - 1
}

// rank renames the keys in the listener's state by rank, given those that the place holds. It returns all that
// there are, 0 if they have their ranks as names already, and how many.
func (n *Names) rank(id consist.ID, held uint64) (renamed consist.ID, present uint64, keys int) {
	present = held
	live := n.listener.Names(id)[oracle.Keys]
	for l := live; l != 0; l &= l - 1 {
		at, _ := vm.KeyOffset(n.keyWord(bits.TrailingZeros32(l)))
		present |= 1 << at
	}
	keys = bits.OnesCount64(present)
	n.Before = n.Before[:0]
	for p := present; p != 0; p &= p - 1 {
		n.Before = append(n.Before, n.keyName(bits.TrailingZeros64(p)))
	}
	if canonical := uint64(1)<<(2*keys+2) - 1; present == canonical&0x5555555555555554 {
		return id, 0, keys
	}
	return n.renameKeys(id, live, present), present, keys
}

func (n *Names) renameKeys(id consist.ID, live uint32, present uint64) consist.ID {
	r := oracle.NoRenaming()
	plain := true
	for l := live; l != 0; l &= l - 1 {
		name := bits.TrailingZeros32(l)
		at, _ := vm.KeyOffset(n.keyWord(name))
		rank := parts.RankOf(present, at)
		r[oracle.Keys][name] = uint8(rank)
		plain = plain && rank == name
	}
	if plain {
		return id
	}
	return n.listener.RenameValues(id, n.renaming(r))
}
