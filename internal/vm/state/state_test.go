// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"pangolin/internal/ir"
)

// node is a type of two words, the second of which is a reference.
func node() *ir.Type {
	word := &ir.Type{Name: "int", Class: ir.Int, Size: 1}
	ptr := &ir.Type{Name: "*node", Class: ir.PointerClass, Size: 1}
	return &ir.Type{Name: "node", Class: ir.Struct, Size: 2, Fields: []ir.Field{{Name: "key", Type: word}, {Name: "next", Type: ptr, Offset: 1}}}
}

// empty is a state of a program without functions that has one type, as a machine
// would have it that explores.
func empty(t *testing.T, set func(*Ground, *Settings)) (*State, *ir.Type) {
	t.Helper()
	typ := node()
	prog := &ir.Program{Types: []*ir.Type{typ}}
	g := NewGround(prog)
	g.Base = make([]Object, 1)
	g.NumberClasses()
	s := Settings{Limits: Limits{HeapWords: 1 << 20, Strings: 1 << 20}, Tracking: true, Fusing: true}
	if set != nil {
		set(g, &s)
	}
	m := NewState(g, s)
	m.Reset()
	return &m, typ
}

// chain makes n nodes, each of which refers to the next, and returns their pointers.
func chain(m *State, typ *ir.Type, n int) []uint64 {
	var list []uint64
	for range n {
		list = append(list, Pointer(m.Alloc(typ, 1), 0))
	}
	for i := range n - 1 {
		m.Words(list[i], 2)[1] = list[i+1]
	}
	return list
}

func TestStrings_EqualTextsHaveEqualWords(t *testing.T) {
	s := newStrings([]string{"", "given"})
	words := make([][]uint64, 8)
	var wg sync.WaitGroup
	for k := range words {
		wg.Go(func() {
			for i := range 200 {
				words[k] = append(words[k], s.Word(fmt.Sprint("text ", (i*(k+1))%100)))
			}
		})
	}
	wg.Wait()
	for k := range words {
		for i, w := range words[k] {
			if want := fmt.Sprint("text ", (i*(k+1))%100); s.Text(w) != want || s.Word(want) != w {
				t.Fatalf("word %d is %q and not %q, whose word is %d", w, s.Text(w), want, s.Word(want))
			}
		}
	}
	if s.Word("") != 0 || s.Word("given") != 1 {
		t.Error("the first texts have other words")
	}
}

func TestPublish_SharesAllThatIsReached(t *testing.T) {
	m, typ := empty(t, nil)
	list := chain(m, typ, 4)
	lone := chain(m, typ, 1)[0]
	m.Publish(list[1] >> 32)
	for i, p := range list {
		if shared := m.Objs[p>>32].Flags&IsShared != 0; shared != (i >= 1) {
			t.Errorf("node %d: shared %t", i, shared)
		}
	}
	if m.Objs[lone>>32].Flags&IsShared != 0 {
		t.Error("a node that nothing refers to is shared")
	}
}

func TestWrite_IntoASharedObjectSharesWhatIsWritten(t *testing.T) {
	m, typ := empty(t, nil)
	a, b := chain(m, typ, 1)[0], chain(m, typ, 2)
	m.Write(a, []uint64{7, b[0]}, m.img.Types[typ.ID])
	if m.Objs[b[0]>>32].Flags&IsShared != 0 {
		t.Error("written into an object of one's own, it is shared")
	}
	m.Publish(a >> 32)
	c := chain(m, typ, 2)
	m.Write(a, []uint64{7, c[0]}, m.img.Types[typ.ID])
	for _, p := range append(b, c...) {
		if m.Objs[p>>32].Flags&IsShared == 0 {
			t.Error("what a shared object refers to is not shared")
		}
	}
}

func TestFrozen_AWriteBehindSharingIsABreach(t *testing.T) {
	for _, shared := range []bool{false, true} {
		m, typ := empty(t, nil)
		m.Frozen, m.Follows = m.img.NewFrozen(), true
		p := chain(m, typ, 1)[0]
		if shared {
			m.Publish(p >> 32)
		}
		m.Write(p, []uint64{1, 0}, m.img.Types[typ.ID])
		if breached := m.Breached() >= 0; breached != shared {
			t.Errorf("shared %t: breached %t", shared, breached)
		}
	}
}

func TestRelease_OfALockThatAnotherHoldsWithdrawsWhatIsAssumedOfLocks(t *testing.T) {
	for _, own := range []bool{true, false} {
		m, typ := empty(t, nil)
		m.Frozen, m.Follows = m.img.NewFrozen(), true
		lock := chain(m, typ, 1)[0]
		holder, other := &Thread{}, &Thread{}
		m.Thread = []*Thread{holder, other}
		m.Hold(holder, lock)
		if !holder.Holds(lock, true) || other.Holds(lock, false) {
			t.Fatal("the lock is held by somebody else")
		}
		by := other
		if own {
			by = holder
		}
		m.Release(by, lock)
		if holder.Holds(lock, true) {
			t.Error("it is still held")
		}
		if m.Owned() && (m.Breached() < 0) != own {
			t.Errorf("released by its holder %t: breached %d", own, m.Breached())
		}
	}
}

func TestArrange_MovesThreadsWithTheirPlaces(t *testing.T) {
	m, _ := empty(t, nil)
	a, b, c := &Thread{}, &Thread{}, &Thread{}
	m.Thread, m.Places = []*Thread{a, b, c}, []int{0, 1, 2}
	m.Arrange([]int{2, 0, 1})
	if m.Thread[0] != c || m.Thread[1] != a || m.Thread[2] != b || !slices.Equal(m.Survivors(), []int{2, 0, 1}) {
		t.Errorf("the threads stand at %v", m.Survivors())
	}
}

// Whoever had an object before may have lost it by a guarded access, so that an access without the guard counts although no other thread leads to
// the object any more.
func TestGuards_AreAskedForWhatIsSharedNoLonger(t *testing.T) {
	for _, by := range []string{"its holder", "another thread"} {
		m, typ := empty(t, nil)
		m.Guards, m.Follows = m.img.NewGuards(), true
		node := chain(m, typ, 1)[0]
		holder, other := &Thread{}, &Thread{}
		m.Thread = []*Thread{holder, other}
		m.Publish(node >> 32)
		m.Hold(holder, node+1) // the second word is a lock
		if m.VisibleWrite(holder, node, 1) || m.Guards.Broken() {
			t.Fatal("a write under the lock is a scheduling point, though nobody has written without it")
		}
		m.Objs[node>>32].Flags &^= IsShared // it is unlinked; one thread leads to it
		writer := map[string]*Thread{"its holder": holder, "another thread": other}[by]
		if m.VisibleWrite(writer, node, 1) {
			t.Errorf("a write by %s to what no other thread leads to is a scheduling point", by)
		}
		if broken := m.Guards.Broken(); broken != (writer == other) {
			t.Errorf("a write by %s: the guard is broken: %t", by, broken)
		}
	}
}
