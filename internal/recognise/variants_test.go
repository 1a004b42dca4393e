// SPDX-License-Identifier: BSD-3-Clause

package recognise

import "testing"

func TestUnlocks_TellsWhatIsNotForSeveralThreads(t *testing.T) {
	for _, name := range []string{"WithoutLock", "WithNoLock", "Unsafe", "ThreadUnsafe", "NotThreadSafe", "SingleThreaded", "DisableLocking", "WithoutMutex", "Unsynchronized", "SPSC", "NonConcurrent", "NotGoroutineSafe", "Unlocked"} {
		if !unlocks(name, false) {
			t.Errorf("%s is for several threads", name)
		}
	}
	for _, name := range []string{"WithThreadSafe", "Locking", "Synchronized", "WithMutex"} {
		if !unlocks(name, true) || unlocks(name, false) {
			t.Errorf("%s(false) is for several threads, or %s(true) is not", name, name)
		}
	}
	for _, name := range []string{"WithMax", "Block", "NonBlocking", "WithClock", "LockFree", "WithBlocking", "Async", "NoEvict", "Safe"} {
		if unlocks(name, false) {
			t.Errorf("%s is not for several threads", name)
		}
	}
}
