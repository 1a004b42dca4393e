// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"testing"

	"pangolin/internal/client"
)

func TestMove_HoldsThreadAndCall(t *testing.T) {
	for _, thread := range []int{0, 1, 7, 255, 256, 4095} {
		if m := goOn(thread); m.Agent() != thread || invokes(m) {
			t.Errorf("a step of thread %d is a move of %d, a call: %v", thread, m.Agent(), invokes(m))
		}
		if thread > 255 {
			continue // clients are few
		}
		for _, call := range []int{0, 1, 255, client.MaxCalls - 1} {
			m := invocation(thread, call)
			if k, ok := move(m).call(); m.Agent() != thread || !ok || k != call {
				t.Errorf("call %d of thread %d is call %d of thread %d, %v", call, thread, k, m.Agent(), ok)
			}
		}
	}
	if !invokes(anyInvocation()) {
		t.Error("a recorded call is no call")
	}
}
