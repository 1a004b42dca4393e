// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/number"
	"pangolin/internal/vm/state"
)

// What the model of package reflect in front/prelude asks of the machine: facts about types, which are named by their numbers,
// and reading and writing values whose types are known only when the program is executed.
//
// A value travels in an interface, which nobody writes. So of all these functions only few access memory that others may see: those that
// load or store a value where the program has it, that work on maps, and DeepEqual, which follows pointers.

// reflected begins the names of these functions.
const reflected = preludePath + "reflect"

// rtypeWords is the size of an element of the prelude's table of types, whose places are their numbers.
const rtypeWords = ir.IfaceWords

// methodTypeNames are what the model has for the types of methods that reflection has found. Nothing is known of the first; the other is that of methods without
// parameters and results, and knows only how many it has.
var methodTypeNames = [...]string{"prelude.reflectMethod", "prelude.reflectSimpleMethod"}

// signatureRefused says why the execution ends where reflection asks for that type.
const signatureRefused = "reflection looks at the signature of a method"

// isSignature says whether a type stands for the signature of any method.
func isSignature(t *ir.Type) bool { return t != nil && slices.Contains(methodTypeNames[:], t.Name) }

// isSignature says whether a pointer is a reflect.Type that stands for the signature of any method.
func (m *Machine) isSignature(rtype uint64) bool {
	return rtype != 0 && isSignature(m.img.Types[state.Offset(rtype)/rtypeWords].Type)
}

// rtypesName is that table.
const rtypesName = preludePath + "rtypes"

// reflectWrites are those of these functions that write to what the program has.
var reflectWrites = []string{reflected + "Store", reflected + "MapSet", reflected + "MapDelete"}

var reflectBuiltins = map[string]*builtin{
	reflected + "Number":     {run: typeNumber},
	reflected + "NumberOf":   simple(func(c *call) { c.out[0] = c.args[0] &^ ir.TypeTag }),
	reflected + "Known":      {run: methodsKnown},
	reflected + "Fact":       {run: typeFact},
	reflected + "Text":       {run: typeText},
	reflected + "Derived":    {run: derivedType},
	reflected + "MethodOf":   {run: methodOfType},
	reflected + "Implements": {run: implementsType},
	reflected + "Assignable": {run: func(c *call) control { return c.same(assignableTypes) }},
	reflected + "SameForm":   {run: func(c *call) control { return c.same(sameForm) }},

	reflected + "Box":   {run: boxed},
	reflected + "Load":  {visible: ifTouched, run: loadAny, plainly: loadsAny},
	reflected + "Store": {visible: ifTouched, run: storeAny, plainly: storesAny},
	reflected + "Alloc": {run: func(c *call) control {
		return c.pointer(c.m.Alloc(c.typ(0), int(c.args[1])))
	}},
	reflected + "At": simple(func(c *call) { c.out[0] = c.args[0] + c.args[1] }),

	reflected + "Int":     simple(func(c *call) { c.out[0] = c.m.IfaceValue(c.args)[0] }),
	reflected + "Float":   simple(func(c *call) { c.number(0, ir.F64) }),
	reflected + "Complex": simple(func(c *call) { c.number(0, ir.C128) }),
	reflected + "String":  simple(func(c *call) { c.out[0] = c.m.IfaceValue(c.args)[0] }),
	reflected + "Pointer": simple(func(c *call) { c.out[0] = c.m.IfaceValue(c.args)[0] }),
	reflected + "Chan":    simple(func(c *call) { c.out[0] = c.m.IfaceValue(c.args)[0] }),
	reflected + "Slice":   simple(func(c *call) { copy(c.out, c.m.IfaceValue(c.args)[:2]) }),
	reflected + "Room": {run: func(c *call) control {
		w := c.m.IfaceValue(c.args)
		c.out[0] = c.m.decidedRoom(w[0], w[2], c.m.Dynamic(c.args[0]).Elem, c.m.Tracking)
		return ctlNext
	}},
	reflected + "IsNil":     simple(func(c *call) { c.out[0] = truth(c.m.IfaceValue(c.args)[0] == 0) }),
	reflected + "Convert":   {run: convertAny},
	reflected + "As":        {run: func(c *call) control { return c.iface(c.typ(0), slices.Clone(c.m.IfaceValue(c.args[1:3]))) }},
	reflected + "PointerAs": {run: func(c *call) control { return c.iface(c.typ(0), slices.Clone(c.args[1:2])) }},
	reflected + "SliceAs":   {run: func(c *call) control { return c.iface(c.typ(0), slices.Clone(c.args[1:4])) }},
	reflected + "Growth":    simple(func(c *call) { c.out[0] = layout.Grow(c.typ(0), c.args[1], c.args[2]) }),

	reflected + "MapLen": {visible: ifTouched, plainly: readsMap, run: func(c *call) control {
		c.out[0] = uint64(c.entries())
		return ctlNext
	}},
	reflected + "MapKeys":   {visible: ifTouched, run: mapKeys, plainly: readsMap},
	reflected + "MapGet":    {visible: ifTouched, run: mapGetAny, plainly: readsMap},
	reflected + "MapSet":    {visible: ifTouched, run: mapSetAny, plainly: writesMap},
	reflected + "MapDelete": {visible: ifTouched, run: mapDeleteAny, plainly: writesMap},
	reflected + "MakeMap": {run: func(c *call) control {
		return c.iface(c.typ(0), []uint64{state.Pointer(c.m.Alloc(c.typ(0).Entry, 0), 0)})
	}},
	reflected + "DeepEqual": {visible: ifTouched, run: deepEqualAny,
		plainly: formatted(func(m format.Memory, c *call) {
			d := &deep{m: m, vm: c.m}
			d.ifaces(c.args[:2], c.args[2:4])
		})},
}

// typ is the type whose number argument word i is.
func (c *call) typ(i int) *ir.Type { return c.m.img.Types[c.args[i]].Type }

// pointer makes the first result a pointer to an object.
func (c *call) pointer(id int) control {
	if c.m.Failure != nil {
		return ctlStop
	}
	c.out[0] = state.Pointer(id, 0)
	return ctlNext
}

// iface makes the results an interface value.
func (c *call) iface(t *ir.Type, w []uint64) control {
	c.out[0], c.out[1] = c.m.MakeIface(t, w)
	if c.m.Failure != nil {
		return ctlStop
	}
	return ctlNext
}

// refuse ends the execution: what is asked has no meaning here.
func (c *call) refuse(message string) control {
	c.m.Fail(FaultUnsupported, message)
	return ctlStop
}

func typeNumber(c *call) control {
	if c.args[0] == 0 {
		return c.m.throwError(c.t, nilMessage)
	}
	c.out[0] = uint64(state.Offset(c.args[0]) / rtypeWords)
	return ctlNext
}

// methodsKnown refuses types of which only reflection makes interface values: which of their methods are called is not compiled.
func methodsKnown(c *call) control {
	if t := c.typ(0); isSignature(t) {
		return c.refuse("reflection makes an interface value of a method")
	} else if !t.Dynamic && t.MayHaveMethods() {
		return c.refuse("reflection makes an interface value of type " + t.Name + ", which the program does nowhere else")
	}
	return ctlNext
}

// kinds are the numbers of package reflect's kinds.
var kinds = map[ir.Class]uint64{
	ir.Bool: 1, ir.Int: 2, ir.Int8: 3, ir.Int16: 4, ir.Int32: 5, ir.Int64: 6, ir.Uint: 7, ir.Uint8: 8, ir.Uint16: 9, ir.Uint32: 10, ir.Uint64: 11,
	ir.Uintptr: 12, ir.Float32: 13, ir.Float64: 14, ir.Complex64: 15, ir.Complex128: 16, ir.Array: 17, ir.Chan: 18, ir.FuncClass: 19,
	ir.Interface: 20, ir.Map: 21, ir.PointerClass: 22, ir.Slice: 23, ir.StringClass: 24, ir.Struct: 25, ir.UnsafePointer: 26,
}

// The places of some facts among them all.
const (
	factKind  = 0
	factWord  = 8
	factNamed = 12
)

// facts are what reflectFact says of a type, and of its field i, in the order of the prelude's constants.
var facts = []func(t *ir.Type, i int) uint64{
	func(t *ir.Type, _ int) uint64 { return kinds[t.Class] },
	func(t *ir.Type, _ int) uint64 { return uint64(t.Elem.ID) },
	func(t *ir.Type, _ int) uint64 { return uint64(t.Key.ID) },
	func(t *ir.Type, _ int) uint64 { return uint64(t.Len) },
	func(t *ir.Type, _ int) uint64 { return uint64(t.Size) },
	func(t *ir.Type, _ int) uint64 { return layout.Size(t) },
	func(t *ir.Type, _ int) uint64 { return uint64(len(t.Fields)) },
	func(t *ir.Type, i int) uint64 { return uint64(t.Fields[i].Type.ID) },
	func(t *ir.Type, i int) uint64 { return uint64(t.Fields[i].Offset) },
	layout.Field,
	func(t *ir.Type, i int) uint64 { return truth(t.Fields[i].Embedded) },
	func(t *ir.Type, i int) uint64 { return truth(t.Fields[i].Exported) },
	func(t *ir.Type, _ int) uint64 { return truth(t.Named) },
	func(t *ir.Type, _ int) uint64 { return truth(!t.NotComparable) },
	func(t *ir.Type, _ int) uint64 { return [...]uint64{3, 2, 1}[t.Direction] }, // both, send, receive
}

func typeFact(c *call) control {
	t := c.typ(0)
	switch fact := int(c.args[1]); {
	case isSignature(t):
		return c.refuse(signatureRefused)
	case fact == factWord && format.Opaque(t), t.Name == format.RtypeName && fact != factKind && fact != factNamed:
		return c.refuse("reflection looks into a " + t.Name)
	case fact == len(facts):
		return c.countMethods(t)
	}
	c.out[0] = facts[c.args[1]](t, int(c.args[2]))
	return ctlNext
}

// countMethods counts the methods that a type has for others: all of an interface, the exported ones of other types.
func (c *call) countMethods(t *ir.Type) control {
	if t.IsInterface() {
		c.out[0] = uint64(len(t.IfaceMethods))
		return ctlNext
	}
	switch {
	case !t.Dynamic && t.MayHaveMethods():
		return c.refuse("reflection counts the methods of type " + t.Name + ", which is in no interface")
	case t.Class == ir.PointerClass && t.Elem.Name == format.RtypeName:
		return c.refuse("reflection counts the methods of type " + t.Name)
	}
	c.out[0] = uint64(len(t.Exported))
	return ctlNext
}

// methodOfType gives the name of a type's method i, and its number among those that reflection may call; -1: it may not. How many methods there are
// has been asked before.
func methodOfType(c *call) control {
	key := c.typ(0).Exported[c.args[1]]
	name, _, _ := strings.Cut(key, "(")
	c.give(0, name)
	c.out[1] = uint64(slices.Index(c.m.img.Prog.Simple, key))
	return ctlNext
}

// texts are what reflectText says of a type, and of its field i.
var texts = []func(t *ir.Type, i int) string{
	func(t *ir.Type, _ int) string { return t.Name },
	func(t *ir.Type, _ int) string { return packagePath(t.Name, t.PkgPath) },
	func(t *ir.Type, i int) string { return t.Fields[i].Name },
	func(t *ir.Type, i int) string { return t.Fields[i].Tag },
	func(t *ir.Type, i int) string { return packagePath(t.Name, t.Fields[i].PkgPath) },
}

// packagePath is what reflection gives for the path of the package of a type, by the type's name: a program's is main. Types of models stand for ones
// of packages whose paths are their names.
func packagePath(name, path string) string {
	first, _, _ := strings.Cut(name, ".")
	if path != "" && first == "main" || path+"." == preludePath {
		return first
	}
	return path
}

func typeText(c *call) control {
	if isSignature(c.typ(0)) {
		return c.refuse(signatureRefused)
	}
	c.give(0, texts[c.args[1]](c.typ(0), int(c.args[2])))
	return ctlNext
}

// derivedType finds the type of a kind that is made of others.
func derivedType(c *call) control {
	elem := c.typ(1)
	if isSignature(elem) || c.args[2] != 0 && isSignature(c.typ(2)) { // no key: 0
		return c.refuse(signatureRefused)
	}
	for _, t := range c.m.img.Prog.Types[1:] {
		if kinds[t.Class] == c.args[0] && t.Elem == elem && !t.Named && (t.Class != ir.Map || uint64(t.Key.ID) == c.args[2]) &&
			(t.Class != ir.Array || t.Len == int(c.args[3])) {
			c.out[0] = uint64(t.ID)
			break
		}
	}
	return ctlNext
}

func implementsType(c *call) control {
	t, iface := c.typ(0), c.typ(1)
	missing := func(key string) bool {
		if t.IsInterface() {
			return !slices.Contains(t.IfaceMethods, key)
		}
		return !hasMethod(t, key)
	}
	if len(iface.IfaceMethods) > 0 && !t.IsInterface() && !t.Dynamic && t.MayHaveMethods() {
		return c.refuse("reflection asks for the methods of type " + t.Name + ", which is in no interface")
	}
	c.out[0] = truth(!slices.ContainsFunc(iface.IfaceMethods, missing))
	return ctlNext
}

// same compares the types of the first two arguments.
func (c *call) same(compare func(*ir.Type, *ir.Type) (bool, bool)) control {
	if isSignature(c.typ(0)) || isSignature(c.typ(1)) {
		return c.refuse(signatureRefused)
	}
	same, known := compare(c.typ(0), c.typ(1))
	if !known {
		return c.refuse("reflection compares the signatures of " + c.typ(0).Name + " and " + c.typ(1).Name)
	}
	c.out[0] = truth(same)
	return ctlNext
}

// assignableTypes says whether values of t are assigned to variables of type to as they are.
func assignableTypes(t, to *ir.Type) (same, known bool) {
	switch {
	case t == to:
		return true, true
	case t.Named && to.Named || t.Class != to.Class:
		return false, true
	case t.Class == ir.Chan && t.Direction == 0 && t.Elem == to.Elem:
		return true, true
	}
	return identical(t, to, true)
}

// sameForm says whether two types have the same underlying type but for tags.
func sameForm(t, to *ir.Type) (same, known bool) { return identical(t, to, false) }

// identical compares the underlying types of two types. Of functions it is known only if the types are the same, or neither has a name.
func identical(t, to *ir.Type, tags bool) (same, known bool) {
	inner := func(a, b *ir.Type) (bool, bool) {
		if tags || a == b || a.Named || b.Named {
			return a == b, true
		}
		return identical(a, b, false)
	}
	switch {
	case t == to:
		return true, true
	case t.Class != to.Class:
		return false, true
	}
	switch t.Class {
	case ir.Array:
		if t.Len != to.Len {
			return false, true
		}
		return inner(t.Elem, to.Elem)
	case ir.Chan:
		if t.Direction != to.Direction {
			return false, true
		}
		return inner(t.Elem, to.Elem)
	case ir.PointerClass, ir.Slice:
		return inner(t.Elem, to.Elem)
	case ir.Map:
		if same, known = inner(t.Key, to.Key); !same || !known {
			return same, known
		}
		return inner(t.Elem, to.Elem)
	case ir.FuncClass:
		return false, !t.Named && !to.Named && tags
	case ir.Interface:
		return slices.Equal(t.IfaceMethods, to.IfaceMethods), true
	case ir.Struct:
		return identicalFields(t, to, tags, inner)
	}
	return true, true
}

func identicalFields(t, to *ir.Type, tags bool, inner func(a, b *ir.Type) (bool, bool)) (same, known bool) {
	if len(t.Fields) != len(to.Fields) {
		return false, true
	}
	for i, f := range t.Fields {
		g := to.Fields[i]
		if f.Name != g.Name || f.PkgPath != g.PkgPath || f.Embedded != g.Embedded || tags && f.Tag != g.Tag {
			return false, true
		}
		if same, known = inner(f.Type, g.Type); !same || !known {
			return same, known
		}
	}
	return true, true
}

// boxed gives a pointer to a copy of the value in an interface. A value of several words is one already.
func boxed(c *call) control {
	t := c.m.Dynamic(c.args[0])
	if t.Size > 1 {
		c.out[0] = c.args[1]
		return ctlNext
	}
	id := c.m.Alloc(t, 1)
	if c.m.Failure == nil && t.Size == 1 {
		copy(c.m.Words(state.Pointer(id, 0), 1), c.args[1:2])
	}
	return c.pointer(id)
}

// Of reflectLoad and reflectStore the arguments are a type, a pointer, and whether the memory is the program's, or what to store.

func loadsAny(c *call, dst []access) []access {
	if t := c.typ(0); c.args[2] != 0 && t.Size > 0 {
		return reads(dst, c.args[1], t.Size)
	}
	return dst
}

func loadAny(c *call) control {
	t := c.typ(0)
	var w []uint64
	if t.Size > 0 {
		w = slices.Clone(c.m.Words(c.args[1], t.Size))
	}
	if t.IsInterface() {
		copy(c.out, w)
		return ctlNext
	}
	return c.iface(t, w)
}

func storesAny(c *call, dst []access) []access {
	if t := c.typ(0); t.Size > 0 {
		return writes(dst, c.args[1], t.Size)
	}
	return dst
}

func storeAny(c *call) control {
	if t := c.typ(0); t.Size > 0 {
		c.m.Write(c.args[1], c.words(t, 2), c.m.img.Types[t.ID])
	}
	return ctlNext
}

// words are those of a value of type t that argument words i and i+1, an interface, hold: themselves, if t is an interface.
func (c *call) words(t *ir.Type, i int) []uint64 {
	if t.IsInterface() {
		return slices.Clone(c.args[i : i+2])
	}
	return slices.Clone(c.m.IfaceValue(c.args[i : i+2]))
}

// number converts the number in the interface of argument word i, and makes it the first result.
func (c *call) number(i int, to ir.Num) {
	number.Convert(ir.NumOf(c.m.Dynamic(c.args[i])), to, c.m.IfaceValue(c.args[i:i+2]), c.out)
}

// convertAny converts as package reflect does: to the widest numbers of the kind first.
func convertAny(c *call) control {
	t, from := c.typ(0), c.m.Dynamic(c.args[1])
	w, mid, out := [2]uint64{}, [2]uint64{}, make([]uint64, t.Size)
	wideFrom, wideTo := widest(ir.NumOf(from)), widest(ir.NumOf(t))
	number.Convert(ir.NumOf(from), wideFrom, c.m.IfaceValue(c.args[1:3]), w[:])
	if !number.Fits(wideFrom, wideTo, w[:]) {
		c.m.img.Prog.Notes.Add(conversionNote)
	}
	number.Convert(wideFrom, wideTo, w[:], mid[:])
	number.Convert(wideTo, ir.NumOf(t), mid[:], out)
	return c.iface(t, out)
}

// widest is the widest format of numbers like those of num.
func widest(num ir.Num) ir.Num {
	switch {
	case num.Signed():
		return ir.I64
	case num >= ir.U8 && num <= ir.U64:
		return ir.U64
	case num == ir.F32 || num == ir.F64:
		return ir.F64
	}
	return ir.C128
}

// Maps: the first argument is one, in an interface; then follow a key and an element in interfaces.

func (c *call) mapType() *ir.Type { return c.m.Dynamic(c.args[0]) }

func (c *call) entries() int {
	if c.args[1] == 0 {
		return 0
	}
	return int(c.m.Objs[c.args[1]>>32].Count)
}

func readsMap(c *call, dst []access) []access {
	if c.args[1] == 0 {
		return dst
	}
	return reads(dst, c.args[1], wholeMap)
}

func writesMap(c *call, dst []access) []access {
	if c.args[1] == 0 {
		return dst
	}
	return writes(dst, c.args[1], wholeMap)
}

// copied is a pointer to a copy of words that are a value of type t.
func (c *call) copied(t *ir.Type, w []uint64) uint64 {
	w = slices.Clone(w)
	id := c.m.Alloc(t, 1)
	if c.m.Failure != nil {
		return 0
	}
	if t.Size > 0 {
		copy(c.m.Words(state.Pointer(id, 0), t.Size), w)
	}
	return state.Pointer(id, 0)
}

func mapKeys(c *call) control {
	t := c.mapType()
	var pointers []uint64
	for i := range c.entries() {
		pointers = append(pointers, c.copied(t.Key, c.m.Words(c.args[1]+uint64(i*t.Entry.Size), t.Key.Size)))
		if c.m.Failure != nil {
			return ctlStop
		}
	}
	if len(pointers) == 0 {
		return ctlNext
	}
	return c.list(pointers, 1)
}

func mapGetAny(c *call) control {
	t := c.mapType()
	i, bad := c.m.find(state.ObjectID(c.args[1]), t, c.words(t.Key, 2))
	switch {
	case bad != nil:
		return c.m.unhashable(c.t, c.args[1], bad)
	case i < 0:
		return ctlNext
	}
	c.out[0] = c.copied(t.Elem, c.m.Words(c.args[1]+uint64(i*t.Entry.Size+t.Key.Size), t.Elem.Size))
	if c.m.Failure != nil {
		return ctlStop
	}
	return ctlNext
}

func mapSetAny(c *call) control {
	t := c.mapType()
	c.writesEntry()
	return c.m.setEntry(c.t, c.args[1], t, [2][]uint64{c.words(t.Key, 2), c.words(t.Elem, 4)})
}

// writesEntry notes that a map is written, also if nothing changes.
func (c *call) writesEntry() {
	if c.args[1] != 0 {
		c.m.CheckWrite(c.args[1], 1)
	}
}

func mapDeleteAny(c *call) control {
	t := c.mapType()
	c.writesEntry()
	return c.m.deleteEntry(c.t, c.args[1], t, c.words(t.Key, 2))
}
