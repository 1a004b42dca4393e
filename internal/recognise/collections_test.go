// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pangolin/collections"
	"pangolin/internal/collection"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// The case studies are recognised as EXPECT.csv says; the files that drive them are golden.

// shelf is where the case studies are.
const shelf = "../../collections"

// packages lists the directories of the case studies.
func packages(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(shelf + "/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range dirs {
		name := filepath.Base(filepath.Dir(d))
		if name != "internal" && (len(names) == 0 || names[len(names)-1] != name) {
			names = append(names, name)
		}
	}
	return names
}

func TestSurvey_CaseStudies(t *testing.T) {
	level.SkipShort(t, "lists all collections")
	var out bytes.Buffer
	for i, name := range packages(t) {
		c := checkDir(t, "pangolin/collections/"+name, filepath.Join(shelf, name))
		found, rejected, err := Survey(c.pkg, collection.Overrides{})
		if err != nil || len(rejected) > 0 {
			t.Fatal(name, rejected, err)
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		if err := describeAll(&out, found); err != nil {
			t.Fatal(err)
		}
		for _, col := range found {
			c.withHarness(t, col)
		}
	}
	golden(t, "testdata/collections.txt", out.Bytes())
	for _, line := range strings.Split(out.String(), "\n") {
		if utf8.RuneCountInString(line) > width && !strings.HasPrefix(line, "  new ") {
			t.Errorf("too wide: %s", line)
		}
	}
}

// golden compares with a file, or rewrites it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if flags.Update() {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update rewrites it); got:\n%s", file, got)
	}
}

// expectation is a line of an EXPECT.csv.
type expectation struct{ typ, expr, kind, protocol string }

// expectations are the lines of a case study's EXPECT.csv, one entry per constructor
// expression; there are none without the file.
func expectations(t *testing.T, name string) []expectation {
	t.Helper()
	rows, err := collections.Rows(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	var out []expectation
	for _, r := range rows {
		if r["package"] != name {
			continue
		}
		for _, expr := range strings.Split(r["new"], ";") {
			typ, _, _ := strings.Cut(r["collection"], ":")
			out = append(out, expectation{typ, expr, r["kind"], r["protocol"]})
		}
	}
	return out
}

// protocolOf is the protocol that a type's comment names; nil: none.
func protocolOf(t *testing.T, dir, typ string) *oracle.Protocol {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, _, found := strings.Cut(string(text), "\ntype "+typ+"[")
		comment := before[strings.LastIndex(before, "\n\n")+1:]
		if _, line, said := strings.Cut(comment, "//pangolin:protocol "); found && said {
			line, _, _ = strings.Cut(line, "\n")
			p, err := oracle.ParseProtocol(line)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
	}
	return nil
}

func TestFind_AgreesWithTheExpectationsOfTheCaseStudies(t *testing.T) {
	level.SkipShort(t, "lists all collections")
	rows := 0
	for _, name := range packages(t) {
		list := expectations(t, name)
		if len(list) == 0 {
			continue
		}
		c := checkDir(t, "pangolin/collections/"+name, filepath.Join(shelf, name))
		for _, e := range list {
			rows++
			said := protocolOf(t, filepath.Join(shelf, name), e.typ)
			by := collection.KindOracle(oracle.Kind(e.kind))
			if e.kind == string(collection.Object) {
				by = collection.SelfOracle
			}
			for _, o := range []collection.Overrides{{Type: e.typ, Protocol: said}, {New: e.expr, Protocol: said}} {
				found, err := Find(c.pkg, o)
				if err != nil {
					t.Errorf("%s.%s: %v", name, e.typ, err)
					continue
				}
				got := found[0]
				if got.Type != e.typ || string(got.Kind) != e.kind || got.Protocol.String() != e.protocol || got.Oracle != by {
					t.Errorf("%s.%s with %+v: %s %s, oracle %s; want %s %s", name, got.Type, o, got.Kind, got.Protocol, got.Oracle, e.kind, e.protocol)
				}
				c.withHarness(t, got)
			}
		}
	}
	if rows < 50 {
		t.Errorf("only %d expectations", rows)
	}
}

func TestFind_IsDeterministic(t *testing.T) {
	level.SkipShort(t, "finds all collections ten times")
	dir := filepath.Join(shelf, "hashset")
	var first string
	for range 5 {
		c := checkDir(t, "pangolin/collections/hashset", dir)
		found, err := Find(c.pkg, collection.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		describeAll(&out, found)
		for _, col := range found {
			fmt.Fprintln(&out, c.withHarness(t, col))
		}
		if first == "" {
			first = out.String()
		} else if out.String() != first {
			t.Fatal("two runs differ")
		}
	}
}

func TestHarness_SuitsOldVersionsOfGo(t *testing.T) {
	c := check(t, "example.com/p", `package p
		type Q struct{}
		func NewQ() (*Q, error) { return nil, nil }
		func (*Q) Enqueue(x interface{}) {}
		func (*Q) Dequeue() (interface{}, bool) { return nil, false }
		type S struct{}
		func (*S) Add(x string) {}
		func (*S) Contains(x string) bool { return false }
		func (*S) Keys() []string { return nil }
		type L struct{}
		func (*L) Lock() {}
		func (*L) Unlock() {}`)
	c.conf.GoVersion = "go1.13"
	for _, o := range []collection.Overrides{{Type: "Q"}, {Type: "S"}, {Type: "S", Kind: collection.Object}, {Type: "L"}} {
		found, err := Find(c.pkg, o)
		if err != nil {
			t.Fatal(err)
		}
		c.withHarness(t, found[0])
	}
}

func TestHarness_LooksAsDocumented(t *testing.T) {
	c := check(t, "example.com/p", `package p; import "time"
		type Queue[T any] struct{}
		func NewQueue[T any](d time.Duration) (Queue[T], error) { return Queue[T]{}, nil }
		func (*Queue[T]) Enqueue(x T) error { return nil }
		func (*Queue[T]) Dequeue() *T { return nil }
		type Once struct{}
		func (*Once) Do(f func()) error { return nil }
		type RW struct{}
		func (*RW) Lock() {}
		func (*RW) Unlock() {}
		func (*RW) TryRLock() bool { return false }
		func (*RW) RUnlock() {}`)
	found, err := Find(c.pkg, collection.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, col := range found {
		fmt.Fprintf(&out, "// %s\n%s\n\n", col.Display, c.withHarness(t, col))
	}
	golden(t, "testdata/harness.txt", out.Bytes())
}
