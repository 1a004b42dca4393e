// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// constructors are how the collections are made whose constructors have arguments.
var constructors = map[string]string{"EliminationBackoffStack": "NewEliminationBackoffStack[int](1, 2)", "CountedStack": "NewCountedStack(2)", "Rowed": "NewRowed(2)", "EliminationQueue": "NewEliminationQueue[int](1, 1)",
	"HerlihyWingQueue": "NewHerlihyWingQueue[int](8)", "CCAS": "NewCCAS[int](0)", "RDCSS": "NewRDCSS[int](0, 0)"}

// TestSearch_ProvesNoBrokenAlgorithm plants the faults that the tests of the engine points plant in
// published algorithms. The table says what became of each.
func TestSearch_ProvesNoBrokenAlgorithm(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	list, err := txtar.ParseFile("../points/testdata/broken.txt")
	if err != nil {
		t.Fatal(err)
	}
	const table = "testdata/broken.txt"
	text, err := os.ReadFile(table)
	if err != nil && !flags.Update() {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	faults := map[string]int{}
	for i := 0; i+1 < len(list.Files); i += 2 {
		name, fault, _ := strings.Cut(list.Files[i].Name, ": ")
		file, typ, _ := strings.Cut(name, " ")
		faults[typ]++
		t.Run(typ+" "+fault, func(t *testing.T) {
			if !flags.Update() && level.Out(i/2, 10) {
				t.Skip("some faults will do; -level more plants all")
			}
			from, to := strings.TrimSuffix(string(list.Files[i].Data), "\n"), strings.TrimSuffix(string(list.Files[i+1].Data), "\n")
			what, proved := attempt(t, changed(t, file, typ, [2]string{from, to}), 4_000)
			if proved {
				t.Error("proved")
			}
			line := fmt.Sprintf("%s, %s: %s", typ, fault, what)
			if known := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, typ+", "+fault+": ") }); known < 0 {
				lines = append(lines, line)
			} else if lines[known] != line && !flags.Update() {
				t.Errorf("%s has %q, want %q", table, lines[known], line)
			} else {
				lines[known] = line
			}
		})
	}
	if len(faults) != 19 {
		t.Errorf("there are faults of %d algorithms", len(faults))
	}
	if flags.Update() {
		if err := os.WriteFile(table, []byte(strings.TrimSpace(strings.Join(lines, "\n"))+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// changed loads a collection with a text in its file replaced.
func changed(t *testing.T, file, typ string, change [2]string) *subject.Subject {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../../collections", file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), change[0]) != 1 {
		t.Fatalf("%s has %q %d times", file, change[0], strings.Count(string(text), change[0]))
	}
	o := collectionOf(t, filepath.Dir(file), typ)
	o.Overrides.New = constructors[typ]
	if typ == "HerlihyWingQueue" {
		p, _ := oracle.ParseProtocol("bounded(8)")
		o.Overrides.Protocol = p
	}
	o.Listed = o.Listed.Overlay(map[string][]byte{path: []byte(strings.Replace(string(text), change[0], change[1], 1))})
	s, err := o.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
