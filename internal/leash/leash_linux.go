// SPDX-License-Identifier: BSD-3-Clause

package leash

import (
	"os/exec"
	"runtime"
	"syscall"
)

// starts are the commands to be started, by the thread that never ends: the system kills a process when the thread that has started it ends.
var starts = make(chan start)

type start struct {
	cmd *exec.Cmd
	err chan error
}

func init() {
	go func() {
		runtime.LockOSThread()
		for s := range starts {
			s.err <- s.cmd.Start()
		}
	}()
}

// Start starts a command.
func Start(c *exec.Cmd) error {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
	s := start{c, make(chan error)}
	starts <- s
	return <-s.err
}
