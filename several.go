// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"iter"

	"pangolin/internal/task"
)

// spread divides the workers among the collections, of which several are verified at the same time if there are several workers, and returns how many are.
func spread(workers int, targets []*target) int {
	workers = max(1, workers)
	n := min(workers, len(targets))
	for _, t := range targets {
		t.task.Terms.Search.Workers = workers / n
	}
	return n
}

// tasksOf yields the tasks of the collections.
func tasksOf(targets []*target) iter.Seq[*task.Task] {
	return func(yield func(*task.Task) bool) {
		for _, t := range targets {
			if !yield(t.task) {
				return
			}
		}
	}
}
