package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Sampler executes clients of one collection under schedules that are drawn at random. It is a process that answers one question
// at a time; one that crashes or hangs is started again for the next question.
//
// Files and connections are for samplers alone: operations on them take turns, descriptors are closed between executions, and the code
// runs in an empty directory, which is that of temporary files, too, and is emptied between executions. What the code writes elsewhere
// stays. Finalizers and cleanups are not executed.
type Sampler struct {
	site    *site
	number  int
	test    bool   // it executes tests
	call    string // see Calls
	home    string // directory in which the code runs
	scratch string
	process *process // nil: none is running
}

// Harness is a file of a collection's package through which it is driven.
type Harness struct {
	Package string // name of the package
	File    string
	Text    string
	New     string // the function that makes a collection
	Ops     []HarnessOp
}

// HarnessOp is a function whose first parameter is the collection; all others, and all results, are ints.
type HarnessOp struct {
	Func            string
	Params, Results int
}

// threadFunc is a function without a body that a harness may have: the number of the goroutine.
const threadFunc = "func pangolinThread() int\n"

// ownFunc is another one: a word of the calling goroutine, see own.go of package vm. ownBody is what it does.
const (
	ownFunc = "func pangolinOwn(table *[16]int, write bool, word int) int\n"
	ownBody = " {\n\tn := pangolinThread()\n\tif n >= len(table) {\n\t\treturn 0\n\t}\n\twas := table[n]\n\tif write {\n\t\ttable[n] = word\n\t}\n\treturn was\n}\n"
)

// into puts the harness beside the package's files.
func (h *Harness) into(s *site, p *listedPackage, number int) {
	for name := range h.files(number) {
		s.overlay[filepath.Join(p.Dir, "zz_turn_"+filepath.Base(strings.TrimSuffix(name, ".txt")))] = filepath.Join(s.dir, filepath.FromSlash(name))
	}
}

// files are the harness and what calls it for the runner.
func (h *Harness) files(number int) map[string]string {
	text := h.Text
	if strings.Contains(text, ownFunc) {
		text = strings.Replace(text, ownFunc, strings.TrimSuffix(ownFunc, "\n")+ownBody, 1)
		if !strings.Contains(text, threadFunc) {
			text += "\n" + threadFunc
		}
	}
	if strings.Contains(text, threadFunc) {
		text = strings.Replace(text, threadFunc, "//go:linkname pangolinThread runtime.turnThread\n"+threadFunc, 1)
		head := "package " + h.Package + "\n"
		text = strings.Replace(text, head, head+"\nimport _ \"unsafe\"\n", 1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nfunc Turn_subject_%d(show func(any)) func(op int, a1, a2, a3, a4 int64, done func()) {\n\tc := %s()\n", h.Package, number, h.New)
	b.WriteString("\treturn func(op int, a1, a2, a3, a4 int64, done func()) {\n\t\tswitch op {\n")
	for i, op := range h.Ops {
		var args, results, shown string
		for k := range op.Params {
			args += fmt.Sprintf(", int(a%d)", k+1)
		}
		for k := range op.Results {
			results += fmt.Sprintf(", r%d", k)
			shown += fmt.Sprintf("\t\t\tshow(r%d)\n", k)
		}
		if results != "" {
			results = results[2:] + " := "
		}
		fmt.Fprintf(&b, "\t\tcase %d:\n\t\t\t%s%s(c%s)\n\t\t\tdone()\n%s", i, results, op.Func, args, shown)
	}
	b.WriteString("\t\tdefault:\n\t\t\tpanic(\"no such operation\")\n\t\t}\n\t}\n}\n")
	return map[string]string{
		fmt.Sprintf("harness/%d_%s.txt", number, h.File): text,
		fmt.Sprintf("harness/%d_adapter.go.txt", number): b.String(),
	}
}

// ErrElsewhere is the error of a subject that cannot be put into a runner.
var ErrElsewhere = errors.New("it cannot be compiled for the changed runtime")

// NewSampler builds a runner for a collection. The error wraps ErrElsewhere if that is due to the collection's package.
func NewSampler(ctx context.Context, sub Subject, opt Options) (*Sampler, error) {
	s, numbers, faults, err := siteFor(ctx, sub.Dir, []*Subject{&sub}, opt)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrElsewhere, err)
	}
	if faults[0] != nil {
		s.close()
		return nil, fmt.Errorf("%w: %w", ErrElsewhere, faults[0])
	}
	scratch, err := os.MkdirTemp(inMemory(), "schedules")
	if err != nil {
		s.close()
		return nil, err
	}
	return &Sampler{site: s, number: numbers[0], home: scratch, scratch: scratch}, nil
}

// inMemory is a directory whose files are in memory, if the system has one: each execution makes and removes its own.
func inMemory() string {
	const dir = "/dev/shm"
	if f, err := os.CreateTemp(dir, "schedules"); err == nil {
		f.Close()
		os.Remove(f.Name())
		return dir
	}
	return ""
}

// Restart has the next question answered by a new process.
func (s *Sampler) Restart() { s.stop() }

// Close ends the process and removes what was built.
func (s *Sampler) Close() {
	s.stop()
	os.RemoveAll(s.scratch)
	s.site.close()
}

// Way is a way of drawing schedules.
type Way struct {
	Name  string // "random", "pct" or "preempt"
	Bound int    // the depth of pct, the preemptions of preempt at most
}

// The ways.
const (
	Random     = "random"
	PCT        = "pct"
	Preempting = "preempt"
)

// Sampling is a question: which executions does a client have.
type Sampling struct {
	Client Client
	Ways   []Way    // one schedule of each, in turn
	Seed   uint64   // schedule n has random numbers of its own, from the seed and n
	From   int      // the first n
	Count  int      // schedules
	Follow [][2]int // instead of drawing: the decisions of one schedule (Drawn.Decisions); nil: none
	Loose  bool     // decisions that cannot be taken are left out
	Sites  []Site   // plain accesses that take turns from the beginning (Drawn.Sites)
	Steps  int      // turns of an execution at most
	Races  bool     // look for data races
	Trace  bool     // list the steps of each execution
}

// Site is a plain access that is a scheduling point, because it conflicts with another and nothing orders the two.
type Site struct {
	Symbol string `json:"symbol"`
	Offset uint64 `json:"offset"`
}

// CallEvent is the beginning or the end of a call of a thread, counted from 1.
type CallEvent struct {
	Thread int
	Return bool
	At     int // steps before it; of a beginning, the one with which it begins is among them
}

// Drawn is an execution that is unlike those before it in the same sample.
type Drawn struct {
	Results [][][]string // by thread (0: before the threads) and call
	Events  []CallEvent
	Ending  Kind // Cut: it was not executed to its end
	Text    string
	Thread  int // the client's thread that panics; 0: another goroutine
	Waits   []string
	Steps   []Step

	Number      int // of the schedule
	Way         Way
	Decisions   [][2]int // who has the turn, a goroutine counted from 1, or a choice as -1, -2, …; and how often in sequence
	Preemptions int
	Races       []Outcome
	Sites       []Site
	Threads     []int // of each goroutine: the client's thread, 0 for others
	Unmade      bool  // it has ended before the threads started
	Left        bool  // the program has ended before all calls returned
	Blocked     []Blocked
	// Of tests: the exit status if the program has ended by itself, what was printed, and, if there are steps, the function that each goroutine began with.
	Code     int
	Out, Err string
	Starts   []string
}

// Blocked is a goroutine that does not go on when an execution ends.
type Blocked struct {
	Goroutine int    // counted from 1
	Reason    string // what it waits for, in the runtime's words; "": it goes round in circles
	File      string // of its last turn
	Line      int
	Func      string
	Start     string // if it waits: the function that it began with
}

// Cut is the ending of an execution that was not executed to its end.
const Cut = cut

// Sample is the answer.
type Sample struct {
	Drawn   []Drawn // those unlike each other, in the order of the schedules
	Made    int     // executions
	Unrun   int     // those of a test in which its function was not called: an initialiser or TestMain ends, or does not call Run
	Skipped int     // those in which it was skipped
	Turns   int     // in all of them
	Cut     int     // executions that were not executed to their ends, and why the last was not
	CutBy   string
	Sites   []Site
	Failed  string // why the schedule cannot be followed; "": it can
	Fault   string // what the runner cannot do
}

// Sequential are all histories of calls that one thread makes.
type Sequential struct {
	Histories []struct {
		Results [][][]string
		Events  []CallEvent
		Ending  Kind
		Text    string
		Thread  int
	}
	TooBig string
	Fault  string
}

// Draw executes a client.
func (s *Sampler) Draw(ctx context.Context, q Sampling) (Sample, error) {
	var answer Sample
	why, err := s.ask(ctx, struct {
		Subject int
		Test    bool
		Sampling
	}{s.number, s.test, q}, &answer)
	if why != "" {
		answer = Sample{Fault: why}
	}
	return answer, err
}

// Alone lists what calls return that one thread makes one after another, with what they have started beside them.
func (s *Sampler) Alone(ctx context.Context, calls []Call, schedules int) (Sequential, error) {
	var answer Sequential
	opt := Options{Schedules: schedules, NoRaces: true}
	why, err := s.ask(ctx, struct {
		Subject int
		Client  Client
		Alone   bool
		Limits  limits
	}{s.number, Client{Threads: [][]Call{calls}}, true, opt.limits()}, &answer)
	if why != "" {
		answer = Sequential{Fault: why}
	}
	return answer, err
}

// process is a runner that waits for questions.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *json.Decoder
	crash *tail
}

// tail is the beginning of what a process writes.
type tail struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 2000 - t.text.Len(); room > 0 {
		t.text.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

func (s *Sampler) start(ctx context.Context) error {
	cmd := s.site.runner(context.WithoutCancel(ctx))
	cmd.Dir = s.home
	cmd.Env = append(cmd.Env, "TURN_SCRATCH="+s.scratch, "TMPDIR="+s.scratch, "TURN_CALL="+s.call)
	p := &process{cmd: cmd, crash: new(tail)}
	cmd.Stderr = p.crash
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = json.NewDecoder(out)
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process = p
	return json.NewEncoder(p.in).Encode(map[string]bool{"Sample": true})
}

func (s *Sampler) stop() {
	if s.process != nil {
		s.process.in.Close()
		s.process.cmd.Process.Kill()
		s.process.cmd.Wait()
		s.process = nil
	}
}

// ask puts a question. Why says that the process has ended instead of answering.
func (s *Sampler) ask(ctx context.Context, q any, answer any) (why string, err error) {
	if s.process == nil {
		if err := s.start(ctx); err != nil {
			return "", err
		}
	}
	p := s.process
	if err := json.NewEncoder(p.in).Encode(q); err != nil {
		why = "the runner has crashed: " + p.crash.String()
		s.stop()
		return why, nil
	}
	stopped := context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	defer stopped()
	hung := false
	silence := time.AfterFunc(patience, func() { hung = true; p.cmd.Process.Kill() })
	defer silence.Stop()
	for {
		var l struct {
			Index  int
			Report json.RawMessage
		}
		if err := p.out.Decode(&l); err != nil {
			silence.Stop()
			s.stop()
			switch {
			case ctx.Err() != nil:
				return "", ctx.Err()
			case hung:
				return fmt.Sprintf("%v of an execution without a turn", patience), nil
			}
			return "the runner has crashed: " + p.crash.String(), nil
		}
		silence.Reset(patience)
		if l.Index >= 0 {
			return "", json.Unmarshal(l.Report, answer)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
