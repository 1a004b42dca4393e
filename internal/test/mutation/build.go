// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pangolin/internal/test/mutation/on"
)

// suite is the tests of a package, compiled with all mutants in what they test.
type suite struct {
	Dir     string        // of the package, from the root of the module
	Binary  string        // its file; "" if the package has no tests
	Seconds float64       // of CPU that the tests take without a mutant
	Reaches map[int]bool  // the mutants that the tests reach
	Skip    string        // tests that fail without a mutant, as a regular expression; they are left out
	Failed  string        // what fails without a mutant even so; the suite finds nothing then
	limit   time.Duration // of CPU, with a mutant
}

// bench is a directory with suites and what came of mutants so far, all for one state of the source.
type bench struct {
	root, dir string
	with      string   // the flags of the tests: "-test.short"
	log       string   // the file of outcomes
	mutants   []mutant // numbered from 1
	suites    []*suite
	passing   map[string]bool // by flags and directory, whether its tests pass without a mutant
}

// users lists the packages with tests that depend on one of the mutated packages.
func users(root string, mutated map[string]bool) (dirs []string, err error) {
	out, err := goCommand(root, "list", "-test", "-deps=false", "-json=ImportPath,ForTest,Deps", "./...")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		name, is := strings.CutSuffix(p.ImportPath, ".test")
		if !is {
			continue
		}
		for _, dep := range p.Deps {
			dep, _, _ = strings.Cut(dep, " ")
			if mutated[strings.TrimPrefix(dep, module)] {
				dirs = append(dirs, strings.TrimPrefix(strings.TrimPrefix(name, "pangolin"), "/"))
				break
			}
		}
	}
	return dirs, nil
}

const module = "pangolin/"

// build compiles the tests of packages with all mutants, for whichever there is no binary yet.
func (b *bench) build(u *universe, dirs []string) error {
	numbers := map[string]map[int]mutant{}
	for i, m := range b.mutants {
		if numbers[m.file] == nil {
			numbers[m.file] = map[int]mutant{}
		}
		numbers[m.file][i+1] = m
	}
	replace := map[string]string{}
	for file, list := range numbers {
		s := u.loaded[path.Dir(file)]
		to := filepath.Join(b.dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(to, []byte(planted(s.texts[file], s.name, list)), 0o666); err != nil {
			return err
		}
		from, err := filepath.Abs(filepath.Join(b.root, file))
		if err != nil {
			return err
		}
		replace[from] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return err
	}
	for _, dir := range dirs {
		s := &suite{Dir: dir, Binary: filepath.Join(b.dir, "root_"+strings.ReplaceAll(dir, "/", "_")+".test")}
		b.suites = append(b.suites, s)
		if _, err := os.Stat(s.Binary); err == nil {
			continue
		}
		fmt.Println("build", dir)
		if _, err := goCommand(b.root, "test", "-c", "-vet=off", "-overlay", overlay, "-o", s.Binary+".new", "./"+dir); err != nil {
			return err
		}
		if err := os.Rename(s.Binary+".new", s.Binary); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	b.suites = slices.DeleteFunc(b.suites, func(s *suite) bool { _, err := os.Stat(s.Binary); return err != nil })
	return nil
}

// measure runs the tests of each suite without a mutant, to learn what they take and which mutants they reach.
func (b *bench) measure(until time.Time) (done bool, err error) {
	for _, s := range b.suites {
		known := b.known(s)
		if text, err := os.ReadFile(known); err == nil {
			if err := json.Unmarshal(text, s); err != nil {
				return false, err
			}
			continue
		}
		if time.Now().After(until) {
			return false, nil
		}
		record := s.Binary + ".reached"
		if err := os.RemoveAll(record); err != nil {
			return false, err
		}
		fmt.Println("measure", s.Dir)
		r := b.execute(s, 0, 10*time.Minute, record)
		for range 3 {
			if !strings.HasPrefix(r.failed, "Test") {
				break
			}
			s.Skip = strings.TrimPrefix(s.Skip+"|^"+r.failed+"$", "|")
			r = b.execute(s, 0, 10*time.Minute, record)
		}
		s.Seconds, s.Failed, s.Reaches = r.cpu.Seconds(), r.failed, map[int]bool{}
		if f, err := os.Open(record); err == nil {
			for lines := bufio.NewScanner(f); lines.Scan(); {
				k, err := strconv.Atoi(lines.Text())
				if err != nil {
					return false, err
				}
				s.Reaches[k] = true
			}
			if err := f.Close(); err != nil {
				return false, err
			}
		}
		text, err := json.Marshal(s)
		if err != nil {
			return false, err
		}
		if err := os.WriteFile(known, text, 0o666); err != nil {
			return false, err
		}
	}
	for _, s := range b.suites {
		s.limit = time.Duration(3*s.Seconds+5) * time.Second
	}
	return true, nil
}

// result is what a run of tests came to.
type result struct {
	failed string // the test that failed; "": all passed
	cpu    time.Duration
}

// known is the file for what was found out about a suite without mutants.
func (b *bench) known(s *suite) string {
	sum := sha256.Sum256([]byte(b.with))
	return fmt.Sprintf("%s.%x.json", s.Binary, sum[:4])
}

// execute runs the tests of a suite with mutant k, for no longer than a limit of CPU.
func (b *bench) execute(s *suite, k int, limit time.Duration, record string) result {
	ctx, cancel := context.WithTimeout(context.Background(), 10*limit)
	defer cancel()
	binary, err := filepath.Abs(s.Binary)
	if err != nil {
		return result{failed: err.Error()}
	}
	// A mutant that loops or allocates for ever is stopped by the system: by a limit on CPU and on memory.
	script := fmt.Sprintf("ulimit -t %d; ulimit -v 16000000; exec nice -n 5 \"$@\"", int(limit.Seconds())+1)
	args := append([]string{"-c", script, "sh", binary, "-test.failfast", "-test.timeout=0", "-test.skip=" + s.Skip}, strings.Fields(b.with)...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir = filepath.Join(b.root, s.Dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", on.Mutant, k), on.Record+"="+record)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	r := result{}
	if p := cmd.ProcessState; p != nil {
		r.cpu = p.UserTime() + p.SystemTime()
	}
	if err != nil {
		r.failed = failure(out.String(), err)
	}
	return r
}

// failure names the first test that failed.
func failure(out string, err error) string {
	for line := range strings.Lines(out) {
		if _, rest, found := strings.Cut(line, "--- FAIL: "); found {
			name, _, _ := strings.Cut(rest, " ")
			return strings.TrimSpace(name)
		}
	}
	var exit *exec.ExitError
	switch {
	case strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "):
		return "a panic"
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled():
		return "does not end"
	}
	return err.Error()
}
