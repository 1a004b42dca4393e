// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/oracle"
)

// operation finds an operation of a one-type source.
func operation(t *testing.T, src, name string, o collection.Overrides) *collection.Operation {
	t.Helper()
	_, c := findOne(t, src, o)
	for i := range c.Operations {
		if c.Operations[i].Name == name {
			return &c.Operations[i]
		}
	}
	t.Fatalf("no operation %s in %s", name, summary(c))
	return nil
}

func minusOne() uint64 { return ^uint64(0) }

func TestTuple_TellsNoItemFromTheItemZero(t *testing.T) {
	const src = `package p; type Queue[T any] struct{}; func (*Queue[T]) Push(x T) {}
		func (*Queue[T]) Pop() (x T, ok bool) { return }; func (*Queue[T]) TryPop() (x T, err error) { return }; func (*Queue[T]) Poll() *T { return nil }`
	tests := []struct {
		op    string
		words []uint64
		want  history.Tuple
	}{
		{"Pop", []uint64{0, 1}, history.Of(history.IntValue(0), history.BoolValue(true))},
		{"Pop", []uint64{0, 0}, history.Of(history.IntValue(0), history.BoolValue(false))},
		{"Pop", []uint64{7, 0}, history.Of(history.IntValue(0), history.BoolValue(false))}, // what goes with false is not looked at
		{"TryPop", []uint64{3, 0}, history.Of(history.IntValue(3), history.NilValue())},
		{"TryPop", []uint64{0, 1}, history.Of(history.IntValue(0), history.ErrValue())},
		{"Poll", []uint64{0, 1}, history.Of(history.IntValue(0))},
		{"Poll", []uint64{0, 0}, history.Of(history.NilValue())},
		{"Push", nil, history.Tuple{}},
	}
	for _, tc := range tests {
		op := operation(t, src, tc.op, collection.Overrides{})
		if got := op.Tuple(tc.words); got != tc.want {
			t.Errorf("%s%v = %v, want %v", tc.op, tc.words, got, tc.want)
		}
		if op.Words() != len(tc.words) {
			t.Errorf("%s has %d words", tc.op, op.Words())
		}
	}
}

func TestTuple_TakesNilWithOKForNil(t *testing.T) {
	const src = `package p; type Queue struct{}; func (*Queue) Push(x any) {}; func (*Queue) Pop() (any, bool) { return nil, false }`
	op := operation(t, src, "Pop", collection.Overrides{})
	if got := op.Tuple([]uint64{0, 0, 1}); got != history.Of(history.NilValue(), history.BoolValue(true)) {
		t.Errorf("nil, true reads as %v", got)
	}
	if got := op.Tuple([]uint64{0, 0, 0}); got != history.Of(history.IntValue(0), history.BoolValue(false)) {
		t.Errorf("nil, false reads as %v", got)
	}
	if got := op.Tuple([]uint64{0, 1, 1}); got != history.Of(history.IntValue(0), history.BoolValue(true)) {
		t.Errorf("0, true reads as %v", got)
	}
}

func TestTuple_ReadsRegistersAsNumbers(t *testing.T) {
	const bools = `package p; type B struct{}; func (*B) Load() bool { return false }; func (*B) Store(bool) {}
		func (*B) CompareAndSwap(old, new bool) bool { return false }`
	if got := operation(t, bools, "Load", collection.Overrides{}).Tuple([]uint64{1}); got != history.Ints(1) {
		t.Errorf("a loaded true reads as %v", got)
	}
	cas := operation(t, bools, "CompareAndSwap", collection.Overrides{})
	if got := cas.Tuple([]uint64{1}); got != history.Of(history.BoolValue(true)) {
		t.Errorf("swapped reads as %v", got)
	}
	if got := cas.Args([]int{3, 2}); got != history.Ints(1, 0) {
		t.Errorf("arguments 3, 2 of bools are %v", got)
	}
	const numbers = `package p; type N struct{}; func (*N) Load() int32 { return 0 }; func (*N) Dec() {}`
	if got := operation(t, numbers, "Load", collection.Overrides{}).Tuple([]uint64{minusOne()}); got != history.Ints(-1) {
		t.Errorf("-1 reads as %v", got)
	}
}

func TestTuple_AgreesWithWhatTheOracleReturns(t *testing.T) {
	const src = `package p; type M struct{}; func (*M) Load(k int) (int, bool) { return 0, false }; func (*M) Store(k, v int) {}
		func (*M) LoadOrStore(k, v int) (int, bool) { return 0, false }`
	_, c := findOne(t, src, collection.Overrides{})
	spec, err := oracle.New(oracle.Map, c.Protocol, c.Ops())
	if err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		op    string
		args  []int
		words []uint64
	}{
		{"Load", []int{1}, []uint64{0, 0}},
		{"LoadOrStore", []int{1, 5}, []uint64{5, 0}},
		{"LoadOrStore", []int{1, 6}, []uint64{5, 1}},
		{"Store", []int{2, 0}, nil},
		{"Load", []int{2}, []uint64{0, 1}},
	}
	state := spec.Initial()
	for _, s := range steps {
		at := slices.IndexFunc(c.Operations, func(o collection.Operation) bool { return o.Name == s.op })
		o := &c.Operations[at]
		outcomes, err := spec.Outcomes(state, oracle.Call{Op: at, Args: o.Args(s.args)})
		if err != nil || len(outcomes) != 1 {
			t.Fatal(outcomes, err)
		}
		if got := o.Tuple(s.words); got != outcomes[0].Result {
			t.Errorf("%s%v: %v, the oracle says %v", s.op, s.args, got, outcomes[0].Result)
		}
		state = outcomes[0].Next
	}
}

// echo gives back what it takes, in every type that has a codec.
const echo = `package main

type (
	count  uint8
	name   string
	flag   bool
	pair   struct{ next *pair; n int }
	holder struct{ p pair }
	odd    interface{ odd() }
	boxed  struct{ v int }
	pboxed *boxed
)

func (boxed) odd() {}

type Echo struct{}

func (*Echo) Int(x int) int                   { return x }
func (*Echo) Count(x count) count             { return x }
func (*Echo) Rune(x rune) rune                { return x }
func (*Echo) Uint64(x uint64) uint64          { return x }
func (*Echo) Uintptr(x uintptr) uintptr       { return x }
func (*Echo) Float(x float32) float32         { return x }
func (*Echo) Text(x string) string            { return x }
func (*Echo) Name(x name) name                { return x }
func (*Echo) Bool(x bool) bool                { return x }
func (*Echo) Flag(x flag) flag                { return x }
func (*Echo) Pointer(x *int) *int             { return x }
func (*Echo) TextPointer(x *string) *string   { return x }
func (*Echo) PairPointer(x *pair) *pair       { return x }
func (*Echo) NamedPointer(x pboxed) pboxed    { return x }
func (*Echo) Pair(x pair) pair                { return x }
func (*Echo) Holder(x holder) holder          { return x }
func (*Echo) Empty(x struct{}) struct{}       { return x }
func (*Echo) Any(x any) any                   { return x }
func (*Echo) Odd(x odd) odd                   { return x }
func (*Echo) Slice(x []int) []int             { return x }
func (*Echo) Bytes(x []byte) []byte           { return x }
func (*Echo) Array(x [3]string) [3]string     { return x }
func (*Echo) PointerSlice(x []*int) []*int    { return x }
func (*Echo) PointerTwice(x **int) **int      { return x }
func (*Echo) Nothing(x int) *int              { return nil }
func (*Echo) NoOne(x int) any                 { return nil }
func (*Echo) Fail(x int) error                { if x == 0 { return nil }; return errType{} }
func (*Echo) Minus(x int) uint32              { return uint32(-x) }
func (*Echo) Opaque(x int) *Echo              { if x == 0 { return nil }; return new(Echo) }
func (*Echo) Many(x int) []int                { return []int{x, 1, 2} }

type errType struct{}

func (errType) Error() string { return "" }
`

// wants says what an argument comes back as; itself if there is no entry.
func wants(op string, o *collection.Operation, arg int) history.Tuple {
	switch op {
	case "Nothing", "NoOne":
		return history.Of(history.NilValue())
	case "Fail": // told by its text, which is empty, behind a 1, and its type, the first of the package's two
		if arg == 0 {
			return history.Ints(0)
		}
		return history.Ints(4454304288562288708)
	case "Minus":
		return history.Ints(int64(-arg))
	case "Opaque":
		if arg == 0 {
			return history.Of(history.NilValue())
		}
		return history.Ints(1)
	case "Many": // digits of base 64
		return history.Ints(int64((((arg+1)*64+2)*64+3)*64 + collection.DigitEnd))
	case "Slice", "Bytes", "PointerSlice":
		digits := int64(0)
		for _, e := range collection.Elements(int64(arg)) {
			digits = digits*64 + e + 1
		}
		return history.Ints(digits*64 + collection.DigitEnd)
	case "Bool", "Flag":
		return history.Of(history.BoolValue(arg&1 != 0))
	}
	return o.Args([]int{arg})
}

// resultVars are n names, separated by commas.
func resultVars(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("w%d", i)
	}
	return strings.Join(names, ", ")
}

func TestHarness_GivesBackEveryArgument(t *testing.T) {
	c := check(t, "example.com/echo", echo)
	found, err := Find(c.pkg, collection.Overrides{Type: "Echo", Kind: collection.Object, Anonymous: true}) // numbers of objects have no code
	if err != nil {
		t.Fatal(err)
	}
	col := found[0]
	if n := strings.Count(echo, "func (*Echo)"); n != len(col.Operations) {
		t.Fatalf("%d of %d operations; left out: %v", len(col.Operations), n, col.Skipped)
	}
	const last = 5 // arguments
	main := "package main\n\nfunc main() {\n\tc := pangolinNew()\n"
	for i, o := range col.Operations {
		for arg := range last {
			vars := resultVars(o.Words())
			main += fmt.Sprintf("\t{\n\t\t%s := pangolinOp%d(c, %d)\n\t\tprintln(%d, %d, %s)\n\t}\n", vars, i, arg, i, arg, vars)
		}
	}
	out := execute(t, map[string]string{"echo.go": echo, "harness.go": c.withHarness(t, col), "main.go": main + "}\n"})
	lines := 0
	for scanner := bufio.NewScanner(strings.NewReader(out)); scanner.Scan(); lines++ {
		var numbers []int
		for _, f := range strings.Fields(scanner.Text()) {
			n, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		o := &col.Operations[numbers[0]]
		var words []uint64
		for _, n := range numbers[2:] {
			words = append(words, uint64(n))
		}
		if got, want := o.Tuple(words), wants(o.Name, o, numbers[1]); got != want {
			t.Errorf("%s(%d) gives %v, want %v", o.Name, numbers[1], got, want)
		}
	}
	if lines != last*len(col.Operations) {
		t.Errorf("%d lines", lines)
	}
}

// execute runs a program and returns what it prints with println.
func execute(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/echo\n\ngo 1.26\n"
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestTuple_TellsTheUsersOracleEverything(t *testing.T) {
	const src = `package p; type Spec struct{}; type B struct{}; func (*B) Load() bool { return false }; func (*B) Store(bool) {}
		type Q struct{}; func (*Q) Enqueue(int) {}; func (*Q) Dequeue() (int, bool) { return 0, false }`
	if got := operation(t, src, "Load", collection.Overrides{Type: "B", Oracle: collection.ParseOracle("Spec")}).Tuple([]uint64{1}); got != history.Of(history.BoolValue(true)) {
		t.Errorf("a loaded true reads as %v", got)
	}
	want := history.Of(history.IntValue(7), history.BoolValue(false))
	if got := operation(t, src, "Dequeue", collection.Overrides{Type: "Q", Oracle: collection.ParseOracle("Spec")}).Tuple([]uint64{7, 0}); got != want {
		t.Errorf("7, false reads as %v", got)
	}
}

func TestShow_WritesGoValues(t *testing.T) {
	const src = `package p; type R struct{}; func (*R) Load() string { return "" }; func (*R) Store(s string) {}
		type P struct{}; func (*P) Load() *int { return nil }; func (*P) Store(p *int) {}
		type Q struct{}; func (*Q) Enqueue(b bool, p *Q2) (ok bool, err error) { return }; type Q2 struct{ n int }`
	r := operation(t, src, "Store", collection.Overrides{Type: "R"})
	if got := shown(r.ShowArgs(history.Ints(0))) + shown(r.ShowArgs(history.Ints(3))); got != `"""v03"` {
		t.Error(got)
	}
	p := operation(t, src, "Load", collection.Overrides{Type: "P"})
	if got := shown(p.ShowResult(history.Ints(0))) + shown(p.ShowResult(history.Ints(3))) + shown(p.ShowResult(history.PanicTuple())); got != "nil&3panic" {
		t.Error(got)
	}
	q := operation(t, src, "Enqueue", collection.Overrides{Type: "Q"})
	if got := shown(q.ShowArgs(history.Ints(1, 2))); got != "true, &{n: 2}" {
		t.Error(got)
	}
	if got := shown(q.ShowResult(history.Of(history.BoolValue(true), history.ErrValue()))); got != "true, error" {
		t.Error(got)
	}
	const more = `package p; type S struct{}; func (*S) Enqueue(e struct{ id string }) {}; func (*S) Dequeue() (e struct{ id string }, ok bool) { return }
		type L struct{}; func (*L) Enqueue(e []uint8) {}; func (*L) Dequeue() []uint8 { return nil }
		type C struct{}; func (*C) Inc() uint32 { return 0 }; func (*C) Dec() uint32 { return 0 }`
	if got := shown(operation(t, more, "Dequeue", collection.Overrides{Type: "S"}).ShowResult(history.Of(history.IntValue(2), history.BoolValue(true)))); got != `{id: "v02"}, true` {
		t.Error(got)
	}
	l := operation(t, more, "Dequeue", collection.Overrides{Type: "L"})
	if got := shown(l.ShowResult(history.Ints(3))) + shown(l.ShowResult(history.Of(history.NilValue()))) + shown(l.ShowResult(history.Ints(1<<61|4<<12|6<<6|63))); got != "[3 19]nil[3 5]" {
		t.Error(got)
	}
	if got := shown(operation(t, more, "Dec", collection.Overrides{Type: "C"}).ShowResult(history.Ints(-1))); got != "4294967295" {
		t.Error(got)
	}
}

// shown is what stands between parentheses, or behind the equals sign.
func shown(values []string) string { return strings.Join(values, ", ") }
