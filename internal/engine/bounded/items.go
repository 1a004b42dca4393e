package bounded

import (
	"encoding/json"
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Generic items are renamed in saved states (package vm, items.go), and the monitor's
// state with them. The items of a saved state have the names 0, 1, …: first those in
// the machine's state, then those that only the monitor remembers. A new item takes
// the next name.

// generic says that generic items can be watched: there are words enough. Item k is the
// value k+1 to clients and oracle, for 0 is what code returns that has no item to return.
func (v *verification) generic() bool {
	s := v.opt.Scope.Clients
	return s.GenericValues && s.Calls()+s.PreAdds.To <= vm.MaxItems
}

// ordersItems says that items are no names even to the oracle: they are their own priorities.
func (v *verification) ordersItems() bool {
	takes := func(p oracle.Param) bool {
		return slices.ContainsFunc(v.space.Ops, func(o client.Op) bool { return slices.Contains(o.Params, p) })
	}
	return v.space.Scope.GenericValues && v.subject.About.Oracle == string(oracle.PQueue) && takes(oracle.ParamItem) && !takes(oracle.ParamPriority)
}

// takesItems says that some operation takes an item.
func (v *verification) takesItems() bool {
	return slices.ContainsFunc(v.space.Ops, func(o client.Op) bool { return slices.Contains(o.Params, oracle.ParamItem) })
}

// renamesItems says that items may be renamed: they are generic, and the oracle treats
// them as names.
func (v *verification) renamesItems() bool {
	return v.space.Scope.GenericValues && v.takesItems() && !v.opt.OneByOne && v.opt.Reduce&vm.RenamedItems != 0 && v.monitor.Renamable()
}

// chooseItems gives up that items are generic: the code looks at them. From now on they
// are chosen among the scope's values, equal ones in any order, zero included.
func (v *verification) chooseItems() error {
	scope := v.space.Scope
	scope.GenericValues = false
	v.items = false
	// Where an item is its own priority, equal ones are now among the choices.
	scope.DistinctPriorities = scope.DistinctPriorities &&
		slices.ContainsFunc(v.space.Ops, func(o client.Op) bool { return slices.Contains(o.Params, oracle.ParamPriority) })
	return v.rescope(scope)
}

// rescope goes on with another set of clients.
func (v *verification) rescope(scope client.Scope) (err error) {
	if v.space, err = client.NewSpace(scope, v.space.Ops); err != nil {
		return err
	}
	v.result.Scope, v.result.Clients = scope, json.Number(v.space.Count().String())
	return nil
}

// argumentWords gives the argument words of a call.
func (c *cursor) argumentWords(s *client.Step) []uint64 {
	op := &c.sys.subject.Operations[s.Op]
	c.words = op.Words(c.words[:0], c.place.Root(), s.Args)
	for i, p := range op.Client.Params {
		switch {
		case p == oracle.ParamItem && c.sys.opt.generic:
			c.words[i+1] = vm.Item(int(s.Args.At(i).Int - 1))
		case p == oracle.ParamKey && c.sys.opt.keys:
			c.words[i+1] = c.keyWord(int(s.Args.At(i).Int))
		}
	}
	return c.words
}

// asValues gives words of results, items and keys as values.
func (c *cursor) asValues(words []uint64, op *subject.Operation) []uint64 {
	if !c.sys.opt.generic && !c.sys.opt.keys && !c.sys.opt.numbers {
		return words
	}
	c.tellItems(words, op)
	c.words = append(c.words[:0], words...)
	for j, w := range c.words {
		if k, ok := vm.AsItem(w); ok {
			c.words[j] = uint64(k + 1)
		} else if at, ok := vm.KeyOffset(w); ok {
			c.words[j] = uint64(c.keyName(at))
		} else {
			c.m.Inspect(w)
		}
	}
	return c.words
}

// tellItems looks for a number where an item is returned: it could be an item's value by
// chance, and which one, if any, must not depend on how items are numbered.
func (c *cursor) tellItems(words []uint64, op *subject.Operation) {
	if !c.sys.opt.generic {
		return
	}
	for _, j := range op.Items {
		if j < len(words) && words[j]-1 < vm.MaxItems {
			c.m.Inspect(vm.Item(0))
		}
	}
}

// fresh replaces the item that a call adds by one that the state does not hold.
func (c *cursor) fresh(s client.Step) client.Step {
	if !c.sys.opt.items {
		return s
	}
	if at := slices.Index(c.sys.subject.Operations[s.Op].Client.Params, oracle.ParamItem); at >= 0 {
		s.Args = s.Args.With(at, history.IntValue(int64(c.items+1)))
	}
	return s
}

// withItems is a monitor's state with its items named: first those that the machine
// names, in their order, then the others. It returns the number of names as well.
func (c *cursor) withItems(id consist.ID, order []uint8) (consist.ID, int) {
	packed, ok := pack(order)
	if !ok || c.loose(id) {
		return c.nameItems(id, order)
	}
	if c.named == nil {
		c.named = make([]named, namedAnswers)
	}
	n := &c.named[(uint64(id)*0x9e3779b97f4a7c15^packed*0xd6e8feb86659fd93)>>(64-namedBits)]
	if n.as == consist.Rejected || n.id != id || n.order != packed {
		*n = named{order: packed, id: id}
		as, names := c.nameItems(id, order)
		n.as, n.names = c.settled(as), int32(names)
	}
	return n.as, int(n.names)
}

// named is an answer of withItems that is kept until another one takes its place: many steps
// leave the monitor and the items alone, and orders of threads that are tried one after the other
// mostly ask for the same.
type named struct {
	order  uint64
	id, as consist.ID // as is Rejected in an empty place
	names  int32
}

const (
	namedBits    = 13
	namedAnswers = 1 << namedBits
	itemBits     = 5
)

// pack puts an order of few items into a word.
func pack(order []uint8) (word uint64, ok bool) {
	for _, k := range order {
		word = word<<itemBits | uint64(k)
	}
	return word<<4 | uint64(len(order)), len(order) <= 12
}

func (c *cursor) nameItems(id consist.ID, order []uint8) (consist.ID, int) {
	monitor := c.monitor
	live := monitor.Names(id)[oracle.Items] >> 1 // without 0, which is no item
	r := oracle.NoRenaming()
	next := 0
	plain := true
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
	return monitor.RenameValues(id, c.renaming(r)), next
}

// renaming numbers a renaming.
func (c *cursor) renaming(r oracle.Renaming) oracle.RenamingID {
	id, ok := c.renamings[r]
	if !ok {
		id = c.sys.monitor.Renaming(r)
		c.renamings[r] = id
	}
	return id
}
