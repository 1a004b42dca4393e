// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !clockjump

package gateway_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// Clocks that jump. No system lets a process have a calendar of its own (Linux's time namespaces have none), so the processes are built with
// a package time whose Now adds what jump_test.go says: everything in them, the queue's server as well, then reads a clock that has jumped.
// As on a machine whose clock is set, time.Since and timers are not concerned.

// jumping builds this test with clocks that jump.
func jumping(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const now, imports = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {", "import (\n"
	changed := string(text)
	if strings.Count(changed, now) != 1 || strings.Count(changed, imports) != 1 {
		t.Fatalf("%s: its Now is another one: this test wants to be told how to change it", file)
	}
	changed = strings.Replace(changed, now, "\tsec, nsec, mono := runtimeNow()\n\tsec += ShiftedSeconds.Load()\n\tif mono == 0 {", 1)
	changed = strings.Replace(changed, imports, imports+"\t\"sync/atomic\"\n", 1) + "\nvar ShiftedSeconds atomic.Int64\n"
	dir := t.TempDir()
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: filepath.Join(dir, "time.go")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"time.go": []byte(changed), "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program, begun := filepath.Join(dir, "jumping.test"), time.Now()
	t.Log("compiling all packages with a clock that jumps: once two CPU minutes, then as long as they are in the build cache of the go command some seconds")
	if out, err := exec.Command("go", "test", "-c", "-tags", "clockjump", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("compiled in %.0f s", time.Since(begun).Seconds())
	return program
}

// The clocks of server and workers jump by an hour, together and apart, while workers are killed: each task has its one right result, and
// none waits for the hour.
func TestFarm_LosesNothingInAStormOfClocks(t *testing.T) {
	if !level.More() {
		t.Skip("the standard library is compiled with a clock that jumps: -level more")
	}
	jumps := 12
	if level.All() {
		jumps = 100
	}
	p := startAs(t, jumping(t), filepath.Join(t.TempDir(), "farm"), 4)
	c := p.open()
	all(t, c, 1_000_000, 10)
	s := keepSending(t, c, 20)
	for range jumps {
		time.Sleep(time.Duration(500+rand.IntN(1500)) * time.Millisecond)
		at := rand.IntN(len(p.workers))
		if rand.IntN(2) == 0 { // its tasks are given to others when their lease is over, by the server's clock
			kill(p.workers[at])
			p.workers[at] = p.process("worker", p.log)
			time.Sleep(200 * time.Millisecond) // till it listens to signals
		}
		whose := [][]*exec.Cmd{{p.server}, {p.workers[at]}, append([]*exec.Cmd{p.server}, p.workers...)}[rand.IntN(3)]
		forward := rand.IntN(2) == 0
		signal := syscall.SIGUSR1
		if !forward {
			signal = syscall.SIGUSR2
		}
		for _, one := range whose {
			if err := one.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.end(2 * time.Minute)
	if err := c.Err(); err != nil {
		t.Error(err)
	}
	n := p.executions()
	t.Logf("%d jumps of clocks by an hour: %d tasks, %d executions (%.3f)", jumps, s.sent, n, float64(n)/float64(s.sent))
}
