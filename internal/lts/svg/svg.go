// SPDX-License-Identifier: BSD-3-Clause

// Package svg draws labelled transition systems of up to some hundred states as SVG pictures.
//
// A row holds the states of one depth below the initial one; within a row states stand as the library (gonum's
// graph/layout) places them in the plane, so that neighbours stand near each other. The same
// system gives the same bytes. It does not reduce what it draws: that is for quotients.
package svg

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"pangolin/internal/lts"
)

// MaxStates is how many states are drawn at most.
const MaxStates = 400

// Measures of a picture, in pixels.
const (
	radius     = 13
	rowHeight  = 84 // at least; wide rows are further apart, for their arrows are flatter
	mostHeight = 240
	lineHeight = 11
	letter     = 5.1 // the width of a letter of a label
	margin     = 40
)

// Write draws a system: a circle for each state, the initial one doubled, and an arrow for each pair of
// states with the labels of all transitions between them, dashed if they are internal only.
func Write(w io.Writer, s *lts.System) error {
	s = s.Reachable()
	if s.States() > MaxStates {
		return fmt.Errorf("%d states are too many for a picture, which has up to %d: draw the quotient (-equiv), or write .dot", s.States(), MaxStates)
	}
	d := newDrawing(s)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %[2]d\" font-family=\"sans-serif\">\n", d.width, d.height)
	fmt.Fprint(out, "<style>circle{fill:#fff;stroke:#234}.n{font-size:10px;text-anchor:middle;fill:#234}"+
		".l{font-size:9px;text-anchor:middle;fill:#124;stroke:#fff;stroke-width:3px;paint-order:stroke}path{fill:none;stroke:#789}.t{stroke-dasharray:4 3}</style>\n")
	fmt.Fprint(out, "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#789;stroke:none\"/></marker></defs>\n")
	fmt.Fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", d.width, d.height)
	for _, a := range d.arrows {
		class := ""
		if len(a.labels) == 1 && a.labels[0] == lts.Tau {
			class = " class=\"t\""
		}
		fmt.Fprintf(out, "<path%s d=\"%s\" marker-end=\"url(#a)\"/>\n", class, d.path(&a))
	}
	for i, p := range d.at {
		if lts.State(i) == s.Initial() {
			fmt.Fprintf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", p.x, p.y, radius+3)
		}
		fmt.Fprintf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/><text class=\"n\" x=\"%[1]d\" y=\"%[4]d\">%[5]d</text>\n", p.x, p.y, radius, p.y+4, i)
	}
	for _, a := range d.arrows { // above everything else
		d.write(out, &a)
	}
	fmt.Fprint(out, "</svg>\n")
	return out.Flush()
}

// point is a place in a picture.
type point struct{ x, y int }

// arrow is all transitions from one state to another.
type arrow struct {
	from, to lts.State
	labels   []lts.Label
	label    point // the middle of what is written
}

// drawing is a system with places.
type drawing struct {
	s             *lts.System
	at            []point
	arrows        []arrow
	width, height int
	row, column   int // the height of a row, the width of a column
}

func newDrawing(s *lts.System) *drawing {
	d := &drawing{s: s, at: make([]point, s.States())}
	for i := range s.States() {
		first := len(d.arrows)
		for _, e := range s.Edges(lts.State(i)) {
			d.add(first, arrow{from: lts.State(i), to: e.To, labels: []lts.Label{e.Label}})
		}
	}
	rows := arranged(s)
	widest := 0
	for _, row := range rows {
		widest = max(widest, len(row))
	}
	d.row, d.column = min(mostHeight, rowHeight+4*widest), d.columnWidth()
	for range stretches {
		d.place(rows, widest)
		if d.putLabels() == 0 {
			break
		}
		d.row, d.column = d.row*6/5, d.column*8/7
	}
	return d
}

// stretches is how often a picture is drawn larger at most, so that its labels have room.
const stretches = 8

// place gives the states their places.
func (d *drawing) place(rows [][]lts.State, widest int) {
	d.width, d.height = 2*margin+d.column*widest, 2*margin+d.row*(len(rows)-1)
	for y, row := range rows {
		for x, state := range row {
			d.at[state] = point{margin + d.column*(widest-len(row))/2 + d.column*x + d.column/2, margin + d.row*y}
		}
	}
}

// add joins an arrow to those of its source.
func (d *drawing) add(first int, a arrow) {
	for k := first; k < len(d.arrows); k++ {
		if d.arrows[k].to == a.to {
			d.arrows[k].labels = append(d.arrows[k].labels, a.labels...)
			return
		}
	}
	d.arrows = append(d.arrows, a)
}

// columnWidth leaves room for the longest label.
func (d *drawing) columnWidth() int {
	longest := 0
	for _, name := range d.s.Labels()[1:] {
		longest = max(longest, len([]rune(name)))
	}
	return max(60, int(letter*float64(longest))+16)
}

// bend is the point towards which an arrow is bent: arrows that lead back, or stay in a row, or pass
// one by.
func (d *drawing) bend(a *arrow) point {
	p, q := d.at[a.from], d.at[a.to]
	bend := point{(p.x + q.x) / 2, (p.y + q.y) / 2}
	if q.y <= p.y || q.y-p.y > d.row {
		dx, dy := float64(q.x-p.x), float64(q.y-p.y)
		length := math.Hypot(dx, dy)
		out := 30 + length/8
		bend.x -= int(dy / length * out)
		bend.y += int(dx / length * out)
	}
	return bend
}

// path is an arrow as SVG has it.
func (d *drawing) path(a *arrow) string {
	p, q := d.at[a.from], d.at[a.to]
	if a.from == a.to {
		return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", p.x+radius-3, p.y-8, p.x+3*radius, p.y-24, p.x+3*radius, p.y+24, p.x+radius-2, p.y+9)
	}
	bend := d.bend(a)
	from, to := edgeOf(p, bend), edgeOf(q, bend)
	return fmt.Sprintf("M%d %dQ%d %d %d %d", from.x, from.y, bend.x, bend.y, to.x, to.y)
}

// edgeOf is the point of a state's circle that faces another point.
func edgeOf(state, other point) point {
	dx, dy := float64(other.x-state.x), float64(other.y-state.y)
	length := math.Max(1, math.Hypot(dx, dy))
	return point{state.x + int(math.Round(dx/length*(radius+1))), state.y + int(math.Round(dy/length*(radius+1)))}
}
