// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// guarded makes the farm one that wants tokens, and gives those of two clients and of a worker.
func (f *installed) guarded() (ada, bob, rack string) {
	f.t.Helper()
	file := filepath.Join(f.t.TempDir(), "tokens")
	issue := func(args ...string) string {
		out, err := exec.Command(filepath.Join(f.bin, "pangolind"), append([]string{"token", "-tokens", file}, args...)...).Output()
		if err != nil {
			f.t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	ada, bob, rack = issue("-name", "ada"), issue("-name", "bob"), issue("-name", "rack", "-role", "worker")
	_ = f.server.Process.Kill()
	_ = f.server.Wait()
	f.flags = append(f.flags, "-tokens", file)
	f.serve()
	return ada, bob, rack
}

// processes starts a worker, has done what tasks does, and gives how many processes have done tasks for the worker.
func (f *installed) processes(token string, tasks func(), args ...string) int {
	f.t.Helper()
	f.t.Setenv("PANGOLIN_TOKEN", token)
	scratch := f.t.TempDir()
	f.t.Setenv("TMPDIR", scratch)
	f.workers = append(f.workers, f.start(append([]string{"worker", "-on", f.url(), "-j", "1"}, args...)...))
	seen, over, counted := map[string]bool{}, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(counted)
		for {
			list, _ := filepath.Glob(filepath.Join(scratch, "*", "task-*")) // the pattern is one
			for _, dir := range list {
				seen[dir] = true
			}
			select {
			case <-over:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	tasks()
	close(over)
	<-counted
	last := f.workers[len(f.workers)-1]
	_ = last.Process.Kill()
	_ = last.Wait()
	return len(seen)
}

// Where there are tokens, each mutant has a process of its own, also for clients that send the same sources. Without tokens, and where a worker is told that
// clients trust each other, the mutants of a collection share one.
func TestWorker_SharesProcessesAmongWhoTrustsEachOther(t *testing.T) {
	level.SkipShort(t, "starts two farms")
	mutants := func(f *installed, token, which string) {
		t.Setenv("PANGOLIN_TOKEN", token)
		if p := f.pangolin(".", "mutate", "-threads", "2", "-steps", "1..2", "-only", which, "-on", f.url(), "pangolin/collections/stack.LockFreeStack"); p.code != 0 {
			t.Fatalf("%+v\n%s", p, f.said())
		}
	}
	f := install(t, 0, "-compare", "0") // a task that is done a second time, to compare the results, has a process more
	if n := f.processes("", func() { mutants(f, "", "2,4,5,7") }); n == 0 || n == 4 {
		t.Errorf("without tokens %d processes do four mutants", n)
	}
	ada, bob, rack := f.guarded()
	if n := f.processes(rack, func() { mutants(f, ada, "8,9"); mutants(f, bob, "10,11") }); n != 4 {
		t.Errorf("with tokens %d processes do four mutants of two clients", n)
	}
	if n := f.processes(rack, func() { mutants(f, ada, "12,13,14,15") }, "-share"); n == 0 || n == 4 {
		t.Errorf("with -share %d processes do four mutants", n)
	}
}
