// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"strings"
	"testing"

	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
	"pangolin/internal/vm/state"
)

// stressed follows one execution and collects garbage every few instructions.
func stressed(t *testing.T, img *Image, every int) outcome {
	t.Helper()
	var out [2]strings.Builder
	m := img.NewMachine(Options{Stream: func(file int, text string) { out[file-1].WriteString(text) }})
	m.Start(img.Prog.Roots[0])
	m.Tracking = false
	for progress := true; progress && m.Ended().Kind == Running; {
		progress = false
		for _, th := range append([]*state.Thread(nil), m.Thread...) {
			if th.Idle() || !m.mayGoOn(th) || m.Ended().Kind != Running {
				continue
			}
			progress = true
			m.chooser, m.fuel, m.quota = nil, plenty, every
			if m.exec(th); m.Fault() != nil {
				t.Fatal(m.Fault())
			}
			if m.Ended().Kind == Running {
				m.collect()
			}
		}
		m.woken = m.woken[:0]
	}
	o := outcome{out[0].String(), out[1].String(), m.Ended().Code}
	if k := m.Ended().Kind; k == Panicked || k == Fatal {
		o.stderr += m.Text(m.Ended().Text) + "\n"
	}
	if m.Deadlocked() {
		o.stderr, o.code = o.stderr+m.DeadlockText()+"\n", 2
	}
	return o
}

// TestCollector_ChangesNothing runs sequential programs, whose outcome is fixed, with
// the collector at work all the time.
func TestCollector_ChangesNothing(t *testing.T) {
	level.SkipShort(t, "collects garbage all the time")
	sources := []string{garbage}
	for seed := range uint64(2) {
		sources = append(sources, generator.Sequential(seed))
	}
	for i, src := range sources {
		img := compiled(t, src)
		want := executed(t, img)
		for _, every := range []int{1, 10, 100} {
			if every == 1 && (i > 0 || !level.More()) { // takes seconds
				continue
			}
			if got := stressed(t, img, every); got != want {
				t.Errorf("program %d, a collection every %d instructions:\n%s", i, every, src)
				sameLines(t, got.stdout+got.stderr, want.stdout+want.stderr)
			}
		}
	}
}

// TestCollector_KeepsMemoryBounded runs a program that allocates far more than it may
// have at a time.
func TestCollector_KeepsMemoryBounded(t *testing.T) {
	level.SkipShort(t, "allocates a gigabyte")
	img := compiled(t, allocating)
	m := img.NewMachine(Options{HeapBytes: 256 << 20, Stream: func(int, string) {}})
	m.Start(img.Prog.Roots[0])
	if !m.Run(nil, 500_000_000) || m.Fault() != nil || m.Ended().Kind != state.Exited {
		t.Errorf("ended with %v, fault %v", m.Ended(), m.Fault())
	}
}

const allocating = `package main

type node struct {
	next *node
	data [100]int
}

func main() {
	var keep *node
	for i := range 1_000_000 {
		n := new(node)
		n.data[i%100] = i
		if i%1000 == 0 {
			n.next, keep = keep, n
		}
	}
	sum := 0
	for n := keep; n != nil; n = n.next {
		for _, x := range n.data {
			sum += x
		}
	}
	if sum != 499_500_000 {
		panic(sum)
	}
}
`

// garbage makes garbage of every kind and keeps some of everything.
const garbage = `package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

type tree struct {
	left, right *tree
	key         int
	tags        []string
	extra       any
}

func (t *tree) insert(key int) *tree {
	if t == nil {
		return &tree{key: key, tags: []string{fmt.Sprint(key)}, extra: [2]int{key, -key}}
	}
	if key < t.key {
		t.left = t.left.insert(key)
	} else if key > t.key {
		t.right = t.right.insert(key)
	}
	return t
}

func (t *tree) walk(visit func(*tree)) {
	if t != nil {
		t.left.walk(visit)
		visit(t)
		t.right.walk(visit)
	}
}

type shape interface{ area() int }
type square struct{ a int }
type rect struct{ a, b int }

func (s square) area() int { return s.a * s.a }
func (r *rect) area() int  { return r.a * r.b }

func deferred(n int) (s string) {
	for i := range n {
		x := new(int)
		*x = i
		defer func() { s += fmt.Sprint(*x, ",") }()
	}
	defer func() {
		if r := recover(); r != nil {
			s += fmt.Sprint("recovered ", r, " ")
		}
	}()
	panic(errors.New("boom"))
}

func generate(n int) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := range n {
			if !yield(i, strings.Repeat("x", i)) {
				return
			}
		}
	}
}

func main() {
	var root *tree
	for i := range 30 {
		root = root.insert(i * 17 % 31)
	}
	root.walk(func(t *tree) { fmt.Print(t.key, t.tags, t.extra, " ") })
	fmt.Println()

	m := map[string][]int{}
	for i := range 40 {
		key := string(rune('a' + i%7))
		m[key] = append(m[key], i)
		if i%11 == 10 {
			delete(m, key)
		}
	}
	keys := make([]string, 0)
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Println(k, m[k])
	}

	shapes := []shape{square{3}, &rect{2, 5}}
	for i := range 5 {
		shapes = append(shapes, square{i}, &rect{i, i + 1})
	}
	total := 0
	for _, s := range shapes {
		total += s.area()
	}
	fmt.Println(total, deferred(4))

	for i, s := range generate(6) {
		if i == 4 {
			break
		}
		fmt.Println(i, s)
	}

	c, done := make(chan *tree, 2), make(chan int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range c {
				done <- t.key
			}
		})
	}
	go func() {
		for i := range 10 {
			c <- &tree{key: i}
		}
		close(c)
		wg.Wait()
		close(done)
	}()
	sum := 0
	for k := range done {
		sum += k
	}
	fmt.Println(sum)
	var grid [3][4]*[2]string
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = &[2]string{fmt.Sprint(i), fmt.Sprint(j)}
		}
	}
	row := grid[1][1:3]
	inside := &grid[2][3][1]
	grid[2][3] = nil
	fmt.Println(*row[0], *row[1], *inside)
}
`
