// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"testing"

	"pangolin"
	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/vm"
)

// Printing looks at everything that it is given. Where no items are renamed that is no reason to choose other clients: of one
// client that was asked about nothing was searched then, and nothing was found.
func TestOneClient_IsSearchedThoughTheCodePrints(t *testing.T) {
	const source = `package example

import ("fmt"; "runtime")

type Box struct { x int; s []int }

func New() *Box { return &Box{s: []int{3}} }

func (b *Box) Show() int { var t [20]byte; runtime.Stack(t[:], false); return len(fmt.Sprint(b.x)) }
func (b *Box) Add(v int) int { b.s[0]++; return v }
`
	dir, done := modules.Take(t, source)
	defer done()
	list, err := pangolin.Audit(modules.Context, pangolin.Request{Dir: dir, Type: "Box", New: "New()", Kind: "object", Oracle: "self", Scope: pangolin.Scope{Config: "2x3x0"}})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, o := range list[0].Subject.Operations {
		at[o.Name] = i
	}
	show, add := client.Step{Op: at["Show"]}, client.Step{Op: at["Add"], Args: history.Ints(1)}
	for _, reduce := range []vm.Reductions{vm.AllReductions, 0} {
		opt, err := list[0].Options(consist.Linear)
		if err != nil {
			t.Fatal(err)
		}
		opt.Only, opt.OneByOne, opt.Workers, opt.Reduce = &client.Client{Threads: [][]client.Step{{show, add}, {add}}}, true, 1, reduce
		opt.Scope.Clients.GenericValues = false
		r, err := bounded.Run(modules.Context, opt)
		if err != nil || r.Violation == nil || r.Violation.Class != bounded.Race {
			t.Errorf("reductions %s: %d states, %v %v, want a race", reduce, r.States, r.Violation, err)
		}
	}
}
