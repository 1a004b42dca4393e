// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// What is asked for and cannot be is told in one sentence: what, of which type, and what there is.

func TestFind_ExplainsWhatIsWrong(t *testing.T) {
	const queue = `package p; type Queue struct{}; type Other struct{}; func NewOther() Other { return Other{} }
		func (*Queue) Enqueue(x int) {}; func (*Queue) Dequeue() int { return 0 }; func (*Queue) Each(f func(int)) {}; func (*Queue) Map(f func() chan int) {}
		func (*Queue) Chan(c <-chan int) {}; func (*Queue) Sum(x ...complex128) {}; func Pair() (int, int) { return 0, 0 }; func NewCount() int { return 0 }`
	tests := []struct {
		name string
		src  string
		o    collection.Overrides
		want string
	}{
		{"unknown type", queue, collection.Overrides{Type: "Stack"}, "package example.com/p has no type Stack (it has Other and Queue)"},
		{"wrong case", queue, collection.Overrides{Type: "queue"}, "package example.com/p has no type queue (did you mean Queue?)"},
		{"no methods", queue, collection.Overrides{Type: "Other"}, "p.Other: no operations: it has no methods"},
		{"no collection", `package p; func F() {}`, collection.Overrides{}, "package example.com/p has no collection: no exported type with operations that goroutines seem to share (Request.Type names another)"},
		{"all methods skipped", `package p; type T struct{}; func (*T) Map(f func(complex128) int) {}; func (*T) Listen(c <-chan int) {}`, collection.Overrides{Type: "T"},
			"p.T: no operations: Listen takes a channel to receive from; Map takes a function that is given a complex128"},
		{"unknown operation", queue, collection.Overrides{Type: "Queue", Ops: []string{"Pop"}}, "p.Queue: there is no operation Pop (there are Dequeue, Each and Enqueue)"},
		{"operation that takes a function", queue, collection.Overrides{Type: "Queue", Ops: []string{"Map"}}, "p.Queue: Map cannot be an operation: it takes a function that gives a channel"},
		{"operation that takes a channel", queue, collection.Overrides{Type: "Queue", Ops: []string{"Chan"}}, "p.Queue: Chan cannot be an operation: it takes a channel to receive from"},
		{"variadic operation", queue, collection.Overrides{Type: "Queue", Ops: []string{"Sum"}}, "p.Queue: Sum cannot be an operation: it takes a complex128"},
		{"function that cannot call back", queue, collection.Overrides{Type: "Queue", Given: map[string]string{"Enqueue": collection.Back + "Dequeue"}},
			"p.Queue: Enqueue is to be given functions that call Dequeue, and is given no generated function"},
		{"function that calls back nothing", queue, collection.Overrides{Type: "Queue", Ops: []string{"Each"}, Given: map[string]string{"Each": collection.Back + "Pop"}},
			"p.Queue: the functions that Each is given are to call Pop, which is no operation"},
		{"function that calls back what a thread keeps", `package p; type T struct{}; func (*T) Each(f func(int)) {}; func (*T) Begin() *Part { return nil }; type Part struct{}; func (*Part) Use() {}`,
			collection.Overrides{Type: "T", Given: map[string]string{"Each": collection.Back + "Begin"}},
			"p.T: the functions that Each is given are to call Begin, which gives or takes what a thread keeps"},
		{"function of another type", queue, collection.Overrides{Type: "Queue", Ops: []string{"Each"}, Given: map[string]string{"Each": "Pair"}},
			"p.Queue: Each does not take Pair: it is of type func() (int, int), and Each takes func(int)"},
		{"function that there is not", queue, collection.Overrides{Type: "Queue", Ops: []string{"Each"}, Given: map[string]string{"Each": "Nobody"}},
			"p.Queue: Each does not take Nobody: the package has no function of this name"},
		{"function for what takes none", queue, collection.Overrides{Type: "Queue", Given: map[string]string{"Dequeue": "Pair"}}, "p.Queue: Dequeue does not take Pair: Dequeue takes no function"},
		{"step by step, what gives no iterator", queue, collection.Overrides{Type: "Queue", Given: map[string]string{"Dequeue": collection.Pull}},
			"p.Queue: Dequeue is to be taken step by step, and gives no iterator of one or two values"},
		{"a function of which nothing tells what it does", `package p; type T struct{}; func NewT(pick func(int) int) *T { return nil }; func (*T) Inc() {}; func (*T) Get() int { return 0 }`, collection.Overrides{Type: "T"},
			"p.T: NewT takes pick func(int) int, for which there is no obvious argument: give Request.New an expression"},
		{"function for what is no operation", queue, collection.Overrides{Type: "Queue", Given: map[string]string{"Drain": "Pair"}}, "p.Queue: Drain is to be given Pair, and is no operation"},
		{"operation twice", queue, collection.Overrides{Ops: []string{"Enqueue", "Enqueue"}}, "operation Enqueue is given twice"},
		{"unknown kind", queue, collection.Overrides{Kind: "bag"},
			`unknown kind "bag": there are counter, deque, map, pqueue, queue, register, set, stack, object and lock`},
		{"kind that does not fit", queue, collection.Overrides{Type: "Queue", Kind: oracle.Set},
			"p.Queue: the kind set does not fit: there are no methods like add, remove, contains with suitable arguments"},
		{"not a lock", queue, collection.Overrides{Type: "Queue", Kind: collection.Lock}, "p.Queue: the kind lock does not fit: there are no methods like Lock() and Unlock()"},
		{"unknown oracle", queue, collection.Overrides{Oracle: collection.ParseOracle("bag")},
			`unknown oracle "bag": there are auto, self, counter, deque, map, pqueue, queue, register, set and stack, and Go types (PKG.Type)`},
		{"oracle that does not fit", queue, collection.Overrides{Type: "Queue", Oracle: collection.ParseOracle("set")}, `p.Queue: the oracle set does not fit: set.Enqueue: unknown role "put"`},
		{"protocol that does not fit", queue, collection.Overrides{Type: "Queue", Oracle: collection.ParseOracle("queue"), Protocol: &oracle.Protocol{Kind: oracle.Bounded}},
			"p.Queue: the oracle queue does not fit: queue: bounded(0): the capacity must be at least 1"},
		{"new is not Go", queue, collection.Overrides{New: "new Queue"}, `Request.New: "new Queue" is not a Go expression`},
		{"new does not compile", queue, collection.Overrides{New: "NewQueue()"}, "Request.New: NewQueue(): undefined: NewQueue"},
		{"new gives another type", queue, collection.Overrides{Type: "Queue", New: "NewOther()"}, "p.Queue: NewOther() gives a Other, not a Queue"},
		{"new gives two values", queue, collection.Overrides{New: "Pair()"}, "Request.New: Pair() does not give one value"},
		{"new gives no methods", queue, collection.Overrides{New: "NewCount()"}, "Request.New: NewCount() gives a int, which has no methods"},
		{"new is a type", queue, collection.Overrides{New: "Queue"}, "Request.New: Queue is no value"},
		{"constructor", `package p; type T struct{}; func NewT(c chan int, h func(int, int, int) bool) *T { return nil }; func (*T) Inc() {}; func (*T) Get() int { return 0 }`, collection.Overrides{},
			"p.T: NewT takes c chan int, for which there is no obvious argument: give Request.New an expression"},
		{"generic new", `package p; type T[X any] struct{}; func NewT[X any]() *T[X] { return nil }; func (*T[X]) Inc() {}; func (*T[X]) Get() int { return 0 }`,
			collection.Overrides{New: "NewT()"}, "Request.New: NewT(): in call to NewT, cannot infer X"},
		{"constraint", `package p; type T[X interface{ Odd(chan X) }] struct{}; func (*T[X]) Inc() {}; func (*T[X]) Get() int { return 0 }`, collection.Overrides{},
			"p.T: no type of the package and no basic type satisfies the constraints [X interface{Odd(chan X)}]"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := check(t, "example.com/p", tc.src)
			found, err := Find(c.pkg, tc.o)
			if err == nil {
				t.Fatalf("found %s", found[0].Display)
			}
			if !strings.HasPrefix(err.Error(), tc.want) || tc.name != "generic new" && err.Error() != tc.want {
				t.Errorf("got  %s\nwant %s", err, tc.want)
			}
		})
	}
}
