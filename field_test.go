// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"

	"pangolin"
)

// texts has a text for every field, and what it is read as if that is not the same.
func texts() map[string]string {
	return map[string]string{"type": "Queue[int]", "new": "New(1)", "ops": "Put,Take", "give": "Map=double", "roles": "Put:1", "kind": "queue",
		"protocol": "bounded(2)", "oracle": "self", "property": "sc,quiescent", "engine": "bounded", "config": "B", "threads": "2..3",
		"steps": "1..4", "preadds": "0", "per-thread": "2", "values": "3", "items": "3", "thread-sym": "false", "generic-values": "true",
		"adds-dominant": "false", "distinct-priorities": "true", "hash": "nondet(3,2)", "preempt": "0", "fair": "false",
		"races": "false", "contracts": "false", "min": "true", "small": "false", "mode": "clients", "out": "dir", "timeout": "1m30s", "max-states": "10", "max-memory": "4G",
		"j": "2", "reduce": "fusing,keys", "expect": "violated", "test": "TestQueue", "leaks": "none", "tests": "true", "prefix": "it.Put(1)",
		"cache": "dir", "no-cache": "true", "resume": "true", "swarm": "3", "since": "main", "shard": "2/3", "costs": "file", "time": "virtual", "invariant": "Sorted,Linked:always", "prove": "off",
		"schedules": "500", "seed": "7", "ways": "random,pct", "depth": "2", "overlaps": "Take:within(2)"}
}

// Every field can be set by its flag, by its name, and from JSON, to the same effect.
func TestFields_AreSetAlikeByFlagsNamesAndJSON(t *testing.T) {
	var named, flagged, read pangolin.Request
	var args []string
	for _, f := range pangolin.Fields() {
		text, known := texts()[f.Flag]
		if !known {
			t.Fatalf("no text for %s", f.Flag)
		}
		before := named
		if err := named.Set(f.Flag, text); err != nil {
			t.Fatal(err)
		}
		if f.Text(&before) != "" || f.Text(&named) != text || reflect.DeepEqual(before, named) {
			t.Errorf("%s: %q, then %q", f.Flag, f.Text(&before), f.Text(&named))
		}
		args = append(args, "-"+f.Flag+"="+text)
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	flagged.Register(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(&named)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(named, flagged) || !reflect.DeepEqual(named, read) {
		t.Errorf("by name %+v\nby flag %+v\nby JSON %+v", named, flagged, read)
	}
}

// The Path of each field is a field that exists, and setting it changes that one only.
func TestFields_NameTheFieldsThatTheySet(t *testing.T) {
	for _, f := range pangolin.Fields() {
		var r pangolin.Request
		if err := f.Set(&r, texts()[f.Flag]); err != nil {
			t.Fatal(err)
		}
		v := reflect.ValueOf(&r).Elem()
		for _, name := range strings.Split(strings.TrimPrefix(f.Path, "Request."), ".") {
			if v = v.FieldByName(name); !v.IsValid() {
				t.Fatalf("there is no %s", f.Path)
			}
		}
		if v.IsZero() {
			t.Errorf("%s does not set %s", f.Flag, f.Path)
		}
		v.SetZero()
		if !reflect.DeepEqual(r, pangolin.Request{}) {
			t.Errorf("%s sets more than %s: %+v", f.Flag, f.Path, r)
		}
	}
}

// What is out of range is refused with the field's name, however it was set.
func TestFields_RefuseWhatIsOutOfRange(t *testing.T) {
	for flagName, text := range map[string]string{"protocol": "sometimes", "property": "sometimes", "engine": "magic", "threads": "some",
		"steps": "1..", "per-thread": "0", "values": "-1", "thread-sym": "perhaps", "hash": "perfect", "preempt": "few", "mode": "both",
		"timeout": "-1s", "max-states": "-1", "max-memory": "-1", "j": "0", "reduce": "magic", "leaks": "some", "time": "real", "prove": "perhaps"} {
		var r pangolin.Request
		if err := r.Set(flagName, text); err == nil || !strings.Contains(err.Error(), "Request.") {
			t.Errorf("%s %q: %v", flagName, text, err)
		}
	}
	for _, r := range []pangolin.Request{{Property: "sometimes"}, {Scope: pangolin.Scope{Threads: "x"}}, {Scope: pangolin.Scope{PerThread: -1}},
		{Search: pangolin.Search{Timeout: -1}}, {Search: pangolin.Search{MaxMemory: -1}}, {Engine: "magic"}} {
		if _, err := pangolin.Verify(context.Background(), r); err == nil || !strings.HasPrefix(err.Error(), "Request.") {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Every directive of the table is one, the user's word wins, and others are refused.
func TestFields_Directives(t *testing.T) {
	verify := func(directive string, r pangolin.Request) error {
		source := "package example\n\nimport \"sync/atomic\"\n\n" + directive + "\ntype Box struct{ n atomic.Int64 }\n\nfunc (b *Box) Inc() { b.n.Add(1) }\n\nfunc (b *Box) Get() int64 { return b.n.Load() }\n"
		dir, done := modules.Take(t, source)
		defer done()
		r.Dir = dir
		_, err := pangolin.Prepare(modules.Context, r)
		return err
	}
	texts := map[string]string{"new": "new(Box)", "ops": "Inc,Get", "roles": "Inc:1", "kind": "counter", "protocol": "nonblocking",
		"oracle": "self", "property": "sc", "config": "A", "unfair": "", "leaks": "none", "expect": "verified"}
	for _, f := range pangolin.Fields() {
		if f.Directive == "" {
			continue
		}
		if err := verify("//pangolin:"+f.Directive+" "+texts[f.Directive], pangolin.Request{}); err != nil {
			t.Errorf("%s: %v", f.Directive, err)
		}
	}
	if err := verify("//pangolin:roles Inc:9", pangolin.Request{}); err == nil {
		t.Error("a role of a thread that there is not")
	}
	if err := verify("//pangolin:roles Inc:9", pangolin.Request{Roles: "Inc:1"}); err != nil {
		t.Errorf("the user's word does not win: %v", err)
	}
	if err := verify("//pangolin:threads 2", pangolin.Request{}); err == nil || !strings.Contains(err.Error(), "example.go:5: example.Box: //pangolin:threads 2: unknown directive: there are new, prefix, ops") {
		t.Errorf("a directive that is none: %v", err)
	}
	for where, want := range map[string]string{
		"//pangolin:kind counter\n":                 "example.go:5: nobody reads //pangolin:kind counter here", // not right above the type
		"func f() {\n\t//pangolin:roles Inc:1\n}\n": "example.go:6: nobody reads",
		"//pangolin:oracle self\nfunc f() {}\n":     "example.go:5: nobody reads",
		"func f() {\n\t//pangolin:point\n}\n":       "", // what else reads them says what is wrong
	} {
		if err := verify(where, pangolin.Request{}); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", where, err)
		}
	}
}

// A flag's usage names its value, so that help texts show it.
func TestFields_HaveUsageTexts(t *testing.T) {
	var r pangolin.Request
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	r.Register(fs)
	fs.VisitAll(func(f *flag.Flag) {
		name, usage := flag.UnquoteUsage(f)
		if usage == "" || name == "value" {
			t.Errorf("-%s %s: %s", f.Name, name, usage)
		}
	})
}

// Values that shells and editors complete are valid.
func TestFields_TakeTheirValues(t *testing.T) {
	n := 0
	for _, f := range pangolin.Fields() {
		for _, value := range f.Values {
			var r pangolin.Request
			if err := r.Set(f.Flag, value); err != nil {
				t.Error(err)
			}
			if n++; f.Text(&r) == "" && value != "mgc" {
				t.Errorf("-%s %s sets nothing", f.Flag, value)
			}
		}
	}
	if n < 30 {
		t.Errorf("%d values", n)
	}
}
