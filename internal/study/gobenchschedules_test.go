// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/native"
	"pangolin/internal/test/level"
)

// TestKernels_LeakNothingElseUnderSchedules executes the kernels, compiled by gc, on the changed runtime of internal/native, under schedules that are drawn at
// random. That shares no code with the machine. The caller of a kernel waits for ever behind it, and keeps nothing. When nobody can go on
// any more, who else waits has leaked, unless a package variable leads to what it waits for. Each of these leaks is one that the machine finds, and a
// repaired kernel leaves nobody behind.
func TestKernels_LeakNothingElseUnderSchedules(t *testing.T) {
	if !level.All() {
		t.Skip("-level all explores the kernels, and executes each a thousand times")
	}
	all, err := kernels()
	if err != nil || len(all) == 0 {
		t.Skipf("this Go has no kernels: %v", err)
	}
	w := &woven{dir: t.TempDir()}
	for _, k := range all {
		w.add(t, k, nil)
		if fix := repairs[k.name]; fix != nil {
			w.add(t, k, fix)
		}
	}
	s := w.compiled(t)
	leaking, ended := 0, 0
	for i, e := range w.list {
		seen, whole := e.leaks(t, s, i)
		if whole {
			ended++
		}
		switch {
		case e.repaired && len(seen) > 0:
			t.Errorf("%s leaks under schedules although it is repaired: %q", e.name, seen)
		case len(seen) > 0:
			leaking++
			e.among(t, seen)
		}
	}
	t.Logf("%d of %d kernels leak under schedules; of %d programs, repaired ones included, each execution came to an end", leaking, len(all), ended)
	if leaking < len(all)*3/4 {
		t.Errorf("only %d of %d kernels leak: are the goroutines that are left seen?", leaking, len(all))
	}
}

// stillReached are the kernels in which a package variable leads to what a goroutine waits for at the end.
var stillReached = map[string]bool{"NoLeakGlobal": true}

// among fails unless the machine finds each of the leaks that are seen under schedules; none where a package variable leads there.
func (e *wovenKernel) among(t *testing.T, seen []string) {
	t.Helper()
	r, err := e.ask(context.Background(), &Options{Timeout: time.Minute, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, leak := range seen {
		if r.has(e.kernel, leak) == stillReached[e.name] {
			t.Errorf("%s under schedules: %s waits for ever; the machine finds %d of %q, and %q", e.name, leak, r.Found, texts(e.kernel.leaks), r.Further)
		}
	}
}

// has says that the machine found a leak: it is one of those that are named and not missing, or a further one.
func (r *KernelRow) has(k *kernel, leak string) bool {
	for _, re := range k.leaks {
		if re.MatchString(leak) && !slices.Contains(r.Missing, re.String()) {
			return true
		}
	}
	return slices.Contains(r.Further, leak)
}

// woven is a module with a package for each kernel and each repaired one, and a test of each.
type woven struct {
	dir  string
	list []wovenKernel
}

type wovenKernel struct {
	*kernel
	repaired bool
	path     string // import path of its package
}

// add puts a kernel's program into a package of its own.
func (w *woven) add(t *testing.T, k *kernel, fix *repair) {
	t.Helper()
	text, err := k.program(fix)
	if err != nil {
		t.Fatal(err)
	}
	name := "k" + strings.ToLower(k.name) // Select is one
	if fix != nil {
		name += "repaired"
	}
	text = bytes.Replace(text, []byte("\npackage main\n"), []byte("\npackage "+name+"\n"), 1)
	text = bytes.Replace(text, []byte("\nfunc main() {"), []byte("\n//go:noinline\nfunc Main() {"), 1)
	w.write(t, filepath.Join(name, name+".go"), string(text))
	w.list = append(w.list, wovenKernel{k, fix != nil, "kernels/" + name})
}

func (w *woven) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compiled writes a test for each kernel, that waits for ever behind it, and compiles them for the changed runtime.
func (w *woven) compiled(t *testing.T) *native.Sampler {
	t.Helper()
	var imports, tests strings.Builder
	p := native.TestPackage{Dir: w.dir, Package: "kernels", Name: "kernels"}
	for i, e := range w.list {
		name := fmt.Sprintf("Test%d", i)
		fmt.Fprintf(&imports, "\tk%d %q\n", i, e.path)
		fmt.Fprintf(&tests, "\nfunc %s(t *testing.T) {\n\tk%d.Main()\n\tselect {}\n}\n", name, i)
		p.Tests = append(p.Tests, name)
	}
	w.write(t, "go.mod", "module kernels\n\ngo 1.26\n")
	w.write(t, "kernels.go", "package kernels\n")
	w.write(t, "kernels_test.go", "package kernels\n\nimport (\n\t\"testing\"\n\n"+imports.String()+")\n"+tests.String())
	s, err := native.NewTests(context.Background(), p, native.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// leaks lists the goroutines that wait for ever at the end of some execution, such as "main.f.func1() [chan send]". Whole says that each execution came to an
// end.
func (e *wovenKernel) leaks(t *testing.T, s *native.Sampler, number int) (list []string, whole bool) {
	t.Helper()
	a, err := s.Draw(context.Background(), native.Sampling{
		Client: native.Client{Threads: [][]native.Call{{{Op: number, Args: []int64{0}}}}},
		Ways:   []native.Way{{Name: native.Random}, {Name: native.PCT, Bound: 3}, {Name: native.Preempting, Bound: 2}},
		Seed:   1, Count: 1000, Steps: 5_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	if a.Fault != "" { // on a busy machine the runner may be silent for too long
		t.Logf("%s: %s", e.name, a.Fault)
		return nil, false
	}
	for _, d := range a.Drawn {
		if d.Ending != native.Deadlock {
			continue
		}
		for _, b := range d.Blocked {
			start, ok := strings.CutPrefix(b.Start, e.path+".")
			leak := "main." + inner.ReplaceAllString(start, "$1.$2") + "() [" + b.Reason + "]"
			if ok && !slices.Contains(list, leak) {
				list = append(list, leak)
			}
		}
	}
	return list, a.Cut == 0
}
