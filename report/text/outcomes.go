package text

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pangolin/verdict"
)

// outcomes prints every outcome of a program, and how much was explored.
func (p *Printer) outcomes(v *verdict.Verdict) {
	if v.Outcomes.Fault != "" && len(v.Outcomes.List) == 0 {
		return // the error says it all
	}
	for i := range v.Outcomes.List {
		o := &v.Outcomes.List[i]
		p.line("%d. %s", i+1, outcomeTitle(o))
		p.outcome(o)
		if o.Schedule != nil {
			p.schedule(o)
		}
		p.line("")
	}
	p.line("%s", explored(v))
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
		fmt.Fprintf(p.out, "   these go on for ever: %s\n", strings.Join(texts(o.Involved, verdict.Situation.String), ", "))
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
	reductions := strings.Join(o.Reductions, ", ")
	if reductions == "" {
		reductions = "none"
	}
	return fmt.Sprintf("%s; %s, %d states, %d transitions (reductions: %s)",
		plural(len(o.List), "outcome"), how, v.States, v.Transitions, reductions)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p *Printer) schedule(o *verdict.Outcome) {
	p.line("   schedule:")
	printTurns(p.out, o.Schedule)
	if o.Cycle != nil {
		p.line("   and then for ever:")
		printTurns(p.out, o.Cycle)
	}
}

// printTurns prints a line for each step: who, where, what, and the source line.
func printTurns(w io.Writer, list []verdict.OutcomeStep) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for i := range list {
		s := &list[i]
		switch {
		case !s.Begins:
			fmt.Fprintf(t, "     %s\t%s\t%s\t| %s\n", goroutine(s), s.Place.Position(), s.Does+decided(s.Decisions), s.Source)
		case len(s.Decisions) > 0:
			fmt.Fprintf(t, "     %s\t\tstart%s\t\n", goroutine(s), decided(s.Decisions))
		}
	}
	_ = t.Flush() // the writer below keeps its error
}

// goroutine is a goroutine's number and name: "2 main.func1".
func goroutine(s *verdict.OutcomeStep) string {
	if s.Thread == 0 {
		return s.Goroutine
	}
	return fmt.Sprintf("%d %s", s.Thread, s.Goroutine)
}

// decided lists what was chosen where Go leaves something open.
func decided(decisions []uint32) string {
	if len(decisions) == 0 {
		return ""
	}
	var list []string
	for _, d := range decisions {
		list = append(list, fmt.Sprint(d))
	}
	return ", decided " + strings.Join(list, ", ")
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
