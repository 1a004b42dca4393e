package pangolin_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin"
	"pangolin/internal/sparing"
	"pangolin/verdict"
)

// serverPackage is a package as servers have them, with a defect that can be planted.
type serverPackage struct {
	name, file, source string
	old, new           string
}

func serverPackages(t *testing.T) (list []serverPackage) {
	t.Helper()
	files, err := filepath.Glob("testdata/packages/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil || len(a.Files) != 3 {
			t.Fatalf("%s: %v", file, err)
		}
		p := serverPackage{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: a.Files[0].Name,
			source: string(a.Files[0].Data), old: string(a.Files[1].Data), new: string(a.Files[2].Data)}
		if strings.Count(p.source, p.old) != 1 {
			t.Fatalf("%s: what the defect replaces is there %d times", file, strings.Count(p.source, p.old))
		}
		list = append(list, p)
	}
	return list
}

// TestVerify_TellsPackagesOfServersFromDefectiveOnes verifies packages of the sorts that servers
// are made of: each with a defect, without flags, and as it is, without flags with -more.
func TestVerify_TellsPackagesOfServersFromDefectiveOnes(t *testing.T) {
	sparing.InShort(t, "verifies packages of a server each, right and wrong")
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example\n\ngo 1.26\n")
	var packages []serverPackage // every third; with -more all
	for i, p := range serverPackages(t) {
		if !sparing.Out(i, 3, *more) {
			packages = append(packages, p)
		}
	}
	for _, p := range packages {
		write("right/"+p.name+"/"+p.file, p.source)
		write("wrong/"+p.name+"/"+p.file, strings.Replace(p.source, p.old, p.new, 1))
	}
	verify := func(r pangolin.Request, want verdict.Status) int {
		r.Dir = dir
		list, err := pangolin.Verify(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if v.Status != want || len(v.LeftOut) > 0 {
				t.Errorf("%s: %s is %s; left out %v; %s", r.Packages, v.Collection, v.Status, v.LeftOut, v.Reason)
			}
		}
		return len(list)
	}
	n := verify(pangolin.Request{Packages: []string{"./wrong/..."}, Expect: "violated"}, verdict.Violated) // no hints
	// What goes on beside every operation of the flusher takes the oracle self minutes in
	// configuration D; the hub takes seconds there.
	small := pangolin.Request{Scope: pangolin.Scope{Config: "B"}}
	usual := pangolin.Request{}
	for _, p := range packages {
		r := &small
		if *more && p.name != "flusher" && p.name != "pubsub" {
			r = &usual
		}
		r.Packages = append(r.Packages, "./right/"+p.name)
	}
	for _, r := range []pangolin.Request{small, usual} {
		if len(r.Packages) > 0 {
			n += verify(r, verdict.Verified)
		}
	}
	if n != 2*len(packages) {
		t.Errorf("%d verdicts for %d packages", n, len(packages))
	}
}
