// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Whatever points accept of generated types, found or drawn, the monitor verifies: fifteen types, 300 with -level more, 2,000 with -level all.
func TestPoints_AcceptNothingWrongOfGeneratedTypes(t *testing.T) {
	level.SkipShort(t, "decides generated types")
	n := 15
	switch {
	case level.All():
		n = 2000
	case level.More():
		n = 300
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module generated\n\ngo 1.26\n")
	for seed := range n {
		make := []func(uint64) generator.Collection{generator.Object, generator.Patterned, generator.Encounter}[seed%3]
		name := fmt.Sprintf("t%d", seed)
		write(name+"/t.go", strings.Replace(make(uint64(seed/3)).Source, "package types", "package "+name, 1))
	}
	q := find.Query{Dir: dir, Packages: []string{"./..."}, Note: func(string, ...any) {},
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{}, nil }}
	found, _, err := q.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	judged, accepted := 0, 0
	for k, f := range found {
		j, err := generated(t, f)
		if err != nil { // it cannot be executed
			continue
		}
		judged++
		n, err := contrary(j, rand.New(rand.NewPCG(uint64(k), 36)))
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		accepted += n
	}
	t.Logf("%d types, accepted %d times", judged, accepted)
	if judged < n/2 || accepted < n/20 {
		t.Errorf("of %d types %d were judged and accepted %d times: too few to say anything", n, judged, accepted)
	}
}

// generated is a job about a generated type, with two threads and three calls.
func generated(t *testing.T, f *find.Target) (*engine.Job, error) {
	t.Helper()
	ops, values := f.Operations()
	b := engine.Bounds{Config: "2x3"}
	scopes, err := b.Scopes(&engine.Operations{Kind: f.Found.Kind, Protocol: f.Found.Protocol, List: ops, Values: values})
	if err != nil {
		return nil, err
	}
	o := subject.Order{Listed: f.Listed, Patterns: f.Patterns, Overrides: f.Overrides, Ops: ops, Most: scopes.Words()}
	s, err := o.Load(t.Context())
	if err != nil {
		return nil, err
	}
	return &engine.Job{Subject: s, Property: verdict.Linear, Scope: scopes[0], Search: engine.Search{Reduce: vm.AllReductions, MaxStates: 20_000, MaxBytes: 1 << 30}}, nil
}
