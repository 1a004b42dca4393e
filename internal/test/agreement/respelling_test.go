// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
)

// The machine says the same of a text in other words.

var (
	asMany = flag.Int("respelled", 6, "number of generated types, and of programs, to write in other words")
)

// pairsOf is how many texts are respelled, and in how many ways.
func pairsOf() (texts, ways int) {
	switch {
	case level.More():
		return 125, 2
	case level.Short():
		return 4, 1
	}
	return *asMany, 2
}

func TestRespelling_KeepsVerdicts(t *testing.T) { respelledInBoth(t, "respelled types") }

func TestRespelling_KeepsOutcomes(t *testing.T) { respelledInBoth(t, "respelled programs") }

// respelledInBoth compares texts of both grammars.
func respelledInBoth(t *testing.T, name string) {
	t.Helper()
	texts, n := pairsOf()
	defer func(g string, w int) { *grammar, *spellings = g, w }(*grammar, *spellings)
	*spellings = n
	for _, g := range []string{"plain", "grown"} {
		*grammar = g
		compareAll(t, texts, name)
	}
}

// The repository's collections, too, are judged as their respellings are, with as many states.
func TestRespelling_KeepsVerdictsOfCollections(t *testing.T) {
	packages, ways := []string{"stack"}, generator.Respellings()
	switch {
	case level.More():
		packages = []string{"stack", "queue", "list", "hashset", "deque", "pqueue", "lock", "conditional", "skiplist"}
	case level.Short():
		ways = ways[:1]
	default:
		ways = ways[1:4]
	}
	c := generator.NewChecker()
	c.Import("pangolin")
	want := verdictsOfCollections(t, packages, nil)
	pairs := 0
	for _, how := range ways {
		got := verdictsOfCollections(t, packages, func(files map[string]string) map[string]string {
			out, ok, err := c.Respell(files, how, 1)
			if err != nil {
				t.Errorf("%v", err)
			}
			if !ok {
				return files
			}
			return out
		})
		for name, words := range want {
			if how.Captures {
				words, _, _ = strings.Cut(words, ",")
				got[name], _, _ = strings.Cut(got[name], ",")
			}
			if pairs++; got[name] != words {
				t.Errorf("%s, %s: %s, not %s", name, how.Name, got[name], words)
			}
		}
	}
	t.Log(pairs, "pairs")
}

// verdictsOfCollections verifies copies of packages of collections, changed in some way, and says what comes of each collection.
func verdictsOfCollections(t *testing.T, packages []string, change func(map[string]string) map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module pangolin\n\ngo 1.26\n"), 0o666)
	for _, below := range []string{"collections", "mark"} {
		if err == nil {
			err = os.CopyFS(filepath.Join(dir, below), os.DirFS(filepath.Join(root, below)))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	r := pangolin.Request{Dir: dir, Program: pangolin.Program{Leaks: "none"}, Specification: pangolin.Specification{Expect: "violated"}, Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2"}}
	for _, name := range packages {
		r.Packages = append(r.Packages, "./collections/"+name)
		if change == nil {
			continue
		}
		files := map[string]string{}
		list, _ := filepath.Glob(filepath.Join(dir, "collections", name, "*.go"))
		for _, file := range list {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") {
				files[file] = string(text)
			}
		}
		for file, text := range change(files) {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := pangolin.Prepare(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Verify(context.Background(), pangolin.Search{MaxStates: 20000})
	if err != nil {
		t.Log(err)
	}
	words := map[string]string{}
	for i := range list {
		words[list[i].Collection] = wordsOf(way{v: &list[i]}, true)
	}
	if len(words) == 0 {
		t.Fatal("no verdict")
	}
	return words
}
