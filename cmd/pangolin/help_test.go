// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io"
	"strings"
	"testing"

	"pangolin/internal/manual"
)

// Help fits a terminal, whatever its author's window was like.
func TestHelp_FitsEightyColumns(t *testing.T) {
	root := newRoot(&console{out: io.Discard, err: io.Discard})
	for _, c := range append(root.Subcommands, root) {
		for line := range strings.Lines(manual.Of(c)) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > width {
				t.Errorf("%s: %d columns: %s", c.Name, len([]rune(line)), line)
			}
		}
	}
}
