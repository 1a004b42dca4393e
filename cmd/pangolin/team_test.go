// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/cache"
	"pangolin/internal/site"
	"pangolin/internal/test/level"
)

// A team of one repository: ten packages, ten commits, of which two bring a defect and one takes one away. The steps of the workflow file
// that init -ci writes are executed as they stand there, and so is its hook.
func TestInitCI_ServesATeam(t *testing.T) {
	level.SkipShort(t, "it runs a workflow for each commit")
	for _, tool := range []string{"git", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	team := newTeam(t)
	team.must("git", "init", "-q")
	for i := range 10 {
		team.write(fmt.Sprintf("p%d/c.go", i), counter(i, "c.n.Add(1)"))
	}
	team.must("pangolin", "init", "-ci")
	team.commit()
	commits := []struct {
		file, text string
		baseline   bool   // it is written anew
		hook       int    // exit code of the hook before the commit
		workflow   int    // exit code of the job merge
		says       string // it says
	}{
		{file: "README", text: "x", says: "10 verdicts: 10 verified"},
		{file: "p3/c.go", text: counter(3, "c.n.Store(c.n.Load() + 1)"), hook: 1, workflow: 1, says: "p3.Counter counter linear VIOLATED"},
		{file: "README", text: "y", baseline: true, says: "0 new, 1 known, 0 gone"},
		{file: "p5/c.go", text: "// moved\n" + counter(5, "c.n.Add(1)"), says: "0 new, 1 known, 0 gone"},
		{file: "p7/c.go", text: counter(7, "c.n.Store(1 + c.n.Load())"), hook: 1, workflow: 1, says: "1 new, 1 known, 0 gone"},
		{file: "p3/c.go", text: "\n" + counter(3, "c.n.Store(c.n.Load() + 1)"), workflow: 1, says: "1 new, 1 known, 0 gone"},
		{file: "p3/c.go", text: counter(3, "c.n.Add(1)"), workflow: 1, says: "1 new, 0 known, 1 gone"},
		{file: "README", text: "z", baseline: true, says: "0 new, 1 known, 0 gone"},
		{file: "p9/broken.go", text: "package p9\n\nvar x int = \"text\"\n", hook: 1, workflow: 3, says: "8 verified, 1 violated (as known), 1 not judged"},
	}
	for i, c := range commits {
		team.write(c.file, c.text)
		if c.baseline {
			team.must("pangolin", "baseline", "write", "-q", "-out", "", "-baseline", "pangolin.baseline", "./...")
		}
		if c.hook != 0 || level.More() {
			if code, out := team.run("sh", ".githooks/pre-commit"); code != c.hook {
				t.Errorf("commit %d: the hook ends with %d, want %d\n%s", i+2, code, c.hook, out)
			}
		}
		team.commit()
		if i%4 != 1 && !level.More() {
			continue
		}
		if code, out := team.workflow(); code != c.workflow || !strings.Contains(strings.Join(strings.Fields(out), " "), c.says) {
			t.Errorf("commit %d: merge ends with %d, want %d and %q\n%s", i+2, code, c.workflow, c.says, out)
		}
	}
	team.served()
}

// served complains unless the page over the results tells how the two defects came, and that one went.
func (x *team) served() {
	x.Helper()
	d, err := cache.Open(filepath.Join(x.temp, "cache"))
	if err != nil {
		x.Fatal(err)
	}
	page := func(path string) string {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "localhost"
		if site.New(d, "").ServeHTTP(w, r); w.Code != http.StatusOK {
			x.Errorf("%s: %d: %s", path, w.Code, w.Body.String())
		}
		return strings.Join(strings.Fields(w.Body.String()), " ")
	}
	if overview := page("/"); !strings.Contains(overview, `<b class="violated">1</b> violated`) || !strings.Contains(overview, `<b class="verified">9</b> verified`) {
		x.Errorf("the newest verdicts are not 1 violated and 9 verified: %s", overview)
	}
	for name, want := range map[string]string{"p3": "verified violated", "p7": "violated verified", "p1": "verified"} {
		_, history, _ := strings.Cut(page("/type?module=m&package=m/"+name+"&type="+name+".Counter"), "History")
		var told []string
		for _, m := range regexp.MustCompile(`<span class="(verified|violated)">`).FindAllStringSubmatch(history, -1) {
			if len(told) == 0 || told[len(told)-1] != m[1] {
				told = append(told, m[1])
			}
		}
		if got := strings.Join(told, " "); got != want && got != want+" verified" { // with -level more the first commit is judged as well
			x.Errorf("the history of %s, newest first, is %s; want %s", name, got, want)
		}
	}
	if list := page("/revisions?module=m"); strings.Count(list, `name="a"`) < 4 {
		x.Errorf("there are few revisions: %s", list)
	}
}

// team is a repository in which pangolin can be called by its name.
type team struct {
	*testing.T
	dir, temp string
	env       []string
}

func newTeam(t *testing.T) *team {
	binary, err := exec.LookPath(process)
	if err != nil {
		t.Fatal(err)
	}
	x := &team{T: t, dir: t.TempDir(), temp: t.TempDir()}
	bin := filepath.Join(x.temp, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	// The program of the tests takes its name from the file; where results are kept it is told by a flag.
	script := fmt.Sprintf("#!/bin/sh\ncommand=$1\nshift\ncase $command in verify|baseline) set -- \"$@\" -cache %s ;; esac\nexec %s \"$command\" \"$@\"\n", filepath.Join(x.temp, "cache"), binary)
	if err := os.WriteFile(filepath.Join(bin, "pangolin"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	x.env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+x.temp,
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e@example.org", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e@example.org", "COLUMNS=150")
	x.write("go.mod", "module m\n\ngo 1.26\n")
	return x
}

// counter is a package with a counter.
func counter(i int, inc string) string {
	return fmt.Sprintf("package p%d\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { %s }\n\nfunc (c *Counter) Get() int64 { return c.n.Load() }\n", i, inc)
}

func (x *team) write(name, text string) {
	x.Helper()
	file := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		x.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		x.Fatal(err)
	}
}

// run runs a command in the repository, and gives its exit code and what it has printed.
func (x *team) run(args ...string) (int, string) {
	x.Helper()
	path := args[0]
	if path == "pangolin" {
		path = filepath.Join(x.temp, "bin", path)
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Env = x.dir, x.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		x.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (x *team) must(args ...string) {
	x.Helper()
	if code, out := x.run(args...); code != 0 {
		x.Fatalf("%v: exit code %d\n%s", args, code, out)
	}
}

func (x *team) commit() {
	x.Helper()
	x.must("git", "add", "-A")
	x.must("git", "commit", "-q", "-m", "x")
}

// workflow executes the steps Verify, on four machines, and Merge.
func (x *team) workflow() (int, string) {
	x.Helper()
	records := filepath.Join(x.temp, "records")
	if err := os.MkdirAll(records, 0o777); err != nil {
		x.Fatal(err)
	}
	for shard := 1; shard <= 4; shard++ {
		step := strings.ReplaceAll(x.step("Verify"), "${{ matrix.shard }}", fmt.Sprint(shard))
		if code, out := x.run("bash", "-e", "-o", "pipefail", "-c", step); code != 0 {
			x.Fatalf("shard %d: %s", shard, out)
		}
		name := fmt.Sprintf("%d.record", shard)
		if err := os.Rename(filepath.Join(x.temp, name), filepath.Join(records, name)); err != nil {
			x.Fatal(err)
		}
	}
	code, out := x.run("bash", "-e", "-o", "pipefail", "-c", x.step("Merge"))
	for _, name := range []string{"pangolin.sarif", "pangolin.xml", "pangolin.html"} {
		if info, err := os.Stat(filepath.Join(x.temp, "report", name)); err != nil || info.Size() == 0 {
			x.Errorf("%s was not written: %v", name, err)
		}
	}
	return code, out
}

// step is the script of a step of the workflow file, as it stands there.
func (x *team) step(name string) string {
	x.Helper()
	text, err := os.ReadFile(filepath.Join(x.dir, ".github/workflows/pangolin.yml"))
	if err != nil {
		x.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "- name: "+name+"\n        run: |\n")
	if !found {
		x.Fatalf("there is no step %s", name)
	}
	var script strings.Builder
	for line := range strings.Lines(rest) {
		line, inside := strings.CutPrefix(line, "          ")
		if !inside {
			break
		}
		script.WriteString(line)
	}
	return script.String()
}
