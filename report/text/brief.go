// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// What stands behind the verdicts without -v: one sentence about what all of them assume, why operations were left out, what the marks on
// the lines mean, and what to do next. With -v every scope and every assumption stands there in full (Footer).

const (
	linesOfMarks = 6 // that explain marks
	linesWrong   = 1 // that say what is wrong, of several types
)

// assumed prints what verdicts have in common in one sentence. What does not hold of all names those of which it does, or does not.
func (p *Printer) assumed() {
	var parts []string
	parts = append(parts, p.scopes()...)
	var order []string
	about := map[string][]string{}
	all := map[string]bool{}
	for i := range p.seen {
		v := &p.seen[i]
		if !judged(*v) {
			continue
		}
		all[v.Collection] = true
		for _, text := range v.Assumptions {
			n := p.noteOf(text)
			if n.short == "" || n.short == anyValues {
				continue
			}
			if about[n.short] == nil {
				order = append(order, n.short)
			}
			if !slices.Contains(about[n.short], v.Collection) {
				about[n.short] = append(about[n.short], v.Collection)
			}
		}
	}
	var some []string // of whom not all is assumed
	said := map[string][]string{}
	for _, short := range order {
		who := whom(about[short], all)
		if who == "" {
			parts = append(parts, short)
			continue
		}
		if said[who] == nil {
			some = append(some, who)
		}
		said[who] = append(said[who], short)
	}
	for _, who := range some {
		parts = append(parts, strings.Join(said[who], ", ")+who)
	}
	if len(parts) > 0 {
		p.wrap("assumed  ", "         ", strings.Join(parts, "; "))
	}
}

// whom names the types that a text is about, or those that it is not about, whichever is shorter; nothing if it is about all.
func whom(about []string, all map[string]bool) string {
	var others []string
	for name := range all {
		if !slices.Contains(about, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	switch {
	case len(others) == 0:
		return ""
	case len(others) < len(about) && len(others) <= mostNamed:
		return " (not " + strings.Join(others, ", ") + ")"
	case len(about) <= mostNamed:
		return " (" + strings.Join(about, ", ") + ")"
	}
	return fmt.Sprintf(" (%d of %d)", len(about), len(all))
}

// scopes explains the names of scopes, with what their verdicts have in common: "up to 3 threads with 4 calls in all (3x4)". The names of
// others are alike.
func (p *Printer) scopes() (parts []string) {
	var explained []string
	var names []string
	largest := map[string]*verdict.Bounds{} // of the scopes of a name; what one thread shows is in a smaller one
	adds, values, keys, symbolic, more := 0, 0, 0, false, false
	unequal, differ := false, false // numbers of items before, and of values or keys
	var restricted []string         // how pre-adds are
	for i := range p.seen {
		s := &p.seen[i].Scope
		if !judged(p.seen[i]) || s.Bounds == nil {
			continue
		}
		switch name := s.Bounds.Name(); {
		case largest[name] != nil:
			if s.Bounds.Threads[1] > largest[name].Threads[1] {
				largest[name] = s.Bounds
			}
		case s.Bounds.Preset != "" || len(names) == 0: // others tell their numbers
			names, largest[name] = append(names, name), s.Bounds
		}
		more = more || len(s.And) > 0
		// Only of the scope that is explained: that a longer one has more items or values says nothing about this one.
		b := s.Bounds
		if n := b.PreAdds[1]; n > 0 {
			adds = atLeast(adds, n, &unequal)
			if r := b.Restricted(); r != "" && !slices.Contains(restricted, r) {
				restricted = append(restricted, r)
			}
		}
		symbolic = symbolic || b.GenericValues && !b.Endless
		if b.GenericValues && b.Keyed {
			keys = atLeast(keys, b.Values, &differ)
		}
		if !b.GenericValues || b.Endless {
			values = atLeast(values, b.Values, &differ)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for i, name := range names {
		explained = append(explained, fmt.Sprintf("%s (%s)", extent(largest[name], i == 0), name))
	}
	text := strings.Join(explained, ", ")
	if more {
		text += ", more (+)"
	}
	if adds > 0 {
		text += fmt.Sprintf(", up to %s%s before", plural(adds, "item"), orMore(unequal))
		if len(restricted) > 0 {
			text += " (" + strings.Join(restricted, "; ") + ")"
		}
	}
	switch {
	case values > 0 && symbolic:
		text += fmt.Sprintf(", values 0..%d%s if the code looks at any", values-1, orMore(differ))
	case values > 0:
		text += fmt.Sprintf(", values 0..%d%s", values-1, orMore(differ))
	case keys > 0:
		text += fmt.Sprintf(", keys 0..%d%s, any values, at which the code does not look", keys-1, orMore(differ))
	default:
		text += ", any values, at which the code does not look"
	}
	return []string{text}
}

// atLeast is the least number that holds of all scopes, 0 being none yet; differ is set if they have several.
func atLeast(least, n int, differ *bool) int {
	if least == 0 {
		return n
	}
	*differ = *differ || n != least
	return min(least, n)
}

// orMore says that other scopes have more.
func orMore(differ bool) string {
	if differ {
		return " or more"
	}
	return ""
}

// extent describes a scope in a few words: of the first one "up to 3 threads with 4 calls in all", of others "2 with 6".
func extent(b *verdict.Bounds, first bool) string {
	text := upTo(b.Threads)
	if first && b.Threads[0] <= 1 {
		text = "up to " + text
	}
	if first {
		text += " threads"
	}
	if b.Endless {
		text += " with any number of calls"
		if b.GenericValues {
			text += fmt.Sprintf(", at most %s in use at a time", plural(b.Items, "item"))
		}
	} else if b.PerThread > 0 {
		text += fmt.Sprintf(" with %s each", plural(b.PerThread, "call"))
	} else if text += " with " + upTo(b.Steps); first {
		text += " calls in all"
	}
	if b.Hash != "identity" {
		text += ", hash " + b.Hash
	}
	if !b.Fair {
		text += ", unfair cycles count"
	}
	return text
}

// except is what the line of a verdict says that it does not cover. That one thread is unchecked is not said of each object, which has no
// oracle but itself: the sentence says it.
func (p *Printer) except(v *verdict.Verdict) string {
	text := v.Except()
	if v.Kind != "object" || p.options.Quiet || p.options.All {
		return text
	}
	parts := slices.DeleteFunc(strings.Split(text, "; "), func(part string) bool { return part == verdict.OneThreadUnchecked })
	return strings.Join(parts, "; ")
}

// upTo writes bounds, of which the lower one is told if it leaves something out: "3", "2 to 3", "exactly 2".
func upTo(r [2]int) string {
	switch {
	case r[0] <= 1:
		return fmt.Sprint(r[1])
	case r[0] == r[1]:
		return fmt.Sprintf("exactly %d", r[1])
	}
	return fmt.Sprintf("%d to %d", r[0], r[1])
}

// short is a path for a command, with ~ for the home directory.
func (p *Printer) short(path string) string {
	if home := p.options.Home; home != "" && strings.HasPrefix(path, home+"/") {
		return "~" + path[len(home):]
	}
	return path
}

// limits prints what else is bounded: the items of a proof.
func (p *Printer) limits() {
	p.grouped("scope", func(v verdict.Verdict) []string {
		if v.Scope.Bounds == nil && !(p.options.Brief && slices.Contains(proving, v.Engine)) { // whose lines have it
			return v.Scope.Texts()
		}
		return nil
	})
}

// explained prints what the marks on the lines mean, and why operations are left out.
func (p *Printer) explained() {
	var parts, numbers []string
	add := func(mark, means string) {
		if n := strings.TrimPrefix(mark, "*"); n != "" && strings.Trim(n, "0123456789") == "" {
			if part := mark + ": " + means; !slices.Contains(numbers, part) {
				numbers = append(numbers, part)
			}
			return
		}
		if part := mark + ": " + means; means != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	add("proved", p.proved())
	for i := range p.seen {
		v := &p.seen[i]
		if !judged(*v) {
			continue
		}
		if strings.Contains(p.except(v), verdict.OneThreadUnchecked) {
			add(verdict.OneThreadUnchecked, "its own code judges it (-oracle)")
		}
		for _, n := range p.notes(v) {
			add("*"+n.mark, n.means)
		}
	}
	if len(parts)+len(numbers) > 0 { // what a number means stands nowhere else, so those come first and are not shortened
		most := linesOfMarks + len(p.broken("marks    ", "         ", strings.Join(numbers, "; ")))
		p.few("marks    ", "         ", strings.Join(append(numbers, parts...), "; "), most)
	}
	p.grouped("left out", leftOut)
}

// leftOut says of each operation that was left out why.
func leftOut(v verdict.Verdict) (out []string) {
	for _, l := range v.LeftOut {
		out = append(out, l.Operation+": "+l.Why)
	}
	return out
}

// few prints a text in so many lines at most; of a longer one the last line ends with an ellipsis.
func (p *Printer) few(head, indent, text string, most int) {
	lines := p.broken(head, indent, text)
	for i, l := range lines {
		if i+1 == most && i+1 < len(lines) {
			p.line("%s", clip(l+" "+strings.TrimSpace(lines[i+1]), p.width))
			return
		}
		p.line("%s", l)
	}
}

// proving are the engines of the command prove.
var proving = []string{"sections", "zones", "unbounded", "places", "ages", "cmp", "prover"}

// next prints what one can do about several verdicts.
func (p *Printer) next() {
	var wrong, open, held, unproved string
	for i := range p.seen {
		switch v := &p.seen[i]; {
		case slices.Contains(proving, v.Engine) && v.Status != verdict.Violated && judged(*v):
			if v.Status == verdict.Unknown {
				unproved = cmp.Or(unproved, v.Collection)
			}
		case v.Engine != "bounded" && !slices.Contains(proving, v.Engine) && judged(*v):
			return // about other commands
		case surprises(v) && v.Violation != nil:
			wrong = cmp.Or(wrong, v.Collection)
		case v.Status == verdict.Unknown && v.Cause == verdict.Limited:
			open = cmp.Or(open, v.Collection)
		case v.Status == verdict.Verified:
			held = cmp.Or(held, v.Collection)
		}
	}
	say := func(text string) { p.wrap("next     ", "         ", text) }
	switch {
	case wrong != "" && unproved != "":
		say("replay -step walks through a violation; no proof is no fault: verify searches all executions of a few threads; -v shows all")
	case wrong != "":
		say("replay -step walks through a violation; verify -v shows all, and hints")
	case unproved != "":
		say("no proof is no fault: verify searches all executions of a few threads; prove -v PACKAGE.TYPE says how far a proof came")
	case open != "":
		say("-timeout, -max-states, -max-memory allow more; -threads, -steps ask less")
	case held != "":
		say("prove is for any number of threads; verify -v shows all assumptions")
	}
}
