// SPDX-License-Identifier: BSD-3-Clause

package pairs_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/pairs"
	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp"
	"pangolin/internal/find"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/sources"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Tests of the checker with the certificates of four small collections: a step made once is the step made beside each other thread,
// and what is changed in a certificate is refused for its own reason.

const head = "package example\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ sync.Mutex\nvar _ atomic.Bool\n"

// A set of numbers below 64, a bit for each; calls is not ordered by anything.
const bits = head + `
type Set struct {
	bits  atomic.Uint64
	calls bool
}

func (s *Set) Add(x int) bool {
	s.calls = true
	return s.bits.Or(1<<x)>>x&1 == 0
}
func (s *Set) Remove(x int) bool   { return s.bits.And(^(1 << x))>>x&1 == 1 }
func (s *Set) Contains(x int) bool { return s.bits.Load()>>x&1 == 1 }
`

// A set under a lock that readers share.
const shared = head + `
type Set struct {
	mu   sync.RWMutex
	here [2]bool
}

func (s *Set) put(x int, in bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.here[x]
	s.here[x] = in
	return was != in
}

func (s *Set) Add(x int) bool    { return s.put(x, true) }
func (s *Set) Remove(x int) bool { return s.put(x, false) }
func (s *Set) Contains(x int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.here[x]
}
`

// A stack, whose cells threads know that have been taken out already.
const stack = head + `
type Stack struct{ top atomic.Pointer[cell] }

type cell struct {
	item int
	next *cell
}

func (s *Stack) Push(item int) {
	for {
		top := s.top.Load()
		if s.top.CompareAndSwap(top, &cell{item, top}) {
			return
		}
	}
}

func (s *Stack) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(top, top.next) {
			return top.item, true
		}
	}
}
`

// A set in a list of cells with locks: a step links or unlinks a cell that others know.
const list = head + `
type Set struct{ first node }

type node struct {
	mu   sync.Mutex
	key  int
	next *node
}

func (s *Set) find(x int) (before, at *node) {
	before = &s.first
	before.mu.Lock()
	for before.next != nil && before.next.key < x {
		next := before.next
		next.mu.Lock()
		before.mu.Unlock()
		before = next
	}
	return before, before.next
}

func (s *Set) Add(x int) bool {
	before, at := s.find(x)
	defer before.mu.Unlock()
	if at != nil && at.key == x {
		return false
	}
	before.next = &node{key: x, next: at}
	return true
}

func (s *Set) Remove(x int) bool {
	before, at := s.find(x)
	defer before.mu.Unlock()
	if at == nil || at.key != x {
		return false
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	before.next = at.next
	return true
}
`

// A set of 0 alone: who changes it puts a new cell in the place of the old one, and then says so in a cell to which the old one leads.
// Others may know both.
const replaced = head + `
type Set struct{ now atomic.Pointer[cell] }

type cell struct {
	here bool
	gone *mark
}

type mark struct{ is atomic.Bool }

func NewSet() *Set {
	s := &Set{}
	s.now.Store(&cell{gone: &mark{}})
	return s
}

func (s *Set) put(in bool) bool {
	for {
		c := s.now.Load()
		if c.here == in {
			return false
		}
		if s.now.CompareAndSwap(c, &cell{here: in, gone: &mark{}}) {
			c.gone.is.Store(true)
			return true
		}
	}
}

func (s *Set) Add(x int) bool    { return s.put(true) }
func (s *Set) Remove(x int) bool { return s.put(false) }
func (s *Set) Contains(x int) bool {
	for {
		if c := s.now.Load(); !c.gone.is.Load() {
			return c.here
		}
	}
}
`

var modules = sources.New()

// proved is a collection with the certificate of its proof.
func proved(t *testing.T, source string, kind oracle.Kind, items int) (*subject.Subject, []byte) {
	t.Helper()
	return provedIn(t, modules.Context, find.Query{Dir: modules.Dir(t, source)}, kind, items)
}

// provedIn is a collection that a query finds, with the certificate of its proof.
func provedIn(t *testing.T, ctx context.Context, q find.Query, kind oracle.Kind, items int) (*subject.Subject, []byte) {
	t.Helper()
	s := loaded(t, ctx, q, collection.Overrides{Kind: kind})
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions, NoRaces: true, Certify: true}}
	j.Scope.Items = items
	v, _, err := cmp.Attempt(ctx, j, engine.Events{})
	if err != nil || v.Status != verdict.Proved {
		t.Fatal(v.Status, v.Reason, err)
	}
	return s, v.Proof.Text
}

// loaded is a collection that a query finds.
func loaded(t *testing.T, ctx context.Context, q find.Query, o collection.Overrides) *subject.Subject {
	t.Helper()
	q.Packages, q.Note, q.Overrides = []string{"."}, func(string, ...any) {}, func([]string) (collection.Overrides, error) { return o, nil }
	found, _, err := q.Find(ctx)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	order := subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
	s, err := order.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMain(m *testing.M) {
	defer modules.Remove()
	m.Run()
}

// What a thread sees behind the step of another is the same whether the step is made beside it, or alone and the thread put into the memory
// that is left.
func TestCheck_PutsThreadsIntoWhatAStepLeavesBehind(t *testing.T) {
	for _, c := range []struct {
		what, source string
		kind         oracle.Kind
		items, least int // least: pairs that are told, so that the test is about something
		several      int // least pairs in which the one changes a removed cell that the other one may know as well, or may not
	}{
		{"bits", bits, "set", 2, 100, 0},
		{"a shared lock", shared, "set", 2, 80, 0},
		{"a stack", stack, "stack", 2, 100, 0},
		{"a list", list, "set", 2, 100, 0},
		{"replaced cells", replaced, "set", 1, 20, 20},
		{"owners' numbers", "", "set", 1, 100, 0},
	} {
		var s *subject.Subject
		var text []byte
		if c.source != "" {
			s, text = proved(t, c.source, c.kind, c.items)
		} else {
			s, text = provedIn(t, sources.Repository, find.Query{Dir: "../../engine/cmp/testdata/subjects/right", Type: "HandedOver"}, c.kind, c.items)
		}
		x, err := pairs.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		checker, err := pairs.New(s, x)
		if err != nil {
			t.Fatal(err)
		}
		told := map[[2]int][]string{}
		checker.BesideAll(func(a, b int, key string) { told[[2]int{a, b}] = append(told[[2]int{a, b}], key) })
		if err := checker.Check(t.Context()); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		for pair, keys := range told {
			half := len(keys) / 2
			beside, alone := slices.Sorted(slices.Values(keys[:half])), slices.Sorted(slices.Values(keys[half:]))
			if !slices.Equal(beside, alone) {
				t.Errorf("%s: views %v: beside the other thread %d keys, put in afterwards %d, others", c.what, pair, len(beside), len(alone))
			}
		}
		if len(told) < c.least {
			t.Errorf("%s: %d pairs", c.what, len(told))
		}
		several := 0
		for _, keys := range told {
			if one := keys[:len(keys)/2]; slices.ContainsFunc(one, func(k string) bool { return k != one[0] }) {
				several++
			}
		}
		if several < c.several {
			t.Errorf("%s: in %d pairs a removed cell that both may know is followed as one and as two, want %d at least", c.what, several, c.several)
		}
	}
}

// The certificate of the set of bits, with one thing changed.
func TestCheck_SaysWhatIsWrong(t *testing.T) {
	s, text := proved(t, bits, "set", 1)
	// without drops the views that are.
	without := func(are func(v *pairs.View, content int) bool) func(*pairs.Certificate) {
		return func(x *pairs.Certificate) {
			x.Views = slices.DeleteFunc(x.Views, func(v pairs.View) bool { return are(&v, x.Memories[v.Memory].Content) })
		}
	}
	call := func(x *pairs.Certificate, text string) int { return 1 + slices.Index(x.Head.Calls, text) }
	whole, err := pairs.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	add, contains := call(whole, "Add(0)"), call(whole, "Contains(0)")
	if add == 0 || contains == 0 {
		t.Fatal(whole.Head.Calls)
	}
	for _, c := range []struct {
		what, want string // want: a part of the refusal; "": it holds
		change     func(*pairs.Certificate)
	}{
		{"nothing", "", func(*pairs.Certificate) {}},
		{"the new collection is not claimed", "a new collection is not claimed", without(func(v *pairs.View, content int) bool { return v.Call == 0 && content == 0 })},
		{"that the set may have an item is not claimed", "what a thread sees behind its step at", without(func(v *pairs.View, content int) bool { return content == 1 })},
		{"a call from the empty set is not claimed", "what a thread sees that calls Add(0) is not claimed",
			without(func(v *pairs.View, content int) bool { return v.Call == add && content == 0 })},
		{"what Contains sees when another thread adds is not claimed", "what a thread sees behind the step of another at",
			without(func(v *pairs.View, content int) bool { return v.Call == contains && len(v.Right) == 2 })},
		{"no call takes effect", "which the oracle does not permit", func(x *pairs.Certificate) {
			for i := range x.Views {
				x.Views[i].Acts = false
			}
		}},
		{"there is a race, and it is claimed that there is none", "two threads race: at", func(x *pairs.Certificate) { x.Head.Races = true }},
		{"a result that is none", `the call has no result "maybe"`, func(x *pairs.Certificate) {
			x.Views[slices.IndexFunc(x.Views, func(v pairs.View) bool { return v.Call == contains })].Right = []string{"maybe"}
		}},
		{"a call that is none", "it names no call of the head", func(x *pairs.Certificate) { x.Views[0].Call = 99 }},
		{"a memory that is none", "there is no memory 99", func(x *pairs.Certificate) { x.Views[0].Memory = 99 }},
		{"a content that is none", "there is no content 7", func(x *pairs.Certificate) { x.Memories[0].Content = 7 }},
		{"another bound than the calls and contents are of", "its calls and contents are not those of the collection with 2 items of 2 values", func(x *pairs.Certificate) { x.Head.Items, x.Head.Values = 2, 2 }},
		{"a role of no operation", "the head says that thread 1 alone calls Clear", func(x *pairs.Certificate) { x.Head.Roles = map[string]int{"Clear": 1} }},
		{"a role of no thread", "the head says that thread 0 alone calls Add", func(x *pairs.Certificate) { x.Head.Roles = map[string]int{"Add": 0} }},
		{"no items", "want 1 to 16 items", func(x *pairs.Certificate) { x.Head.Items = 0 }},
		{"a word more", "there are words that are no state", func(x *pairs.Certificate) { x.Views[0].Thread = append(slices.Clone(x.Views[0].Thread), 0) }},
	} {
		x, err := pairs.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c.change(x)
		checker, err := pairs.New(s, x)
		if err == nil {
			err = checker.Check(t.Context())
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
	}
}

// Entries of a map belong to nobody, whatever a certificate says: they move, so that two threads would seem to have one word. The set keeps its
// numbers in a map under a lock of one word, and two threads make one entry's value 1.
func TestCheck_FollowsNoWordsOfMaps(t *testing.T) {
	s, text := provedIn(t, sources.Repository, find.Query{Dir: "../../engine/cmp/testdata/subjects/right", Type: "Listed"}, "set", 2)
	x, err := pairs.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	owned := len(x.Head.Owned)
	for _, typ := range s.Prog.Types {
		if typ != nil && typ.Class == ir.Map {
			for word := range typ.Entry.Size {
				x.Head.Owned = append(x.Head.Owned, pairs.Owned{Type: typ.Entry.ID, Word: word, Value: 1})
			}
		}
	}
	if owned == 0 || len(x.Head.Owned) == owned {
		t.Fatalf("%d values belong to threads, %d with those of maps", owned, len(x.Head.Owned))
	}
	checker, err := pairs.New(s, x)
	if err == nil {
		err = checker.Check(t.Context())
	}
	if err != nil {
		t.Error(err)
	}
}

// A word that belongs to a thread guards no other word: the thread has it to the end of the step in which it gives it back, so what it accesses in that step,
// behind the word, would pass for guarded.
func TestNew_RefusesWordsAsGuards(t *testing.T) {
	s, text := provedIn(t, sources.Repository, find.Query{Dir: "../../engine/cmp/testdata/subjects/right", Type: "Listed"}, "set", 2)
	for _, root := range []uint32{0, 1} {
		x, err := pairs.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Head.Guards) == 0 {
			t.Fatal("the certificate has no guards")
		}
		x.Head.Guards[0] = 2 + root + 2*uint32(state.WordHold) // word 0 of the same object, or of the first root
		if _, err := pairs.New(s, x); err == nil || !strings.Contains(err.Error(), "the guard of class 0 of words is no lock") {
			t.Error(err)
		}
	}
}

// A certificate may say that a thread has registers and frames that no thread has. It is refused, and the command goes on.
func TestCheck_SurvivesThreadsThatThereAreNot(t *testing.T) {
	s, text := proved(t, bits, "set", 1)
	whole, err := pairs.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	met := 0
	for i := range whole.Views {
		for k := range whole.Views[i].Thread {
			x, err := pairs.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			x.Views[i].Thread = slices.Clone(x.Views[i].Thread)
			x.Views[i].Thread[k] += 100
			checker, err := pairs.New(s, x)
			if err == nil {
				err = checker.Check(t.Context())
			}
			if err != nil && strings.Contains(err.Error(), "a claimed state is none: the machine cannot go on from it") {
				met++
			}
		}
	}
	if met == 0 {
		t.Error("no changed word stops the machine")
	}
}

// How new collections are made, in ways in which a proof does not begin.
const made = shared + `
func NewWaiting() *Set { s := &Set{}; s.mu.RLock(); s.mu.Lock(); return s }
func NewLocked() *Set { s := &Set{}; s.mu.Lock(); return s }
func NewFailing() *Set { panic("no set") }
func NewEither() *Set {
	s := &Set{}
	for x := range map[int]bool{0: true, 1: true} {
		s.here[x] = true
		break
	}
	return s
}
`

// What is proved begins with the one collection that the constructor returns.
func TestCheck_RefusesConstructors(t *testing.T) {
	dir := modules.Dir(t, made)
	for with, want := range map[string]string{
		"NewWaiting()": "the constructor does not return", "NewFailing()": "the constructor does not return", "NewEither()": "or in more than one way",
		"NewLocked()": "the constructor leaves a lock taken", "&Set{}": "a new collection is not claimed",
	} {
		s := loaded(t, modules.Context, find.Query{Dir: dir}, collection.Overrides{Kind: "set", New: with})
		img, err := vm.NewImage(s.Prog)
		if err != nil {
			t.Fatal(err)
		}
		x := &pairs.Certificate{Head: pairs.Head{Head: file.NewHead(pairs.Method, s.Source, s.Prog), Items: 1, Values: 1, Frozen: make([]bool, img.Classes()+1),
			Calls: []string{"Add(0)", "Remove(0)", "Contains(0)"}, Contents: [][]int{{}, {0}}}}
		checker, err := pairs.New(s, x)
		if err == nil {
			err = checker.Check(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", with, err, want)
		}
	}
}

// What a proof does not cover stands in its verdict, and is found out from the oracle: arguments beyond those that were tried; items beyond
// the bound, or, if nothing takes out what an operation puts in, so many calls of it.
func TestBounds_TellWhatIsNotCovered(t *testing.T) {
	for _, x := range []struct {
		typ  string
		want verdict.FewItems
	}{
		{"Tickets", verdict.FewItems{Used: []string{"Next"}, Effects: 2}},
		{"History", verdict.FewItems{Used: []string{"Set"}, Effects: 2, Values: 2}},
		{"Stack", verdict.FewItems{Items: 2, Values: 3}},
		{"Greatest", verdict.FewItems{Keys: 2}},
		{"Flag", verdict.FewItems{}},
	} {
		s, text := provedIn(t, sources.Repository, find.Query{Dir: "../../engine/cmp/testdata/subjects/bounds", Type: x.typ}, "", 2)
		c, err := pairs.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		checker, err := pairs.New(s, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := checker.Bounds(); !reflect.DeepEqual(got.Scope(), x.want.Scope()) {
			t.Errorf("%s: %+v, want %+v", x.typ, got, x.want)
		}
	}
}
