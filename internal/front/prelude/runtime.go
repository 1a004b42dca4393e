//go:build prelude

//pangolin:for runtime

package prelude

import (
	"runtime"
	"unsafe"
)

// What the machine panics with: it writes the message where the missing method would be.
var (
	exportedAssertionError *runtime.TypeAssertionError
	exportedNilError       *runtime.PanicNilError
)

// assertionState has the words of a runtime.TypeAssertionError.
type assertionState struct {
	of, is, wanted unsafe.Pointer
	text           string
}

//pangolin:model (*runtime.TypeAssertionError).Error
func assertionErrorText(e *runtime.TypeAssertionError) string {
	return (*assertionState)(unsafe.Pointer(e)).text
}

//pangolin:model (*runtime.TypeAssertionError).RuntimeError
func assertionErrorIs(*runtime.TypeAssertionError) {}

//pangolin:model (*runtime.PanicNilError).Error
func nilErrorText(*runtime.PanicNilError) string { return nilArgument }

//pangolin:model (*runtime.PanicNilError).RuntimeError
func nilErrorIs(*runtime.PanicNilError) {}

const nilArgument = "panic called with nil argument"

// What looks at memory and stacks is built into the machine.

//pangolin:model runtime.Breakpoint
func breakpoint() { unsupported("runtime.Breakpoint: it ends the program unless a debugger is there") }

//pangolin:model runtime.LockOSThread
func lockOSThread() {}

//pangolin:model runtime.UnlockOSThread
func unlockOSThread() {}

//pangolin:model runtime.NumCgoCall
func numCgoCall() int64 { return 0 }

//pangolin:model runtime.Version
func runtimeVersion() string { return "go1.26" }

// SPDX-License-Identifier: BSD-3-Clause
