// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/state"
)

// hash/maphash has a hash model in place of its random hash functions: an integer
// is its own hash, and anything else a sum that depends on the bytes alone, to which
// pointers do not contribute. There are two seeds, and which of them is drawn is a decision: with the second one,
// a hash is the complement of what it is with the first, so that two draws give the same hashes or others, with other
// lowest and highest bits. A search may be asked to make up the values
// (hash.go); then what stands here says which inputs are the same. What a program does with other hash values is not
// covered, which the verdict says (fixed.go).
//
// A Hash uses its real struct's word "state" for the sum of what was written, and "seed" for its seed, which it draws
// where Go's does: not before it is needed.

var hashBuiltins = map[string]*builtin{
	"hash/maphash.MakeSeed": simple(func(c *call) { c.out[0] = c.m.drawSeed() }),
	"hash/maphash.String":   {run: func(c *call) control { return c.hashOf(sum(0, c.m.textBytes(c.args[1]))) }},
	"hash/maphash.Bytes": {visible: ifTouched, plainly: readsSlice(1), run: func(c *call) control {
		return c.hashOf(sum(0, c.slice(1)))
	}},
	"hash/maphash.Comparable": {run: func(c *call) control {
		return c.hash(0, 1, func(h uint64) { c.out[0] = c.m.seeded(c.args[0], h) })
	}},
	"hash/maphash.WriteComparable":     {visible: ifTouched, plainly: writesState, run: ofHash(func(c *call) control { return c.hash(c.state(), 1, c.setState) })},
	"(*hash/maphash.Hash).Write":       {visible: ifTouched, plainly: writesBytes, run: ofHash(func(c *call) control { return c.written(c.slice(1)) })},
	"(*hash/maphash.Hash).WriteString": {visible: ifTouched, plainly: writesState, run: ofHash(func(c *call) control { return c.written(c.m.textBytes(c.args[1])) })},
	"(*hash/maphash.Hash).WriteByte":   {visible: ifTouched, plainly: writesState, run: ofHash(func(c *call) control { c.setState(sum(c.state(), c.args[1:2])); return ctlNext })},
	"(*hash/maphash.Hash).Reset":       {visible: ifTouched, plainly: resetsState, run: ofHash(func(c *call) control { c.seed(); c.setState(0); return ctlNext })},
	"(*hash/maphash.Hash).Sum64":       {visible: ifTouched, plainly: readsState, run: ofHash(func(c *call) control { c.out[0] = c.m.seeded(c.seed(), c.state()); return ctlNext })},
	"(*hash/maphash.Hash).Seed":        {visible: ifTouched, plainly: readsSeed, run: ofHash(func(c *call) control { c.out[0] = c.seed(); return ctlNext })},
	"(*hash/maphash.Hash).SetSeed": {visible: ifTouched, plainly: setsSeed, run: ofHash(func(c *call) control {
		if c.args[1] == 0 {
			return c.m.throwString(c.t, noSeed)
		}
		c.set(0, c.word("seed"), c.args[1])
		c.setState(0)
		return ctlNext
	})},
	"(*hash/maphash.Hash).Size":      simple(func(c *call) { c.out[0] = 8 }),
	"(*hash/maphash.Hash).BlockSize": simple(func(c *call) { c.out[0] = 128 }),
	"runtime.memhash": {visible: ifTouched, plainly: readsHashed, run: func(c *call) control {
		if c.args[2] == 0 {
			return ctlNext
		}
		if !c.bytesAt(c.args[0], c.args[2]) {
			c.m.Fail(FaultUnsupported, "runtime.memhash of other memory than bytes")
			return ctlStop
		}
		words := c.m.Words(c.args[0], int(c.args[2]))
		c.m.LooksAtAll(words)
		c.out[0] = c.m.hashOf(sum(c.args[1], words))
		return ctlNext
	}},
	"internal/abi.Escape":   simple(func(c *call) { copy(c.out, c.args) }),
	"internal/abi.NoEscape": simple(func(c *call) { copy(c.out, c.args) }),
}

// readsHashed is what memhash reads: bytes, from the first argument on.
func readsHashed(c *call, dst []access) []access {
	if c.args[2] == 0 || !c.bytesAt(c.args[0], c.args[2]) {
		return dst
	}
	return reads(dst, c.args[0], int(c.args[2]))
}

// bytesAt says that n words from p on hold one byte each: of other numbers a word holds several, and a word of a
// reference or a string is no content.
func (c *call) bytesAt(p, n uint64) bool {
	if p == 0 || p&ir.TypeTag != 0 {
		return false
	}
	o := &c.m.Objs[p>>32]
	class := o.Info.Type.Class
	return (class == ir.Uint8 || class == ir.Int8 || class == ir.Bool) && uint64(state.Offset(p))+n <= uint64(o.Words())
}

// sum adds bytes to a hash (FNV's way of mixing, from 0).
func sum(h uint64, bytes []uint64) uint64 {
	for _, b := range bytes {
		h = (h ^ b) * 1099511628211
	}
	return h
}

// slice returns the elements of a slice of one-word elements, argument words i to
// i+2.
func (c *call) slice(i int) []uint64 {
	if c.args[i+1] == 0 {
		return nil
	}
	return c.m.Words(c.args[i], int(c.args[i+1]))
}

// noSeed is what a function panics with that is given the zero Seed.
const noSeed = "maphash: use of uninitialized Seed"

// maker says whether a seed that is drawn now is the first one of a constructor.
type maker uint8

const (
	other    maker = iota // something else runs, or the constructor has drawn a seed
	awaited               // nothing has been called since the machine was reset
	unseeded              // the first call of the execution runs, and has drawn none; no state has been loaded
)

// drawSeed is a new seed, 1 or 2, by a decision. The first one that a constructor draws is 1, and so is the first one of
// package initialisation, which is executed once for all executions if it needs no decision: what is assumed of a hash
// with seed 1 is assumed of one function, and no other seed was there before that could be another. Who may go on in a
// state that was loaded, or beside goroutines, decides.
func (m *Machine) drawSeed() uint64 {
	init, initialises := m.chooser.(*undecided)
	switch {
	case initialises && !init.seeded:
		init.seeded = true
		return 1
	case m.maker == unseeded && !slices.ContainsFunc(m.Thread, func(t *state.Thread) bool { return !t.Keep }):
		m.maker = other
		return 1
	}
	return 1 + uint64(m.choose(2))
}

// seeded is the hash of a sum with a seed.
func (m *Machine) seeded(seed, sum uint64) uint64 {
	if seed == 2 {
		sum = ^sum
	}
	return m.hashOf(sum)
}

// hashOf gives the hash of a sum with the seed in the first argument.
func (c *call) hashOf(sum uint64) control {
	if c.args[0] == 0 {
		return c.m.throwString(c.t, noSeed)
	}
	c.out[0] = c.m.seeded(c.args[0], sum)
	return ctlNext
}

// ofHash makes a function of one that is given a Hash.
func ofHash(run func(*call) control) func(*call) control {
	return func(c *call) control {
		if c.args[0] == 0 {
			return c.m.throwError(c.t, nilMessage)
		}
		return run(c)
	}
}

// word is where a Hash keeps its seed, or its state.
func (c *call) word(name string) int {
	for _, f := range c.fn.Params[0].Elem.Fields {
		if f.Name == name {
			return f.Offset
		}
	}
	return 0
}

// seed is that of a Hash, which draws one if it has none.
func (c *call) seed() uint64 {
	at := c.word("seed")
	if s := c.object(0, at+1)[at]; s != 0 {
		return s
	}
	s := c.m.drawSeed()
	c.set(0, at, s)
	return s
}

// readsSeed is what seed accesses.
func readsSeed(c *call, dst []access) []access {
	at := c.word("seed")
	if c.args[0] != 0 && c.object(0, at+1)[at] == 0 {
		return setsSeed(c, dst)
	}
	return reads(dst, c.args[0]+uint64(at), 1)
}

// setsSeed is what sets a seed: the state is that of no bytes with it.
func setsSeed(c *call, dst []access) []access {
	return writes(writesState(c, dst), c.args[0]+uint64(c.word("seed")), 1)
}

func readsState(c *call, dst []access) []access {
	return reads(readsSeed(c, dst), c.args[0]+uint64(c.word("state")), 1)
}

func writesState(c *call, dst []access) []access {
	return writes(dst, c.args[0]+uint64(c.word("state")), 1)
}

func resetsState(c *call, dst []access) []access { return readsSeed(c, writesState(c, dst)) }

func writesBytes(c *call, dst []access) []access { return readsSlice(1)(c, writesState(c, dst)) }

func (c *call) state() uint64 { return c.object(0, c.word("state")+1)[c.word("state")] }

func (c *call) setState(h uint64) { c.set(0, c.word("state"), h) }

// written adds bytes to a Hash and returns how many they are.
func (c *call) written(bytes []uint64) control {
	c.out[0] = uint64(len(bytes))
	c.setState(sum(c.state(), bytes))
	return ctlNext
}

// hash adds the comparable value in parameter i to a hash.
func (c *call) hash(h uint64, i int, give func(uint64)) control {
	t := c.fn.Params[i]
	at := sizeBefore(c.fn.Params, i)
	return c.hashValue(h, t, c.args[at:at+t.Size], give)
}

// hashValue adds the words of a value of type t to a hash.
func (c *call) hashValue(h uint64, t *ir.Type, w []uint64, give func(uint64)) control {
	if num := ir.NumOf(t); num >= ir.I8 && num <= ir.U64 && h == 0 {
		give(w[0])
		return ctlNext
	}
	key, _, bad := c.m.appendContents(nil, t, w)
	if bad != nil {
		return c.m.throwError(c.t, "hash of unhashable type "+bad.Name)
	}
	for _, b := range key {
		h = sum(h, []uint64{uint64(b)})
	}
	give(h)
	return ctlNext
}

// hashDynamic hashes the value in an interface, the first parameter, as if it had its
// dynamic type, to a number with the differences in its upper bits, too.
func (c *call) hashDynamic() control {
	if c.args[0] == 0 {
		return ctlNext
	}
	return c.hashValue(1, c.m.Dynamic(c.args[0]), c.m.IfaceValue(c.args), func(h uint64) { c.out[0] = h })
}

func sizeBefore(params []*ir.Type, i int) int {
	n := 0
	for _, t := range params[:i] {
		n += t.Size
	}
	return n
}

// appendContents is appendKey with strings by content: String words depend on the
// order in which strings appear.
func (m *Machine) appendContents(dst []byte, t *ir.Type, w []uint64) (key []byte, ok bool, bad *ir.Type) {
	switch t.Class {
	case ir.StringClass:
		return append(dst, m.Text(w[0])...), true, nil
	case ir.Interface:
		if w[0] == 0 {
			return dst, true, nil
		}
		dyn := m.Dynamic(w[0])
		if dyn.NotComparable {
			return dst, false, dyn
		}
		return m.appendContents(append(dst, dyn.Name...), dyn, m.IfaceValue(w))
	case ir.Struct:
		for _, f := range t.Fields {
			if dst, _, bad = m.appendContents(dst, f.Type, w[f.Offset:f.Offset+f.Type.Size]); bad != nil {
				return dst, false, bad
			}
		}
		return dst, true, nil
	case ir.Array:
		for i := range t.Len {
			if dst, _, bad = m.appendContents(dst, t.Elem, w[i*t.Elem.Size:(i+1)*t.Elem.Size]); bad != nil {
				return dst, false, bad
			}
		}
		return dst, true, nil
	}
	if format.IsReference(t.Class) {
		return dst, true, nil
	}
	return m.appendKey(dst, t, w)
}
