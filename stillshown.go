// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// What was found about a test is kept as witnesses, which are executed first the next time.

// stillShown executes the witnesses in a directory that are about the loaded test, called with the request's arguments and under its notion of
// time, and gives those that show an abnormal outcome still, by the present steps, with their files. The others are removed, which gone is told.
func (r *Request) stillShown(s *subject.Subject, dir string, gone func(file string, err error)) (list []verdict.Outcome) {
	for _, file := range r.witnesses(dir) {
		w, err := readWitness(file)
		if err == nil {
			w, err = r.replayed(s, w)
		}
		if err != nil || w.Ending == nil {
			gone(file, err)
			if err := os.Remove(file); err != nil {
				r.Events.note("%v", err)
			}
			continue
		}
		o := *w.Ending
		if o.Kind == verdict.Leaked && (r.Program.Leaks == "none" || r.Program.Leaks == leaksOfMain) {
			continue // it shows still, and is not asked for, or may not be
		}
		o.Execution, o.Witness = w, file
		list = append(list, o)
	}
	return list
}

// witnesses are the files in a directory that are about the test, called with the request's arguments and under its notion of time, not about a
// collection, another call of CheckFunc, or a run with -short; and those that cannot be read.
func (r *Request) witnesses(dir string) (list []string) {
	files, _ := fs.Glob(os.DirFS(dir), "*.json") // the pattern is well formed
	for _, name := range files {
		file := filepath.Join(dir, name)
		w, err := readWitness(file)
		if err == nil && (w.Schedule.Compiled != nil) != (r.Program.compiled != nil) {
			continue // it is one of the other engine
		}
		if err != nil || w.Source.Test == r.Program.Test && w.Source.Time == r.Search.Time && slices.Equal(w.Source.Args, r.Program.Args) {
			list = append(list, file)
		}
	}
	return list
}

// replayed executes a witness of a program that is loaded.
func (r *Request) replayed(s *subject.Subject, w *verdict.Witness) (*verdict.Witness, error) {
	e, err := r.programs()
	if err != nil {
		return nil, err
	}
	return e.Replay(s, w)
}

// once gives the abnormal outcomes of a list, each of those that are alike once, with the number of the others.
func once(list []verdict.Outcome) (out []verdict.Outcome) {
	at := map[string]int{}
	for i := range list {
		if list[i].Good() {
			continue
		}
		key := string(list[i].Kind) + "\n" + sameAs(&list[i])
		if k, known := at[key]; known {
			out[k].Alike++
			continue
		}
		at[key] = len(out)
		out = append(out, list[i])
	}
	return out
}

// sameAs is equal for outcomes of a kind that are alike: failures that the same lines of the test report, whatever they say; panics that are raised
// at the same places, and races of the same lines, whose texts differ in numbers; and deadlocks, leaks and executions without end of the same
// goroutines at the same places.
func sameAs(o *verdict.Outcome) string {
	switch o.Kind {
	case verdict.Exited:
		var places []string
		for _, m := range reportedAt.FindAllString(o.Stdout, -1) {
			if !slices.Contains(places, m) {
				places = append(places, m)
			}
		}
		if slices.Sort(places); len(places) > 0 {
			return strings.Join(places, "\n")
		}
	case verdict.Panicked:
		text := numbers.ReplaceAllString(o.Panic, "#")
		for _, at := range o.At {
			text += "\n" + at.String()
		}
		return text
	case verdict.Raced:
		var sides []string
		for _, a := range o.Race {
			a.Object = numbers.ReplaceAllString(a.Object, "#")
			sides = append(sides, a.String())
		}
		slices.Sort(sides)
		return strings.Join(sides, "\n")
	}
	return finding(o).Text
}

// finding describes an abnormal outcome.
func finding(o *verdict.Outcome) verdict.TestFinding {
	f := verdict.TestFinding{As: string(o.Kind), Alike: o.Alike, Witness: o.Witness}
	var lines []string
	switch o.Kind {
	case verdict.Exited:
		f.As = "failure"
		lines = []string{o.Stdout, o.Stderr}
		if strings.TrimSpace(o.Stdout+o.Stderr) == "" {
			lines = []string{fmt.Sprintf("exit status %d", *o.Exit)}
		}
	case verdict.Panicked:
		lines = []string{o.Panic}
	case verdict.Raced:
		for _, a := range o.Race {
			lines = append(lines, a.String())
		}
	default:
		for _, s := range o.Involved {
			lines = append(lines, s.String())
		}
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	f.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	return f
}

var (
	// reportedAt matches the place at the beginning of a line of a test's log.
	reportedAt = regexp.MustCompile(`(?m)^ +[\w.-]+\.go:\d+: `)
	numbers    = regexp.MustCompile(`\d+`)
)
