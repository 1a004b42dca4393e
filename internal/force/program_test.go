// SPDX-License-Identifier: BSD-3-Clause

package force_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/force"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Whole programs: each way to end that a search of every interleaving finds is forced.

func TestProgram_ForcesEachWayToEnd(t *testing.T) {
	level.SkipShort(t, "compiles copies of programs")
	for i, c := range []struct{ name, source string }{
		{"two goroutines print", `package main

import (
	"fmt"
	"sync"
)

func main() {
	var all sync.WaitGroup
	var mu sync.Mutex
	text := ""
	for _, s := range []string{"a", "b"} {
		all.Add(1)
		go func() {
			defer all.Done()
			mu.Lock()
			defer mu.Unlock()
			text += s
		}()
	}
	all.Wait()
	fmt.Println(text)
}
`},
		{"locks in two orders", `package main

import "sync"

var a, b sync.Mutex

func main() {
	done := make(chan bool)
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
		done <- true
	}()
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	<-done
}
`},
		{"two give way to each other for ever", `package main

import "sync/atomic"

var wants [2]atomic.Bool

func enter(me int) {
	wants[me].Store(true)
	for wants[1-me].Load() {
		wants[me].Store(false)
		wants[me].Store(true)
	}
	wants[me].Store(false)
}

func main() {
	done := make(chan bool)
	go func() { enter(1); done <- true }()
	enter(0)
	<-done
}
`},
		{"a race", `package main

var n int

func main() {
	done := make(chan bool)
	go func() { n++; done <- true }()
	n++
	<-done
}
`},
		{"a panic", `package main

import "sync/atomic"

func main() {
	var n atomic.Int64
	go func() { n.Store(1) }()
	if n.Load() == 1 {
		panic("one")
	}
}
`},
		{"a goroutine that nobody hears", `package main

func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	default:
	}
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 3) {
				t.Skip("some will do; -level more forces all")
			}
			dir := t.TempDir()
			write(t, dir, "prog.go", c.source)
			r := pangolin.Request{Dir: dir, Packages: []string{"prog.go"}}
			r.Search.Min = true
			v, err := pangolin.Run(front.Share(t.Context()), r)
			if err != nil || v.Outcomes == nil || len(v.Outcomes.List) < 2 && !strings.Contains(c.name, "print") {
				t.Fatal(err, v.Reason)
			}
			for _, o := range v.Outcomes.List {
				if o.Execution == nil {
					t.Fatalf("a %s without an execution", o.Kind)
				}
				got, err := force.Program(t.Context(), dir, o.Execution)
				if err != nil || !got.Reproduced {
					t.Errorf("a %s: %v, %s\n%s", o.Kind, err, got.Missed(), got.Output)
				}
				if o.Kind == verdict.Exited { // another output is not what comes out
					other := *o.Execution
					ending := *other.Ending
					ending.Stdout += "more"
					other.Ending = &ending
					if got, err := force.Program(t.Context(), dir, &other); err != nil || got.Reproduced {
						t.Errorf("another output is reproduced as well: %v", err)
					}
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
				t.Errorf("left: %v", left)
			}
		})
	}
}
