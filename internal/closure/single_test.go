// SPDX-License-Identifier: BSD-3-Clause

package closure

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// Single edits of all that the go command tells of the closures of packages, the standard library included: each changes the digests of the
// packages whose closure has it, and no other's.

// single is one edit of one package of a closure.
type single struct {
	what string
	file string  // whose content is another one; "": none
	then *listed // the package as it is then; nil: the same
}

// notOfNames lists what is told of a package and changes no digest by itself, with the reason.
var notOfNames = map[string]string{
	"ForTest":    "a name of the go command's own",
	"Dir":        "directories do not count, but for their place below the query's, which has its own test",
	"Standard":   "it follows from the path",
	"DepOnly":    "it follows from the patterns",
	"Error":      "packages with errors have no digest",
	"DepsErrors": "packages with errors have no digest",
	"ImportPath": "nobody imports the package by its old path then",
	"GoMod":      "where it is does not count; its content does",
	"Main":       "it follows from the path",
}

// singles are all edits of one package: for each of its files another content, or that it is gone; each import; each other text.
func singles(t *testing.T, l *listed) (list []single) {
	changed := func(what string, change func(*listed)) {
		then := *l
		if l.Module != nil {
			m := *l.Module
			then.Module = &m
		}
		change(&then)
		list = append(list, single{what: what, then: &then})
	}
	var fields func(of reflect.Type, at func(*listed) reflect.Value)
	fields = func(of reflect.Type, at func(*listed) reflect.Value) {
		for i := range of.NumField() {
			f := of.Field(i)
			field := func(l *listed) reflect.Value { return at(l).Field(i) }
			switch value := field(l); {
			case notOfNames[f.Name] != "":
			case f.Anonymous:
				fields(f.Type, field)
			case f.Type == reflect.TypeFor[*module]():
				if l.Module != nil {
					fields(f.Type.Elem(), func(l *listed) reflect.Value { return field(l).Elem() })
				}
			case f.Type.Kind() == reflect.String:
				changed(f.Name, func(l *listed) { field(l).SetString(value.String() + "x") })
			case f.Type == reflect.TypeFor[[]string]():
				if f.Name == "IgnoredGoFiles" && l.Standard {
					continue // of the standard library Go's version counts, and what is compiled
				}
				old := value.Interface().([]string)
				for n, name := range old {
					changed(f.Name+" without "+name, func(l *listed) { field(l).Set(reflect.ValueOf(slices.Delete(slices.Clone(old), n, n+1))) })
					if f.Name != "Imports" {
						if !filepath.IsAbs(name) {
							name = filepath.Join(l.Dir, name)
						}
						list = append(list, single{what: "the content of " + name, file: name})
					}
				}
			default:
				t.Errorf("a field %s of which nothing is known", f.Name)
			}
		}
	}
	fields(reflect.TypeFor[listed](), func(l *listed) reflect.Value { return reflect.ValueOf(l).Elem() })
	if m := l.Module; m != nil && m.Main && m.GoMod != "" {
		list = append(list, single{what: "the content of go.mod", file: m.GoMod})
	}
	return list
}

// closuresOf are the packages of a query by path, and those that its patterns match.
func closuresOf(t *testing.T, q Query) (packages map[string]*listed, roots []*listed) {
	t.Helper()
	list, err := q.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	packages = map[string]*listed{}
	for _, l := range list {
		if packages[l.ImportPath] = l; !l.DepOnly && l.ForTest == "" && !strings.HasSuffix(l.ImportPath, ".test") {
			roots = append(roots, l)
		}
	}
	return packages, roots
}

func TestDigest_ChangesWithSingleEdits(t *testing.T) {
	platform(t)
	written := func(files ...map[string]string) string {
		dir := t.TempDir()
		for _, f := range append([]map[string]string{tree()}, files...) {
			write(t, dir, f)
		}
		return filepath.Join(dir, "m")
	}
	queries := map[string]Query{
		"replaced": {Dir: written(), Patterns: []string{"./p", "./q"}},
		"vendored": {Dir: written(map[string]string{"m/vendor/dep/dep.go": "package dep\n\nvar D = 2\n",
			"m/vendor/modules.txt": "# dep v0.0.0 => ../dep\n## explicit; go 1.24\ndep\n# dep => ../dep\n"}), Patterns: []string{"./p", "./q"}},
		"workspace":   {Dir: written(map[string]string{"go.work": "go 1.24\n\nuse (\n\t./m\n\t./dep\n)\n"}), Patterns: []string{"./p", "dep"}},
		"collections": {Dir: filepath.Join("..", ".."), Patterns: []string{"./collections/..."}},
	}
	if level.Short() {
		delete(queries, "collections")
	}
	most := 250
	if level.More() {
		most = 1 << 30
	}
	rng := rand.New(rand.NewPCG(32, 2))
	count, other := 0, 0
	for name, q := range queries {
		packages, roots := closuresOf(t, q)
		contents := map[string][]byte{}
		digests := func(s *single) map[string]string {
			d := &digester{packages: packages, known: map[string][]byte{}, files: contents, stamps: map[string]stamp{}}
			if s != nil && s.file != "" {
				d.files = maps.Clone(contents)
				d.files[s.file] = []byte("another content")
			}
			if s != nil && s.then != nil {
				d.packages = maps.Clone(packages)
				d.packages[s.then.ImportPath] = s.then
			}
			all := map[string]string{}
			for _, l := range roots {
				p, err := d.root(d.packages[l.ImportPath], false)
				if err != nil {
					t.Fatal(err)
				}
				all[l.ImportPath] = p.Digest
			}
			return all
		}
		before := digests(nil)
		uses := map[string][]string{} // by package: the roots that have it, or one of the same module, whose go.mod counts
		for _, l := range roots {
			(&digester{packages: packages}).visit([]string{l.ImportPath}, func(of *listed) bool {
				uses[of.ImportPath] = append(uses[of.ImportPath], l.ImportPath)
				return true
			})
		}
		type of struct {
			path string
			single
		}
		var list []of
		for path := range uses {
			for _, s := range singles(t, packages[path]) {
				list = append(list, of{path, s})
			}
		}
		slices.SortFunc(list, func(a, b of) int { return strings.Compare(a.path+" "+a.what, b.path+" "+b.what) })
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, e := range list[:min(most, len(list))] {
			count++
			for root, digest := range digests(&e.single) {
				switch {
				case slices.Contains(uses[e.path], root):
					if digest == before[root] {
						t.Errorf("%s: %s: %s: the digest of %s stays", name, e.path, e.what, root)
					}
				case e.what == "the content of go.mod":
				case digest != before[root]:
					t.Errorf("%s: %s: %s: the digest of %s changes", name, e.path, e.what, root)
				default:
					other++
				}
			}
		}
		if again := digests(nil); !maps.Equal(again, before) {
			t.Error("without an edit the digests change")
		}
	}
	if t.Logf("%d single edits; %d times another package's digest had to stay", count, other); count < 500 {
		t.Errorf("only %d edits", count)
	}
}
