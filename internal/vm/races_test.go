// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/ir"
)

// Which two accesses race: each kind of access beside each other one, in two goroutines that stand in front of them.

// accessed are statements that access the variables of racing as they say: r reads, w writes, not atomically, and R and W atomically; s0 is
// the first element of s, s1 are the others.
var accessed = []struct{ statement, how string }{
	{"sink = x", "rx"},
	{"x = 1", "wx"},
	{"sink = y", "ry"},
	{"sink = atomic.LoadInt64(&x)", "Rx"},
	{"atomic.StoreInt64(&x, 1)", "Wx"},
	{"atomic.AddInt64(&x, 1)", "Wx"},
	{"atomic.SwapInt64(&x, 1)", "Wx"},
	{"atomic.CompareAndSwapInt64(&x, 0, 1)", "Wx"},
	{"atomic.OrInt64(&x, 1)", "Wx"},
	{"sink = m[1]", "rm"},
	{"sink = int64(len(m))", "rm"},
	{"m[2] = 1", "wm"},
	{"delete(m, 1)", "wm"},
	{"clear(m)", "wm"},
	{"copy(s, t)", "ws0 ws1 rt"},
	{"copy(t, s)", "wt rs0 rs1"},
	{"clear(s)", "ws0 ws1"},
	{"text = string(s)", "rs0 rs1"},
	{"long = append(s[:1], t[:2]...)", "ws1 rt"},
	{"long = append(s[:1], t...)", "rs0 rt"}, // there is no room for nine
}

// racing is a program in which thread a and thread b have a function for each statement, which end in its number.
func racing() (src string, roots []string) {
	var b strings.Builder
	b.WriteString(`package main

import "sync/atomic"

var (
	x, y int64
	m    = map[int]int64{1: 1}
	s, t = make([]byte, 8), make([]byte, 8)
)

func main() { _ = atomic.LoadInt64(&x) }
`)
	for _, thread := range []string{"a", "b"} {
		fmt.Fprintf(&b, "var (\n%[1]ssink int64\n%[1]stext string\n%[1]slong []byte\n)\n", thread)
		for i, c := range accessed {
			code := c.statement
			for _, own := range []string{"sink", "text", "long"} {
				code = strings.Replace(code, own+" =", thread+own+" =", 1)
			}
			fmt.Fprintf(&b, "func %s%d() { %s }\n", thread, i, code)
			roots = append(roots, fmt.Sprint(thread, i))
		}
	}
	return b.String(), roots
}

// racingProgram is racing, compiled.
func racingProgram(t *testing.T) (*ir.Program, []string) {
	t.Helper()
	src, roots := racing()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	prog, err := front.Load(front.Share(context.Background()), front.Request{Dir: filepath.Dir(file), Patterns: []string{file}, Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	return prog, roots
}

// race says whether two descriptions of accesses are a race.
func race(a, b string) bool {
	for _, p := range strings.Fields(a) {
		for _, q := range strings.Fields(b) {
			writes := strings.ContainsAny(p[:1]+q[:1], "wW")
			atomic := strings.ContainsAny(p[:1], "RW") && strings.ContainsAny(q[:1], "RW")
			if p[1:] == q[1:] && writes && !atomic {
				return true
			}
		}
	}
	return false
}

func TestRaces_AreOfTwoAccessesOfWhichOneWritesAndOneIsPlain(t *testing.T) {
	prog, _ := racingProgram(t)
	m := image(t, prog).NewMachine(Options{Threads: 3})
	// stand lets two threads call functions, and each go on for some steps; false: one of them returns before.
	stand := func(a, b int, steps [2]int) bool {
		m.Reset()
		for i, f := range []int{a, b} {
			m.Spawn()
			m.Call(i, prog.Roots[f], nil)
			m.Settle(i, nil)
			for range steps[i] {
				if m.Idle(i) {
					return false
				}
				m.Step(i, nil)
			}
		}
		return !m.Idle(0) && !m.Idle(1)
	}
	n := len(accessed)
	for i := range n {
		for k := range n {
			want := race(accessed[i].how, accessed[k].how)
			var found []Race
			for first := 0; stand(i, n+k, [2]int{first, 0}); first++ {
				for second := 0; stand(i, n+k, [2]int{first, second}); second++ {
					all := m.Races()
					if r, is := m.Race(); is != (len(all) > 0) || is && r != all[0] || len(all) > 1 {
						t.Errorf("%s beside %s: one race %v (%t), all of them %v", accessed[i].statement, accessed[k].statement, r, is, all)
					}
					found = append(found, all...)
				}
			}
			if (len(found) > 0) != want {
				t.Errorf("%s beside %s: races %v, want one: %t", accessed[i].statement, accessed[k].statement, found, want)
			}
			for _, r := range found {
				if r.Threads != [2]int{0, 1} || r.At[0] == r.At[1] || !r.Write[0] && !r.Write[1] {
					t.Errorf("%s beside %s: %+v", accessed[i].statement, accessed[k].statement, r)
				}
				for side, how := range []string{accessed[i].how, accessed[k].how} {
					if !strings.Contains(how, " ") && r.Write[side] != strings.ContainsAny(how[:1], "wW") {
						t.Errorf("%s beside %s: side %d writes: %t", accessed[i].statement, accessed[k].statement, side, r.Write[side])
					}
				}
			}
		}
	}
}

// A thread at an atomic access races with each thread that stands at a plain one of the same variable, whoever else stands somewhere.
func TestRaces_OfAnAtomicAccessAreWithAllPlainOnes(t *testing.T) {
	prog, roots := racingProgram(t)
	m := image(t, prog).NewMachine(Options{Threads: 4})
	find := func(thread, statement string) int {
		i := slices.IndexFunc(accessed, func(x struct{ statement, how string }) bool { return x.statement == statement })
		return slices.Index(roots, fmt.Sprint(thread, i))
	}
	x, y, atomic := find("a", "sink = x"), find("b", "sink = y"), find("a", "atomic.AddInt64(&x, 1)")
	for _, order := range [][]int{{x, y, atomic}, {y, x, atomic}, {x, atomic, y}, {y, atomic, x}, {atomic, x, y}, {atomic, y, x}} {
		m.Reset()
		for i, f := range order {
			m.Spawn()
			m.Call(i, prog.Roots[f], nil)
			m.Settle(i, nil)
		}
		a, b := slices.Index(order, x), slices.Index(order, atomic)
		if all := m.Races(); len(all) != 1 || all[0].Threads != [2]int{min(a, b), max(a, b)} {
			t.Errorf("thread %d reads x and thread %d writes it atomically: races %v", a, b, all)
		}
	}
}
