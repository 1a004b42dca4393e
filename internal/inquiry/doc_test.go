// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"os"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
)

// doc/inquiry.md has the table of rules as they are.
func TestDoc_HasTheRules(t *testing.T) {
	const file, begin, end = "../../doc/inquiry.md", "-update -->\n", "<!-- end of rules -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), begin)
	was, tail, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no place for the rules", file)
	}
	var b strings.Builder
	b.WriteString("\n| rule | turn | when it asks what, and what comes of it |\n|---|---|---|\n")
	seen := map[string]string{}
	for _, r := range Rules() {
		turn := "behind the answer"
		switch {
		case r.First:
			turn = "first"
		case r.Before:
			turn = "before the question"
		}
		doc := r.Doc
		if at, ok := seen[r.Name]; ok {
			doc = "once more, see " + at
		}
		if r.Name == "" || r.Doc == "" || r.When == nil || r.Conclude == nil || r.First && !r.Before {
			t.Errorf("rule %q lacks something", r.Name)
		}
		seen[r.Name] = "above"
		b.WriteString("| " + r.Name + " | " + turn + " | " + doc + " |\n")
	}
	b.WriteString("\n")
	if was == b.String() {
		return
	}
	if !flags.Update() {
		t.Fatalf("%s does not have the rules as they are; -update writes them", file)
	}
	if err := os.WriteFile(file, []byte(head+begin+b.String()+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}
