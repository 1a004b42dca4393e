// SPDX-License-Identifier: BSD-3-Clause

package recorded

import (
	"bytes"
	"container/list"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pangolin/history"
)

// A specification by a type, by a function, and by the kind that says the same: one answer.

// Tail is a queue with a size, as a linked list.
type Tail struct {
	mu    sync.Mutex
	items list.List
	last  atomic.Pointer[string]
}

func (q *Tail) Put(v string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items.PushBack(v)
	q.last.Store(&v)
}

func (q *Tail) Take() *string {
	e := q.items.Front()
	if e == nil {
		return nil
	}
	v := q.items.Remove(e).(string)
	return &v
}

// Fifo is one with results that a history can hold.
type Fifo struct{ Tail }

func (q *Fifo) Take() any {
	if v := q.Tail.Take(); v != nil {
		return *v
	}
	return nil
}

func TestJudge_ATypeAFunctionAndAKindSayTheSame(t *testing.T) {
	byFunction := Func("", func(s, op string, args []any) (string, any, bool) {
		if op == "put" {
			return s + args[0].(string) + ".", nil, true
		}
		if s == "" {
			return s, nil, true
		}
		first, rest, _ := strings.Cut(s, ".")
		return rest, first, true
	})
	byType := Type(func() *Fifo { return &Fifo{} })
	r := rand.New(rand.NewPCG(1, 2))
	violated := 0
	for range 2000 {
		lines := randomQueue(r)
		want, err := Judge(strings.NewReader(`{"history":1,"kind":"queue"}`+"\n"+lines), Spec{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want.Status == "violated" {
			violated++
		}
		for n, spec := range []Spec{byType, byFunction} {
			got, err := Judge(strings.NewReader(`{"history":1,"kind":"object"}`+"\n"+lines), spec, Options{})
			if err != nil || got.Status != want.Status {
				t.Fatalf("specification %d: %v, %v; the kind: %v\n%s", n, got, err, want, lines)
			}
		}
	}
	t.Logf("%d of 2000 violated", violated)
}

// randomQueue is a history of a queue in which one result may be wrong.
func randomQueue(r *rand.Rand) string {
	var b strings.Builder
	var items []string
	wrong := r.IntN(8)
	for i := range 2 + r.IntN(6) {
		from := 10*i + r.IntN(10)
		to := from + 1 + r.IntN(25)
		if r.IntN(2) == 0 {
			v := fmt.Sprint(r.IntN(3))
			items = append(items, v)
			fmt.Fprintf(&b, `{"client":%d,"op":"put","args":[%q],"call":%d,"return":%d}`+"\n", i, v, from, to)
			continue
		}
		result := "null"
		if len(items) > 0 {
			result, items = fmt.Sprintf("%q", items[0]), items[1:]
		}
		if i == wrong {
			result = `"1"`
		}
		fmt.Fprintf(&b, `{"client":%d,"op":"take","result":%s,"call":%d,"return":%d}`+"\n", i, result, from, to)
	}
	return b.String()
}

// Ledger is a bank whose transfers can be refused.
type Ledger struct{ Accounts []int }

func (l *Ledger) Transfer(from, to, amount int) bool {
	if l.Accounts[from] < amount {
		return false
	}
	l.Accounts[from] -= amount
	l.Accounts[to] += amount
	return true
}

func (l *Ledger) Read() []int { return l.Accounts }

// An operation with results of several kinds, recorded and judged in one process.
func TestJudge_ARecordedType(t *testing.T) {
	for _, torn := range []bool{false, true} {
		var mu sync.Mutex
		shared := &Ledger{Accounts: []int{9, 9, 9}}
		var out bytes.Buffer
		r := history.NewRecorder(&out, "object", history.Datum{})
		var all sync.WaitGroup
		for n := range 4 {
			c := r.Client(fmt.Sprint("client ", n))
			all.Add(1)
			go func() {
				defer all.Done()
				random := rand.New(rand.NewPCG(3, uint64(n)))
				for range 50 {
					if random.IntN(3) == 0 {
						c.Call("read")
						mu.Lock()
						now := slices.Clone(shared.Accounts)
						mu.Unlock()
						if torn && now[0] > 0 {
							now[0]-- // a read between the two halves of a transfer
						}
						c.Return(history.List(history.Num(int64(now[0])), history.Num(int64(now[1])), history.Num(int64(now[2]))))
						continue
					}
					from, to, amount := random.IntN(3), random.IntN(3), random.IntN(5)
					c.Call("transfer", history.Num(int64(from)), history.Num(int64(to)), history.Num(int64(amount)))
					mu.Lock()
					ok := shared.Transfer(from, to, amount)
					mu.Unlock()
					c.Return(history.Truth(ok))
				}
			}()
		}
		all.Wait()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		spec := Type(func() *Ledger { return &Ledger{Accounts: []int{9, 9, 9}} }).Reading("read")
		got, err := Judge(&out, spec, Options{})
		if want := map[bool]string{false: "ok", true: "violated"}[torn]; err != nil || got.Status != want || got.Calls != 200 {
			t.Errorf("torn %v: %v, %v", torn, got, err)
		}
	}
}

// Cells is a map by its keys.
type Cells map[string]int

func (c *Cells) Put(k string, v int) { (*c)[k] = v }
func (c *Cells) Get(k string) int    { return (*c)[k] }

func TestJudge_PartsByKey(t *testing.T) {
	spec := Type(func() *Cells { return &Cells{} }).Reading("get").By(func(_ string, args []any) any { return args[0] })
	got, err := Judge(strings.NewReader(`{"history":1,"kind":"object"}
{"client":1,"op":"put","args":["x",1],"call":1,"return":2}
{"client":1,"op":"put","args":["y",2],"call":3,"return":4}
{"client":2,"op":"get","args":["y"],"result":1,"call":5,"return":6}
`), spec, Options{})
	if err != nil || got.Status != "violated" || strings.Contains(got.Witness, `"x"`) || !strings.Contains(got.Witness, `get("y") = 1`) {
		t.Errorf("%v, %v", got, err)
	}
	if got.Assuming != "calls on different parts (By) have nothing to do with each other" {
		t.Errorf("assuming %q", got.Assuming)
	}
}

type waiting struct{ C chan int }

func (w *waiting) Get() int { return 1 }

func TestJudge_RefusesWhatIsNoSpecification(t *testing.T) {
	calls := 0
	const lines = `{"history":1,"kind":"object"}
{"client":1,"op":"get","result":1,"call":1,"return":2}
{"client":2,"op":"get","result":1,"call":3,"return":4}
`
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{}, "a specification is for the kind object"},
		{Type(func() *waiting { return &waiting{make(chan int)} }), "waiting.C: the specification's state holds a chan int, which cannot be compared"},
		{Type(func() *Ledger { return &Ledger{} }), `*recorded.Ledger has no method for the operation "get": want Get`},
		{Type(func() *Cells { return &Cells{} }), "Get of *recorded.Cells has 1 parameters; a call has 0 arguments"},
		{Func(0, func(s int, _ string, _ []any) (int, any, bool) { return s + 1, 1, true }).Reading("get"), "the operation get is said to change nothing, and changes the state"},
		{Func(0, func(s int, _ string, _ []any) (int, any, bool) { return s, 1.5, true }), "a float64: want an integer"},
		{Type(func() *counting { calls++; return &counting{calls} }), ""},
	} {
		_, err := Judge(strings.NewReader(lines), c.spec, Options{})
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}

type counting struct{ N int }

func (c *counting) Get() int { return 1 }

// Two objects have one text if and only if they are alike, pointers into each other included.
func TestEncode_TellsStatesApart(t *testing.T) {
	type node struct {
		next *node
		v    int
	}
	type two struct {
		a, b *int
		in   int
	}
	type slicesOf struct{ a, b []int }
	ring := &node{v: 1}
	ring.next = ring
	one, again := 1, 1
	inside := &two{in: 1}
	inside.a, inside.b = &inside.in, &inside.in
	array := []int{1, 2}
	same := func() any { return &two{a: &one, b: &one, in: 1} }
	all := []any{
		ring, &node{v: 1, next: &node{v: 1}}, same(), &two{a: &one, b: &again, in: 1}, inside,
		&slicesOf{array, array}, &slicesOf{[]int{1, 2}, []int{1, 2}}, &slicesOf{array, array[:1]}, &slicesOf{},
		&map[string]int{"a": 1}, &map[string]int{"b": 1}, &map[string]int{},
	}
	texts := map[string]int{}
	for n, x := range all {
		text := encoded(t, x)
		if other, ok := texts[text]; ok {
			t.Errorf("%d and %d have one text", n, other)
		}
		texts[text] = n
	}
	if one, other := encoded(t, same()), encoded(t, same()); one != other {
		t.Errorf("two texts of one state: %s, %s", one, other)
	}
}

func encoded(t *testing.T, x any) string {
	t.Helper()
	text, err := encode(reflect.ValueOf(x))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestJudge_RefusesAPropertyThatThereIsNot(t *testing.T) {
	_, err := Judge(strings.NewReader(`{"history":1,"kind":"register"}`), Spec{}, Options{Property: "sequential"})
	if err == nil || !strings.Contains(err.Error(), "sequential") {
		t.Error(err)
	}
}
