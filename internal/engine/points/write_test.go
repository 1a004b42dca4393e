// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Points that were found are written into the source as directives, and the result is checked like any policy.

var directives = regexp.MustCompile(`(?m)^\s*//pangolin:point.*\n`)

// What is found is written as directives, with conditions in Go, where there was none; the policy is right, as it is
// checked before. Which of its steps is the point of the Herlihy-Wing queue's Enqueue the future tells.
func TestWrite_MakesAPolicyOfWhatWasFound(t *testing.T) {
	for i, c := range []struct {
		pkg, typ, file string
		want           []string
	}{
		{"stack", "LockFreeStack", "stack/stack.go", []string{"when result emit Push", "when top == nil emit Pop = _, false", "when result emit Pop = ?"}},
		{"queue", "LockFreeQueue", "queue/lockfree.go", []string{"when result emit Enqueue", "when next == nil emit Dequeue = _, false", "when result emit Dequeue = ?"}},
		{"queue", "UnboundedQueue", "queue/queue.go", []string{"emit Enqueue", "when first == nil emit Dequeue = _, false", "emit Dequeue = ?"}},
		{"list", "LazyList", "list/lazy.go", []string{"emit Add = true", "emit Remove = true"}},
		{"list", "LockFreeList", "list/lockfree.go", []string{"when result emit Add = true", "when !result emit Remove = true"}},
		{"queue", "HerlihyWingQueue", "queue/herlihywing.go", []string{"may emit Enqueue", "may emit Enqueue", "may emit Dequeue = ?"}},
	} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 5) {
				t.Skip("some collections will do; -level more writes all")
			}
			f := collectionOf(t, c.pkg, c.typ)
			path := filepath.Join(repository(t), "collections", c.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			bare := directives.ReplaceAllLiteral(text, nil)
			j, err := job(t, f, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			o := subject.Order{Listed: f.Listed.Overlay(map[string][]byte{path: bare}), Patterns: f.Patterns, Overrides: f.Overrides}
			if j.Subject, err = o.Load(shared); err != nil {
				t.Fatal(err)
			}
			if c.pkg == "list" {
				j.Scope.Clients.Threads.To = 2
			}
			found, err := Find(shared, j, engine.Events{}, false)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Write(shared, o, j, &found)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range p.Written {
				line := strings.Split(string(p.Texts[path]), "\n")[w.Line-1]
				if strings.TrimSpace(line) != w.Text {
					t.Errorf("line %d is %q, not %q", w.Line, line, w.Text)
				}
				got = append(got, strings.TrimPrefix(w.Text, "//pangolin:point "))
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") || len(p.Left) > 0 {
				t.Errorf("written:\n%s\nleft: %v", strings.Join(got, "\n"), p.Left)
			}
			if plain := directives.ReplaceAllLiteral(p.Texts[path], nil); string(plain) != string(bare) {
				t.Error("something else than directives was written")
			}
		})
	}
}

// An outcome without fixed points is left, and is no reason to write a wrong policy.
func TestWrite_LeavesWhatIsNotFixed(t *testing.T) {
	level.SkipShort(t, "finds points of a stack")
	f := collectionOf(t, "stack", "LockFreeStack")
	j, err := job(t, f, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	found := verdict.Points{Outcomes: []verdict.PointOf{{Operation: "Push", Changes: true, Points: []verdict.Point{}}}}
	o := subject.Order{Listed: f.Listed, Patterns: f.Patterns, Overrides: f.Overrides}
	if _, left := proposals(j, &found, 0); len(left) != 1 || left[0] != "Push" {
		t.Errorf("left: %v", left)
	}
	found.Outcomes[0] = verdict.PointOf{Operation: "Pop", Outcome: "_, true", Changes: true, Fixed: true,
		Points: []verdict.Point{{Place: verdict.Place{File: "collections/stack/stack.go", Line: 64}, Column: 9}}}
	if p, err := Write(shared, o, j, &found); err == nil || !strings.Contains(err.Error(), "has points already") {
		t.Errorf("points were written beside others: %v %v", p, err)
	}
	path := filepath.Join(repository(t), "collections", "stack", "stack.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.Listed = f.Listed.Overlay(map[string][]byte{path: directives.ReplaceAllLiteral(text, nil)})
	if p, err := Write(shared, o, j, &found); err == nil || !strings.Contains(err.Error(), "no policy of the points that were found is right") {
		t.Errorf("a wrong policy was written: %v %v", p, err)
	}
}
