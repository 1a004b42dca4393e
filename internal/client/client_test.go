// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// The clients of a scope are counted and listed, and compared with what a slow enumeration finds.

func space(t testing.TB, s Scope, ops []Op) *Space {
	t.Helper()
	sp, err := NewSpace(s, ops)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// COLLECT, Table 1: the numbers of schedules, all twenty of them.
func TestCount_ReproducesCollectTable1(t *testing.T) {
	columns := []struct {
		kind     oracle.Kind
		protocol oracle.ProtocolKind
		want     []int64 // A to E
	}{
		{oracle.Set, oracle.Nonblocking, []int64{63, 270, 270, 8108, 322930}},
		{oracle.Queue, oracle.Nonblocking, []int64{9, 18, 18, 58, 166}},
		{oracle.Queue, oracle.Synchronous, []int64{9, 25, 25, 83, 223}},
		{oracle.PQueue, oracle.Nonblocking, []int64{7, 25, 25, 156, 1096}},
	}
	for _, c := range columns {
		for i, want := range c.want {
			name := string(rune('A' + i))
			preset, err := NewPreset(name, c.kind, c.protocol)
			if err != nil {
				t.Fatal(err)
			}
			if got := space(t, preset.Scope, DefaultOps(c.kind)).Count(); got.Int64() != want {
				t.Errorf("%s, %s %s: %s clients, want %d", name, c.protocol, c.kind, got, want)
			}
		}
	}
}

// scopes are small ones that differ in every option.
func scopes() []Scope {
	var out []Scope
	base := Scope{Threads: Range{1, 3}, Steps: Range{1, 3}, PreAdds: Range{0, 1}, Values: 2}
	for bits := range 16 {
		s := base
		s.ThreadSymmetry, s.GenericValues = bits&1 != 0, bits&2 != 0
		s.AddsDominant, s.DistinctPriorities = bits&4 != 0, bits&8 != 0
		per := s
		per.Threads, per.PerThread = Range{1, 2}, 2
		narrow := s
		narrow.Threads, narrow.Steps = Range{2, 2}, Range{2, 3}
		out = append(out, s, per, narrow)
	}
	return out
}

func TestAll_ListsWhatTheSlowEnumeratorFinds(t *testing.T) {
	kinds := []oracle.Kind{oracle.Queue, oracle.PQueue, oracle.Set, oracle.Map}
	if level.Short() {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		ops := DefaultOps(kind)
		if kind == oracle.Set || kind == oracle.Map {
			ops = ops[:2] // keeps the slow enumerator quick
		}
		for k, roles := range []string{"", ops[0].Name + ":1", ops[1].Name + ":~2", ops[1].Name + ":once", ops[0].Name + ":last", ops[1].Name + ":last",
			ops[1].Name + ":first", ops[0].Name + ":first", ops[1].Name + ":alone"} {
			ops, err := SetRoles(ops, roles)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range scopes() {
				if i%18 != (3*k+1)%18 && !level.More() { // with each role others
					continue
				}
				if s.DistinctPriorities && strings.HasSuffix(roles, ":first") { // is refused
					continue
				}
				compare(t, space(t, s, ops))
			}
		}
	}
}

func compare(t *testing.T, sp *Space) {
	t.Helper()
	want := slowClients(sp)
	listed := make(map[string]bool)
	for c := range sp.All() {
		key := canonical(sp, c)
		if listed[key] {
			t.Fatalf("%+v: %s is listed twice", sp.Scope, sp.Format(c))
		}
		listed[key] = true
		if !want[key] {
			t.Fatalf("%+v: %s is not in the scope", sp.Scope, sp.Format(c))
		}
	}
	if len(listed) != len(want) {
		t.Fatalf("%+v: %d clients listed, want %d", sp.Scope, len(listed), len(want))
	}
	if n := sp.Count(); n.Int64() != int64(len(want)) {
		t.Fatalf("%+v: counted %s, want %d", sp.Scope, n, len(want))
	}
}

func TestAll_IsDeterministicAndStopsWhenTold(t *testing.T) {
	preset, _ := NewPreset("B", oracle.PQueue, oracle.Nonblocking)
	sp := space(t, preset.Scope, DefaultOps(oracle.PQueue))
	var first, second []string
	for c := range sp.All() {
		first = append(first, sp.Format(c))
	}
	for c := range sp.All() {
		second = append(second, sp.Format(c))
		if len(second) == len(first)-1 {
			break
		}
	}
	if len(first) != 25 || !slices.Equal(first[:24], second) {
		t.Errorf("%d and %d clients", len(first), len(second))
	}
}

func TestFormat_PrintsPreAddsAndThreads(t *testing.T) {
	sp := space(t, Scope{Threads: Range{1, 2}, Steps: Range{3, 3}, PreAdds: Range{1, 1}, Values: 2}, DefaultOps(oracle.Set))
	c := Client{Pre: sp.PreAdds(1), Threads: [][]Step{{{0, history.Ints(0)}, {1, history.Ints(1)}}, {{2, history.Ints(1)}}}}
	if got, want := sp.Format(c), "pre: Add(0)  |  1: Add(0), Remove(1)  |  2: Contains(1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSetRoles_ReportsMistakes(t *testing.T) {
	for _, flag := range []string{"Enqueue", "Enqueue:0", "Enqueue:x", "Fetch:1", "Enqueue:1,Enqueue:2", "Enqueue:~", "Enqueue:once,Dequeue:once", "Enqueue:once,Dequeue:last", "Enqueue:early"} {
		if _, err := SetRoles(DefaultOps(oracle.Queue), flag); err == nil {
			t.Errorf("%q was accepted", flag)
		}
	}
}

func TestNewSpace_ReportsContradictoryBounds(t *testing.T) {
	good := Scope{Threads: Range{1, 2}, Steps: Range{1, 2}, Values: 1}
	change := []func(*Scope){
		func(s *Scope) { s.Threads = Range{0, 1} },
		func(s *Scope) { s.Threads = Range{2, 1} },
		func(s *Scope) { s.Threads.To = MaxThreads + 1 },
		func(s *Scope) { s.Steps = Range{} },
		func(s *Scope) { s.PreAdds = Range{1, 0} },
		func(s *Scope) { s.PreAdds = Range{0, 1} }, // counters add nothing
		func(s *Scope) { s.Values = 0 },
		func(s *Scope) { s.PerThread = -1 },
		func(s *Scope) { s.Threads, s.Steps = Range{2, 2}, Range{1, 1} },
	}
	for i, f := range change {
		s := good
		f(&s)
		if _, err := NewSpace(s, DefaultOps(oracle.Counter)); err == nil {
			t.Errorf("change %d was accepted: %+v", i, s)
		}
	}
	if _, err := NewSpace(good, nil); err == nil {
		t.Error("a space without operations was accepted")
	}
}

func TestDefaultOps_CoverEveryKindButObjects(t *testing.T) {
	for _, kind := range []oracle.Kind{oracle.Set, oracle.Queue, oracle.Stack, oracle.PQueue, oracle.Deque,
		oracle.Map, oracle.Counter, oracle.Register} {
		preset, err := NewPreset("D", kind, oracle.Nonblocking)
		if err != nil {
			t.Fatal(err)
		}
		if space(t, preset.Scope, DefaultOps(kind)).Count().Sign() <= 0 {
			t.Errorf("%s: no clients", kind)
		}
	}
	if _, err := NewPreset("F", oracle.Set, ""); err == nil {
		t.Error("configuration F was accepted")
	}
}

func BenchmarkCount_SetConfigurationE(b *testing.B) {
	preset, _ := NewPreset("E", oracle.Set, oracle.Nonblocking)
	sp := space(b, preset.Scope, DefaultOps(oracle.Set))
	for b.Loop() {
		sp.Count()
	}
}

func BenchmarkAll_SetConfigurationE(b *testing.B) {
	preset, _ := NewPreset("E", oracle.Set, oracle.Nonblocking)
	sp := space(b, preset.Scope, DefaultOps(oracle.Set))
	for b.Loop() {
		n := 0
		for range sp.All() {
			n++
		}
		if n != 322930 {
			b.Fatal(n)
		}
	}
}

func FuzzSetRoles_NeverPanics(f *testing.F) {
	f.Add("Enqueue:1,Dequeue:~2")
	f.Add("Enqueue:*")
	f.Fuzz(func(t *testing.T, flag string) {
		ops, err := SetRoles(DefaultOps(oracle.Queue), flag)
		if err == nil && len(ops) != 2 {
			t.Errorf("%d operations", len(ops))
		}
	})
}

// A scope has its own clients, whatever arguments there are that are not counted by its values.
func TestHolds_OwnClients(t *testing.T) {
	ops := []Op{{Name: "Do", Params: []oracle.Param{oracle.ParamKey, oracle.ParamChoice3, oracle.ParamThread}}, {Name: "Stop", Params: []oracle.Param{oracle.ParamChoice}}}
	one := space(t, Scope{Threads: Range{1, 2}, Steps: Range{1, 2}, Values: 1}, ops)
	two := space(t, Scope{Threads: Range{1, 2}, Steps: Range{1, 2}, Values: 2}, ops)
	n := 0
	for c := range one.All() {
		if n++; !one.Holds(c) || !two.Holds(c) {
			t.Errorf("%s: of the scope with one value: %v, with two: %v", one.Format(c), one.Holds(c), two.Holds(c))
		}
	}
	if want := one.Count(); want.Int64() != int64(n) || n == 0 {
		t.Errorf("%d clients, counted %v", n, want)
	}
	for c := range two.All() {
		if !two.Holds(c) {
			t.Errorf("%s", two.Format(c))
		}
	}
}
