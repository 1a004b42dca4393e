// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Run explores how the program that Packages name can end: Go files of one package, or a package. The verdict contains every outcome; with
// Search.Min also a schedule of each, which is written as a witness file if Out is set. Limits include loading. An instruction that the
// machine does not support is an error, beside the verdict about what was explored before.
func Run(ctx context.Context, r Request) (verdict.Verdict, error) {
	if err := r.validate(); err != nil {
		return verdict.Verdict{}, err
	}
	if _, err := r.engine(true); err != nil {
		return verdict.Verdict{}, err
	}
	ctx, cancel := r.within(ctx)
	defer cancel()
	s, err := r.program(ctx)
	if err != nil {
		return verdict.Verdict{}, err
	}
	return r.run(ctx, s)
}

// within is a context with the time limit of a program, which includes loading.
func (r *Request) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Search.Timeout > 0 {
		return context.WithTimeout(ctx, r.Search.Timeout)
	}
	return ctx, func() {}
}

// run explores a program.
func (r *Request) run(ctx context.Context, s *subject.Subject) (verdict.Verdict, error) {
	e, err := r.programs()
	if err != nil {
		return verdict.Verdict{}, err
	}
	search, err := r.search()
	if err != nil {
		return verdict.Verdict{}, err
	}
	v, err := e.Decide(ctx, &engine.Job{Subject: s, Property: verdict.Property(e.Name), Search: search}, r.events(s.About.Collection, ""))
	if v.Outcomes != nil {
		r.keepSchedules(v.Outcomes, s.Source.Package)
	}
	return v, err
}

// keepSchedules writes the execution of each outcome that has one, if Out is set. The files are called as the program is: the file that it is
// in, or its package, which "." may name.
func (r *Request) keepSchedules(o *verdict.Outcomes, pkg string) {
	if r.Out == "" {
		return
	}
	name := strings.TrimSuffix(filepath.Base(r.Packages[0]), ".go")
	if strings.HasPrefix(name, ".") {
		name = path.Base(pkg)
	}
	for i := range o.List {
		if w := o.List[i].Execution; w != nil {
			o.List[i].Witness = r.keep(fmt.Sprintf("%s-outcome-%d.json", name, i+1), name, w)
		}
	}
}

// Execution configures the execution of one schedule of a program.
type Execution struct {
	Stdout, Stderr io.Writer // receive the program's output; nil: it is dropped
	MaxSteps       int       // greatest number of instructions of all goroutines together; 0: 5,000,000,000
}

const (
	usualSteps = 5_000_000_000
	usualHeap  = 1 << 30
)

// Execute executes one schedule of the program that Packages name, with the output that it would have natively, and returns how it ends. Of
// the search's limits those on time and memory (0: 1 GiB) apply. It is an error if the machine does not support something in the program,
// or the program does not end within the limits.
func Execute(ctx context.Context, r Request, x Execution) (verdict.Outcome, error) {
	e, err := r.engine(true)
	if err != nil {
		return verdict.Outcome{}, err
	}
	ctx, cancel := r.within(ctx)
	defer cancel()
	s, err := r.program(ctx)
	if err != nil {
		return verdict.Outcome{}, err
	}
	began, steps := time.Now(), cmp.Or(x.MaxSteps, usualSteps)
	o, err := e.Single(ctx, s, engine.Single{Stdout: cmp.Or(x.Stdout, io.Discard), Stderr: cmp.Or(x.Stderr, io.Discard),
		Instructions: steps, HeapBytes: int(cmp.Or(r.Search.MaxMemory, usualHeap))})
	took := time.Since(began).Round(time.Millisecond)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return o, fmt.Errorf("the program had not ended after %v: the limit Request.Search.Timeout was reached", took)
	case errors.Is(err, context.Canceled):
		return o, fmt.Errorf("the program had not ended after %v: interrupted", took)
	case errors.Is(err, engine.ErrInstructions):
		return o, fmt.Errorf("the program had not ended after %d instructions (Execution.MaxSteps); it may never end", steps)
	}
	return o, err
}

// Reductions names the reductions that apply to whole programs, or to collections.
func Reductions(program bool) string {
	e, err := engines.Find("", program)
	if err != nil {
		panic(err) // there is one of each
	}
	return e.Reductions.String()
}
