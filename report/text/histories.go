// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// histories prints a line for each history and counts those that have each property.
func (p *Printer) histories(h *verdict.Histories) {
	count := map[verdict.Property]int{}
	stuck := 0
	for _, one := range h.List {
		has := "none"
		if len(one.Has) > 0 {
			var names []string
			for _, property := range one.Has {
				names = append(names, string(property))
				count[property]++
			}
			has = strings.Join(names, ",")
		}
		if one.Stuck > 0 {
			stuck++
			has += " (stuck)"
		}
		p.wrap(pad(strings.Join(one.Events, " "), p.width-22)+"  ", "      ", has)
	}
	text := fmt.Sprintf("%s against %s: %s", h.Collection, h.Oracle, fmt.Sprintf("%d histories", len(h.List)))
	for _, property := range verdict.OfHistories() {
		text += fmt.Sprintf(", %d %s", count[property], property)
	}
	if stuck > 0 {
		text += fmt.Sprintf("; %d with calls that never return", stuck)
	}
	p.wrap("", "  ", fmt.Sprintf("%s (%s)", text, h.Scope.Text()))
	if h.Incomplete != "" {
		p.wrap("", "  ", "There may be more: "+h.Incomplete)
	}
}
