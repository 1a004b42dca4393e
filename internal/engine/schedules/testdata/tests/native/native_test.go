// Package native_test has tests that only compiled code executes; they stand outside of their package.
package native_test

import (
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"tested/native"
)

var update = flag.Bool("update", false, "write the golden files")

func twice(f func()) {
	done := make(chan bool)
	for range 2 {
		go func() { f(); done <- true }()
	}
	<-done
	<-done
}

func TestFileLocked(t *testing.T) {
	f := native.File{Name: filepath.Join(t.TempDir(), "n")}
	twice(f.Locked)
	if f.Len() != 2 {
		t.Error(f.Len())
	}
}

func TestFile(t *testing.T) {
	f := native.File{Name: filepath.Join(t.TempDir(), "n")}
	twice(f.Append)
	if f.Len() != 2 {
		t.Error(f.Len())
	}
}

func TestServer(t *testing.T) {
	s := httptest.NewServer(&native.Hits{})
	defer s.Close()
	r, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, _ := io.ReadAll(r.Body); string(text) != "1" {
		t.Errorf("%s", text)
	}
}

func TestServerRace(t *testing.T) {
	s := httptest.NewServer(&native.Hits{})
	defer s.Close()
	twice(func() {
		if r, err := http.Get(s.URL); err == nil {
			r.Body.Close()
		}
	})
}

func TestHere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "golden"))
	if *update || err != nil || string(text) != "golden\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestLeavesBehind would fail if what one execution does to the process was there in the next.
func TestLeavesBehind(t *testing.T) {
	if os.Getenv("LEFT") != "" {
		t.Error("the environment is that of another execution")
	}
	os.Setenv("LEFT", "behind")
	name := filepath.Join(os.TempDir(), "left")
	if _, err := os.Stat(name); err == nil {
		t.Error("the file of another execution is there")
	}
	os.WriteFile(name, nil, 0o600)
	os.Chdir(os.TempDir())
	native.Left++
	if native.Left != 1 {
		t.Error("a variable has the value of another execution")
	}
	panicsOnExit := func() (panics bool) {
		defer func() { panics = recover() != nil }()
		os.Exit(0)
		return
	}
	if !panicsOnExit() {
		t.Error("os.Exit(0) ends a test")
	}
}

func TestExits(t *testing.T) { os.Exit(3) }

func ExampleFile() {}

func FuzzNothing(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }
