// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Lemmas are lemmas by place. A key is a site of package cmp: the calls in progress with their instructions.
type Lemmas map[string]*Lemma

// Lemma is what is claimed of every thread at one place.
type Lemma struct {
	At    string        // "file.go:12 in F"
	Does  string        // the access that follows, as text: "pred.next.Store"
	Holds map[Fact]bool // the facts that are claimed
}

// List lists the facts as text, in alphabetical order.
func (l *Lemma) List() []string {
	out := make([]string, 0, len(l.Holds))
	for f := range l.Holds {
		out = append(out, f.String())
	}
	slices.Sort(out)
	return out
}

// Sorted lists the lemmas by place, then by their text.
func (l Lemmas) Sorted() []*Lemma {
	return slices.SortedFunc(maps.Values(l), func(a, b *Lemma) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Does, b.Does), cmp.Compare(a.String(), b.String()))
	})
}

// String is the conjunction of the facts in Go's syntax: "curr != nil && mine(pred.mu)".
func (l *Lemma) String() string {
	if len(l.Holds) == 0 {
		return "true"
	}
	return strings.Join(l.List(), " && ")
}

// Count counts the facts of all lemmas.
func (l Lemmas) Count() int {
	n := 0
	for _, x := range l {
		n += len(x.Holds)
	}
	return n
}

// Clone makes a copy from which facts can be dropped while the original keeps them.
func (l Lemmas) Clone() Lemmas {
	out := Lemmas{}
	for site, x := range l {
		y := *x
		y.Holds = maps.Clone(x.Holds)
		out[site] = &y
	}
	return out
}

// Note takes note of a thread that does something at a site, in a state: facts that do not hold there are dropped. At
// a new site all facts of the state become the lemma.
func (l Lemmas) Note(site, at, does string, here *State) {
	x := l[site]
	if x == nil {
		l[site] = &Lemma{At: at, Does: does, Holds: here.All()}
		return
	}
	maps.DeleteFunc(x.Holds, func(f Fact, _ bool) bool { return !here.Holds(f) })
}

// Allows says that every fact of the lemma holds in a state.
func (l *Lemma) Allows(here *State) bool {
	for f := range l.Holds {
		if !here.Holds(f) {
			return false
		}
	}
	return true
}
