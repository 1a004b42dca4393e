// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pangolin/verdict"
)

// Memory prints the memory behind a step, counted from 1, as a graph in the language DOT: a
// record for each object, an arrow for each reference.
func Memory(out io.Writer, w *verdict.Witness, step int) error {
	if step < 1 || step > len(w.Scenes) {
		return fmt.Errorf("there is no step %d: the execution has %d", step, len(w.Scenes))
	}
	b := bufio.NewWriter(out)
	fmt.Fprintf(b, "digraph memory {\n\trankdir=LR;\n\tnode [shape=record, fontname=monospace];\n")
	s := &w.Scenes[step-1]
	for i := range s.Objects {
		o := &s.Objects[i]
		label := escaped(o.Name)
		for k, f := range o.Fields {
			label += fmt.Sprintf("|<f%d> %s = %s", k, escaped(strings.TrimPrefix(f.Name, ".")), escaped(f.Value))
		}
		fmt.Fprintf(b, "\t%q [label=\"%s\"];\n", o.Name, label)
	}
	for i := range s.Objects {
		for k, f := range s.Objects[i].Fields {
			if f.To != "" {
				fmt.Fprintf(b, "\t%q:f%d -> %q;\n", s.Objects[i].Name, k, f.To)
			}
		}
	}
	fmt.Fprintf(b, "}\n")
	return b.Flush()
}

// escaped is a text inside a record's label.
func escaped(text string) string {
	return strings.NewReplacer("\\", "\\\\", "{", "\\{", "}", "\\}", "|", "\\|", "<", "\\<", ">", "\\>", "\"", "\\\"", "\n", " ").Replace(text)
}
