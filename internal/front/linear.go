// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// When does it matter whether append has room? Only if two slices, or a slice and a pointer, lead
// to one array and one of them is appended to (vm/room.go). Most programs cannot get there for a
// given type of elements: every slice that is loaded from memory is used up before anything else
// happens, and what is made of it is stored where it was loaded; every other slice is used once.
// The machine then takes gc's capacity, and its states do not contain it.
//
//	q.items = append(q.items, x)  // used up: loaded, appended to, stored where it was
//	x := q.items[0]               // used up
//	q.items = q.items[1:]         // used up
//	old := q.items                // kept, beside the slice in q.items
//	return q.items                // kept, by the caller
//
// This is read off the text, function by function; what is not recognised counts as kept.

// keptSlices finds the types of elements for which two slices may lead to one array, or for which
// the program asks for a capacity.
func (c *compiler) keptSlices() *typeutil.Map {
	kept := &typeutil.Map{}
	see := func(fn *ssa.Function) {
		k := keeper{fn: fn, kept: kept}
		for _, v := range fn.Params {
			k.value(v)
		}
		for _, v := range fn.FreeVars {
			k.aggregate(v.Type())
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				k.instruction(instr, c.asksForItself(fn))
			}
		}
	}
	for _, fn := range c.order {
		see(fn)
	}
	for _, init := range c.inits {
		see(init.fn)
	}
	return kept
}

// open is 1 if append and conversions leave the capacity of slices of a type open, else 0.
func (c *compiler) open(slice types.Type) int32 {
	if elem := element(slice); elem != nil && c.kept != nil && c.kept.At(elem) == nil {
		return 0
	}
	return 1
}

// asksForItself reports whether fn is the user's code, or of package slices, which asks for
// capacities on the user's behalf.
func (c *compiler) asksForItself(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg == nil || fn.Pkg.Pkg.Path() == "slices" || fn.Pkg.Pkg.Path() != preludePath && !c.isStandard(fn)
}

// keeper finds the slices that one function keeps, see above.
type keeper struct {
	fn   *ssa.Function
	kept *typeutil.Map
}

// element is the type of the elements of a slice type, nil for other types.
func element(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

func (k *keeper) keep(t types.Type) { k.kept.Set(element(t), true) }

// aggregate marks all slices inside a type as kept: a copied value copies them.
func (k *keeper) aggregate(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		k.keep(t)
	case *types.Array:
		k.aggregate(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			k.aggregate(f.Type())
		}
	case *types.Tuple:
		for v := range u.Variables() {
			k.aggregate(v.Type())
		}
	}
}

func (k *keeper) instruction(instr ssa.Instruction, asks bool) {
	if c, ok := instr.(*ssa.Call); ok && asks {
		if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "cap" && element(c.Call.Args[0].Type()) != nil {
			k.keep(c.Call.Args[0].Type())
		}
	}
	v, ok := instr.(ssa.Value)
	if !ok || v.Type() == nil {
		return
	}
	if element(v.Type()) != nil {
		k.value(v)
		return
	}
	switch v := v.(type) {
	case *ssa.Call: // whoever returned the results has used them up
		if _, several := v.Type().(*types.Tuple); !several {
			k.aggregate(v.Type())
		}
	case *ssa.UnOp, *ssa.Field, *ssa.Index, *ssa.Lookup, *ssa.TypeAssert, *ssa.Next, *ssa.Select, *ssa.Phi:
		k.aggregate(v.Type())
	}
}

// value marks the elements of a slice as kept unless the slice is used up.
func (k *keeper) value(v ssa.Value) {
	if element(v.Type()) == nil {
		k.aggregate(v.Type())
		return
	}
	from, inMemory := v, false
	switch v := v.(type) {
	case *ssa.UnOp:
		inMemory = v.Op == token.MUL
	case *ssa.Lookup, *ssa.TypeAssert, *ssa.Field, *ssa.Index:
		k.keep(v.Type())
		return
	}
	refs := *v.Referrers()
	for _, u := range refs {
		switch {
		case k.looks(u, v):
			if inMemory && k.dangerBetween(v.(ssa.Instruction), u) {
				k.keep(v.Type())
				return
			}
		case inMemory && !k.goesHome(u, v, v.(*ssa.UnOp).X):
			k.keep(v.Type())
			return
		default:
			for _, w := range refs {
				if k.follows(from, u, w) {
					k.keep(v.Type())
					return
				}
			}
		}
	}
}

// looks reports whether an instruction only reads the slice v or its elements.
func (k *keeper) looks(u ssa.Instruction, v ssa.Value) bool {
	switch u := u.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
		return true
	case *ssa.IndexAddr:
		return accessedOnly(u)
	case *ssa.Call:
		b, ok := u.Call.Value.(*ssa.Builtin)
		if !ok {
			return false
		}
		switch b.Name() {
		case "append":
			return u.Call.Args[0] != v
		case "len", "cap", "copy", "clear", "print", "println":
			return true
		}
	}
	return false
}

// accessedOnly reports whether an address is used for loads and stores alone.
func accessedOnly(addr ssa.Value) bool {
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if u.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			if !accessedOnly(u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// goesHome reports whether instruction u cuts or appends to v, a slice loaded from place or cut
// from one, and all of the result is stored in place before anything else happens.
func (k *keeper) goesHome(u ssa.Instruction, v, place ssa.Value) bool {
	switch u := u.(type) {
	case *ssa.Slice:
		if element(u.Type()) == nil || u.X != v {
			return false
		}
		for _, w := range *u.Referrers() {
			if !k.looks(w, u) && !k.goesHome(w, u, place) || k.looks(w, u) && k.dangerBetween(u, w) {
				return false
			}
		}
		return true
	case *ssa.Call:
		b, ok := u.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && homeOf(u, place, samePlace) != nil && len(*u.Referrers()) == 1
	case *ssa.Store:
		return u.Val == v && samePlace(u.Addr, place) && !k.dangerBetween(v.(ssa.Instruction), u)
	}
	return false
}

// follows reports whether w may be executed after u without v being computed again between them.
func (k *keeper) follows(v ssa.Value, u, w ssa.Instruction) bool {
	if _, ok := w.(*ssa.DebugRef); ok {
		return false
	}
	var home *ssa.BasicBlock
	if def, ok := v.(ssa.Instruction); ok {
		home = def.Block()
	}
	ub, wb := u.Block(), w.Block()
	if phi, ok := u.(*ssa.Phi); ok { // used on an edge from another block
		if u != w {
			return reachesBlock([]*ssa.BasicBlock{ub}, wb, home)
		}
		for i, x := range phi.Edges {
			if x == v && ub.Preds[i] != home && reachesBlock([]*ssa.BasicBlock{ub}, ub.Preds[i], home) {
				return true
			}
		}
		return false
	}
	if ub == wb && u != w && slices.Index(ub.Instrs, u) < slices.Index(wb.Instrs, w) {
		return true
	}
	return reachesBlock(ub.Succs, wb, home)
}

// reachesBlock reports whether a path leads from one of the blocks to another one, avoiding the
// block without.
func reachesBlock(from []*ssa.BasicBlock, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	work := slices.Clone(from)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}

// dangerBetween reports whether something between two instructions may change what was loaded: a
// call, communication, another append.
func (k *keeper) dangerBetween(from, to ssa.Instruction) bool {
	fb, tb := from.Block(), to.Block()
	i, j := slices.Index(fb.Instrs, from), slices.Index(tb.Instrs, to)
	if fb == tb && i < j {
		return slices.ContainsFunc(fb.Instrs[i+1:j], dangerous)
	}
	if slices.ContainsFunc(fb.Instrs[i+1:], dangerous) {
		return true
	}
	for _, b := range k.fn.Blocks {
		if b != fb && reachesBlock(fb.Succs, b, fb) && reachesBlock(append(slices.Clone(b.Succs), b), tb, fb) && slices.ContainsFunc(b.Instrs, dangerous) {
			return true
		}
	}
	return false
}

func dangerous(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		b, ok := instr.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() == "append"
	case *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}
