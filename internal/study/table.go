package study

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table prints the cells of Table 2 as Markdown: for each row and configuration our
// seconds, a slash, and the published ones. An exclamation mark follows the seconds of
// a violation, inf stands for an infinite state space, ? for an unknown verdict; cells
// in which the verdicts differ are bold.
func Table(w io.Writer, cells []Cell) {
	columns := slices.DeleteFunc(Configs(), func(config string) bool {
		return !slices.ContainsFunc(cells, func(c Cell) bool { return c.Config == config })
	})
	fmt.Fprintf(w, "| collection | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	for i := 0; i < len(cells); {
		row := cells[i].Row
		fmt.Fprintf(w, "| %s |", row)
		for _, config := range columns {
			text := "-"
			if i < len(cells) && cells[i].Row == row && cells[i].Config == config {
				text = cells[i].format()
				i++
			}
			fmt.Fprintf(w, " %s |", text)
		}
		fmt.Fprintln(w)
	}
}

// format is a cell of the table.
func (c *Cell) format() string {
	ours := fmt.Sprintf("%.2f", c.Seconds)
	switch {
	case c.Class == Infinite:
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
	case Infinite:
		published = "inf"
	}
	if c.Differs {
		return "**" + ours + " / " + published + "**"
	}
	return ours + " / " + published
}

// Notes prints a line for each violation, difference and unknown verdict.
func Notes(w io.Writer, cells []Cell) {
	for _, c := range cells {
		if c.Note == "" {
			continue
		}
		mark := ""
		if c.Differs {
			mark = " (differs)"
		}
		fmt.Fprintf(w, "- %s %s%s: %s\n", c.Row, c.Config, mark, c.Note)
	}
}
