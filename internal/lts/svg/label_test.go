// SPDX-License-Identifier: BSD-3-Clause

package svg

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"pangolin/internal/lts"
)

var text = regexp.MustCompile(`<text class="l" x="(\d+)" y="(\d+)">([^<]*)</text>`)

// No label is written upon another one, as long as there is room.
func TestWrite_KeepsLabelsApart(t *testing.T) {
	for name, s := range map[string]*lts.System{"mixed": mixed(), "grid": grid(5, 1), "loops": grid(4, 3), "crossings": crossings(9)} {
		var boxes []box
		for _, m := range text.FindAllStringSubmatch(draw(t, s), -1) {
			x, _ := strconv.Atoi(m[1])
			y, _ := strconv.Atoi(m[2])
			w := int(letter * float64(len([]rune(m[3]))))
			b := box{x - w/2, y - lineHeight + 4, x - w/2 + w, y + 2} // what the letters take, without the room between lines
			for _, o := range boxes {
				if b.meets(o) {
					t.Errorf("%s: %s at %v is written upon %v", name, m[3], b, o)
				}
			}
			boxes = append(boxes, b)
		}
		if len(boxes) == 0 {
			t.Errorf("%s: no labels", name)
		}
	}
}

// grid is what two threads do that have so many steps each; some steps have several labels.
func grid(n, labels int) *lts.System {
	b := lts.NewBuilder(0)
	at := func(x, y int) lts.State { return lts.State(x*n + y) }
	for x := range n {
		for y := range n {
			for l := range labels {
				if x+1 < n {
					b.Add(at(x, y), b.Label(fmt.Sprintf("return(1, Dequeue, %d, true)", x+l)), at(x+1, y))
				}
				if y+1 < n {
					b.Add(at(x, y), b.Label(fmt.Sprintf("return(2, Dequeue, %d, true)", y+l)), at(x, y+1))
				}
			}
		}
	}
	return b.Build()
}

// crossings has arrows that cross in one point, some of them back.
func crossings(n int) *lts.System {
	b := lts.NewBuilder(0)
	for i := range n {
		b.Add(0, b.Label(fmt.Sprintf("call(%d, Push(0))", i)), lts.State(1+i))
		b.Add(lts.State(1+i), b.Label(fmt.Sprintf("return(%d, Push)", i)), lts.State(1+n+(i*4)%n))
		b.Add(lts.State(1+n+i), b.Label(fmt.Sprintf("call(%d, Pop())", i)), lts.State(1+(i*2)%n))
	}
	return b.Build()
}
