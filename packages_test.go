// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// serverPackage is a package as servers have them, with defects that can be planted.
type serverPackage struct {
	name, file, source string
	defects            []string // the source with one of them
}

func serverPackages(t *testing.T) (list []serverPackage) {
	t.Helper()
	files, err := filepath.Glob("testdata/packages/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil || len(a.Files) < 3 || len(a.Files)%2 == 0 {
			t.Fatalf("%s: %d files: %v", file, len(a.Files), err)
		}
		p := serverPackage{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: a.Files[0].Name, source: string(a.Files[0].Data)}
		for i := 1; i < len(a.Files); i += 2 {
			planted, old := string(a.Files[i+1].Data), string(a.Files[i].Data)
			if strings.Count(p.source, old) != 1 {
				t.Fatalf("%s: what defect %d replaces is there %d times", file, i/2+1, strings.Count(p.source, old))
			}
			p.defects = append(p.defects, strings.Replace(p.source, old, planted, 1))
		}
		list = append(list, p)
	}
	return list
}

// writeModule writes a module of files, with a go.mod, into a directory of the test's own.
func writeModule(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files = maps.Clone(files)
	files["go.mod"] = "module example\n\ngo 1.26\n"
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// slowPackages are those that take minutes in the usual scope: what goes on beside their operations
// makes every state an exploration of its own for the oracle self.
var slowPackages = map[string]bool{"flusher": true, "pubsub": true, "ttlcache": true, "tokenbucket": true, "keylock": true}

// beyondUsual are the configurations in which defects of slow packages show. None shows in D, and the search of a configuration beside D
// ends at its limit before it comes to the defect.
var beyondUsual = map[string]string{"keylock2": "2x4", "tokenbucket1": "2x5"}

// undecidedPackages are refused as they are, and with some of their defects, with a reason.
var undecidedPackages = map[string]string{
	"drain":   "calls that return only if others meet them",
	"keylock": "calls that return only if others meet them",
}

// TestVerify_TellsPackagesOfServersFromDefectiveOnes verifies packages of the sorts that servers
// are made of: with each of their defects, without flags but for beyondUsual (the first one only without -level more, which takes every ninth package that is not slow), and as they are,
// without flags with -level more.
func TestVerify_TellsPackagesOfServersFromDefectiveOnes(t *testing.T) {
	level.SkipShort(t, "verifies packages of a server each, right and wrong")
	files := map[string]string{}
	var packages []serverPackage // every ninth that is not slow; with -level more all
	for i, p := range serverPackages(t) {
		if !level.Out(i, 9) && (level.More() || !slowPackages[p.name]) {
			packages = append(packages, p)
		}
	}
	for _, p := range packages {
		files["right/"+p.name+"/"+p.file] = p.source
		for i, source := range p.defects {
			files[fmt.Sprintf("wrong/%s%d/%s", p.name, i+1, p.file)] = source
		}
	}
	dir, shared := writeModule(t, files), front.Share(context.Background())
	verify := func(t *testing.T, r pangolin.Request, p *serverPackage, want verdict.Status) {
		r.Dir = dir
		list, err := pangolin.Verify(shared, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 1 {
			t.Fatalf("%d verdicts", len(list))
		}
		v := list[0]
		if why := undecidedPackages[p.name]; why != "" && v.Status == verdict.Unknown && strings.Contains(v.Reason, why) {
			return
		}
		if v.Status != want || v.Status == verdict.Verified && len(v.LeftOut) > 0 {
			t.Errorf("%s is %s; left out %v; %s", v.Collection, v.Status, v.LeftOut, v.Reason)
		}
	}
	for _, p := range packages {
		for i := range p.defects {
			name := fmt.Sprintf("./wrong/%s%d", p.name, i+1)
			t.Run(name, func(t *testing.T) {
				if i > 0 && !level.More() {
					t.Skip("the package's first defect will do; -level more tries all")
				}
				r := pangolin.Request{Packages: []string{name}}
				r.Scope.Config = beyondUsual[fmt.Sprint(p.name, i+1)]
				verify(t, r, &p, verdict.Violated)
			})
		}
		name := "./right/" + p.name
		t.Run(name, func(t *testing.T) {
			r := pangolin.Request{Packages: []string{name}}
			if !level.More() || slowPackages[p.name] {
				r.Scope.Config = "B"
			}
			verify(t, r, &p, verdict.Verified)
		})
	}
}
