// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
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
		first, err := constructWithin(w.pkg, fn, owner, w.s)
		if err != nil || first.fallible {
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
