// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"strings"

	"pangolin/internal/certificate/ranking"
	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Ask makes a certificate that claims a property of progress, without a ranking that shows it so far.
func (c *Certificate) Ask(p verdict.Property) { c.Head.Progress = &ranking.Ranking{Property: p} }

// Returns says what the claim rests on that calls return, in sentences; nil if there is no such claim. The collection is of the type.
func (c *Certificate) Returns(p *ir.Program, collection *ir.Type) (list []string) {
	r := c.Head.Progress
	if r == nil {
		return nil
	}
	if len(r.Locks) > 0 {
		var names []string
		for _, w := range r.Locks {
			name := p.Types[w.Type].Name + p.Types[w.Type].FieldPath(w.Off)
			if w.Type != collection.ID {
				name += " (front to back)"
			}
			names = append(names, name)
		}
		list = append(list, "locks are taken in the order "+strings.Join(names, ", "))
	}
	for _, w := range r.Words {
		list = append(list, "what helps other calls leaves fewer cells behind "+strings.TrimPrefix(collection.FieldPath(w), "."))
	}
	return list
}
