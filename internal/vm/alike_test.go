// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// crowds are programs of goroutines that are alike, or would be but for whom they share something with.
var crowds = map[string]string{
	"pairs with a lock each": `package main

import "sync"

func main() {
	for range 3 {
		go func() {
			var mu sync.Mutex
			x := 0
			go func() { mu.Lock(); x++; mu.Unlock() }()
			mu.Lock()
			x++
			mu.Unlock()
		}()
	}
	select {}
}
`,
	"rings of four, and of two and two": `package main

import "sync"

func ring(n int) {
	list := make([]*sync.Mutex, n)
	for i := range list {
		list[i] = new(sync.Mutex)
	}
	for i := range list {
		a, b := list[i], list[(i+1)%n]
		go func() {
			for {
				a.Lock()
				b.Lock()
				b.Unlock()
				a.Unlock()
			}
		}()
	}
}

func main() {
	if len(make(chan int, 1)) == 0 {
		select {
		case <-one():
			ring(4)
		case <-one():
			ring(2)
			ring(2)
		}
	}
	select {}
}

func one() chan int {
	c := make(chan int, 1)
	c <- 1
	return c
}
`,
	"who sends to whom": `package main

func main() {
	a, b, c := make(chan int), make(chan int), make(chan int)
	for range 2 {
		go func() { a <- 1; b <- 2 }()
	}
	go func() { b <- 1; a <- 2 }()
	go func() {
		p := &struct{ next chan int }{c}
		go func() { p.next <- <-a }()
		<-p.next
	}()
	go func() { c <- <-b }()
	select {}
}
`,
	"fields and orders": `package main

import "sync"

type pair struct{ a, b sync.Mutex }

func both(a, b *sync.Mutex) {
	a.Lock()
	b.Lock()
	a.Unlock()
	b.Unlock()
}

func main() {
	p, q := new(pair), new(pair)
	go both(&p.a, &q.a)
	go both(&q.a, &p.a)
	go both(&p.b, &p.a)
	go both(&q.a, &p.b)
	select {}
}
`,
	"lists that meet": `package main

import "sync"

type node struct {
	mu   sync.Mutex
	next *node
}

func main() {
	end := &node{}
	for range 2 {
		own := &node{next: end}
		for range 2 {
			go func() {
				for n := own; n != nil; n = n.next {
					n.mu.Lock()
					n.mu.Unlock()
				}
			}()
		}
	}
	select {}
}
`,
}

// A state has one form in whatever order its goroutines stand, and two states that no order makes one have two; the slow way tries all
// orders. Goroutines that are said to be alike can be exchanged.
func TestSave_GoroutinesInWhateverOrderGiveOneForm(t *testing.T) {
	all := maps.Clone(crowds)
	if !level.Short() {
		for name, text := range concurrentPrograms(t) {
			all[name] = text
		}
	}
	names := slices.Sorted(maps.Keys(all))
	var sources []string
	for _, name := range names {
		sources = append(sources, all[name])
	}
	for i, img := range compiledAll(t, sources) {
		t.Run(names[i], func(t *testing.T) {
			for seed := range uint64(4) {
				o := crowd{t: t, sorted: img.NewMachine(Options{Chronicle: true}), plain: img.NewMachine(Options{NoSymmetry: true, Chronicle: true}),
					slow: map[string]string{}, fast: map[string]string{}, rng: rand.New(rand.NewPCG(seed, 2))}
				o.follow(img)
			}
		})
	}
}

// crowd follows a random execution.
type crowd struct {
	t             *testing.T
	sorted, plain *Machine
	slow, fast    map[string]string
	rng           *rand.Rand
}

func (o *crowd) follow(img *Image) {
	d := &dice{rng: o.rng}
	o.sorted.Start(img.Prog.Roots[0])
	o.plain.Start(img.Prog.Roots[0])
	o.sorted.Settle(0, d)
	for range 60 {
		if o.sorted.Fault() != nil || o.sorted.Ended().Kind != Running {
			return
		}
		words := o.sorted.Save(nil)
		o.judge(words)
		o.sorted.Load(words)
		i := enabled(o.sorted, d)
		if i < 0 {
			return
		}
		o.sorted.Step(i, d)
	}
}

// judge compares the form of a state with what all orders give, and puts the goroutines in other orders.
func (o *crowd) judge(words []uint64) {
	o.t.Helper()
	o.sorted.Load(words)
	n := o.sorted.Threads()
	alike := slices.Clone(o.sorted.Alike())
	if n > 7 {
		return
	}
	var least, same []uint64
	exchanged := map[[2]int]bool{}
	for perm := range orders(n) {
		o.plain.Load(words)
		if o.plain.Arrange(perm); same == nil {
			same = o.plain.Save(nil)
		}
		o.plain.Load(words)
		o.plain.Arrange(perm)
		got := o.plain.Save(nil)
		if least == nil || slices.Compare(got, least) < 0 {
			least = got
		}
		if slices.Equal(got, same) {
			for i, p := range perm {
				exchanged[[2]int{i, p}] = true
			}
		}
		if n <= 5 || o.rng.IntN(60) == 0 {
			o.sorted.Load(words)
			o.sorted.Arrange(perm)
			if form := o.sorted.Save(nil); !slices.Equal(form, words) {
				o.t.Fatalf("in the order %v a state has another form:\n%x\n%x", perm, words, form)
			}
		}
	}
	for i, j := range alike {
		if !exchanged[[2]int{i, int(j)}] {
			o.t.Fatalf("goroutines %d and %d are not alike in\n%x", i, j, words)
		}
	}
	fast, slow := fmt.Sprint(words), fmt.Sprint(least)
	if other, ok := o.slow[fast]; ok && other != slow {
		o.t.Fatalf("two states have one form %x", words)
	}
	if other, ok := o.fast[slow]; ok && other != fast {
		o.t.Fatalf("a state has two forms:\n%s\n%s", fast, other)
	}
	o.slow[fast], o.fast[slow] = slow, fast
}

// orders yields the orders of n threads in which the first stays, the given one first.
func orders(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		perm := make([]int, n)
		for i := range perm {
			perm[i] = i
		}
		var permute func(i int) bool
		permute = func(i int) bool {
			if i >= n {
				return yield(slices.Clone(perm))
			}
			for j := i; j < n; j++ {
				perm[i], perm[j] = perm[j], perm[i]
				if !permute(i + 1) {
					return false
				}
				perm[i], perm[j] = perm[j], perm[i]
			}
			return true
		}
		permute(1)
	}
}

func alikeFaults() []planting.Fault {
	fault := func(name, old, text string) planting.Fault { return planting.Fault{Name: name, Old: old, New: text} }
	return []planting.Fault{
		fault("no-edges-from-objects", "if e.owner[id] != 0 || owner == severalOwners {", "if e.owner[id] != 0 && !planted(\"no-edges-from-objects\") || owner == severalOwners {"),
		fault("one-colour", "if i > 0 && slices.Equal(s.of(nodes[i-1]), s.of(v)) {", "if i > 0 && (planted(\"one-colour\") || slices.Equal(s.of(nodes[i-1]), s.of(v))) {"),
		fault("ties-exchangeable", "if s.tie && len(s.shared) > 0 {\n\t\torder", "if s.tie && len(s.shared) > 0 && !planted(\"ties-exchangeable\") {\n\t\torder"),
		fault("alike-by-colour", "if s.tie && len(s.shared) > 0 {\n\t\t\tclass", "if s.tie && len(s.shared) > 0 && !planted(\"alike-by-colour\") {\n\t\t\tclass"),
		fault("edges-unnamed", "g.Labels = append(g.Labels, int32(len(g.To))-g.Begin[len(g.Begin)-1])", "if planted(\"edges-unnamed\") {\n\t\tg.Labels = append(g.Labels, 0)\n\t} else {\n\t\tg.Labels = append(g.Labels, int32(len(g.To))-g.Begin[len(g.Begin)-1])\n\t}"),
		fault("offsets-lost", "return leastRank<<32 | p&0xffffffff", "if planted(\"offsets-lost\") {\n\t\treturn leastRank << 32\n\t}\n\treturn leastRank<<32 | p&0xffffffff"),
	}
}

func alikeSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	s.Read(t, filepath.Join("state", "alike.go"))
	return s
}

func TestAlikeFaults_CanBePlanted(t *testing.T) { alikeSources(t).Check(t, alikeFaults()) }

// TestAlikeFaults_AreFound plants each fault into what orders goroutines and runs the test of it.
func TestAlikeFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	alikeSources(t).Build(t, alikeFaults(), binary)
	tests := planting.Tests{Binary: binary, Args: []string{"-test.run=^TestSave_GoroutinesInWhateverOrderGiveOneForm$", "-level=short"}}
	tests.FindEach(t, slices.DeleteFunc(alikeFaults(), func(f planting.Fault) bool { return !flags.Only(f.Name) }))
}
