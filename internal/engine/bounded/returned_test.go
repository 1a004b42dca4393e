// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"reflect"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// A verified verdict says what the operations returned: all that clients of the scope can see, and
// nothing else, with reductions and without, with one worker and with several.
func TestReturns_AreWhatClientsSee(t *testing.T) {
	level.SkipShort(t, "verifies many small types")
	for _, c := range []struct {
		name, source string
		request      pangolin.Request
		want         []string
	}{
		{"results of one sort only", `
type Box struct{ n atomic.Int64 }
func (b *Box) TryLock() bool { return b.n.CompareAndSwap(0, 1) }
func (b *Box) Old() int { return int(b.n.Load()) / 2 }
func (b *Box) Reset() { b.n.Store(0) }`,
			pangolin.Request{Kind: "object", Oracle: "self"}, []string{"Old: 0", "Reset: returns", "TryLock: false; true"}},
		{"numbers up to the number of calls", `
type Counter struct{ n atomic.Int64 }
func (c *Counter) Inc() { c.n.Add(1) }
func (c *Counter) Get() int { return int(c.n.Load()) }`,
			pangolin.Request{Scope: pangolin.Scope{Threads: "1..2", Steps: "1..4"}}, []string{"Get: 0; 1; 2; 3", "Inc: returns"}},
		{"more than are listed", `
type Counter struct{ n atomic.Int64 }
func (c *Counter) Inc() int { return int(c.n.Add(1)) }`,
			pangolin.Request{Kind: "object", Oracle: "self", Scope: pangolin.Scope{Threads: "1..1", Steps: "1..14"}}, []string{"Inc: 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; and others"}},
		{"a call that waits", `
type Queue struct{ c chan int }
func NewQueue() *Queue { return &Queue{make(chan int, 4)} }
func (q *Queue) Enqueue(x int) { q.c <- x }
func (q *Queue) Dequeue() int { return <-q.c }`,
			pangolin.Request{Protocol: "bounded(4)", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2", PreAdds: "0..0"}}, []string{"Enqueue: returns", "Dequeue: 1; waits for ever, as it may"}},
	} {
		for _, reduce := range []string{"", "none"} {
			for _, workers := range []int{1, 2} {
				r := c.request
				r.Search.Reduce, r.Search.Workers = pangolin.Reduce(reduce), workers
				v := verifySource(t, "package example\n\nimport \"sync/atomic\"\n\nvar _ atomic.Int64\n"+c.source, r)
				var got []string
				for _, x := range v.Returns {
					got = append(got, x.String())
				}
				if v.Status != verdict.Verified || !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s, -reduce %q -j %d: %s %s %q, want %q", c.name, reduce, workers, v.Status, v.Reason, got, c.want)
				}
			}
		}
	}
}
