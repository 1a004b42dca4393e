// SPDX-License-Identifier: BSD-3-Clause

package walk

import (
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// Walks over the stack of Treiber (1986), and over one with a lock, whose invariants are known to hold; and over programs that are not
// those of the invariant.

const locked = `
type cell { item int; next *cell }
type Stack { mu sync.Mutex; top *cell }

func (*sync.Mutex).Lock(m *sync.Mutex)
func (*sync.Mutex).Unlock(m *sync.Mutex)

func New() *Stack
    s = new Stack
    return s

func Push(s *Stack, item int)
    c = new cell
    i = field c item
    store i item
    next = field c next
    m = field s mu
    call (*sync.Mutex).Lock m
    top = field s top
    old = load top
    store next old
    store top c
    call (*sync.Mutex).Unlock m
    return

func Pop(s *Stack) int, bool
    m = field s mu
    call (*sync.Mutex).Lock m
    defer (*sync.Mutex).Unlock m
    top = field s top
    old = load top
    empty = eq old nil
    if empty none some
none:
    rundefers
    return 0 false
some:
    next = field old next
    n = load next
    store top n
    i = field old item
    x = load i
    rundefers
    return x true
`

func program(text string) *fixpoint.Program {
	p := assembler.Parse(text)
	return &fixpoint.Program{Prog: p.Program, New: p.Func("New"), Kind: oracle.Stack, Funcs: append(p.Funcs[:0:0], p.Func("Push"), p.Func("Pop")),
		Operations: []content.Operation{{Name: "Push", Role: oracle.Put, Param: true, Item: -1, OK: -1}, {Name: "Pop", Role: oracle.Take, Item: 0, OK: 1}}}
}

func invariant(t *testing.T, text string) *fixpoint.Invariant {
	t.Helper()
	p := program(text)
	m := content.Map{Word: len(p.Collection().Layout()) - 1}
	inv, failure, err := fixpoint.Compute(t.Context(), &fixpoint.Task{Program: p, Domain: shape.NewDomain(p.Prog, false), Map: m}, fixpoint.Options{MaxViews: 2000})
	if err != nil || failure != nil {
		t.Fatalf("%+v, %v", failure, err)
	}
	return inv
}

func TestRun_StaysInTheInvariant(t *testing.T) {
	for name, text := range map[string]string{"treiber": assembler.Treiber, "locked": locked} {
		inv := invariant(t, text)
		r, err := Run(inv, Options{Walks: 60, Steps: 100})
		if err != nil || r.Missing != nil {
			t.Fatalf("%s: %v, %v", name, r.Missing, err)
		}
		if r.Lookups < 1000 || r.Hit < len(inv.Entries)/2 {
			t.Errorf("%s: %d look-ups, %d of %d views met: that is little", name, r.Lookups, r.Hit, len(inv.Entries))
		}
	}
}

func TestRun_IsTheSameForOneSeed(t *testing.T) {
	inv := invariant(t, assembler.Treiber)
	a, _ := Run(inv, Options{Walks: 5, Steps: 50, Seed: 3})
	b, _ := Run(inv, Options{Walks: 5, Steps: 50, Seed: 3})
	if *a != *b {
		t.Errorf("%+v and %+v", a, b)
	}
}

// A view of the table that real executions meet is missed if nobody claims it.
func TestRun_MissesEachViewThatIsNotClaimed(t *testing.T) {
	inv := invariant(t, assembler.Treiber)
	missed := 0
	for _, e := range inv.Entries {
		r, err := Run(inv, Options{Walks: 12, Steps: 80, Claimed: func(v *shape.View) bool {
			found := inv.Find(v)
			return found != nil && found != e
		}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Missing != nil {
			missed++
			if inv.Find(r.Missing.View) != e {
				t.Errorf("another view is missed: %v", r.Missing)
			}
		}
	}
	if missed < len(inv.Entries)/4 {
		t.Errorf("%d of %d views are missed", missed, len(inv.Entries))
	}
}

// The invariant of the right stack does not hold of a wrong one.
func TestRun_RefutesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, old, now, want string }{
		{"a push that does not compare", assembler.Treiber, "done = atomiccas top old c\n    if done end load", "atomicstore top c\n    jump end", ""},
		{"a pop that does not compare", assembler.Treiber, "done = atomiccas top old n\n    if done taken load", "atomicstore top n\n    jump taken", ""},
		{"a push of another item", assembler.Treiber, "store i item", "store i 7", ""},
		{"a push that is made twice", assembler.Treiber, "if done end load", "if done load load", ""},
		{"a pop without the lock", locked, "call (*sync.Mutex).Lock m\n    defer (*sync.Mutex).Unlock m", "call (*sync.Mutex).Lock m\n    call (*sync.Mutex).Unlock m", ""},
		{"a push that keeps nothing", locked, "store top c", "store top old", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(c.text, c.old) {
				t.Fatalf("no %q", c.old)
			}
			inv := invariant(t, c.text)
			inv.Program = program(strings.Replace(c.text, c.old, c.now, 1))
			inv.Domain.Prog = inv.Program.Prog
			r, err := Run(inv, Options{Walks: 60, Steps: 100})
			if err != nil || r.Missing == nil || !strings.Contains(r.Missing.Text, c.want) {
				t.Errorf("%+v, %v, want %q", r, err, c.want)
			}
		})
	}
}
