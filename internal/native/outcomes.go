package native

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// All programs that are asked for are rewritten, built into one command, and enumerated by it one
// after the other: linking costs more than most enumerations.

//go:embed turn/tree.go
var treeSource string

func outcomes(ctx context.Context, list []Program, opt Options) ([]Report, error) {
	w, err := newWorkshop(opt)
	if err != nil {
		return nil, err
	}
	defer w.close()
	reports := make([]Report, len(list))
	imports, err := w.importer(ctx, importsOf(list))
	if err != nil {
		return nil, err
	}
	var built []int // the programs in the runner
	table := "package main\n\nimport (\n"
	rows := "var programs = []program{\n"
	for i, p := range list {
		reports[i].Program = p.Name
		name := fmt.Sprintf("zqmain%05d", i)
		files, err := rewritten(p, name, imports)
		if err != nil {
			reports[i].Fault = err.Error()
			continue
		}
		below := map[string]string{}
		for file, text := range files {
			below["zq/"+name+"/"+file] = text
		}
		if err := w.write(below); err != nil {
			return nil, err
		}
		table += fmt.Sprintf("\t%q\n", module+"/zq/"+name)
		rows += fmt.Sprintf("\t{%q, %q, %s.Turn_run},\n", module+"/zq/"+name, name, name)
		built = append(built, i)
	}
	stubs, err := patches.ReadFile("patch/programs.go.txt")
	if err != nil {
		return nil, err
	}
	sources, err := runnerSources(module)
	if err != nil {
		return nil, err
	}
	sources["table.go"] = table + ")\n\n" + rows + "}\n"
	sources["programs.go"] = string(stubs)
	if err := w.write(sources); err != nil {
		return nil, err
	}
	patterns := append([]string{module + "/zq/..."}, libraryWithTurns...)
	if err := w.build(ctx, w.dir, ".", map[string]string{}, patterns); err != nil {
		return nil, err
	}
	w.repeated = []string{module + "/zq/"}
	err = w.run(ctx, job{Limits: opt.limits()}, len(built), func(i int, text json.RawMessage) error {
		r := &reports[built[i]]
		name := r.Program
		err := json.Unmarshal(text, r)
		r.Program = name
		return err
	})
	return reports, err
}

// libraryWithTurns are packages of the library that do to their callers' memory what the
// callers could do themselves.
var libraryWithTurns = []string{"context", "container/...", "fmt", "internal/fmtsort", "internal/reflectlite", "reflect", "slices", "sort", "strings", "bytes", "strconv", "errors", "bufio"}

// rewritten is a program as a package that a driver can import.
func rewritten(p Program, name string, imports types.Importer) (map[string]string, error) {
	s, err := check("main", p.Files, imports)
	if err != nil {
		return nil, err
	}
	if s.name != "main" || s.pkg.Scope().Lookup("main") == nil {
		return nil, errors.New("this is not package main with a function main")
	}
	return s.renamed(name), nil
}

// importsOf are the packages that programs import.
func importsOf(list []Program) []string {
	have := map[string]bool{}
	for _, p := range list {
		for _, text := range p.Files {
			f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
			if err != nil {
				continue // check will say it
			}
			for _, i := range f.Imports {
				if path, err := strconv.Unquote(i.Path.Value); err == nil && path != "C" && path != "unsafe" {
					have[path] = true
				}
			}
		}
	}
	var paths []string
	for path := range have {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// limits are the bounds in the form of the runner.
type limits struct {
	Schedules int
	Steps     int
	Timeout   time.Duration
	Races     bool

	Everywhere bool
}

func (o Options) limits() limits {
	l := limits{Schedules: 200_000, Steps: 2000, Timeout: time.Minute, Races: !o.NoRaces, Everywhere: o.Everywhere}
	if o.Schedules > 0 {
		l.Schedules = o.Schedules
	}
	if o.Steps > 0 {
		l.Steps = o.Steps
	}
	if o.Timeout > 0 {
		l.Timeout = o.Timeout
	}
	return l
}

// job is what the runner is asked for.
type job struct {
	From   int
	Limits limits
	Judge  any `json:",omitempty"`
}

// run executes a job of n items. A runner that has to be given up (an execution without
// end, a crash of the process) is started again behind the item that it was at.
func (w *workshop) run(ctx context.Context, j job, n int, take func(i int, report json.RawMessage) error) error {
	for j.From < n {
		next, err := w.runFrom(ctx, j, take)
		if err != nil {
			return err
		}
		j.From = next
	}
	return ctx.Err()
}

// runner is the command that was built.
func (w *workshop) runner(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(w.dir, "runner"))
	// A preempted goroutine leaves registers on its stack, which is part of its state; and a stack
	// is moved where it grows, which must not depend on the executions before.
	cmd.Env = append(os.Environ(), "TURN_PACKAGES="+strings.Join(w.repeated, ","), "GODEBUG=asyncpreemptoff=1,adaptivestackstart=0")
	return cmd
}

func (w *workshop) runFrom(ctx context.Context, j job, take func(i int, report json.RawMessage) error) (next int, err error) {
	cmd := w.runner(ctx)
	in, err := json.Marshal(j)
	if err != nil {
		return 0, err
	}
	cmd.Stdin = strings.NewReader(string(in))
	var crash strings.Builder
	cmd.Stderr = &crash
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	hung := false
	silence := time.AfterFunc(patience, func() { hung = true; cmd.Process.Kill() })
	defer silence.Stop()
	next = j.From
	for dec := json.NewDecoder(out); ; {
		var l struct {
			Index  int
			Report json.RawMessage
		}
		if err := dec.Decode(&l); err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return 0, err
			}
			break
		}
		silence.Reset(patience)
		if l.Index < 0 {
			continue
		}
		if err := take(l.Index, l.Report); err != nil {
			return 0, err
		}
		next = l.Index + 1
	}
	silence.Stop()
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		why := map[string]string{"TooBig": fmt.Sprintf("%v of an execution without a turn", patience)}
		if !hung {
			why = map[string]string{"Fault": "the runner has crashed: " + crash.String()[:min(2000, crash.Len())]}
		}
		report, err := json.Marshal(why)
		if err != nil {
			return 0, err
		}
		if err := take(next, report); err != nil {
			return 0, err
		}
		next++
	}
	return next, nil
}

// patience is how long a runner may be silent.
const patience = 15 * time.Second

// SPDX-License-Identifier: BSD-3-Clause
