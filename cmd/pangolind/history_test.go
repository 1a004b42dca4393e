// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pangolin/internal/farm/gateway"
)

// The history of a farm, as a browser sees it.

// counted are a right and a wrong type.
const counted = `package counted

import "sync/atomic"

// Total is a sum.
type Total struct{ n atomic.Int64 }

func (t *Total) Add(d int64) { t.n.Add(d) }

func (t *Total) Sum() int64 { return t.n.Load() }

// Lost is a sum that loses what is added beside something else.
type Lost struct{ n atomic.Int64 }

func (l *Lost) Add(d int64) { l.n.Store(l.n.Load() + d) }

func (l *Lost) Sum() int64 { return l.n.Load() }
`

// The server's site has the verdicts that commands were given, of which revision, each with its page, also when the server was killed
// meanwhile; those of commands that keep nothing it has not.
func TestServe_ShowsVerdicts(t *testing.T) {
	f := install(t, 1)
	dir, results := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/counted\n\ngo 1.26\n", "counted.go": counted} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Skipf("git %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	commit := git("rev-parse", "HEAD")[:12]
	verify := func(args ...string) {
		t.Helper()
		c := exec.Command(filepath.Join(f.bin, "pangolin"), append([]string{"verify", "-on", f.url()}, args...)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %s", err, out)
		}
	}
	get := func(path string) string {
		t.Helper()
		resp, err := http.Get(f.url() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v: %s", path, resp.Status, err, text)
		}
		return string(text)
	}
	verify("-no-cache", "./...")
	if text := get("/"); !strings.Contains(text, "Nothing was judged yet") || !strings.Contains(text, `href="`+gateway.PathState+`"`) {
		t.Errorf("before anything is kept the page is\n%s", text)
	}
	verify("-cache", results, "-config", "2x3", "./...")
	pages := regexp.MustCompile(`/result/[0-9a-f]{64}`)
	shown := ""
	for range 200 { // the history is written behind the answer
		if shown = get("/"); len(pages.FindAllString(shown, -1)) == 2 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = f.server.Process.Kill()
	_ = f.server.Wait()
	f.serve()
	list := func(page string) string { // without what is being done at the moment
		_, text, _ := strings.Cut(page, "<main>")
		return text
	}
	if again := get("/"); list(again) != list(shown) {
		t.Errorf("a server that was killed shows\n%s\nand before it was\n%s", again, shown)
	}
	for _, want := range []string{"counted.Lost", "counted.Total", commit, "example.org/counted", "1</b> violated", "1</b> verified"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
	violated := 0
	for _, path := range pages.FindAllString(shown, -1) {
		if text := get(path); strings.Contains(text, "counted.Lost, linear:") && strings.Contains(text, "l.n.Store(l.n.Load() + d)") {
			violated++ // with its steps, and the line of the source
		} else if !strings.Contains(text, "counted.Total") {
			t.Errorf("%s is\n%s", path, text)
		}
	}
	if violated != 1 {
		t.Errorf("%d pages of results show a violation, want 1:\n%s", violated, shown)
	}
	if text := get(gateway.PathState); !strings.Contains(text, "Results that are kept: 4.") {
		t.Errorf("the page of the farm is\n%s", text)
	}
}
