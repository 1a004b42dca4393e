// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"sync"

	"pangolin/internal/consist"
	"pangolin/internal/play"
	"pangolin/internal/subject"
)

// Composed records the code and its specification in step: an announcement is a step of the specification, made together with the step of
// the code that contains it.
type Composed struct {
	mu sync.Mutex
	// Most is the greatest number of steps of the specification that went together with one step of the code.
	Most int
	// Helped contains the operations that took effect in another thread's step.
	Helped map[Help]bool
	// Perhaps contains the operations of which only the future shows whether they took effect in a step.
	Perhaps map[int]bool
	// Candidates are outcomes that took effect in one of several steps.
	Candidates []consist.Candidate
}

// Help is an operation that takes effect in a step of a thread that executes another one.
type Help struct{ Operation, In int }

// NewComposed makes an empty record.
func NewComposed() *Composed { return &Composed{Helped: map[Help]bool{}, Perhaps: map[int]bool{}} }

// note records the announcements of one step.
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
