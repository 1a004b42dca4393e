// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/vm"
)

// Whether a slice has room is decided where it makes a difference, and not where the old slice is overwritten at once. Here random
// programs of appends are executed a second time by an interpreter that gives each array a capacity when it is made, one of those that there
// may be, and knows nothing of what matters: the outcomes are the same.
func TestExplore_DecidesRoomWhereItMatters(t *testing.T) {
	for seed := range uint64(count(160)) {
		list := appendages(rand.New(rand.NewPCG(seed, 1)))
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(sourceOf(list)), 0o666); err != nil {
			t.Fatal(err)
		}
		prog, err := load(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions})
		if err != nil || !r.Complete {
			t.Fatal(err, r)
		}
		got := map[string]bool{}
		for _, o := range r.Outcomes {
			got[o.Stdout] = true
		}
		if want := eagerly(list); !maps.Equal(got, want) {
			t.Errorf("seed %d: the machine has\n%v\nwith capacities from the beginning\n%v\n%s", seed, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)), sourceOf(list))
		}
	}
}

// names of the places that hold slices: a variable, and fields by ways of which several may lead to one.
var slicePlaces = []string{"a", "p.s", "q.s", "p.n.s", "q.n.s"}

// appendage is a statement: to = append(from, value), with from[:1] in place of from if it is cut; to = from without a value; or, if it links,
// the pointer from.n, where from is p or q, becomes the other one or itself.
type appendage struct {
	to, from string
	value    int
	cut      bool
	links    bool
}

func appendages(r *rand.Rand) (list []appendage) {
	place := func() string { return slicePlaces[r.IntN(len(slicePlaces))] }
	list = []appendage{{to: "p.s", from: "p.s", value: 10}, {to: "q.s", from: "q.s", value: 20}}
	for i := range 6 + r.IntN(5) {
		switch s := (appendage{to: place(), from: place(), value: 30 + i}); r.IntN(10) {
		case 0:
			list = append(list, appendage{to: []string{"p", "q"}[r.IntN(2)], from: []string{"p", "q"}[r.IntN(2)], links: true})
		case 1:
			list = append(list, appendage{to: s.to, from: s.from})
		case 2:
			s.cut = true
			list = append(list, s)
		case 3, 4, 5, 6:
			list = append(list, s)
		default:
			s.from = s.to
			list = append(list, s)
		}
	}
	return list
}

func sourceOf(list []appendage) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport \"fmt\"\n\ntype node struct {\n\ts []int\n\tn *node\n}\n\nfunc main() {\n\tp, q := &node{}, &node{}\n\tp.n, q.n = q, p\n\tvar a []int\n")
	for _, s := range list {
		switch {
		case s.links:
			fmt.Fprintf(&b, "\t%s.n = %s\n", s.to, s.from)
		case s.value == 0:
			fmt.Fprintf(&b, "\t%s = %s\n", s.to, s.from)
		case s.cut:
			fmt.Fprintf(&b, "\tif len(%s) > 1 {\n\t\t%s = append(%s[:1], %d)\n\t}\n", s.from, s.to, s.from, s.value)
		default:
			fmt.Fprintf(&b, "\t%s = append(%s, %d)\n", s.to, s.from, s.value)
		}
	}
	b.WriteString("\tfmt.Println(a, p.s, q.s)\n}\n")
	return b.String()
}

// eagerly is what the statements print, with capacities that each array may have, from what is needed on.
func eagerly(list []appendage) map[string]bool {
	printed := map[string]bool{}
	capacities := []int{} // of the arrays that are made one after the other, beyond what is needed: indices of some that tell all others
	some := []int{0, 1, 2, len(list)}
	for {
		made := 0
		printed[execute(list, func() int {
			if made == len(capacities) {
				capacities = append(capacities, 0)
			}
			made++
			return some[capacities[made-1]]
		})] = true
		capacities = capacities[:made]
		for made > 0 && capacities[made-1] == len(some)-1 {
			made--
		}
		if made == 0 {
			return printed
		}
		capacities = capacities[:made]
		capacities[made-1]++
	}
}

func execute(list []appendage, more func() int) string {
	type node struct {
		s []int
		n *node
	}
	p, q := &node{}, &node{}
	p.n, q.n = q, p
	var a []int
	nodes := map[string]*node{"p": p, "q": q}
	at := func(name string) *[]int {
		return map[string]*[]int{"a": &a, "p.s": &p.s, "q.s": &q.s, "p.n.s": &p.n.s, "q.n.s": &q.n.s}[name]
	}
	for _, s := range list {
		if s.links {
			nodes[s.to].n = nodes[s.from]
			continue
		}
		from := *at(s.from)
		switch {
		case s.cut && len(from) < 2:
			continue
		case s.cut:
			from = from[:1]
		}
		if s.value != 0 {
			if len(from) == cap(from) {
				larger := make([]int, len(from), len(from)+1+more())
				copy(larger, from)
				from = larger
			}
			from = append(from, s.value)
		}
		*at(s.to) = from
	}
	return fmt.Sprintln(a, p.s, q.s)
}

// A step ends behind some hundred combinations of what it decides, however long it has gone before. When only its beginning was looked at,
// the step of this loop was executed a million times, once for each combination, while no state was new, so that no limit on states ended it.
func TestExplore_EndsStepsThatDecideMuch(t *testing.T) {
	const source = `package main

func main() {
	n := 0
	for i := range 1000 {
		n = i &^ i
	}
	for range 20 {
		s := append([]int(nil), 1, 2, 3, 4, 5)
		a, b := append(s, 1), append(s, 2)
		n |= a[5] + b[5]
	}
	println(n)
}
`
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions, Workers: workers, Schedules: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range r.Outcomes {
			got = append(got, o.Stderr)
		}
		if want := []string{"3\n", "4\n", "7\n"}; !r.Complete || !slices.Equal(got, want) || r.States != 18 || r.Transitions > 256*r.States {
			t.Errorf("%d workers: %q in %d states and %d transitions, want %q in 18", workers, got, r.States, r.Transitions, want)
		}
	}
}
