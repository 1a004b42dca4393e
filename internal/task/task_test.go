// SPDX-License-Identifier: BSD-3-Clause

package task_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"pangolin/internal/closure"
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/find"
	"pangolin/internal/inquiry"
	"pangolin/internal/mutant"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// tasks are those about the collections of packages, in a small scope.
func tasks(t *testing.T, ctx context.Context, packages ...string) (list []*task.Task) {
	t.Helper()
	q := find.Query{Packages: packages, Note: func(string, ...any) {}, Overrides: func(directives []string) (find.Wishes, error) {
		return find.Wishes{Threads: 3}, nil
	}}
	found, _, err := q.Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		terms := &inquiry.Terms{Bounds: engine.Bounds{Config: "2x3"}, Search: engine.Search{Reduce: engine.AllReductions, MaxStates: 20_000}, Small: true}
		one, err := task.New(f, terms, task.Asked{Properties: []verdict.Property{verdict.Linear, verdict.Sequential}, Strongest: true}, func(string) {})
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		list = append(list, one)
	}
	return list
}

// written is a task that somebody else has written and this process reads.
func written(t *testing.T, of *task.Task) *task.Task {
	t.Helper()
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var read task.Task
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(&read); err != nil || !bytes.Equal(again, text) {
		t.Errorf("what was read is another task (%v):\n%s\nwant\n%s", err, again, text)
	}
	return &read
}

// text is a result without the fields that are named for what the machine needed.
func text(t *testing.T, r task.Result) string {
	t.Helper()
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		v.Seconds, v.PeakBytes = 0, 0
		v.Asked = slices.Clone(v.Asked)
		for k := range v.Asked {
			v.Asked[k].Seconds = 0
		}
	}
	if r.Mutant != nil {
		r.Mutant.Seconds = 0
	}
	out, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// A task says all that its result depends on: one that was written and is read where nothing has been found or compiled comes to
// the same verdicts, witnesses and questions, whoever else is at work.
func TestTask_IsPlainData(t *testing.T) {
	ctx := find.NewAnswers().Within(t.Context())
	packages := []string{"pangolin/collections/..."}
	if level.Short() {
		packages = []string{"pangolin/collections/queue", "pangolin/collections/conditional"}
	}
	list := tasks(t, ctx, packages...)
	var others []*task.Task
	for _, one := range list {
		others = append(others, written(t, one))
	}
	var want []string
	violated, hinted := 0, 0
	for one, r := range (&task.Here{}).Run(ctx, slices.Values(list)) {
		if r.Err != nil {
			t.Errorf("%s: %v", one.Wishes.Type, r.Err)
		}
		for _, v := range r.Verdicts {
			if v.Status == verdict.Violated {
				violated++
			}
			hinted += len(v.Hints)
		}
		want = append(want, text(t, r))
		one.Forget()
	}
	i := 0
	for one, r := range (&task.Here{Workers: 2, AtOnce: 2}).Run(ctx, slices.Values(others)) {
		if got := text(t, r); got != want[i] {
			t.Errorf("%s: read elsewhere:\n%s\nwant\n%s", one.Wishes.Type, got, want[i])
		}
		one.Forget()
		i++
	}
	if t.Logf("%d tasks, %d violated, %d hints", i, violated, hinted); i != len(list) || violated == 0 {
		t.Errorf("%d of %d tasks have results, %d are violated", i, len(list), violated)
	}
}

// A mutant is judged elsewhere as it is here.
func TestTask_OfAMutantIsPlainData(t *testing.T) {
	ctx := find.NewAnswers().Within(t.Context())
	found := tasks(t, ctx, "pangolin/collections/stack.LockFreeStack")[0]
	q, err := found.Inquiry().Held(ctx, inquiry.Engines{})
	if err != nil {
		t.Fatal(err)
	}
	order, err := q.Reading.Order()
	if err != nil {
		t.Fatal(err)
	}
	s, err := order.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutant.All(ctx, order, s)
	if err != nil {
		t.Fatal(err)
	}
	usual := engines.All()[0]
	var here, elsewhere []*task.Task
	for i := range list {
		variant, err := list[i].Subject(ctx, order, s)
		if err != nil {
			continue // it does not compile
		}
		p := list[i]
		one := found.Planted(&task.Mutant{Fault: verdict.Mutant{ID: p.ID, File: p.File.Name, Line: p.Line, Diff: p.Diff()}, Text: p.Text(),
			Stages: []task.Stage{{Scope: q.Scope[0], Search: found.Terms.Search}}}, variant, &usual)
		here, elsewhere = append(here, one), append(elsewhere, written(t, one))
	}
	var want []string
	for _, r := range (&task.Here{}).Run(ctx, slices.Values(here)) {
		want = append(want, text(t, r))
	}
	i, killed := 0, 0
	for _, r := range (&task.Here{AtOnce: 2}).Run(ctx, slices.Values(elsewhere)) {
		if r.Mutant != nil && r.Mutant.Outcome == verdict.Killed {
			killed++
		}
		if got := text(t, r); got != want[i] {
			t.Errorf("elsewhere:\n%s\nwant\n%s", got, want[i])
		}
		i++
	}
	if i != len(here) || killed == 0 {
		t.Errorf("%d of %d mutants were tried, %d are killed", i, len(here), killed)
	}
	original := &task.Original{}
	for _, limit := range []time.Duration{0, 1} { // code that was compiled under a limit on time, which was met, is not kept
		one, terms := *here[0], *here[0].Terms
		terms.Search.Timeout, one.Terms = limit, &terms
		text, err := json.Marshal(&one)
		if err != nil {
			t.Fatal(err)
		}
		_, lasting, err := (&task.Here{Original: original}).Answer(ctx, text)
		if kept := !reflect.DeepEqual(original, &task.Original{}); err != nil || lasting != (limit == 0) || kept != lasting {
			t.Errorf("within %v: the result is lasting: %v, the code is kept: %v, %v", limit, lasting, kept, err)
		}
	}
}

// A key stands for the sources by what is in them, and for what is asked; not for where they are, or how many workers there are.
func TestKey_StandsForWhatTheResultDependsOn(t *testing.T) {
	const source = "package box\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { c.n.Add(1) }\n\nfunc (c *Counter) Value() int64 { return c.n.Load() }\n"
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	module := func() string {
		dir := t.TempDir()
		write(dir, "go.mod", "module example.com/box\n\ngo 1.26\n")
		write(dir, "box.go", source)
		return dir
	}
	key := func(dir string, workers int, change func(*task.Task)) string {
		terms := &inquiry.Terms{Bounds: engine.Bounds{Config: "2x3"}, Search: engine.Search{Reduce: engine.AllReductions, Workers: workers}}
		one := &task.Task{Place: task.Place{Module: "example.com/box", Package: "example.com/box", Patterns: []string{"example.com/box"}},
			Wishes: find.Wishes{Type: "Counter"}, Terms: terms, Asked: task.Asked{Properties: []verdict.Property{verdict.Linear}}}
		change(one)
		c, err := closure.List(t.Context(), closure.Query{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		k, err := one.Key(c.Packages[0].Digest, "tool")
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	same := func(*task.Task) {}
	dir := module()
	usual := key(dir, 1, same)
	if moved := key(module(), 1, same); moved != usual {
		t.Error("another directory, another key")
	}
	if more := key(dir, 8, same); more != usual {
		t.Error("more workers, another key")
	}
	keys := map[string]string{usual: "nothing"}
	differs := func(what, k string) {
		if other := keys[k]; other != "" {
			t.Errorf("%s has the key of %s", what, other)
		}
		keys[k] = what
	}
	for what, change := range map[string]func(*task.Task){
		"property":   func(k *task.Task) { k.Properties = []verdict.Property{verdict.Sequential} },
		"scope":      func(k *task.Task) { k.Terms.Bounds.Config = "2x4" },
		"reductions": func(k *task.Task) { k.Terms.Search.Reduce = 0 },
		"limit":      func(k *task.Task) { k.Terms.Search.MaxStates = 5 },
		"oracle":     func(k *task.Task) { k.Wishes.Oracle = find.ParseOracle("self") },
		"mutant":     func(k *task.Task) { k.Mutant = &task.Mutant{Text: []byte("package box")} },
	} {
		differs(what, key(dir, 1, change))
	}
	write(dir, "box.go", source+"\n// changed\n")
	differs("a comment", key(dir, 1, same))
	write(dir, "more.go", "package box\n")
	differs("another file", key(dir, 1, same))
	write(dir, "go.mod", "module example.com/box\n\ngo 1.25\n")
	differs("another version of the language", key(dir, 1, same))
}
