// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
)

// hostile is a package that is made to harm whoever looks at it. It has the path of the honest queue, so it is asked about its
// type Queue.
type hostile struct {
	name  string
	files map[string]string // below dir, but for names with elsewhere/; queue.go is added unless it is there
	// edit changes the manifest.
	edit func(*bundle.Manifest)
	// want is a regular expression for the outcome: the words of the verdict or of the error. Nobody claims more than that there is one
	// and what it says.
	want string
}

// honest is the queue with some lines more.
func honest(more string, imports ...string) map[string]string {
	text := queueSource
	for _, path := range imports {
		text = strings.Replace(text, "import \"sync\"\n", "import \"sync\"\nimport "+path+"\n", 1)
	}
	return map[string]string{"queue.go": text + "\n" + more + "\n"}
}

// onEnqueue is the queue whose Enqueue begins with a statement.
func onEnqueue(statement string, imports ...string) map[string]string {
	files := honest("", imports...)
	files["queue.go"] = strings.Replace(files["queue.go"], "func (q *Queue) Enqueue(x int) {\n", "func (q *Queue) Enqueue(x int) {\n\t"+statement+"\n", 1)
	return files
}

// with adds a file.
func with(files map[string]string, name, text string) map[string]string {
	files[name] = text
	return files
}

// chain is a manifest in which the queue imports a package that imports a package, and so on.
func chain(n int) func(*bundle.Manifest) {
	return func(m *bundle.Manifest) {
		a := &m.Answers[0]
		before := ""
		for i := range n {
			path := fmt.Sprintf("example.org/p%06d", i)
			p := bundle.Package{ID: path, Name: "p", Path: path, Module: &bundle.Module{Path: "example.org"}, Files: []string{"elsewhere/p/p.go"}}
			if before != "" {
				p.Imports = map[string]string{before: before}
			}
			before, a.Packages = path, append(a.Packages, p)
		}
		for i := range a.Packages {
			if a.Packages[i].Path == "example.org/queue" {
				a.Packages[i].Imports[before] = before
			}
		}
	}
}

const (
	verified = `"verdict":"(verified|violated)"` // the honest queue is there all the same, or it is wrong
	unknown  = `"verdict":"unknown"`
	isError  = `"error":"`
	limited  = `more memory|more CPU time|longer than|is stuck`
)

// packages are the hostile packages. secret is the path of a file that nobody may read.
func hostilePackages(secret string) []hostile {
	repeat := strings.Repeat
	call := func(expr string) string { return "func init() { " + expr + " }" }
	many := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	return []hostile{
		// What the go command or a compiler would execute.
		{name: "cgo", files: with(honest(""), "c.go", "package queue\n\n// #cgo CFLAGS: -fplugin=/tmp/x.so\n// #include <stdlib.h>\nimport \"C\"\n\nfunc init() { C.system(C.CString(\"touch "+secret+"2\")) }\n"), want: "uses cgo"},
		{name: "generate", files: honest("//go:generate touch " + secret + "2"), want: verified},
		{name: "toolchain", files: with(honest(""), "go.mod", "module example.org/queue\n\ngo 1.99\n\ntoolchain go1.99.0\n"), edit: goVersion("1.99"), want: "newer Go version"},
		{name: "old language", files: honest(""), edit: goVersion("1.0"), want: isError + "|" + verified},
		{name: "assembly", files: with(honest("func harm() int\n\nvar x = harm()"), "harm_amd64.s", "TEXT ·harm(SB),0,$0\n\tINT $3\n"), want: "harm"},
		{name: "linkname", files: with(onEnqueue("_ = gettid()", `_ "unsafe"`), "link.go", "package queue\n\nimport _ \"unsafe\"\n\n//go:linkname gettid syscall.rawSyscallNoError\nfunc gettid() int\n"), want: unknown + "|" + isError},
		{name: "linkname into the runtime", files: honest("//go:linkname osExit os.runtime_beforeExit\nfunc osExit(int) { for {} }", `_ "unsafe"`), want: verified + "|" + isError},
		{name: "constraints", files: with(honest(""), "other.go", "//go:build ignore && !ignore\n\npackage other\n"), want: "package other|" + isError},
		{name: "plugin", files: honest(call(`plugin.Open("/tmp/x.so")`), `"plugin"`), want: isError + "|" + unknown + "|" + verified},

		// What executes programs, connects, reads and writes.
		{name: "execute in init", files: honest(call(`exec.Command("/bin/touch", "`+secret+`2").Run()`), `"os/exec"`), want: unknown + "|" + isError + "|" + verified},
		{name: "execute in an operation", files: onEnqueue(`exec.Command("/bin/touch", "`+secret+`2").Run()`, `"os/exec"`), want: unknown + "|" + isError},
		{name: "fork bomb", files: onEnqueue(`for { exec.Command(os.Args[0]).Start() }`, `"os/exec"`, `"os"`), want: unknown + "|" + isError},
		{name: "fork", files: onEnqueue(`syscall.ForkExec("/bin/sh", nil, nil)`, `"syscall"`), want: unknown + "|" + isError},
		{name: "system call", files: onEnqueue(`syscall.Syscall(59, 0, 0, 0)`, `"syscall"`), want: unknown + "|" + isError},
		{name: "connect in init", files: honest(call(`net.Dial("tcp", "127.0.0.1:1")`), `"net"`), want: unknown + "|" + isError + "|" + verified + "|" + limited},
		{name: "connect in an operation", files: onEnqueue(`net.Dial("tcp", "127.0.0.1:1")`, `"net"`), want: verified + "|" + unknown + "|" + isError + "|" + limited}, // in the machine's own network
		{name: "write", files: onEnqueue(`os.WriteFile("`+secret+`2", nil, 0o777)`, `"os"`), want: unknown + "|" + isError},
		{name: "read", files: onEnqueue(`text, _ := os.ReadFile("`+secret+`"); panic(string(text))`, `"os"`), want: unknown + "|" + isError},
		{name: "exit", files: honest(call(`os.Exit(0)`), `"os"`), want: isError + "|" + unknown},
		{name: "environment", files: onEnqueue(`panic(os.Getenv("HOME"))`, `"os"`), want: `panic|` + isError},
		{name: "standard output", files: onEnqueue(`println("{\"Result\":{}}"); fmt.Println("{\"Result\":{}}"); os.Stdout.WriteString("{}\n")`, `"fmt"`, `"os"`), want: verified + "|" + unknown + "|" + isError},
		{name: "pointers", files: onEnqueue(`p := (*int)(unsafe.Pointer(uintptr(0x400000))); *p = 1`, `"unsafe"`), want: "a number is used as an address"},

		// Names of files.
		{name: "line directive", files: map[string]string{"queue.go": strings.ReplaceAll(strings.Replace(queueSource, "q.mu.Lock()", "", 1), "\tq.items = append", "//line "+secret+":1\n\tq.items = append")}, want: verified},
		{name: "line directive upwards", files: map[string]string{"queue.go": strings.Replace(queueSource, "func (q", "/*line ../../../../etc/passwd:1:1*/func (q", 1)}, want: verified + "|" + isError},
		{name: "embed", files: onEnqueue("panic(text)", `_ "embed"`), want: "undefined: text"},
		{name: "embed out of the tree", files: with(onEnqueue("panic(text)"), "e.go", "package queue\n\nimport _ \"embed\"\n\n//go:embed ../../../../etc/passwd\nvar text string\n"), want: "go:embed"},
		{name: "embed absolute", files: with(onEnqueue("panic(string(text))"), "e.go", "package queue\n\nimport _ \"embed\"\n\n//go:embed "+secret+"\nvar text []byte\n"), want: "go:embed"},
		{name: "name upwards", files: honest(""), edit: fileName("dir/../../../etc/cron.d/x"), want: "no name of a file"},
		{name: "name absolute", files: honest(""), edit: fileName("/etc/passwd"), want: "no name of a file"},
		{name: "name that is a directory", files: honest(""), edit: fileName("dir"), want: "no name of a file"},
		{name: "replaced", files: with(honest("var _ = b.X", `"example.org/b"`), "elsewhere/b/b.go", "package b\n\nvar X = func() int { panic(\"b\") }()\n"), edit: another("example.org/b", "b", "elsewhere/b/b.go"), want: isError + "|" + unknown},
		{name: "named as the standard library", files: honest(""), edit: another("sync", "sync", "dir/queue.go"), want: "of the standard library"},
		{name: "named as the models", files: with(honest("var _ = p.X", `p "pangolin/prelude"`), "elsewhere/b/b.go", "package prelude\n\nvar X = 1\n\nfunc mutexLock() {}\n"), edit: another("pangolin/prelude", "prelude", "elsewhere/b/b.go"), want: isError + "|" + verified},
		{name: "named as Pangolin", files: with(honest("var _ = p.X", `p "pangolin/mark"`), "elsewhere/b/b.go", "package mark\n\nvar X = 1\n\nfunc Point() { for {} }\n"), edit: another("pangolin/mark", "mark", "elsewhere/b/b.go"), want: isError + "|" + verified + "|" + unknown},

		// Source that is no source.
		{name: "broken syntax", files: map[string]string{"queue.go": "package queue\n\nfunc {{{"}, want: "expected"},
		{name: "no text", files: map[string]string{"queue.go": ""}, want: "expected 'package'"},
		{name: "invalid UTF-8", files: with(honest(""), "u.go", "package queue\n\nvar s = \"\xff\xfe\x80\"\n"), want: "invalid UTF-8|illegal UTF-8"},
		{name: "zeros", files: with(honest(""), "z.go", "package queue\n\x00\x00"), want: "NUL"},
		{name: "byte order mark", files: with(honest(""), "b.go", "package queue\n\ufeffvar x int\n"), want: "byte order mark"},
		{name: "import cycle", files: honest(""), edit: func(m *bundle.Manifest) { m.Answers[0].Packages[0].Imports["example.org/queue"] = "example.org/queue" }, want: "import each other"},
		{name: "initialisation cycle", files: honest("var a = b\nvar b = a"), want: "initialization cycle"},
		{name: "types that contain themselves", files: honest("type T struct{ T }\ntype U [2]U\ntype V = V"), want: "invalid recursive type"},
		{name: "broken test file", files: with(honest(""), "queue_test.go", "package queue\n\nfunc "+repeat("(", 100_000)), want: verified},

		// Source that is too much.
		{name: "a million lines", files: with(honest(""), "l.go", "package queue\n"+repeat("// a line\n", 1_000_000)), want: verified},
		{name: "a million declarations", files: with(honest(""), "l.go", "package queue\n"+many(300_000, func(i int) string { return fmt.Sprintf("const c%d = %d\n", i, i) })), want: verified + "|" + limited},
		{name: "one long line", files: with(honest(""), "l.go", "package queue\n\nvar s = \""+repeat("x", 10<<20)+"\"\n"), want: verified + "|" + limited},
		{name: "deep parentheses", files: honest("var x = " + repeat("(", 1_000_000) + "1" + repeat(")", 1_000_000)), want: "nesting depth"},
		{name: "deep sums", files: honest("var y int\nvar x = 1" + repeat("+y", 200_000)), want: verified + "|" + isError + "|" + limited + "|stack"},
		{name: "deep blocks", files: honest("func f() " + repeat("{", 200_000) + repeat("}", 200_000)), want: "nesting depth"},
		{name: "deep pointers", files: honest("type T " + repeat("*", 500_000) + "int"), want: "nesting depth"},
		{name: "deep types", files: honest(many(20_000, func(i int) string { return fmt.Sprintf("type T%d struct{ x *T%d; y []T%d }\n", i, i+1, i+1) }) + "type T20000 int\nvar x T0"), want: verified + "|" + limited},
		{name: "types of double size", files: with(onEnqueue("var t T60; _ = t"), "t.go", "package queue\n\ntype T0 int\n"+many(60, func(i int) string { return fmt.Sprintf("type T%d struct{ a, b T%d }\n", i+1, i) })), want: unknown + "|" + isError + "|" + limited},
		{name: "a huge array", files: honest("var a [1 << 40]int\n\nfunc init() { a[1] = 1 }"), want: unknown + "|" + isError + "|" + limited},
		{name: "a huge array in the type", files: map[string]string{"queue.go": strings.Replace(queueSource, "items []int\n", "items []int\n\tpad [1 << 34]int\n", 1)}, want: unknown + "|" + isError + "|" + limited},
		{name: "an array of arrays", files: onEnqueue("var a [1 << 20][1 << 20]int; a[x] = a[1]"), want: unknown + "|" + isError + "|" + limited},
		{name: "a huge constant", files: honest("const c = 1 << (1 << 40)"), want: "shift count|overflow"},
		{name: "squared constants", files: honest("const c0 = 3\n" + many(60, func(i int) string { return fmt.Sprintf("const c%d = c%d * c%d\n", i+1, i, i) })), want: "overflow"},
		{name: "doubled strings", files: honest("const s0 = \"0123456789abcdef\"\n" + many(40, func(i int) string { return fmt.Sprintf("const s%d = s%d + s%d\n", i+1, i, i) }) + "var s = s40"), want: limited + "|" + isError + "|" + verified},
		{name: "a long literal", files: honest("var l = []int{" + repeat("1,", 500_000) + "}"), want: verified + "|" + unknown + "|" + isError + "|" + limited},
		{name: "functions that expand for ever", files: with(onEnqueue("f[int](3)"), "g.go", "package queue\n\nfunc f[T any](n int) {\n\tif n > 0 {\n\t\tf[[]T](n - 1)\n\t}\n}\n"), want: "instantiation cycle"},
		{name: "types that expand for ever", files: with(onEnqueue("var t T[int]; _ = t"), "g.go", "package queue\n\ntype T[P any] struct{ next *T[[]P] }\n"), want: isError + "|" + limited + "|" + verified + "|" + unknown},
		{name: "methods that expand for ever", files: with(onEnqueue("T[int]{}.M()"), "g.go", "package queue\n\ntype T[P any] struct{}\n\ntype I interface{ M() }\n\nfunc (T[P]) M() { var i I = T[[2]P]{}; i.M() }\n"), want: isError + "|" + limited + "|" + unknown},
		{name: "many functions", files: with(honest(""), "f.go", "package queue\n"+many(20_000, func(i int) string {
			return fmt.Sprintf("func f%d(x int) int { if x > 0 { return f%d(x-1) }; return x }\n", i, (i+1)%20_000)
		})+"var _ = f0(1)\n"), want: verified + "|" + limited + "|" + isError},
		{name: "a function of many blocks", files: with(onEnqueue("g(x)"), "f.go", "package queue\n\nfunc g(x int) {\n"+many(20_000, func(i int) string { return fmt.Sprintf("\tif x == %d { goto l%d }\nl%d:\n", i, i, i) })+"}\n"), want: verified + "|" + limited + "|" + isError + "|" + unknown},
		{name: "a chain of packages", files: with(honest(""), "elsewhere/p/p.go", "package p\n"), edit: chain(3000), want: verified + "|" + isError + "|" + limited},

		// Code that does not end, or grows.
		{name: "endless init", files: honest("func init() { for {} }"), want: "initialisation leaves out the statement at"},
		{name: "init that grows", files: honest("var all [][]int\n\nfunc init() { for { all = append(all, make([]int, 1<<16)) } }"), want: isError + "|" + unknown + "|" + limited},
		{name: "init that recurs", files: honest("func f(x int) int { return f(x+1) + 1 }\n\nvar x = f(1)"), want: isError + "|" + unknown + "|" + limited},
		{name: "init that blocks", files: honest("func init() { select {} }"), want: isError + "|" + unknown},
		{name: "init with goroutines", files: honest("func init() { for { go func() { select {} }() } }"), want: isError + "|" + unknown + "|" + limited},
		{name: "init of a closed channel", files: honest("func init() { var c chan int; close(c) }"), want: isError + "|" + unknown},
		{name: "a constructor without end", files: honest("func NewQueue() *Queue { for {} }"), want: isError + "|" + unknown + "|" + limited + "|" + verified},
		{name: "a huge slice", files: onEnqueue("q.items = make([]int, 1<<40)"), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "a huge channel", files: onEnqueue("_ = make(chan int, 1<<40)"), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "a wide format", files: onEnqueue(`_ = fmt.Sprintf("%1000000000d", x)`, `"fmt"`), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "a long repetition", files: onEnqueue(`_ = strings.Repeat("x", 1<<40)`, `"strings"`), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "a string that doubles", files: onEnqueue(`s := "x"; for { s += s }`), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "an operation that recurs", files: onEnqueue("q.Enqueue(x)"), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "an operation with goroutines", files: onEnqueue("for { go func() { for {} }() }"), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "a map that grows", files: onEnqueue("m := map[int]int{}; for i := 0; ; i++ { m[i] = i }"), want: unknown + "|" + isError + "|" + limited + "|" + verified},
		{name: "sleep", files: onEnqueue("time.Sleep(1 << 62)", `"time"`), want: unknown + "|" + isError + "|" + verified},
	}
}

func goVersion(v string) func(*bundle.Manifest) {
	return func(m *bundle.Manifest) { m.Answers[0].Packages[0].Module.GoVersion = v }
}

func fileName(name string) func(*bundle.Manifest) {
	return func(m *bundle.Manifest) {
		m.Files[0].Name, m.Answers[0].Packages[0].Files = name, []string{name}
	}
}

// another adds a package that the queue imports.
func another(path, name, file string) func(*bundle.Manifest) {
	return func(m *bundle.Manifest) {
		a := &m.Answers[0]
		a.Packages[0].Imports[path] = path
		a.Packages = append(a.Packages, bundle.Package{ID: path, Name: name, Path: path, Module: &bundle.Module{Path: path}, Files: []string{file}})
	}
}

// quoted are the import paths in a file.
var quoted = regexp.MustCompile(`(?m)^import (?:[\w.]+ )?"([^"]+)"$`)

// bundled is a bundle as somebody makes it who wants to do harm: without the go command.
func (h *hostile) bundled(t *testing.T, like *bundle.Manifest) []byte {
	t.Helper()
	m := bundle.Manifest{Go: like.Go, Standard: like.Standard}
	p := bundle.Package{ID: "example.org/queue", Name: "queue", Path: "example.org/queue", Module: &bundle.Module{Path: "example.org/queue", GoVersion: "1.26"}, Imports: map[string]string{"sync": "sync"}}
	var contents []byte
	for name, text := range h.files {
		at := name
		if !strings.HasPrefix(name, "elsewhere/") {
			at = "dir/" + name
		}
		m.Files = append(m.Files, bundle.File{Name: at, Digest: farm.Digest([]byte(text)), Size: int64(len(text))})
		if strings.HasPrefix(at, "dir/") && strings.HasSuffix(at, ".go") && !strings.HasSuffix(at, "_test.go") {
			p.Files = append(p.Files, at)
			for _, i := range quoted.FindAllStringSubmatch(text, -1) {
				if slices.ContainsFunc(like.Standard, func(d bundle.Digested) bool { return d.Path == i[1] }) {
					p.Imports[i[1]] = i[1]
				}
			}
		}
	}
	slices.Sort(p.Files)
	m.Answers = []bundle.Answer{{Patterns: []string{p.Path}, Roots: []string{p.ID}, Packages: []bundle.Package{p}}}
	slices.SortFunc(m.Files, func(a, b bundle.File) int { return strings.Compare(a.Name, b.Name) })
	known := map[string]bool{}
	for _, f := range m.Files {
		if text := h.files[strings.TrimPrefix(f.Name, "dir/")]; !known[f.Digest] {
			known[f.Digest], contents = true, append(contents, text...)
		}
	}
	if h.edit != nil {
		h.edit(&m)
	}
	slices.SortFunc(m.Answers[0].Packages, func(a, b bundle.Package) int { return strings.Compare(a.ID, b.ID) })
	text, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	return append(fmt.Appendf(nil, "pangolin bundle 1 %d\n%s", len(text), text), contents...)
}

// imports of the hostile packages.
const used = `package queue

import (
	_ "embed"
	_ "fmt"
	_ "net"
	_ "os"
	_ "os/exec"
	_ "plugin"
	_ "strings"
	_ "sync"
	_ "syscall"
	_ "time"
	_ "unsafe"
)
`

// told is what came of a job, for people.
func told(out *farm.Output, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(out.Text)
}

// Hostile packages get a verdict, or a sentence that says why there is none; nothing of them is executed outside of the machine, no secret is read, no
// file is written, and the worker goes on. Each process is under the guards of this system, and some are followed by strace besides, without guards.
func TestRun_WithstandsHostilePackages(t *testing.T) {
	s := box(t)
	s.config.Limits = Limits{Memory: 1 << 30, Wall: 12 * time.Second, Stuck: 6 * time.Second}
	s.config.Limits.complete()
	good, want := job(t, sources(t, simple), "Queue")
	like, _ := job(t, sources(t, with(map[string]string{"go.mod": simple["go.mod"], "queue.go": queueSource}, "used.go", used)), "Queue")
	b, err := bundle.Decode(like.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("TOP-SECRET-TEXT\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	strace, _ := exec.LookPath("strace")
	list := hostilePackages(secret)
	if len(list) < 50 {
		t.Errorf("%d packages", len(list))
	}
	for i, h := range list {
		if level.OutOf(i, 20, 4) {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			j := &farm.Job{Task: good.Task, Bundle: h.bundled(t, &b.Manifest)}
			begun := time.Now()
			text := told(s.Run(t.Context(), j, nil))
			t.Logf("%.1fs %.160s", time.Since(begun).Seconds(), words.FindString(text))
			h.check(t, text)
			if quick := time.Since(begun) < 3*time.Second; quick && strace != "" && i%8 == 0 {
				h.check(t, traced(t, s, strace, j))
			}
		})
	}
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("written: %v", list)
	}
	out, err := s.Run(t.Context(), good, nil)
	if err != nil || string(out.Same) != want {
		t.Errorf("behind all of them the honest package: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(s.config.Dir, "task-*"))
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if len(left) > 0 || m.HeapAlloc > 200<<20 {
		t.Errorf("left behind: %v, %d MB", left, m.HeapAlloc>>20)
	}
}

// words are the part of an outcome that people look at first.
var words = regexp.MustCompile(`"error":.*|"verdict":"unknown","reason":"[^"]*"|"verdict":"\w+"|^the task has.*`)

func (h *hostile) check(t *testing.T, text string) {
	t.Helper()
	if !regexp.MustCompile(h.want).MatchString(text) {
		t.Errorf("want %s, got %.600s", h.want, text)
	}
	for _, bad := range []string{"TOP-SECRET", "bad system call", "panic: runtime", "root:x:", "goroutine 1 ["} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in %.600s", bad, text)
		}
	}
	var r task.Result
	if strings.HasPrefix(text, "{") && (json.Unmarshal([]byte(text), &r) != nil || len(r.Verdicts) == 0 && r.Err == nil) {
		t.Errorf("neither verdicts nor an error: %.300s", text)
	}
}

// traced does a job without guards under strace, and looks at the system calls: nothing was executed but this program,
// nothing was connected, nothing written, and no file read but those that a process sees under guards.
func traced(t *testing.T, s *Sandbox, strace string, j *farm.Job) string {
	t.Helper()
	other := *s
	other.guards = Guards{}
	record := filepath.Join(t.TempDir(), "calls")
	other.config.Command = []string{strace, "-f", "-qq", "-o", record, "-e", "trace=execve,execveat,socket,connect,open,openat,openat2,creat,unlink,unlinkat,mkdir,mkdirat,rename,renameat,renameat2,symlink,symlinkat,link,linkat,fork,vfork,kill,ptrace", exe(t), "child"}
	other.config.Limits.Stuck, other.config.Limits.Wall = 60*time.Second, 60*time.Second
	out := told(other.Run(t.Context(), j, nil))
	text, err := os.ReadFile(record)
	if err != nil { // refused before a process was started
		return out
	}
	programs := 0
	opened := regexp.MustCompile(`open(?:at2?)?\((?:AT_FDCWD, )?"([^"]*)", ([A-Z_|]*)`)
	for l := range strings.Lines(string(text)) {
		switch m := opened.FindStringSubmatch(l); {
		case strings.Contains(l, "execve(") && strings.Contains(l, exe(t)):
			programs++
		case m == nil:
			if strings.Contains(l, "(") && !strings.Contains(l, "--- SIG") && !strings.Contains(l, "resumed>") && !strings.Contains(l, "+++") && !strings.Contains(l, " ???( <detached ...>") { // the last is a thread that ended with the process
				t.Errorf("a system call: %s", l)
			}
		case strings.Contains(m[2], "WR") || strings.Contains(m[2], "CREAT"):
			t.Errorf("a file was opened for writing: %s", l)
		case !slices.ContainsFunc([]string{s.config.Dir, s.standard.Root(), "/sys/", "/proc/", "/etc/ld.so.cache", "/lib/", "/usr/lib/", "/etc/localtime"}, func(dir string) bool { return strings.HasPrefix(m[1], dir) }):
			t.Errorf("a file was read: %s", l)
		}
	}
	if programs > 1 {
		t.Errorf("%d programs were executed", programs)
	}
	return out
}

// A symbolic link in the sources is followed by who packs them, and is none in the bundle; test files that are links are not read.
func TestMake_HasNoLinks(t *testing.T) {
	dir := sources(t, simple)
	outside := filepath.Join(t.TempDir(), "more_test.go")
	if err := os.WriteFile(outside, []byte("package queue // TOP-SECRET\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "more_test.go")); err != nil {
		t.Skip(err)
	}
	j, want := job(t, dir, "Queue")
	if strings.Contains(string(j.Bundle), "TOP-SECRET") {
		t.Error("a file outside is in the bundle")
	}
	out, err := box(t).Run(t.Context(), j, nil)
	if err != nil || string(out.Same) != want {
		t.Error(err)
	}
}

// Of a long report both ends are kept: which line says what happened, and whether memory ran out, is found at its beginning.
func TestTail_KeepsBothEnds(t *testing.T) {
	var kept tail
	for _, text := range []string{"runtime/cgo: pthread_create ", "failed: Resource temporarily unavailable\nSIGABRT: abort\n", strings.Repeat("runtime: g 0: unknown pc\n", 5000), "the end"} {
		if n, err := kept.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if !kept.has("pthread_create failed") || !kept.has("the end") || kept.has("nothing") {
		t.Errorf("kept %d bytes: %.100s", len(kept.text()), kept.text())
	}
	if got := kept.reason(); got != "SIGABRT: abort" && !strings.HasPrefix(got, "runtime/cgo") {
		t.Errorf("what happened: %s", got)
	}
	if n := len(kept.text()); n > firstBytes+tailBytes {
		t.Errorf("kept %d bytes", n)
	}
}
