package bounded

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
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
	steps := s.Steps.To
	if s.PerThread > 0 {
		steps = s.PerThread * s.Threads.To
	}
	if v.opt.Clients || v.opt.Reduce.NoItems || !s.GenericValues || !v.monitor.Renamable() || steps+s.PreAdds.To > vm.MaxItems {
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
	c.words = argumentWords(c.words[:0], c.m.Root(0), s.Args)
	if c.sys.opt.items {
		for i, p := range c.sys.subject.Operations[s.Op].Client.Params {
			if p == oracle.ParamItem {
				c.words[i+1] = vm.Item(int(s.Args.At(i).Int))
			}
		}
	}
	return c.words
}

// resultWords gives what thread i's call returned, items as numbers.
func (c *cursor) resultWords(i int) []uint64 {
	words := c.m.Results(i)
	if !c.sys.opt.items {
		return words
	}
	c.words = append(c.words[:0], words...)
	for j, w := range c.words {
		if k, ok := vm.AsItem(w); ok {
			c.words[j] = uint64(k)
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
		s.Args = s.Args.With(at, history.IntValue(int64(c.names)))
	}
	return s
}

// numbered gives the item that a call of a recording adds the next number. Names in
// saved states change from one to the next, so they are of no use to a reader.
func (s *system) numbered(step client.Step, rec *Recording) client.Step {
	if !s.opt.items {
		return step
	}
	at := slices.Index(s.subject.Operations[step.Op].Client.Params, oracle.ParamItem)
	if at < 0 {
		return step
	}
	next := 0
	for _, list := range [][]client.Step{rec.Pre, rec.Calls} {
		for _, c := range list {
			if slices.Contains(s.subject.Operations[c.Op].Client.Params, oracle.ParamItem) {
				next++
			}
		}
	}
	step.Args = step.Args.With(at, history.IntValue(int64(next)))
	return step
}

// withItems is a monitor's state with its items named: first those that the machine
// names, in their order, then the others. It returns the number of names as well.
func (c *cursor) withItems(id consist.ID, order []uint8) (consist.ID, int) {
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
