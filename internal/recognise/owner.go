// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"

	"pangolin/internal/collection"
)

// A type without a constructor that holds another one of its package is made by a method of that: the TaskGroup{pool *WorkerPool} that WorkerPool.Group()
// returns. As a zero value it holds nil there, where only its own package can set it. What holds no owner (an element, an iterator) is not made in this way.

// byOwner calls the method with the fewest parameters, behind the constructor of its type; false if there is none that can be called.
func (w *wanted) byOwner() (m maker, found bool) {
	s, ok := w.tn.Type().Underlying().(*types.Struct)
	if !ok || w.want != nil || w.tn.Type().(*types.Named).TypeParams().Len() > 0 {
		return maker{}, false
	}
	fewest := 0
	for field := range s.Fields() {
		owner := namedOf(field.Type())
		if _, pointer := types.Unalias(field.Type()).(*types.Pointer); !pointer || field.Exported() || owner == nil || owner.Obj() == w.tn || owner.Obj().Pkg() != w.pkg || owner.TypeParams().Len() > 0 {
			continue
		}
		for method := range owner.Methods() {
			made := namedOf(firstResult(method.Signature()))
			if !method.Exported() || made == nil || made.Obj() != w.tn || looksFor(method.Name()) || found && needed(method) >= fewest {
				continue
			}
			if by, err := w.through(owner, method); err == nil {
				m, found, fewest = by, true, needed(method)
			}
		}
	}
	return m, found
}

// through makes the type by a method of its owner.
func (w *wanted) through(owner *types.Named, method *types.Func) (maker, error) {
	for _, fn := range constructors(w.pkg, owner.Obj()) {
		first, err := (&filler{pkg: w.pkg}).constructWithin(fn, owner, w.s)
		if err != nil || !first.besides.nothing() {
			continue
		}
		m, err := construct(w.pkg, method, nil, w.s)
		if err != nil {
			return maker{}, err
		}
		m.expr = first.expr + "." + m.expr
		m.notes = append(first.notes, m.notes...)
		m.shown = fmt.Sprintf("it is made by %s, as nothing else makes one with its %s", m.expr, owner.Obj().Name())
		return m, nil
	}
	return maker{}, fmt.Errorf("nothing makes a %s", owner.Obj().Name())
}

// A type that no function of the package returns may be within what one returns: New() gives an interface, or a struct, in a field of which there is always
// a pointer to the type (Clues.Held), as a wrapper with a finalizer has it.

// withinAnother makes the type by a function that returns it in a field of another one; false if there is none that can be called.
func (w *wanted) withinAnother() (maker, bool) {
	if w.clues == nil || w.want != nil || w.tn.Type().(*types.Named).TypeParams().Len() > 0 {
		return maker{}, false
	}
	for _, h := range w.clues.Held {
		fn, ok := w.pkg.Scope().Lookup(h.Func).(*types.Func)
		if !ok || h.Pointed != w.tn.Name() || !isMaker(h.Func) || fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		m, err := construct(w.pkg, fn, nil, w.s)
		field := fieldOf(w.pkg, h)
		if err != nil || !m.besides.nothing() || field == nil {
			continue
		}
		made := m.expr
		if types.IsInterface(m.typ) {
			if m.expr += ".(*" + h.In + ")"; !w.evaluates(m.expr) { // the pointer or the struct
				m.expr = made + ".(" + h.In + ")"
			}
		}
		m.expr += "." + field.Name()
		if types.IsInterface(field.Type()) {
			m.expr += ".(*" + h.Pointed + ")"
		}
		if w.makes(m.expr) {
			m.typ = types.NewPointer(w.tn.Type())
			m.shown = fmt.Sprintf("it is made by %s, as %s makes one and returns a %s with it", m.expr, h.Func, h.In)
			return m, true
		}
	}
	return maker{}, false
}

// evaluates says that an expression of the package is one.
func (w *wanted) evaluates(expr string) bool {
	_, err := given(w.pkg, expr)
	return err == nil
}

// fieldOf is the field of a struct of the package; nil if there is none.
func fieldOf(pkg *types.Package, h collection.ShownField) *types.Var {
	tn, ok := pkg.Scope().Lookup(h.In).(*types.TypeName)
	if !ok {
		return nil
	}
	s, ok := tn.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() == h.Field || h.Field == "" && i == h.Index {
			return f
		}
	}
	return nil
}
