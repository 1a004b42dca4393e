// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Threads that an engine numbers are ordered by trying what is tied, and many of them by colours first.

// tied are programs with four goroutines or more that have equal keys, and differ in whom they share with.
var tied = map[string]string{
	"receivers by their senders": `package main

func main() {
	for i := range 2 {
		a, b := make(chan int), make(chan int)
		for _, c := range []chan int{a, b} {
			go func() {
				for range c {
				}
			}()
		}
		go func() {
			for j := 10 * i; ; j++ {
				a <- j
				b <- j
			}
		}()
	}
	select {}
}
`,
	"workers in a row": `package main

import "sync"

func main() {
	var all [5]*sync.Mutex
	for i := range all {
		all[i] = new(sync.Mutex)
	}
	for i := range 4 {
		a, b := all[i], all[i+1]
		go func() {
			for {
				a.Lock()
				b.Lock()
				a.Unlock()
				b.Unlock()
			}
		}()
	}
	go func() {
		for {
			all[2].Lock()
			all[2].Unlock()
		}
	}()
	select {}
}
`,
	"one for all": `package main

func main() {
	in, out := make(chan int), make(chan int, 1)
	for range 5 {
		go func() {
			for v := range in {
				out <- v
			}
		}()
	}
	for {
		in <- 1
		<-out
	}
}
`,
}

// A state has one form in whatever order the goroutines stand, and no two states have one.
func TestSave_TiedThreadsInWhateverOrderGiveOneForm(t *testing.T) {
	all := maps.Clone(crowds)
	maps.Copy(all, tied)
	names := slices.Sorted(maps.Keys(all))
	var sources []string
	for _, name := range names {
		sources = append(sources, all[name])
	}
	for i, img := range compiledAll(t, sources) {
		t.Run(names[i], func(t *testing.T) {
			for seed := range uint64(4) {
				o := crowd{t: t, sorted: img.NewMachine(Options{Chronicle: true}), plain: img.NewMachine(Options{NoSymmetry: true, Chronicle: true}),
					slow: map[string]string{}, fast: map[string]string{}, rng: rand.New(rand.NewPCG(seed, 3))}
				o.sorted.TieNumber = func([]int) uint64 { return 0 }
				o.follow(img)
			}
		})
	}
}
