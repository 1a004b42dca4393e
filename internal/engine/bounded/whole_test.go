// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// What operations take and give is compared whole: a cell whose value is stored in two steps, or read in two, is
// seen to give what nobody stored, whichever parts of it the steps touch. In each case the source of a
// type V comes with the two assignments that the faulty cell makes of it; the correct one makes them under a lock.
var halves = []struct{ name, types, split string }{
	{"a pair", "type V struct{ A, B int }", "c.v.A = v.A; STEP; c.v.B = v.B"},
	{"fields that others cannot see", "type V struct{ a, b int }", "c.v.a = v.a; STEP; c.v.b = v.b"},
	{"an array", "type V [2]int", "c.v[0] = v[0]; STEP; c.v[1] = v[1]"},
	{"a long array", "type V [20]byte", "copy(c.v[:10], v[:10]); STEP; copy(c.v[10:], v[10:])"},
	{"a struct in a struct", "type in struct{ X, Y string }; type V struct{ N int; In in }", "c.v.N, c.v.In.X = v.N, v.In.X; STEP; c.v.In.Y = v.In.Y"},
	{"two bools", "type V struct{ A, B bool }", "c.v.A = v.A; STEP; c.v.B = v.B"},
	{"a string and a number", "type V struct{ S string; F float64 }", "c.v.S = v.S; STEP; c.v.F = v.F"},
	{"small numbers", "type V struct{ A uint8; B int16 }", "c.v.A = v.A; STEP; c.v.B = v.B"},
	{"a time", "type V struct{ At time.Time; N int }", "c.v.At = v.At; STEP; c.v.N = v.N"},
	{"an error", "type V struct{ N int; Err error }", "c.v.Err = v.Err; STEP; c.v.N = v.N"},
	{"an interface", "type V struct{ N int; X any }", "c.v.X = v.X; STEP; c.v.N = v.N"},
	{"a pointer", "type V struct{ N int; P *string }", "c.v.P = v.P; STEP; c.v.N = v.N"},
	{"a slice", "type V struct{ N int; L []string }", "c.v.L = v.L; STEP; c.v.N = v.N"},
	{"a map", "type V struct{ N int; M map[string]int }", "c.v.M = v.M; STEP; c.v.N = v.N"},
	{"a value with methods", "type V struct{ n, m int }; func (v V) Sum() int { return v.n + v.m }", "c.v.n = v.n; STEP; c.v.m = v.m"},
	{"a link, which stays nil", "type V struct{ A, B int; Next *V }", "c.v.A = v.A; STEP; c.v.B = v.B"},
	{"a number of any size", "type V struct{ N *big.Int; A int }", "c.v.N = v.N; STEP; c.v.A = v.A"},
}

const halvesHead = `package example

import (
	"math/big"
	"sync"
	"time"
)

var (
	_ *big.Int
	_ time.Time
)

`

func cell(types, set string) string {
	return halvesHead + types + `

type Cell struct {
	mu sync.Mutex
	v  V
}

func (c *Cell) Get() V { c.mu.Lock(); defer c.mu.Unlock(); return c.v }
func (c *Cell) Set(v V) { c.mu.Lock(); ` + set + `; c.mu.Unlock() }
`
}

func TestVerify_ComparesWholeValues(t *testing.T) {
	for _, c := range halves {
		t.Run(c.name, func(t *testing.T) {
			for _, kind := range []string{"register", "object"} {
				for set, want := range map[string]verdict.Status{
					strings.Replace(c.split, "STEP", "c.mu.Unlock(); c.mu.Lock()", 1): verdict.Violated,
					strings.Replace(c.split, "STEP; ", "", 1):                         verdict.Verified,
				} {
					v := verifySource(t, cell(c.types, set), pangolin.Request{Type: "Cell", Kind: kind, Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}})
					if v.Status != want {
						t.Errorf("%s: %s is %s: %s", kind, set, v.Status, v.Reason)
					} else if want == verdict.Violated {
						t.Log(kind, v.Reason)
					}
				}
			}
		})
	}
}
