// SPDX-License-Identifier: BSD-3-Clause

//go:build !windows

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// hold locks a file, until it is closed or this process ends.
func hold(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// mine reports whether a file is this user's.
func mine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}

// together has a command end with all processes that it has started, when its context ends.
func together(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
