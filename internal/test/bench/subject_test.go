// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"fmt"
	"go/types"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/front"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// structure is a collection that is measured.
type structure struct {
	name string // the SPIN model's, where there is one
	pkg  string
	typ  string
	make string // a Go expression
	kind oracle.Kind
}

// structures are those that there are SPIN models of.
var structures = []structure{
	{"treiber", "pangolin/collections/stack", "LockFreeStack[int]", "NewLockFreeStack[int]()", oracle.Stack},
	{"msq", "pangolin/collections/queue", "LockFreeQueue[int]", "NewLockFreeQueue[int]()", oracle.Queue},
	{"harris", "pangolin/collections/list", "LockFreeList[int]", "NewLockFreeList[int]()", oracle.Set},
	{"lazy", "pangolin/collections/list", "LazyList[int]", "NewLazyList[int]()", oracle.Set},
}

func structureNamed(tb testing.TB, name string) structure {
	for _, s := range structures {
		if s.name == name {
			return s
		}
	}
	tb.Fatalf("no structure is called %q", name)
	return structure{}
}

// operation is one of a kind's operations: its oracle's description and its Go form.
type operation struct {
	oracle.Op
	takes bool   // an int
	gives string // Go results
	tuple func(words []uint64) history.Tuple
}

func operations(kind oracle.Kind) []operation {
	none := func([]uint64) history.Tuple { return history.Tuple{} }
	ok := func(w []uint64) history.Tuple { return history.Of(history.BoolValue(w[0] != 0)) }
	item := func(w []uint64) history.Tuple {
		return history.Of(history.IntValue(int64(w[0])), history.BoolValue(w[1] != 0))
	}
	op := func(name string, role oracle.Role, slots ...oracle.Slot) oracle.Op {
		return oracle.Op{Name: name, Role: role, Params: oracle.Params(kind, role), Results: slots}
	}
	switch kind {
	case oracle.Stack:
		return []operation{{op("Push", oracle.Put), true, "", none},
			{op("Pop", oracle.Take, oracle.SlotItem, oracle.SlotOK), false, "(int, bool)", item}}
	case oracle.Queue:
		return []operation{{op("Enqueue", oracle.Put), true, "", none},
			{op("Dequeue", oracle.Take, oracle.SlotItem, oracle.SlotOK), false, "(int, bool)", item}}
	default:
		return []operation{{op("Add", oracle.Add, oracle.SlotOK), true, "bool", ok},
			{op("Remove", oracle.Remove, oracle.SlotOK), true, "bool", ok},
			{op("Contains", oracle.Contains, oracle.SlotOK), true, "bool", ok}}
	}
}

// harness is Go source that gives the constructor and the operations names.
func (s structure) harness(p *types.Package) (string, []byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nfunc benchNew() *%s { return %s }\n", p.Name(), s.typ, s.make)
	for i, o := range operations(s.kind) {
		param, arg, ret := "", "", ""
		if o.takes {
			param, arg = ", x int", "x"
		}
		if o.gives != "" {
			ret = "return "
		}
		fmt.Fprintf(&b, "func benchOp%d(c *%s%s) %s { %sc.%s(%s) }\n", i, s.typ, param, o.gives, ret, o.Name, arg)
	}
	return "bench_harness.go", []byte(b.String()), nil
}

// subject loads and compiles the structure.
func (s structure) subject(tb testing.TB) *subject.Subject {
	ops := operations(s.kind)
	roots := []string{"benchNew"}
	for i := range ops {
		roots = append(roots, fmt.Sprint("benchOp", i))
	}
	prog, err := front.Load(front.Share(context.Background()), front.Request{Patterns: []string{s.pkg}, Harness: s.harness, Roots: roots})
	if err != nil {
		tb.Fatal(err)
	}
	sub := &subject.Subject{Prog: prog, New: prog.Roots[0]}
	var list []oracle.Op
	for i, o := range ops {
		op := o.Op
		list = append(list, op)
		sub.Operations = append(sub.Operations, subject.Operation{
			Name: op.Name, Func: prog.Roots[i+1], Tuple: o.tuple, Client: client.OpOf(op),
		})
	}
	if sub.Spec, err = oracle.New(s.kind, oracle.Protocol{}, list); err != nil {
		tb.Fatal(err)
	}
	return sub
}

// perThread is the scope of the SPIN models: every thread makes exactly so many calls.
// Keys range over 2 values; items are generic, which is as good as all values there are.
func perThread(tb testing.TB, kind oracle.Kind, threads, calls int) client.Scope {
	s := preset(tb, kind, "D")
	s.Threads, s.PreAdds = client.Range{From: threads, To: threads}, client.Range{}
	s.PerThread, s.Values = calls, 2
	return s
}

func preset(tb testing.TB, kind oracle.Kind, name string) client.Scope {
	p, err := client.NewPreset(name, kind, oracle.Nonblocking)
	if err != nil {
		tb.Fatal(err)
	}
	return p.Scope
}

// linear is the verification that is measured: linearizability, races, weakly fair
// cycles, one worker, no limits.
func linear(scope client.Scope) bounded.Options {
	return bounded.Options{Job: engine.Job{Property: consist.Property("linear"), Scope: engine.Scope{Clients: scope, Preempt: -1, Fair: true}, Search: engine.Search{Reduce: vm.AllReductions}}}
}

// unreduced switches everything off that leaves something out.
func unreduced() vm.Reductions {
	return vm.RankedKeys | vm.GuardedAccesses
}

// verify runs a verification that must find nothing and exhaust its scope.
func verify(tb testing.TB, sub *subject.Subject, opt bounded.Options) *bounded.Result {
	opt.Subject = sub
	r, err := bounded.Run(context.Background(), opt)
	switch {
	case err != nil:
		tb.Fatal(err)
	case r.Violation != nil:
		tb.Fatalf("%s: %s", r.Violation.Class, r.Violation.Message)
	case r.Incomplete != "":
		tb.Fatal(r.Incomplete)
	}
	return r
}
