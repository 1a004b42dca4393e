package collections_test

import (
	"encoding/csv"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// EXPECT.csv as a file: its columns, what may stand in them, and that no collection is missing.

var header = []string{"row", "collection", "new", "kind", "protocol", "property", "flags",
	"A", "B", "C", "D", "E", "class", "sA", "sB", "sC", "sD", "sE", "ours", "provenance", "note"}

// expectations reads every package's EXPECT.csv, without its header.
func expectations(t *testing.T) map[string][][]string {
	t.Helper()
	files, err := filepath.Glob("*/EXPECT.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no expectations: %v", err)
	}
	rows := map[string][][]string{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !slices.Equal(records[0], header) {
			t.Errorf("%s: header %v", file, records[0])
		}
		rows[filepath.Dir(file)] = records[1:]
	}
	return rows
}

// constructors returns the package's exported functions New…, by what follows New.
func constructors(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "New") {
				found[strings.TrimPrefix(f.Name.Name, "New")] = true
			}
		}
	}
	return found
}

func TestExpectations_CoverEveryCollection(t *testing.T) {
	for dir, rows := range expectations(t) {
		collections := constructors(t, dir)
		expected := map[string]bool{}
		for _, row := range rows {
			typ, _, _ := strings.Cut(row[1], ":")
			expected[typ] = true
			if !collections[typ] {
				t.Errorf("%s expects something of %s, which has no constructor", dir, row[1])
			}
		}
		for name := range collections {
			if !expected[name] {
				t.Errorf("%s.%s has no expectation", dir, name)
			}
		}
	}
}

func TestExpectations_AreWellFormed(t *testing.T) {
	for dir, rows := range expectations(t) {
		for _, row := range rows {
			checkRow(t, dir, row)
		}
	}
}

func checkRow(t *testing.T, dir string, row []string) {
	t.Helper()
	news := strings.Split(row[2], ";")
	typ, _, _ := strings.Cut(row[1], ":") // behind it is what tells this line from others about the type
	if len(news) != 1 && len(news) != 5 {
		t.Errorf("%s.%s: %d constructor expressions, want 1, or 5 for A to E", dir, row[1], len(news))
	}
	for _, expr := range news {
		if _, err := parser.ParseExpr(expr); err != nil || !strings.HasPrefix(expr, "New"+typ) {
			t.Errorf("%s.%s: constructor expression %q: %v", dir, row[1], expr, err)
		}
	}
	violated := false
	for _, verdict := range row[7:12] {
		if !slices.Contains([]string{"verified", "violated", "-"}, verdict) {
			t.Errorf("%s.%s: verdict %q", dir, row[1], verdict)
		}
		violated = violated || verdict == "violated"
	}
	if violated != (row[12] != "") {
		t.Errorf("%s.%s: violated %t, class of violation %q", dir, row[1], violated, row[12])
	}
}

// What the directives of a package expect to be violated is what its table of expectations has a
// violation for.
func TestExpected_NamesTypesWithViolations(t *testing.T) {
	files, err := filepath.Glob("*/expected.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	rows := expectations(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			name, of := strings.CutPrefix(strings.TrimSpace(line), "//pangolin:of ")
			if !of {
				continue
			}
			name, expected, _ := strings.Cut(name, " expect ")
			property, isViolated := strings.CutSuffix(expected, "violated")
			property = strings.TrimSuffix(property, ":")
			if !isViolated || !slices.ContainsFunc(rows[filepath.Dir(file)], func(r []string) bool {
				return r[1] == name && (property == "" || r[5] == property) && slices.Contains(r[7:12], "violated")
			}) {
				t.Errorf("%s: %s", file, strings.TrimSpace(line))
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
