// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"pangolin/verdict"
)

// Result is what came of a test.
type Result struct {
	Reproduced bool
	// Cannot says why the schedule could not even be tried: what the compiler has to say. It is "" if
	// it was tried.
	Cannot string
	Output string // of the test
}

// Missed says what came about in place of the violation, in a few words.
func (r *Result) Missed() string {
	for line := range strings.Lines(r.Output) {
		if _, why, ok := strings.Cut(line, "forced miss step "); ok {
			_, why, _ = strings.Cut(strings.TrimSpace(why), ": ")
			return "the schedule does not come about: " + why
		}
	}
	return "the schedule comes about, and the test shows nothing"
}

// Chooses says where a schedule decides what Go leaves open, such as which case of a select that could take several; "" if it does not. A test
// can force when threads go on, and not what the runtime decides.
func Chooses(w *verdict.Witness) string {
	for _, t := range w.Schedule.Turns {
		if len(t.Decisions) > 0 {
			return "the schedule depends on what Go leaves open (a case of select, a random number, an order of a map, the clock), and the runtime decides otherwise"
		}
	}
	return ""
}

// grace is how long the go command may take to end.
const grace = 5 * time.Second

// Run runs the test without writing into the module. All that it writes is in a directory that it removes.
func (c *Case) Run(ctx context.Context) (r Result, err error) {
	dir, err := os.MkdirTemp("", "force")
	if err != nil {
		return Result{}, err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(dir)) }()
	packageDir, env := c.Dir, os.Environ()
	if c.Cached {
		env = append(env, "GOWORK=off") // the copy is no module of the user's workspace
		if packageDir, err = c.copied(filepath.Join(dir, "module")); err != nil {
			return Result{}, err
		}
	}
	file := filepath.Join(dir, "test.go.txt")
	if err := os.WriteFile(file, c.Text, 0o666); err != nil {
		return Result{}, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(packageDir, "zz_pangolin_forced_test.go"): file}})
	if err != nil {
		return Result{}, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		return Result{}, err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-vet=off", "-v", "-overlay", list, "-run", "^TestForced_", ".")
	cmd.Dir, cmd.Env = packageDir, append(env, "TMPDIR="+dir)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the go command ends what it has started
	cmd.WaitDelay = grace
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	failed := cmd.Run()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	r = Result{Reproduced: failed == nil && strings.Contains(out.String(), "--- PASS: TestForced_"), Output: out.String()}
	if !r.Reproduced {
		r.Cannot = uncompiled(r.Output)
	}
	return r, nil
}

// complaint is a line of the compiler's; that of a copy names the file in which the copy is.
var complaint = regexp.MustCompile(`(?m)^\s*(?:\S*[/\\])?(\S+\.go)(?:\.txt)?(:\d+(?::\d+)?: .*)$`)

// uncompiled says why nothing was executed; "" if something was. The copy is compiled with the
// package's own tests, and may use what this machine has not.
func uncompiled(output string) string {
	what := ""
	_, copied, wasCopy := strings.Cut(output, "the copy does not compile: ")
	switch {
	case wasCopy:
		what, output = "the copy that waits for its turns does not compile", copied
	case strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]"):
		what = "the package does not compile with its tests"
	case !strings.Contains(output, "=== RUN "):
		first, _, _ := strings.Cut(strings.TrimSpace(output), "\n")
		return "the go command runs no test there: " + first
	default:
		return ""
	}
	if m := complaint.FindStringSubmatch(output); m != nil {
		return what + ": " + m[1] + m[2]
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(output), "\n") // the first line is the exit status
	first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	if first == "" {
		return what
	}
	return what + ": " + strings.TrimSpace(first)
}

// cached says whether the package is in the module cache, in which the go command replaces no files, and notes what a copy of its module
// needs: the modules that the user's build takes packages from, in the same versions.
func (f *forcer) cached(ctx context.Context, dir string, m *module, c *Case) error {
	cmd := exec.CommandContext(ctx, "go", "env", "GOMODCACHE", "GOMOD")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	cache, rest, _ := strings.Cut(string(out), "\n")
	if _, c.Cached = strings.CutPrefix(m.Dir, cache+string(filepath.Separator)); !c.Cached {
		return nil
	}
	sums, err := os.ReadFile(strings.TrimSuffix(strings.TrimSpace(rest), ".mod") + ".sum")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	c.modules, c.sums = []*module{m}, string(sums)
	seen := map[string]bool{m.Path: true}
	for _, path := range slices.Sorted(maps.Keys(f.known)) {
		if n := f.known[path].Module; n != nil && !seen[n.Path] {
			seen[n.Path] = true
			c.modules = append(c.modules, n)
		}
	}
	return nil
}

// copied copies the module without its tests, and gives the package's directory in the copy.
func (c *Case) copied(to string) (packageDir string, err error) {
	m := c.modules[0]
	err = filepath.WalkDir(m.Dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(name, "_test.go") {
			return err
		}
		at := filepath.Join(to, strings.TrimPrefix(name, m.Dir))
		if e.IsDir() {
			return os.MkdirAll(at, 0o777) // directories of the cache cannot be written to, nor removed
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(at, text, 0o666)
	})
	if err != nil {
		return "", err
	}
	text, err := c.goMod()
	if err != nil {
		return "", err
	}
	for name, text := range map[string][]byte{"go.mod": text, "go.sum": []byte(c.sums)} {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o666); err != nil {
			return "", err
		}
	}
	return filepath.Join(to, strings.TrimPrefix(c.Dir, m.Dir)), nil
}

// goMod is the copy's go.mod: modules of Go's first years have none, and the copies of files call functions with type parameters.
func (c *Case) goMod() ([]byte, error) {
	var f modfile.File
	if err := errors.Join(f.AddModuleStmt(c.modules[0].Path), f.AddGoStmt(recent(c.modules[0]))); err != nil {
		return nil, err
	}
	for _, m := range c.modules[1:] {
		if err := f.AddRequire(m.Path, cmp.Or(m.Version, "v0.0.0")); err != nil {
			return nil, err
		}
		switch by := m.Replace; {
		case m.Main:
			if err := f.AddReplace(m.Path, "", m.Dir, ""); err != nil {
				return nil, err
			}
		case by != nil:
			path := by.Path
			if by.Version == "" {
				path = by.Dir
			}
			if err := f.AddReplace(m.Path, m.Version, path, by.Version); err != nil {
				return nil, err
			}
		}
	}
	return f.Format()
}

// recent is the version of Go that a module says, or the first with type parameters.
func recent(m *module) string {
	const since = 18
	if v := goMinor.FindStringSubmatch(cmp.Or(m.GoVersion, "1.16")); v != nil {
		if minor, err := strconv.Atoi(v[1]); err == nil && minor < since {
			return fmt.Sprintf("1.%d", since)
		}
	}
	return m.GoVersion
}
