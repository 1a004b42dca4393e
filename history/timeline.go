package history

import (
	"fmt"
	"strings"
)

// timelineWidth is the widest line that Timeline draws, in columns.
const timelineWidth = 80

// Timeline draws the history: one row per thread, time to the right, each call a
// bracket from its invocation to its response with the call written inside.
// A stuck call has no right end. Histories wider than 80 columns continue in
// further bands of rows.
//
//	1  [Add(0) = true-]
//	2     [Contains(0) = false---]
//	3  [Lock()----------------...
func (h History) Timeline() string {
	ops := h.Operations()
	columns := h.columns(ops)
	width := columns[len(h.Events)]
	rows := make([][]rune, h.Threads)
	text := make([]bool, width) // columns in which some row has letters
	for t := range rows {
		rows[t] = []rune(strings.Repeat(" ", width))
	}
	for _, op := range ops {
		drawOperation(rows[op.Thread], text, op, columns)
	}
	return bands(rows, text)
}

// columns gives every event a column, increasing, so that each call has room
// for its label; the last entry is the width of the drawing.
func (h History) columns(ops []Operation) []int {
	need := make(map[int]Operation, len(ops)) // by index of the response
	for _, op := range ops {
		if op.Returned {
			need[op.Responded] = op
		}
	}
	columns := make([]int, len(h.Events)+1)
	next := 0
	for i := range h.Events {
		if op, ok := need[i]; ok {
			next = max(next, columns[op.Invoked]+1+len(op.label()))
		}
		columns[i] = next
		next++
	}
	for _, op := range ops {
		if !op.Returned {
			next = max(next, columns[op.Invoked]+1+len(op.label())+len("..."))
		}
	}
	columns[len(h.Events)] = next
	return columns
}

// label is what is written inside a call's bracket.
func (o Operation) label() string {
	if !o.Returned {
		return o.Call()
	}
	return o.String()
}

func drawOperation(row []rune, text []bool, op Operation, columns []int) {
	from, to := columns[op.Invoked], columns[op.Responded]
	for c := from; c < to; c++ {
		row[c] = '-'
	}
	row[from] = '['
	for i, r := range []rune(op.label()) {
		row[from+1+i] = r
		text[from+1+i] = true
	}
	if op.Returned {
		row[to] = ']'
		return
	}
	copy(row[to-len("..."):], []rune("..."))
}

// bands cuts the rows into pieces that fit timelineWidth, if possible at a
// column in which no row has letters.
func bands(rows [][]rune, text []bool) string {
	const margin = 3
	var b strings.Builder
	for from := 0; from < len(text); {
		to := cut(text, from, timelineWidth-margin)
		if from > 0 {
			b.WriteByte('\n')
		}
		for t, row := range rows {
			line := fmt.Sprintf("%-*d%s", margin, t+1, string(row[from:to]))
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		from = to
	}
	return b.String()
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
