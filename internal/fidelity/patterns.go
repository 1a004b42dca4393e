package fidelity

// theme groups the patterns that work on the same kind of shared object.
type theme int

const (
	themeAtomic theme = iota
	themeAtomicFunc
	themeLock
	themeRWLock
	themeChannel
	themeSelect
	themeCond
	themeOnce
	themeGate
	themePublish
	themePanic
	themeSpawn
	themeChance
	themeRandomEnd // themes before this one are drawn at random

	themeLocal // always there: no visible steps of its own
	themeRace  // only if asked for
)

// pattern is one statement of a generated thread. In its text
//
//	$A $B  are two different atomic variables,   $C $D  two different channels,
//	$L $M  the numbers of two different locks,   $K     a small constant,
//	$S     another statement,
//
// and r is the thread's own variable. steps is the number of visible steps.
type pattern struct {
	theme theme
	steps int
	text  string
}

var patterns = []pattern{
	{themeAtomic, 1, "r = r*10 + int($A.Load())"},
	{themeAtomic, 1, "$A.Store($K)"},
	{themeAtomic, 1, "$A.Store(int32(r))"},
	{themeAtomic, 1, "r = r*10 + int($A.Add($K))"},
	{themeAtomic, 1, "r = r*10 + int($A.Swap($K))"},
	{themeAtomic, 1, "if $A.CompareAndSwap($K, $K) {\nr += 5\n}"},
	{themeAtomic, 2, "$A.Store($B.Load() + $K)"},
	{themeAtomic, 4, "for range 2 {\nif v := $A.Load(); $A.CompareAndSwap(v, v*2+1) {\nbreak\n}\n}"},
	{themeAtomic, 1, "if $A.Load() == $K {\n$S\n}"},
	{themeAtomic, 2, "$A.Or($K)\nr += int($A.And(3))"},

	{themeAtomicFunc, 1, "r = r*10 + int(atomic.AddUint64(&word, $K))"},
	{themeAtomicFunc, 1, "atomic.StoreUint64(&word, uint64(r))"},
	{themeAtomicFunc, 1, "r += int(atomic.LoadUint64(&word)) * 3"},
	{themeAtomicFunc, 1, "if !atomic.CompareAndSwapUint64(&word, $K, $K) {\nr++\n}"},
	{themeAtomicFunc, 1, "r -= int(atomic.SwapUint64(&word, $K))"},

	{themeLock, 2, "mu$L.Lock()\ng$L = g$L*2 + $K\nmu$L.Unlock()"},
	{themeLock, 2, "mu$L.Lock()\nr = r*10 + g$L\ng$L++\nmu$L.Unlock()"},
	{themeLock, 2, "mu$L.Lock()\nm$L[r%3] += $K\nr += len(m$L)\nmu$L.Unlock()"},
	{themeLock, 4, "mu$L.Lock()\nmu$M.Lock()\ng$L, g$M = g$M, g$L+1\nmu$M.Unlock()\nmu$L.Unlock()"},
	{themeLock, 2, "if mu$L.TryLock() {\ng$L += $K\nmu$L.Unlock()\n} else {\nr += 7\n}"},
	{themeLock, 2, "func() {\nmu$L.Lock()\ndefer mu$L.Unlock()\n$S\n}()"},
	{themeLock, 2, "func() {\ndefer func() {\nif recover() != nil {\nr += 100\n}\n}()\nmu$L.Lock()\ndefer mu$L.Unlock()\nif g$L > 0 {\npanic(g$L)\n}\ng$L++\n}()"},

	{themeRWLock, 2, "rw.RLock()\nr = r*10 + shared\nrw.RUnlock()"},
	{themeRWLock, 2, "rw.Lock()\nshared = shared*3 + $K\nrw.Unlock()"},
	{themeRWLock, 2, "if rw.TryRLock() {\nr += shared\nrw.RUnlock()\n}"},
	{themeRWLock, 2, "if rw.TryLock() {\nshared++\nrw.Unlock()\n} else {\nr++\n}"},
	{themeRWLock, 2, "func() {\nrw.RLock()\ndefer rw.RUnlock()\n$S\n}()"},

	{themeChannel, 1, "$C <- r"},
	{themeChannel, 1, "$C <- $K"},
	{themeChannel, 1, "r = r*10 + <-$C"},
	{themeChannel, 1, "if v, ok := <-$C; ok {\nr += v\n} else {\nr = -r\n}"},
	{themeChannel, 1, "r += len(c1)"},
	{themeChannel, 1, "close(c1)"},

	{themeSelect, 1, "select {\ncase $C <- r:\nr++\ndefault:\nr--\n}"},
	{themeSelect, 1, "select {\ncase v := <-$C:\nr = r*10 + v\ndefault:\n$S\n}"},
	{themeSelect, 1, "select {\ncase v := <-$C:\nr = r*10 + v\ncase $D <- $K:\nr += 4\n}"},
	{themeSelect, 1, "select {\ncase v := <-$C:\nr = r*10 + v\ncase v, ok := <-$D:\nif ok {\nr -= v\n}\n}"},
	{themeSelect, 1, "$C <- $K"},
	{themeSelect, 1, "r += <-$C"},

	{themeCond, 3, "cm.Lock()\nfor items == 0 {\ncond.Wait()\n}\nitems--\nr = r*10 + items\ncm.Unlock()"},
	{themeCond, 3, "cm.Lock()\nitems++\ncond.Signal()\ncm.Unlock()"},
	{themeCond, 3, "cm.Lock()\nitems += $K\ncm.Unlock()\ncond.Broadcast()"},

	{themeOnce, 2, "once.Do(func() { first = r })\nr = r*10 + first"},
	{themeOnce, 2, "r += value()"},
	{themeOnce, 1, "if v, loaded := table.LoadOrStore($K, r); loaded {\nr += v.(int) * 10\n}"},
	{themeOnce, 1, "if v, ok := table.LoadAndDelete($K); ok {\nr -= v.(int)\n}"},
	{themeOnce, 1, "table.Store($K, r)"},
	{themeOnce, 1, "table.CompareAndSwap($K, $K, r)"},

	{themeGate, 1, "gate.Wait()\nr = r*10 + 1"},
	{themeGate, 1, "gate.Done()"},

	{themePublish, 1, "box.Store(&node{r, nil})"},
	{themePublish, 2, "if n := box.Load(); box.CompareAndSwap(n, &node{$K, n}) {\nr++\n}"},
	{themePublish, 1, "for n := box.Load(); n != nil; n = n.next {\nr = r*10 + n.value\n}"},
	{themePublish, 1, "if n := box.Swap(nil); n != nil {\nr += n.value\n}"},
	{themePublish, 1, "val.Store(r)"},
	{themePublish, 1, "if v, ok := val.Load().(int); ok {\nr = r*10 + v\n}"},

	{themePanic, 1, "if a0.Add(1) == 3 {\npanic(fmt.Sprint(\"third \", r))\n}"},
	{themePanic, 1, "func() {\ndefer func() {\nif e := recover(); e != nil {\nr += e.(int)\n}\n}()\nif a0.Load() > $K {\npanic(50)\n}\nr++\n}()"},
	{themePanic, 1, "defer func() {\na1.Add(int32(r % 7))\n}()"},
	{themePanic, 1, "defer func() { recover() }()\nif a1.Swap(2) == 2 {\npanic(errors.New(\"twice\"))\n}"},
	{themePanic, 1, "if a1.Load() == 2 {\nruntime.Goexit()\n}"},
	{themePanic, 1, "func() {\ndefer func() { r += 10 }()\ndefer func() {\nif e, ok := recover().(runtime.Error); ok {\nr += len(e.Error())\n}\n}()\nr = []int{4, 5}[a0.Load()]\n}()"},

	{themeSpawn, 2, "wg.Add(1)\ngo func(n int) {\ndefer wg.Done()\na0.Add(int32(n))\n}(r)"},
	{themeSpawn, 2, "wg.Go(func() { a0.Store($K) })"},
	{themeSpawn, 2, "{\nc := make(chan int)\ngo func(n int) { c <- n + int(a0.Load()) }(r)\nr = <-c\n}"},
	{themeSpawn, 2, "{\nc := make(chan int, 1)\ngo func() {\ndefer close(c)\na0.Add(2)\nc <- 1\n}()\nfor v := range c {\nr += v\n}\n}"},

	{themeChance, 1, "r += rand.IntN(2) * 10"},
	{themeChance, 1, "runtime.Gosched()"},
	{themeChance, 1, "time.Sleep(time.Microsecond)"},
	{themeChance, 2, "select {\ncase v := <-c1:\nr += v\ncase <-time.After(10 * time.Microsecond):\nr--\n}"},
	{themeChance, 2, "for k := range map[int]bool{1: true, 2: true} {\nr = r*10 + k\n}"},

	{themeLocal, 0, "for i := range 3 {\nr += i * $K\n}"},
	{themeLocal, 0, "{\nf := func(x int) int { return x*2 + r }\nr = f($K)\n}"},
	{themeLocal, 0, "if r%2 == $K%2 {\n$S\n} else {\n$S\n}"},
	{themeLocal, 0, "switch r % 3 {\ncase 0:\n$S\ncase 1:\nr++\ndefault:\n$S\n}"},
	{themeLocal, 0, "for i := range 2 {\nif i == r%2 {\ncontinue\n}\n$S\n}"},

	{themeRace, 1, "plain0 = r"},
	{themeRace, 1, "r = r*10 + plain0"},
	{themeRace, 2, "plain1++"},
	{themeRace, 1, "if plain1 == $K {\n$S\n}"},
}

// globalVariable is declared if the program uses its name; value is the
// expression that main prints at the end, if any.
type globalVariable struct{ name, declaration, value string }

// globalVariables are in an order in which the declarations of some may use
// those before them.
var globalVariables = []globalVariable{
	{"wg", "var wg sync.WaitGroup", ""},
	{"a0", "var a0 atomic.Int32", "a0.Load()"},
	{"a1", "var a1 atomic.Int32", "a1.Load()"},
	{"word", "var word uint64", "word"},
	{"mu0", "var mu0 sync.Mutex", ""},
	{"mu1", "var mu1 sync.Mutex", ""},
	{"g0", "var g0 int", "g0"},
	{"g1", "var g1 int", "g1"},
	{"m0", "var m0 = map[int]int{}", "m0"},
	{"m1", "var m1 = map[int]int{0: 1}", "len(m1)"},
	{"rw", "var rw sync.RWMutex", ""},
	{"shared", "var shared = 1", "shared"},
	{"c0", "var c0 = make(chan int)", ""},
	{"c1", "var c1 = make(chan int, $K)", "len(c1)"},
	{"items", "var items int", "items"},
	{"cond", "var cm sync.Mutex\nvar cond = sync.NewCond(&cm)", ""},
	{"once", "var once sync.Once", ""},
	{"first", "var first int", "first"},
	{"value", "var value = sync.OnceValue(func() int { calls++; return calls })\nvar calls int", ""},
	{"table", "var table sync.Map", ""},
	// No Add while others wait: sync detects that misuse only sometimes.
	{"gate", "var gate sync.WaitGroup\n\nfunc init() { gate.Add($K) }", ""},
	{"box", "type node struct {\nvalue int\nnext *node\n}\n\nvar box atomic.Pointer[node]", "box.Load() == nil"},
	{"val", "var val atomic.Value", "val.Load()"},
	{"plain0", "var plain0 int", "plain0"},
	{"plain1", "var plain1 int", "plain1"},
}
