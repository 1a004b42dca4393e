// SPDX-License-Identifier: BSD-3-Clause

package ir_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/ir"
)

// What words and pointers seem to be for, as code shows it.

func compiled(t *testing.T, src string) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := front.Load(front.Share(context.Background()), front.Request{Dir: filepath.Dir(file), Patterns: []string{file}, Roots: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func typeNamed(t *testing.T, p *ir.Program, name string) *ir.Type {
	t.Helper()
	for _, typ := range p.Types {
		if typ != nil && typ.Name == name && typ.Class == ir.Struct {
			return typ
		}
	}
	t.Fatalf("no struct %s", name)
	return nil
}

func field(t *testing.T, typ *ir.Type, name string) ir.Field {
	t.Helper()
	for _, f := range typ.Fields {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%s has no field %s", typ.Name, name)
	return ir.Field{}
}

const purposes = `package main

import (
	"sync"
	"sync/atomic"
)

type node struct {
	mu      sync.Mutex
	rw      sync.RWMutex
	marked  bool
	removed atomic.Bool
	state   int32
	key     int
	word    string
	value   int
	next    *node
	after   atomic.Pointer[node]
	version int
	tickets atomic.Int64
	hash    int
	inner   inner
}

type inner struct{ key, sum int }

func (n *node) find(key int) *node {
	for n != nil && n.key < key {
		n = n.next
	}
	for n != nil && n.after.Load() != nil && n.after.Load().inner.key != key {
		n = n.after.Load()
	}
	return n
}

func (n *node) set(key, value int, word string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rw.RLock()
	defer n.rw.RUnlock()
	n.key, n.inner.key, n.value = key, key, value
	n.hash = value
	n.inner.sum += n.hash * 31
	n.word = word
	n.marked = true
	n.removed.Store(true)
	atomic.StoreInt32(&n.state, 2)
	if !atomic.CompareAndSwapInt32(&n.state, 2, 1) {
		n.version++
	}
	n.tickets.Add(1)
}

// A function may have no registers at all.
func nothing() { println() }

func main() {
	nothing()
	a, b := &node{}, &node{}
	a.set(1, 2, "x")
	b.set(3, 4, "y")
	a.next = b
	a.after.Store(b)
	println(a.find(3).value, a.word < b.word, a.marked, a.removed.Load())
}
`

func TestPurposes_AreWhatTheCodeShows(t *testing.T) {
	p := compiled(t, purposes)
	found := ir.FindPurposes(p)
	typ := typeNamed(t, p, "main.node")
	for name, want := range map[string]ir.Purpose{
		"mu": ir.Mutex, "rw": ir.Mutex, "marked": ir.Flag, "removed": ir.Flag, "state": ir.Flag, "key": ir.Key, "word": ir.Key,
		"value": ir.Data, "next": ir.Link, "after": ir.Link, "version": ir.Counter, "tickets": ir.Counter, "hash": ir.Data,
	} {
		if got := found.Of(typ, field(t, typ, name).Offset); got != want {
			t.Errorf("%s is a %s, want %s", name, got, want)
		}
	}
	inner := field(t, typ, "inner")
	if got := found.Of(typ, inner.Offset); got != ir.Key {
		t.Errorf("inner.key is a %s", got)
	}
	if got := found.Of(inner.Type, 1); got != ir.Counter {
		t.Errorf("the inner type's sum is a %s", got)
	}
}

func TestPointee_IsThatOfPointersAndAtomicPointers(t *testing.T) {
	p := compiled(t, purposes)
	typ := typeNamed(t, p, "main.node")
	for name, want := range map[string]*ir.Type{"next": typ, "after": typ, "key": nil, "removed": nil} {
		f := field(t, typ, name)
		if got := f.Type.Pointee(); got != want {
			t.Errorf("%s points to %v", name, got)
		}
		if got := typ.PointeeAt(f.Offset); got != want {
			t.Errorf("the word of %s points to %v", name, got)
		}
	}
	if path := typ.FieldPath(field(t, typ, "inner").Offset + 1); path != ".inner.sum" {
		t.Errorf("the path is %s", path)
	}
	if path := typ.FieldPath(field(t, typ, "after").Offset); path != ".after" {
		t.Errorf("the path is %s", path)
	}
}
