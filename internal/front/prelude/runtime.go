//go:build prelude

//pangolin:for runtime

package prelude

import _ "runtime"

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
