package native

// outcomeCases are small programs with all their outcomes.
var outcomeCases = []struct {
	name, body string
	want       []string
}{
	// r1 w1 r2 w2 -> 4; r2 w2 r1 w1 -> 5; otherwise both read 0, and who writes last
	// decides: 1 or 2.
	{"a lost update", `
var x int

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			x = x*2 + i + 1
		}()
	}
	wg.Wait()
	fmt.Println(x)
}`, []string{`exit "1\n"`, `exit "2\n"`, `exit "4\n"`, `exit "5\n"`, `race`}},
	// A goroutine's first step ends at a decision, and another one has the turn: either entry
	// comes first, and what has been deleted does not come at all.
	{"a decision in a step without a turn", `
func main() {
	c := make(chan int)
	go func() {
		r, m := 1, map[int]int{1: 5, 2: 7}
		for k, v := range m {
			r = r*3 + k*v
			delete(m, 1)
		}
		c <- r
	}()
	fmt.Println(<-c)
}`, []string{`exit "17\n"`, `exit "38\n"`}},
	// Who comes when the select waits is served by any of its cases.
	{"cases of one select that wait at one channel", `
func main() {
	c := make(chan int)
	go func() {
		select {
		case c <- 1:
		case c <- 2:
		case c <- 3:
		}
	}()
	select {
	case v := <-c:
		fmt.Println(v)
	default:
	}
}`, []string{`exit`, `exit "1\n"`, `exit "2\n"`, `exit "3\n"`}},
	// Who looks at a channel or a lock knows what another has done before, and is not ordered behind it.
	{"what the length of a channel tells", `
var x int

func main() {
	c := make(chan int, 1)
	go func() { x = 1; c <- 1 }()
	if len(c) == 1 {
		fmt.Println(x)
	}
}`, []string{`exit`, `exit "1\n"`, `race`}},
	{"what a default case tells", `
var x int

func main() {
	c := make(chan int, 1)
	go func() { x = 1; c <- 1 }()
	select {
	case c <- 2:
	default:
		fmt.Println(x)
	}
}`, []string{`exit`, `exit "1\n"`, `race`}},
	{"what a refused lock tells", `
var x int

func main() {
	var mu sync.Mutex
	go func() { x = 1; mu.Lock() }()
	if !mu.TryLock() {
		fmt.Println(x)
	}
}`, []string{`exit`, `exit "1\n"`, `race`}},
	{"what a recovered panic tells", `
var x int

func main() {
	c := make(chan int, 1)
	defer func() {
		if recover() != nil {
			fmt.Println(x)
		}
	}()
	go func() { x = 1; close(c) }()
	c <- 1
}`, []string{`exit`, `exit "1\n"`, `race`}},
	// An operation of a lock is an access to it, though the clocks do not see one: it stands beside the assignment.
	{"a lock that is overwritten", `
var mu sync.Mutex

func main() {
	go func() { mu = sync.Mutex{} }()
	mu.Lock()
}`, []string{`exit`, `race`}},
	// A comparison that fails has observed the store, and a receive the close.
	{"what a failed comparison tells", `
var x int

func main() {
	var a atomic.Int32
	go func() { x = 1; a.Store(1) }()
	if !a.CompareAndSwap(0, 2) {
		fmt.Println(x)
	}
}`, []string{`exit`, `exit "1\n"`}},
	{"what a receive in a select tells", `
var x int

func main() {
	c := make(chan int)
	go func() { x = 1; close(c) }()
	select {
	case <-c:
		fmt.Println(x)
	default:
	}
}`, []string{`exit`, `exit "1\n"`}},
	// Store buffering under sequential consistency: not both read 0.
	{"store buffering", `
var x, y atomic.Int32

func main() {
	c := make(chan int32)
	go func() { x.Store(1); c <- y.Load() }()
	y.Store(1)
	b := x.Load()
	fmt.Println(<-c, b)
}`, []string{`exit "0 1\n"`, `exit "1 0\n"`, `exit "1 1\n"`}},
	// The first locks a and b, the second b and a.
	{"locks in opposite orders", `
var a, b sync.Mutex

func main() {
	done := make(chan bool)
	go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock(); done <- true }()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}`, []string{`exit`, `deadlock waits sync.Mutex.Lock, sync.Mutex.Lock`}},
	{"a guarded counter", `
var mu sync.Mutex
var n int

func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { mu.Lock(); n++; mu.Unlock() })
	}
	wg.Wait()
	println(n)
}`, []string{`exit "2\n"`}},
	{"a select of two that are ready", `
func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	select {
	case x := <-a:
		fmt.Print(x)
	case x := <-b:
		fmt.Print(x)
	}
}`, []string{`exit "1"`, `exit "2"`}},
	// A receiver that has not come yet makes a send without waiting fail.
	{"a send that does not wait", `
func main() {
	c := make(chan int)
	go func() { fmt.Print(<-c) }()
	select {
	case c <- 1:
	default:
		fmt.Print("no")
	}
}`, []string{`exit`, `exit "1"`, `exit "no"`}},
	{"a panic in one of two", `
func main() {
	go panic("one")
	fmt.Print("main")
}`, []string{`exit "main"`, `panic "main" "panic: one"`, `panic "panic: one"`}},
	{"waiting for a flag", `
var flag atomic.Bool

func main() {
	go flag.Store(true)
	for !flag.Load() {
	}
	fmt.Print("seen")
}`, []string{`exit "seen"`}},
	{"waiting for a flag for ever", `
var flag atomic.Bool

func main() {
	go flag.Store(false)
	for !flag.Load() {
	}
}`, []string{`endless`}},
	{"variables have their first values again", `
var n = 3
var list = []int{n, f()} // gc lays n out before it calls f; not so in a function

func f() int { n++; return n }

func init() { n += 10 }

func main() {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	n += <-c
	fmt.Print(n, list)
}`, []string{`exit "15 [3 4]"`, `exit "16 [3 4]"`}},
	{"what variables point to has its first value again", `
type pair struct{ a, b int }

var p = &pair{}
var list, pairs = []int{3, 1}, [2]*pair{{a: 1}}

func main() {
	c := make(chan int)
	go func() { p.a++; c <- 1 }()
	go func() { list[0]++; c <- 2 }()
	<-c
	<-c
	pairs[0].a++
	fmt.Print(*p, list, *pairs[0])
}`, []string{`exit "{1 0} [4 1] {2 0}"`}},
	{"a variable of four bytes has its first value again", `
type world struct{ n int32 }

var w, i, v, j, u, k, t = &world{}, int32(0), &world{}, int32(0), &world{}, int32(0), &world{}

func main() {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	<-c
	w.n, v.n, u.n, t.n = w.n+1, v.n+1, u.n+1, t.n+1
	i, j, k = i+1, j+1, k+1
	fmt.Print(w.n, v.n, u.n, t.n, i, j, k)
}`, []string{`exit "1 1 1 1 1 1 1"`}},
	{"the key of a map is read", `
func main() {
	var k any
	m := map[any]int{}
	go func() { k = 1 }()
	m[k]++
	fmt.Print(len(m))
}`, []string{`exit "1"`, `race`}},
	{"a value made an interface is read", `
var a [2]int

func main() {
	go func() { a[1]++ }()
	fmt.Print(a)
}`, []string{`exit "[0 0]"`, `exit "[0 1]"`, `race`}},
	{"what is printed is read", `
func main() {
	s := []int{3}
	go func() { s[0]++ }()
	fmt.Print(s)
}`, []string{`exit "[3]"`, `exit "[4]"`, `race`}},
	{"elements that are sorted are written", `
func main() {
	s, c := []int{3, 1}, make(chan int, 1)
	go func() { sort.Ints(s); c <- 1 }()
	s[0] = 2
	<-c
	fmt.Print(s[1])
}`, []string{`exit "2"`, `exit "3"`, `race`}},
	{"a struct with variables inside", `
type world struct {
	a [2]int
	q struct{ a, b int }
}

var w = world{}

func main() {
	done := make(chan int, 3)
	go func() { w.q.b++; done <- 1 }()
	<-done
	fmt.Print(w.q)
}`, []string{`exit "{0 1}"`}},
	{"a second panic", `
func main() {
	var wg sync.WaitGroup
	wg.Go(func() { panic(1) })
	wg.Wait()
}`, []string{`panic "panic: 1 [recovered, repanicked]"`}},
	{"a map in any order", `
func main() {
	m := map[int]bool{1: true, 2: true, 3: true}
	for k := range m {
		fmt.Print(k)
		delete(m, 2)
	}
}`, []string{`exit "13"`, `exit "31"`, `exit "213"`, `exit "231"`}},
	{"a timer and a sleep", `
func main() {
	t := time.AfterFunc(time.Hour, func() { fmt.Print("fired") })
	time.Sleep(time.Second)
	fmt.Print(t.Stop())
}`, []string{`exit "true"`, `exit "firedfalse"`, `exit "false"`, `exit "falsefired"`}},
	{"unlock of what is not locked", `
var mu sync.Mutex

func main() {
	defer fmt.Print("never")
	mu.Unlock()
}`, []string{`panic "fatal error: sync: unlock of unlocked mutex"`}},
	{"a deferred call that exits", `
func main() {
	defer os.Exit(3)
	panic("lost")
}`, []string{`exit 3`}},
	{"a wait group that is used again while it is being left", `
func main() {
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() {
		wg.Go(func() {})
		wg.Wait()
		done <- true
	}()
	wg.Add(1)
	wg.Done()
	<-done
}`, []string{`exit`, `panic "panic: sync: WaitGroup is reused before previous Wait has returned"`, `panic "panic: sync: WaitGroup misuse: Add called concurrently with Wait"`}},
	{"what is done before a Done orders nothing until it is done", `
func main() {
	var wg sync.WaitGroup
	x := 0
	go func() { x = 1; x = 2; wg.Done() }()
	wg.Wait()
	fmt.Print(x)
}`, []string{`exit "0"`, `exit "1"`, `exit "2"`, `panic "0" "panic: sync: negative WaitGroup counter"`, `panic "1" "panic: sync: negative WaitGroup counter"`,
		`panic "2" "panic: sync: negative WaitGroup counter"`, `panic "panic: sync: negative WaitGroup counter"`, `race`}},
	{"what is done before an RUnlock orders nothing until it is done", `
func main() {
	var rw sync.RWMutex
	x := 0
	go func() { x = 1; x = 2; rw.RUnlock() }()
	rw.Lock()
	fmt.Print(x)
}`, []string{`exit "0"`, `exit "1"`, `exit "2"`, `panic "0" "fatal error: sync: RUnlock of unlocked RWMutex"`, `panic "1" "fatal error: sync: RUnlock of unlocked RWMutex"`,
		`panic "2" "fatal error: sync: RUnlock of unlocked RWMutex"`, `panic "fatal error: sync: RUnlock of unlocked RWMutex"`, `race`}},
	{"what is done before an Unlock orders nothing until it is done", `
func main() {
	var rw sync.RWMutex
	x := 0
	go func() { x = 1; x = 2; rw.Unlock() }()
	rw.RLock()
	fmt.Print(x)
}`, []string{`exit "0"`, `exit "1"`, `exit "2"`, `panic "0" "fatal error: sync: Unlock of unlocked RWMutex"`, `panic "1" "fatal error: sync: Unlock of unlocked RWMutex"`,
		`panic "2" "fatal error: sync: Unlock of unlocked RWMutex"`, `panic "fatal error: sync: Unlock of unlocked RWMutex"`, `race`}},
	{"a writer who waits for a writer, and one who waits for readers", `
func main() {
	var rw sync.RWMutex
	rw.RLock()
	go rw.Lock()
	rw.Lock()
}`, []string{`deadlock waits sync.Mutex.Lock, sync.RWMutex.Lock`}},
	{"an atomic value that is overwritten beside an exchange", `
func main() {
	var v atomic.Value
	v.Store(1)
	go func() { v = atomic.Value{} }()
	fmt.Print(v.Swap(2))
}`, []string{`exit "1"`, `exit "<nil>"`, `race`}},
	{"a wait group with nobody", `
func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); runtime.Goexit() }()
	wg.Wait()
	select {}
}`, []string{`deadlock waits select (no cases)`}},
	{"a condition that any waiter may get", `
func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	here, out := make(chan bool, 2), make(chan int, 2)
	for i := range 2 {
		go func() {
			mu.Lock()
			here <- true
			c.Wait()
			mu.Unlock()
			out <- i
		}()
	}
	<-here
	<-here
	mu.Lock() // both wait by now
	c.Signal()
	mu.Unlock()
	fmt.Print(<-out)
}`, []string{`exit "0"`, `exit "1"`}},
}

// SPDX-License-Identifier: BSD-3-Clause
