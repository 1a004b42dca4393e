// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// The command line is tested by scripts: what it prints, its exit codes, and the verdicts about small collections in
// every way of searching.

func TestMain(m *testing.M) {
	os.Setenv("PANGOLIN_CACHE", "off") // every test computes its verdicts, but for those of the cache
	testscript.Main(m, map[string]func(){process: main})
}

// TestScripts runs the command line's scripts: story, command, exit code, output.
func TestScripts(t *testing.T) {
	p := parameters(t, "testdata/script", 1)
	defer share(t, &p)()
	testscript.RunT(oneByOne{t}, p)
}

// TestCases verifies small collections, correct and broken, each with its story.
// Besides pangolin itself they call
//
//	agree [verify's flags] PKG
//
// which verifies without each reduction, client by client and with two workers (without -level more
// in some of these ways), checks that all agree, and writes verdict and number of states to the file
// agreed. With ! it verifies once, where all ways would take long.
func TestCases(t *testing.T) {
	testscript.RunT(oneByOne{t}, parameters(t, "testdata/case", 3))
}

// parameters are those of the scripts of a directory, of which one of so many is run without -level more.
func parameters(t *testing.T, dir string, every int) testscript.Params {
	env := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(dir + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Dir:           dir,
		UpdateScripts: flags.Update(),
		Condition: func(name string) (bool, error) {
			if name != "more" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return level.More(), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			// What go test links and vets again and again in scripts is no concern of theirs.
			e.Vars = append(e.Vars, strings.TrimSpace("GOFLAGS="+goFlags(env)+" -vet=off -ldflags=-w"))
			e.Vars = append(e.Vars, "REPOSITORY="+root, "TMPDIR="+e.WorkDir+"/tmp", "HOME="+e.WorkDir+"/home", "PANGOLIN_CACHE=off", "PANGOLIN="+process)
			i := slices.Index(files, filepath.Join(dir, strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")+".txtar"))
			if i < 0 || level.OutOf(i, 16, every) {
				e.T().Skip("some scripts will do; -level more runs all")
			}
			e.Values[lists{}] = new(lists)
			for _, dir := range filepath.SplitList(e.Getenv("PATH")) { // of the process that go vet starts
				if path, err := exec.LookPath(filepath.Join(dir, process)); err == nil {
					e.Vars = append(e.Vars, "COMMAND="+path)
					break
				}
			}
			return os.MkdirAll(e.WorkDir+"/tmp", 0o777)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"pangolin": command, "agree": agree, "pangolin-code": exactCode, "interrupt": interrupt, "fields": fields, "damage": damage, "conflict": conflict, "proxy": proxy, "settle": settle},
	}
}

// settle makes the files of a directory an hour old: go test keeps no result of a test that has read a file changed within the last two seconds, and a script can be here faster.
func settle(ts *testscript.TestScript, _ bool, args []string) {
	old := time.Now().Add(-time.Hour)
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
}

// damage changes a byte at the end of each result of a directory.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	for _, file := range results(ts, args[0]) {
		text, err := os.ReadFile(file)
		ts.Check(err)
		text[len(text)-1] ^= 1
		ts.Check(os.WriteFile(file, text, 0o666))
	}
}

// conflict puts another result beside each result of a directory.
func conflict(ts *testscript.TestScript, _ bool, args []string) {
	d, err := cache.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, file := range results(ts, args[0]) {
		key, _, _ := strings.Cut(filepath.Base(file), ".")
		if err := d.Put(key, cache.Entry{Text: []byte("{}")}); !errors.As(err, new(*cache.Conflict)) {
			ts.Fatalf("another result is no conflict: %v", err)
		}
	}
}

// proxy makes a module of a directory, with the path and the version that come first, and puts it into the directory proxy, which GOPROXY may name.
func proxy(ts *testscript.TestScript, _ bool, args []string) {
	m := module.Version{Path: args[0], Version: args[1]}
	dir := filepath.Join(ts.MkAbs("proxy"), filepath.FromSlash(m.Path), "@v")
	ts.Check(os.MkdirAll(dir, 0o777))
	var packed bytes.Buffer
	ts.Check(zip.CreateFromDir(&packed, m, args[2]))
	mod, err := os.ReadFile(filepath.Join(args[2], "go.mod"))
	ts.Check(err)
	for name, text := range map[string][]byte{".zip": packed.Bytes(), ".mod": mod, ".info": []byte(`{"Version":"` + m.Version + `"}`)} {
		ts.Check(os.WriteFile(filepath.Join(dir, m.Version+name), text, 0o666))
	}
}

// results are the files of results in a directory.
func results(ts *testscript.TestScript, dir string) []string {
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(dir), "*", "*.result"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("%s has no results", dir)
	}
	return files
}

// exactCode runs pangolin and wants the exit code that comes first, or one of several: "1|3".
func exactCode(ts *testscript.TestScript, _ bool, args []string) {
	if code := run(ts, args[1:]); !slices.Contains(strings.Split(args[0], "|"), fmt.Sprint(code)) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// interrupt runs pangolin, sends it an interrupt when it has said on standard error which
// collections there are, wants the exit code that comes first, and writes what is printed
// to the files printed and said.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	var binary string
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, process)); err == nil && binary == "" {
			binary = path
		}
	}
	cmd := exec.Command(binary, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "TMPDIR", "HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var printed bytes.Buffer
	cmd.Stdout = &printed
	pipe, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	first := make([]byte, 1<<12)
	n, err := pipe.Read(first)
	ts.Check(err)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(pipe)
	ts.Check(err)
	_ = cmd.Wait() // its exit code says more
	ts.Check(os.WriteFile(ts.MkAbs("printed"), printed.Bytes(), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("said"), append(first[:n], rest...), 0o666))
	if code := cmd.ProcessState.ExitCode(); fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s%s", code, args[0], printed.String(), rest)
	}
}

// fields writes what pangolin printed to the file lines, without times and memory.
func fields(ts *testscript.TestScript, _ bool, _ []string) {
	text := ts.ReadFile("stdout")
	text = regexp.MustCompile(`"seconds":[0-9.e-]+`).ReplaceAllString(text, `"seconds":0`)
	text = regexp.MustCompile(`"peak_bytes":[0-9]+`).ReplaceAllString(text, `"peak_bytes":0`)
	ts.Check(os.WriteFile(ts.MkAbs("lines"), []byte(text), 0o666))
}

// goFlags are those among settings.
func goFlags(env []string) string {
	for _, e := range env {
		if flags, is := strings.CutPrefix(e, "GOFLAGS="); is {
			return flags
		}
	}
	return ""
}

// goEnv gives settings of the go command as name=value.
func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(out), "\n")
	for i := range names {
		names[i] += "=" + values[i]
	}
	return names
}

// variants are the ways of searching that must agree; the first one is the default.
func variants() []func(*pangolin.Search) {
	list := []func(*pangolin.Search){
		func(*pangolin.Search) {},
		func(s *pangolin.Search) { s.Reduce = "none" },
		func(s *pangolin.Search) { s.Clients = true },
		func(s *pangolin.Search) { s.Workers = 2 },
	}
	names := strings.Split(vm.ReductionNames(), ", ")
	for i := range names {
		others := strings.Join(slices.Delete(slices.Clone(names), i, i+1), ",")
		list = append(list, func(s *pangolin.Search) { s.Reduce = pangolin.Reduce(others) })
	}
	return list
}

// agree verifies in all ways; with !, in the first only.
func agree(ts *testscript.TestScript, once bool, args []string) {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("agree", flag.ContinueOnError)
	f.register(fs)
	rest, err := parse(fs, args)
	ts.Check(err)
	r := f.about(rest)
	r.Dir, r.Out, r.Search.Workers = ts.MkAbs("."), "", 1
	ctx := listed(ts)
	p, err := pangolin.Prepare(ctx, r)
	ts.Check(err)
	var first []verdict.Verdict
	for i, variant := range variants() {
		if i > 0 && !level.More() && (level.Short() || (i+len(ts.Name()))%10 != 0) {
			continue // a tenth of the ways, others for other scripts; none in short
		}
		s := r.Search
		variant(&s)
		list, err := p.Verify(ctx, s)
		ts.Check(err)
		if first == nil {
			first = list
		}
		for k := range list {
			if got, want := outcome(list[k]), outcome(first[k]); got != want {
				ts.Fatalf("variant %d: %s; by default: %s", i, got, want)
			}
		}
		if once {
			break
		}
	}
	var b bytes.Buffer
	for _, v := range first {
		fmt.Fprintf(&b, "%s clients %s states %d\n", outcome(v), v.Clients, v.States)
	}
	ts.Check(os.WriteFile(ts.MkAbs("agreed"), b.Bytes(), 0o666))
}

// outcome is what ways of searching must agree on.
func outcome(v verdict.Verdict) string {
	s := fmt.Sprintf("%s %s %s %s", v.Collection, v.Kind, v.Property, v.Status)
	if v.Violation != nil {
		s += " " + v.Violation.Class
	}
	return s
}
