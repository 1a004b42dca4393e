// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"pangolin/history"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// What a verification has seen operations return is said beside the verdict: who reads that every
// TryLock came back with true knows that nothing was asked about the other case. Items have the names
// that states give them, so that of calls that return items there are fewer than clients would see;
// what no client of the scope can bring about is in no list.

// seen are the results that calls were seen to return, by the operation's number, and the
// operations of which a call waited for ever as it may. Cursors of several workers share it.
type seen struct {
	mu      sync.Mutex
	results []map[history.Tuple]bool
	waits   map[int]bool
}

func newSeen(operations int) *seen {
	r := &seen{results: make([]map[history.Tuple]bool, operations), waits: map[int]bool{}}
	for i := range r.results {
		r.results[i] = map[history.Tuple]bool{}
	}
	return r
}

func (r *seen) note(op int, result history.Tuple) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results[op][result] = true
}

func (r *seen) wait(op int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waits[op] = true
}

// join adds what another search has seen.
func (r *seen) join(o *seen) {
	for op, results := range o.results {
		maps.Copy(r.results[op], results)
	}
	maps.Copy(r.waits, o.waits)
}

// noted are the results of operations that a cursor has told of, by their numbers: most calls return
// what one has returned before.
type noted [][]uint64

// note says whether it is new.
func (n *noted) note(op int, r oracle.ResultID) bool {
	for len(*n) <= op {
		*n = append(*n, nil)
	}
	word, bit := int(r/64), uint64(1)<<(r%64)
	for len((*n)[op]) <= word {
		(*n)[op] = append((*n)[op], 0)
	}
	old := (*n)[op][word]
	(*n)[op][word] = old | bit
	return old&bit == 0
}

// notes tells of a result.
func (c *cursor) notes(op int, r oracle.ResultID, result history.Tuple) {
	// The cursor's own bits first: the lock is taken once for each result, not for each return.
	if c.sys.seen != nil && c.noted.note(op, r) {
		c.sys.seen.note(op, result)
	}
}

// notesWaiting tells of the calls in progress that they wait for ever, as they may.
func (c *cursor) notesWaiting() {
	for i := range c.sys.threads {
		if tag := c.place.Tag(i); c.sys.seen != nil && tag&play.Busy != 0 {
			c.sys.seen.wait(play.OperationOf(tag))
		}
	}
}

// facts are the results in a verdict's words, in the order of the operations, and of each so many at
// most; results in the order of their values.
func (r *seen) facts(s *subject.Subject) []verdict.Returns {
	var list []verdict.Returns
	for i := range r.results {
		op := &s.Operations[i]
		x := verdict.Returns{Operation: op.Name, Results: []string{}, Waits: r.waits[i]}
		x.Never = true
		for t := range r.results[i] {
			x.Never = x.Never && t.IsPanic()
		}
		for k, t := range slices.SortedFunc(maps.Keys(r.results[i]), compareTuples) {
			if k == verdict.MostReturns {
				x.More = true
				break
			}
			x.Results = append(x.Results, op.Client.Notation.Results(t))
		}
		list = append(list, x)
	}
	return list
}

func compareTuples(a, b history.Tuple) int {
	for i := range min(a.Len(), b.Len()) {
		x, y := a.At(i), b.At(i)
		if d := cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Int, y.Int)); d != 0 {
			return d
		}
	}
	return cmp.Or(cmp.Compare(a.Len(), b.Len()), cmp.Compare(a.String(), b.String()))
}
