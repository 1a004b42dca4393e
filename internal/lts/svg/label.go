// SPDX-License-Identifier: BSD-3-Clause

package svg

import (
	"fmt"
	"html"
	"io"
	"strings"

	"pangolin/internal/lts"
)

// box is a rectangle.
type box struct{ left, top, right, bottom int }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// shared is the area that two rectangles have in common.
func (b box) shared(o box) int {
	if !b.meets(o) {
		return 0
	}
	return (min(b.right, o.right) - max(b.left, o.left)) * (min(b.bottom, o.bottom) - max(b.top, o.top))
}

// lines are the labels of an arrow; none if it is an internal step, as its dashes say so.
func (d *drawing) lines(a *arrow) []string {
	if len(a.labels) == 1 && a.labels[0] == lts.Tau && a.from != a.to {
		return nil
	}
	var list []string
	for _, l := range a.labels {
		name := d.s.Labels()[l]
		if l == lts.Tau {
			name = "τ"
		}
		list = append(list, strings.ToValidUTF8(name, "?"))
	}
	return list
}

// around is the rectangle of some lines whose middle is at a point.
func around(middle point, lines []string) box {
	longest := 0
	for _, l := range lines {
		longest = max(longest, len([]rune(l)))
	}
	w, h := int(letter*float64(longest))+4, lineHeight*len(lines)
	return box{middle.x - w/2, middle.y - h/2, middle.x - w/2 + w, middle.y - h/2 + h}
}

// along lists where on its way an arrow may have its labels, in hundredths, the best first.
var along = []int{50, 42, 58, 34, 66, 26, 74, 20, 80}

// putLabels finds a place for the labels of each arrow, on the arrow and on nothing else if there is one. It
// gives the area that is written upon twice.
func (d *drawing) putLabels() (twice int) {
	taken := make([]box, 0, len(d.at)+len(d.arrows))
	for _, p := range d.at {
		taken = append(taken, box{p.x - radius, p.y - radius, p.x + radius, p.y + radius})
	}
	for k := range d.arrows {
		a := &d.arrows[k]
		lines := d.lines(a)
		if lines == nil {
			continue
		}
		best := -1
		for _, t := range along {
			at := d.onArrow(a, t)
			b := around(at, lines)
			over := 0
			for _, o := range taken {
				over += b.shared(o)
			}
			if best < 0 || over < best {
				best, a.label = over, at
			}
			if over == 0 || a.from == a.to {
				break
			}
		}
		twice += best
		taken = append(taken, around(a.label, lines))
	}
	return twice
}

// onArrow is the point of an arrow so many hundredths of its way from its source.
func (d *drawing) onArrow(a *arrow, t int) point {
	p, q := d.at[a.from], d.at[a.to]
	if a.from == a.to {
		b := around(point{}, d.lines(a))
		return point{p.x + 2*radius + 12 + (b.right-b.left)/2, p.y}
	}
	bend, u := d.bend(a), 100-t
	mix := func(p, bend, q int) int { return (u*u*p + 2*u*t*bend + t*t*q) / 10000 }
	return point{mix(p.x, bend.x, q.x), mix(p.y, bend.y, q.y)}
}

// write writes the labels of an arrow one below the other.
func (d *drawing) write(w io.Writer, a *arrow) {
	lines := d.lines(a)
	y := a.label.y - lineHeight*len(lines)/2 + lineHeight - 3
	for _, l := range lines {
		fmt.Fprintf(w, "<text class=\"l\" x=\"%d\" y=\"%d\">%s</text>\n", a.label.x, y, html.EscapeString(l))
		y += lineHeight
	}
}
