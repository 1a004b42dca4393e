// SPDX-License-Identifier: BSD-3-Clause

// Package sources writes the programs of tests that verify many small ones, as modules of one file, so that
// what the go command has answered about one holds for the next; and shares its answers about this module. It
// verifies nothing.
package sources

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pangolin/internal/front"
)

// Repository is a context for tests that verify packages of this module, which do not change meanwhile: the go command
// is asked about each of them once, and it is typed once, for all tests of a binary.
var Repository = front.Share(context.Background())

// Cached lets the go command find what it has built of a module's text when the module stands in another
// directory, as temporary ones do from run to run. Positions in what it builds have no directories then.
func Cached() error {
	flags, err := exec.Command("go", "env", "GOFLAGS").Output()
	if err != nil {
		return err
	}
	return os.Setenv("GOFLAGS", strings.TrimSpace(strings.TrimSpace(string(flags))+" -trimpath"))
}

// Modules are modules of one file. To ask the go command about each takes longer than to verify it; so those that import
// the same stand in the same directory one after the other, and it is asked once.
type Modules struct {
	Context context.Context // in which its answers are shared

	mu   sync.Mutex
	root string
	free map[string][]string // by imports: directories in which no test's module is
}

// New makes a place for modules. Who makes it removes it (Remove).
func New() *Modules {
	return &Modules{Context: front.Share(context.Background()), free: map[string][]string{}}
}

// Dir is the directory of a module with one file, until the test is over.
func (m *Modules) Dir(t testing.TB, source string) string {
	t.Helper()
	dir, done := m.Take(t, source)
	t.Cleanup(done)
	return dir
}

// Take is Dir until done is called.
func (m *Modules) Take(t testing.TB, source string) (dir string, done func()) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	key := imports(source)
	if n := len(m.free[key]); n > 0 {
		dir, m.free[key] = m.free[key][n-1], m.free[key][:n-1]
	} else {
		dir = m.fresh(t)
	}
	write(t, filepath.Join(dir, "example.go"), source)
	return dir, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.free[key] = append(m.free[key], dir)
	}
}

func (m *Modules) fresh(t testing.TB) string {
	t.Helper()
	var err error
	if m.root == "" {
		if m.root, err = os.MkdirTemp("", "modules"); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp(m.root, "module")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example\n\ngo 1.26\n")
	return dir
}

// Remove removes all modules.
func (m *Modules) Remove() error { return os.RemoveAll(m.root) }

// Main runs a package's tests and removes the modules behind them. It gives the exit code.
func (m *Modules) Main(tests *testing.M) int {
	code := tests.Run()
	if err := m.Remove(); err != nil && code == 0 {
		return 1
	}
	return code
}

// imports are the paths that a file imports; its whole text, if it is no Go.
func imports(source string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
	if err != nil {
		return source
	}
	var paths []string
	for _, i := range f.Imports {
		paths = append(paths, i.Path.Value)
	}
	return f.Name.Name + " " + strings.Join(paths, " ")
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
