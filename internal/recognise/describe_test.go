// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"io"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// width is how wide a description is, unless a word or a signature is longer.
const width = 80

// describeAll writes what would be verified, for people: types, constructors,
// operations, kinds, oracles, and what was left out.
func describeAll(w io.Writer, cs []*collection.Collection) error {
	p := &page{}
	for i, c := range cs {
		if i > 0 {
			p.line("")
		}
		p.collection(c)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// page is text in the making.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// wrap writes words after a heading, in as many lines as it takes.
func (p *page) wrap(heading, text string) {
	indent := strings.Repeat(" ", len(heading))
	line := heading
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) > width && strings.TrimSpace(line) != "" && line != indent {
			p.line("%s", line)
			line = indent
		}
		line += word + " "
	}
	p.line("%s", line)
}

func (p *page) collection(c *collection.Collection) {
	p.line("%s", c.Display)
	p.line("  new         %s", c.New)
	p.line("  kind        %s, %s", c.Kind, c.Protocol)
	p.line("  oracle      %s", c.Oracle)
	p.wrap("  why         ", c.Reason)
	p.operations(c.Operations)
	p.skipped(c.Skipped)
}

// skipped lists methods with the same reason together.
func (p *page) skipped(list []collection.Skipped) {
	var reasons []string
	names := map[string][]string{}
	for _, s := range list {
		if names[s.Why] == nil {
			reasons = append(reasons, s.Why)
		}
		names[s.Why] = append(names[s.Why], s.Name)
	}
	for i, why := range reasons {
		heading := "  left out    "
		if i > 0 {
			heading = "              "
		}
		p.wrap(heading, strings.Join(names[why], ", ")+": "+why)
	}
}

// maxColumn is where the meanings of operations begin at the latest.
const maxColumn = 36

// operations lists the operations, their meanings beside them or, if there is no
// room, below.
func (p *page) operations(ops []collection.Operation) {
	column := 0
	for i := range ops {
		if n := len(ops[i].Signature()); n <= maxColumn {
			column = max(column, n)
		}
	}
	for i := range ops {
		heading := "  operations  "
		if i > 0 {
			heading = "              "
		}
		line := fmt.Sprintf("%s%-*s  ", heading, column, ops[i].Signature())
		meaning := meaning(&ops[i])
		if len(line)+len(meaning) > width {
			p.line("%s", line)
			line = strings.Repeat(" ", len(heading)+column+2)
		}
		p.line("%s%s", line, meaning)
	}
}

// meaning is the role with what arguments and results stand for.
func meaning(o *collection.Operation) string {
	if o.Op.Role == "" {
		return ""
	}
	var params, results []string
	for _, p := range o.Op.Params {
		params = append(params, string(p))
	}
	for _, r := range o.Op.Results {
		results = append(results, string(r))
	}
	s := string(o.Op.Role)
	if len(params) > 0 {
		s += " " + strings.Join(params, ", ")
	}
	if len(results) > 0 {
		s += " -> " + strings.Join(results, ", ")
	}
	if o.Op.Refusal != oracle.RefuseDefault {
		s += ", may " + string(o.Op.Refusal)
	}
	if o.Op.Spurious {
		s += ", may fail at any time"
	}
	return s
}
