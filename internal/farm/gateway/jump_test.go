// SPDX-License-Identifier: BSD-3-Clause

//go:build clockjump

package gateway_test

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// In this build package time has a variable more, which clock_test.go adds: what is added to the seconds of each time.Now. A signal makes
// the clock of the process jump.

func init() {
	jumps := make(chan os.Signal, 8)
	signal.Notify(jumps, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for s := range jumps {
			hour := int64(3600)
			if s == syscall.SIGUSR2 {
				hour = -hour
			}
			time.ShiftedSeconds.Add(hour)
		}
	}()
}
