// SPDX-License-Identifier: BSD-3-Clause

package html

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"unicode/utf8"

	"pangolin/verdict"
)

// An invariant is drawn without a script: cells side by side, with a line for each field, and
// arrows to what they refer to.

// Measures of a drawing, in pixels.
const (
	letter, height = 7, 16 // of text
	between        = 46    // cells
	above          = 26    // the cells, for arrows that lead back
	margin         = 6
)

// svg draws what a thread may see.
func svg(s verdict.Seen) template.HTML {
	var b strings.Builder
	left, wide, most := map[string]int{}, map[string]int{}, 0
	x := margin
	for i := range s.Cells {
		c := &s.Cells[i]
		n := 0
		for _, text := range lines(c) {
			n = max(n, utf8.RuneCountInString(text))
		}
		left[c.Name], wide[c.Name] = x, n*letter+2*margin
		x += wide[c.Name] + between
		most = max(most, len(lines(c)))
	}
	tall := above + most*height + 3*margin
	fmt.Fprintf(&b, `<svg width="%d" height="%d" viewBox="0 0 %d %d" role="img">`, x, tall, x, tall)
	for i := range s.Cells {
		c := &s.Cells[i]
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, shape(c), left[c.Name], above, wide[c.Name], len(lines(c))*height+margin, round(c))
		for k, text := range lines(c) {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, left[c.Name]+margin, above+(k+1)*height-3, html.EscapeString(text))
		}
		for k, f := range c.Fields {
			to, there := left[f.To]
			if !there {
				continue
			}
			fromX, fromY := left[c.Name]+wide[c.Name], above+(len(lines(c))-len(c.Fields)+k)*height+height/2
			b.WriteString(arrow(fromX, fromY, to, wide[f.To]))
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // texts are escaped
}

// lines are what is written into a cell: its name, what it is, and its fields.
func lines(c *verdict.AbstractCell) []string {
	var out []string
	switch {
	case c.Chain && len(c.Kinds) == 0:
		out = append(out, c.Name+" no cells")
	case c.Chain && c.MayBeEmpty:
		out = append(out, c.Name+" any number of")
	case c.Chain:
		out = append(out, c.Name+" one or more of")
	case c.Private:
		out = append(out, c.Name+" "+c.Type+" (its own)")
	default:
		out = append(out, c.Name+" "+c.Type)
	}
	out = append(out, c.Kinds...)
	for _, f := range c.Fields {
		switch {
		case c.Chain:
			out = append(out, "then "+f.Value)
		default:
			out = append(out, f.Name+": "+f.Value)
		}
	}
	return out
}

// shape is the class of a cell's outline, and round how round its corners are.
func shape(c *verdict.AbstractCell) string {
	switch {
	case c.Chain:
		return "chain"
	case c.Private:
		return "own"
	}
	return "cell"
}

func round(c *verdict.AbstractCell) int {
	if c.Chain {
		return 2 * margin
	}
	return 2
}

// arrow leads from the right side of a cell to another one: to its left side if that is near by on the right,
// and otherwise to its upper side.
func arrow(x, y, to, wide int) string {
	path, tip := fmt.Sprintf("M%d,%d C%d,%d %d,%d %d,%d", x, y, x+between/2, y, to-between/2, above+height/2, to-5, above+height/2), fmt.Sprintf("%d,%d %d,%d %d,%d", to-6, above+height/2-4, to, above+height/2, to-6, above+height/2+4)
	if to-x != between {
		end := to + wide/2
		path, tip = fmt.Sprintf("M%d,%d C%d,%d %d,%d %d,%d", x, y, x+between/2, y, end, 0, end, above-5), fmt.Sprintf("%d,%d %d,%d %d,%d", end-4, above-6, end, above, end+4, above-6)
	}
	return fmt.Sprintf(`<path class="edge" d="%s"/><polygon class="tip" points="%s"/>`, path, tip)
}
