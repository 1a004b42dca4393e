//pangolin:for runtime

package prelude

import "runtime"

// There is no memory to measure, no stack to print and no collector that runs
// finalizers: Go does not promise that one ever runs.

//pangolin:model runtime.ReadMemStats
func readMemStats(m *runtime.MemStats) { *m = runtime.MemStats{} }

//pangolin:model runtime.SetFinalizer
func setFinalizer(obj, finalizer any) {}

//pangolin:model runtime.Caller
func caller(skip int) (pc uintptr, file string, line int, ok bool) { return 0, "", 0, false }

//pangolin:model runtime.Callers
func callers(skip int, pc []uintptr) int { return 0 }

//pangolin:model runtime.FuncForPC
func funcForPC(pc uintptr) *runtime.Func { return nil }

//pangolin:model runtime.Stack
func stack(buf []byte, all bool) int { return 0 }

//pangolin:model runtime.Breakpoint
func breakpoint() {}

//pangolin:model runtime.LockOSThread
func lockOSThread() {}

//pangolin:model runtime.UnlockOSThread
func unlockOSThread() {}

//pangolin:model runtime.NumCgoCall
func numCgoCall() int64 { return 0 }

//pangolin:model runtime.Version
func runtimeVersion() string { return "go1.26" }
