package points

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/verdict"
)

// broken are faults in the algorithms, with points where the faulty code has them: two for each.
var broken = []struct{ typ, fault, from, to string }{
	{"LockFreeStack", "a store instead of a compare-and-swap", "	//pangolin:point when result emit Push(n.value)\n	return s.top.CompareAndSwap(top, n)\n", "	//pangolin:point emit Push(n.value)\n	s.top.Store(n)\n	return true\n"},
	{"LockFreeStack", "a Pop that stores", "	//pangolin:point when result emit Pop() = top.value, true\n	if s.top.CompareAndSwap(top, top.next) {\n		return top, false\n	}\n	return nil, false\n", "	//pangolin:point emit Pop() = top.value, true\n	s.top.Store(top.next)\n	return top, false\n"},
	{"EliminationBackoffStack", "two Pushes eliminate each other", "if other, ok := s.visit(&x); ok && other == nil {", "if _, ok := s.visit(&x); ok {"},
	{"EliminationBackoffStack", "an offer that was taken counts as withdrawn", "	//pangolin:point when result as nil\n	if e.slot.CompareAndSet(mine, nil, slotWaiting, slotFree) {\n		return nil, false\n	}\n	theirs := e.slot.Value() // a partner came at the last moment\n", "	theirs := e.slot.Value()\n	if theirs == mine || theirs != mine {\n		//pangolin:point as nil\n		e.slot.Set(nil, slotFree)\n		return nil, false\n	}\n"},
	{"UnboundedQueue", "Enqueue without its lock", "	q.enqLock.Lock()\n	defer q.enqLock.Unlock()\n", ""},
	{"UnboundedQueue", "Dequeue without its lock", "	q.deqLock.Lock()\n	defer q.deqLock.Unlock()\n", ""},
	{"LockFreeQueue", "Enqueue stores", "		//pangolin:point when result emit Enqueue(x)\n		if last.next.CompareAndSwap(nil, node) {", "		//pangolin:point emit Enqueue(x)\n		last.next.Store(node)\n		{"},
	{"LockFreeQueue", "Dequeue stores", "		//pangolin:point when result emit Dequeue() = item, true\n		if q.head.CompareAndSwap(first, next) {", "		//pangolin:point emit Dequeue() = item, true\n		q.head.Store(next)\n		{"},
	{"DGLMQueue", "Enqueue stores", "		//pangolin:point when result emit Enqueue(x)\n		if last.next.CompareAndSwap(nil, node) {", "		//pangolin:point emit Enqueue(x)\n		last.next.Store(node)\n		{"},
	{"DGLMQueue", "Dequeue stores", "		//pangolin:point when result emit Dequeue() = item, true\n		if q.head.CompareAndSwap(first, next) {", "		//pangolin:point emit Dequeue() = item, true\n		q.head.Store(next)\n		{"},
	{"EliminationQueue", "Enqueue stores", "		if !last.next.CompareAndSwap(nil, node) {\n			return false\n		}\n", "		last.next.Store(node)\n"},
	{"EliminationQueue", "Dequeue stores", "		//pangolin:point when result emit Dequeue() = next.value, true\n		if q.head.CompareAndSwap(first, next) {\n			return next, false\n		}\n		return nil, false\n", "		//pangolin:point emit Dequeue() = next.value, true\n		q.head.Store(next)\n		return next, false\n"},
	{"HerlihyWingQueue", "Dequeue leaves the item", "item := q.items[i].Swap(nil)", "item := q.items[i].Load()"},
	{"HerlihyWingQueue", "two Enqueues take one place", "place := q.back.Add(1) - 1", "place := q.back.Load()\n	q.back.Store(place + 1)"},
	{"FineList", "Add looks no further than the key before", "	if curr.is(x) {\n		return false\n	}\n	//pangolin:point emit Add(x) = true\n", "	//pangolin:point emit Add(x) = true\n"},
	{"FineList", "Remove takes two", "	pred.next = curr.next\n", "	pred.next = curr.next\n	if curr.next.next != nil {\n		pred.next = curr.next.next\n	}\n"},
	{"OptimisticList", "no validation", "		if l.validate(pred, curr) {\n", "		if l != nil {\n"},
	{"OptimisticList", "validation of reachability alone", "			return pred.next.Load() == curr\n", "			return true\n"},
	{"LazyList", "no mark", "	//pangolin:point emit Remove(x) = true\n	curr.marked.Store(true)\n	pred.next.Store(curr.next.Load())\n", "	//pangolin:point emit Remove(x) = true\n	pred.next.Store(curr.next.Load())\n"},
	{"LazyList", "marks are not validated", "if !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr {", "if pred.next.Load() == curr {"},
	{"HindsightList", "no mark", "	curr.marked.Store(true)\n", ""},
	{"HindsightList", "no validation", "	if pred.marked.Load() || pred.next.Load() != curr {\n		return false\n	}\n	node :=", "	node :="},
	{"DerivedList", "no mark", "		if !curr.next.CompareAndSet(succ, succ, marked, true) {\n			continue\n		}\n", "		_ = marked\n"},
	{"DerivedList", "Add stores", "		//pangolin:point when result emit Add(x) = true\n		if pred.next.CompareAndSet(curr, node, false, false) {\n			return true\n		}\n", "		//pangolin:point emit Add(x) = true\n		pred.next.Set(node, false)\n		return true\n"},
	{"DerivedListDCAS", "no mark", "		curr.link.mark()\n", ""},
	{"DerivedListDCAS", "a single compare-and-swap", "return b.next == from && !b.marked && w.both", "return b.next == from && w.both"},
	{"HarrisList", "two Removes of one node", "		//pangolin:point when !result emit Remove(x) = true\n		if !right.next.CompareAndSet(succ, succ, false, true) {\n			continue\n		}\n", "		//pangolin:point emit Remove(x) = true\n		right.next.Set(succ, true)\n"},
	{"HarrisList", "Add stores", "		//pangolin:point when result emit Add(x) = true\n		if left.next.CompareAndSet(right, node, false, false) {\n			return true\n		}\n", "		//pangolin:point emit Add(x) = true\n		left.next.Set(node, false)\n		return true\n"},
	{"MichaelList", "two Removes of one node", "		//pangolin:point when !result emit Remove(x) = true\n		if !curr.next.CompareAndSet(succ, succ, false, true) {\n			continue\n		}\n", "		//pangolin:point emit Remove(x) = true\n		curr.next.Set(succ, true)\n"},
	{"MichaelList", "marked nodes stay", "			if marked {\n", "			if marked && curr == nil {\n"},
	{"LockFreeList", "the first edition's Remove", "		//pangolin:point when !result emit Remove(x) = true\n		if !curr.next.CompareAndSet(succ, succ, false, true) {", "		//pangolin:point when !result emit Remove(x) = true\n		if !curr.next.AttemptMark(succ, true) {"},
	{"LockFreeList", "Contains does not look at the mark", "	return curr.is(x) && !curr.next.Marked()\n", "	return curr.is(x)\n"},
	{"UnorderedList", "nodes are put in front by a store", "		//pangolin:point when result emit Add(x) = ?\n		//pangolin:point when result emit Remove(x) = ?\n		if l.head.CompareAndSwap(first, node) {\n", "		//pangolin:point emit Add(x) = ?\n		//pangolin:point emit Remove(x) = ?\n		l.head.Store(node)\n		{\n"},
	{"UnorderedList", "an Add does not see that it was removed", "	if !node.state.CompareAndSwap(adding, became) { // a Remove was faster\n		node.removeBehind()\n		node.state.Store(invalid)\n	}\n", "	node.state.Store(became)\n"},
	{"CCAS", "helpers store", "	c.cell.CompareAndSwap(seen, &content[T]{value: value})\n", "	c.cell.Store(&content[T]{value: value})\n"},
	{"CCAS", "descriptors are stored", "		case c.cell.CompareAndSwap(seen, mine):\n", "		default:\n			c.cell.Store(mine)\n"},
	{"RDCSS", "helpers store", "	r.cell.CompareAndSwap(seen, &content[T]{value: value})\n", "	r.cell.Store(&content[T]{value: value})\n"},
	{"RDCSS", "descriptors are stored", "		case r.cell.CompareAndSwap(seen, mine):\n", "		default:\n			r.cell.Store(mine)\n"},
}

// violated decides a job in configuration D, and if nothing is wrong there with a call more.
func violated(t *testing.T, j *engine.Job, e *engine.Engine) verdict.Verdict {
	t.Helper()
	larger := *j
	larger.Scope.Clients.Steps.To++
	var v verdict.Verdict
	for _, j := range []*engine.Job{j, &larger} {
		var err error
		if v, err = e.Decide(context.Background(), j, engine.Events{}); err != nil {
			t.Fatal(err)
		}
		if v.Status != verdict.Verified {
			break
		}
	}
	return v
}

// A faulty algorithm is rejected with its points and without.
func TestCheck_RejectsBrokenAlgorithms(t *testing.T) {
	faults := map[string]int{}
	for i, b := range broken {
		faults[b.typ]++
		t.Run(b.typ+" "+b.fault, func(t *testing.T) {
			sampled(t, i)
			for _, c := range annotated {
				if c.typ != b.typ {
					continue
				}
				j, err := job(t, find(t, c.pkg, c.typ), map[string]string{b.from: b.to}, c.file)
				if err != nil {
					t.Fatal(err)
				}
				e := bounded.Engine()
				if v := violated(t, j, &e); v.Status != verdict.Violated {
					t.Errorf("without points: %s %s", v.Status, v.Reason)
				}
				e = Engine()
				if v := violated(t, j, &e); v.Status != verdict.Violated {
					t.Errorf("with points: %s %s", v.Status, v.Reason)
				}
			}
		})
	}
	for _, c := range annotated[:19] {
		if faults[c.typ] < 2 {
			t.Errorf("%s has %d faults", c.typ, faults[c.typ])
		}
	}
}

// Of each policy every rule that says for sure that an operation has taken effect is needed, and says so once.
func TestCheck_RejectsPoliciesWithoutARuleOrWithOneTwice(t *testing.T) {
	rules := 0
	for _, c := range annotated[:19] {
		text, err := os.ReadFile(filepath.Join(repository(t), "collections", c.file))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			_, rule, ok := strings.Cut(line, "//pangolin:point")
			if !ok || !strings.HasPrefix(strings.TrimSpace(line), "//") || strings.Count(string(text), line) != 1 || strings.Contains(rule, " may ") || !strings.Contains(rule, "emit") || seen[rule] {
				continue
			}
			seen[rule] = true
			for _, f := range [][2]string{{"missing", "//\n"}, {"twice", line + line}} {
				fault, to := f[0], f[1]
				if fault == "twice" && (strings.Contains(rule, "false") || strings.Contains(rule, "seen.") || strings.Contains(rule, "Set")) {
					continue // what changes nothing may be said again
				}
				t.Run(c.typ+" "+fault+strings.TrimSpace(rule), func(t *testing.T) {
					sampled(t, rules)
					rejects(t, c.pkg, c.typ, c.file, line, to)
				})
				rules++
			}
		}
	}
}

// rejects checks a changed policy.
func rejects(t *testing.T, pkg, typ, file, from, to string) {
	t.Helper()
	j, err := job(t, find(t, pkg, typ), map[string]string{from: to}, file)
	if err != nil {
		if strings.Contains(err.Error(), "receives") || strings.Contains(err.Error(), "broadcasts") {
			return // nobody sends what others wait for
		}
		t.Fatal(err)
	}
	e := Engine()
	v := violated(t, j, &e)
	if v.Status != verdict.Violated || v.Violation.Class != "point" {
		t.Fatalf("%s %s %+v", v.Status, v.Reason, v.Violation)
	}
	if _, err := bounded.Engine().Replay(j.Subject, v.Violation.Execution); err != nil {
		t.Errorf("the witness does not replay: %v", err)
	}
}
