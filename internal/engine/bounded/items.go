package bounded

import (
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

// renamesItems says that items may be renamed: the scope's items are generic, the
// oracle treats them as names, no result confuses an item with its absence, and there
// are names enough.
func (v *verification) renamesItems() bool {
	s := v.opt.Scope
	if v.opt.Clients || v.opt.Reduce&vm.RenamedItems == 0 || !s.GenericValues || !v.monitor.Renamable() || calls(s)+s.PreAdds.To > vm.MaxItems {
		return false
	}
	named := false
	for i := range v.subject.Operations {
		named = named || slices.Contains(v.subject.Operations[i].Client.Params, oracle.ParamItem)
		if !v.subject.Operations[i].TellsItems {
			return false
		}
	}
	return named
}

// argumentWords gives the argument words of a call.
func (c *cursor) argumentWords(s client.Step) []uint64 {
	c.words = subject.ArgumentWords(c.words[:0], c.m.Root(0), s.Args)
	for i, p := range c.sys.subject.Operations[s.Op].Client.Params {
		switch {
		case p == oracle.ParamItem && c.sys.opt.items:
			c.words[i+1] = vm.Item(int(s.Args.At(i).Int))
		case p == oracle.ParamKey && c.sys.opt.keys:
			c.words[i+1] = c.keyWord(int(s.Args.At(i).Int))
		}
	}
	return c.words
}

// resultWords gives what thread i's call returned, items as numbers.
func (c *cursor) resultWords(i int) []uint64 {
	words := c.m.Results(i)
	if !c.sys.opt.items && !c.sys.opt.keys && !c.sys.opt.numbers {
		return words
	}
	c.words = append(c.words[:0], words...)
	for j, w := range c.words {
		if k, ok := vm.AsItem(w); ok {
			c.words[j] = uint64(k)
		} else if at, ok := vm.KeyOffset(w); ok {
			c.words[j] = uint64(c.keyName(at))
		} else {
			c.m.Inspect(w)
		}
	}
	return c.words
}

// fresh replaces the item that a call adds by one that the state does not hold.
func (c *cursor) fresh(s client.Step) client.Step {
	if !c.sys.opt.items {
		return s
	}
	if at := slices.Index(c.sys.subject.Operations[s.Op].Client.Params, oracle.ParamItem); at >= 0 {
		s.Args = s.Args.With(at, history.IntValue(int64(c.items)))
	}
	return s
}

// withItems is a monitor's state with its items named: first those that the machine
// names, in their order, then the others. It returns the number of names as well.
func (c *cursor) withItems(id consist.ID, order []uint8) (consist.ID, int) {
	last := &c.named
	if id != last.id || !slices.Equal(order, last.order) {
		last.id, last.order = id, append(last.order[:0], order...)
		last.as, last.names = c.nameItems(id, order)
	}
	return last.as, last.names
}

// named is the last answer of withItems. Orders of threads that are tried one after the
// other mostly ask for the same.
type named struct {
	id    consist.ID
	order []uint8
	as    consist.ID
	names int
}

func (c *cursor) nameItems(id consist.ID, order []uint8) (consist.ID, int) {
	monitor := c.sys.monitor
	live := monitor.Names(id)[oracle.Items]
	r := oracle.NoRenaming()
	next := 0
	plain := true
	give := func(k int) {
		r[oracle.Items][k] = uint8(next)
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
func (c *cursor) renaming(r oracle.Renaming) consist.RenamingID {
	id, ok := c.renamings[r]
	if !ok {
		id = c.sys.monitor.Renaming(r)
		c.renamings[r] = id
	}
	return id
}
