// SPDX-License-Identifier: BSD-3-Clause

package find

import "testing"

// TestForbidsBack holds sentences against what a reader takes them to say. A sentence that is misread hides a deadlock.
func TestForbidsBack(t *testing.T) {
	said := spoken{"EventBus", []string{"Do", "Publish"}}
	for sentence, want := range map[string]bool{
		"f must not call methods of the map.":                            true,
		"Handlers must not call methods of the bus, or they deadlock.":   true,
		"If f calls Do, it will deadlock.":                               true,
		"To avoid deadlocks, handlers must not call methods of the bus.": true,
		"Publish must not be called from within a handler.":              true,
		"Don't call Publish in a callback.":                              true,
		"Never call methods of the bus from fn.":                         true,
		"The bus is not reentrant.":                                      true,
		"Do may not be called recursively.":                              true,
		"The lock is held while fn runs.":                                true,
		"Handlers are called with the lock held.":                        true,
		"It runs with the table's lock held.":                            true,
		"The callback runs under the lock.":                              true,
		"onEvict must not call methods of the cache.":                    true, // a parameter's name
		"A Bus must not be copied after first use.":                      false,
		"It never deadlocks.":                                            false,
		"Publish does not deadlock when a handler unsubscribes.":         false,
		"It is free of deadlocks.":                                       false,
		"A deadlock-free bus.":                                           false,
		"A reentrant bus: handlers may call Publish.":                    false,
		"Handlers may be called recursively.":                            false,
		"The number must not be used after Unsubscribe was called.":      false,
		"The handler must not be nil.":                                   false,
		"A handler must not be used after Close.":                        false,
		"Publish must not be called after Close.":                        false,
		"Publish locks the bus while it copies the handlers.":            false,
		"Handlers are called without the lock held.":                     false,
		"The lock is not held while handlers run.":                       false,
		"Subscribe adds a handler and returns its number.":               false,
		"The zero value must not be used, call New.":                     false,

		"Handlers must not block for long.":                            false,
		"Handlers must not block.":                                     false,
		"Handlers must not block Publish for long.":                    false,
		"Handlers must not modify the event.":                          false,
		"Handlers must not use the event after they return.":           false,
		"f must not access shared variables.":                          false,
		"A handler must not lock a mutex that Publish's caller holds.": false,
		"Handlers must not be called by users.":                        false,
		"A callback must not be used in tests.":                        false,
		"Handlers must not modify the message, for others use it.":     false,
		"Handlers should not use it after they return.":                false,
		"Handlers must not call methods of the event.":                 false,
		"Handlers must not call other methods.":                        true,
		"Handlers must not call any method of the bus.":                true,
		"Handlers must not block on the bus.":                          true,
		"Handlers must not block or call methods on the bus.":          true,
		"Handlers must not use the bus.":                               true,
		"f must not modify the event bus.":                             true,
		"Handlers must not call back.":                                 true,
		"Handlers must not access it.":                                 true,
		"fn must not call Do or Publish.":                              true,
		"Publish must not be called by a handler.":                     true,
	} {
		if got := said.forbidsBack(sentence, []string{"onEvict"}); got != want {
			t.Errorf("%q: forbids that functions call back: %v, want %v", sentence, got, want)
		}
	}
	if s := "It must not call methods of the bus."; !said.forbidsBack(s, nil) || said.forbidsBack(s, []string{}) {
		t.Errorf("%q is about functions at their type, and only there", s)
	}
}
