// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// recognition is a kind with the methods that made it be recognised.
type recognition struct {
	kind     oracle.Kind
	bindings []*binding
	why      string
	largest  bool // a priority queue that gives the largest first
}

// reader recognises kinds.
type reader struct {
	methods []*method
	own     hints // of the type's name
	pkg     hints // of the package's
	forced  bool  // the user named the kind: weak signs suffice
	// readings say what no name tells, see collection.Overrides.
	readings map[string]string
	order    string // of a priority queue, likewise
}

// recognise finds the kind of a collection, or checks the one that the user names.
func (r *reader) recognise(forced oracle.Kind) (recognition, error) {
	if forced == collection.Object {
		return recognition{kind: collection.Object, why: "an object, as asked for"}, nil
	}
	if forced != "" {
		r.forced = true
		if rec, ok := r.try(forced); ok {
			rec.why += ", as asked for"
			return rec, nil
		}
		return recognition{}, fmt.Errorf("the kind %s does not fit: %s", forced, r.wanting(forced))
	}
	for _, k := range kinds() {
		if rec, ok := r.try(k.kind); ok {
			return rec, nil
		}
	}
	return recognition{kind: collection.Object, why: "no kind of collection has operations of these names and signatures"}, nil
}

// wanting says what the methods of a kind would be called.
func (r *reader) wanting(kind oracle.Kind) string {
	var want []string
	for _, n := range namesOf(kind) {
		if len(want) < 3 {
			want = append(want, n.names[0])
		}
	}
	if kind == oracle.Deque {
		want = []string{"PushFront", "PopBack"}
	}
	return fmt.Sprintf("there are no methods like %s with suitable arguments", strings.Join(want, ", "))
}

// try recognises one kind.
func (r *reader) try(kind oracle.Kind) (recognition, bool) {
	if kind == oracle.Deque || kind == oracle.Queue || kind == oracle.Stack {
		if rec, ok := r.ends(kind); ok {
			return rec, true
		}
	}
	if kind == oracle.Deque {
		return r.stealing()
	}
	bindings := r.bind(kind)
	if !r.complete(kind, bindings) {
		return recognition{}, false
	}
	return r.finish(kind, bindings), true
}

// bind gives every method that it can a role of the kind.
func (r *reader) bind(kind oracle.Kind) []*binding {
	var out []*binding
	for _, m := range r.methods {
		if b := bindByName(kind, m); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// finish reads the results and sorts the operations by role.
func (r *reader) finish(kind oracle.Kind, bindings []*binding) recognition {
	slices.SortStableFunc(bindings, func(a, b *binding) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return strings.Compare(a.m.name, b.m.name)
	})
	fit(kind, bindings, r.readings)
	largest := false
	if kind == oracle.PQueue {
		largest = r.ordered(bindings) == collection.Largest
	}
	return recognition{kind: kind, bindings: bindings, why: explain(kind, bindings), largest: largest}
}

// explain names the operations that gave the kind away.
func explain(kind oracle.Kind, bindings []*binding) string {
	var names []string
	for _, b := range bindings {
		if !slices.Contains([]oracle.Role{oracle.Len, oracle.IsEmpty, oracle.Clear}, b.role) && len(names) < 3 {
			names = append(names, b.m.name)
		}
	}
	return fmt.Sprintf("%s by its %s", kind, enumerate(names))
}

// enumerate lists names as a sentence does.
func enumerate(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// find is the first binding with one of the roles.
func find(bindings []*binding, roles ...oracle.Role) *binding {
	for _, b := range bindings {
		if slices.Contains(roles, b.role) {
			return b
		}
	}
	return nil
}

func (r *reader) complete(kind oracle.Kind, bindings []*binding) bool {
	for _, k := range kinds() {
		if k.kind == kind {
			return k.complete(r, bindings)
		}
	}
	return false
}

func onlyBool(m *method) bool { return len(m.results) == 1 && isBool(m.result(0).Type()) }

func (r *reader) completeMap(bindings []*binding) bool {
	load := find(bindings, oracle.Load)
	return load != nil && !onlyBool(load.m) && len(load.m.results) > 0 &&
		find(bindings, oracle.Store, oracle.LoadOrStore) != nil
}

func (r *reader) completeSet(bindings []*binding) bool {
	add, remove, contains := find(bindings, oracle.Add), find(bindings, oracle.Remove), find(bindings, oracle.Contains)
	if add == nil {
		return false
	}
	return contains != nil && onlyBool(contains.m) || remove != nil && onlyBool(add.m) && onlyBool(remove.m)
}

func (r *reader) completePQueue(bindings []*binding) bool {
	put, take := find(bindings, oracle.Put), find(bindings, oracle.Take)
	if put == nil || take == nil || len(take.m.results) == 0 {
		return false
	}
	name, _ := untried(take.m.name)
	return orderOf(name) != "" || r.own.priority || r.pkg.priority || r.forced
}

// completeQueue asks for what tells queues from stacks: names that say it, or a word in the type's or the
// package's name.
func (r *reader) completeQueue(bindings []*binding) bool {
	put, take, ok := putAndTake(bindings)
	if !ok || r.forced {
		return ok
	}
	fifo, _ := r.own.order(r.pkg)
	return fifo || slices.Contains(fifoNames(), put) && slices.Contains(fifoNames(), take)
}

// completeStack asks for a word in the type's or the package's name, or for Push with Pop.
func (r *reader) completeStack(bindings []*binding) bool {
	put, take, ok := putAndTake(bindings)
	if !ok || r.forced {
		return ok
	}
	_, lifo := r.own.order(r.pkg)
	return lifo || put == "push" && take == "pop"
}

// putAndTake are the names of what puts and what takes, if there are both.
func putAndTake(bindings []*binding) (putName, takeName string, ok bool) {
	put, take := find(bindings, oracle.Put), find(bindings, oracle.Take)
	if put == nil || take == nil {
		return "", "", false
	}
	putName, _ = untried(put.m.name)
	takeName, _ = untried(take.m.name)
	return putName, takeName, true
}

func (r *reader) completeRegister(bindings []*binding) bool {
	load := find(bindings, oracle.Load)
	if load != nil && len(load.m.results) == 0 {
		return false
	}
	return load != nil && find(bindings, oracle.Store, oracle.CompareAndSwap, oracle.Swap) != nil || r.forced && len(bindings) > 0
}

func (r *reader) completeCounter(bindings []*binding) bool {
	load, count := find(bindings, oracle.Load), find(bindings, oracle.Inc, oracle.Dec, oracle.AddTo, oracle.SubOf)
	switch {
	case load != nil && len(load.m.results) == 0, count == nil:
		return false
	case len(count.m.args) == 1 && !isInteger(count.m.arg(0).Type()):
		return false
	}
	return load != nil || len(count.m.results) == 1 && isInteger(count.m.result(0).Type())
}

// ends recognises operations on the ends of a collection: at three ends or more a
// deque, else a queue or a stack.
func (r *reader) ends(kind oracle.Kind) (recognition, bool) {
	var bindings []*binding
	used := map[oracle.Role]bool{}
	for _, m := range r.methods {
		if b := bindEnd(m); b != nil {
			bindings = append(bindings, b)
			used[b.role] = true
		}
	}
	found := oracle.Kind("")
	puts := count(used, oracle.PutFront, oracle.PutBack)
	takes := count(used, oracle.TakeFront, oracle.TakeBack)
	switch {
	case puts == 0 || takes == 0:
		return recognition{}, false
	case puts+takes > 2 || r.forced && kind == oracle.Deque:
		found = oracle.Deque
	case used[oracle.PutFront] == used[oracle.TakeFront]:
		found = oracle.Stack
	default:
		found = oracle.Queue
	}
	if found != kind {
		return recognition{}, false
	}
	if kind != oracle.Deque {
		bindings = plainEnds(bindings, used)
	}
	return r.finish(kind, bindings), true
}

func count(used map[oracle.Role]bool, roles ...oracle.Role) (n int) {
	for _, r := range roles {
		if used[r] {
			n++
		}
	}
	return n
}

// plainEnds turns the roles of a deque into those of a queue or stack; looking at
// the other end is no operation of those.
func plainEnds(bindings []*binding, used map[oracle.Role]bool) []*binding {
	plain := map[oracle.Role]oracle.Role{oracle.PutFront: oracle.Put, oracle.PutBack: oracle.Put,
		oracle.TakeFront: oracle.Take, oracle.TakeBack: oracle.Take}
	if used[oracle.TakeFront] {
		plain[oracle.PeekFront] = oracle.Peek
	} else {
		plain[oracle.PeekBack] = oracle.Peek
	}
	var out []*binding
	for _, b := range bindings {
		if role, ok := plain[b.role]; ok {
			b.role = role
		} else if b.role == oracle.PeekFront || b.role == oracle.PeekBack {
			continue
		}
		out = append(out, b)
	}
	return out
}

// stealing recognises the deque of work stealing: Push, Pop and Steal.
func (r *reader) stealing() (recognition, bool) {
	roles := map[string]oracle.Role{"push": oracle.PutBack, "pop": oracle.TakeBack, "steal": oracle.TakeFront}
	rank := map[string]int{"push": 0, "pop": 1, "steal": 2}
	var bindings []*binding
	for _, m := range r.methods {
		name, try := untried(m.name)
		if role, ok := roles[name]; ok && len(m.args) == len(oracle.Params(oracle.Deque, role)) {
			bindings = append(bindings, &binding{m: m, role: role, rank: rank[name], try: try,
				params: oracle.Params(oracle.Deque, role)})
		} else if b := bindEnd(m); b != nil && slices.Contains([]oracle.Role{oracle.Len, oracle.IsEmpty, oracle.Clear}, b.role) {
			bindings = append(bindings, b)
		}
	}
	if find(bindings, oracle.PutBack) == nil || find(bindings, oracle.TakeFront) == nil {
		return recognition{}, false
	}
	return r.finish(oracle.Deque, bindings), true
}
