// SPDX-License-Identifier: BSD-3-Clause

// Package text prints verdicts for people, in lines as wide as the terminal.
//
// It takes plain data (package verdict) and a writer, and sees nothing else: no
// source files, no engines, no environment. Width and colours are the caller's decision.
// Output depends on its input only. How executions are told is package story's; here they
// are drawn: a column for each thread where there is room (lanes.go), else a line a step.
package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Options say how results are printed.
type Options struct {
	Colour bool   // the writer shows terminal colours
	Width  int    // columns; 0: 80
	All    bool   // every step of a witness, and the witness of every violation
	Brief  bool   // of a violation only what is wrong, and the file with its witness
	Quiet  bool   // nothing but verdicts and what is wrong
	Home   string // a directory for which ~ stands in commands; "": none
}

// defaultWidth is how wide output is that is for no terminal.
const defaultWidth = 80

// Printer prints to one writer. Columns are as wide as the collections need
// that have been announced (verdict.Found).
type Printer struct {
	out     *writer
	ink     palette
	options Options
	width   int
	began   time.Time
	seen    []verdict.Verdict
	// gone and related are what has become of the violations of a baseline; nil: there is none.
	gone    []verdict.Gone
	related *verdict.Baseline
	shard   *verdict.Shard // the part that the results are; nil: all

	tests tests

	collections          int // that have been printed
	name, kind, property int // widths of the longest of each

	made     map[string]string // constructors of the collections that were announced, by their names
	numbered []string          // assumptions that have a number for a mark
}

// New makes a printer.
func New(out io.Writer, o Options) *Printer {
	p := &Printer{out: &writer{Writer: out}, ink: newPalette(o.Colour), options: o, width: o.Width, began: time.Now(), made: map[string]string{}}
	if p.width <= 0 {
		p.width = defaultWidth
	}
	return p
}

func (p *Printer) line(format string, args ...any) {
	fmt.Fprintln(p.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// broken breaks words into lines; the first begins with head, the others are indented
// as far as indent. A word that is too long for any line is broken, too.
func (p *Printer) broken(head, indent, text string) []string {
	var out []string
	line := head
	empty := ansi.StringWidth(head) <= ansi.StringWidth(indent)
	for _, word := range strings.Fields(text) {
		if ansi.StringWidth(line)+ansi.StringWidth(word) > p.width && !empty {
			out = append(out, strings.TrimRight(line, " "))
			line = indent
		}
		for room := p.width - ansi.StringWidth(line); ansi.StringWidth(word) > room && room > 0; room = p.width - ansi.StringWidth(indent) {
			out = append(out, line+ansi.Truncate(word, room, ""))
			word, line = ansi.TruncateLeft(word, room, ""), indent
		}
		line, empty = line+word+" ", false
	}
	return append(out, strings.TrimRight(line, " "))
}

func (p *Printer) wrap(head, indent, text string) {
	for _, l := range p.broken(head, indent, text) {
		p.line("%s", l)
	}
}

// clip shortens a text to so many columns.
func clip(text string, columns int) string { return ansi.Truncate(text, max(columns, 0), "…") }

// pad fills a text up to so many columns.
func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-ansi.StringWidth(text)))
}

// Show prints a result, of one of package verdict's types.
func (p *Printer) Show(result any) error {
	switch r := result.(type) {
	case verdict.Found:
		p.align(r.Name, r.Kind)
		p.made[r.Name] = r.New
	case verdict.Verdict:
		p.Verdict(r)
	case verdict.Tested:
		p.tested(&r)
	case verdict.Collection:
		if p.collections++; p.collections > 1 {
			p.line("")
		}
		p.Collection(r)
	case verdict.Clients:
		p.Clients(r)
	case verdict.Histories:
		p.histories(&r)
	case verdict.Points:
		p.Points(r)
	case verdict.Composition:
		p.composition(&r)
	case *verdict.Witness:
		p.title(r)
		p.Witness(r)
	case verdict.Gone:
		p.gone = append(p.gone, r)
	case verdict.Baseline:
		p.related = &r
	case verdict.Shard:
		p.shard = &r
	case verdict.Position, verdict.End: // for records
	case verdict.Unmutated:
		p.baseline(&r.Verdict)
	case verdict.Mutant:
		p.mutant(&r)
	case *verdict.MutationSummary:
		p.mutation(r)
	case verdict.System:
		p.system(r)
	case verdict.Comparison:
		p.comparison(r)
	case verdict.Checked:
		p.checked(&r)
	case verdict.Reproduction:
		p.reproduction(&r)
	default:
		return fmt.Errorf("a %T has no form as text", result)
	}
	return p.out.err
}

// Close prints what comes at the end: scopes and assumptions.
func (p *Printer) Close() error {
	p.Footer()
	p.testTotals()
	return p.out.err
}

// writer remembers the first error.
type writer struct {
	io.Writer
	err error
}

func (w *writer) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// align makes room for a collection.
func (p *Printer) align(name, kind string) {
	p.name, p.kind = max(p.name, len(name)), max(p.kind, len(kind))
}

// Found prints what will be verified: type, constructor, operations, kind, oracle.
func (p *Printer) Found(c verdict.Collection) {
	var ops []string
	for _, o := range c.Operations {
		ops = append(ops, o.Signature)
	}
	for _, i := range c.Invariants {
		ops = append(ops, "invariant "+i)
	}
	oracle := "oracle " + c.Oracle
	p.wrap("", "    ", fmt.Sprintf("%s = %s: %s, %s, %s: %s", c.Instance, c.New, c.Kind, c.Protocol, oracle, strings.Join(ops, ", ")))
}

// Collection prints all that is known of a collection.
func (p *Printer) Collection(c verdict.Collection) {
	p.line("%s", p.ink.strong(c.Instance))
	p.wrap("  constructor  ", "               ", c.New)
	p.line("  kind         %s", c.Kind)
	p.line("  protocol     %s", c.Protocol)
	p.line("  oracle       %s", c.Oracle)
	for i, o := range c.Operations {
		head := ""
		if i == 0 {
			head = "operations"
		}
		role := ""
		if o.Role != "" {
			role = " (" + o.Role + ")"
		}
		p.line("  %-11s  %s%s", head, o.Signature, role)
	}
	for i, text := range c.Invariants {
		head := ""
		if i == 0 {
			head = "invariants"
		}
		p.wrap(fmt.Sprintf("  %-11s  ", head), "               ", text)
	}
	p.wrap("  why          ", "               ", c.Reason)
	for i, s := range c.Skipped {
		head := ""
		if i == 0 {
			head = "left out"
		}
		p.wrap(fmt.Sprintf("  %-11s  ", head), "               ", s.Name+": "+s.Why)
	}
}

// Verdict prints a verdict in one line, if there is room for its marks, and what is wrong below it.
func (p *Printer) Verdict(v verdict.Verdict) {
	if v.Outcomes != nil {
		p.outcomes(&v)
		return
	}
	p.seen = append(p.seen, v)
	if v.Status == verdict.NotJudged { // there is nothing else to say, no scope and no kind
		p.wrap(p.ink.strong(v.Collection)+" ", "    ", p.ink.status(v.Status, string(v.Status)))
		p.wrap("    ", "    ", v.Reason)
		return
	}
	if v.Status == verdict.NotShared || v.Status == verdict.Unchanged {
		p.wrap("", "    ", p.ink.strong(v.Collection)+" "+string(v.Status)+": "+v.Reason)
		return
	}
	p.align(v.Collection, v.Kind)
	p.property = max(p.property, len(v.Property))
	head := fmt.Sprintf("%-*s %-*s %-*s ", p.name, v.Collection, p.kind, v.Kind, p.property, v.Property)
	word := string(v.Status)
	if v.Status == verdict.Violated {
		word = "VIOLATED"
		switch {
		case v.Expected == v.Status:
			word += " (expected)"
		case v.Novelty != "":
			word += " (" + string(v.Novelty) + ")"
		}
	}
	if v.Proof.Beside() {
		word += ", proved"
		if names := v.Proof.Without(); names != "" {
			word += " without " + names
		}
		if bound := v.Proof.AtMost(); bound != "" {
			word += " (" + bound + ")"
		}
	}
	if except := p.except(&v); except != "" {
		word += " (" + except + ")"
	}
	p.headline(&v, head, word)
	if !p.options.Quiet && v.Violation == nil {
		for _, sentence := range verdict.Property(v.Property).Weaker() {
			p.wrap("    where ", "      ", sentence)
		}
	}
	if v.Expected != "" && v.Expected != v.Status {
		p.line("    %s", p.ink.alarm(string(v.Expected)+" was expected"))
	}
	if len(v.Progress) > 0 {
		var list []string
		for _, o := range v.Progress {
			list = append(list, o.Operation+" "+string(o.Class))
		}
		p.wrap("    in this scope: ", "      ", strings.Join(list, ", "))
	}
	for _, text := range v.Remarks() {
		p.wrap("    ", "      ", text)
	}
	if p.options.All {
		for _, r := range v.Returns {
			p.wrap("    returned  ", "              ", r.String())
		}
		if v.ByPoints != nil {
			p.wrap("    judged    ", "              ", v.ByPoints.Text())
		}
		for _, a := range v.Asked {
			p.wrap("    asked     ", "              ", a.String())
		}
	}
	for i := range v.Contracts {
		p.wrap("    ", "      ", v.Contracts[i].Text())
	}
	p.proof(&v)
	if v.Swarm != nil && v.Violation != nil {
		p.wrap("    ", "      ", "found by "+v.Swarm.String())
	}
	switch {
	case v.Violation != nil:
		p.violation(v.Violation)
	case v.Reason != "":
		p.wrap("    ", "    ", v.Reason)
	}
	if p.options.Brief && v.Violation != nil {
		return // hints are for who looks at one type
	}
	for _, hint := range v.Hints {
		p.wrap("  hint  ", "        ", hint)
	}
}

// headline prints what the verdict is, in which scope, and what is assumed of this type alone. Where there is no room, columns are not
// aligned, then the widest scope alone is named; marks that there is no room for are on further lines.
func (p *Printer) headline(v *verdict.Verdict, head, word string) {
	scope, widest := v.Scope.Name(), v.Scope.Name()
	switch {
	case len(v.Scope.Limits) > 0: // there are no clients, and what is bounded stands below
		scope, widest = "", ""
	case p.options.All:
		if v.Scope.Bounds == nil || !v.Scope.Endless { // else there are infinitely many
			scope += " clients " + verdict.Counted(v.Clients)
		}
		scope += fmt.Sprintf(" states %d", v.States)
		widest = scope
	case len(v.Scope.And) > 0:
		widest = v.Scope.Bounds.Name() + "+" // -v names the others
	}
	list := marked(p.notes(v))
	marks := strings.Join(list, " ")
	type form struct{ head, rest string }
	var forms []form
	for _, h := range []string{head, strings.Join(strings.Fields(head), " ") + " "} {
		for _, rest := range []string{scope + " " + took(v), widest + " " + took(v), widest} {
			if rest != scope || !p.options.All {
				forms = append(forms, form{h, strings.TrimSpace(rest)})
			}
		}
	}
	fits := func(f form, marks string) bool {
		return ansi.StringWidth(strings.TrimRight(fmt.Sprintf("%s%-8s %s %s", f.head, word, f.rest, marks), " ")) <= p.width
	}
	for _, with := range []string{marks, ""} {
		if i := slices.IndexFunc(forms, func(f form) bool { return fits(f, with) }); i >= 0 {
			line := forms[i].head + p.ink.status(v.Status, fmt.Sprintf("%-8s", word)) + " " + forms[i].rest
			p.whole(line, list)
			return
		}
	}
	p.line("%s %s", clip(strings.TrimRight(head, " "), max(p.width-ansi.StringWidth(word)-1, p.width/2)), p.ink.status(v.Status, word))
	p.whole("    "+forms[0].rest, list)
}

// whole prints parts behind a line, and on further lines what there is no room for; no part is broken.
func (p *Printer) whole(line string, parts []string) {
	for _, part := range parts {
		if ansi.StringWidth(line)+1+ansi.StringWidth(part) > p.width {
			p.line("%s", line)
			line = "   "
		}
		line += " " + part
	}
	p.line("%s", line)
}

func seconds(s float64) string { return fmt.Sprintf("%.2fs", s) }

// took is how long it took to compute a verdict, which is not told of one that was kept.
func took(v *verdict.Verdict) string {
	if v.Cached {
		return "cached"
	}
	if v.Resumed > 0 {
		return seconds(v.Seconds) + ", resumed"
	}
	return seconds(v.Seconds)
}

func (p *Printer) violation(v *verdict.Violation) {
	if p.options.Brief && v.Execution != nil {
		p.few("    ", "    ", story.Sentence(v.Execution), linesWrong)
		if v.Witness != "" {
			p.line("    pangolin replay %s", p.short(v.Witness))
		}
		return
	}
	if v.Execution != nil {
		p.line("")
		p.Witness(v.Execution)
	}
	if v.Witness != "" {
		p.line("  witness  %s", v.Witness) // in one piece, whatever the width
		again := "pangolin replay FILE, with -step step by step; pangolin reproduce FILE on the Go runtime"
		if v.Execution != nil && v.Execution.Schedule.Compiled != nil {
			again = "pangolin replay FILE, natively, with -step step by step"
		}
		p.wrap("  again    ", "           ", again)
	}
	p.line("")
}

// judged says that a verdict is one of an engine, with a scope and what it assumes.
func judged(v verdict.Verdict) bool {
	return v.Status != verdict.NotJudged && v.Status != verdict.NotShared && v.Status != verdict.Unchanged
}

// Footer prints, of several verdicts, how many came to what, and what they rest on: in a sentence, or with -v the scopes and the
// assumptions of all, each once.
func (p *Printer) Footer() {
	if len(p.seen) == 0 {
		p.compared()
		p.part()
		return
	}
	if !slices.ContainsFunc(p.seen, judged) {
		p.totals()
		return
	}
	if p.options.Quiet {
		p.compared()
		p.part()
		return
	}
	p.line("")
	if !p.options.All {
		p.limits()
		p.assumed()
		p.explained()
		p.totals()
		if len(p.seen) > 1 {
			p.next()
		}
		return
	}
	p.grouped("scope", func(v verdict.Verdict) []string { return v.Scope.Texts() })
	p.grouped("oracle", chosenOracle)
	p.grouped("dropped", func(v verdict.Verdict) []string { return v.DroppedTexts() })
	p.grouped("left out", leftOut)
	p.grouped("assumed", func(v verdict.Verdict) (out []string) {
		for _, text := range folded(v.Assumptions) {
			if n := p.noteOf(text); n.mark != "" {
				text += " (*" + n.mark + ")"
			}
			out = append(out, text)
		}
		return out
	})
	p.beyond()
	p.totals() // last, where people look
}

// chosenOracle names an oracle that the kind does not imply: a type of the user's, or that of another kind. Of the oracle self the
// headline and the assumptions tell.
func chosenOracle(v verdict.Verdict) []string {
	if v.Oracle == v.Kind || v.Oracle == "self" || v.Oracle == "" {
		return nil
	}
	return []string{v.Oracle}
}

// mostNamed is how many collections are named that a text is about; of more the number is said, and
// which they are with -v.
const mostNamed = 2

// grouped prints texts that verdicts have in common, each with the collections that
// it is about unless it is about all.
func (p *Printer) grouped(title string, texts func(verdict.Verdict) []string) {
	var order []string
	about := map[string][]string{}
	all := map[string]bool{}
	for _, v := range p.seen {
		if !judged(v) {
			continue
		}
		all[v.Collection] = true
		for _, t := range texts(v) {
			if about[t] == nil {
				order = append(order, t)
			}
			if !slices.Contains(about[t], v.Collection) {
				about[t] = append(about[t], v.Collection)
			}
		}
	}
	for i, t := range order {
		head := ""
		if i == 0 {
			head = title
		}
		who := ""
		switch n := len(about[t]); {
		case n == len(all):
		case n > mostNamed && !p.options.All:
			who = fmt.Sprintf(" [%d of %d types]", n, len(all))
		default:
			who = " [" + strings.Join(about[t], " ") + "]"
		}
		p.wrap(fmt.Sprintf("%-9s", head), "           ", t+who)
	}
}

// Clients prints a number of clients, and the list if there is one.
func (p *Printer) Clients(c verdict.Clients) {
	for _, l := range c.List {
		p.line("%s", l)
	}
	name := c.Collection
	if name == "" {
		name = c.Kind
	}
	about := ""
	if short := verdict.Counted(c.Count); short != string(c.Count) {
		about = ", some " + short
	}
	p.line("%s: %s clients%s (%s)", name, c.Count, about, c.Scope.Text())
}
