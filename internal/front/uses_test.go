// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// What bodies of functions show of locks and atomic operations, read as text, decides which types are looked at as collections.

func TestUses_TellsWhatBodiesShow(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": `package p

import (
	"reflect"
	"sync"
	at "sync/atomic"
	"unsafe"
)

var mu sync.Mutex

type Plain struct{ n int64 }

func (p *Plain) Add() { at.AddInt64(&p.n, 1) }

type Global struct{ n int }

func (g *Global) Add() { mu.Lock(); g.n++; mu.Unlock() }

type Closure struct{ f func() }

func New() *Closure { var mu sync.Mutex; return &Closure{func() { mu.Lock() }} }

type Value struct{ n int }

func (v *Value) Get() int { return v.n }

type Asserts[T any] struct{ v T }

func (a *Asserts[T]) Set(v T) { if _, ok := any(v).(string); !ok { a.v = v } }

type Switches[T any] struct{ v T }

func (s *Switches[T]) Set(v T) { switch interface{}(v).(type) { case int: s.v = v } }

type Calls[K, V any] struct{ v V }

func (c *Calls[K, V]) Size() uintptr { return outer[V](c.v) }

func outer[T any](v T) uintptr { return size(v) }
func size[T any](v T) uintptr  { return unsafe.Sizeof(v) }

type Reflects[T any] struct{ v T }

func (r *Reflects[T]) Kind() int { return int(reflect.TypeOf(r.v).Kind()) }

type Same[T any] struct{ v T }

func (s *Same[T]) Get() T { return s.v }

type One struct{ v any }

func (o *One) Get() int { n, _ := any(o.v).(int); return n }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := List(context.Background(), dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	want := &Uses{
		Synchronised: map[string]string{"Plain": "Add calls at.AddInt64", "Global": "Add uses mu.Lock"},
		Made:         map[string]string{"Closure": "New uses sync.Mutex"},
		Apart: map[string]string{"Asserts": "Set asserts a type", "Switches": "Set asserts a type", "Reflects": "Kind uses reflect.TypeOf",
			"Calls": "Size calls outer, which calls size, which uses unsafe.Sizeof"},
	}
	if got := list[0].Uses(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
