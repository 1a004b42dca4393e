package native

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// testFaults are faults of what executes tests, and a test of testdata that shows each.
var testFaults = []struct{ wrong, file, from, to string }{
	{"timers fire at any moment", "driver", "turnVirtual(x.whole)", "turnVirtual(false)"},
	{"who waits for a moment goes on beside the others", "driver", "|| x.whole && x.list[i].kind == kindTimer", ""},
	{"any moment comes next", "driver", "|| g.addr < when {", "{"},
	{"of one moment's timers the first fires first", "driver", "} else if g.addr == when {", "} else if false {"},
	{"the process stays as a test has left it", "outside", "	reset()\n", "	os.Setenv(\"LEFT\", \"behind\")\n	reset()\n"},
	{"what a test has failed by is forgotten", "testing_turn", "if root.Failed() {", "if false {"},
	{"TestMain is not executed", "testing_turn", "if main == nil {", "if true {"},
	{"a test may exit with 0", "testing_turn", "exits.SetPanicOnExit0(true)", "exits.SetPanicOnExit0(false)"},
}

var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// endsOfTests tells in which ways each test of the engine's testdata ends, under a hundred schedules.
func endsOfTests(t *testing.T) (list []string) {
	t.Helper()
	module, err := filepath.Abs("../engine/schedules/testdata/tests")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []TestPackage{{Package: "tested/both", Name: "both"}, {Package: "tested/native", Name: "native_test", External: true}, {Package: "tested/around", Name: "around", TestMain: true}} {
		dir := filepath.Base(p.Package)
		p.Dir = filepath.Join(module, dir)
		text, err := os.ReadFile(filepath.Join(p.Dir, dir+"_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
			p.Tests = append(p.Tests, m[1])
		}
		s, err := NewTests(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i, name := range p.Tests {
			if strings.HasPrefix(name, "TestServer") {
				continue
			}
			a, err := s.Draw(context.Background(), Sampling{Client: Client{Threads: [][]Call{{{Op: i, Args: []int64{0}}}}}, Count: 100, Steps: 20_000, Races: true, Ways: []Way{{Random, 0}}})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(name, a.Cut > 0, a.Fault))
			for _, d := range a.Drawn {
				list = append(list, fmt.Sprint(name, d.Ending, d.Text, d.Waits, d.Results, d.Code))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestTests_ShowAPlantedFault(t *testing.T) {
	level.SkipShort(t, "builds the tests once for each fault")
	sound := endsOfTests(t)
	for i, f := range testFaults {
		t.Run(f.wrong, func(t *testing.T) {
			if i%4 != 0 && !level.More() {
				t.Skip("every fourth will do; -level more plants all")
			}
			patches = damaged{embedded, f.file, f.from, f.to}
			defer func() { patches = embedded }()
			ends := endsOfTests(t)
			if slices.Equal(ends, sound) {
				t.Error("no test shows it")
			}
			for _, e := range ends {
				if !slices.Contains(sound, e) {
					t.Log(e)
				}
			}
		})
	}
}

// SPDX-License-Identifier: BSD-3-Clause
