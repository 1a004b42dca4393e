// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// Infinite is the published verdict of a cell whose state space is infinite.
const Infinite = verdict.Infinite

// Cell is one entry of a study's table, ours and the published one.
type Cell struct {
	Type   string `json:"type"` // "cell"
	Study  string `json:"study"`
	Row    string `json:"row"`
	Config string `json:"config"`
	// Verdict is our verdict; Class is the class of its violation, if any.
	Verdict verdict.Status `json:"verdict"`
	Class   string         `json:"class,omitempty"`
	// Expected is the published verdict; "" if the paper did not run the cell.
	Expected  string  `json:"expected"`
	Differs   bool    `json:"differs"`             // from the published verdict
	Explained bool    `json:"explained,omitempty"` // the expectations say why it differs
	Seconds   float64 `json:"seconds"`             // searching and loading; of a verdict that was kept, those of the search that led to it
	Cached    bool    `json:"cached,omitempty"`    // the verdict was kept (-cache)
	// Published is the paper's time in seconds, on its machine; nil if the paper has none, or its search did not end.
	Published *float64    `json:"published_seconds"`
	Clients   json.Number `json:"clients"`
	States    uint64      `json:"states"`
	Preempt   *int        `json:"preempt"` // bound on preemptions; nil: none
	// Note explains a difference, a violation ("history: …") or an unknown verdict; may be "".
	Note   string `json:"note"`
	Schema int    `json:"schema"` // the constant verdict.Schema
}

// Told is the cell as one line of progress.
func (c *Cell) Told() string {
	return fmt.Sprintf("%s %s: %s in %.2f s%s", c.Row, c.Config, c.Verdict, c.Seconds, hit(c.Cached))
}

// hit marks what was kept and not computed.
func hit(cached bool) string {
	if cached {
		return ", cached"
	}
	return ""
}

// Judgement is violated if the cell differs from the paper and nothing says why.
func (c *Cell) Judgement() verdict.Status {
	switch {
	case c.Verdict == verdict.Unknown:
		return verdict.Unknown
	case c.Differs && !c.Explained:
		return verdict.Violated
	}
	return verdict.Verified
}

// cellsPage makes a page with a row for each collection; a cell is our seconds, a slash, and the published ones: "0.02 / 1.04". An
// exclamation mark follows the seconds of a violation, inf means an infinite state space, ? an unknown verdict; cells whose verdicts
// differ are bold. Below are a note for each violation, difference and unknown verdict, and the total.
func cellsPage(all []string) func(*Page, []Line, float64) {
	return func(p *Page, lines []Line, seconds float64) {
		cells, took := of[Cell](lines), 0.0
		used := slices.DeleteFunc(slices.Clone(all), func(column string) bool {
			return !slices.ContainsFunc(cells, func(c *Cell) bool { return c.Config == column })
		})
		p.header(append([]string{"collection"}, used...), "|---|"+strings.Repeat("---:|", len(used)))
		for i := 0; i < len(cells); {
			row := []any{cells[i].Row}
			for _, column := range used {
				text := "-"
				if i < len(cells) && cells[i].Row == row[0] && cells[i].Config == column {
					text, took, i = cells[i].text(), took+cells[i].Seconds, i+1
				}
				row = append(row, text)
			}
			p.row(row...)
		}
		p.line("")
		for _, c := range cells {
			mark := ""
			if c.Differs {
				mark = " (differs)"
			}
			if c.Note != "" {
				p.line("- %s %s%s: %s", c.Row, c.Config, mark, c.Note)
			}
		}
		kept := len(slices.DeleteFunc(slices.Clone(cells), func(c *Cell) bool { return !c.Cached }))
		if kept > 0 {
			p.line("\n%d cells in %.0f s, %d of them cached.", len(cells), cmp.Or(seconds, took), kept)
			return
		}
		p.line("\n%d cells in %.0f s.", len(cells), cmp.Or(seconds, took))
	}
}

// text is a cell of the table.
func (c *Cell) text() string {
	ours, published := decimals(c.Seconds, 2), "-"
	switch {
	case c.Class == Infinite:
		ours = "inf " + ours
	case c.Verdict == verdict.Violated:
		ours += "!"
	case c.Verdict == verdict.Unknown:
		ours = "? " + ours
	}
	if c.Published != nil {
		published = fmt.Sprintf("%g", *c.Published)
	}
	switch c.Expected {
	case string(verdict.Violated):
		published += "!"
	case Infinite:
		published = "inf"
	}
	if c.Differs {
		return "**" + ours + " / " + published + "**"
	}
	return ours + " / " + published
}
