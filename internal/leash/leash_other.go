// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package leash

import "os/exec"

// Start starts a command. On this system it may outlive a process that is killed.
func Start(c *exec.Cmd) error { return c.Start() }
