// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pangolin/internal/test/generator"
)

// Comparison compares sources. dir is an empty directory for it.
type Comparison func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error)

// nature is what must stay the same while a difference is shrunk: who disagrees, and
// what kind of outcome one of them lacks.
func (d *Difference) nature() string {
	line := firstLine(strings.TrimSpace(d.Text))
	side, outcome, _ := strings.Cut(line, ":")
	for _, kind := range []string{"race", "deadlock", "endless", "panic", "fatal", "!"} {
		if strings.Contains(outcome, kind) {
			return d.Between + " " + side + " " + kind
		}
	}
	return d.Between + " " + side
}

// Shrink makes the source of a difference small. dir is an empty directory.
func Shrink(ctx context.Context, dir string, d Difference, compare Comparison) (Difference, error) {
	best := d
	var failure error
	round := 0
	generator.Shrink(d.Source, func(candidates []string) int {
		var list []Program
		for i, source := range candidates {
			list = append(list, Program{fmt.Sprintf("p%06d", i), source})
		}
		work := filepath.Join(dir, fmt.Sprint(round))
		round++
		defer os.RemoveAll(work)
		if err := os.MkdirAll(work, 0o777); err != nil {
			failure = err
			return -1
		}
		found, _, err := compare(ctx, work, list)
		if err != nil {
			failure = err
			return -1
		}
		for i, p := range list {
			for _, f := range found {
				if f.Name == p.Name && f.nature() == d.nature() {
					best = Difference{d.Name, f.Between, p.Source, f.Text}
					return i
				}
			}
		}
		return -1
	})
	return best, failure
}
