package main

import (
	"bytes"
	"container/heap"
	"container/list"
	"container/ring"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"maps"
	"math"
	"math/bits"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unsafe"
)

type H []int

func (h H) Len() int           { return len(h) }
func (h H) Less(i, j int) bool { return h[i] < h[j] }
func (h H) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *H) Push(x any)        { *h = append(*h, x.(int)) }
func (h *H) Pop() any          { o := *h; n := len(o); x := o[n-1]; *h = o[:n-1]; return x }

type node struct{ next unsafe.Pointer }

func seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}
func find(n int) (r int) {
	defer func() { r++ }()
	for x := range seq(10) {
		defer fmt.Println(x)
		if x == n {
			return x
		}
	}
	return -1
}

type myErr struct{}

func (myErr) Error() string { return "my" }

type Num interface{ ~int | ~float64 }

func Sum[T Num](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}

type Outer struct {
	sync.Mutex
	*list.List
	n [4]atomic.Int32
}

func main() {
	h := &H{3, 1}
	heap.Push(h, 2)
	l := list.New()
	l.PushBack(1)
	_ = ring.New(3)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
	var me myErr
	if errors.As(fmt.Errorf("x: %w", me), &me) || errors.Is(ctx.Err(), context.Canceled) {
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d", 1)
	io.WriteString(os.Stdout, b.String())
	for k, v := range maps.All(map[int]int{1: 2}) {
		fmt.Println(k, v)
	}
	log.Println("x", math.Sqrt(2), bits.LeadingZeros(3), rand.Intn(3), randv2.IntN(4), randv2.N(time.Duration(3)))
	runtime.Gosched()
	xs := slices.Sorted(maps.Keys(map[string]int{"a": 1}))
	slices.SortFunc(xs, strings.Compare)
	sort.Sort(H{1})
	n, err := strconv.Atoi("12")
	fmt.Println(n, err, strconv.Quote("a"), unicode.IsUpper('a'), time.Second.String())
	p := &node{}
	atomic.CompareAndSwapPointer(&p.next, nil, unsafe.Pointer(p))
	find(3)
	fmt.Println(Sum(1, 2), Sum(1.5))
	o := Outer{List: l}
	o.Lock()
	o.n[1].Add(1)
	f := o.PushBack
	f(2)
	g := (*list.List).Len
	_ = g(l)
	var v atomic.Value
	v.Store(1)
	once := sync.OnceValue(func() int { return 1 })
	once()
	var m sync.Map
	m.Store(1, 2)
	m.Range(func(k, v any) bool { return true })
	next, stop := iter.Pull(seq(3))
	next()
	stop()
	c := sync.NewCond(&o)
	c.Signal()
	tk := time.NewTicker(1)
	tk.Stop()
	r := rand.New(rand.NewSource(1))
	r.Intn(5)
	defer recover()
	defer panic(1)
	defer delete(map[int]int{}, 1)
	go println(1)
	var arr [3]int
	for i, x := range arr {
		_, _ = i, x
	}
	arr2 := [2]int(xs2[:2])
	_ = arr2
	goto L
L:
	_ = unsafe.Add(unsafe.Pointer(p), 1)
	_ = uintptr(unsafe.Pointer(p))
}

var xs2 = []int{1, 2, 3}
