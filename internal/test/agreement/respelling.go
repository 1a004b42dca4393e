// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"pangolin"
	"pangolin/internal/engine/outcomes"
	"pangolin/internal/front"
	"pangolin/internal/test/generator"
	"pangolin/verdict"
)

// What the machine says of a text and of the same in other words (generator.Respelling) is the same. Both sides are of the
// front end and the machine; they share no spelling, so that what depends on how something is written shows: a value
// that is read before or behind another, a local that is taken for shared, a name, an order of declarations, a size.

// spelled is a text with its respellings.
type spelled struct {
	Program
	others []respelled
}

// respelled is a text in other words.
type respelled struct {
	Program
	how generator.Respelling
}

// respell writes each text in as many ways as asked for, begun with the way of its number.
func respell(c *generator.Checker, list []Program, ways int) ([]spelled, error) {
	knowLibrary()
	var out []spelled
	all := generator.Respellings()
	for i, p := range list {
		s := spelled{Program: p}
		for k := range all {
			how := all[(i*ways+k)%len(all)]
			if len(s.others) == ways {
				break
			}
			texts, ok, err := c.Respell(map[string]string{p.Name: p.Source}, how, uint64(i))
			if err != nil {
				return nil, err
			}
			if ok {
				s.others = append(s.others, respelled{Program{fmt.Sprintf("%sw%d", p.Name, k), texts[p.Name]}, how})
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// RespelledTypes compares the verdicts of types with those of their respellings, in as many ways of writing each; the tally counts
// pairs.
func RespelledTypes(ctx context.Context, dir string, list []Program, lim Limits, ways int) ([]Difference, *Tally, error) {
	all, err := respell(generator.NewChecker(), list, ways)
	if err != nil {
		return nil, nil, err
	}
	texts := map[string]string{}
	for _, s := range all {
		texts[s.Name] = strings.Replace(s.Source, "package types", "package "+s.Name, 1)
		for _, o := range s.others {
			texts[o.Name] = strings.Replace(o.Source, "package types", "package "+o.Name, 1)
		}
	}
	if err := writeModule(dir, texts); err != nil {
		return nil, nil, err
	}
	p, err := pangolin.Prepare(ctx, pangolin.Request{Dir: dir, Packages: []string{"./..."}, Program: pangolin.Program{Leaks: "none"}, Specification: pangolin.Specification{Expect: "violated"},
		Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}})
	if err != nil {
		return nil, nil, err
	}
	verdicts := ofAll(ctx, p, pangolin.Search{MaxStates: lim.States})
	tally := newTally()
	var found []Difference
	for _, s := range all {
		first := verdicts[s.Name]
		for _, o := range s.others {
			other := verdicts[o.Name]
			if text := tally.failures(first, other); text != "" {
				found = append(found, Difference{s.Name, o.how.Name, s.Source + "\n// ---- " + o.how.Name + "\n" + o.Source, text})
				continue
			}
			if first.limited() || other.limited() {
				tally.Left["a limit, "+o.how.Name]++
				continue
			}
			tally.compared(s.Source)
			tally.Kinds[o.how.Name]++
			if a, b := wordsOf(first, !o.how.Captures), wordsOf(other, !o.how.Captures); a != b {
				found = append(found, Difference{s.Name, o.how.Name, s.Source + "\n// ---- " + o.how.Name + "\n" + o.Source, "  " + a + "\n  " + b + "\n"})
			}
		}
	}
	return found, tally, nil
}

// ofAll verifies all collections of a module in one way, by package.
func ofAll(ctx context.Context, p *pangolin.Prepared, s pangolin.Search) map[string]way {
	out := map[string]way{}
	for pkg, list := range verifyInWays(ctx, p, []string{""}, map[string]pangolin.Search{"": s}) {
		out[pkg] = list[0]
	}
	return out
}

// wordsOf says what a verdict comes to, and in how many states if that counts.
func wordsOf(w way, states bool) string {
	switch {
	case w.err != nil:
		_, text, _ := strings.Cut(shortened(w.err.Error()), ".go:") // the place is another one
		return "error" + strings.TrimLeft(text, "0123456789:")
	case w.v == nil:
		return "no verdict"
	case w.v.Violation != nil:
		return fmt.Sprint(w.v.Status, " ", w.v.Violation.Class)
	case states && w.v.Status == verdict.Verified:
		return fmt.Sprint(w.v.Status, ", ", w.v.Effort.States, " states")
	}
	return string(w.v.Status)
}

// RespelledPrograms compares the outcomes of programs with those of their respellings.
func RespelledPrograms(ctx context.Context, dir string, list []Program, lim Limits, ways int) ([]Difference, *Tally, error) {
	all, err := respell(generator.NewChecker(), list, ways)
	if err != nil {
		return nil, nil, err
	}
	texts := map[string]string{}
	for _, s := range all {
		texts[s.Name] = s.Source
		for _, o := range s.others {
			texts[o.Name] = o.Source
		}
	}
	if err := writeModule(dir, texts); err != nil {
		return nil, nil, err
	}
	listed, err := front.List(ctx, dir, []string{"./..."})
	if err != nil {
		return nil, nil, err
	}
	ends := map[string]end{}
	for _, l := range listed {
		ends[nameOfPackage(l.Path)] = endOf(ctx, l, lim)
	}
	tally := newTally()
	var found []Difference
	for _, s := range all {
		for _, o := range s.others {
			a, b := ends[s.Name], ends[o.Name]
			if text := cmp.Or(a.failed, b.failed); text != "" {
				tally.Failed++
				found = append(found, Difference{s.Name, o.how.Name, s.Source + "\n// ---- " + o.how.Name + "\n" + o.Source, "  " + text + "\n"})
				continue
			}
			if a.left || b.left {
				tally.Left["a limit, "+o.how.Name]++
				continue
			}
			tally.compared(s.Source)
			tally.Kinds[o.how.Name]++
			if x, y := a.words(!o.how.Captures), b.words(!o.how.Captures); x != y {
				found = append(found, Difference{s.Name, o.how.Name, s.Source + "\n// ---- " + o.how.Name + "\n" + o.Source, "  " + x + "\n  " + y + "\n"})
			}
		}
	}
	return found, tally, nil
}

func nameOfPackage(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// end is what the machine says of a program.
type end struct {
	left     bool // a limit was reached
	fault    string
	failed   string // how the search has failed
	outcomes []string
	states   uint64
}

func endOf(ctx context.Context, l *front.Listed, lim Limits) end {
	prog, err := l.Load(ctx, front.Request{Roots: []string{"main"}})
	if err != nil {
		return end{fault: "it is not loaded"}
	}
	r, err := exploreGuarded(ctx, prog, outcomes.Options{Reductions: outcomes.Applicable, MaxStates: lim.States})
	switch {
	case err != nil:
		return end{failed: firstLine(err.Error())}
	case r.Fault != nil:
		return end{fault: "a fault"}
	case !r.Complete:
		return end{left: true}
	}
	return end{outcomes: keys(converted(r)), states: r.States}
}

func (e end) words(states bool) string {
	text := e.fault + strings.Join(e.outcomes, " | ")
	if states {
		text += fmt.Sprint(", ", e.states, " states")
	}
	return text
}
