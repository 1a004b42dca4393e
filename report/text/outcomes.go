// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// outcomes prints every outcome of a program, and how much was explored.
func (p *Printer) outcomes(v *verdict.Verdict) {
	if v.Outcomes.Fault != "" && len(v.Outcomes.List) == 0 {
		return // the error says it all
	}
	for i := range v.Outcomes.List {
		o := &v.Outcomes.List[i]
		title := outcomeTitle(o)
		if o.Alike > 0 {
			title += fmt.Sprintf(", and %s alike", plural(o.Alike, "other outcome"))
		}
		p.line("%d. %s", i+1, title)
		p.outcome(o)
		if o.Execution != nil {
			p.line("")
			p.story(o.Execution, p.options.All, func() bool { return true })
			p.line("")
			p.details(o.Execution)
		}
		if o.Witness != "" {
			p.line("  witness  %s\n", o.Witness)
		}
		if o.Execution == nil {
			p.line("")
		}
	}
	p.line("%s", explored(v))
	for _, a := range folded(v.Assumptions) {
		p.wrap("assuming: ", "          ", a)
	}
}

func outcomeTitle(o *verdict.Outcome) string {
	switch o.Kind {
	case verdict.Exited:
		return fmt.Sprintf("exit status %d", *o.Exit)
	case verdict.Panicked:
		if strings.HasPrefix(o.Panic, "fatal") {
			return fmt.Sprintf("fatal error, exit status %d", *o.Exit)
		}
		return fmt.Sprintf("panic, exit status %d", *o.Exit)
	case verdict.Deadlocked:
		return fmt.Sprintf("deadlock, exit status %d", *o.Exit)
	case verdict.Endless:
		return "never ends"
	case verdict.Leaked:
		return "goroutine leak"
	}
	return "data race"
}

func (p *Printer) outcome(o *verdict.Outcome) {
	p.marked("stdout", o.Stdout)
	p.marked("stderr", o.Stderr)
	p.marked("", o.Panic)
	for _, at := range o.At {
		fmt.Fprintf(p.out, "     at %s\n", at)
	}
	if o.Kind == verdict.Endless {
		if len(o.Involved) > 0 { // of compiled code those that go on are not told from those that have ended
			fmt.Fprintf(p.out, "   these go on for ever: %s\n", strings.Join(texts(o.Involved, verdict.Situation.String), ", "))
		}
		return
	}
	for _, line := range append(texts(o.Involved, verdict.Situation.String), texts(o.Race, verdict.Conflict.String)...) {
		fmt.Fprintf(p.out, "   %s\n", line)
	}
}

// marked prints a text with every line marked, so that it cannot be mistaken for
// something else.
func (p *Printer) marked(name, text string) {
	if text == "" {
		return
	}
	mark := "   "
	if name != "" {
		mark += name + " | "
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(p.out, "%s%s\n", mark, line)
	}
	if name != "" && !strings.HasSuffix(text, "\n") {
		fmt.Fprintf(p.out, "   (no newline at the end)\n")
	}
}

// explored says how much was explored.
func explored(v *verdict.Verdict) string {
	o := v.Outcomes
	how := "every interleaving explored"
	switch {
	case o.Fault != "":
		how = "not explored completely: the program cannot be executed further"
	case !o.Complete:
		how = "not explored completely: " + o.Limit
	}
	if v.Sampled != nil {
		return fmt.Sprintf("%s; %s", plural(len(o.List), "outcome"), o.Limit)
	}
	reductions := strings.Join(o.Reductions, ", ")
	if reductions == "" {
		reductions = "none"
	}
	all := len(o.List)
	for i := range o.List {
		all += o.List[i].Alike
	}
	return fmt.Sprintf("%s; %s, %d states, %d transitions (reductions: %s)",
		plural(all, "outcome"), how, v.States, v.Transitions, reductions)
}

func plural(n int, one string) string {
	return fmt.Sprintf("%d %s", n, noun(n, one))
}

// Ending prints how an execution has ended as the Go runtime does.
func (p *Printer) Ending(o *verdict.Outcome) {
	switch o.Kind {
	case verdict.Deadlocked:
		p.line("%s", o.Panic)
		for _, g := range o.Involved {
			p.line("\n%s", g)
		}
	case verdict.Panicked:
		p.line("%s\n\n\tat %s", o.Panic, o.At[0])
	}
}
