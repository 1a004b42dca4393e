// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"math/rand/v2"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/engine/refine"
	"pangolin/internal/lts"
	"pangolin/internal/test/level"
)

// Comparisons of systems that are as large as those of the thesis. Ours are smaller, since what no other thread sees goes with the step before; so
// they are made larger by internal steps.

// stretched is a system with more states and transitions, as many as the published one has: transitions get internal steps behind
// them, and some of these lead to the end at once as well. A new state has but one way on, so the system is branching bisimilar to what it was.
// Whatever is larger than the published one stays as it is.
func stretched(s *lts.System, size Size) *lts.System {
	states, more := size.States-s.States(), size.Transitions-s.Transitions()-(size.States-s.States())
	if states < 0 {
		states, more = 0, 0
	}
	b := lts.NewBuilder(size.Transitions)
	b.SetStates(s.States())
	b.SetInitial(s.Initial())
	label := make([]lts.Label, len(s.Labels()))
	for i, name := range s.Labels() {
		if i != lts.Tau {
			label[i] = b.Visible(name)
		}
	}
	// Of each transition so many new states lie behind each other in its place; the first transitions get one more.
	each, rest, k := states/s.Transitions(), states%s.Transitions(), 0
	order := rand.New(rand.NewPCG(1, 2)).Perm(s.Transitions())
	for from := range s.States() {
		for _, e := range s.Edges(lts.State(from)) {
			at, l, n := lts.State(from), label[e.Label], each
			if order[k] < rest {
				n++
			}
			k++
			for range n {
				next := b.AddState()
				b.Add(at, l, next)
				if more > 0 {
					b.Add(at, l, e.To)
					more--
				}
				at, l = next, lts.Tau
			}
			b.Add(at, l, e.To)
		}
	}
	return b.Build()
}

// The comparisons of Table 6.1 at its sizes have its verdicts, under both equivalences. With -v they are told with their seconds,
// which stand in doc/study-thesis.md.
func TestThesis_ComparesSystemsOfItsSizes(t *testing.T) {
	level.SkipShort(t, "generates and compares transition systems")
	rows, err := publishedRows()
	if err != nil {
		t.Fatal(err)
	}
	t.Log("| case | n x m | concrete | abstract | BB s | WTE s | thesis: BB s | WTE s |")
	for i := range rows {
		r := &rows[i]
		if r.threads > 2 && !level.All() {
			continue
		}
		p, err := pangolin.Prepare(repository, r.request(&Options{}))
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := p.Jobs(repository)
		if err != nil {
			t.Fatal(err)
		}
		make := func(side refine.Side, size Size) *lts.System {
			s, err := side(repository, jobs[0].Subject, r.client(jobs[0]), refine.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			larger := stretched(s, size)
			if s.States() < 20_000 && !lts.Equivalent(s, larger, lts.Branching) {
				t.Errorf("%s %dx%d: the larger system is another one", r.name, r.threads, r.calls)
			}
			return larger
		}
		code, body := make(refine.Concrete, r.published.Concrete), make(refine.Atomic, r.published.Abstract)
		began := time.Now()
		bisimilar := lts.Equivalent(code, body, lts.Branching)
		branching := time.Since(began).Seconds()
		began = time.Now()
		traces := lts.Equivalent(code, body, lts.WeakTrace)
		t.Logf("| %s | %d x %d | %d / %d | %d / %d | %.2f | %.2f | %.2f | %.2f |", r.name, r.threads, r.calls, code.States(), code.Transitions(),
			body.States(), body.Transitions(), branching, time.Since(began).Seconds(), r.published.Branching, r.published.WeakTraces)
		if want := r.expected == "verified"; bisimilar != want || traces != want {
			t.Errorf("%s %dx%d: bisimilar %t, same weak traces %t, published %t", r.name, r.threads, r.calls, bisimilar, traces, want)
		}
	}
}
