package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pangolin/internal/engine/outcomes"
)

// printOutcomes prints a report for people.
func printOutcomes(w io.Writer, r *outcomes.Report) error {
	b := bufio.NewWriter(w)
	source := newSourceText()
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		fmt.Fprintf(b, "%d. %s\n", i+1, title(o))
		printDetails(b, o)
		if o.Schedule != nil {
			printSchedule(b, o.Schedule, source)
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintln(b, summary(r))
	return b.Flush()
}

func title(o *outcomes.Outcome) string {
	switch o.Kind {
	case outcomes.Exited:
		return fmt.Sprintf("exit status %d", o.Exit)
	case outcomes.Panicked:
		if strings.HasPrefix(o.Panic, "fatal") {
			return fmt.Sprintf("fatal error, exit status %d", o.Exit)
		}
		return fmt.Sprintf("panic, exit status %d", o.Exit)
	case outcomes.Deadlock:
		return fmt.Sprintf("deadlock, exit status %d", o.Exit)
	case outcomes.Endless:
		return "never ends"
	}
	return "data race"
}

func printDetails(w io.Writer, o *outcomes.Outcome) {
	printText(w, "stdout", o.Stdout)
	printText(w, "stderr", o.Stderr)
	printText(w, "", o.Panic)
	for _, at := range o.At {
		fmt.Fprintf(w, "     at %s\n", at)
	}
	if o.Kind == outcomes.Endless {
		fmt.Fprintf(w, "   these go on for ever: %s\n", strings.Join(o.Involved, ", "))
		return
	}
	for _, line := range o.Involved {
		fmt.Fprintf(w, "   %s\n", line)
	}
}

// printText prints a text with every line marked, so that it cannot be mistaken for
// something else.
func printText(w io.Writer, name, text string) {
	if text == "" {
		return
	}
	mark := "   "
	if name != "" {
		mark += name + " | "
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(w, "%s%s\n", mark, line)
	}
	if name != "" && !strings.HasSuffix(text, "\n") {
		fmt.Fprintf(w, "   (no newline at the end)\n")
	}
}

// summary says how much was explored.
func summary(r *outcomes.Report) string {
	how := "every interleaving explored"
	switch {
	case r.Fault != nil:
		how = "not explored completely: the program cannot be executed further"
	case !r.Complete:
		how = "not explored completely: " + r.Limit
	}
	return fmt.Sprintf("%s; %s, %d states, %d transitions (reductions: %s)",
		plural(len(r.Outcomes), "outcome"), how, r.States, r.Transitions, r.Reductions)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func printSchedule(w io.Writer, s *outcomes.Schedule, source *sourceText) {
	fmt.Fprintln(w, "   schedule:")
	printTurns(w, s.Turns, source)
	if s.Cycle != nil {
		fmt.Fprintln(w, "   and then for ever:")
		printTurns(w, s.Cycle, source)
	}
}

// printTurns prints a line for each turn: who, where, what, and the source line.
func printTurns(w io.Writer, turns []outcomes.Turn, source *sourceText) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for i := range turns {
		turn := &turns[i]
		switch {
		case turn.At != "":
			fmt.Fprintf(t, "     %s\t%s\t%s\t| %s\n", threadName(turn), turn.At, turn.Does+decided(turn.Decisions), source.line(turn.At))
		case len(turn.Decisions) > 0: // the beginning
			fmt.Fprintf(t, "     %s\t\tstart%s\t\n", threadName(turn), decided(turn.Decisions))
		}
	}
	_ = t.Flush() // the writer below keeps its error
}

// threadName is a goroutine's number and name: "2 main.func1".
func threadName(t *outcomes.Turn) string {
	if t.Thread == 0 {
		return t.Goroutine
	}
	return fmt.Sprintf("%d %s", t.Thread, t.Goroutine)
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
