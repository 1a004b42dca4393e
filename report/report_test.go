package report_test

import (
	"strings"
	"testing"

	"pangolin/report"
	"pangolin/verdict"
)

// example is an execution of two threads in which thread 1 reads for a long time and
// the last steps repeat.
func example() *verdict.Witness {
	w := &verdict.Witness{Class: "livelock", Message: "operations run for ever, and nothing can make them return",
		Client: "1: Get()  |  2: Put(1)", Threads: 2, Timeline: []string{"1  [Get()...", "2   [Put(1)]"},
		Explanation: []string{"no order explains it, and this line is so long that it does not fit in eighty columns of a terminal"},
		Details:     []string{"thread 1, Get: goes on at box.go:7 in (*Box).Get"}}
	w.Steps = append(w.Steps, verdict.Step{Thread: 1, Operation: "Get", Call: "Get()"})
	for range 12 {
		w.Steps = append(w.Steps, verdict.Step{Thread: 1, Operation: "Get", File: "box/box.go", Line: 7,
			Source: "for b.full.Load() && !b.closed.Load() && someVeryLongCondition(b, 1, 2, 3) {", Access: "read Box#1.full = false"})
	}
	w.Steps = append(w.Steps, verdict.Step{Thread: 2, Operation: "Put", Call: "Put(1)"}, verdict.Step{Thread: 2, Operation: "Put", Return: "()"},
		verdict.Step{Thread: 1, Operation: "Get", File: "box/box.go", Line: 7, Source: "for b.full.Load() {", Access: "read Box#1.full = false"})
	w.Loop = len(w.Steps)
	return w
}

func render(print func(*report.Printer)) string {
	var b strings.Builder
	print(report.New(&b, false))
	return b.String()
}

func TestWitness_StaysWithinEightyColumns(t *testing.T) {
	text := render(func(p *report.Printer) { p.Witness(example()) })
	for _, line := range strings.Split(text, "\n") {
		if len(line) > report.Width {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

func TestWitness_ShowsSwitchesAndWhatRepeats(t *testing.T) {
	text := render(func(p *report.Printer) { p.Witness(example()) })
	for _, want := range []string{
		"-- thread 1 ---", "-- thread 2 ---", "-- thread 1, in Get() ---",
		"from here on (step 16) the execution repeats", " |  16  1  box.go:7", "and again from step 16",
		"Put returns", "1  [Get()...", "waiting",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestWitness_FoldsLongRunsOfReads(t *testing.T) {
	text := render(func(p *report.Printer) { p.Witness(example()) })
	if !strings.Contains(text, "steps 4 to 11 only read") {
		t.Errorf("nothing folded in\n%s", text)
	}
	steps := 0
	whole := render(func(p *report.Printer) { p.Step(example(), func() bool { steps++; return true }) })
	if steps != 16 || strings.Contains(whole, "only read") {
		t.Errorf("%d steps one by one\n%s", steps, whole)
	}
}

func TestStep_EndsWhenItIsToldTo(t *testing.T) {
	text := render(func(p *report.Printer) { p.Step(example(), func() bool { return false }) })
	if strings.Contains(text, "   2  1  ") {
		t.Errorf("it goes on:\n%s", text)
	}
}

func line(name string, s verdict.Status) verdict.Verdict {
	return verdict.Verdict{Subject: verdict.Subject{Collection: name, Kind: "set", Property: "linear"}, Status: s,
		Scope:       verdict.Scope{Bounds: &verdict.Bounds{Preset: "D", Threads: [2]int{1, 3}, Steps: [2]int{1, 3}, PreAdds: [2]int{0, 1}, Values: 4, Hash: "identity", Fair: true}},
		Assumptions: []string{"all is well"}, Effort: verdict.Effort{Clients: "8108", States: 15714, Seconds: 0.214}}
}

func TestVerdict_IsOneLine(t *testing.T) {
	text := render(func(p *report.Printer) { p.Verdict(line("list.LazyList", verdict.Verified)) })
	if want := "list.LazyList set linear verified D clients 8108 states 15714 0.21s\n"; text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
}

func TestVerdict_TellsWhyItIsUnknown(t *testing.T) {
	v := line("list.LazyList", verdict.Unknown)
	v.Reason = "the limit on states was reached after 10 states"
	if text := render(func(p *report.Printer) { p.Verdict(v) }); !strings.Contains(text, "    the limit on states") {
		t.Errorf("got\n%s", text)
	}
}

func TestFooter_SaysWhatIsCommonOnce(t *testing.T) {
	text := render(func(p *report.Printer) {
		p.Verdict(line("a.A", verdict.Verified))
		b := line("a.B", verdict.Verified)
		b.Assumptions = append(b.Assumptions, "of B only")
		p.Verdict(b)
		p.Footer()
	})
	if strings.Count(text, "all is well") != 1 || !strings.Contains(text, "of B only [a.B]") {
		t.Errorf("got\n%s", text)
	}
}

func TestPrinter_UsesColoursOnlyIfAsked(t *testing.T) {
	var plain, colour strings.Builder
	report.New(&plain, false).Verdict(line("a.A", verdict.Violated))
	report.New(&colour, true).Verdict(line("a.A", verdict.Violated))
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(colour.String(), "\x1b[") {
		t.Errorf("plain %q, colour %q", plain.String(), colour.String())
	}
}
