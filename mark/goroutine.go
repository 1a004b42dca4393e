// SPDX-License-Identifier: BSD-3-Clause

package mark

import "runtime"

// goroutineID reads the number that the runtime prints in the first line of a
// stack trace, "goroutine 17 [running]:". The runtime offers no other way that
// works in every build.
func goroutineID() uint64 {
	var buf [64]byte
	line := buf[:runtime.Stack(buf[:], false)]
	const prefix = len("goroutine ")
	var id uint64
	for _, c := range line[prefix:] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}
