package native

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// program gives the body of a program its frame.
func program(body string) map[string]string {
	imports := "package main\n\nimport (\n"
	for _, path := range []string{"fmt", "sync", "sync/atomic", "time", "context", "errors", "os", "runtime", "strings", "log", "maps", "slices", "sort", "pangolin/mark"} {
		if name := path[strings.LastIndex(path, "/")+1:]; regexp.MustCompile(`\b` + name + `\.`).MatchString(body) {
			imports += fmt.Sprintf("\t%q\n", path)
		}
	}
	return map[string]string{"main.go": imports + ")\n\n" + body}
}

// brief is an outcome in one line.
func brief(o Outcome) string {
	s := string(o.Kind)
	if o.Exit != 0 && o.Kind == Exit {
		s += fmt.Sprint(" ", o.Exit)
	}
	for _, part := range []string{o.Stdout, o.Stderr, o.Panic} {
		if part != "" {
			s += fmt.Sprintf(" %q", part)
		}
	}
	if o.Waits != nil {
		s += " waits " + strings.Join(o.Waits, ", ")
	}
	return s
}

// briefs are the distinct outcomes, sorted.
func briefs(r Report) []string {
	var got []string
	for _, o := range r.Outcomes {
		got = append(got, brief(o))
	}
	return slices.Compact(sorted(got))
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// TestOutcomes_AreThoseThatGoAllows enumerates programs whose outcomes are argued by hand.
func TestOutcomes_AreThoseThatGoAllows(t *testing.T) {
	level.SkipShort(t, "builds programs natively")
	var programs []Program
	for _, c := range outcomeCases {
		programs = append(programs, Program{Name: c.name, Files: program(c.body)})
	}
	reports, err := Outcomes(context.Background(), programs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range reports {
		if r.Fault != "" || r.TooBig != "" {
			t.Errorf("%s: %s %s", r.Program, r.Fault, r.TooBig)
		}
		if got, want := briefs(r), sorted(outcomeCases[i].want); !slices.Equal(got, want) {
			t.Errorf("%s: %d schedules give\n\t%s\nwant\n\t%s", r.Program, r.Schedules, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}

// What synchronisation orders in every execution needs no turn: with turns for it the outcomes
// are the same. Programs that are too big with so many turns have to show as much as is known.
func TestOutcomes_AreTheSameWithTurnsEverywhere(t *testing.T) {
	level.SkipShort(t, "enumerates more schedules")
	var programs []Program
	for _, c := range outcomeCases {
		programs = append(programs, Program{Name: c.name, Files: program(c.body)})
	}
	reports, err := Outcomes(context.Background(), programs, Options{Everywhere: true, Schedules: 5000})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, r := range reports {
		got, want := briefs(r), sorted(outcomeCases[i].want)
		if r.TooBig == "" {
			compared++
		} else {
			want = slices.DeleteFunc(want, func(o string) bool { return !slices.Contains(got, o) })
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d schedules give\n\t%s\nwant\n\t%s", r.Program, r.Schedules, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
	t.Logf("%d of %d programs are small enough", compared, len(reports))
	if compared < len(reports)/2 {
		t.Error("that compares too few")
	}
}

// A loop that makes nothing but decisions takes no turn, and has an end all the same.
func TestOutcomes_BoundWhatOnlyDecides(t *testing.T) {
	level.SkipShort(t, "builds programs natively")
	list, err := Outcomes(context.Background(), []Program{{Name: "decides", Files: program(`
func main() {
	m := map[int]int{1: 1, 2: 2}
	for n := 0; n >= 0; {
		for k := range m {
			n += k
		}
	}
}`)}}, Options{Schedules: 3})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].TooBig == "" {
		t.Errorf("%+v", list[0])
	}
}

// An outcome is free if some execution without a race ends so, whatever other executions do.
func TestOutcomes_SayWhatIsShownWithoutARace(t *testing.T) {
	level.SkipShort(t, "compiles programs natively")
	cases := []struct {
		body       string
		free, with []string // the others' outcomes
	}{
		{`
func main() {
	var on atomic.Bool
	x, done := 0, make(chan int)
	go func() {
		x = 1
		on.Store(true)
		close(done)
	}()
	if on.Load() {
		fmt.Print("late ", x)
	} else {
		fmt.Print("early ", x)
	}
	<-done
}`, []string{`exit "late 1"`}, []string{`exit "early 0"`, `exit "early 1"`}},
		{`
func main() {
	var mu sync.Mutex
	x, done := 0, make(chan int)
	go func() {
		mu.Lock()
		x = 1
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	fmt.Print(x)
	mu.Unlock()
	<-done
}`, []string{`exit "0"`, `exit "1"`}, nil},
	}
	var programs []Program
	for i, c := range cases {
		programs = append(programs, Program{Name: fmt.Sprint(i), Files: program(c.body)})
	}
	reports, err := Outcomes(context.Background(), programs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range reports {
		var free, with []string
		for _, o := range r.Outcomes {
			switch {
			case o.Kind == Race:
			case o.Free:
				free = append(free, brief(o))
			default:
				with = append(with, brief(o))
			}
		}
		if !slices.Equal(sorted(free), cases[i].free) || !slices.Equal(sorted(with), cases[i].with) {
			t.Errorf("%s: without a race %v, else %v; want %v and %v", r.Program, free, with, cases[i].free, cases[i].with)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
