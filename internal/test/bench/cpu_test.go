// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// cpu is the processor time that this process has used, its garbage collector's
// included. The machines at hand are shared, so that elapsed time says little.
func cpu(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// usage is what a finished process has used: processor time and the most memory that it
// had, in MiB.
func usage(p *os.ProcessState) (time.Duration, float64) {
	return p.UserTime() + p.SystemTime(), float64(p.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// timed runs a command and gives its output and what it has used.
func timed(tb testing.TB, dir string, name string, args ...string) (out []byte, used time.Duration, mib float64) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	used, mib = usage(cmd.ProcessState)
	return out, used, mib
}
