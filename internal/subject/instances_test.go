// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"strings"
	"testing"
)

// What several of a type do to each other is said where the code writes variables of the package plainly, and nowhere else.
func TestNarrowed_NamesVariablesThatSeveralWrite(t *testing.T) {
	const get = "\nfunc (b *Box) Get() int { return b.n }\n"
	for _, tc := range []struct{ name, source, want string }{
		{"a buffer, under a lock of one", "var scratch [8]byte\ntype Box struct { mu sync.Mutex; n int }\nfunc (b *Box) Put(v byte) int { b.mu.Lock(); defer b.mu.Unlock(); scratch[0] = v; return int(scratch[0]) }", "scratch"},
		{"a number that the constructor counts", "var next int\ntype Box struct{ n int }\nfunc NewBox() *Box { next++; return &Box{n: next} }", "next"},
		{"a map that the constructor fills", "var all = map[int]*Box{}\ntype Box struct{ n int }\nfunc NewBox() *Box { b := &Box{}; all[len(all)] = b; return b }", "all"},
		{"what a pointer leads to, by a function and another one", "type stats struct{ calls int }\nvar total = &stats{}\nfunc of() *stats { return total }\nfunc count(s *stats) { s.calls++ }\ntype Box struct{ n int }\nfunc (b *Box) Put() { count(of()) }", "total"},
		{"a slice that is appended to", "var log []int\ntype Box struct{ n int }\nfunc (b *Box) Put(v int) { log = append(log, v) }", "log"},
		{"in a goroutine, while the lock is held", "var mu sync.Mutex\nvar total int\ntype Box struct{ n int }\nfunc (b *Box) Put() { mu.Lock(); defer mu.Unlock(); go func() { total++ }() }", "total"},
		{"behind the critical section", "var mu sync.Mutex\nvar total int\ntype Box struct{ n int }\nfunc (b *Box) Put() { mu.Lock(); mu.Unlock(); total++ }", "total"},
		{"on one way without the lock", "var mu sync.Mutex\nvar total int\ntype Box struct{ n int }\nfunc (b *Box) Put(x bool) { if x { mu.Lock(); defer mu.Unlock() }; total++ }", "total"},
		{"under a lock that is only read with", "var mu sync.RWMutex\nvar total int\ntype Box struct{ n int }\nfunc (b *Box) Put() { mu.RLock(); defer mu.RUnlock(); total++ }", "total"},
		{"four of them", "var a, b, c, d int\ntype Box struct{ n int }\nfunc (x *Box) Put() { d++; b++; c++; a++ }", "a, b, c, 1 more"},

		{"under a lock of the package", "var mu sync.Mutex\nvar total int\ntype Box struct{ n int }\nfunc (b *Box) Put(v int) { mu.Lock(); defer mu.Unlock(); if v > 0 { add(v) } }\nfunc add(v int) { total += v }", ""},
		{"with a return before", "var mu sync.Mutex\nvar total int\ntype Box struct{ n int }\nfunc (b *Box) Put(v int) { mu.Lock(); if v > 0 { mu.Unlock(); return }; total++; mu.Unlock() }", ""},
		{"under a lock that is a part of it", "var reg struct { sync.RWMutex; m map[int]int }\ntype Box struct{ n int }\nfunc (b *Box) Put(v int) { reg.Lock(); defer reg.Unlock(); reg.m[v] = v }", ""},
		{"under a lock that a method takes", "type table struct { mu sync.Mutex; n int }\nfunc (t *table) lock() { t.mu.Lock() }\nvar all table\ntype Box struct{ n int }\nfunc (b *Box) Put() { all.lock(); all.n++; all.mu.Unlock() }", ""},
		{"once", "var once sync.Once\nvar table []int\ntype Box struct{ n int }\nfunc (b *Box) Put() int { once.Do(func() { table = make([]int, 4) }); return len(table) }", ""},
		{"by atomic operations", "var total atomic.Int64\ntype Box struct{ n int }\nfunc (b *Box) Put() { total.Add(1) }", ""},
		{"by what the library has for it", "var pool = sync.Pool{New: func() any { return new(int) }}\nvar all sync.Map\ntype Box struct{ n int }\nfunc (b *Box) Put() { p := pool.Get().(*int); *p = 1; all.Store(1, p); pool.Put(p) }", ""},
		{"in package initialisation", "var table [4]int\nfunc init() { for i := range table { table[i] = i } }\ntype Box struct{ n int }\nfunc (b *Box) Put(i int) int { return table[i&3] }", ""},
		{"read alone", "var limit = 3\nvar names = map[int]string{1: \"a\"}\ntype Box struct{ n int }\nfunc (b *Box) Put(i int) string { if i > limit { return \"\" }; return names[i] }", ""},
		{"of its own", "type Box struct { n int; m map[int]int }\nfunc NewBox() *Box { return &Box{m: map[int]int{}} }\nfunc (b *Box) Put(i int) { b.n++; b.m[i] = i }", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, s := loadSelf(t, tc.source+get)
			said := ""
			for _, a := range s.Assumptions {
				if rest, ok := strings.CutPrefix(a, "there is one of it, and it is made once: what several do to each other by "); ok {
					said = strings.TrimSuffix(rest, " is not seen")
				}
			}
			if said != tc.want {
				t.Errorf("said of %q, want %q", said, tc.want)
			}
		})
	}
}

func TestNarrowed_SaysThatAnyIsAnInt(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		said         bool
	}{
		{"a type switch", "func (b *Box) Put(k any) int { switch k.(type) { case string: return 1 }; return 2 }", true},
		{"an assertion, in a function that is given it", "func text(k any) bool { _, ok := k.(string); return ok }\nfunc (b *Box) Put(k any) bool { return text(k) }", true},
		{"of what is kept", "func (b *Box) Put(k any) bool { old := b.kept; b.kept = k; _, ok := old.(string); return ok }", true},
		{"it is only kept", "func (b *Box) Put(k any) { b.kept = k }", false},
		{"nothing is given as an any", "func (b *Box) Put(k int) bool { var x any = k; _, ok := x.(string); return ok }", false},
		{"an entry of its own", "type entry struct{ v any }\nfunc (b *Box) Put(k any) { if e, ok := b.kept.(*entry); ok { e.v = k; return }; b.kept = &entry{k} }", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, s := loadSelf(t, "type Box struct { n int; kept any }\nfunc (b *Box) Get() int { return b.n }\n"+tc.source)
			said := false
			for _, a := range s.Assumptions {
				said = said || a == "what Put is given as any is an int, though the code asks for its type"
			}
			if said != tc.said {
				t.Errorf("said %v, want %v: %q", said, tc.said, s.Assumptions)
			}
		})
	}
}
