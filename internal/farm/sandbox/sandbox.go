// SPDX-License-Identifier: BSD-3-Clause

// Package sandbox does tasks of others, in processes. A process gets a task and its bundle (package bundle), and gives a result, or ends in
// one of the ways that Ending lists. One that has given a result may be given another task of the same kind: about the same sources, or a mutant of the same code.
//
//	s, err := sandbox.Open(ctx, sandbox.Config{Command: []string{"pangolind", "child"}, Dir: dir, Limits: limits})
//	for _, line := range s.Sentences() { ... }   what holds on this system
//	output, err := s.Run(ctx, job, progress)              a farm.Runner
//
// The source in a bundle belongs to somebody else, and may be made to harm. It is never executed,
// and no go command sees it: it is parsed, type-checked and interpreted by the process, which could
// only do harm if Pangolin has a fault. Against that are the guards: on Linux namespaces of its own,
// without network and with no files but the bundle and the standard library; a filter of system
// calls, under which the process can start no program, connect to nothing and write to no file;
// limits on memory, time and files. Where a system lacks some of them, Guards says so.
//
// A process that ends in another way than with a whole result leaves none: there is no way to a verdict but a line with its digest. A process
// that does one task also has to end with exit code 0 behind it.
package sandbox

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/front"
	"pangolin/internal/task"
)

// Limits are those of one task. A limit of 0 is the usual one.
type Limits struct {
	Memory int64         // bytes; usually 4 GiB
	CPU    time.Duration // of all threads; usually 4 hours
	Wall   time.Duration // usually 2 hours
	Stuck  time.Duration // time in which no search counts a state; usually 5 minutes
}

func (l *Limits) complete() {
	set := func(d *time.Duration, usual time.Duration) {
		if *d == 0 {
			*d = usual
		}
	}
	set(&l.CPU, 4*time.Hour)
	set(&l.Wall, 2*time.Hour)
	set(&l.Stuck, 5*time.Minute)
	if l.Memory == 0 {
		l.Memory = 4 << 30
	}
}

// Config says where and how tasks are done.
type Config struct {
	// Command is this program with the arguments that make it call Child.
	Command []string
	// Dir is an empty directory for what tasks need while they are done; it has to exist.
	Dir    string
	Limits Limits
	// Waiting is how many processes may wait for another task of their kind; 0: each does one task and ends.
	Waiting int
}

// Sandbox does tasks.
type Sandbox struct {
	config   Config
	standard *bundle.Standard
	guards   Guards
	lacking  []string // why stronger guards are not in force
	waiting  *waiting
}

// Ending is how a process ended that gave no result.
type Ending string

// The ways to end without a result.
const (
	Crashed     Ending = "its process crashed"
	OutOfMemory Ending = "it needs more memory than it may have"
	OutOfCPU    Ending = "it needs more CPU time than it may have"
	OutOfTime   Ending = "it takes longer than it may"
	Stuck       Ending = "its search is stuck"
	Cancelled   Ending = "it was cancelled"
	Refused     Ending = "it is refused"
)

// Ended says why a task has no result.
type Ended struct {
	How    Ending
	Detail string // one line; "": there is nothing to add
}

func (e *Ended) Error() string {
	if e.Detail == "" {
		return "the task has no result: " + string(e.How)
	}
	return "the task has no result: " + string(e.How) + ": " + e.Detail
}

// Again reports whether another process may come to a result, perhaps on another machine. A task
// that is refused or too large ends in the same way everywhere.
func (e *Ended) Again() bool { return e.How == Crashed || e.How == Cancelled || e.How == Stuck }

// Is makes the endings that are the same on each machine a farm.ErrRefused or a farm.ErrLimit, others a farm.ErrCrashed.
func (e *Ended) Is(target error) bool {
	return e.Again() && target == farm.ErrCrashed || !e.Again() && (target == farm.ErrRefused && e.How == Refused || target == farm.ErrLimit && e.How != Refused)
}

func refused(err error) error { return &Ended{Refused, oneLine(err.Error())} }

// Open finds out which guards this system has, and asks which Go is installed.
func Open(ctx context.Context, c Config) (*Sandbox, error) {
	c.Limits.complete()
	dir, err := filepath.Abs(c.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	c.Dir = dir
	s := &Sandbox{config: c, waiting: &waiting{most: c.Waiting, patience: longestWait}}
	if s.standard, err = bundle.OpenStandard(ctx, filepath.Join(dir, "standard")); err != nil {
		return nil, fmt.Errorf("the standard library of Go, which tasks are compiled with: %w", err)
	}
	s.guards, s.lacking, err = s.probe(ctx)
	return s, err
}

// Guards tells which guards tasks are done under.
func (s *Sandbox) Guards() Guards { return s.guards }

// Close ends the processes that wait for tasks. No job may be underway.
func (s *Sandbox) Close() { s.waiting.close() }

// Run does a job. It is a farm.Runner: an error is of type *Ended, or about this machine.
//
// How a process ends that has done tasks before says nothing of the job, nor does a result that another run may not have: memory and CPU time were
// used, or something was broken, by another task perhaps. The job is then done in a new process.
func (s *Sandbox) Run(ctx context.Context, j *farm.Job, progress func(states uint64)) (*farm.Output, error) {
	digest := farm.Digest(j.Bundle)
	o, k := &order{Digest: digestOf(j.Task, digest), Task: j.Task}, s.kindOf(j, digest)
	if p := s.waiting.take(k); p != nil {
		out, err := p.run(ctx, o, progress)
		if err == nil && out.Lasting {
			s.waiting.put(p)
			return out, nil
		}
		p.end()
		if ctx.Err() != nil {
			return nil, err
		}
	}
	p := &process{sandbox: s, guards: s.guards, kind: k}
	if err := p.prepare(ctx, j); err != nil {
		p.end()
		return nil, err
	}
	o.Last = k == nil
	out, err := p.run(ctx, o, progress)
	if o.Last || err != nil || !out.Lasting {
		p.end()
	} else {
		s.waiting.put(p)
	}
	return out, err
}

// kind says which tasks a process may do that has done one, all of them with the same sources: any about the code itself, or mutants of the same
// collection, asked in the same terms. So no verdict but those of mutants comes from a process that has seen a mutant.
type kind struct {
	bundle string     // its digest
	mutant *task.Task // nil: the task is about the code itself
}

func (k *kind) is(other *kind) bool {
	if k.mutant == nil || other.mutant == nil {
		return k.bundle == other.bundle && k.mutant == other.mutant
	}
	return k.bundle == other.bundle && k.mutant.Alike(other.mutant)
}

// kindOf is the kind of a job whose bundle has a digest; nil: the job wants a process of its own.
func (s *Sandbox) kindOf(j *farm.Job, bundle string) *kind {
	if s.config.Waiting == 0 || j.Fresh {
		return nil
	}
	t, err := task.Parse(j.Task) // as the process decodes it, whatever else the text has
	switch {
	case err != nil:
		return nil
	case t.Mutant == nil:
		return &kind{bundle: bundle}
	}
	return &kind{bundle, t}
}

// prepare unpacks a job's bundle and starts the process.
func (p *process) prepare(ctx context.Context, j *farm.Job) error {
	s := p.sandbox
	b, err := bundle.Decode(j.Bundle)
	if err != nil {
		return refused(err)
	}
	if p.scratch, err = os.MkdirTemp(s.config.Dir, "task-"); err != nil {
		return err
	}
	files := filepath.Join(p.scratch, "files")
	if err := b.Unpack(files); err != nil {
		return err
	}
	answers, err := s.standard.Answers(ctx, b, files)
	if invalid := (*bundle.Invalid)(nil); errors.As(err, &invalid) {
		return refused(err)
	} else if err != nil && ctx.Err() != nil {
		return &Ended{How: Cancelled}
	} else if err != nil {
		return err
	}
	root := filepath.Join(p.scratch, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		return err
	}
	p.env = environment(&b.Manifest, s.config.Limits.Memory)
	return p.start(&head{Dir: filepath.Join(files, bundle.Dir), Answers: answers,
		Guards: s.guards, Limits: s.config.Limits, Root: root, Seen: []string{files, s.standard.Root(), s.standard.Exports()}})
}

// digestOf stands for all that a process is given for a job: the task and the digest of the bundle.
func digestOf(task []byte, bundle string) string { return farm.Key(task, bundle, "child") }

// environment are all variables of a process that does a task.
func environment(m *bundle.Manifest, memory int64) []string {
	env := []string{"PATH=", "HOME=/nonexistent", "TZ=UTC", "LANG=C", "GOTRACEBACK=single", "GOMAXPROCS=2", "CGO_ENABLED=0",
		"GOMEMLIMIT=" + strconv.FormatInt(memory/10*9, 10)}
	for _, name := range []string{"GOOS", "GOARCH", "GOEXPERIMENT", "GODEBUG", "GOAMD64"} {
		if m.Go[name] != "" {
			env = append(env, name+"="+m.Go[name])
		}
	}
	if len(m.Tags) > 0 {
		env = append(env, "GOFLAGS=-tags="+strings.Join(m.Tags, ","))
	}
	return env
}

// head is what a process is told first.
type head struct {
	Dir     string         // directory of the request
	Answers []front.Answer // of the go command
	Guards  Guards         // to be set up
	Limits  Limits
	Root    string   // an empty directory, which becomes the root of the process's files
	Seen    []string // the directories that it can read
	Probe   bool     // it only sets up the guards
}

// order is what a process is told to do.
type order struct {
	Digest string // of the job
	Task   []byte // a task.Task as JSON
	Last   bool   // no other order follows
}

// line is a line that a process writes.
type line struct {
	Guarded bool    `json:",omitempty"` // the guards are set up
	States  *uint64 `json:",omitempty"` // states counted so far
	Refused string  `json:",omitempty"` // why there is no result
	Result  *result `json:",omitempty"` // the last line for an order
}

// result is a farm.Output with a digest of it and of the job.
type result struct {
	Text, Same []byte
	Lasting    bool
	Digest     string
}

// sum is the digest of a result of a job.
func (r *result) sum(job string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %t %d ", job, r.Lasting, len(r.Text))
	h.Write(r.Text)
	h.Write(r.Same)
	return hex.EncodeToString(h.Sum(nil))
}

// tail keeps the first and the last bytes that are written to it: a crash report begins with what happened, and may go on for long.
type tail struct{ first, bytes []byte }

const firstBytes, tailBytes = 4 << 10, 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	n := min(len(p), firstBytes-len(t.first))
	t.first, t.bytes = append(t.first, p[:n]...), append(t.bytes, p[n:]...)
	if n := len(t.bytes) - tailBytes; n > 0 {
		t.bytes = slices.Delete(t.bytes, 0, n)
	}
	return len(p), nil
}

// text is what was kept.
func (t *tail) text() []byte { return slices.Concat(t.first, t.bytes) }

// reason is the line of a crash report that says what happened.
func (t *tail) reason() string {
	for l := range bytes.Lines(t.text()) {
		text := strings.TrimSpace(string(l))
		for _, begin := range []string{"panic:", "fatal error:", "runtime:", "SIG", "pangolind:"} {
			if strings.HasPrefix(text, begin) {
				return oneLine(text)
			}
		}
	}
	return ""
}

// has reports whether one of some texts was written.
func (t *tail) has(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return bytes.Contains(t.text(), []byte(s)) })
}

// oneLine shortens a text to one line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	const longest = 400
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}
