// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"context"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/walk"
	"pangolin/internal/test/level"
)

// TestSearch_FollowsEveryElement has threads write any element of a slice, any number: real executions must
// find all of that in the table, and the checker must, too.
func TestSearch_FollowsEveryElement(t *testing.T) {
	if !level.More() {
		t.Skip("takes seconds; -level more proves it")
	}
	const typ = "EliminationBackoffStack"
	old := constructors[typ]
	constructors[typ] = "NewEliminationBackoffStack[int](2, 1)"
	t.Cleanup(func() { constructors[typ] = old })
	s := changed(t, "stack/elimination.go", typ, [2]string{"return slot.exchange(mine, s.patience)", "slot.slot.Set(nil, mark.Choose(2))\n\treturn nil, false"})
	p, err := fragment.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Search(context.Background(), p, fixpoint.Options{})
	if err != nil || found.Invariant == nil {
		t.Fatal(err, found)
	}
	r, err := walk.Run(found.Invariant, walk.Options{Walks: 60, Steps: 120})
	if err != nil || r.Missing != nil {
		t.Fatal(err, r.Missing)
	}
	slots := map[string]bool{}
	for _, e := range found.Invariant.Entries {
		for n := range e.View.Nodes {
			if d := &e.View.Nodes[n]; !d.Summary && p.Prog.Types[d.Type].Name == "stack.exchanger[int]" {
				if d.N != 2 {
					t.Fatalf("a slice has %d words", d.N)
				}
				for off, w := range e.View.Of(n) {
					if w.IsRef() {
						slots[string(rune('0'+off))+e.View.Get(w.Node(), 1).String()] = true
					}
				}
			}
		}
	}
	if len(slots) != 4 {
		t.Errorf("in two places, with two numbers each, there is %v", slots)
	}
	x := found.Invariant.Certificate(certificate.NewHead(s.Source, s.Prog))
	if _, err := checker.Complete(t.Context(), s, x); err != nil {
		t.Fatal(err)
	}
	if err := accept(s, x); err != nil {
		t.Error(err)
	}
	for i := range x.Views { // a slice of another length is no such slice
		for n := range x.Views[i].Heap {
			if d := &x.Views[i].Heap[n]; len(d.Words) == 2 && p.Prog.Types[d.Type].Name == "stack.exchanger[int]" {
				d.Words = append(d.Words, certificate.Word{})
			}
		}
	}
	if err := accept(s, x); err == nil {
		t.Error("a certificate is accepted in which slices are longer")
	}
}
