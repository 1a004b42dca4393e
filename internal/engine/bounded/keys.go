package bounded

import (
	"math/bits"
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/play"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Keys that are only compared with each other matter by their order alone. A state
// then holds keys by rank, and a call takes either one of them or a new one, at any
// place between: that covers all values, however many there are (an
// order abstraction; vm/state/keys.go checks what the code does with keys).
//
// In the monitor, where keys are names without order, key k of a saved state has the
// name k, and one that has been new since then the next name.

// ranksKeys says that keys may be abstracted: the oracle treats them as names, and the
// scope's bound on values excludes nothing.
func (v *verification) ranksKeys() bool {
	s := v.opt.Scope.Clients
	most := s.Calls() + s.PreAdds.To
	if v.opt.OneByOne || v.opt.Reduce&vm.RankedKeys == 0 || !v.monitor.Renamable() || s.Values < most || most >= vm.MaxKeys {
		return false
	}
	for i := range v.subject.Operations {
		if slices.Contains(v.subject.Operations[i].Client.Params, oracle.ParamKey) {
			return true
		}
	}
	return false
}

// freshKey gives the new key of a call, if it has one, its name.
func (c *cursor) freshKey(s client.Step) client.Step {
	c.between = 0
	if !c.sys.opt.keys {
		return s
	}
	at := slices.Index(c.sys.subject.Operations[s.Op].Client.Params, oracle.ParamKey)
	if at >= 0 && s.Args.At(at).Int < 0 {
		c.between, _ = vm.KeyOffset(vm.KeyBefore(int(-s.Args.At(at).Int - 1)))
		s.Args = s.Args.With(at, history.IntValue(int64(c.names)))
	}
	return s
}

// keyWord is the word of the key that has a name.
func (c *cursor) keyWord(name int) uint64 {
	if name == c.names && c.between > 0 {
		return vm.KeyBefore(c.between / 2)
	}
	return vm.Key(name)
}

// keyName is the name of the key at an offset.
func (c *cursor) keyName(at int) int {
	if at%2 == 1 {
		return c.names
	}
	return at/2 - 1
}

// rank renames the keys in the monitor's state by rank, given those that the machine's state
// holds. It returns all n that there are; 0 if they have their ranks as names already.
func (c *cursor) rank(id consist.ID, held uint64) (renamed consist.ID, present uint64, n int) {
	present = held
	live := c.monitor.Names(id)[oracle.Keys]
	for l := live; l != 0; l &= l - 1 {
		at, _ := vm.KeyOffset(c.keyWord(bits.TrailingZeros32(l)))
		present |= 1 << at
	}
	n = bits.OnesCount64(present)
	c.ranked = c.ranked[:0]
	for p := present; p != 0; p &= p - 1 {
		c.ranked = append(c.ranked, c.keyName(bits.TrailingZeros64(p)))
	}
	if canonical := uint64(1)<<(2*n+2) - 1; present == canonical&0x5555555555555554 {
		return id, 0, n
	}
	return c.renameKeys(id, live, present), present, n
}

func (c *cursor) renameKeys(id consist.ID, live uint32, present uint64) consist.ID {
	r := oracle.NoRenaming()
	plain := true
	for l := live; l != 0; l &= l - 1 {
		name := bits.TrailingZeros32(l)
		at, _ := vm.KeyOffset(c.keyWord(name))
		rank := play.RankOf(present, at)
		r[oracle.Keys][name] = uint8(rank)
		plain = plain && rank == name
	}
	if plain {
		return id
	}
	return c.monitor.RenameValues(id, c.renaming(r))
}
