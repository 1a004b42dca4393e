package text

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// table prints the cells of a study as Markdown: for each row and column our seconds, a
// slash, and the published ones. An exclamation mark follows the seconds of a violation, inf
// stands for an infinite state space, ? for an unknown verdict; cells in which the verdicts
// differ are bold. Notes and a total follow.
func (p *Printer) table(t *verdict.Table) {
	w, cells := p.out, t.Cells
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(config string) bool {
		return !slices.ContainsFunc(cells, func(c verdict.Cell) bool { return c.Config == config })
	})
	fmt.Fprintf(w, "| collection | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	for i := 0; i < len(cells); {
		row := cells[i].Row
		fmt.Fprintf(w, "| %s |", row)
		for _, config := range columns {
			text := "-"
			if i < len(cells) && cells[i].Row == row && cells[i].Config == config {
				text = cellText(&cells[i])
				i++
			}
			fmt.Fprintf(w, " %s |", text)
		}
		fmt.Fprintln(w)
	}
	p.line("")
	p.notes(cells)
	p.line("\n%d cells in %.0f s.", len(cells), t.Seconds)
}

// cellText is a cell of the table.
func cellText(c *verdict.Cell) string {
	ours := fmt.Sprintf("%.2f", c.Seconds)
	switch {
	case c.Class == verdict.Infinite:
		ours = "inf " + ours
	case c.Verdict == "violated":
		ours += "!"
	case c.Verdict == "unknown":
		ours = "? " + ours
	}
	published := "-"
	if c.Published != nil {
		published = fmt.Sprintf("%g", *c.Published)
	}
	switch c.Expected {
	case "violated":
		published += "!"
	case verdict.Infinite:
		published = "inf"
	}
	if c.Differs {
		return "**" + ours + " / " + published + "**"
	}
	return ours + " / " + published
}

// notes prints a line for each violation, difference and unknown verdict.
func (p *Printer) notes(cells []verdict.Cell) {
	for _, c := range cells {
		if c.Note == "" {
			continue
		}
		mark := ""
		if c.Differs {
			mark = " (differs)"
		}
		p.line("- %s %s%s: %s", c.Row, c.Config, mark, c.Note)
	}
}
