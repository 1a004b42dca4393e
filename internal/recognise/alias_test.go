// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
)

func TestSurvey_TakesAliasesOfUnexportedTypes(t *testing.T) {
	c := check(t, "example.com/p", `package p; import "sync"
		type stack[T any] struct{ mu sync.Mutex; items []T }; func (*stack[T]) Push(v T) {}; func (*stack[T]) Pop() (v T, ok bool) { return }
		type Stack[T any] = stack[T]; type Ints = stack[int]; type Texts = stack[string]
		type counter struct{ mu sync.Mutex }; func (*counter) Inc() {}; func (*counter) Get() int { return 0 }
		type Counter = counter; type Pair[K, V any] = pair[V, K]; type pair[A, B any] struct{ mu sync.Mutex }; func (*pair[A, B]) Put(A, B) {}
		type hidden struct{ mu sync.Mutex }; func (*hidden) Inc() {}; func (*hidden) Get() int { return 0 }; type kept = hidden`)
	found, rejected, err := Survey(c.pkg, collection.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, col := range found {
		names = append(names, col.Display)
	}
	if want := []string{"p.counter", "p.pair[int, int]", "p.stack[int]"}; !slices.Equal(names, want) {
		t.Errorf("found %v, want %v", names, want)
	}
	if len(rejected) != 1 || rejected[0].Type != "Texts" {
		t.Errorf("rejected %v, want Texts", rejected)
	}
	for asked, want := range map[string]string{"Stack": "p.stack[int]", "Stack[string]": "p.stack[string]", "Texts": "p.stack[string]", "Counter": "p.counter", "Pair": "Pair is an alias of pair"} {
		got := ""
		if list, err := Find(c.pkg, collection.Overrides{Type: asked}); err != nil {
			got = err.Error()
		} else {
			got = list[0].Display
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
}

// Each type but the last ones is used by goroutines, as what it leads to shows, or what its methods or constructors do (Clues).
func TestSurvey_PassesOverNothingWithSynchronisation(t *testing.T) {
	c := check(t, "example.com/p", `package p; import "sync"
		type shard struct{ mu sync.Mutex; n int }
		type Array struct{ parts [2]shard }; func (*Array) Next() int { return 0 }
		type Named struct{ Name string; parts [2]shard }; func (*Named) Next() int { return 0 }
		type Slice struct{ parts []*shard }; func NewSlice() *Slice { return nil }; func (*Slice) Next() int { return 0 }
		type Map map[string]*shard; func NewMap() Map { return nil }; func (Map) Next() int { return 0 }
		type inner struct{ s *shard }; type Chain struct{ in inner }; func NewChain() *Chain { return nil }; func (*Chain) Next() int { return 0 }
		type Plain struct{ n int64 }; func (*Plain) Next() int64 { return 0 }
		type Closure struct{ f func() int }; func NewClosure() *Closure { return nil }; func (*Closure) Next() int { return 0 }
		type Config struct{ Of *Slice }; func NewConfig() *Config { return nil }; func (*Config) Next() int { return 0 }
		type Fault struct{ s *shard }; func NewFault() *Fault { return nil }; func (*Fault) Error() string { return "" }; func (*Fault) Code() int { return 0 }
		type Value struct{ n int }; func (*Value) First() int { return 0 }`)
	found, rejected, err := Survey(c.pkg, collection.Overrides{Clues: &collection.Clues{Synchronised: map[string]string{"Plain": "Next calls atomic.AddInt64"},
		Made: map[string]string{"Closure": "NewClosure uses sync.Mutex", "Config": "NewConfig uses sync.Mutex"}}})
	if err != nil {
		t.Fatal(err)
	}
	var names, passed []string
	for _, col := range found {
		names = append(names, col.Type)
	}
	for _, r := range rejected {
		passed = append(passed, r.Type)
	}
	if want := []string{"Array", "Chain", "Map", "Named", "Plain", "Slice"}; !slices.Equal(names, want) {
		t.Errorf("found %v, want %v", names, want)
	}
	if want := []string{"Closure", "Fault"}; !slices.Equal(passed, want) {
		t.Errorf("rejected %v, want %v", rejected, want)
	}
}
