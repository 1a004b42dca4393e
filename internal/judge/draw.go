// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A violation as text: a line for each call, with the time from its invocation to its response as a
// bar.

const (
	axis     = 48 // greatest width of the time axis, in columns
	perStep  = 4  // columns between two events, if they fit
	longest  = 56 // greatest width of a call's text, in columns
	mostRows = 40 // greatest number of calls drawn
)

// Draw draws calls, in the order in which they began.
func (h *History) Draw(calls []Call) string {
	type row struct{ client, line, text string }
	shown := calls[:min(len(calls), mostRows)]
	rows := make([]row, len(shown))
	var width row
	for i := range shown {
		c := &shown[i]
		rows[i] = row{h.Clients[c.Client], fmt.Sprint(c.Line), shorten(h.Text(c))}
		width.client = longer(width.client, rows[i].client)
		width.line = longer(width.line, rows[i].line)
		width.text = longer(width.text, rows[i].text)
	}
	column, columns := places(shown)
	var b strings.Builder
	pad := func(s, to string) string {
		return s + strings.Repeat(" ", utf8.RuneCountInString(to)-utf8.RuneCountInString(s))
	}
	head := row{pad("client", longer(width.client, "client")), pad("line", longer(width.line, "line")), pad("call", longer(width.text, "call"))}
	fmt.Fprintf(&b, "  %s  %s  %s  time\n", head.client, head.line, head.text)
	for i, r := range rows {
		c := &shown[i]
		from, to := column[c.Begin], columns
		end := "…"
		if !c.Pending() {
			to, end = column[c.End], "┤"
		}
		bar := strings.Repeat(" ", from) + "├" + strings.Repeat("─", max(0, to-from-1)) + end
		fmt.Fprintf(&b, "  %s  %s  %s  %s\n", pad(r.client, head.client), pad(r.line, head.line), pad(r.text, head.text), bar)
	}
	if len(calls) > len(shown) {
		fmt.Fprintf(&b, "  and %d more\n", len(calls)-len(shown))
	}
	return b.String()
}

// places maps each event of the calls to a column.
func places(calls []Call) (column map[int32]int, columns int) {
	var events []int32
	for i := range calls {
		events = append(events, calls[i].Begin)
		if !calls[i].Pending() {
			events = append(events, calls[i].End)
		}
	}
	slices.SortFunc(events, cmp.Compare[int32])
	column = map[int32]int{}
	step := min(perStep, float64(axis)/float64(max(1, len(events)-1)))
	for i, e := range events {
		column[e] = int(float64(i) * step)
	}
	return column, int(float64(len(events)) * step)
}

func longer(a, b string) string {
	if utf8.RuneCountInString(a) < utf8.RuneCountInString(b) {
		return b
	}
	return a
}

// shorten leaves out the middle of a long text.
func shorten(s string) string {
	r := []rune(s)
	if len(r) <= longest {
		return s
	}
	return string(r[:longest/2]) + "…" + string(r[len(r)-longest/2+1:])
}
