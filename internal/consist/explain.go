package consist

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/oracle"
)

var errTooLong = errors.New("consist: more than 64 operations in one history")

// Explanation says why no order fits: the longest orders that the oracle
// follows, and why each of them cannot go on; or which two stuck calls serve each other.
type Explanation struct {
	Property   Property
	Thread     int  // the stuck thread for which nothing fits; -1 if the history is complete
	Partner    int  // a thread that is stuck with Thread, their calls serving each other; -1: none
	Unfinished bool // operations that have not returned may still do so
	Operations []history.Operation
	DeadEnds   []DeadEnd // of the greatest length, at most maxDeadEnds
}

// maxDeadEnds keeps explanations readable.
const maxDeadEnds = 3

// DeadEnd is an order of some operations that the oracle follows, and what is
// wrong with every continuation.
type DeadEnd struct {
	Order    []int
	Rejected []Rejection // empty: all operations are placed, but the history may not end so
}

// Rejection is an operation that could come next, but not with its result.
type Rejection struct {
	Op      int
	Allowed []history.Tuple // what the oracle would let it return; none: it cannot return
}

func (s *permutations) noteDeadEnd(state oracle.State) {
	ends := s.why.DeadEnds
	if len(ends) > 0 && len(ends[0].Order) > len(s.order) {
		return
	}
	if len(ends) > 0 && len(ends[0].Order) < len(s.order) {
		ends = nil
	}
	s.why.DeadEnds = ends
	if len(ends) == maxDeadEnds {
		return
	}
	end := DeadEnd{Order: slices.Clone(s.order)}
	for x, op := range s.ops {
		if !s.free(x) || !op.Returned && (s.unfinished || !s.onlyLeft(x)) {
			continue
		}
		outcomes, _ := s.spec.Outcomes(state, callOf(op)) // an error has ended the search
		r := Rejection{Op: x}
		for _, o := range outcomes {
			r.Allowed = append(r.Allowed, o.Result)
		}
		end.Rejected = append(end.Rejected, r)
	}
	s.why.DeadEnds = append(ends, end)
}

// onlyLeft reports whether everything but x is placed.
func (s *permutations) onlyLeft(x int) bool {
	for y := range s.ops {
		if y != x && s.placed>>y&1 == 0 {
			return false
		}
	}
	return true
}

// String is the explanation in a few lines.
func (e *Explanation) String() string {
	if e.Partner >= 0 {
		return fmt.Sprintf("%s and %s, although they serve each other\n", e.stuck(e.Thread), e.stuck(e.Partner))
	}
	var b strings.Builder
	b.WriteString("no order of the operations that ")
	b.WriteString(map[Property]string{
		Linear:     "keeps those apart that did not overlap",
		Sequential: "keeps each thread's own order",
		Quiescent:  "keeps the order around moments without calls",
	}[e.Property])
	if e.Thread >= 0 {
		fmt.Fprintf(&b, " lets thread %d stay stuck.", e.Thread+1)
	} else {
		b.WriteString(" explains the results.")
	}
	b.WriteString(" The longest that the oracle follows:\n")
	for _, d := range e.DeadEnds {
		b.WriteString(e.deadEnd(d))
	}
	return b.String()
}

// stuck is the call of a stuck thread.
func (e *Explanation) stuck(thread int) string {
	return e.operation(slices.IndexFunc(e.Operations, func(op history.Operation) bool { return op.Thread == thread && !op.Returned }))
}

func (e *Explanation) deadEnd(d DeadEnd) string {
	parts := make([]string, len(d.Order))
	for i, x := range d.Order {
		parts[i] = e.operation(x)
	}
	if len(parts) == 0 {
		parts = []string{"(none)"}
	}
	lines := []string{"  " + strings.Join(parts, ", ")}
	if len(d.Rejected) == 0 {
		lines = append(lines, "    and a history may not end there")
	}
	for _, r := range d.Rejected {
		lines = append(lines, "    then "+e.rejection(r))
	}
	return strings.Join(lines, "\n") + "\n"
}

func (e *Explanation) operation(x int) string {
	if op := e.Operations[x]; e.Unfinished && !op.Returned {
		return fmt.Sprintf("%d:%s (in progress)", op.Thread+1, op.Call())
	}
	return fmt.Sprintf("%d:%s", e.Operations[x].Thread+1, e.Operations[x])
}

func (e *Explanation) rejection(r Rejection) string {
	op := e.Operations[r.Op]
	returned := op.Returned
	switch {
	case len(r.Allowed) == 0 && returned:
		return e.operation(r.Op) + ": but here it cannot return"
	case len(r.Allowed) == 0:
		return e.operation(r.Op) + ": but the protocol does not let it block here"
	}
	allowed := make([]string, len(r.Allowed))
	for i, t := range r.Allowed {
		op.Result, op.Returned = t, true
		allowed[i] = op.String()
	}
	if !returned {
		return e.operation(r.Op) + ": but here it can return, " + strings.Join(allowed, " or ")
	}
	return e.operation(r.Op) + ": but here " + strings.Join(allowed, " or ")
}
