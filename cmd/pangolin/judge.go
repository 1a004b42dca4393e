// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/judge"
	"pangolin/internal/judge/executed"
	"pangolin/internal/judge/record"
	"pangolin/report/html"
	"pangolin/verdict"
)

// The command judge: recorded histories.

const judgeHelp = `Judge says of recorded histories of running systems whether an order of the calls
explains the results. A file holds one history: lines of JSON as doc/judge.md has them, a
history of Jepsen in EDN or its text log, or an event list of Porcupine's. "-" is standard
input.

Kinds: register, map, set, queue, stack, pqueue, counter, bank, transactions; object, whose
calls a Go type explains (-type): the operation "put" is its method Put. A map and a
set are judged key by key. Calls that did not return may take effect at any time, or not at
all.

Properties: linear (of transactions: strictly serializable), sc and causal; serializable
of transactions; and, of registers and maps, read-your-writes, monotonic-reads,
monotonic-writes and writes-follow-reads, several with commas between them, or session
for all four.

Exit codes: 0 an order explains each history, 1 none does for one of them, and the
smallest part found that no order explains is printed, 2 a file cannot be read, 3 a limit
was reached.

Examples:

  pangolin judge history.jsonl
  pangolin judge -timeout 1m -kind map -initial '""' jepsen/*/history.edn
  pangolin judge -property causal history.jsonl
  pangolin judge -type ./ledger.Ledger -reads balance ledger.jsonl
  pangolin judge -html witness.html history.jsonl`

// judgeFlags are the flags of judge.
type judgeFlags struct {
	read   record.Options
	judge  judge.Options
	by     executed.Options // the specification of an object
	limits pangolin.Request // of which the limit on memory is used
	asJSON bool
	html   string // file of the page
}

func newJudge(con *console) *ffcli.Command {
	f := &judgeFlags{}
	f.limits.Search.MaxMemory = 1 << 30
	fs := flag.NewFlagSet("judge", flag.ContinueOnError)
	fs.StringVar((*string)(&f.read.Format), "format", "auto", "how the files are written: `auto|lines|edn|jepsen`")
	fs.StringVar((*string)(&f.read.Kind), "kind", "", "what was called: `KIND`; otherwise as the file says, or its operations suggest")
	fs.StringVar(&f.read.Initial, "initial", "", "the `VALUE` of a register or of each key before the first write, as JSON; otherwise as the file says")
	fs.StringVar((*string)(&f.judge.Property), "property", "linear", "`P`: linear, sc, causal, serializable, session or single guarantees of a session")
	fs.StringVar(&f.by.Type, "type", "", "of an object: `PKG.Type` says what calls do; the machine executes its methods")
	fs.StringVar(&f.by.New, "new", "", "a Go `expression` of the package of -type that makes an object (default NewType(), New(), or new(Type))")
	fs.Func("reads", "comma separated `operations` of an object that change nothing, which makes the search shorter", func(list string) error {
		f.by.Reads = strings.Split(list, ",")
		return nil
	})
	fs.IntVar(&f.by.By, "by", 0, "number of the `argument` that says of which part of an object a call is, if calls on different parts have nothing to do with each other")
	fs.DurationVar(&f.judge.Limit, "timeout", 0, "judge each file for at most `D`, such as 30s; 0 is no limit")
	fs.Func("max-memory", "`bytes` of remembered configurations and states at most, e.g. 500M (default 1G)", func(text string) error { return f.limits.Set("max-memory", text) })
	fs.StringVar(&f.html, "html", "", "write a page to `FILE`: of each violation the calls, with time to the right")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object a line")
	return &ffcli.Command{
		Name:       "judge",
		ShortUsage: "pangolin judge [flags] FILE ...",
		ShortHelp:  "judge recorded histories of running systems",
		LongHelp:   judgeHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if err := f.check(args); err != nil {
				return &usageError{"judge", err.Error()}
			}
			return judgeFiles(ctx, args, f, con)
		},
	}
}

func (f *judgeFlags) check(args []string) error {
	known := f.read.Kind == ""
	for _, k := range judge.Kinds() {
		known = known || k == f.read.Kind
	}
	switch {
	case len(args) == 0:
		return errors.New("judge wants files")
	case f.by.Type == "" && (f.by.New != "" || f.by.Reads != nil || f.by.By != 0):
		return errors.New("-new, -reads and -by are about an object of -type")
	case f.by.By < 0:
		return fmt.Errorf("-by %d: want the number of an argument, counted from 1", f.by.By)
	case !known:
		return fmt.Errorf("-kind %q: want one of %v", f.read.Kind, judge.Kinds())
	case !slices.Contains([]judge.Property{judge.Linear, judge.Sequential, judge.Causal, judge.Serializable}, f.judge.Property) && !f.judge.Property.IsSession():
		return fmt.Errorf("-property %q: want linear, sc, causal, serializable or session; or of %s, %s, %s and %s some, with commas between them",
			f.judge.Property, judge.ReadYourWrites, judge.MonotonicReads, judge.MonotonicWrites, judge.WritesFollowReads)
	}
	switch f.read.Format {
	case record.Auto, record.Lines, record.EDN, record.Jepsen:
	default:
		return fmt.Errorf("-format %q: want auto, lines, edn or jepsen", f.read.Format)
	}
	f.judge.MaxMemory = f.limits.Search.MaxMemory
	return nil
}

// judgeFiles judges one file after the other. A file that cannot be read is reported, and the others are judged all the same.
func judgeFiles(ctx context.Context, files []string, f *judgeFlags, con *console) error {
	code := verdict.ExitVerified
	var page *html.Page
	if f.html != "" {
		out, err := os.Create(f.html)
		if err != nil {
			return err
		}
		defer out.Close()
		page = html.New(out)
	}
	for _, file := range files {
		h, err := readHistory(file, f.read, con.in)
		if err != nil {
			fmt.Fprintf(con.err, "pangolin: %v\n", err)
			code = verdict.ExitTool
			continue
		}
		began := time.Now()
		v, err := f.judged(ctx, h)
		if err != nil {
			fmt.Fprintf(con.err, "pangolin: %s: %v\n", file, err)
			code = verdict.ExitTool
			continue
		}
		if err := printJudged(con.out, h, judged{v, f.assuming(v)}, time.Since(began), f.asJSON); err != nil {
			return err
		}
		if page != nil {
			if err := page.Show(judgedAsPage(h, judged{v, f.assuming(v)})); err != nil {
				return err
			}
		}
		switch {
		case code == verdict.ExitTool:
		case v.Status == judge.Violated:
			code = verdict.ExitViolated
		case v.Status == judge.Unknown && code == verdict.ExitVerified:
			code = verdict.ExitUnknown
		}
	}
	if page != nil {
		if err := page.Close(); err != nil {
			return fmt.Errorf("%s: %w", f.html, err)
		}
	}
	return exitWith(code)
}

// judged is a verdict with what it assumes, a sentence or nothing.
type judged struct {
	judge.Verdict
	assuming string
}

// assuming is what a verdict assumes because of -by.
func (f *judgeFlags) assuming(v judge.Verdict) string {
	if !v.Assumed {
		return ""
	}
	return fmt.Sprintf("calls that differ in argument %d have nothing to do with each other (-by %d; nothing checks that)", f.by.By, f.by.By)
}

// judged judges a history, by the type that was named if there is one.
func (f *judgeFlags) judged(ctx context.Context, h *judge.History) (judge.Verdict, error) {
	if f.by.Type == "" {
		return judge.Judge(ctx, h, f.judge), nil
	}
	spec, err := executed.Specify(ctx, h, f.by)
	if err != nil {
		return judge.Verdict{}, err
	}
	v := judge.Judge(ctx, h, f.judge)
	return v, spec.Err()
}

func readHistory(file string, o record.Options, in io.Reader) (*judge.History, error) {
	if file == "-" {
		return record.Read(in, "standard input", o)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return record.Read(f, file, o)
}

// judgedLine is a verdict as JSON.
type judgedLine struct {
	Type      string       `json:"type"`
	File      string       `json:"file"`
	Kind      judge.Kind   `json:"kind"`
	Property  string       `json:"property"`
	Verdict   string       `json:"verdict"`
	Reason    string       `json:"reason,omitempty"`
	Calls     int          `json:"calls"`
	Clients   int          `json:"clients"`
	Parts     int          `json:"parts"`
	Key       string       `json:"key,omitempty"`
	Explained *int         `json:"explained,omitempty"`
	Of        int          `json:"of,omitempty"`
	Way       string       `json:"way,omitempty"`
	Seconds   float64      `json:"seconds"`
	Assuming  string       `json:"assuming,omitempty"`
	Confirmed bool         `json:"confirmed,omitempty"`
	Witness   []judgedCall `json:"witness,omitempty"`
	Anomaly   string       `json:"anomaly,omitempty"`
	Cycle     []judgedStep `json:"cycle,omitempty"`
}

// judgedStep says why a transaction comes before that of the next step of a cycle; the last one before that of the first.
type judgedStep struct {
	Line int32  `json:"line"`
	Why  string `json:"why"`
}

type judgedCall struct {
	Client string `json:"client"`
	Call   string `json:"call"`
	Line   int32  `json:"line"`
	Begin  int32  `json:"begin"`
	End    *int32 `json:"end"`
}

func printJudged(out io.Writer, h *judge.History, v judged, took time.Duration, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(judgedAsJSON(h, v, took))
	}
	fmt.Fprintf(out, "%s: %s, %s of %s: %s %s", h.Source, h.Kind, count(v.Calls, "call"), count(len(h.Clients), "client"), v.Property, v.Status)
	key := ""
	if v.Divided {
		key = " of key " + h.Values.Format(v.Key)
	}
	if v.assuming != "" {
		fmt.Fprintf(out, "\n  assuming: %s", v.assuming)
	}
	switch v.Status {
	case judge.OK:
		_, err := fmt.Fprintln(out)
		return err
	case judge.Unknown:
		_, err := fmt.Fprintf(out, "\n  %s; %d of %s%s were explained\n", v.Reason, v.Explained, count(v.Of, "call"), key)
		return err
	}
	if v.Cycle != nil {
		_, err := fmt.Fprintf(out, "\n  no order explains %s\n\n%s\n%s\n", v.Claim(), v.Lines(), h.Draw(v.Witness))
		return err
	}
	confirmed := ""
	if v.Confirmed {
		confirmed = " (all were tried)"
	}
	_, err := fmt.Fprintf(out, "\n  no order explains %s%s%s:\n\n%s\n", count(len(v.Witness), "call"), key, confirmed, h.Draw(v.Witness))
	return err
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func judgedAsJSON(h *judge.History, v judged, took time.Duration) judgedLine {
	line := judgedLine{
		Type: "judged", File: h.Source, Kind: h.Kind, Property: string(v.Property), Verdict: v.Status.String(), Reason: v.Reason,
		Calls: v.Calls, Clients: len(h.Clients), Parts: v.Parts, Way: v.Way, Seconds: took.Seconds(), Confirmed: v.Confirmed, Assuming: v.assuming,
	}
	if v.Divided {
		line.Key = h.Values.Format(v.Key)
	}
	if v.Status == judge.Unknown {
		line.Explained, line.Of = &v.Explained, v.Of
	}
	for i := range v.Witness {
		c := &v.Witness[i]
		call := judgedCall{Client: h.Clients[c.Client], Call: h.Text(c), Line: c.Line, Begin: c.Begin}
		if !c.Pending() {
			call.End = &c.End
		}
		line.Witness = append(line.Witness, call)
	}
	line.Anomaly = v.Anomaly
	for _, d := range v.Cycle {
		line.Cycle = append(line.Cycle, judgedStep{v.Witness[d.Call].Line, d.Text})
	}
	return line
}

// mostDrawn is how many calls of a violation a page draws.
const mostDrawn = 100

// judgedAsPage is a verdict as a page shows it.
func judgedAsPage(h *judge.History, v judged) html.Judged {
	p := html.Judged{Title: h.Source, Status: v.Status.String(), Sentence: fmt.Sprintf("Kind %s, %s of %s, asked for: %s.", h.Kind, count(v.Calls, "call"), count(len(h.Clients), "client"), v.Property)}
	switch {
	case v.Status == judge.Unknown:
		p.Sentence += fmt.Sprintf(" %s; %d of %s were explained.", v.Reason, v.Explained, count(v.Of, "call"))
	case v.Cycle != nil:
		p.Sentence += " No order explains these " + v.Claim() + "."
	case v.Status == judge.Violated:
		p.Sentence += fmt.Sprintf(" No order explains these %s.", count(len(v.Witness), "call"))
	}
	if v.assuming != "" {
		p.Sentence += " Assuming: " + v.assuming + "."
	}
	for line := range strings.Lines(v.Lines()) {
		p.Reasons = append(p.Reasons, strings.TrimSpace(line))
	}
	calls := v.Witness[:min(len(v.Witness), mostDrawn)]
	p.Left = len(v.Witness) - len(calls)
	var moments []int32
	for i := range calls {
		moments = append(moments, calls[i].Begin)
		if !calls[i].Pending() {
			moments = append(moments, calls[i].End)
		}
	}
	slices.Sort(moments)
	for _, m := range moments {
		when := ""
		if h.Times != nil {
			when = fmt.Sprintf("%+d", h.Times[m]-h.Times[moments[0]])
		}
		p.Events = append(p.Events, when)
	}
	lanes := map[int32]int{}
	for i := range calls {
		c := &calls[i]
		lane, ok := lanes[c.Client]
		if !ok {
			lane = len(p.Clients)
			lanes[c.Client] = lane
			p.Clients = append(p.Clients, h.Clients[c.Client])
		}
		from, _ := slices.BinarySearch(moments, c.Begin)
		to := -1
		if !c.Pending() {
			to, _ = slices.BinarySearch(moments, c.End)
		}
		p.Calls = append(p.Calls, html.JudgedCall{Client: lane, Line: int(c.Line), Text: h.Text(c), From: from, To: to})
	}
	return p
}
