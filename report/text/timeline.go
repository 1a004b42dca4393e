// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// timeline draws a history: one row per thread up to the last that does something, time to
// the right, each call a bracket from its invocation to its response with the call written
// inside. A call that never returned has no right end. Wider histories
// continue in further bands of rows.
//
//	1  [Add(0) = true-]
//	2     [Contains(0) = false---]
//	3  [Lock()----------------...
func timeline(history []verdict.Event, width int) []string {
	if len(history) == 0 {
		return nil
	}
	threads := 0
	for _, e := range history {
		threads = max(threads, e.Thread)
	}
	columns, whole := columnsOf(history)
	rows := make([][]rune, threads)
	text := make([]bool, whole) // columns in which some row has letters
	for t := range rows {
		rows[t] = []rune(strings.Repeat(" ", whole))
	}
	for i := range history {
		e := &history[i]
		from, to := columns[e.Invoked], whole
		if e.Responded > 0 {
			to = columns[e.Responded] + 1
		}
		drawCall(rows[e.Thread-1][from:to], e)
		for c := range []rune(label(e)) {
			text[from+1+c] = true
		}
	}
	return bands(rows, text, width)
}

// columnsOf gives every step at which a call begins or ends a column, increasing, so
// that each call has room for its label, and the width of the drawing.
func columnsOf(history []verdict.Event) (columns map[int]int, width int) {
	returns := map[int]*verdict.Event{} // by step
	var steps []int
	for i := range history {
		e := &history[i]
		steps = append(steps, e.Invoked)
		if e.Responded > 0 {
			steps = append(steps, e.Responded)
			returns[e.Responded] = e
		}
	}
	slices.Sort(steps)
	columns = map[int]int{}
	for _, s := range steps {
		if e := returns[s]; e != nil {
			width = max(width, columns[e.Invoked]+1+len(label(e)))
		}
		columns[s] = width
		width++
	}
	for i := range history {
		if e := &history[i]; e.Responded == 0 {
			width = max(width, columns[e.Invoked]+1+len(label(e))+len("..."))
		}
	}
	return columns, width
}

// label is what is written inside a call's bracket.
func label(e *verdict.Event) string {
	if e.Responded == 0 {
		return e.CallText()
	}
	return e.String()
}

// drawCall draws a call over the columns that it takes.
func drawCall(row []rune, e *verdict.Event) {
	for c := range row {
		row[c] = '-'
	}
	row[0] = '['
	copy(row[1:], []rune(label(e)))
	if e.Responded > 0 {
		row[len(row)-1] = ']'
		return
	}
	copy(row[len(row)-len("..."):], []rune("..."))
}

// bands cuts the rows into pieces that fit the width, if possible at a
// column in which no row has letters.
func bands(rows [][]rune, text []bool, width int) []string {
	const margin = 3
	var lines []string
	for from := 0; from < len(text); {
		to := cut(text, from, width-margin)
		if from > 0 {
			lines = append(lines, "")
		}
		for t, row := range rows {
			line := fmt.Sprintf("%-*d%s", margin, t+1, string(row[from:to]))
			lines = append(lines, strings.TrimRight(line, " "))
		}
		from = to
	}
	return lines
}

func cut(text []bool, from, width int) int {
	if len(text)-from <= width {
		return len(text)
	}
	for c := from + width; c > from+width/2; c-- {
		if !text[c] || !text[c-1] {
			return c
		}
	}
	return from + width
}
