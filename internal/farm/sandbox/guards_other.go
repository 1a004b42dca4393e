// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package sandbox

import "os/exec"

// candidates are the sets of guards that this system has: none but a process of its own.
var candidates = []Guards{{}}

func (g *Guards) start(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended

// resident is the memory of a process, which is not known here.
func resident(int) int64 { return 0 }

func (g *Guards) enter(*head) error { return nil }
