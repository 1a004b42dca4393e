// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// drawing is a hand-drawn System: states are numbers, and each move of a state leads to
// one of several targets, by choice.
type drawing struct {
	initial []int
	moves   [][]drawnMove // of each state
}

type drawnMove struct {
	agent   int
	targets []int
}

// by returns a move of agent to one of targets.
func by(agent int, targets ...int) drawnMove { return drawnMove{agent, targets} }

func (d *drawing) NewCursor() Cursor { return &pencil{d: d} }

// pencil is the Cursor of a drawing. A saved state n has n%3+1 words, to have states of
// different lengths.
type pencil struct {
	d  *drawing
	at int
}

func (p *pencil) Initial(c *Choices) { p.at = p.d.initial[c.Choose(len(p.d.initial))] }

func (p *pencil) Load(state []uint64) {
	p.at = int(state[0])
	if len(state) != p.at%3+1 {
		panic(fmt.Sprintf("Load of a state that was not saved: %v", state))
	}
}

func (p *pencil) Save(dst []uint64) []uint64 {
	for range p.at%3 + 1 {
		dst = append(dst, uint64(p.at))
	}
	return dst
}

func (p *pencil) Moves(dst []Move) []Move {
	for i, m := range p.d.moves[p.at] {
		dst = append(dst, Move(i<<8|m.agent))
	}
	return dst
}

// Step splits a choice among more than three targets into two decisions, the second of
// which depends on the first in its number of alternatives.
func (p *pencil) Step(m Move, c *Choices) {
	targets := p.d.moves[p.at][m>>8].targets
	if len(targets) > 3 {
		half := len(targets) / 2
		if c.Choose(2) == 0 {
			targets = targets[:half]
		} else {
			targets = targets[half:]
		}
	}
	p.at = targets[c.Choose(len(targets))]
}

// randomDrawing returns a drawing of n states with up to three moves each.
func randomDrawing(r *rand.Rand, n int) *drawing {
	d := &drawing{moves: make([][]drawnMove, n)}
	for range 1 + r.IntN(3) {
		d.initial = append(d.initial, r.IntN(n))
	}
	density := r.IntN(4)
	for s := range d.moves {
		for range r.IntN(density + 1) {
			m := drawnMove{agent: r.IntN(3) * 40}
			for range 1 + r.IntN(5)*r.IntN(2) {
				m.targets = append(m.targets, r.IntN(n))
			}
			d.moves[s] = append(d.moves[s], m)
		}
	}
	return d
}

// forward turns the drawing into one without cycles: edges lead to higher states only.
func (d *drawing) forward() *drawing {
	for s := range d.moves {
		var kept []drawnMove
		for _, m := range d.moves[s] {
			m.targets = slices.DeleteFunc(m.targets, func(t int) bool { return t <= s })
			if len(m.targets) > 0 {
				kept = append(kept, m)
			}
		}
		d.moves[s] = kept
	}
	return d
}

// slowly is the obvious search: the distance of each state that is reachable, and the
// number of transitions. States for which pruned holds are not expanded.
func (d *drawing) slowly(pruned func(int) bool) (distance map[int]int, transitions uint64) {
	distance = map[int]int{}
	queue := slices.Clone(d.initial)
	for _, s := range queue {
		distance[s] = 0
	}
	slices.Sort(queue)
	queue = slices.Compact(queue)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if pruned(s) {
			continue
		}
		for _, m := range d.moves[s] {
			for _, t := range m.targets {
				transitions++
				if _, known := distance[t]; !known {
					distance[t] = distance[s] + 1
					queue = append(queue, t)
				}
			}
		}
	}
	return distance, transitions
}
