// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
)

// The subcommand remote is the other half of module pangolin/check: tests start it, so that no test binary links the checker. It gives each
// question to pangolin.Check or pangolin.CheckFunc with a testing.TB whose methods send answers.

const remoteHelp = `Remote answers the tests that import module pangolin/check, which start it: their
questions are JSON objects on standard input, one a line, and the answers are
JSON objects on standard output. It ends when standard input does.`

// protocol is the number of the way in which module pangolin/check asks.
const protocol = 1

func newRemote(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name:       "remote",
		ShortUsage: "pangolin remote",
		ShortHelp:  "answer tests that import module pangolin/check (they start it)",
		LongHelp:   remoteHelp,
		FlagSet:    flag.NewFlagSet("remote", flag.ContinueOnError),
		Exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return &usageError{"remote", "remote takes no arguments"}
			}
			return serveTests(ctx, con)
		},
	}
}

// question is what a test asks; answer is what is to be done in the test. Module pangolin/check has the same two types.
type question struct {
	Protocol    int                   `json:"protocol"`
	Number      int                   `json:"number"`
	Do          string                `json:"do"`
	Arguments   []string              `json:"arguments"`
	Test        string                `json:"test"`
	Short       bool                  `json:"short"`
	ArtifactDir string                `json:"artifact_dir"`
	Left        time.Duration         `json:"left"`
	Constructor *pangolin.Constructor `json:"constructor"`
	Call        int                   `json:"call"`
	Stack       []string              `json:"stack"`
}

type answer struct {
	Number int        `json:"number"`
	Log    string     `json:"log,omitempty"`
	Error  string     `json:"error,omitempty"`
	Fatal  string     `json:"fatal,omitempty"`
	Attr   *[2]string `json:"attr,omitempty"`
	Read   []string   `json:"read,omitempty"`
	Done   bool       `json:"done,omitempty"`
}

// serveTests answers questions until there are no more, all that are there at a time.
func serveTests(ctx context.Context, con *console) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel() // a test that has gone wants no answer
	var one sync.Mutex
	out := json.NewEncoder(con.out)
	lines := bufio.NewReader(con.in)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("remote: %w: want questions of module pangolin/check", err)
		}
		running.Go(func() {
			t := &remoteTest{question: q, started: time.Now(), ctx: ctx, send: func(a answer) {
				one.Lock()
				defer one.Unlock()
				_ = out.Encode(a) // execute reports it
			}}
			t.answer()
			t.tell(answer{Done: true})
		})
	}
}

// remoteTest is a test in another process. Of testing.TB it has what Check and CheckFunc call.
type remoteTest struct {
	testing.TB
	question question
	started  time.Time
	ctx      context.Context
	send     func(answer)
}

var _ pangolin.Elsewhere = &remoteTest{}

func (t *remoteTest) tell(a answer) {
	a.Number = t.question.Number
	t.send(a)
}

func (t *remoteTest) Helper()                  {}
func (t *remoteTest) Name() string             { return t.question.Test }
func (t *remoteTest) Context() context.Context { return t.ctx }
func (t *remoteTest) Log(args ...any)          { t.tell(answer{Log: said(args)}) }
func (t *remoteTest) Logf(format string, args ...any) {
	t.tell(answer{Log: fmt.Sprintf(format, args...)})
}
func (t *remoteTest) Error(args ...any) { t.tell(answer{Error: said(args)}) }
func (t *remoteTest) Errorf(format string, args ...any) {
	t.tell(answer{Error: fmt.Sprintf(format, args...)})
}
func (t *remoteTest) Fatalf(format string, args ...any) {
	t.tell(answer{Fatal: asFlags(fmt.Sprintf(format, args...))})
}
func (t *remoteTest) Attr(key, value string) { t.tell(answer{Attr: &[2]string{key, value}}) }
func (t *remoteTest) ArtifactDir() string    { return t.question.ArtifactDir }
func (t *remoteTest) Short() bool            { return t.question.Short }
func (t *remoteTest) Artifacts() bool        { return t.question.ArtifactDir != "" }
func (t *remoteTest) Stack() []string        { return t.question.Stack }
func (t *remoteTest) Call() int              { return t.question.Call }
func (t *remoteTest) Deadline() (time.Time, bool) {
	return t.started.Add(t.question.Left), t.question.Left > 0
}

func (t *remoteTest) Read(dirs []string) error {
	t.tell(answer{Read: dirs})
	return nil
}

func said(args []any) string { return strings.TrimSuffix(fmt.Sprintln(args...), "\n") }

// answer does what the question asks for.
func (t *remoteTest) answer() {
	q := &t.question
	if q.Protocol != protocol {
		t.Fatalf("pangolin: this command answers tests by protocol %d, and module pangolin/check asks by protocol %d: install the command and require the module of one version", protocol, q.Protocol)
		return
	}
	switch q.Do {
	case "func":
		pangolin.CheckFunc(t, nil, options(q.Arguments)...)
	case "verify", "new":
		r, err := q.request()
		if err != nil {
			t.Fatalf("pangolin: %v", err)
			return
		}
		r.Events.Note = func(text string) { t.Logf("pangolin: %s", asFlags(text)) }
		pangolin.Check(t, r)
	default:
		t.Fatalf("pangolin: there is no question %q: there are verify, new and func", q.Do)
	}
}

// options are the options of CheckFunc.
func options(list []string) (out []pangolin.CheckOption) {
	for _, o := range list {
		out = append(out, pangolin.CheckOption(o))
	}
	return out
}

// request reads the flags and package patterns of a question. The flags are those of verify that are fields of a request; what is not given is
// as pangolin.Check has it.
func (q *question) request() (pangolin.Request, error) {
	var r pangolin.Request
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	r.Register(fs, pangolin.OfSubject, pangolin.OfScope, pangolin.OfWitness, pangolin.OfLeaks, pangolin.OfTime, pangolin.OfSearch, pangolin.OfCache)
	rest, err := parse(fs, q.Arguments)
	if err != nil {
		return r, err
	}
	r.Packages = rest
	if q.Constructor == nil {
		return r, nil
	}
	made, err := q.Constructor.Request()
	switch {
	case err != nil:
		return r, fmt.Errorf("check.New is given %w", err)
	case len(rest) > 0 || r.New != "":
		return r, errors.New("check.New is given a function, and flags only: neither packages nor -new")
	}
	r.Packages, r.New, r.Tests = made.Packages, made.New, r.Tests || made.Tests
	return r, nil
}
