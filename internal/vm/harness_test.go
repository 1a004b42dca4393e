// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/ir"
)

// compiled compiles the source of a main package.
func compiled(t *testing.T, src string) *Image {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	return compiledFile(t, file)
}

func compiledFile(t *testing.T, file string) *Image {
	t.Helper()
	prog, err := front.Load(front.Share(context.Background()), front.Request{Dir: filepath.Dir(file), Patterns: []string{file}, Roots: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	return image(t, prog)
}

// compiledAll compiles programs, which the go command lists together.
func compiledAll(t *testing.T, sources []string) (images []*Image) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module programs\n\ngo 1.26\n")
	for i, src := range sources {
		write(fmt.Sprintf("p%03d/main.go", i), src)
	}
	ctx := front.Share(context.Background())
	list, err := front.List(ctx, dir, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		prog, err := l.Load(ctx, front.Request{Roots: []string{"main"}})
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, image(t, prog))
	}
	return images
}

// image checks a program and makes its image.
func image(t *testing.T, prog *ir.Program) *Image {
	t.Helper()
	if err := prog.Check(); err != nil {
		t.Fatal(err)
	}
	img, err := NewImage(prog)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// outcome is how a program ended and what it printed.
type outcome struct {
	stdout, stderr string
	code           int
}

// executed follows one execution of a program in the machine. What a crash prints
// is added to standard error, as the runtime does.
func executed(t *testing.T, img *Image) outcome {
	t.Helper()
	var out [2]strings.Builder
	m := img.NewMachine(Options{Stream: func(file int, text string) { out[file-1].WriteString(text) }})
	m.Start(img.Prog.Roots[0])
	if !m.Run(nil, 1_000_000_000) {
		t.Fatal("the program does not end")
	}
	if f := m.Fault(); f != nil {
		t.Fatal(f)
	}
	o := outcome{out[0].String(), out[1].String(), m.Ended().Code}
	if end := m.Ended(); end.Kind == Panicked || end.Kind == Fatal {
		o.stderr += m.Text(end.Text) + "\n"
	}
	if m.Deadlocked() {
		o.stderr, o.code = o.stderr+m.DeadlockText()+"\n", 2
	}
	return o
}

// native builds a program and runs it.
func native(t *testing.T, src string, args ...string) outcome {
	t.Helper()
	return runNative(built(t, src), args...)
}

func built(t *testing.T, src string) string {
	t.Helper()
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", exe, file)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

func runNative(exe string, args ...string) outcome {
	var stdout, stderr strings.Builder
	cmd := exec.Command(exe, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // a status other than 0 is in ProcessState
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// sameLines compares two texts line by line and reports the first few differences.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		t.Errorf("%d lines, natively %d", len(g), len(w))
	}
	shown := 0
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] && shown < 20 {
			t.Errorf("line %d:\n   got %s\nwant %s", i+1, g[i], w[i])
			shown++
		}
	}
}
