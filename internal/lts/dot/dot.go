// SPDX-License-Identifier: BSD-3-Clause

// Package dot writes labelled transition systems as graphs in the DOT language of Graphviz. It
// lays nothing out.
package dot

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/internal/lts"
)

// Write writes a system: a node for each state, the initial one doubled, and an edge for each pair of
// states with the labels of all transitions between them, internal ones dashed if they are alone.
func Write(w io.Writer, s *lts.System) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "digraph lts {\n\trankdir=TB\n\tnode [shape=circle fontname=\"sans-serif\" fontsize=10]\n\tedge [fontname=\"sans-serif\" fontsize=9]\n")
	fmt.Fprintf(out, "\t%d [shape=doublecircle]\n", s.Initial())
	for i := range s.States() {
		for _, t := range targets(s.Edges(lts.State(i))) {
			style := ""
			if len(t.labels) == 1 && t.labels[0] == lts.Tau {
				style = " style=dashed"
			}
			fmt.Fprintf(out, "\t%d -> %d [label=%s%s]\n", i, t.to, quote(s, t.labels), style)
		}
	}
	fmt.Fprint(out, "}\n")
	return out.Flush()
}

// target is a state that transitions lead to.
type target struct {
	to     lts.State
	labels []lts.Label
}

// targets groups transitions by where they lead, in order of the first label.
func targets(edges []lts.Edge) []target {
	var list []target
	for _, e := range edges {
		k := slices.IndexFunc(list, func(t target) bool { return t.to == e.To })
		if k < 0 {
			list = append(list, target{to: e.To})
			k = len(list) - 1
		}
		list[k].labels = append(list[k].labels, e.Label)
	}
	return list
}

// quote writes labels as a quoted string, one a line.
func quote(s *lts.System, labels []lts.Label) string {
	var names []string
	for _, l := range labels {
		name := s.Labels()[l]
		if l == lts.Tau {
			name = "τ"
		}
		names = append(names, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name))
	}
	return `"` + strings.Join(names, `\n`) + `"`
}
