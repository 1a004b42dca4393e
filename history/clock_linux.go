// SPDX-License-Identifier: BSD-3-Clause

package history

import (
	"syscall"
	"time"
	"unsafe"
)

// hostClock reads the host's monotonic clock, which all processes share and nobody sets: what it was at the time start, give or take within. (It is read
// between two readings of the process's clock, a hundred times; the one that took least counts.)
func hostClock() (start time.Time, at, within int64) {
	for range 100 {
		var t syscall.Timespec
		before := time.Now()
		_, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&t)), 0)
		half := int64(time.Since(before)) / 2
		if failed != 0 {
			return before, before.UnixNano(), 0
		}
		if start.IsZero() || half < within {
			start, at, within = before, t.Nano()-half, half
		}
	}
	return start, at, within
}

const clockMonotonic = 1
