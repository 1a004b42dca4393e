// SPDX-License-Identifier: BSD-3-Clause

package html

import "unicode/utf8"

// Recorded histories on the page: what `pangolin judge` has found, with a lane for each client and time to the right.

// Judged is a recorded history with its verdict.
type Judged struct {
	Title    string // the file
	Status   string // ok, violated or unknown
	Sentence string // what was asked, and what came of it
	Reasons  []string
	Clients  []string // those that are drawn
	Calls    []JudgedCall
	Events   []string // by moment from 0: its time, "" if there is none
	Left     int      // calls that are not drawn
}

// JudgedCall is one call that is drawn.
type JudgedCall struct {
	Client   int // from 0
	Line     int // of the file
	Text     string
	From, To int // moments; To is below 0 if it did not return
}

// drawnHistory is a history with places, in pixels.
type drawnHistory struct {
	Judged
	Width, Height, Axis int
	Lanes               []drawnLane
	Bars                []drawnCall
	Ticks               []drawnTick
}

type drawnLane struct {
	Name string
	Y    int
}

type drawnCall struct {
	JudgedCall
	X, Y, Length int
	Color        int
	Open         bool
}

type drawnTick struct {
	X    int
	Text string
}

const (
	laneHeight   = 46
	momentWidth  = 26
	letterWidth  = 8
	longestLabel = 60
)

// draw gives each moment a place, in order, so that texts of one lane do not overlap.
func (j Judged) draw() drawnHistory {
	d := drawnHistory{Judged: j}
	left := 0
	for i, name := range j.Clients {
		left = max(left, letterWidth*utf8.RuneCountInString(name))
		d.Lanes = append(d.Lanes, drawnLane{name, 20 + i*laneHeight})
	}
	left += 24
	begins := map[int]*JudgedCall{}
	for i := range j.Calls {
		begins[j.Calls[i].From] = &j.Calls[i]
	}
	x := make([]int, len(j.Events)+1)
	free := map[int]int{} // by lane: where the last text ends
	at := left
	for m := range x {
		if m > 0 {
			at += momentWidth
		}
		if c := begins[m]; c != nil {
			at = max(at, free[c.Client])
			free[c.Client] = at + letterWidth*utf8.RuneCountInString(label(c)) + 12
		}
		x[m] = at
		if m < len(j.Events) {
			d.Ticks = append(d.Ticks, drawnTick{at, j.Events[m]})
		}
	}
	d.Width = at + momentWidth
	for _, end := range free {
		d.Width = max(d.Width, end)
	}
	for _, c := range j.Calls {
		to := d.Width
		if c.To >= 0 {
			to = x[c.To]
		}
		c.Text = label(&c)
		d.Bars = append(d.Bars, drawnCall{c, x[c.From], 20 + c.Client*laneHeight, to - x[c.From], c.Client%8 + 1, c.To < 0})
	}
	d.Axis = 24 + len(j.Clients)*laneHeight
	d.Height = d.Axis + 44
	return d
}

// label is the text of a call, without its middle if it is long.
func label(c *JudgedCall) string {
	r := []rune(c.Text)
	if len(r) > longestLabel {
		r = append(append(r[:longestLabel/2:longestLabel/2], '…'), r[len(r)-longestLabel/2:]...)
	}
	return string(r)
}
