// SPDX-License-Identifier: BSD-3-Clause

package executed

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pangolin/history/recorded"
	"pangolin/internal/judge"
	"pangolin/internal/judge/executed/testdata/ledger"
	"pangolin/internal/judge/record"
	"pangolin/internal/test/level"
)

// drawn is a history of a ledger: calls that were made one after another, each recorded from some time before to some time behind its moment. In a wrong
// one a result is that of another call of the operation.
func drawn(r *rand.Rand, wrong bool) string {
	l := ledger.New()
	names := []string{"x", "y", "é\"\n"}
	type call struct {
		op     string
		args   []any
		result any
	}
	var calls []call
	for len(calls) < 8+r.IntN(8) {
		who, n := names[r.IntN(len(names))], ledger.Amount(r.IntN(4))
		c := call{args: []any{who}}
		ok := func() (ok bool) {
			defer func() { ok = recover() == nil }()
			switch r.IntN(7) {
			case 0:
				c.op, c.args = "deposit", []any{who, n}
				l.Deposit(who, n)
			case 1:
				c.op, c.args = "withdraw", []any{who, n}
				left, err := l.Withdraw(who, n)
				c.result = []any{left, nil}
				if err != nil {
					c.result = []any{left, err.Error()}
				}
			case 2:
				c.op, c.result = "known", l.Known(who)
			case 3:
				c.op = "close"
				l.Close(who)
			case 4:
				c.op, c.args, c.result = "names", []any{}, append([]string{}, l.Names()...)
			case 5:
				lines := []string{who, fmt.Sprint(n)}[:r.IntN(3)]
				c.op, c.args, c.result = "note", []any{lines, n > 1}, int(l.Note(lines, n > 1))
			default:
				c.op, c.args, c.result = "notes", []any{}, append([]string{}, l.Notes()...)
			}
			return
		}()
		if ok {
			calls = append(calls, c)
		}
	}
	if wrong {
		var pairs [][2]int
		for i := range calls {
			for k := range i {
				if calls[i].op == calls[k].op && fmt.Sprint(calls[i].result) != fmt.Sprint(calls[k].result) {
					pairs = append(pairs, [2]int{i, k})
				}
			}
		}
		if len(pairs) > 0 {
			p := pairs[r.IntN(len(pairs))]
			calls[p[0]].result, calls[p[1]].result = calls[p[1]].result, calls[p[0]].result
		}
	}
	var b strings.Builder
	b.WriteString(`{"history":1,"kind":"object"}` + "\n")
	for i, c := range calls {
		line := map[string]any{"client": i, "op": c.op, "args": c.args, "call": 100*i - r.IntN(150), "return": 100*i + 1 + r.IntN(150), "result": c.result}
		switch r.IntN(8) {
		case 0:
			delete(line, "return")
			delete(line, "result")
		case 1:
			delete(line, "result")
			line["unknown"] = true
		}
		text, err := json.Marshal(line)
		if err != nil {
			panic(err)
		}
		b.Write(append(text, '\n'))
	}
	return b.String()
}

func read(t *testing.T, text string) *judge.History {
	t.Helper()
	h, err := record.Read(strings.NewReader(text), "h", record.Options{Format: record.Lines})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return h
}

// The machine executes what gc's code does in the test's own process.
func TestSpecify_AgreesWithNativeCode(t *testing.T) {
	n := 24
	if level.More() {
		n = 1000
	}
	if level.Short() {
		n = 5
	}
	r := rand.New(rand.NewPCG(1, 34))
	count := map[string]int{}
	for i := range n {
		text := drawn(r, i%2 == 0)
		native, err := recorded.Judge(strings.NewReader(text), recorded.Type(ledger.New), recorded.Options{})
		if err != nil {
			t.Fatal(err)
		}
		h := read(t, text)
		spec, err := Specify(context.Background(), h, Options{Type: "./testdata/ledger.Ledger", Reads: []string{"known", "names", "notes"}})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		v := judge.Judge(context.Background(), h, judge.Options{})
		if spec.Err() != nil || v.Status.String() != native.Status {
			t.Fatalf("%s by the machine (%v), %s natively:\n%s", v.Status, spec.Err(), native.Status, text)
		}
		count[native.Status]++
	}
	t.Log(count)
	if n > 10 && (count["ok"] < n/4 || count["violated"] < n/20) {
		t.Errorf("%v of %d", count, n)
	}
}

const head = `{"history":1,"kind":"object"}` + "\n"

func TestSpecify_SaysWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		line, want string
		o          Options
	}{
		{`"op":"push","args":["x"]`, "has no method for the operation", Options{Type: "./testdata/ledger.Ledger"}},
		{`"op":"deposit","args":["x"]`, "2 parameters; a call has 1 arguments", Options{Type: "./testdata/ledger.Ledger"}},
		{`"op":"deposit","args":["x",40000]`, "40000 is no", Options{Type: "./testdata/ledger.Ledger"}},
		{`"op":"deposit","args":[3,4]`, "3 is no string", Options{Type: "./testdata/ledger.Ledger"}},
		{`"op":"any","args":[3]`, "want integers, strings", Options{Type: "./testdata/ledger.Random"}},
		{`"op":"deposit","args":["x",4]`, "undefined: Nothing", Options{Type: "./testdata/ledger.Nothing"}},
		{`"op":"deposit","args":["x",4]`, "error has no method", Options{Type: "./testdata/ledger.Ledger", New: "ErrPoor"}},
		{`"op":"names","args":[],"result":null`, "an empty or nil slice is recorded as []", Options{Type: "./testdata/ledger.Ledger"}},
		{`"op":"names","args":[],"result":[]`, "argument 1 is to say", Options{Type: "./testdata/ledger.Ledger", By: 1}},
		{`"op":"get","args":[],"result":1`, "deterministic", Options{Type: "./testdata/ledger.Random"}},
		{`"op":"deposit","args":["x",4]`, "changes the state", Options{Type: "./testdata/ledger.Ledger", Reads: []string{"deposit"}}},
	} {
		h := read(t, head+`{"client":1,"call":1,"return":2,`+c.line+"}\n")
		spec, err := Specify(context.Background(), h, c.o)
		if err == nil {
			judge.Judge(context.Background(), h, judge.Options{})
			err = spec.Err()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.line, err, c.want)
		}
	}
}

// A call that waits for another one takes effect behind it; parts are judged by themselves.
func TestSpecify_WaitsAndParts(t *testing.T) {
	for _, c := range []struct {
		lines, want string
		o           Options
	}{
		{`{"client":1,"op":"pop","result":"m","call":1,"return":9}` + "\n" + `{"client":2,"op":"push","args":["m"],"call":3,"return":4}`, "ok", Options{Type: "./testdata/ledger.Stack[string]"}},
		{`{"client":1,"op":"pop","result":"m","call":1,"return":2}` + "\n" + `{"client":2,"op":"push","args":["m"],"call":3,"return":4}`, "violated", Options{Type: "./testdata/ledger.Stack[string]"}},
		{`{"client":1,"op":"pop","call":1}` + "\n" + `{"client":2,"op":"push","args":[7],"call":3,"return":4}`, "ok", Options{Type: "./testdata/ledger.Stack[int8]", New: "&Stack[int8]{}"}},
		{`{"client":1,"op":"deposit","args":["x",1],"call":1,"return":2}` + "\n" + `{"client":1,"op":"withdraw","args":["y",1],"result":[0,"y: not \"enough\""],"call":3,"return":4}`, "ok", Options{Type: "./testdata/ledger.Ledger", By: 1}},
	} {
		h := read(t, head+c.lines+"\n")
		spec, err := Specify(context.Background(), h, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if v := judge.Judge(context.Background(), h, judge.Options{}); v.Status.String() != c.want || spec.Err() != nil {
			t.Errorf("%s: %v (%v), want %s", c.lines, v.Status, spec.Err(), c.want)
		}
	}
}

// What the machine executes is given up when the time is over, and that is no answer.
func TestSpecify_IsInterrupted(t *testing.T) {
	for _, property := range []judge.Property{judge.Linear, judge.Sequential} {
		h := read(t, head+`{"client":1,"op":"inc","result":2,"call":1,"return":5}`+"\n"+`{"client":2,"op":"inc","result":3,"call":2,"return":6}`+"\n")
		spec, err := Specify(context.Background(), h, Options{Type: "./testdata/slow.Counter"})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		v := judge.Judge(context.Background(), h, judge.Options{Property: property, Limit: 50 * time.Millisecond})
		if v.Status != judge.Unknown || !strings.Contains(v.Reason, "limit on time") || spec.Err() != nil {
			t.Errorf("%s: %v %s %v", property, v.Status, v.Reason, spec.Err())
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: it took %v", property, took)
		}
	}
}
