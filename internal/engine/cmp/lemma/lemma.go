// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Lemmas are lemmas by the place that they are about: calls in progress, and what is done, as a key.
type Lemmas map[string]*Lemma

// Lemma is what is claimed of threads at one place.
type Lemma struct {
	At    string // "file.go:12 in F"
	Does  string
	Holds map[Fact]bool
}

// List lists the facts in order.
func (l *Lemma) List() []string {
	out := make([]string, 0, len(l.Holds))
	for f := range l.Holds {
		out = append(out, f.String())
	}
	slices.Sort(out)
	return out
}

// Sorted lists lemmas by place.
func (l Lemmas) Sorted() []*Lemma {
	return slices.SortedFunc(maps.Values(l), func(a, b *Lemma) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Does, b.Does), cmp.Compare(a.String(), b.String()))
	})
}

// String is the lemma in Go's syntax.
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

// Clone makes a copy from which facts can be dropped.
func (l Lemmas) Clone() Lemmas {
	out := Lemmas{}
	for site, x := range l {
		y := *x
		y.Holds = maps.Clone(x.Holds)
		out[site] = &y
	}
	return out
}

// Note takes note of a thread that has done something at a place where these facts hold: what
// does not hold here is no lemma.
func (l Lemmas) Note(site, at, does string, here *State) {
	x := l[site]
	if x == nil {
		l[site] = &Lemma{At: at, Does: does, Holds: here.All()}
		return
	}
	maps.DeleteFunc(x.Holds, func(f Fact, _ bool) bool { return !here.Holds(f) })
}

// Allows says that everything that is claimed holds.
func (l *Lemma) Allows(here *State) bool {
	for f := range l.Holds {
		if !here.Holds(f) {
			return false
		}
	}
	return true
}
