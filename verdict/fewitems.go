// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unbounded is the scope of a proof that bounds nothing.
func Unbounded() Scope {
	return Scope{Limits: []Limit{{Name: "threads, calls, cells, values", Value: AnyNumber}}}
}

// FewItems are the bounds of a proof for any number of threads that bounds the data. A content of the collection is within them if
// so many calls that change the content lead to it from a new collection.
type FewItems struct {
	Items int // greatest number of items at a time; 0: no call leads beyond what the proof covers
	// Used lists the operations that the bound on items uses up: what they do cannot be undone, as with a counter that only grows. In all
	// executions that the proof covers they change the content at most Effects times together.
	Used    []string
	Effects int
	// Numbers of different arguments, from 0 on; 0: no operation takes one.
	Keys, Values int
	// Single has the operations that one thread alone calls, with the number of that thread. Those with one number are called by the same one.
	Single map[string]int
}

// Scope is the scope of a verdict with these bounds.
func (b FewItems) Scope() Scope {
	s := Scope{Limits: []Limit{{Name: "threads, calls", Value: AnyNumber}}}
	add := func(bounds bool, l Limit) {
		if bounds {
			s.Limits = append(s.Limits, l)
		}
	}
	add(len(b.Used) > 0, Limit{Name: "effects", Value: fmt.Sprint(b.Effects), Operations: b.Used})
	add(b.Items > 0, Limit{Name: "items at a time", Value: fmt.Sprint(b.Items)})
	keys, values := b.Keys, b.Values
	if values == 0 { // there is one sort of arguments
		keys, values = 0, keys
	}
	add(keys > 0, Limit{Name: "keys", Value: fmt.Sprintf("0..%d", keys-1), Range: true})
	add(values > 0, Limit{Name: "values", Value: fmt.Sprintf("0..%d", values-1), Range: true})
	byThread := map[int][]string{}
	for _, name := range slices.Sorted(maps.Keys(b.Single)) {
		byThread[b.Single[name]] = append(byThread[b.Single[name]], name)
	}
	for _, n := range slices.Sorted(maps.Keys(byThread)) {
		s.Limits = append(s.Limits, Limit{Name: "threads that call " + strings.Join(byThread[n], " or "), Value: "1"})
	}
	return s
}
