// SPDX-License-Identifier: BSD-3-Clause

package assertion

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/front"
	"pangolin/verdict"
)

// Tests that facts are put in front of the statement of their line, and nowhere else, in a file of a few lines.

const source = `package queue

type lock bool

func (l *lock) TryLock() bool { return true }
func (l *lock) Unlock() {}

type cell struct {
	item int
	next *cell
	mu   lock
}

func put(head *cell, item int) bool {
	c := &cell{item: item}
	for head.next != nil {
		head = head.next
	}
	head.next = c; c.item++
	switch item {
	case 1:
		c.item = 2
	}
	if item > 0 { c.item++ }
	return true
}
`

func typed(t *testing.T) []front.Source {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "queue.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Scopes: map[ast.Node]*types.Scope{}}
	p, err := new(types.Config).Check("queue", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return []front.Source{{Path: "queue", Fset: fset, Types: p, Info: info, Files: []front.SourceFile{{Name: "q/queue.go", Path: "/q/queue.go", Text: []byte(source), Syntax: f}}}}
}

func TestPlace_PutsFactsInFrontOfStatements(t *testing.T) {
	line := func(n int, facts ...string) verdict.Check {
		return verdict.Check{File: "q/queue.go", Line: n, Facts: facts}
	}
	for _, c := range []struct {
		what   string
		check  verdict.Check
		want   []string // the facts that are placed
		before string   // the statement in front of which they stand
	}{
		{"a statement", line(17, "head.next != nil"), []string{"head.next != nil"}, "head = head.next"},
		{"two facts", line(17, "head != nil", "c.item == item"), []string{"head != nil", "c.item == item"}, "head = head.next"},
		{"a lock", line(17, "mine(head.mu)"), []string{"mine(head.mu)"}, "head = head.next"},
		{"in a case", line(22, "item == 1"), []string{"item == 1"}, "c.item = 2"},
		{"a variable that is declared here", line(15, "c != nil"), nil, ""},
		{"what is no truth value", line(17, "head.item"), nil, ""},
		{"what is no lock", line(17, "mine(head.item)"), nil, ""},
		{"what is not there", line(17, "tail != nil"), nil, ""},
		{"no expression", line(17, "x :="), nil, ""},
		{"a loop, which begins once and is executed often", line(16, "head != nil"), nil, ""},
		{"two statements", line(19, "head != nil"), nil, ""},
		{"a statement around another one", line(24, "item > 0"), nil, ""},
		{"an empty line", line(13, "true"), nil, ""},
		{"a declaration", line(14, "true"), nil, ""},
		{"another file", verdict.Check{File: "stack.go", Line: 17, Facts: []string{"true"}}, nil, ""},
	} {
		files, placed := Place(typed(t), []verdict.Check{c.check}, "// head\n", nil)
		var got []string
		for _, p := range placed {
			got = append(got, p.Fact)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: placed are %q, want %q", c.what, got, c.want)
			continue
		}
		if len(c.want) == 0 {
			if len(files) > 0 {
				t.Errorf("%s: the file is changed", c.what)
			}
			continue
		}
		text := string(files[0].Text)
		if !strings.HasPrefix(text, "// head\npackage queue") || files[0].Name != "q/queue.go" || files[0].Path != "/q/queue.go" {
			t.Errorf("%s: the file is %s, %s\n%s", c.what, files[0].Name, files[0].Path, text)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", text, 0); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		_, rest, _ := strings.Cut(text, placed[len(placed)-1].String())
		lines := strings.Split(rest, "\n")
		if len(lines) < 2 || strings.TrimSpace(lines[1]) != c.before {
			t.Errorf("%s: it does not stand in front of %s:\n%s", c.what, c.before, text)
		}
	}
}

func TestPlace_LeavesOutWhatItIsToldTo(t *testing.T) {
	checks := []verdict.Check{{File: "q/queue.go", Line: 17, Facts: []string{"head != nil", "c != nil"}}, {File: "q/queue.go", Line: 25, Facts: []string{"item > 0"}}}
	without := []Placed{{At: "queue.go:17", Fact: "head != nil"}, {At: "queue.go:17", Fact: "item > 0"}}
	files, placed := Place(typed(t), checks, "", without)
	want := []Placed{{At: "queue.go:17", Fact: "c != nil"}, {At: "queue.go:25", Fact: "item > 0"}}
	if !slices.Equal(placed, want) {
		t.Errorf("placed are %v, want %v", placed, want)
	}
	text := string(files[0].Text)
	if strings.Contains(text, "head != nil") || strings.Count(text, "func pangolinHolds(") != 1 || strings.Count(text, "func pangolinMine(") != 1 {
		t.Errorf("the text is\n%s", text)
	}
	if got := want[0].String(); got != "queue.go:17: c != nil does not hold" {
		t.Errorf("the message is %q", got)
	}
}
