// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"bytes"
	"slices"
	"sync"

	"pangolin/internal/engine"
)

// An estimate of how much a search still has to do: the cost of the newest verdict in the log about
// the same type and property, of older sources or in another scope (a verdict about the same would
// have been recalled). No verdict depends on it.

// Earlier is the newest entry of the log about a type and property that was computed, not recalled;
// nil if there is none.
func (k *Kept) Earlier(collection, property string) *engine.Earlier {
	lines, _, err := k.Cache.Log().Next()
	if err != nil {
		return nil // without a log there is no estimate
	}
	for _, line := range slices.Backward(lines) {
		if !bytes.Contains(line, []byte(collection)) {
			continue
		}
		e, ok := ReadEntry(line)
		if !ok || e.Cached {
			continue
		}
		for _, a := range e.Answers {
			if a.Type == collection && string(a.Property) == property && a.States > 0 {
				return &engine.Earlier{At: e.At, States: a.States, Scope: a.Scope, Status: a.Status}
			}
		}
	}
	return nil
}

// estimated adds to the progress of searches the cost of an earlier one. The log is read at the
// first report of progress, so short searches do not read it.
func (h *Here) estimated(of func(collection, property string) engine.Events) func(collection, property string) engine.Events {
	if h.Kept == nil || of == nil {
		return of
	}
	return func(collection, property string) engine.Events {
		e := of(collection, property)
		if tell := e.Progress; tell != nil {
			earlier := sync.OnceValue(func() *engine.Earlier { return h.Kept.Earlier(collection, property) })
			e.Progress = func(p engine.Progress) {
				p.Earlier = earlier()
				tell(p)
			}
		}
		return e
	}
}
