// SPDX-License-Identifier: BSD-3-Clause

package gosuite

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// Limits bound the run of one program.
type Limits struct {
	Instructions int           // executed by all threads together; a program that needs more is skipped
	Time         time.Duration // a safety net, far above what Instructions take
	HeapBytes    int           // of the program's memory
}

// Outcome is how a program fared.
type Outcome int

const (
	Passed  Outcome = iota
	Skipped         // it needs something that the machine does not support or allow, said precisely
	Failed          // it behaves otherwise than it must
)

// Result is the outcome of one program.
type Result struct {
	Program Program
	Outcome Outcome
	Reason  string // one line; "" if it passed
	Detail  string // more lines for whoever looks into a failure
	Load    time.Duration
	Run     time.Duration
}

// Run compiles and executes one program.
func Run(p Program, lim Limits) (res Result) {
	res.Program = p
	if reason := left[p.Name]; reason != "" {
		res.Outcome, res.Reason = Skipped, reason
		return res
	}
	defer func() {
		if e := recover(); e != nil {
			res.Outcome, res.Reason, res.Detail = Failed, fmt.Sprintf("the machine crashes: %v", e), string(debug.Stack())
		}
	}()
	start := time.Now()
	prog, err := front.Load(context.Background(), front.Request{Dir: filepath.Dir(p.File), Patterns: []string{p.File}, Roots: []string{"main"}})
	res.Load = time.Since(start)
	if err != nil {
		res.Outcome, res.Reason = Failed, "does not load: "+firstLine(err.Error())
		return res
	}
	start = time.Now()
	res.execute(prog, lim)
	res.Run = time.Since(start)
	return res
}

func (r *Result) execute(prog *ir.Program, lim Limits) {
	img, err := vm.NewImage(prog)
	if err != nil {
		r.Outcome, r.Reason = Failed, "does not start: "+firstLine(err.Error())
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lim.Time)
	defer cancel()
	var out strings.Builder
	run := engine.Single{Stdout: &out, Stderr: &out, Instructions: lim.Instructions, HeapBytes: lim.HeapBytes}
	m, err := run.Run(ctx, img)
	if err != nil {
		r.Outcome, r.Reason = Skipped, "needs more than the allowed number of instructions"
		return
	}
	r.judge(m, out.String())
}

// judge compares how an execution ended with what is demanded.
func (r *Result) judge(m *vm.Machine, out string) {
	end := m.Ended()
	r.Outcome = Failed
	switch fault := m.Fault(); {
	case fault != nil && fault.Kind == vm.FaultUnsupported:
		r.Outcome, r.Reason, r.Detail = Skipped, "unsupported: "+fault.Message, fault.Error()
	case fault != nil:
		r.Reason, r.Detail = fault.Message, fault.Error()
	case m.Deadlocked():
		r.Reason = "deadlock"
	case end.Kind != vm.Exited:
		r.Reason, r.Detail = firstLine(m.Text(end.Text)), m.Text(end.Text)+"\n"+out
	case end.Code != 0:
		r.Reason, r.Detail = fmt.Sprintf("exit status %d", end.Code), out
	case out != r.Program.Want:
		r.Reason, r.Detail = "wrong output", difference(r.Program.Want, out)
	default:
		r.Outcome = Passed
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// difference shows the first line that differs.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: want %q, got %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(a), len(b))
}
