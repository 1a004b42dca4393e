// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// grounded is a package whose harnesses need different packages of the standard library, one below the other.
const grounded = `package grounded

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"grounded/below"
)

type Queue struct {
	mu    sync.Mutex
	items []string
	pairs below.Pairs[string]
	at    time.Time
}

func (q *Queue) Put(ctx context.Context, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, strconv.Itoa(n))
	q.pairs.Put(below.Pair[string]{A: "a", B: strings.ToUpper("b")})
}

func (q *Queue) Late(d time.Duration) bool { return q.at.Add(d).Before(time.Now()) }

func (q *Queue) Both() (string, bool) { return q.items[0], q.pairs.Has(below.Pair[string]{}) }
`

const groundedBelow = `package below

import _ "unsafe"

//go:linkname nanotime runtime.nanotime
func nanotime() int64

type Pair[T any] struct{ A, B T }

type Pairs[T comparable] struct{ list []Pair[T] }

func (p *Pairs[T]) Put(x Pair[T]) {
	if nanotime() != 0 {
		p.list = append(p.list, x)
	}
}

func (p *Pairs[T]) Has(x Pair[T]) bool {
	for _, y := range p.list {
		if x == y {
			return true
		}
	}
	return false
}
`

// groundedHarnesses are what is compiled beside it.
var groundedHarnesses = []string{
	"func Root(q *Queue) { q.Put(nil, 1) }",
	"func Root(q *Queue) bool { return q.Late(1) }",
	"import \"errors\"\n\nfunc Root(q *Queue) (string, error) { s, ok := q.Both(); if !ok { return s, errors.New(s) }; return s, nil }",
	"func Root(q *Queue) int { return 1 }",
}

func groundedPackage(t *testing.T) *Listed {
	t.Helper()
	dir := writeModule(t, map[string]string{"go.mod": "module grounded\n\ngo 1.26\n", "grounded.go": grounded, "below/below.go": groundedBelow, "below/below.s": ""})
	list, err := List(context.Background(), dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// writeModule writes files, by name, into a new directory.
func writeModule(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// loadRoot is all that a load with a harness makes, or its error.
func loadRoot(p *Listed, harness string) string {
	out, err := p.Load(context.Background(), Request{Roots: []string{"Root"},
		Harness: func(*types.Package) (string, []byte, error) {
			return "harness.go", []byte("package grounded\n\n" + harness + "\n"), nil
		}})
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	out.Print(&b)
	return b.String()
}

// again is the package as if it were listed now: nothing is kept of earlier loads.
func again(p *Listed) *Listed { return p.Overlay(nil) }

func TestLoad_MakesTheSameOfWhatEarlierLoadsHaveMade(t *testing.T) {
	p := groundedPackage(t)
	for range 2 {
		for i, h := range groundedHarnesses {
			if got, want := loadRoot(p, h), loadRoot(again(p), h); got != want {
				t.Errorf("harness %d: an own load makes\n%s\none behind others\n%s", i, want, got)
			}
			if _, err := p.Types(context.Background()); err != nil {
				t.Error(err)
			}
		}
	}
	if n := len(p.grounds.list); n < 2 {
		t.Errorf("%d groundworks are kept", n)
	}
	if got := loadRoot(p, "func Root() int { return nothing }"); !strings.Contains(got, "undefined: nothing") {
		t.Errorf("a wrong harness: %s", got)
	}
	if got, want := loadRoot(p, groundedHarnesses[0]), loadRoot(again(p), groundedHarnesses[0]); got != want {
		t.Errorf("behind a wrong harness:\n%s", got)
	}
}

// written is all of a groundwork that a load could change and must not.
func (g *groundwork) written() string {
	var b bytes.Buffer
	for _, s := range g.sources {
		fmt.Fprintln(&b, s.path, len(s.files), len(s.info.Types), len(s.info.Defs), len(s.info.Uses), len(s.info.Selections), len(s.info.Instances), s.pkg.Scope())
		pkg := g.made[s.pkg]
		if pkg == nil {
			continue
		}
		pkg.WriteTo(&b)
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			if fn := pkg.Func(name); fn != nil {
				fn.WriteTo(&b)
			}
		}
	}
	fmt.Fprintln(&b, g.linked, g.elsewhere, len(g.direct), len(g.made)-len(g.preludes))
	return b.String()
}

func TestLoad_ChangesNothingThatLaterLoadsUse(t *testing.T) {
	p := groundedPackage(t)
	loadRoot(p, groundedHarnesses[0])
	was := map[*groundwork]string{}
	for i, h := range slices.Concat(groundedHarnesses, groundedHarnesses) {
		loadRoot(p, h)
		for _, g := range p.grounds.list {
			if text := g.written(); was[g] == "" {
				was[g] = text
			} else if was[g] != text {
				t.Errorf("load %d has changed what later ones use:\n%s\n\nwas\n%s", i, text, was[g])
			}
		}
	}
}

// Whoever keeps a listed package may write its files: what was made of the old ones is not used.
func TestLoad_ReadsFilesThatHaveChanged(t *testing.T) {
	p := groundedPackage(t)
	one := loadRoot(p, groundedHarnesses[2])
	file := filepath.Join(p.dir, "below", "below.go")
	if err := os.WriteFile(file, []byte(strings.Replace(groundedBelow, "return false", "return len(p.list) > 7", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	two := loadRoot(p, groundedHarnesses[2])
	if two == one || two != loadRoot(again(p), groundedHarnesses[2]) {
		t.Errorf("it was\n%s\nand is\n%s", one, two)
	}
}
