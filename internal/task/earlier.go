// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"bytes"
	"slices"
	"sync"

	"pangolin/internal/engine"
)

// How much a search may still have to do, as far as anybody knows: what the newest verdict in the log about the same type and property
// cost, of other sources or in another scope, since one of these would be kept. No verdict depends on it.

// Earlier is the newest entry of the log about a type and a property that was searched for, not taken from the directory; nil: there is none.
func (k *Kept) Earlier(collection, property string) *engine.Earlier {
	lines, _, err := k.Cache.Log().Next()
	if err != nil {
		return nil // an estimate is worth no message
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

// estimated adds to the progress of searches what an earlier one came to. The log is read when a search first tells of its progress, which short
// ones do not.
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
