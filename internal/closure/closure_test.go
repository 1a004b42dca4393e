// SPDX-License-Identifier: BSD-3-Clause

package closure

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// Whatever a package is compiled from changes its digest, and nothing else does. The tests write a module with every sort of file
// that the go command knows, and edit it.

// tree is a module a in which package p imports another package, one of a replaced module and some of the standard library.
func tree() map[string]string {
	return map[string]string{
		"m/go.mod":            "module m\n\ngo 1.24\n\nrequire dep v0.0.0\n\nreplace dep => ../dep\n",
		"m/go.sum":            "example v1.0.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
		"m/p/p.go":            "package p\n\nimport (\n\t_ \"embed\"\n\t\"sync/atomic\"\n\n\t\"dep\"\n\t\"m/q\"\n)\n\n//go:embed data\nvar text string\n\nvar N atomic.Int64\n\nfunc F() int { return q.Q + dep.D + len(text) }\n",
		"m/p/data":            "embedded\n",
		"m/p/p_linux.go":      "package p\n\nvar system = 1\n",
		"m/p/p_windows.go":    "package p\n\nvar system = 2\n",
		"m/p/tagged.go":       "//go:build special\n\npackage p\n\nvar special = 1\n",
		"m/p/c.go":            "package p\n\nimport \"C\"\n\nvar c = 1\n",
		"m/p/stub.go":         "package p\n\nfunc stub() int\n",
		"m/p/asm_amd64.s":     "TEXT ·stub(SB),0,$0-8\n\tRET\n",
		"m/p/asm_arm64.s":     "TEXT ·stub(SB),0,$0-8\n\tRET\n",
		"m/p/p_test.go":       "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n",
		"m/p/outside_test.go": "package p_test\n\nimport \"testing\"\n\nfunc TestG(t *testing.T) {}\n",
		"m/p/testdata/x.go":   "package x\n",
		"m/p/README":          "nothing is compiled from this\n",
		"m/q/q.go":            "package q\n\nvar Q = 1\n",
		"m/other/other.go":    "package other\n",
		"dep/go.mod":          "module dep\n\ngo 1.24\n",
		"dep/dep.go":          "package dep\n\nvar D = 1\n",
	}
}

// free lists the files that no digest without tests covers, with the reason.
var free = map[string]string{
	"m/p/testdata/x.go": "the go command passes testdata over",
	"m/p/README":        "nothing is compiled from it",
	"m/other/other.go":  "the package does not import it",
	"dep/go.mod":        "only what main modules require counts, and the language version, which is tested below",
	"m/p/asm_arm64.s":   "it is another platform's",
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// digestOf is the digest of package p; "": the go command finds an error in what it is made of.
func digestOf(t *testing.T, dir string, tests bool) string {
	t.Helper()
	c, err := List(context.Background(), Query{Dir: filepath.Join(dir, "m"), Patterns: []string{"./p"}, Tests: tests})
	if err != nil || len(c.Packages) != 1 {
		return ""
	}
	return c.Packages[0].Digest
}

// platform fixes the one that the tree is about.
func platform(t *testing.T) {
	for name, value := range map[string]string{"GOOS": "linux", "GOARCH": "amd64", "GOFLAGS": "", "GOWORK": "", "GOEXPERIMENT": "", "GODEBUG": "", "GOENV": "off"} {
		t.Setenv(name, value)
	}
}

// Single bytes of files are changed at random, mostly in comments behind the text, so that packages stay sound.
func TestDigest_ChangesWithEachByteOfWhatIsCompiled(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	before := digestOf(t, dir, false)
	if before == "" {
		t.Fatal("the tree has no digest")
	}
	var names []string
	for name := range tree() {
		names = append(names, name)
	}
	slices.Sort(names)
	edits := 2 * len(names)
	if level.More() {
		edits = 500
	}
	rng := rand.New(rand.NewPCG(32, 1))
	changed := 0
	for i := range edits {
		name := names[i%len(names)]
		text := []byte(tree()[name])
		how := rng.IntN(3)
		switch at := rng.IntN(len(text)); {
		case i < len(names) || how == 0: // each file once with an edit that keeps it sound
			text = append(text, 10)
		case how == 1:
			text[at] ^= 1 << rng.IntN(7)
		default:
			text = slices.Delete(text, at, at+1)
		}
		write(t, dir, map[string]string{name: string(text)})
		after := digestOf(t, dir, false)
		write(t, dir, map[string]string{name: tree()[name]})
		switch why, same := free[name], after == before; {
		case after == "": // an error: nothing is kept
		case name == "dep/go.mod" && !strings.Contains(string(text), "\ngo 1.24\n"): // another language version, or none
		case same && why == "":
			t.Errorf("%s: the digest stays with the text\n%s", name, text)
		case !same && why != "":
			t.Errorf("%s: the digest has changed, although %s:\n%s", name, why, text)
		default:
			changed++
		}
	}
	if changed < len(names) {
		t.Errorf("only %d of %d edits leave a package without errors", changed, edits)
	}
	if digestOf(t, dir, false) != before {
		t.Error("the same text has another digest")
	}
	t.Logf("%d edits, %d of packages without errors", edits, changed)
}

// Each file that is stamped counts: with another content of any one, the digest is another.
func TestDigest_CoversEachFileOfTheClosure(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	q := Query{Dir: filepath.Join(dir, "m"), Patterns: []string{"./p"}}
	list, err := q.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	root := func(other string) Package {
		d := &digester{packages: map[string]*listed{}, known: map[string][]byte{}, files: map[string][]byte{}, stamps: map[string]stamp{}}
		var p *listed
		for _, l := range list {
			if d.packages[l.ImportPath] = l; l.ImportPath == "m/p" {
				p = l
			}
		}
		if other != "" {
			d.files[other] = []byte("another content")
		}
		found, err := d.root(p, false)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	whole, library := root(""), 0
	for file := range whole.stamps {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			continue
		}
		if strings.Contains(file, filepath.FromSlash("/src/sync/atomic/")) {
			library++
		}
		if root(file).Digest == whole.Digest {
			t.Errorf("%s does not count", file)
		}
	}
	if library < 3 {
		t.Errorf("%d files of sync/atomic count", library)
	}
}

// Edits that are more than a byte of one file.
func TestDigest_ChangesWithWhatDecidesWhatIsCompiled(t *testing.T) {
	edits := []struct {
		name string
		do   func(t *testing.T, dir string)
		same string // why the digest stays; "": it changes
	}{
		{"a file more", files("m/p/more.go", "package p\n"), ""},
		{"a file more that the build leaves out", files("m/p/more_windows.go", "package p\n"), ""},
		{"a file renamed", func(t *testing.T, dir string) { move(t, dir, "m/q/q.go", "m/q/r.go") }, ""},
		{"language version of the module", replace("m/go.mod", "go 1.24", "go 1.25"), ""},
		{"language version of the module that is required", replace("dep/go.mod", "go 1.24", "go 1.23"), ""},
		{"a default for GODEBUG", replace("m/go.mod", "go 1.24", "go 1.24\n\ngodebug panicnil=1"), ""},
		{"go.work", files("go.work", "go 1.24\n\nuse ./m\n"), ""},
		{"a build tag", environ("GOFLAGS", "-tags=special"), ""},
		{"another system", environ("GOOS", "windows"), ""},
		{"another processor", environ("GOARCH", "arm64"), ""},
		{"an experiment", environ("GOEXPERIMENT", "arenas"), ""},
		{"GODEBUG", environ("GODEBUG", "gotypesalias=0"), ""},
		{"cgo is switched on", environ("CGO_ENABLED", "1"), "the go command is always asked without cgo"},
		{"another user", func(t *testing.T, dir string) {
			keep := map[string]string{}
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
				keep[name] = goEnv(t, name)
			}
			for name, value := range keep {
				t.Setenv(name, value)
			}
			t.Setenv("HOME", t.TempDir())
			t.Setenv("USER", "somebody")
		}, "users do not count"},
		{"times of files", func(t *testing.T, dir string) {
			file := filepath.Join(dir, "m/p/p.go")
			if err := os.Chtimes(file, when, when); err != nil {
				t.Fatal(err)
			}
		}, "contents count"},
		{"a vendored copy", func(t *testing.T, dir string) {
			write(t, dir, map[string]string{"m/vendor/dep/dep.go": tree()["dep/dep.go"], "m/vendor/modules.txt": "# dep v0.0.0 => ../dep\n## explicit; go 1.24\ndep\n# dep => ../dep\n"})
		}, ""}, // the same text, but its files have other names, as they are below the directory
		{"a vendored copy that differs", func(t *testing.T, dir string) {
			write(t, dir, map[string]string{"m/vendor/dep/dep.go": "package dep\n\nvar D = 2\n", "m/vendor/modules.txt": "# dep v0.0.0 => ../dep\n## explicit; go 1.24\ndep\n# dep => ../dep\n"})
		}, ""},
		{"a directory moved", func(t *testing.T, dir string) {}, "directories do not count"},
	}
	for _, e := range edits {
		t.Run(strings.ReplaceAll(e.name, " ", "_"), func(t *testing.T) {
			platform(t)
			first, second := t.TempDir(), t.TempDir()
			write(t, first, tree())
			before := digestOf(t, first, false)
			write(t, second, tree())
			e.do(t, second)
			after := digestOf(t, second, false)
			if before == "" || after == "" {
				t.Fatalf("digests %q and %q", before, after)
			}
			if (before == after) != (e.same != "") {
				t.Errorf("the digests are equal: %t; want %t (%s)", before == after, e.same != "", e.same)
			}
		})
	}
}

// Test files show how a type is made: those of the package count, and not those of what it imports.
func TestDigest_CoversTestFilesOfThePackageItself(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	before := digestOf(t, dir, false)
	for name, counts := range map[string]bool{"m/p/p_test.go": true, "m/p/outside_test.go": true, "m/p/new_test.go": true, "m/p/new_windows_test.go": true, "m/q/q_test.go": false} {
		text := tree()[name]
		if text == "" {
			text = "package " + filepath.Base(filepath.Dir(name)) + "\n"
		}
		write(t, dir, map[string]string{name: text + "\n// more\n"})
		if after := digestOf(t, dir, false); (after != before) != counts {
			t.Errorf("%s counts: %t, want %t", name, after != before, counts)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		write(t, dir, tree())
	}
	if before == "" || before != digestOf(t, dir, false) {
		t.Error("the digest has changed")
	}
}

// With tests, the test files count, in and outside of the package.
func TestDigest_OfTestsCoversTestFiles(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	before := digestOf(t, dir, true)
	for _, name := range []string{"m/p/p_test.go", "m/p/outside_test.go", "m/q/q.go", "m/p/data"} {
		write(t, dir, map[string]string{name: tree()[name] + "\n"})
		if after := digestOf(t, dir, true); after == "" || after == before {
			t.Errorf("%s: the digest stays %q", name, after)
		}
		write(t, dir, map[string]string{name: tree()[name]})
	}
	if before == "" || before != digestOf(t, dir, true) || before == digestOf(t, dir, false) {
		t.Error("the digest with tests is not one of its own")
	}
}

// What was written after it was read is noticed.
func TestUnchanged_NoticesFilesThatAreWrittenMeanwhile(t *testing.T) {
	platform(t)
	for _, edit := range []func(*testing.T, string){
		files("m/q/q.go", "package q\n\nvar Q = 12\n"), files("m/p/more.go", "package p\n"), files("dep/dep.go", "package dep\n\nvar D = 12\n"),
		files("m/p/p_test.go", "package p\n"), files("m/p/more_test.go", "package p\n"),
		files("m/go.mod", tree()["m/go.mod"]+"\n"), func(t *testing.T, dir string) { move(t, dir, "m/p/stub.go", "m/p/stub2.go") }} {
		dir := t.TempDir()
		write(t, dir, tree())
		c, err := List(t.Context(), Query{Dir: filepath.Join(dir, "m"), Patterns: []string{"./p"}})
		if err != nil || len(c.Packages) != 1 || !c.Packages[0].Unchanged() {
			t.Fatalf("%v: %+v", err, c)
		}
		edit(t, dir)
		if c.Packages[0].Unchanged() {
			t.Error("an edit is not noticed")
		}
	}
}

// Witnesses of a package that are kept in its testdata are no edit of it.
func TestUnchanged_AllowsForTestdata(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	c, err := List(t.Context(), Query{Dir: filepath.Join(dir, "m"), Patterns: []string{"./p"}})
	if err != nil || len(c.Packages) != 1 {
		t.Fatalf("%v: %+v", err, c)
	}
	write(t, dir, map[string]string{"m/p/testdata/pangolin/TestX/race-1.json": "{}"})
	if !c.Packages[0].Unchanged() {
		t.Error("a witness counts as an edit")
	}
	write(t, dir, map[string]string{"m/p/more.go": "package p\n"})
	if c.Packages[0].Unchanged() {
		t.Error("an edit is not noticed behind a witness")
	}
}

func TestList_RefusesAnOverlay(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	write(t, dir, map[string]string{"overlay.json": "{}"})
	t.Setenv("GOFLAGS", "-overlay="+filepath.Join(dir, "overlay.json"))
	if _, err := List(t.Context(), Query{Dir: filepath.Join(dir, "m"), Patterns: []string{"./p"}}); err == nil || !strings.Contains(err.Error(), "-overlay") {
		t.Errorf("an overlay is digested: %v", err)
	}
}

// A package with errors, or one that imports such a one, has no digest; others have.
func TestList_LeavesOutPackagesWithErrors(t *testing.T) {
	platform(t)
	dir := t.TempDir()
	write(t, dir, tree())
	write(t, dir, map[string]string{"m/q/q.go": "package q\n\nimport _ \"m/nowhere\"\n\nvar Q = 1\n"})
	c, err := List(t.Context(), Query{Dir: filepath.Join(dir, "m"), Patterns: []string{"./..."}})
	if err != nil || len(c.Packages) != 1 || c.Packages[0].Path != "m/other" {
		t.Errorf("%v: %+v; want m/other alone", err, c)
	}
}
