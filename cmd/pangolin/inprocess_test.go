// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"pangolin/internal/front"
	"pangolin/verdict"
)

// Scripts execute their command lines in the process of the test, one at a time: to begin a process for each and
// to ask the go command again about packages that have not changed would be most of what the scripts cost. What a process of its own
// is needed for (signals, standard input) is the command pangolin-process.

// process is the name of the command that begins one.
const process = "pangolin-process"

// settings are the environment variables of a script that a command sees.
var settings = []string{"HOME", "TMPDIR", "PATH", "COLUMNS", "GOFLAGS", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOWORK", "PANGOLIN_CACHE"}

// inProcess guards the directory and the environment of the process.
var inProcess sync.Mutex

// run executes a command line as a script's process would and gives its exit code.
func run(ts *testscript.TestScript, args []string) int {
	inProcess.Lock()
	defer inProcess.Unlock()
	for _, name := range settings {
		before, was := os.LookupEnv(name)
		defer func() {
			if os.Unsetenv(name); was {
				os.Setenv(name, before)
			}
		}()
		if value := ts.Getenv(name); value != "" {
			ts.Check(os.Setenv(name, value))
		} else {
			ts.Check(os.Unsetenv(name))
		}
	}
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	began := time.Now()
	code := execute(listed(ts), args, &console{in: strings.NewReader(""), out: ts.Stdout(), err: ts.Stderr()})
	if len(args) > 0 && args[0] == "verify" {
		replayWritten(ts, began)
	}
	return code
}

// replayWritten replays each witness file that a command has written since it began: what a file says must be all that the verdict rests on.
func replayWritten(ts *testscript.TestScript, began time.Time) {
	ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		info, err := d.Info()
		if err != nil || info.ModTime().Before(began) {
			return err
		}
		text, err := os.ReadFile(path)
		if _, other := verdict.Parse(text); err != nil || other != nil {
			return err
		}
		var out strings.Builder
		if code := execute(listed(ts), []string{"replay", path}, &console{in: strings.NewReader(""), out: &out, err: &out}); code != 0 {
			return fmt.Errorf("%s does not replay: %s", path, out.String())
		}
		return nil
	}))
}

// lists are what is known of the packages that a script sees.
type lists struct {
	files string
	ctx   context.Context
}

// listed is a context that knows what the go command has answered, as long as no file of the script has changed and
// none of its settings.
func listed(ts *testscript.TestScript) context.Context {
	known := ts.Value(lists{}).(*lists)
	if now := seen(ts); known.ctx == nil || now != known.files {
		known.files, known.ctx = now, front.Share(context.Background())
	}
	return known.ctx
}

// seen tells the Go files that a script sees from what they were before, and its settings.
func seen(ts *testscript.TestScript) string {
	var b strings.Builder
	for _, name := range settings {
		fmt.Fprintln(&b, name, ts.Getenv(name))
	}
	ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".mod" && ext != ".work" && ext != ".sum" && ext != ".txt" {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return b.String()
}

// command executes a command line that ends with exit code 0, or with ! otherwise.
func command(ts *testscript.TestScript, fails bool, args []string) {
	code := run(ts, args)
	if fails != (code != 0) {
		ts.Fatalf("exit code %d", code)
	}
}

// oneByOne is a test whose scripts run one after the other.
type oneByOne struct{ *testing.T }

func (oneByOne) Parallel() {}

func (t oneByOne) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(oneByOne{t}) })
}

func (oneByOne) Verbose() bool { return testing.Verbose() }
