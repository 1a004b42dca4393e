// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io/fs"
	"os"
	"os/exec"

	"golang.org/x/sys/windows"
)

// hold locks a file, until it is closed or this process ends.
func hold(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
}

// mine reports whether a file is this user's: each user has a directory for such files here.
func mine(fs.FileInfo) bool { return true }

// together does nothing on this system: of a command whose context ends, processes that it has started may go on.
func together(*exec.Cmd) {}
