// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"strings"
	"testing"

	"pangolin/internal/ir"
)

// lines prints a view, for tests: objects, then threads.
func (v *View) lines() string {
	var b strings.Builder
	for i := range v.Objects {
		o := &v.Objects[i]
		fmt.Fprintf(&b, "%s", o.Name())
		if o.Kind == ChannelObject {
			fmt.Fprintf(&b, " room %d closed %v", o.Room, o.Closed)
		}
		b.WriteByte('\n')
		for _, f := range o.Fields {
			fmt.Fprintf(&b, "  %s = %s", f.Path, f.Value.Text)
			if f.Purpose != ir.Data {
				fmt.Fprintf(&b, " (%s)", f.Purpose)
			}
			if len(f.Owners) > 0 {
				fmt.Fprintf(&b, " held by %v", f.Owners)
			}
			b.WriteByte('\n')
		}
	}
	for i := range v.Threads {
		t := &v.Threads[i]
		fmt.Fprintf(&b, "%s can go on: %v\n", t.Name, t.Can)
		for _, f := range t.Frames {
			fmt.Fprintf(&b, "  %s\n", f.Function)
			for _, x := range f.Variables {
				if x.Name != "" {
					fmt.Fprintf(&b, "    %s = %s\n", x.Name, x.Value.Text)
				}
			}
		}
		for _, h := range t.Holds {
			fmt.Fprintf(&b, "  holds %s, reading %v\n", h.String(), h.Reading)
		}
	}
	return b.String()
}

// stopped executes a program until no thread can go on, each thread in turn, and gives the
// machine.
func stopped(t *testing.T, src string) *Machine {
	t.Helper()
	img := compiled(t, src)
	m := img.NewMachine(Options{Guards: img.NewGuards(), NoSymmetry: true})
	m.Start(img.Prog.Roots[0])
	m.Settle(0, nil)
	for moved := true; moved; {
		moved = false
		for i := 0; i < m.Threads(); i++ {
			if m.Enabled(i) {
				m.Step(i, nil)
				moved = true
			}
		}
		if m.Fault() != nil {
			t.Fatal(m.Fault())
		}
	}
	return m
}

const listed = `package main

import (
	"sync"
	"sync/atomic"
)

type node struct {
	mu     sync.Mutex
	key    int
	marked atomic.Bool
	next   *node
}

type list struct{ head *node }

var (
	table = map[string]int{"a": 1}
	shelf [2]list
	any1  any = 7
)

func (l *list) add(key int, c chan int) {
	pred := l.head
	for curr := pred.next; curr != nil && curr.key < key; curr = curr.next {
		pred = curr
	}
	pred.mu.Lock()
	pred.next = &node{key: key}
	pred.next.marked.Store(true)
	c <- key
	pred.mu.Unlock()
	println(pred.key, key)
}

func main() {
	c, full := make(chan int), make(chan string, 2)
	full <- "x"
	table["b"] = 2
	any1 = "text"
	l := &list{head: &node{key: 1}}
	shelf[1].head = l.head
	go l.add(5, c)
	for i := 0; ; i++ {
		if i == 3 {
			full <- "y"
			full <- "z"
		}
	}
}
`

func TestView_ShowsObjectsLocksAndVariables(t *testing.T) {
	m := stopped(t, listed)
	got := m.View().lines()
	for _, want := range []string{
		"  [\"a\"] = 1\n  [\"b\"] = 2\n",
		"shelf\n  [0].head = nil (link)\n  [1].head = node#",
		"any1\n   = \"text\"\n",
		"\n  .mu = 1 (mutex) held by [1]\n  .key = 1 (key)\n  .marked = 0 (flag)\n  .next = node#",
		"\n  .key = 5 (key)\n  .marked = 1 (flag)\n  .next = nil (link)\n",
		"room 2 closed false\n",
		"main can go on: false\n  main\n",
		"    i = 3\n",
		"can go on: false\n  (*list).add\n    key = 5\n    c = ",
		"    pred = node#",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "held by"); n != 1 {
		t.Errorf("%d locks are held", n)
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestView_ShowsWhoReads(t *testing.T) {
	m := stopped(t, `package main

import "sync"

type shelf struct {
	n  int
	rw sync.RWMutex
}

func main() {
	s := &shelf{}
	s.rw.RLock()
	go func() {
		s.rw.RLock()
		select {}
	}()
	select {}
}
`)
	got := m.View().lines()
	for _, want := range []string{"held by [0 1]\n", "holds shelf#1.rw, reading true\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// What a view shows is the state: after saving and loading it shows the same but for the
// numbers of objects, and again the same after that.
func TestView_IsThatOfTheState(t *testing.T) {
	m := stopped(t, listed)
	m.Load(m.Save(nil))
	first := m.View().lines()
	m.Load(m.Save(nil))
	if again := m.View().lines(); again != first {
		t.Errorf("the view changes from\n%s\nto\n%s", first, again)
	}
}
