// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/leash"
)

// A process ends with its worker if that is killed, in whatever it is, and although it reads nothing of what it is told.
func TestRun_EndsWithItsWorker(t *testing.T) {
	for _, guarded := range []string{"strongest", "none"} {
		worker := exec.Command(exe(t), "worker", guarded)
		worker.Env, worker.Stderr = append(os.Environ(), "TMPDIR="+t.TempDir()), os.Stderr
		out, err := worker.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := leash.Start(worker); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v", guarded, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		executes := func() bool { // one that has ended, and that nobody has waited for, has no command line
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			return err == nil && len(text) > 0
		}
		if !executes() {
			t.Fatalf("%s: it has ended before its worker", guarded)
		}
		_ = worker.Process.Kill()
		_ = worker.Wait()
		for begun := time.Now(); executes(); time.Sleep(10 * time.Millisecond) {
			if time.Since(begun) > time.Minute {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("%s: it lives on behind its worker", guarded)
			}
		}
	}
}
