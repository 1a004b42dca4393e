// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/types/typeutil"

	"pangolin/internal/ir"
)

// typeTable translates Go types to ir types, one for each set of identical
// types.
type typeTable struct {
	out     *ir.Program
	known   typeutil.Map // types.Type -> *ir.Type
	keys    map[string][]types.Type
	pending []*ir.Type // map types whose Entry type is not made yet
	later   []func()   // set the element types of references, when all types have their size
	depth   int
	link    *ir.Type // the field of defer records that leads to the next one
}

func newTypeTable(out *ir.Program) *typeTable {
	out.Types = []*ir.Type{nil}
	t := &typeTable{out: out, keys: map[string][]types.Type{}}
	t.known.SetHasher(typeutil.MakeHasher())
	return t
}

// of returns the ir type of a Go type.
func (t *typeTable) of(typ types.Type) *ir.Type {
	typ = types.Unalias(typ)
	if known := t.known.At(typ); known != nil {
		return known.(*ir.Type)
	}
	t.depth++
	res := t.add(&ir.Type{Name: runtimeName(typ)})
	t.known.Set(typ, res)
	t.declare(res, typ)
	t.fill(res, typ.Underlying())
	t.depth--
	if t.depth == 0 {
		t.finish()
	}
	return res
}

func (t *typeTable) add(typ *ir.Type) *ir.Type {
	typ.ID = len(t.out.Types)
	t.out.Types = append(t.out.Types, typ)
	return typ
}

func (t *typeTable) declare(res *ir.Type, typ types.Type) {
	switch typ := typ.(type) {
	case *types.Basic:
		res.Named = true
	case *types.Named:
		res.Named = true
		if pkg := typ.Obj().Pkg(); pkg != nil {
			res.PkgPath = pkg.Path()
		}
	}
	res.NotComparable = !types.Comparable(typ)
}

// finish makes what needs the sizes of types, which types that refer to themselves do not have before.
func (t *typeTable) finish() {
	t.depth++
	defer func() { t.depth-- }()
	for len(t.later) > 0 || len(t.pending) > 0 {
		for len(t.later) > 0 {
			set := t.later[0]
			t.later = t.later[1:]
			set()
		}
		if len(t.pending) == 0 {
			return
		}
		m := t.pending[0]
		t.pending = t.pending[1:]
		m.Entry = t.record("entry of "+m.Name, []ir.Field{{Name: "key", Type: m.Key}, {Name: "elem", Type: m.Elem}})
	}
}

func (t *typeTable) fill(res *ir.Type, typ types.Type) {
	switch typ := typ.(type) {
	case *types.Basic:
		t.basic(res, typ)
	case *types.Pointer:
		t.reference(res, ir.PointerClass, typ.Elem())
	case *types.Chan:
		t.reference(res, ir.Chan, typ.Elem())
		res.Direction = int(typ.Dir()) // SendRecv, SendOnly, RecvOnly are 0, 1, 2
	case *types.Signature:
		res.Class, res.Size = ir.FuncClass, 1
	case *types.Slice:
		t.reference(res, ir.Slice, typ.Elem())
		res.Size = ir.SliceWords
	case *types.Map:
		t.reference(res, ir.Map, typ.Elem())
		t.later = append(t.later, func() { res.Key = t.of(typ.Key()) })
		t.pending = append(t.pending, res)
	case *types.Array:
		res.Class, res.Len = ir.Array, int(typ.Len())
		res.Elem = t.of(typ.Elem())
		res.Size = res.Len * res.Elem.Size
	case *types.Struct:
		t.structure(res, typ)
	case *types.Interface:
		res.Class, res.Size = ir.Interface, ir.IfaceWords
		t.ifaceMethods(res, typ)
	default:
		panic("front: no ir type for " + typ.String())
	}
}

// reference completes a type of one word that refers to elements. The element type is set later, as
// it may contain this type, whose size is not known yet.
func (t *typeTable) reference(res *ir.Type, class ir.Class, elem types.Type) {
	res.Class, res.Size = class, 1
	t.later = append(t.later, func() { res.Elem = t.of(elem) })
}

func (t *typeTable) basic(res *ir.Type, typ *types.Basic) {
	res.Size = 1
	switch typ.Kind() {
	case types.Complex64, types.Complex128, types.UntypedComplex:
		res.Size = 2
	case types.UntypedNil:
		res.Size = 0
	}
	res.Class = basicClasses[typ.Kind()]
}

var basicClasses = map[types.BasicKind]ir.Class{
	types.Bool: ir.Bool, types.Int: ir.Int, types.Int8: ir.Int8, types.Int16: ir.Int16, types.Int32: ir.Int32,
	types.Int64: ir.Int64, types.Uint: ir.Uint, types.Uint8: ir.Uint8, types.Uint16: ir.Uint16,
	types.Uint32: ir.Uint32, types.Uint64: ir.Uint64, types.Uintptr: ir.Uintptr, types.Float32: ir.Float32,
	types.Float64: ir.Float64, types.Complex64: ir.Complex64, types.Complex128: ir.Complex128,
	types.String: ir.StringClass, types.UnsafePointer: ir.UnsafePointer, types.UntypedBool: ir.Bool,
	types.UntypedInt: ir.Int, types.UntypedRune: ir.Int32, types.UntypedFloat: ir.Float64,
	types.UntypedComplex: ir.Complex128, types.UntypedString: ir.StringClass, types.UntypedNil: ir.UnsafePointer,
}

func (t *typeTable) structure(res *ir.Type, typ *types.Struct) {
	res.Class = ir.Struct
	fields := make([]ir.Field, typ.NumFields())
	for i := range fields {
		f := typ.Field(i)
		fields[i] = ir.Field{Name: f.Name(), Type: t.of(f.Type()), Embedded: f.Embedded(), Exported: f.Exported(), Tag: typ.Tag(i)}
		if !f.Exported() && f.Pkg() != nil {
			fields[i].PkgPath = f.Pkg().Path()
			if f.Pkg().Name() == "main" {
				fields[i].PkgPath = "main" // as gc has it
			}
		}
	}
	res.Fields, res.Size = layOut(fields)
}

// layOut sets the offsets of fields and returns the sum of their sizes in words.
func layOut(fields []ir.Field) ([]ir.Field, int) {
	size := 0
	for i := range fields {
		fields[i].Offset = size
		size += fields[i].Type.Size
	}
	return fields, size
}

// record makes a struct type that only compiled code uses.
func (t *typeTable) record(name string, fields []ir.Field) *ir.Type {
	r := t.add(&ir.Type{Name: name, Class: ir.Record})
	r.Fields, r.Size = layOut(fields)
	return r
}

// deferLink is the type of a pointer to a defer record.
func (t *typeTable) deferLink() *ir.Type {
	if t.link == nil {
		any := t.record("deferred call", nil)
		t.link = t.add(&ir.Type{Name: "*deferred call", Class: ir.PointerClass, Size: 1, Elem: any})
	}
	return t.link
}

func (t *typeTable) ifaceMethods(res *ir.Type, typ *types.Interface) {
	for i := range typ.NumMethods() {
		res.IfaceMethods = append(res.IfaceMethods, t.methodKey(typ.Method(i)))
	}
	slices.Sort(res.IfaceMethods)
}

// methodKey returns a string that two methods share iff one implements the
// other: "Error() string", "pkg/path.next() int".
func (t *typeTable) methodKey(m *types.Func) string {
	n := namer{qualify: (*types.Package).Path}
	if !m.Exported() && m.Pkg() != nil {
		n.b.WriteString(m.Pkg().Path() + ".")
	}
	n.b.WriteString(m.Name())
	sig := m.Signature()
	n.signature(sig)
	return t.distinct(n.b.String(), sig)
}

// distinct tells apart signatures that print alike because of types declared
// inside functions.
func (t *typeTable) distinct(key string, sig *types.Signature) string {
	same := t.keys[key]
	for i, s := range same {
		if types.Identical(s, sig) {
			return numbered(key, i)
		}
	}
	t.keys[key] = append(same, sig)
	return numbered(key, len(same))
}

func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return name + "#" + strconv.Itoa(i+1)
}

// tuple translates the types of a parameter or result list.
func (t *typeTable) tuple(tuple *types.Tuple) []*ir.Type {
	var res []*ir.Type
	for v := range tuple.Variables() {
		res = append(res, t.of(v.Type()))
	}
	return res
}
