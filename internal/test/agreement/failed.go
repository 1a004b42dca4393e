// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/engine"
)

// A failure within Pangolin is a difference, also if every way to search has it: all ways agreeing that there is no verdict is no
// agreement. So is one behind which the search went on without the mechanism that has failed, though the verdict is right.

// failure is what a way to search says of a failure within Pangolin; "" if there was none.
func (w way) failure() string {
	var lines []string
	if w.err != nil {
		lines = append(lines, w.err.Error())
	}
	if w.v != nil {
		lines = append(append(lines, w.v.Reason), w.v.Assumptions...)
	}
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, engine.Failed) }); i >= 0 {
		return lines[i]
	}
	return ""
}

// failures counts those of some ways to search, and writes them as a difference does.
func (t *Tally) failures(list ...way) string {
	var b strings.Builder
	for _, w := range list {
		if text := w.failure(); text != "" {
			t.Failed++
			fmt.Fprintf(&b, "  %s: %s\n", w.name, text)
		}
	}
	return b.String()
}
