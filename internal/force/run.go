package force

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Result is what came of a test.
type Result struct {
	Reproduced bool
	Output     string // of the test
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
	return Result{Reproduced: failed == nil && strings.Contains(out.String(), "--- PASS: TestForced_"), Output: out.String()}, nil
}
