// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"math/rand/v2"
	"slices"
)

// Texts of the grown grammar: those of the plain one with constructs beside the themes.

// Constructed is how to write a text of the grown grammar.
type Constructed struct {
	// On are the constructs that texts may have, by their names. A text has one of them, or two.
	On []string
}

// Program writes a program with constructs; every third is a situation that is about one.
func (g Constructed) Program(seed uint64) string {
	p := &program{writer: newWriter(seed, 0x67726f776e5f5f70)}
	p.grown = g.draw(p.rng)
	var about []*situation
	for i := range grownSituations {
		if s := &grownSituations[i]; s.theme == p.grown[0] {
			about = append(about, &s.situation)
		}
	}
	if seed%3 == 0 && len(about) > 0 {
		return p.situated(seed, about[p.rng.IntN(len(about))])
	}
	return p.write(seed)
}

// Object writes a type of statements with constructs, as the function Object does.
func (g Constructed) Object(seed uint64) Collection {
	w := newWriter(seed, 0x67726f776e5f5f6f)
	w.grown = g.draw(w.rng)
	return w.object(seed)
}

// Type writes a type with constructs: of statements, as Object does; one that is about its constructs; or a collection
// of values of several parts.
func (g Constructed) Type(seed uint64) Collection {
	rng := rand.New(rand.NewPCG(seed, 0x67726f776e5f5f74))
	var own []*grownEncounter
	for i := range grownEncounters {
		if e := &grownEncounters[i]; slices.Contains(g.On, e.about) {
			own = append(own, e)
		}
	}
	switch n := rng.IntN(5); {
	case n == 0 && slices.Contains(g.On, "given"):
		return newWriter(seed, 0x676976656e5f5f5f).given(seed)
	case n == 2 && slices.Contains(g.On, "carried"):
		return newWriter(seed, 0x636172726965645f).carriedType(seed)
	case n == 1 && len(own) > 0:
		return own[rng.IntN(len(own))].write(seed, rng)
	}
	return g.Object(seed)
}

// draw chooses the constructs of a text.
func (g Constructed) draw(rng *rand.Rand) (list []theme) {
	var on []theme
	for _, c := range Constructs() {
		if slices.Contains(g.On, c.Name) {
			on = append(on, c.theme)
		}
	}
	if len(on) == 0 {
		panic("no construct of the grown grammar is on")
	}
	for range 1 + rng.IntN(2) {
		list = append(list, on[rng.IntN(len(on))])
	}
	return list
}
