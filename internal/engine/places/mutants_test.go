// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
)

// Of the mutants of the queue of Herlihy and Wing none is proved that goes wrong in a scope with no more Puts than the slice has places.
// The table says what becomes of each.
func TestAttempt_ProvesNoMutantThatGoesWrong(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	ctx := context.Background()
	o := proving.Order(t, queues, "HerlihyWingQueue")
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutant.All(ctx, o, original)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range list {
		s, err := m.Subject(ctx, o, original)
		if errors.As(err, new(*subject.Invalid)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, text := attempt(t, s)
		if strings.HasPrefix(text, "proved") {
			for _, scope := range [][2]int{{2, 5}, {3, 4}, {4, 4}} {
				if class := proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: scope[1]}); class != "" {
					t.Errorf("%d is proved, and %d threads with %d calls go wrong (%s):\n%s", m.ID, scope[0], scope[1], class, m.Diff())
				}
			}
		}
		lines = append(lines, fmt.Sprintf("%d %s:%d %s: %s", m.ID, "herlihywing.go", m.Line, m.Operator, text))
	}
	if len(lines) < 9 {
		t.Errorf("there are %d mutants", len(lines))
	}
	proving.Compare(t, "testdata/mutants.txt", lines)
}
