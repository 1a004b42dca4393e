package force

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
