// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"context"
	"testing"

	"pangolin/internal/lts"
	"pangolin/internal/test/level"
)

// Inclusion that is decided while the code is explored is that of whole systems.

func TestIncludes_FindsTheBooksDefect(t *testing.T) {
	level.SkipShort(t, "generates two systems")
	ctx := context.Background()
	s := load(t, "list", "LockFreeListOriginal") // two removals of one value both succeed
	body, err := Atomic(ctx, s, pair(2), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Includes(ctx, Setting{s, pair(2)}, body, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !f.Violated || f.Limit != nil {
		t.Fatalf("got %+v, want a violation", f)
	}
	if f, err = Includes(ctx, Setting{s, pair(2)}, body, Limits{States: 50}); err != nil || f.Violated || f.Limit == nil {
		t.Errorf("with a limit of 50 states: %+v, %v", f, err)
	}
}

func TestIncludes_AgreesWithWholeSystems(t *testing.T) {
	ctx := context.Background()
	for i, x := range subjects {
		t.Run(x.typ, func(t *testing.T) {
			if level.Out(i, 3) {
				t.Skip("some subjects will do; -level more tries all")
			}
			s := load(t, x.pkg, x.typ)
			c := pair(x.calls)
			spec, err := Specified(ctx, s, c, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := Includes(ctx, Setting{s, c}, spec, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			ok, _ := lts.Included(concrete(t, s, c), spec, true)
			if f.Violated == ok || f.Violated == x.correct {
				t.Errorf("violated: %v; of the whole systems included: %v", f.Violated, ok)
			}
			// And a system that cannot do what the code does: one with a response taken away.
			less := spec.Hide(func(string) bool { return false })
			less = withoutLabel(less, less.Labels()[len(less.Labels())-1])
			if f, err = Includes(ctx, Setting{s, c}, less, Limits{}); err != nil {
				t.Fatal(err)
			}
			if ok, _ := lts.Included(concrete(t, s, c), less, true); ok || !f.Violated {
				t.Fatalf("violated: %v; of the whole systems included: %v", f.Violated, ok)
			}
			follower := lts.Follow(less)
			at := follower.Initial()
			for i, l := range f.Trace {
				if at = follower.Next(at, follower.Label(l)); (at == lts.Lost) != (i == len(f.Trace)-1) {
					t.Errorf("the trace %q does not leave the system with its last label", f.Trace)
				}
			}
		})
	}
}

func withoutLabel(s *lts.System, name string) *lts.System {
	b := lts.NewBuilder(0)
	for _, l := range s.Labels()[1:] {
		b.Label(l)
	}
	for i := range s.States() {
		for _, e := range s.Edges(lts.State(i)) {
			if s.Labels()[e.Label] != name {
				b.Add(lts.State(i), e.Label, e.To)
			}
		}
	}
	b.SetStates(s.States())
	b.SetInitial(s.Initial())
	return b.Build()
}
