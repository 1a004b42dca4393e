// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"pangolin/internal/test/flags"
)

// The import graph: a golden file, layers, and what must not be shared.

const (
	root   = "../.."
	module = "pangolin"
	golden = "testdata/imports.txt"
)

// layers lists the packages from the top down; an arrow may only point to a later
// layer, or stay in one that says so. A pattern that ends in "/" stands for all
// packages beneath it that are not listed themselves.
func layers() [][]string {
	return [][]string{
		{"cmd/"},
		{"internal/test/bench", "internal/study", "internal/test/agreement", "internal/test/mutation"},
		{"internal/site", "internal/lsp"},
		{"internal/farm/gateway", "internal/farm/worker"},
		{"internal/farm/queue", "internal/farm/shared"},
		{"."},
		{"report"},
		{"report/"},
		{"report/text"},
		{"report/story"},
		{"internal/mutate"},
		{"internal/farm/sandbox"},
		{"internal/farm/client"},
		{"internal/farm/bundle"},
		{"internal/task"},
		{"internal/farm"},
		{"internal/inquiry"},
		{"internal/engines", "internal/test/proving"},
		{"internal/mutant", "internal/find", "internal/test/gosuite"},
		{"internal/engine/prover"},
		{"internal/engine/"},
		{"internal/engine"},
		{"internal/certificate/checker", "internal/certificate/pairs", "internal/certificate/places", "internal/certificate/ages", "internal/certificate/zones", "internal/certificate/sections", "internal/engine/cmp/lemma", "internal/engine/unbounded/fragment", "internal/engine/unbounded/walk"},
		{"internal/engine/unbounded/fixpoint"},
		{"internal/engine/unbounded/interference"},
		{"internal/engine/unbounded/transfer"},
		{"internal/engine/unbounded/content"},
		{"internal/engine/unbounded/shape"},
		{"internal/facts", "internal/assertion", "internal/judge/executed"},
		{"internal/play"},
		{"internal/subject"},
		{"internal/recognise", "internal/harness", "internal/revision"},
		{"internal/collection", "internal/interleave", "internal/force", "internal/test/sources", "internal/closure", "internal/shard", "internal/checkpoint"},
		{"internal/vm/parts"},
		{"internal/front", "internal/client", "internal/consist", "internal/explore", "internal/vm"},
		{"internal/vm/state"},
		{"internal/front/order", "internal/vm/format", "internal/vm/layout"},
		{"internal/vm/number", "internal/vm/labelling", "internal/test/assembler"},
		{"history/recorded"},
		{"internal/lts/aut", "internal/lts/dot", "internal/lts/svg", "internal/judge/record"},
		{"internal/lts", "internal/judge"},
		{"internal/certificate"},
		{"internal/certificate/file", "internal/certificate/ranking"},
		{"internal/ir", "internal/store", "internal/component", "internal/policy", "internal/test/", "internal/arch", "internal/leash", "internal/native", "internal/native/", "internal/cache", "internal/baseline", "internal/git", "internal/manual", "internal/golist"},
		{"internal/filestamp"},
		{"verdict", "oracle", "history"},
		{"internal/memo", "internal/saved"},
		{"collections"},
		{"collections/"},
		{"mark"},
	}
}

// sameLayer are the arrows inside a layer, with the reason.
func sameLayer() map[string]string {
	return map[string]string{
		"oracle history": "an oracle judges what a history holds",
		"internal/engine/refine internal/engine/bounded": "an execution that refine finds is confirmed and shown as one of the bounded engine's",
		"internal/engine/cmp internal/engine/bounded":    "checks in the source are executed by the bounded engine",
		"internal/engine/points internal/engine/bounded": "a policy is checked by the bounded engine's search, with another monitor",
	}
}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

// list returns the project's packages as the go command sees them, tests left out. It is asked once.
func list(t *testing.T) []listed {
	t.Helper()
	all, err := listOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var listOnce = sync.OnceValues(func() (all []listed, err error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

// local is a package's path inside the module, and whether it is in it.
func local(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// outside says whether a path belongs to neither the module nor the standard library.
func outside(path string) bool {
	_, inside := local(path)
	host, _, _ := strings.Cut(path, "/")
	return !inside && strings.Contains(host, ".")
}

// The checkers of certificates are second opinions: what the provers do is out of their reach, even by way of
// others. That of the unbounded engine does not share the machine either.
func TestCheckers_ShareNothingWithTheProvers(t *testing.T) {
	for _, checker := range []string{"internal/certificate/checker", "internal/certificate/pairs", "internal/certificate/places", "internal/certificate/ages", "internal/certificate/zones", "internal/certificate/sections"} {
		sharesNothing(t, checker)
	}
}

func sharesNothing(t *testing.T, checker string) {
	t.Helper()
	imports := map[string][]string{}
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		imports[from] = p.Imports
	}
	seen := map[string]bool{}
	var visit func(from string)
	visit = func(from string) {
		if seen[from] {
			return
		}
		seen[from] = true
		if strings.HasPrefix(from, "internal/engine") {
			t.Errorf("%s depends on %s", checker, from)
		}
		for _, path := range imports[from] {
			if to, inside := local(path); inside {
				visit(to)
			}
		}
	}
	visit(checker)
	if len(seen) < 4 {
		t.Errorf("only %d packages were looked at", len(seen))
	}
}

func TestImports_AreThoseOfTheGoldenFile(t *testing.T) {
	var b strings.Builder
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		for _, imp := range p.Imports {
			if to, inside := local(imp); inside {
				fmt.Fprintf(&b, "%s -> %s\n", from, to)
			} else if outside(imp) {
				fmt.Fprintf(&b, "%s -> %s\n", from, imp)
			}
		}
	}
	got := b.String()
	if flags.Update() {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range difference(got, string(want)) {
		t.Errorf("new arrow: %s", line)
	}
	for _, line := range difference(string(want), got) {
		t.Errorf("arrow is gone: %s", line)
	}
	if t.Failed() {
		t.Log("if that is meant: go test ./internal/arch -update")
	}
}

// difference lists the lines of a that are not in b.
func difference(a, b string) []string {
	have := strings.Split(b, "\n")
	return slices.DeleteFunc(strings.Split(a, "\n"), func(line string) bool { return slices.Contains(have, line) })
}

func TestImports_OnlyPointDown(t *testing.T) {
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		for _, imp := range p.Imports {
			to, inside := local(imp)
			if !inside || sameLayer()[from+" "+to] != "" {
				continue
			}
			if layer(t, from) >= layer(t, to) && !together(from, to) {
				t.Errorf("%s imports %s, which is not below it", from, to)
			}
		}
	}
}

// together says that two packages belong to one tree that orders itself.
func together(from, to string) bool {
	return strings.HasPrefix(from, "collections/") && strings.HasPrefix(to, "collections/") ||
		native(from) && native(to)
}

func layer(t *testing.T, path string) int {
	t.Helper()
	for i, l := range layers() {
		if slices.Contains(l, path) {
			return i
		}
	}
	for i, l := range layers() {
		for _, pattern := range l {
			if strings.HasSuffix(pattern, "/") && strings.HasPrefix(path, pattern) {
				return i
			}
		}
	}
	t.Fatalf("%s has no layer: add it to the list in this test and to ARCHITECTURE.md", path)
	return 0
}

func TestImports_OnlyFrontReadsSourceWithXTools(t *testing.T) {
	for _, p := range list(t) {
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "golang.org/x/tools") && p.ImportPath != module+"/internal/front" {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// The command speaks HTTP with a farm. A queue would add 70 % to its size; clients of stores, and of issuers of tokens, are the server's, too.
func TestCommand_LinksNoQueue(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./cmd/pangolin")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.Fields(string(out))
	for _, path := range paths {
		if strings.Contains(path, "nats") || strings.Contains(path, "oidc") || strings.Contains(path, "minio") || strings.HasPrefix(path, "google.golang.org") {
			t.Errorf("cmd/pangolin depends on %s", path)
		}
	}
	if len(paths) < 100 {
		t.Errorf("only %d packages were looked at", len(paths))
	}
}

// What is for tests alone is in no command, and in nothing that users import.
func TestSupport_IsImportedByTestsAlone(t *testing.T) {
	for _, p := range list(t) {
		for _, imp := range p.Imports {
			if from, _ := local(p.ImportPath); support(imp) && !support(p.ImportPath) {
				t.Errorf("%s imports %s, which is for tests alone", from, imp)
			}
		}
	}
}

func support(path string) bool { return strings.HasPrefix(path, module+"/internal/test/") }

// A second opinion that shared code with the first would repeat its mistakes.
func TestNative_ImportsNothingOfTheVerifier(t *testing.T) {
	found := false
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		if !native(from) {
			continue
		}
		found = true
		for _, imp := range p.Imports {
			if to, inside := local(imp); inside && !native(to) {
				t.Errorf("%s imports %s", from, imp)
			}
		}
	}
	if !found {
		t.Error("there is no package internal/native")
	}
}

func native(path string) bool {
	return path == "internal/native" || strings.HasPrefix(path, "internal/native/")
}

func TestCollections_ImportNothingOfTheVerifierButMark(t *testing.T) {
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		if !strings.HasPrefix(from, "collections/") {
			continue
		}
		for _, imp := range p.Imports {
			if to, inside := local(imp); inside && to != "mark" && !strings.HasPrefix(to, "collections/") || outside(imp) {
				t.Errorf("%s imports %s", from, imp)
			}
		}
	}
}

// Engines over internal/play know of no form that a state has: that is what a place is for.
func TestPlay_HidesTheFormsOfStates(t *testing.T) {
	over := []string{"internal/engine/bounded", "internal/engine/refine", "internal/engine/points"}
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		for _, imp := range p.Imports {
			if to, _ := local(imp); slices.Contains(over, from) && (to == "internal/vm/parts" || to == "internal/vm/state") {
				t.Errorf("%s imports %s", from, to)
			}
		}
	}
}
