// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Result is what came of a test.
type Result struct {
	Reproduced bool
	// Cannot says why the schedule could not even be tried: what the compiler has to say. It is "" if
	// it was tried.
	Cannot string
	Output string // of the test
}

// Run runs the test for a witness without writing into the module.
func Run(ctx context.Context, text []byte, packageDir string) (Result, error) {
	dir, err := os.MkdirTemp("", "force")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	if packageDir, err = outOfCache(ctx, packageDir, filepath.Join(dir, "module")); err != nil {
		return Result{}, err
	}
	file := filepath.Join(dir, "test.go.txt")
	if err := os.WriteFile(file, text, 0o666); err != nil {
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
	cmd.Dir = packageDir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	failed := cmd.Run()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	r := Result{Reproduced: failed == nil && strings.Contains(out.String(), "--- PASS: TestForced_"), Output: out.String()}
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

// outOfCache gives a directory in which a package's files can be replaced: the go command replaces none
// in its module cache, so that of a module there a copy is made, without its tests.
func outOfCache(ctx context.Context, packageDir, copied string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return "", err
	}
	cache := strings.TrimSpace(string(out)) + string(filepath.Separator)
	within, cached := strings.CutPrefix(packageDir, cache)
	if !cached {
		return packageDir, nil
	}
	root, version, _ := strings.Cut(within, "@")
	version, below, _ := strings.Cut(version, string(filepath.Separator))
	root = cache + root + "@" + version
	err = filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(name, "_test.go") {
			return err
		}
		to := filepath.Join(copied, strings.TrimPrefix(name, root))
		if e.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o666)
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(copied, below), generic(ctx, copied)
}

var goLine = regexp.MustCompile(`(?m)^go 1\.(\d+)`)

// generic lets a copied module have functions with type parameters, which the copies of its files call.
func generic(ctx context.Context, root string) error {
	const since = 18
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return cannot("the module has no go.mod")
	}
	if m := goLine.FindStringSubmatch(string(text)); m != nil {
		if minor, err := strconv.Atoi(m[1]); err == nil && minor >= since {
			return nil
		}
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", fmt.Sprintf("-go=1.%d", since))
	cmd.Dir = root
	return cmd.Run()
}
