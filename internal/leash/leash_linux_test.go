// SPDX-License-Identifier: BSD-3-Clause

package leash

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const role = "PANGOLIN_LEASH_TEST"

// As a child this program starts a process that lives for a day, from a thread that ends, and tells its number.
func TestMain(m *testing.M) {
	if os.Getenv(role) == "" {
		os.Exit(m.Run())
	}
	started := make(chan error)
	c := exec.Command("sleep", "1d")
	go func() {
		runtime.LockOSThread() // and the goroutine ends without unlocking it
		started <- Start(c)
	}()
	if err := <-started; err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	time.Sleep(100 * time.Millisecond)
	fmt.Println(c.Process.Pid)
	_ = c.Wait()
	os.Exit(1)
}

// A process ends with the one that has started it, also if that is killed, and not with the thread that has asked for it.
func TestStart_EndsWithTheTest(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), role+"=parent")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := Start(parent); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if !lives(pid) {
		t.Fatal("it has ended before its parent")
	}
	_ = parent.Process.Signal(syscall.SIGKILL)
	_ = parent.Wait()
	for begun := time.Now(); lives(pid); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > 10*time.Second {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("it lives on behind its parent")
		}
	}
}

// lives reports whether a process executes: one that has ended, and that nobody has waited for, does not.
func lives(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}
