// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pangolin/internal/farm"
)

// Comparisons of generated texts, which a program of its own does: the tests of internal/test/agreement, compiled. It compiles and runs code, so
// none of that is in this one.

// native has comparisons done by a program.
type native struct {
	program, dir string
	wall         time.Duration // a comparison may take so long
}

// answer is what the program writes into the file whose name is that of the job with ".answer" behind it.
type answer struct {
	Tool    string          // cache.Shared of the program
	Outcome json.RawMessage // what came of the job; null: there was none
	Lasting bool            // each run of the job has this outcome
}

// same makes sure that the program is built from the sources of this one: what it says is kept under a key that says so.
func (n *native) same(ctx context.Context, tool string) error {
	a, err := n.ask(ctx, nil)
	if err != nil {
		return fmt.Errorf("-native %s does no comparisons: %w", n.program, err)
	}
	if a.Tool != tool {
		return fmt.Errorf("-native %s is built from other sources (%.12s; this program %.12s): build both from the same commit, or with the same stamp (doc/farm.md)", n.program, a.Tool, tool)
	}
	return nil
}

// run is a farm.Runner.
func (n *native) run(ctx context.Context, j *farm.Job, _ func(uint64)) (*farm.Output, error) {
	bounded, stop := context.WithTimeout(ctx, n.wall)
	defer stop()
	a, err := n.ask(bounded, j.Task)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case bounded.Err() != nil:
		return nil, fmt.Errorf("%w: the comparison took longer than %v (pangolind worker -wall)", farm.ErrLimit, n.wall)
	case err != nil:
		return nil, err
	case a.Outcome == nil:
		return nil, fmt.Errorf("%w: it has written no outcome", farm.ErrCrashed)
	}
	return &farm.Output{Text: a.Outcome, Same: a.Outcome, Lasting: a.Lasting}, nil
}

// ask has the program do a job, in a directory of its own. When the context ends, so do all of its processes.
func (n *native) ask(ctx context.Context, job []byte) (*answer, error) {
	dir, err := os.MkdirTemp(n.dir, "job-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "job")
	if err := os.WriteFile(file, job, 0o600); err != nil {
		return nil, err
	}
	program, err := filepath.Abs(n.program)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program, "-test.run=^TestJob_", "-test.timeout=0", "-job="+file)
	c.Dir = dir
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PANGOLIN_") }), "TMPDIR="+dir)
	together(c)
	c.WaitDelay = 5 * time.Second
	said, err := c.CombinedOutput()
	text, unwritten := os.ReadFile(file + ".answer")
	if unwritten != nil {
		return nil, fmt.Errorf("%w: %w", farm.ErrCrashed, errors.Join(err, fmt.Errorf("%s", last(said))))
	}
	a := &answer{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("%w: its answer cannot be read: %w", farm.ErrCrashed, err)
	}
	return a, nil
}

// last is the end of what a program has printed, in one line.
func last(said []byte) string {
	text := strings.Join(strings.Fields(string(said)), " ")
	return text[max(0, len(text)-300):]
}
