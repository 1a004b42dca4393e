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

// Names renames the items and keys of a state, for a Place of either form.
//
// Items are renamed in saved states (vm/state, items.go), together with the listener's state. A saved state has the items 0, 1, …:
// first those in the place, then those that only the listener remembers. A new item gets the next number. To clients and oracle item k
// is the value k+1, because code returns 0 where it has no item.
//
// Of keys that the code only compares with each other, only their order matters. A state then contains each key's rank, and a call
// takes one of these keys or a new one anywhere between them: that covers all values (an order abstraction; vm/state/keys.go checks
// what the code does with keys). To the listener a key is a name without order: key k of a saved state has the name k, and a key that
// is new since then the next one.
type Names struct {
	At       Place // the place whose states are renamed
	opt      *Options
	m        *vm.Machine
	listener *Listener
	// items and keys are their numbers in the loaded state; between is the offset of the new key of this turn, 0 if there is
	// none.
	items, keys, between int
	// Before lists, for each key of the last saved state, its name before that.
	Before    []int
	words     []uint64
	answers   []answer // cache of Items
	renamings map[oracle.Renaming]oracle.RenamingID
}

// Renamed tells which words are known by names and not by value.
type Renamed struct {
	Generic bool // items: a machine reports if the code looks at one
	Items   bool // items are renumbered in saved states as well
	Keys    bool // keys are replaced by their ranks
	Numbers bool // thread numbers that the code asks for are renamed with the threads
}

// Looked reports what the code did with renamed words that it must not do. Words that are not renamed do not count: fmt looks at
// everything that it is given.
func (r *Renamed) Looked(l vm.Looked) vm.Looked {
	return vm.Looked{Items: l.Items && r.Generic, Keys: l.Keys && r.Keys, Numbers: l.Numbers && r.Numbers, Asked: l.Asked}
}

// NewNames makes a place and the names for it.
func NewNames(img *vm.Image, opt *Options, l *Listener) *Names {
	n := &Names{opt: opt, listener: l, renamings: map[oracle.Renaming]oracle.RenamingID{}}
	opt.Words = n.Words
	n.At = NewPlace(img, opt)
	n.m = n.At.Stand()
	return n
}

// Load reads the numbers of items and keys from the plan's word of a state.
func (n *Names) Load(all uint64) {
	n.items, n.keys, n.between = int(all>>client.ItemsShift&0xff), int(all>>client.KeysShift&0xff), 0
}

// Forget clears Before, for a state without keys.
func (n *Names) Forget() { n.Before = n.Before[:0] }

// param is the index of an operation's parameter; -1: it has none.
func (n *Names) param(op int, p oracle.Param) int {
	return slices.Index(n.opt.Operations[op].Client.Params, p)
}

// Fresh returns the call with numbers for its new item and its new key that the state does not have yet.
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

// Begin sets up a turn that begins with a call; k is the call's number in the plan.
func (n *Names) Begin(t *Turn, s *client.Step, k int) {
	t.Begins, t.Call, t.Number = true, *s, 0
	// Calls with the same number in the plan have the same arguments, apart from the name of a new item.
	if n.opt.Items || !n.opt.Generic {
		t.Number = uint32(k) + 1
	}
	if n.opt.Items && n.param(s.Op, oracle.ParamItem) >= 0 {
		t.Fresh = n.items
	}
}

// Words returns the argument words of a call, the collection first.
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

// Values converts result words to values: items and keys to their names. items lists the indices of words that may be items.
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

// Result is the result of a call of an operation, from its result words.
func (n *Names) Result(op *subject.Operation, words []uint64) history.Tuple {
	return op.Tuple(n.Values(words, op.Items))
}

// tellItems reports a look at an item if a returned word that may be an item is a small number: the code has perhaps computed an item's
// value by chance, and that must not depend on how items are numbered.
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

// Rename renumbers items and keys in the state that the place has sorted, and in the listener's state. It returns their numbers for the
// plan's word; ok is false if the place has changed its form and must be sorted again.
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

// Items renumbers the items in a listener's state: first those in order, the items of the place, then the others. It returns how many
// there are, too.
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

// answer is a cached result of Items, until another one replaces it. Many steps change neither the listener's state nor the items, and
// orders of threads that are tried in turn mostly repeat the same question.
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

// pack encodes an order of at most 12 items as a word.
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

// renaming returns the listener's number of a renaming.
func (n *Names) renaming(r oracle.Renaming) oracle.RenamingID {
	id, ok := n.renamings[r]
	if !ok {
		id = n.listener.Renaming(r)
		n.renamings[r] = id
	}
	return id
}

// keyWord is the machine's word for the key with a name.
func (n *Names) keyWord(name int) uint64 {
	if name == n.keys && n.between > 0 {
		return vm.KeyBefore(n.between / 2)
	}
	return vm.Key(name)
}

// keyName is the name of the key at an offset: odd offsets are between the ranks of known keys.
func (n *Names) keyName(at int) int {
	if at%2 == 1 {
		return n.keys
	}
	return at/2 - 1
}

// rank renumbers the keys in the listener's state by rank. held is the set of offsets of the place's keys. It returns the set of all
// offsets, 0 if every key has its rank already, and the number of keys.
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
