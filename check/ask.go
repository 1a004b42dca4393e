// SPDX-License-Identifier: BSD-3-Clause

package check

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A test asks the command "pangolin remote", which answers: questions and answers are JSON objects, one a line, on its standard input and
// output. A question has a number, which its answers repeat; the last one says that it is done.

// protocol is the number of this way to ask. Commands that answer another one say so.
const protocol = 1

// question is what a test asks.
type question struct {
	Protocol    int          `json:"protocol"`
	Number      int          `json:"number"`
	Do          string       `json:"do"` // verify, new, func
	Arguments   []string     `json:"arguments,omitempty"`
	Test        string       `json:"test"` // its name
	Short       bool         `json:"short,omitempty"`
	ArtifactDir string       `json:"artifact_dir,omitempty"` // where artifacts are kept, if they are
	Left        int64        `json:"left,omitempty"`         // nanoseconds to the test's deadline, if it has one
	Constructor *constructor `json:"constructor,omitempty"`
	Call        int          `json:"call,omitempty"`
	Stack       []string     `json:"stack,omitempty"`
}

// constructor describes a function that makes collections, as packages runtime and reflect spell it.
type constructor struct{ Function, File, Made, Type, Package string }

// answer is what the command wants done in the test; one of the fields is set besides the number.
type answer struct {
	Number int       `json:"number"`
	Log    string    `json:"log"`
	Error  string    `json:"error"`
	Fatal  string    `json:"fatal"`
	Attr   [2]string `json:"attr"`
	Read   []string  `json:"read"` // directories whose Go files are read, for the test cache
	Done   bool      `json:"done"`
}

// ask asks a question and does in the test what the command answers.
func ask(t testing.TB, q question) {
	t.Helper()
	q.Protocol, q.Test, q.Short = protocol, t.Name(), testing.Short()
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		if d, has := t.(interface{ ArtifactDir() string }); has {
			q.ArtifactDir = d.ArtifactDir()
		}
	}
	if d, has := t.(interface{ Deadline() (time.Time, bool) }); has {
		if end, has := d.Deadline(); has {
			q.Left = int64(time.Until(end))
		}
	}
	asked.Do(func() { started, startError = start() })
	if startError != nil {
		t.Fatalf("pangolin: %v", startError)
	}
	fatal := ""
	for a := range started.ask(q) {
		switch {
		case a.Log != "":
			t.Log(a.Log)
		case a.Error != "":
			t.Error(a.Error)
		case a.Fatal != "":
			fatal = a.Fatal
		case a.Attr[0] != "":
			if with, has := t.(interface{ Attr(key, value string) }); has {
				with.Attr(a.Attr[0], a.Attr[1])
			}
		case a.Read != nil:
			read(a.Read)
		}
	}
	if fatal != "" {
		t.Fatal(fatal)
	}
}

// read opens directories and the Go files in them, which makes them inputs of the test: "go test" does not take an old result when
// they have changed. What cannot be read any more is an input as well.
func read(dirs []string) {
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".go") {
				if f, err := os.Open(filepath.Join(dir, e.Name())); err == nil {
					f.Close()
				}
			}
		}
	}
}

// stack is the names of the functions that call Func, the innermost one first.
func stack() (names []string) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)]) // without Callers, stack and Func
	for {
		frame, more := frames.Next()
		names = append(names, frame.Function)
		if !more {
			return names
		}
	}
}

// calls counts the calls of Func by each test.
var calls sync.Map // of *int by testing.TB

// nextCall is the number of this call of Func in its test, counted from 1.
func nextCall(t testing.TB) int {
	n, known := calls.LoadOrStore(t, new(int))
	if !known {
		t.Cleanup(func() { calls.Delete(t) })
	}
	*n.(*int)++ // a test calls it from one goroutine at a time
	return *n.(*int)
}

// The command is started by the first question, in the directory in which the tests began. It ends when its standard input does.
var (
	asked      sync.Once
	started    *command
	startError error
	home, _    = os.Getwd()
)

// command is a running pangolin command.
type command struct {
	lock    sync.Mutex
	in      io.Writer
	last    int                 // number of the last question
	waiting map[int]chan answer // for the answers, by the question's number
	gone    error               // why it answers no more
	stderr  bytes.Buffer        // what it says besides
}

// start starts the command.
func start() (*command, error) {
	cmd, err := find()
	if err != nil {
		return nil, err
	}
	c := &command{waiting: map[int]chan answer{}}
	cmd.Stderr = &c.stderr
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go c.listen(out, cmd)
	return c, nil
}

// find is the command that answers.
func find() (*exec.Cmd, error) {
	name := os.Getenv("PANGOLIN")
	if name == "" {
		name = "pangolin"
	}
	path, err := exec.LookPath(name)
	if err == nil {
		return in(home, exec.Command(path, "remote")), nil
	}
	_, file, _, _ := runtime.Caller(0)
	checkout := filepath.Dir(filepath.Dir(file))
	if _, missing := os.Stat(filepath.Join(checkout, "cmd", "pangolin")); missing != nil || os.Getenv("PANGOLIN") != "" {
		return nil, fmt.Errorf("there is no command %s: install it (pangolin's README says how), or name it by the environment variable PANGOLIN", name)
	}
	return in(checkout, exec.Command("go", "run", "./cmd/pangolin", "-C", home, "remote")), nil
}

// in has a command run in a directory.
func in(dir string, cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = dir
	return cmd
}

// ask sends a question. The channel gets the answers and is closed behind the last one.
func (c *command) ask(q question) <-chan answer {
	answers := make(chan answer, 1)
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.gone != nil {
		answers <- answer{Fatal: c.gone.Error()}
		close(answers)
		return answers
	}
	c.last++
	q.Number = c.last
	c.waiting[q.Number] = answers
	text, _ := json.Marshal(q)            // strings and numbers
	_, _ = c.in.Write(append(text, '\n')) // if it takes nothing any more, listen says why
	return answers
}

// listen passes answers on until there are no more.
func (c *command) listen(out io.Reader, cmd *exec.Cmd) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil { // it is another command
			_ = cmd.Process.Kill() // it may have ended
			break
		}
		c.lock.Lock()
		answers := c.waiting[a.Number]
		if a.Done {
			delete(c.waiting, a.Number)
		}
		c.lock.Unlock()
		switch {
		case answers == nil:
		case a.Done:
			close(answers)
		default:
			answers <- a
		}
	}
	err := cmd.Wait()
	c.lock.Lock()
	defer c.lock.Unlock()
	said := strings.TrimSpace(c.stderr.String())
	c.gone = fmt.Errorf("pangolin: the command %s ended without an answer (%v): %s", cmd.Path, err, said)
	for n, answers := range c.waiting {
		answers <- answer{Fatal: c.gone.Error()}
		close(answers)
		delete(c.waiting, n)
	}
}
