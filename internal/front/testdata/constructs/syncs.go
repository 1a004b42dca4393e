// Everything in package sync, and atomic.Value.
package main

import (
	"sync"
	"sync/atomic"
)

type guarded struct {
	sync.RWMutex
	cond *sync.Cond
	pool sync.Pool
	m    sync.Map
	once sync.Once
	v    atomic.Value
}

func main() {
	var g guarded
	g.cond = sync.NewCond(g.RLocker())
	g.pool.New = func() any { return new(int) }
	g.once.Do(func() { g.v.Store("x") })
	g.Lock()
	g.Unlock()
	println(g.TryRLock(), g.TryLock())
	g.pool.Put(g.pool.Get())
	g.m.Store(1, "one")
	g.m.LoadOrStore(2, "two")
	g.m.CompareAndSwap(2, "two", "2")
	g.m.Range(func(k, v any) bool { println(k.(int), v.(string)); return true })
	g.m.Delete(1)
	g.m.Clear()
	var wg sync.WaitGroup
	wg.Go(func() { g.cond.Broadcast() })
	wg.Wait()
	value := sync.OnceValue(func() int { return 1 })
	values := sync.OnceValues(func() (string, error) { return "", nil })
	sync.OnceFunc(func() { println(value()) })()
	_, err := values()
	println(err == nil, g.v.Load().(string))
	defer g.RUnlock()
	defer wg.Wait()
	f := g.m.Load
	f(1)
}
