// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/internal/front"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Generated collections: whatever is proved is verified by the bounded engine.

// TestSearch_AgreesWithTheBoundedEngine asks for proofs of generated collections, right and wrong.
// Of what is proved the bounded engine may find no violation, and the certificate must hold.
func TestSearch_AgreesWithTheBoundedEngine(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	all := generator.Chained()
	last := 67
	if level.More() {
		last = 84
	}
	from, to := flags.Numbers(61, last)
	if from < 1 || to > len(all) {
		t.Fatalf("-numbers %d-%d: there are 1 to %d", from, to, len(all))
	}
	n := to - from + 1
	dir := t.TempDir()
	text := generator.ChainedHead
	names := map[string]string{}
	for i := from; i <= to; i++ {
		m := &all[i-1]
		name := fmt.Sprintf("%s%d", m.Design, i)
		names[name] = name + m.How
		text += "\n" + m.Source(name)
	}
	for file, text := range map[string]string{"go.mod": "module made\n\ngo 1.24\n", "made.go": text} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	q := find.Query{Dir: dir, Packages: []string{"."},
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{}, nil }, Note: func(string, ...any) {}}
	ctx := front.Share(t.Context()) // it is one package
	found, _, err := q.Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range found {
		o := &subject.Order{Listed: f.Listed, Patterns: f.Patterns, Overrides: f.Overrides}
		s, err := o.Load(ctx)
		if err != nil {
			t.Fatal(err)
		}
		name := names[f.Overrides.Type]
		what, proved := attempt(t, s, 0)
		if !proved {
			count["not proved"]++
			t.Logf("%s: %s", name, what)
			continue
		}
		count["proved"]++
		x, err := certificate.Parse(fileOf(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := accept(s, x); err != nil {
			t.Errorf("%s: the checker of certificates says: %v", name, err)
		}
		if free, _ := ranked(t, s, verdict.DeadlockFree); free != nil {
			count["deadlock-free"]++
			if class := stuck(t, s, 2, 4); class != "" {
				t.Errorf("%s: deadlock-free is proved, and two threads with four calls show: %s", name, class)
			}
		}
		for _, scope := range [][2]int{{2, 5}, {3, 3}} {
			if class := safety(t, s, scope[0], scope[1]); class != "" {
				t.Errorf("%s: proved, although %d threads with %d calls go wrong (%s)", name, scope[0], scope[1], class)
			}
		}
		t.Logf("%s: proved", name)
	}
	t.Logf("%d of %d: %v", len(found), len(all), count)
	if n >= 24 && (count["proved"] < max(1, n/50) || count["not proved"] < n/50) {
		t.Errorf("of %d collections %v: that compares little", n, count)
	}
}
