// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/oracle"
)

// summary is a collection in one line: kind, protocol, oracle, constructor, and
// operations with role, parameters and results.
func summary(c *collection.Collection) string {
	s := fmt.Sprintf("%s %s %s | %s |", c.Kind, c.Protocol, c.Oracle, c.New)
	for i := range c.Operations {
		o := &c.Operations[i]
		s += " " + o.Name
		if m := meaning(o); m != "" {
			s += "=" + strings.ReplaceAll(strings.ReplaceAll(m, ", ", ","), " ", ":")
		}
	}
	return s
}

// findOne finds the only collection of a source.
func findOne(t *testing.T, src string, o collection.Overrides) (*checked, *collection.Collection) {
	t.Helper()
	c := check(t, "example.com/"+packageName(src), src)
	found, err := Find(c.pkg, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("found %d collections", len(found))
	}
	return c, found[0]
}

func packageName(src string) string {
	rest := src[strings.Index(src, "package ")+len("package "):]
	return strings.Fields(strings.ReplaceAll(rest, ";", " "))[0]
}

type kindCase struct {
	name string
	src  string
	o    collection.Overrides
	want string
	why  string // part of the reason
}

func run(t *testing.T, cases []kindCase) {
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			pkg, c := findOne(t, tc.src, tc.o)
			if got := summary(c); got != tc.want {
				t.Errorf("got  %s\nwant %s\nwhy  %s", got, tc.want, c.Reason)
			}
			if !strings.Contains(c.Reason, tc.why) {
				t.Errorf("reason: %s", c.Reason)
			}
			pkg.withHarness(t, c)
			if kind, ok := c.Oracle.Kind(); ok {
				if _, err := oracle.New(kind, c.Protocol, c.Ops()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestFind_RecognisesSetsAndMaps(t *testing.T) {
	run(t, []kindCase{
		{name: "set", src: `package p; type Set[T comparable] struct{}
			func NewSet[T comparable]() *Set[T] { return nil }
			func (*Set[T]) Insert(T) bool { return false }; func (*Set[T]) Delete(T) bool { return false }; func (*Set[T]) Has(T) bool { return false }`,
			want: "set nonblocking set | NewSet[int]() | Insert=add:key:->:ok Delete=remove:key:->:ok Has=contains:key:->:ok"},
		{name: "set without results", src: `package p; type S struct{}
			func (*S) Add(x string) {}; func (*S) Remove(x string) {}; func (*S) Contains(x string) bool { return false }; func (*S) Len() int { return 0 }`,
			want: "set nonblocking set | new(S) | Add=add:key Remove=remove:key Contains=contains:key:->:ok Len=len:->:count"},
		{name: "the bool tells that it was there", src: `package p; type S struct{}
			func (*S) Add(x int) (existed bool) { return }; func (*S) Contains(x int) bool { return false }`,
			want: "set nonblocking set | new(S) | Add=add:key:->:not-ok Contains=contains:key:->:ok"},
		{name: "Add returns a number", src: `package p; type S struct{}
			func (*S) Add(x int) int { return 0 }; func (*S) Contains(x int) bool { return false }`,
			want: "set nonblocking self | new(S) | Add=add:key Contains=contains:key:->:ok",
			why:  "Add returns something else than whether it was done"},
		{name: "different key types", src: `package p; type S struct{}
			func (*S) Add(x int) bool { return false }; func (*S) Contains(x string) bool { return false }`,
			want: "set nonblocking self | new(S) | Add=add:key:->:ok Contains=contains:key:->:ok",
			why:  "Contains takes a key of another type"},
		{name: "an index is no key", src: `package p; type List[T comparable] struct{}
			func (*List[T]) Add(x T) bool { return false }; func (*List[T]) Contains(x T) bool { return false }; func (*List[T]) Remove(i int) bool { return false }`,
			want: "set nonblocking self | new(List[int]) | Add=add:key:->:ok Remove=remove:key:->:ok Contains=contains:key:->:ok",
			why:  "Remove takes a key of another type"},
		{name: "a value is no key", src: `package p; type M[K, V comparable] struct{}
			func (*M[K, V]) Get(k K) (v V, ok bool) { return }; func (*M[K, V]) Set(k K, v V) {}; func (*M[K, V]) Delete(v V) bool { return false }`,
			want: "map nonblocking self | new(M[int, int]) | Get=load:key:->:item,ok Set=store:key,item Delete=delete:key:->:ok",
			why:  "Delete takes a key of another type"},
		{name: "a position is no value", src: `package p; type M[K, V comparable] struct{}
			func (*M[K, V]) Get(k K) (at int, ok bool) { return }; func (*M[K, V]) Set(k K, v V) {}`,
			want: "map nonblocking self | new(M[int, int]) | Get=load:key Set=store:key,item", why: "Get does not return an item"},
		{name: "a cache may forget", src: `package p; type LRU struct{}
			func (*LRU) Get(k string) (v int, ok bool) { return }; func (*LRU) Set(k string, v int) {}`,
			want: "map nonblocking self | new(LRU) | Get=load:key:->:item,ok Set=store:key,item", why: "a cache may forget what it holds"},
		{name: "a set that is a cache may forget", src: `package p; type LRU struct{}
			func (*LRU) Add(k string) bool { return false }; func (*LRU) Contains(k string) bool { return false }`,
			want: "set nonblocking self | new(LRU) | Add=add:key:->:ok Contains=contains:key:->:ok", why: "a cache may forget what it holds"},
		{name: "map", src: `package p; type M[K comparable, V any] struct{}
			func New[K comparable, V any]() *M[K, V] { return nil }
			func (*M[K, V]) Get(k K) (v V, ok bool) { return }; func (*M[K, V]) Set(k K, v V) {}; func (*M[K, V]) Delete(k K) bool { return false }
			func (*M[K, V]) Range(f func(K, V) bool) {}; func (*M[K, V]) Keys() []K { return nil }`,
			want: "map nonblocking map | New[int, int]() | Get=load:key:->:item,ok Set=store:key,item Delete=delete:key:->:ok"},
		{name: "map that tells of absence by nil, error, or zero", src: `package p; type M struct{}
			func (*M) Get(k string) *string { return nil }; func (*M) Put(k, v string) {}
			func (*M) Lookup(k string) (string, error) { return "", nil }; func (*M) Read(k string) string { return "" }
			func (*M) Remove(k string) (old string, ok bool) { return }; func (*M) PutIfAbsent(k, v string) bool { return false }`,
			want: "map nonblocking map | new(M) | Get=load:key:->:item-or-nil Lookup=load:key:->:item,error Read=load:key:->:item " +
				"Put=store:key,item PutIfAbsent=load-or-store:key,item:->:not-ok Remove=load-and-delete:key:->:item,ok"},
		{name: "a look without a change is no map", src: `package p; type M struct{}
			func (*M) Get(k string) (int, bool) { return 0, false }; func (*M) Delete(k string) {}`,
			want: "object nonblocking self | new(M) | Delete Get"},
		{name: "Set returns a bool", src: `package p; type M struct{}
			func (*M) Get(k string) (int, bool) { return 0, false }; func (*M) Set(k string, v int) bool { return false }`,
			want: "map nonblocking self | new(M) | Get=load:key:->:item,ok Set=store:key,item:->:ok", why: "Set returns a bool of which nothing is known"},
		{name: "a map type", src: `package p; type M map[string]int
			func (m M) Get(k string) int { return m[k] }; func (m M) Set(k string, v int) {}; func (m M) Del(k string) {}`,
			want: "map nonblocking map | &M{} | Get=load:key:->:item Set=store:key,item Del=delete:key"},
		{name: "bloom filter of pointers", src: `package p; type N struct{ key int }; type S struct{}
			func (*S) Add(n *N) {}; func (*S) Contains(n *N) bool { return false }`,
			o: collection.Overrides{Type: "S"}, want: "set nonblocking set | new(S) | Add=add:key Contains=contains:key:->:ok"},
	})
}

func TestFind_RecognisesQueuesAndStacks(t *testing.T) {
	run(t, []kindCase{
		{name: "names suffice", src: `package p; type X[T any] struct{}
			func (*X[T]) Enqueue(x T) {}; func (*X[T]) Dequeue() (x T, ok bool) { return }`,
			want: "queue nonblocking queue | new(X[int]) | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "a constructor of the interface that it alone has", src: `package p; type Queue interface{ Enqueue(int); Dequeue() (int, bool) }; func New() Queue { return nil }
			type ring struct{}; func (*ring) Enqueue(x int) {}; func (*ring) Dequeue() (int, bool) { return 0, false }`,
			o: collection.Overrides{Type: "ring"}, want: "queue nonblocking queue | New() | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "a method of an interface without a name", src: `package p; type sink = interface{ Enqueue(int) }; type Queue struct{ sink }; func (*Queue) Dequeue() (int, bool) { return 0, false }`,
			want: "queue nonblocking queue | new(Queue) | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "bounded by an argument behind another one", src: `package p; type Queue struct{}
			func NewQueue(name string, capacity int) *Queue { return nil }; func (*Queue) Put(x int) {}; func (*Queue) Take() int { return 0 }`,
			o:    collection.Overrides{New: `NewQueue("q", 3)`},
			want: `queue bounded(3) queue | NewQueue("q", 3) | Put=put:item Take=take:->:item`},
		{name: "a protocol that says nothing is nonblocking, whatever the constructor takes", src: `package p; type Queue struct{}
			func NewQueue(capacity int) *Queue { return nil }; func (*Queue) Put(x int) {}; func (*Queue) Take() int { return 0 }`,
			o:    collection.Overrides{Protocol: &oracle.Protocol{}},
			want: "queue nonblocking self | NewQueue(2) | Put=put:item Take=take:->:item", why: "Take returns only a value"},
		{name: "a word of the type's name", src: `package p; type RingBuffer struct{}
			func New() *RingBuffer { return nil }; func (*RingBuffer) Push(x int) {}; func (*RingBuffer) Pop() (int, error) { return 0, nil }`,
			want: "queue nonblocking queue | New() | Push=put:item Pop=take:->:item,error"},
		{name: "a word of the package's name", src: `package fifo; type L struct{}
			func (*L) Push(x any) {}; func (*L) Pop() any { return nil }`,
			want: "queue nonblocking queue | new(L) | Push=put:item Pop=take:->:item-or-nil"},
		{name: "Push and Pop are a stack", src: `package p; type L struct{}
			func (*L) Push(x int) {}; func (*L) Pop() *int { return nil }; func (*L) Top() (int, bool) { return 0, false }`,
			want: "stack nonblocking stack | new(L) | Push=put:item Pop=take:->:item-or-nil Top=peek:->:item,ok"},
		{name: "the type's name counts before the package's", src: `package queue; type Stack struct{}
			func (*Stack) Put(x int) {}; func (*Stack) Take() (int, bool) { return 0, false }`,
			want: "stack nonblocking stack | new(Stack) | Put=put:item Take=take:->:item,ok"},
		{name: "a look that tells nothing is left out", src: `package p; type Stack struct{}
			func (*Stack) Push(x int) {}; func (*Stack) Pop() (int, bool) { return 0, false }; func (*Stack) Peek() int { return 0 }; func (*Stack) Debug() int { return 0 }`,
			want: "stack nonblocking stack | new(Stack) | Push=put:item Pop=take:->:item,ok"},
		{name: "what empties it and what says that it is empty", src: `package p; type Stack struct{}
			func (*Stack) Push(x int) {}; func (*Stack) Pop() (int, bool) { return 0, false }; func (*Stack) IsEmpty() bool { return false }; func (*Stack) Clear() {}`,
			want: "stack nonblocking stack | new(Stack) | Push=put:item Pop=take:->:item,ok IsEmpty=is-empty:->:ok Clear=clear"},
		{name: "what says more, or a number, than that it is empty is left out", src: `package p; type Stack struct{}
			func (*Stack) Push(x int) {}; func (*Stack) Pop() (int, bool) { return 0, false }; func (*Stack) IsEmpty() (bool, error) { return false, nil }; func (*Stack) Clear() bool { return false }`,
			want: "stack nonblocking stack | new(Stack) | Push=put:item Pop=take:->:item,ok"},
		{name: "Pop that returns only a value", src: `package p; type Stack struct{}
			func (*Stack) Push(x int) {}; func (*Stack) Pop() int { return 0 }`,
			want: "stack nonblocking self | new(Stack) | Push=put:item Pop=take:->:item",
			why:  "Pop returns only a value, so that nothing tells what it does when there is none"},
		{name: "bounded by guess", src: `package p; type Queue struct{}
			func NewQueue(capacity int) *Queue { return nil }; func (*Queue) Put(x int) {}; func (*Queue) Take() int { return 0 }`,
			want: "queue bounded(2) queue | NewQueue(2) | Put=put:item Take=take:->:item", why: "It holds up to 2 items and waits"},
		{name: "bounded by the user's constructor", src: `package p; type Queue[T any] struct{}
			func NewQueue[T any](capacity int) *Queue[T] { return nil }; func (*Queue[T]) Put(x T) {}; func (*Queue[T]) Take() (x T) { return }`,
			o:    collection.Overrides{New: "NewQueue[string](3)"},
			want: "queue bounded(3) queue | NewQueue[string](3) | Put=put:item Take=take:->:item"},
		{name: "bounded with tries", src: `package p; type Queue struct{}
			func NewQueue(capacity int) (*Queue, error) { return nil, nil }; func (*Queue) Enqueue(x int) {}; func (*Queue) Dequeue() int { return 0 }
			func (*Queue) TryEnqueue(x int) bool { return false }; func (*Queue) TryDequeue() (int, bool) { return 0, false }`,
			want: "queue bounded(2) queue | NewQueue(2) | Enqueue=put:item TryEnqueue=put:item:->:ok Dequeue=take:->:item TryDequeue=take:->:item,ok"},
		{name: "refuses when full", src: `package p; type Queue struct{}
			func NewQueue(capacity int) Queue { return Queue{} }; func (*Queue) Offer(x int) bool { return false }; func (*Queue) Poll() (int, bool) { return 0, false }`,
			want: "queue bounded(2) queue | NewQueue(2) | Offer=put:item:->:ok Poll=take:->:item,ok", why: "exactly 2 items"},
		{name: "refuses when full, but of what size", src: `package p; type Queue struct{}
			func NewQueue(size int) *Queue { return nil }; func (*Queue) Offer(x int) bool { return false }; func (*Queue) Poll() (int, bool) { return 0, false }`,
			want: "queue nonblocking self | NewQueue(2) | Offer=put:item:->:ok Poll=take:->:item,ok", why: "that its constructor's size counts items is not certain"},
		{name: "refuses when full, made in a way that says nothing", src: `package p; type Queue struct{}
			func (*Queue) Offer(x int) bool { return false }; func (*Queue) Poll() (int, bool) { return 0, false }`,
			o:    collection.Overrides{New: "func() *Queue { return new(Queue) }()"},
			want: "queue nonblocking self | func() *Queue { return new(Queue) }() | Offer=put:item:->:ok Poll=take:->:item,ok", why: "nothing tells how many items it holds"},
		{name: "a context means waiting", src: `package p; import "context"; type Queue struct{}
			func NewQueue(capacity int) *Queue { return nil }; func (*Queue) Put(ctx context.Context, x int) error { return nil }
			func (*Queue) Take(ctx context.Context) (int, error) { return 0, nil }`,
			want: "queue bounded(2) queue | NewQueue(2) | Put=put:item:->:error,may:block Take=take:->:item,error,may:block"},
		{name: "a ticket is no item", src: `package p; type Line[T any] struct{}
			func (*Line[T]) Enqueue(x T) {}; func (*Line[T]) Dequeue() (ticket int, ok bool) { return }`,
			want: "queue nonblocking self | new(Line[int]) | Enqueue=put:item Dequeue=take", why: "Dequeue does not return an item"},
		{name: "an item of what is embedded", src: `package p; type ring[T any] struct{}; func (*ring[T]) Dequeue() (x T, ok bool) { return }
			type Queue struct{ ring[int] }; func (*Queue) Enqueue(x int) {}`,
			want: "queue nonblocking queue | new(Queue) | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "what grows is not full with as many items as it begins with room for", src: `package p; type UnboundedQueue struct{}
			func New(capacity int) *UnboundedQueue { return nil }; func (*UnboundedQueue) Enqueue(x int) {}; func (*UnboundedQueue) Dequeue() int { return 0 }`,
			want: "queue nonblocking self | New(2) | Enqueue=put:item Dequeue=take:->:item", why: "Dequeue returns only a value"},
		{name: "a logarithm is no number of items", src: `package p; type Queue struct{}
			func New(logCap int) *Queue { return nil }; func (*Queue) Offer(x int) bool { return false }; func (*Queue) Poll() (int, bool) { return 0, false }`,
			want: "queue nonblocking self | New(1) | Offer=put:item:->:ok Poll=take:->:item,ok", why: "that its constructor's logCap counts items is not certain"},
		{name: "a duration that nothing gives back is how long to wait", src: `package p; import "time"; type Queue struct{}
			func (*Queue) Put(x int, d time.Duration) {}; func (*Queue) Take(d time.Duration) (int, bool) { return 0, false }`,
			want: "queue nonblocking queue | new(Queue) | Put=put:item Take=take:->:item,ok"},
		{name: "asynchronous by name", src: `package p; type AsynchronousQueue struct{}
			func (*AsynchronousQueue) Enqueue(x int) {}; func (*AsynchronousQueue) Dequeue() int { return 0 }`,
			want: "queue nonblocking self | new(AsynchronousQueue) | Enqueue=put:item Dequeue=take:->:item", why: "Dequeue returns only a value"},
		{name: "a string is no ring", src: `package p; type StringList struct{}
			func (*StringList) Push(x string) {}; func (*StringList) Pop() (string, bool) { return "", false }`,
			want: "stack nonblocking stack | new(StringList) | Push=put:item Pop=take:->:item,ok"},
		{name: "synchronous by name", src: `package p; type Rendezvous struct{}
			func (*Rendezvous) Enqueue(x int) {}; func (*Rendezvous) Dequeue() int { return 0 }`,
			want: "queue synchronous queue | new(Rendezvous) | Enqueue=put:item Dequeue=take:->:item", why: "as its name says"},
		{name: "the user's protocol", src: `package p; type X struct{}
			func (*X) Enqueue(x int) {}; func (*X) Dequeue() int { return 0 }`,
			o:    collection.Overrides{Protocol: &oracle.Protocol{Kind: oracle.Synchronous}},
			want: "queue synchronous queue | new(X) | Enqueue=put:item Dequeue=take:->:item"},
		{name: "the user's kind", src: `package p; type X struct{}
			func (*X) Put(x int) {}; func (*X) Get() (int, bool) { return 0, false }`,
			o: collection.Overrides{Kind: oracle.Queue}, want: "queue nonblocking queue | new(X) | Put=put:item Get=take:->:item,ok"},
		{name: "the user's operations", src: `package p; type X struct{}
			func (*X) Enqueue(x int) {}; func (*X) Dequeue() (int, bool) { return 0, false }; func (*X) Len() int { return 0 }; func (*X) Drain() int { return 0 }`,
			o: collection.Overrides{Ops: []string{"Dequeue", "Enqueue"}}, want: "queue nonblocking queue | new(X) | Dequeue=take:->:item,ok Enqueue=put:item"},
		{name: "an operation that queues do not know", src: `package p; type X struct{}
			func (*X) Enqueue(x int) {}; func (*X) Dequeue() (int, bool) { return 0, false }; func (*X) Drain() int { return 0 }`,
			o:    collection.Overrides{Ops: []string{"Enqueue", "Dequeue", "Drain"}},
			want: "queue nonblocking self | new(X) | Enqueue=put:item Dequeue=take:->:item,ok Drain", why: "nothing is known of Drain"},
		{name: "ends of a list", src: `package p; type L struct{}
			func (*L) PushBack(x int) {}; func (*L) PopFront() (int, bool) { return 0, false }; func (*L) Front() (int, bool) { return 0, false }`,
			want: "queue nonblocking queue | new(L) | PushBack=put:item PopFront=take:->:item,ok Front=peek:->:item,ok"},
	})
}

func TestFind_RecognisesDequesAndPriorityQueues(t *testing.T) {
	run(t, []kindCase{
		{name: "deque", src: `package p; type D[T any] struct{}
			func (*D[T]) PushFront(x T) {}; func (*D[T]) PushBack(x T) {}; func (*D[T]) PopFront() (x T, ok bool) { return }
			func (*D[T]) PopBack() (x T, ok bool) { return }; func (*D[T]) Back() (x T, ok bool) { return }`,
			want: "deque nonblocking deque | new(D[int]) | PushFront=put-front:item PushBack=put-back:item PopFront=take-front:->:item,ok " +
				"PopBack=take-back:->:item,ok Back=peek-back:->:item,ok"},
		{name: "work stealing", src: `package p; type D struct{}
			func (*D) Push(x int) {}; func (*D) Pop() (int, bool) { return 0, false }; func (*D) Steal() (int, bool) { return 0, false }`,
			want: "deque nonblocking deque | new(D) | Push=put-back:item Pop=take-back:->:item,ok Steal=take-front:->:item,ok"},
		{name: "priority queue", src: `package p; type H[T any] struct{}
			func NewH[T any](capacity int) *H[T] { return nil }
			func (*H[T]) Insert(prio int, x T) {}; func (*H[T]) ExtractMin() (x T, prio int, ok bool) { return }`,
			want: "pqueue nonblocking pqueue | NewH[int](8) | Insert=put:priority,item ExtractMin=take:->:item,priority,ok", why: "capacity is not reached"},
		{name: "priorities alone", src: `package p; type H struct{}
			func (*H) Add(x int) {}; func (*H) DeleteMin() (int, bool) { return 0, false }`,
			want: "pqueue nonblocking pqueue | new(H) | Add=put:item DeleteMin=take:->:item,ok"},
		{name: "largest first", src: `package p; type H struct{}
			func (*H) Insert(x int) {}; func (*H) DeleteMax() (int, bool) { return 0, false }`,
			want: "pqueue nonblocking pqueue | new(H) | Insert=put:item DeleteMax=take:->:item,ok"},
		{name: "largest first, of texts", src: `package p; type H struct{}
			func (*H) Insert(x string) {}; func (*H) DeleteMax() (string, bool) { return "", false }`,
			want: "pqueue nonblocking self | new(H) | Insert=put:item DeleteMax=take:->:item,ok", why: "takes the largest first, of what is no number"},
		{name: "largest first, as what looks tells", src: `package p; type Heap struct{}
			func (*Heap) Push(x int) {}; func (*Heap) Pop() (int, bool) { return 0, false }; func (*Heap) Max() (int, bool) { return 0, false }`,
			want: "pqueue nonblocking pqueue | new(Heap) | Push=put:item Pop=take:->:item,ok Max=peek:->:item,ok"},
		{name: "from both ends", src: `package p; type H struct{}
			func (*H) Insert(x int) {}; func (*H) DeleteMin() (int, bool) { return 0, false }; func (*H) DeleteMax() (int, bool) { return 0, false }`,
			want: "pqueue nonblocking self | new(H) | Insert=put:item DeleteMax=take:->:item,ok DeleteMin=take:->:item,ok", why: "DeleteMin is about the other end than what gives the largest first"},
		{name: "largest first, somebody has found", src: `package p; type Heap struct{}
			func (*Heap) Push(x int) {}; func (*Heap) Pop() (int, bool) { return 0, false }`,
			o: collection.Overrides{Fewer: collection.Fewer{Order: collection.Largest}}, want: "pqueue nonblocking pqueue | new(Heap) | Push=put:item Pop=take:->:item,ok"},
		{name: "smallest or largest", src: `package p; type Heap struct{}
			func (*Heap) Push(x int) {}; func (*Heap) Pop() (int, bool) { return 0, false }`,
			want: "pqueue nonblocking self | new(Heap) | Push=put:item Pop=take:->:item,ok", why: "whether Pop takes the smallest or the largest"},
		{name: "smallest, says the user", src: `package p; type Heap struct{}
			func (*Heap) Push(x int) {}; func (*Heap) Pop() (int, bool) { return 0, false }`,
			o: collection.Overrides{Kind: oracle.PQueue}, want: "pqueue nonblocking pqueue | new(Heap) | Push=put:item Pop=take:->:item,ok"},
		{name: "the number is the priority", src: `package p; type H struct{}
			func (*H) Insert(a int, b string) {}; func (*H) DeleteMin() (string, bool) { return "", false }`,
			want: "pqueue nonblocking pqueue | new(H) | Insert=put:priority,item DeleteMin=take:->:item,ok"},
		{name: "the number is the priority, behind the item", src: `package p; type H struct{}
			func (*H) Insert(a string, b int) {}; func (*H) DeleteMin() (string, bool) { return "", false }`,
			want: "pqueue nonblocking pqueue | new(H) | Insert=put:item,priority DeleteMin=take:->:item,ok"},
		{name: "which is the priority", src: `package p; type H struct{}
			func (*H) Insert(a, b int) {}; func (*H) DeleteMin() (int, bool) { return 0, false }`,
			want: "pqueue nonblocking self | new(H) | Insert=put:item,priority DeleteMin=take:->:item,ok", why: "nothing tells which is the priority"},
	})
}

func TestFind_RecognisesCountersAndRegisters(t *testing.T) {
	run(t, []kindCase{
		{name: "counter", src: `package p; type C struct{}
			func (*C) Inc() {}; func (*C) Value() int { return 0 }`,
			want: "counter nonblocking counter | new(C) | Value=load:->:item Inc=inc"},
		{name: "counter of the old value", src: `package p; type C struct{}
			func NewC(start int) *C { return nil }; func (*C) GetAndIncrement() int { return 0 }`,
			want: "counter nonblocking counter | NewC(0) | GetAndIncrement=inc:->:old", why: "Counter by its GetAndIncrement."},
		{name: "counter with a limit", src: `package p; type C struct{}
			func NewC(max int) *C { return nil }; func (*C) Inc() bool { return true }; func (*C) Value() int { return 0 }`,
			want: "counter nonblocking self | NewC(2) | Value=load:->:item Inc=inc", why: "Constructor: max 2."},
		{name: "before or after", src: `package p; type C struct{}
			func (*C) Inc() int { return 0 }; func (*C) Get() int { return 0 }`,
			want: "counter nonblocking self | new(C) | Get=load:->:item Inc=inc", why: "Inc returns a value: nothing tells whether that of before or that of after"},
		{name: "named results", src: `package p; type C struct{}
			func (*C) Inc() (newValue int) { return }; func (*C) Add(n int) (old int) { return }`,
			want: "counter nonblocking counter | new(C) | Inc=inc:->:new Add=add-to:delta:->:old"},
		{name: "a counter does more", src: `package p; type C struct{}
			func NewC(stripes int) *C { return nil }; func (*C) Inc() {}; func (*C) Value() int { return 0 }; func (*C) Reset() {}`,
			want: "counter nonblocking self | NewC(2) | Value=load:->:item Inc=inc Reset", why: "nothing is known of Reset"},
		{name: "a sum that says nothing else", src: `package p; type C struct{}
			func (*C) Add(x string) {}; func (*C) Value() int { return 0 }`,
			want: "object nonblocking self | new(C) | Add Value"},
		{name: "a value that is not told", src: `package p; type C struct{}
			func (*C) Inc() {}; func (*C) Value() {}`,
			want: "object nonblocking self | new(C) | Inc Value"},
		{name: "a count that is told by nobody", src: `package p; type C struct{}
			func (*C) Inc() {}; func (*C) Dec() {}`,
			want: "object nonblocking self | new(C) | Dec Inc"},
		{name: "a register that begins with what it is given", src: `package p; type R struct{}
			func NewR(x int) *R { return nil }; func (*R) Load() int { return 0 }; func (*R) Store(x int) {}`,
			o: collection.Overrides{Kind: oracle.Register}, want: "register nonblocking register | NewR(0) | Load=load:->:item Store=store:item"},
		{name: "a register that begins with a pointer, which may be nil", src: `package p; type R struct{}
			func NewR(to *string) *R { return nil }; func (*R) Latest() *string { return nil }; func (*R) Load() *string { return nil }; func (*R) Store(s *string) {}`,
			o:    collection.Overrides{Kind: oracle.Register, Ops: []string{"Load", "Store"}},
			want: "register nonblocking register | NewR(nil) | Load=load:->:item Store=store:item"},
		{name: "a version is no value", src: `package p; type R[T any] struct{}
			func (*R[T]) Load() (x T) { return }; func (*R[T]) Store(x T) {}; func (*R[T]) Swap(x T) (version int) { return }`,
			want: "register nonblocking self | new(R[int]) | Load=load:->:item Store=store:item Swap=swap:item", why: "Swap returns something else than the value"},
		{name: "a cell by its names that begins with a pointer", src: `package p; type R struct{}
			func NewR(to *string) *R { return nil }; func (*R) Load() *string { return nil }; func (*R) Store(s *string) {}`,
			want: "register nonblocking register | NewR(nil) | Load=load:->:item Store=store:item"},
		{name: "a register of durations", src: `package p; import "time"; type R struct{}
			func (*R) Load() time.Duration { return 0 }; func (*R) Store(d time.Duration) {}`,
			want: "register nonblocking register | new(R) | Load=load:->:item Store=store:item"},
		{name: "a counter that begins with what it is given", src: `package p; type T struct{}
			func NewT(x int) *T { return nil }; func (*T) Value() int { return 0 }; func (*T) Inc() {}`,
			o: collection.Overrides{Kind: oracle.Counter}, want: "counter nonblocking counter | NewT(0) | Value=load:->:item Inc=inc"},
		{name: "register", src: `package p; type R[T any] struct{}
			func NewR[T any](v T) *R[T] { return nil }; func (*R[T]) Read() (x T) { return }; func (*R[T]) Write(x T) {}; func (*R[T]) Swap(x T) (old T) { return }`,
			want: "register nonblocking register | NewR[int](0) | Read=load:->:item Write=store:item Swap=swap:item:->:old"},
		{name: "like sync/atomic", src: `package p; type Int struct{}
			func (*Int) Load() int64 { return 0 }; func (*Int) Store(int64) {}; func (*Int) CompareAndSwap(old, new int64) bool { return false }
			func (*Int) Add(int64) int64 { return 0 }; func (*Int) Inc() int64 { return 0 }; func (*Int) String() string { return "" }`,
			want: "register nonblocking register | new(Int) | Load=load:->:item Store=store:item CompareAndSwap=compare-and-swap:old,item:->:ok " +
				"Inc=inc:->:new Add=add-to:delta:->:new", why: "as in sync/atomic"},
		{name: "like sync/atomic, with masks", src: `package p; type Flags struct{}
			func (*Flags) Load() uint32 { return 0 }; func (*Flags) Store(uint32) {}; func (*Flags) CompareAndSwap(old, new uint32) bool { return false }
			func (*Flags) Add(uint32) uint32 { return 0 }; func (*Flags) Or(mask uint32) uint32 { return 0 }`,
			want: "register nonblocking register | new(Flags) | Load=load:->:item Store=store:item CompareAndSwap=compare-and-swap:old,item:->:ok " +
				"Add=add-to:delta:->:new Or=or:item:->:old", why: "Values that And and Or return are the old one, as in sync/atomic"},
		{name: "bool", src: `package p; type B struct{}
			func (*B) Load() bool { return false }; func (*B) Store(bool) {}; func (*B) Toggle() (old bool) { return }`,
			want: "register nonblocking register | new(B) | Load=load:->:item Store=store:item Toggle=toggle:->:old"},
		{name: "pointer, at first nil", src: `package p; type P[T any] struct{}
			func (*P[T]) Load() *T { return nil }; func (*P[T]) Store(*T) {}`,
			want: "register nonblocking register | new(P[int]) | Load=load:->:item Store=store:item"},
		{name: "interface, at first nil", src: `package p; type P struct{}
			func (*P) Load() any { return nil }; func (*P) Store(any) {}`,
			want: "register nonblocking self | new(P) | Load=load:->:item Store=store:item", why: "first value is nil"},
		{name: "two values at once", src: `package p; type M struct{}
			func (*M) Get() (int, bool) { return 0, false }; func (*M) Set(int, bool) {}`,
			want: "object nonblocking self | new(M) | Get Set"},
	})
}

func TestFind_TakesLocksByWholeCriticalSections(t *testing.T) {
	run(t, []kindCase{
		{name: "lock", src: `package p; type L struct{}
			func (*L) Lock() {}; func (*L) Unlock() {}; func (*L) IsLocked() bool { return false }`,
			want: "lock nonblocking counter | new(L) | Lock+Unlock=round:->:new"},
		{name: "every sort", src: `package p; type L struct{}
			func (*L) Lock() {}; func (*L) Unlock() {}; func (*L) RLock() {}; func (*L) RUnlock() {}; func (*L) TryLock() bool { return false }`,
			want: "lock nonblocking counter | new(L) | Lock+Unlock=round:->:new RLock+RUnlock=load:->:item TryLock+Unlock=round:->:new,ok,may:fail:at:any:time"},
		{name: "tokens", src: `package p; type node struct{}; type L struct{}
			func (*L) Acquire() *node { return nil }; func (*L) Release(*node) {}; func (*L) TryAcquire() (*node, bool) { return nil, false }`,
			want: "lock nonblocking counter | new(L) | Acquire+Release=round:->:new TryAcquire+Release=round:->:new,ok,may:fail:at:any:time"},
		{name: "a constructor of an interface", src: `package p; import "sync"; type spin uint32
			func NewSpin() sync.Locker { return nil }; func (*spin) Lock() {}; func (*spin) Unlock() {}`,
			want: "lock nonblocking counter | NewSpin() | Lock+Unlock=round:->:new"},
		{name: "an interface alone", src: `package p; import "sync"; type impl struct{}
			func NewSpin() sync.Locker { return nil }; func (*impl) Lock() {}; func (*impl) Unlock() {}`,
			o: collection.Overrides{New: "NewSpin()"}, want: "lock nonblocking counter | NewSpin() | Lock+Unlock=round:->:new"},
		{name: "a queue lock", src: `package p; type ALock struct{}
			func NewALock(capacity int) *ALock { return nil }; func (*ALock) Lock() {}; func (*ALock) Unlock() {}`,
			o: collection.Overrides{Threads: 5}, want: "lock nonblocking counter | NewALock(5) | Lock+Unlock=round:->:new", why: "capacity 5"},
		{name: "room for every thread", src: `package p; type Bakery struct{}
			func New(threads int) *Bakery { return nil }; func (*Bakery) Lock() {}; func (*Bakery) Unlock() {}`,
			want: "lock nonblocking counter | New(4) | Lock+Unlock=round:->:new"},
		{name: "a semaphore is no lock", src: `package p; type Sem struct{}
			func NewSem(n int) *Sem { return nil }; func (*Sem) Acquire() {}; func (*Sem) Release() {}`,
			want: "object nonblocking self | NewSem(2) | Acquire Release"},
		{name: "what gives something is no lock", src: `package p; type Box struct{}
			func (*Box) Lock() {}; func (*Box) Unlock() {}; func (*Box) Take() int { return 0 }; func (*Box) Fill(x int) {}`,
			want: "object nonblocking self | new(Box) | Fill Take"},
		{name: "what hands out numbers is no lock", src: `package p; type Tickets struct{}
			func (*Tickets) Lock() {}; func (*Tickets) Unlock() {}; func (*Tickets) Next() int { return 0 }`,
			o: collection.Overrides{Type: "Tickets"}, want: "object nonblocking self | new(Tickets) | Next"},
		{name: "a critical section by its whole name", src: `package p; type L struct{}
			func (*L) Lock() {}; func (*L) Unlock() {}; func (*L) RLock() {}; func (*L) RUnlock() {}`,
			o: collection.Overrides{Ops: []string{"RLock+RUnlock", "Lock"}}, want: "lock nonblocking counter | new(L) | RLock+RUnlock=load:->:item Lock+Unlock=round:->:new"},
		{name: "an embedded lock is no operation", src: `package p; import "sync"; type C struct{ sync.Mutex }
			func (*C) Inc() {}; func (*C) Get() int { return 0 }`,
			want: "counter nonblocking counter | new(C) | Get=load:->:item Inc=inc"},
		{name: "unless the lock is asked for", src: `package p; import "sync"; type C struct{ sync.Mutex }
			func (*C) Inc() {}; func (*C) Get() int { return 0 }`,
			o: collection.Overrides{Kind: collection.Lock, Ops: []string{"Lock"}}, want: "lock nonblocking counter | new(C) | Lock+Unlock=round:->:new"},
	})
}

func TestFind_LeavesTheRestToTheSameCode(t *testing.T) {
	run(t, []kindCase{
		{name: "object", src: `package p; type O struct{}
			func (*O) Begin(n int) bool { return false }; func (*O) End() (int, error) { return 0, nil }; func (*O) Each(f func(int)) {}`,
			want: "object nonblocking self | new(O) | Begin Each End"},
		{name: "an object that calls a function", src: `package p; type Once struct{}; func (*Once) Do(f func()) {}`,
			want: "object nonblocking self | new(Once) | Do", why: "Do is given a function that increments a plain counter"},
		{name: "an object that gives what others declare", src: `package p; import ("time"; "context"); type O struct{ n int }
			func (*O) Begin(ctx context.Context, d time.Duration) *time.Timer { return nil }; func (*O) Ctx() context.Context { return nil }`,
			o: collection.Overrides{Type: "O"}, want: "object nonblocking self | new(O) | Begin Ctx"},
		{name: "the kind that is recognised, by request", src: `package p; type Q struct{}
			func (*Q) Enqueue(x int) {}; func (*Q) Dequeue() (int, bool) { return 0, false }`,
			o: collection.Overrides{Kind: "auto"}, want: "queue nonblocking queue | new(Q) | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "object by request", src: `package p; type Q struct{}
			func (*Q) Enqueue(x int) {}; func (*Q) Dequeue() (int, bool) { return 0, false }`,
			o: collection.Overrides{Kind: collection.Object}, want: "object nonblocking self | new(Q) | Dequeue Enqueue"},
		{name: "self by request", src: `package p; type Q struct{}
			func (*Q) Enqueue(x int) {}; func (*Q) Dequeue() (int, bool) { return 0, false }`,
			o: collection.Overrides{Oracle: collection.ParseOracle("self")}, want: "queue nonblocking self | new(Q) | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "the user's oracle", src: `package p; type Spec struct{}; type Q struct{}
			func (*Q) Enqueue(x int) {}; func (*Q) Dequeue() (int, bool) { return 0, false }`,
			o: collection.Overrides{Type: "Q", Oracle: collection.ParseOracle("Spec")}, want: "queue nonblocking Spec | new(Q) | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "unexported type with unexported methods", src: `package p; type eface struct{}; type d struct{ vals []eface }
			func (*d) pushHead(x any) bool { return false }; func (*d) popHead() (any, bool) { return nil, false }; func (*d) popTail() (any, bool) { return nil, false }`,
			o:    collection.Overrides{Type: "d", New: "&d{vals: make([]eface, 2)}", Protocol: &oracle.Protocol{Kind: oracle.Bounded, Capacity: 2}},
			want: "deque bounded(2) deque | &d{vals: make([]eface, 2)} | pushHead=put-front:item:->:ok popHead=take-front:->:item,ok popTail=take-back:->:item,ok"},
		{name: "promoted methods", src: `package p; type base struct{}; func (*base) Enqueue(x int) {}; type Q struct{ *base; n int }
			func NewQ() Q { return Q{} }; func (Q) Dequeue() (int, bool) { return 0, false }`,
			want: "queue nonblocking queue | NewQ() | Enqueue=put:item Dequeue=take:->:item,ok"},
		{name: "interface", src: `package p; type Queue interface{ Enqueue(int); Dequeue() (int, bool) }; type impl struct{ Queue }
			func NewQueue() Queue { return nil }`,
			want: "queue nonblocking queue | NewQueue() | Enqueue=put:item Dequeue=take:->:item,ok"},
	})
}

func TestFind_ChoosesTypeArguments(t *testing.T) {
	run(t, []kindCase{
		{name: "strings", src: `package p; type S[T ~string] struct{}
			func (*S[T]) Add(x T) bool { return false }; func (*S[T]) Remove(x T) bool { return false }`,
			want: "set nonblocking set | new(S[string]) | Add=add:key:->:ok Remove=remove:key:->:ok"},
		{name: "methods", src: `package p; type Item interface{ Less(Item) bool }; type number int; func (n number) Less(o Item) bool { return false }
			type S[T Item] struct{}; func (*S[T]) Add(x T) bool { return false }; func (*S[T]) Remove(x T) bool { return false }`,
			o: collection.Overrides{Type: "S"}, want: "set nonblocking set | new(S[number]) | Add=add:key:->:ok Remove=remove:key:->:ok"},
		{name: "self-referring", src: `package p; type number struct{ n int }; func (n *number) Less(o *number) bool { return false }
			type S[T interface{ Less(T) bool }] struct{}; func (*S[T]) Add(x T) bool { return false }; func (*S[T]) Remove(x T) bool { return false }`,
			o: collection.Overrides{Type: "S"}, want: "set nonblocking set | new(S[*number]) | Add=add:key:->:ok Remove=remove:key:->:ok"},
		{name: "pointer to another", src: `package p; type S[T any, P interface{ *T }] struct{}
			func (*S[T, P]) Add(x P) bool { return false }; func (*S[T, P]) Remove(x P) bool { return false }`,
			o: collection.Overrides{}, want: "set nonblocking set | new(S[int, *int]) | Add=add:key:->:ok Remove=remove:key:->:ok"},
		{name: "the constructor's", src: `package p; type M[K comparable, V any] struct{}; func NewStrings[V any]() *M[string, V] { return nil }
			func (*M[K, V]) Load(k K) (v V, ok bool) { return }; func (*M[K, V]) Store(k K, v V) {}`,
			want: "map nonblocking map | NewStrings[int]() | Load=load:key:->:item,ok Store=store:key,item"},
		{name: "an alias's", src: `package p; type S[T any] struct{}; type Strings = S[string]
			func NewS[T any]() *S[T] { return nil }; func (*S[T]) Add(x T) bool { return false }; func (*S[T]) Remove(x T) bool { return false }`,
			o: collection.Overrides{Type: "Strings"}, want: "set nonblocking set | NewS[string]() | Add=add:key:->:ok Remove=remove:key:->:ok"},
		{name: "the user's", src: `package p; type M[K comparable, V any] struct{}; func NewM[V any, K comparable]() *M[K, V] { return nil }
			func (*M[K, V]) Load(k K) (v V, ok bool) { return }; func (*M[K, V]) Store(k K, v V) {}`,
			o: collection.Overrides{Type: "M[string, int]"}, want: "map nonblocking map | NewM[int, string]() | Load=load:key:->:item,ok Store=store:key,item"},
	})
}

func TestFind_ChoosesConstructorArguments(t *testing.T) {
	set := `; func (*S[T]) Add(x T) bool { return false }; func (*S[T]) Contains(x T) bool { return false }`
	run(t, []kindCase{
		{name: "functions", src: `package p; type S[T any] struct{}
			func NewS[T any](hash func(T) uint64, less func(a, b T) bool, compare func(T, T) int, onEvict func(T)) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func(a int) uint64 { return uint64(a) }, func(a int, b int) bool { return a < b }, " +
				"func(a int, b int) int { if a < b { return -1 }; if a > b { return 1 }; return 0 }, func(a int) {  }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a function type of the package", src: `package p; type Height func(int) int; func Tall(n int) int { return n }; type S[T any] struct{}
			func NewS[T any](highest int, h Height) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](2, Tall) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a function of the package is no argument of a type that anybody may have", src: `package p; func Age(n int) uint64 { return 0 }; type S[T any] struct{}
			func NewS[T any](hash func(int) uint64) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func(a int) uint64 { return uint64(a) }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a function type of the package that no function has", src: `package p; type Less func(a, b int) bool; type S[T any] struct{}
			func NewS[T any](less Less) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func(a int, b int) bool { return a < b }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a function that may fail does not", src: `package p; type S[T any] struct{}
			func NewS[T any](load func(key string) (int, error)) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func(a string) (int, error) { return 0, nil }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a handler that may fail does not", src: `package p; type S[T any] struct{}
			func NewS[T any](work func(batch []T) error) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func(a []int) error { for _, x := range a { _ = x }; return nil }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a size", src: `package p; type S[T any] struct{}
			func NewS[T any](weigh func(T) int) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func(a int) int { return 1 }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "a factory", src: `package p; type S[T any] struct{}
			func NewS[T any](fresh func() T) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](func() int { return 0 }) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "constructors of each other's arguments", src: `package p; type Clock struct{ w *Wheel }; func NewClock(w *Wheel) *Clock { return nil }
			type Wheel struct{ c *Clock }; func NewWheel(c *Clock) *Wheel { return nil }; type S[T any] struct{}
			func NewS[T any](c *Clock) *S[T] { return nil }` + set,
			o:    collection.Overrides{Type: "S"},
			want: "set nonblocking set | NewS[int](NewClock(new(Wheel))) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "the shorter name of two constructors", src: `package p; type S[T any] struct{}
			func NewBalanced[T any]() *S[T] { return nil }; func NewEmpty[T any]() *S[T] { return nil }` + set,
			want: "set nonblocking set | NewEmpty[int]() | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "options", src: `package p; type Config struct{ n int }; type S[T any] struct{}
			func NewS[T any](c Config, p *Config, name string, opts ...func(*Config)) *S[T] { return nil }` + set,
			o:    collection.Overrides{Type: "S"},
			want: `set nonblocking set | NewS[int](Config{}, new(Config), "") | Add=add:key:->:ok Contains=contains:key:->:ok`},
		{name: "what callers make by its constructor", src: `package p; type Clock struct{ ticks map[string]int }; func NewClock() *Clock { return nil }; type S[T any] struct{}
			func NewS[T any](c *Clock) *S[T] { return nil }` + set,
			o:    collection.Overrides{Type: "S"},
			want: "set nonblocking set | NewS[int](NewClock()) | Add=add:key:->:ok Contains=contains:key:->:ok", why: "c: NewClock()"},
		{name: "what callers cannot make by a constructor", src: `package p; type Clock struct{ ticks map[string]int }; func newClock() *Clock { return nil }; type S[T any] struct{}
			func NewS[T any](c *Clock) *S[T] { return nil }` + set,
			o:    collection.Overrides{Type: "S"},
			want: "set nonblocking set | NewS[int](new(Clock)) | Add=add:key:->:ok Contains=contains:key:->:ok", why: "c: the zero value"},
		{name: "floats", src: `package p; type S[T any] struct{}
			func NewS[T any](maxTokens, rate, maxLoad float64) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](2, 0.75, 0.75) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "sentinels", src: `package p; type S[T any] struct{}
			func NewS[T any](min, max T) *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int](-1 << 63, 1<<63 - 1) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "the constructor that is called as the type is, before another one of any name", src: `package p; type S[T any] struct{}
			func NewBig[T any]() *S[T] { return nil }; func NewS[T any]() *S[T] { return nil }` + set,
			want: "set nonblocking set | NewS[int]() | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "the likeliest constructor", src: `package p; type S[T any] struct{}
			func NewSWithHash[T any](h func(T) uint32) *S[T] { return nil }; func newS[T any]() *S[T] { return nil }; func New[T any](n int) S[T] { return S[T]{} }` + set,
			want: "set nonblocking set | New[int](2) | Add=add:key:->:ok Contains=contains:key:->:ok"},
		{name: "the user's imports", src: `package p; import "time"; type S[T any] struct{ d time.Duration }
			func NewS[T any](d any) *S[T] { return nil }` + set,
			o:    collection.Overrides{New: "NewS[int](time.Second)"},
			want: "set nonblocking set | NewS[int](time.Second) | Add=add:key:->:ok Contains=contains:key:->:ok"},
	})
}

func TestFind_ListsTypesByName(t *testing.T) {
	c := check(t, "example.com/p", `package p; import "sync"
		type B struct{}; func (*B) Inc() {}; func (*B) Get() int { return 0 }
		type A struct{}; func (*A) Push(int) {}; func (*A) Pop() (int, bool) { return 0, false }; func (*A) Iterate() *Iterator { return nil }
		type Iterator struct{}; func (*Iterator) Next() int { return 0 }
		func (*A) Begin() *Cursor { return nil }; type Cursor struct{ at int }; func (*Cursor) Seek(n int) {}
		func (*A) Window() *View { return nil }; type View struct{ at int }; func (*View) Seek(n int) {}; func NewView() *View { return nil }
		type Config struct{ N int }; func (Config) Valid() bool { return true }
		type Err struct{}; func (*Err) Error() string { return "" }; func (*Err) Code() int { return 0 }
		type Plain struct{ N int }; func (*Plain) SetAll(n int) {}; func (*Plain) All() int { return 0 }
		type Value struct{ n int }; func (*Value) First() int { return 0 }; func (*Value) Second() int { return 0 }
		type Ticket struct{ Mu sync.Mutex }; func (*Ticket) Next() int { return 0 }
		type plain struct{}; func (*plain) Inc() {}; func (*plain) Get() int { return 0 }
		type Broken struct{}; func NewBroken(c chan int) *Broken { return nil }; func (*Broken) Go() {}`)
	found, rejected, err := Survey(c.pkg, collection.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, col := range found {
		names = append(names, col.Display)
	}
	if want := []string{"p.A", "p.B", "p.Ticket", "p.View"}; !slices.Equal(names, want) {
		t.Errorf("found %v, want %v", names, want)
	}
	want := []collection.Rejected{{Type: "Broken", Why: "NewBroken takes c chan int, for which there is no obvious argument: give Request.New an expression"}}
	if !slices.Equal(rejected, want) {
		t.Errorf("rejected %v", rejected)
	}
}

func TestOperation_TellsClientsWhatAddsAndRemoves(t *testing.T) {
	_, c := findOne(t, `package p; type X struct{}
		func (*X) Enqueue(x int) {}; func (*X) Dequeue() (int, bool) { return 0, false }; func (*X) Len() int { return 0 }`, collection.Overrides{})
	want := []client.Effect{client.Adds, client.Removes, client.Neither}
	for i, o := range c.Operations {
		if got := o.Client(); got.Effect != want[i] || got.Name != o.Name || !slices.Equal(got.Params, o.Op.Params) {
			t.Errorf("%s: %+v", o.Name, got)
		}
	}
}

// Where names tell little the kind is asked of the code; where the type itself is called a queue only kinds that its name allows are tried.
func TestTells_WhatNamesSay(t *testing.T) {
	for src, want := range map[string]Telling{
		"type Queue struct{}; func (*Queue) Push(x int) {}; func (*Queue) Pop() (int, bool) { return 0, false }":                            ByType,
		"type IntSet struct{}; func (*IntSet) Add(x int) bool { return false }; func (*IntSet) Contains(x int) bool { return false }":       ByType,
		"type X struct{}; func (*X) Add(x int) bool { return false }; func (*X) Contains(x int) bool { return false }":                      ByMethods,
		"type X struct{}; func (*X) Enqueue(x int) {}; func (*X) Dequeue() (int, bool) { return 0, false }":                                 ByMethods,
		"type X struct{}; func (*X) PushBack(x int) {}; func (*X) PopFront() (int, bool) { return 0, false }":                               ByMethods,
		"type X struct{}; func (*X) Push(x int) {}; func (*X) Pop() (int, bool) { return 0, false }":                                        Open,
		"type X struct{}; func (*X) Load() int { return 0 }; func (*X) Store(x int) {}":                                                     Open,
		"type X struct{}; func (*X) Load() int { return 0 }; func (*X) Store(x int) {}; func (*X) Swap(x int) (old int) { return }":         ByType,
		"type Multiset struct{}; func (*Multiset) Add(x int) bool { return false }; func (*Multiset) Contains(x int) bool { return false }": ByMethods,
	} {
		if _, c := findOne(t, "package p; "+src, collection.Overrides{}); Tells(c) != want {
			t.Errorf("%s: a %s, which is told with strength %d, want %d", src, c.Kind, Tells(c), want)
		}
	}
}
