// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"sync"

	"pangolin/internal/consist"
	"pangolin/internal/play"
	"pangolin/internal/subject"
)

// Composed is what a search has seen of the code and its specification in step: an announcement is a step of the
// specification, made with the step of the code that it stands in.
type Composed struct {
	mu sync.Mutex
	// Most is how many steps of the specification have gone with one of the code.
	Most int
	// Helped are the operations that took effect in another thread's step.
	Helped map[Help]bool
	// Perhaps are the operations that took effect in a step, or did not, as the future shows.
	Perhaps map[int]bool
	// Candidates are outcomes of which one of several steps was the point.
	Candidates []consist.Candidate
}

// Help is an operation that takes effect in a step of a thread that executes another one.
type Help struct{ Operation, In int }

// NewComposed has seen nothing.
func NewComposed() *Composed { return &Composed{Helped: map[Help]bool{}, Perhaps: map[int]bool{}} }

// note counts the announcements of one step.
func (d *Composed) note(c *cursor, list []spoken) {
	n := 0
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range list {
		s := &list[i]
		if s.thread == subject.Nobody {
			continue
		}
		n++
		if s.rule.May {
			d.Perhaps[s.rule.Operation] = true
		}
		if s.by != s.thread {
			d.Helped[Help{s.rule.Operation, play.OperationOf(c.place.Tag(s.by))}] = true
		}
	}
	d.Most = max(d.Most, n)
}
