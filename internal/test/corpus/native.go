// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// NativeOptions says how often and how RunNative runs each program.
type NativeOptions struct {
	Module string // the directory of Pangolin's module, whose package mark the programs may import
	Work   string // an empty directory for sources and binaries; the caller removes it

	Runs    int           // runs of each program; half of them of its perturbed version (see Perturb). Default 20
	Timeout time.Duration // of one run; reaching it counts as the outcome "endless". Default 10 s

	// NoPerturb runs only the program as it is written. For sequential
	// programs, where perturbing is of no use.
	NoPerturb bool
}

// endlessRuns is how many timed-out runs of one program are enough.
const endlessRuns = 2

// RunNative builds the programs with one go command, runs each of them many
// times with GOMAXPROCS 1, 2 and 4 in turn, and returns the distinct outcomes of
// each, in the order of the programs. It fails if a program does not compile.
//
// A native Mutex.TryLock may fail although the mutex is free, while goroutines
// that waited for it are being woken. Such an outcome need not be enumerable.
func RunNative(programs []Program, opt NativeOptions) ([][]Outcome, error) {
	if opt.Runs == 0 {
		opt.Runs = 20
	}
	if opt.Timeout == 0 {
		opt.Timeout = 10 * time.Second
	}
	if err := buildAll(programs, opt); err != nil {
		return nil, err
	}
	outcomes := make([][]Outcome, len(programs))
	for i := range programs {
		var err error
		if outcomes[i], err = runMany(binaryName(i), opt); err != nil {
			return nil, fmt.Errorf("%s: %w", programs[i].Name, err)
		}
	}
	return outcomes, nil
}

// binaryName is independent of the program's name, which need not be a valid
// import path.
func binaryName(i int) string { return fmt.Sprintf("p%04d", i) }

const perturbedSuffix = "y"

// buildAll writes a module with one package for each program, and one more for
// its perturbed version, and builds the lot. The module takes Pangolin's name
// and a copy of its package mark, so that programs find "pangolin/mark" without
// Pangolin's own requirements.
func buildAll(programs []Program, opt NativeOptions) error {
	if err := writeFile(opt.Work, "go.mod", "module pangolin\n\ngo 1.26.0\n"); err != nil {
		return err
	}
	if err := copyMark(opt); err != nil {
		return err
	}
	for i, p := range programs {
		if err := writeFile(opt.Work, binaryName(i)+"/main.go", p.Source); err != nil {
			return err
		}
		if opt.NoPerturb {
			continue
		}
		perturbed, err := Perturb(p.Source)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		dir := binaryName(i) + perturbedSuffix
		if err := errors.Join(
			writeFile(opt.Work, dir+"/main.go", perturbed),
			writeFile(opt.Work, dir+"/yielder.go", YielderSource),
		); err != nil {
			return err
		}
	}
	// Without directories in them, what has been built of the same texts before is found again.
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", "bin/", "./...")
	cmd.Dir = opt.Work
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %d programs: %w\n%s", len(programs), err, out)
	}
	return nil
}

func copyMark(opt NativeOptions) error {
	files, err := filepath.Glob(filepath.Join(opt.Module, "mark", "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := writeFile(opt.Work, "mark/"+filepath.Base(file), string(text)); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(opt.Work, "bin"), 0o777)
}

func writeFile(dir, name, text string) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// runMany runs one program opt.Runs times and returns its distinct outcomes.
func runMany(name string, opt NativeOptions) ([]Outcome, error) {
	var outcomes []Outcome
	endless := 0
	for i := range opt.Runs {
		binary := filepath.Join(opt.Work, "bin", name)
		if i%2 == 1 && !opt.NoPerturb {
			binary += perturbedSuffix
		}
		o, err := runOnce(binary, []string{"1", "2", "4"}[i/2%3], opt.Timeout)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, o)
		if o.Endless {
			if endless++; endless == endlessRuns {
				break
			}
		}
		if i%100 == 99 {
			outcomes = Distinct(outcomes)
		}
	}
	return Distinct(outcomes), nil
}

// runOnce runs a binary and classifies how it ended.
func runOnce(binary, procs string, timeout time.Duration) (Outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs, "GOTRACEBACK=all")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return Outcome{Stdout: stdout.String(), Endless: true}, nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Outcome{}, err
	}
	return NativeOutcome(stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()), nil
}
