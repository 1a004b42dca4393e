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

// A verdict lists the results that operations were seen to return: if every TryLock returned true, nothing was asked about the other case.
// Items have the names of states, so that there are fewer results than clients would see; but each listed result is possible in the scope.

// seen contains the results that calls returned, by operation, and the operations of which a call waited for ever, as it may; and what invariants did. The cursors
// of all workers share it.
type seen struct {
	mu      sync.Mutex
	results []map[history.Tuple]bool
	waits   map[int]bool

	answered, waited uint64 // invariants, see inquirer
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

// asked adds invariants that were answered, and that waited.
func (r *seen) asked(answered, waited uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered |= answered
	r.waited |= waited
}

// join adds the results of another search.
func (r *seen) join(o *seen) {
	for op, results := range o.results {
		maps.Copy(r.results[op], results)
	}
	maps.Copy(r.waits, o.waits)
	r.asked(o.answered, o.waited)
}

// noted contains, by operation, the numbers of the results that a cursor has already reported.
type noted [][]uint64

// note adds a result and reports whether it is new.
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

// notes reports a result.
func (c *cursor) notes(op int, r oracle.ResultID, result history.Tuple) {
	// With noted the lock is taken once for each result, not for each return.
	if c.sys.seen != nil && c.noted.note(op, r) {
		c.sys.seen.note(op, result)
	}
}

// notesWaiting reports that the calls in progress wait for ever, as they may.
func (c *cursor) notesWaiting() {
	for i := range c.sys.threads {
		if tag := c.place.Tag(i); c.sys.seen != nil && tag&play.Busy != 0 {
			c.sys.seen.wait(play.OperationOf(tag))
		}
	}
}

// facts converts the results to the form of verdicts, sorted, at most verdict.MostReturns for each operation.
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

// outcome is the result, with what no execution has come to.
func (v *verification) outcome() *Result {
	if r := v.result; r.resumed == 0 && r.Incomplete == "" {
		r.missed, r.uncalled = v.subject.Missed(v.img)
	}
	return v.result
}
