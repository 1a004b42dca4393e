// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/engine/unbounded"
	"pangolin/internal/find"
	"pangolin/internal/front"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Generated collections: whatever is proved is verified by the bounded engine.

// module writes a module of packages, one for each text, and loads the one collection of each.
func module(t *testing.T, texts map[string]string) map[string]*subject.Subject {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module made\n\ngo 1.24\n")
	for name, text := range texts {
		write(name+"/"+name+".go", text)
	}
	q := find.Query{Dir: dir, Packages: []string{"./..."}, Overrides: wishes, Note: func(string, ...any) {}}
	ctx := front.Share(context.Background())
	found, _, err := q.Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*subject.Subject{}
	for _, f := range found {
		o := &subject.Order{Listed: f.Listed, Patterns: f.Patterns, Overrides: f.Overrides}
		s, err := o.Load(ctx)
		if err != nil {
			t.Logf("%s: %v", f.Listed.Path, err)
			continue
		}
		out[filepath.Base(f.Listed.Path)+"."+f.Overrides.Type] = s
	}
	return out
}

// wishes reads the directives of types that say what they are.
func wishes(directives []string) (w collection.Overrides, err error) {
	for _, line := range directives {
		name, value, _ := strings.Cut(line, " ")
		switch name {
		case "kind":
			w.Kind = oracle.Kind(value)
		case "oracle":
			w.Oracle = collection.ParseOracle(value)
		case "ops":
			w.Ops = strings.Split(value, ",")
		case "new":
			w.New = value
		case "protocol":
			w.Protocol, err = oracle.ParseProtocol(value)
		}
	}
	return w, err
}

// TestProve_AgreesAboutGeneratedCollections asks all engines about generated collections, right and wrong: arrays,
// slices, maps, rings, words, lists, each with ways to synchronise and faults. Of what is proved
// with so many items the bounded engine may find nothing wrong with so many insertions; and what the engine without
// bounds proves has nothing wrong either.
func TestProve_AgreesAboutGeneratedCollections(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	texts := map[string]string{}
	from, to := flags.Numbers(1, 16)
	step := 5 // every fifth will do
	if level.More() {
		step = 1
	}
	for seed := from; seed <= to; seed += step {
		c := generator.Patterned(uint64(seed))
		texts[fmt.Sprintf("p%d", seed)] = c.Source
	}
	all := generator.Chained()
	from, to = flags.Numbers(61, 68)
	for i := max(1, from); i <= min(to, len(all)); i += step {
		texts[fmt.Sprintf("c%d", i)] = generator.ChainedHead + "\n" + all[i-1].Source(all[i-1].Design)
	}
	count := map[string]int{}
	subjects := module(t, texts)
	for _, name := range sortedKeys(subjects) {
		s := subjects[name]
		what := compared(t, name, s)
		count[what]++
		t.Logf("%s: %s", name, what)
	}
	t.Logf("%d of %d could be loaded: %v", len(subjects), len(texts), count)
	if n := len(subjects); n < len(texts)/2 || n > 20 && (count["proved"]+count["proved by both"] < n/10 || count["goes wrong"] < n/10) {
		t.Errorf("of %d collections %d: %v: that compares little", len(texts), n, count)
	}
}

func sortedKeys(m map[string]*subject.Subject) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// compared asks the three engines about one collection.
func compared(t *testing.T, name string, s *subject.Subject) string {
	t.Helper()
	_, err := ask(s, 2, 8_000)
	if err != nil && strings.Contains(err.Error(), "withdrawn") {
		t.Errorf("%s: %v", name, err)
	}
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions, MaxStates: 2_000}}
	v, _, never := unbounded.Attempt(repository, j, engine.Events{})
	unbound := never == nil && v.Status == verdict.Proved
	found := wrong{}
	for _, scope := range [][2]int{{2, 3}, {3, 3}, {2, 4}} {
		if found = goesWrong(t, s, scope); found.what != "" {
			break
		}
	}
	switch {
	case found.what != "" && unbound:
		t.Errorf("%s is proved for any number of items, and there is a %s", name, found.what)
	case found.what != "" && found.provedWithin(s, err):
		t.Errorf("%s is proved with %d items, and there is a %s", name, found.items, found.what)
	}
	switch {
	case err == nil && unbound:
		return "proved by both"
	case err == nil && found.what != "":
		return "proved, and goes wrong with more items"
	case err == nil:
		return "proved"
	case unbound:
		return "proved by the other alone"
	case found.what != "":
		return "goes wrong"
	}
	return "not proved: " + reason(err)
}

// reason is the kind of an error.
func reason(err error) string {
	switch err.(type) {
	case *outsideError:
		return "not modelled"
	case *limitError:
		return "limit"
	}
	return "alarm"
}
