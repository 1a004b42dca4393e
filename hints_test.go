// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"reflect"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Behind a violation stands what holds: with fewer threads that call the operations in question, or by
// a weaker property. What a hint says has been verified, so that whoever follows it finds it verified.
func TestHints_SayWhatHolds(t *testing.T) {
	level.SkipShort(t, "verifies again what each hint says")
	const ring = `
type Ring struct {
	buf        [2]int
	head, tail atomic.Uint64
}

func (r *Ring) Push(v int) bool {
	t := r.tail.Load()
	if t-r.head.Load() == 2 { return false }
	r.buf[t%2] = v
	r.tail.Store(t + 1)
	return true
}

func (r *Ring) Pop() (int, bool) {
	h := r.head.Load()
	if h == r.tail.Load() { return 0, false }
	v := r.buf[h%2]
	r.head.Store(h + 1)
	return v, true
}
`
	roles := func(text string) string { return "Request.Roles '" + text + "'" }
	const full = `
type Queue struct {
	mu   sync.Mutex
	free *sync.Cond
	list []int
}

func NewQueue() *Queue { q := new(Queue); q.free = sync.NewCond(&q.mu); return q }

func (q *Queue) Enqueue(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.list) == 2 { q.free.Wait() }
	q.list = append(q.list, v)
}

func (q *Queue) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 { return 0, false }
	v := q.list[0]
	q.list = q.list[1:]
	q.free.Signal()
	return v, true
}
`
	const worker = `
type Worker struct {
	quit chan struct{}
	n    atomic.Int64
}
func NewWorker() *Worker {
	w := &Worker{quit: make(chan struct{})}
	go func() { <-w.quit }()
	return w
}
func (w *Worker) Note(d int64) int64 { return w.n.Add(d) }
func (w *Worker) Close() { w.quit <- struct{}{} }`
	const closing = `
type Queue struct {
	mu     sync.Mutex
	wake   *sync.Cond
	items  []int
	closed bool
}
func NewQueue() *Queue {
	q := &Queue{}
	q.wake = sync.NewCond(&q.mu)
	return q
}
func (q *Queue) Put(v int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.items = append(q.items, v)
		q.wake.Signal()
	}
	return !q.closed
}
func (q *Queue) Get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.wake.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v, true
}
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake.Broadcast()
}`
	for _, c := range []struct {
		name, source string
		want         []string // what the hints name
	}{
		{"one producer and one consumer", ring, []string{roles("Push:1,Pop:2")}},
		{"one writer", `
type Counter struct{ n atomic.Int64 }
func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }
func (c *Counter) Get() int64 { return c.n.Load() }`, []string{roles("Inc:1")}},
		{"two cells, added up", `
type Counter struct{ a, b atomic.Int64 }
func (c *Counter) Inc() { c.a.Add(1) }
func (c *Counter) Dec() { c.b.Add(-1) }
func (c *Counter) Get() int64 { return c.a.Load() + c.b.Load() }`, []string{"Request.Specification.Overlaps 'Get:parts'"}},
		{"a network that counts, which is right when it rests", `
type Counter struct{ turn, even, odd atomic.Int64 }
func (c *Counter) GetAndIncrement() int64 {
	if c.turn.Add(1)%2 == 1 { return 2 * (c.even.Add(1) - 1) }
	return 2*(c.odd.Add(1)-1) + 1
}`, []string{roles("GetAndIncrement:1"), "Request.Property quiescent"}},
		{"it waits until somebody takes", `
type Queue struct{ ch chan int }
func NewQueue() *Queue { return &Queue{make(chan int)} }
func (q *Queue) Enqueue(v int) { q.ch <- v }
func (q *Queue) Dequeue() (int, bool) { select { case v := <-q.ch: return v, true; default: return 0, false } }`, []string{"Request.Protocol 'synchronous'"}},
		{"it waits, and loses the newest", strings.Replace(full, "q.list[0]", "q.list[len(q.list)-1]", 1), nil},
		{"it waits, and a wake-up is lost", strings.Replace(closing, "q.wake.Signal()", "if len(q.items) > 1 { q.wake.Signal() }", 1), nil},
		{"called once", worker, []string{roles("Close:once")}},
		{"called once, and wrong", strings.Replace(worker, "return w.n.Add(d)", "n := w.n.Load() + d; w.n.Store(n); return n", 1), nil},
		{"called last", `
type Log struct { mu sync.Mutex; lines []int }
func (l *Log) Write(v int) int { l.mu.Lock(); defer l.mu.Unlock(); l.lines = append(l.lines, v); return len(l.lines) }
func (l *Log) Close() error { l.lines = nil; return nil }`, []string{roles("Close:last")}},
		{"called last, and wrong", `
type Log struct { mu sync.Mutex; lines []int }
func (l *Log) Write(v int) int { l.mu.Lock(); defer l.mu.Unlock(); l.lines = append(l.lines, v); return len(l.lines) }
func (l *Log) Close() { go func() { l.lines = nil }(); l.lines = nil }`, nil},
		{"three at a time", `
type Door struct{ n atomic.Int64 }
func (d *Door) Enter() bool { ok := d.n.Add(1) <= 2; d.n.Add(-1); return ok }`, []string{roles("Enter:1"), "Request.Scope.Threads 1..2"}},
		{"for a fair scheduler", `
//pangolin:unfair
type Spin struct{ held atomic.Bool }
func (s *Spin) Lock() { for !s.held.CompareAndSwap(false, true) {} }
func (s *Spin) Unlock() { s.held.Store(false) }`, []string{"the scheduler is fair", roles("Lock+Unlock:1")}},
		{"wrong for one thread", `
type Stack struct{ mu sync.Mutex; list []int }
func (s *Stack) Push(v int) { s.mu.Lock(); defer s.mu.Unlock(); s.list = append(s.list, v) }
func (s *Stack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return v, true
}`, nil},
		{"wrong however few call it", strings.Replace(strings.Replace(ring, "r.head.Store(h + 1)\n\treturn", "r.head.Store(h + 1 + h%2)\n\treturn", 1), "Ring", "Queue", -1), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "called once, and wrong" && !level.More() {
				t.Skip("takes seconds: -level more")
			}
			dir := modules.Dir(t, "package example\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar (\n\t_ sync.Mutex\n\t_ atomic.Int64\n)\n"+c.source)
			verify := func(change func(*pangolin.Request)) verdict.Verdict {
				t.Helper()
				r := pangolin.Request{Dir: dir}
				change(&r)
				list, err := pangolin.Verify(modules.Context, r)
				if err != nil || len(list) != 1 {
					t.Fatal(err, list)
				}
				return list[0]
			}
			v := verify(func(*pangolin.Request) {})
			var got []string
			for i, hint := range v.Hints {
				if i < len(c.want) && strings.Contains(hint, c.want[i]) {
					hint = c.want[i]
				}
				got = append(got, hint)
			}
			if v.Status != verdict.Violated || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, hints %q, want %q", v.Status, v.Hints, c.want)
				return
			}
			for _, want := range c.want {
				followed := verify(func(r *pangolin.Request) {
					field, text, _ := strings.Cut(want, " ")
					switch text = strings.Trim(text, "'"); field {
					case "Request.Roles":
						r.Roles = text
					case "Request.Protocol":
						r.Protocol = text
					case "Request.Scope.Threads":
						r.Scope.Threads = pangolin.Range(text)
					case "Request.Oracle":
						r.Oracle = pangolin.Oracle(text)
					case "Request.Specification.Overlaps":
						r.Overlaps = text
					case "Request.Property":
						r.Property = pangolin.Properties(text)
					default:
						r.Search.Unfair = pangolin.Off
					}
				})
				if followed.Status != verdict.Verified {
					t.Errorf("whoever follows %s finds it %s: %s", want, followed.Status, followed.Reason)
				}
			}
		})
	}
}

// Nothing is tried where the violation is expected, or where who calls what has been said.
func TestHints_AreForThoseWhoNeedThem(t *testing.T) {
	dir := modules.Dir(t, `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }

func (c *Counter) Get() int64 { return c.n.Load() }
`)
	for _, r := range []pangolin.Request{{Dir: dir, Specification: pangolin.Specification{Expect: "violated"}}, {Dir: dir, Roles: "Get:1"}} {
		list, err := pangolin.Verify(modules.Context, r)
		if err != nil || list[0].Status != verdict.Violated || len(list[0].Hints) > 0 {
			t.Errorf("%+v: %v %q", r, err, list[0].Hints)
		}
	}
}
