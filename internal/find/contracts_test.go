// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"strings"
	"testing"
)

// Sentences as documentation has them, and the roles that they may mean.
func TestContracts_SentencesMeanRoles(t *testing.T) {
	for sentence, want := range map[string]string{
		"The limit must not be modified while any goroutines in the group are active.":    "alone first",
		"Reset must not be called concurrently with other methods.":                       "alone first",
		"It should not be used during an iteration.":                                      "alone first",
		"SetLimit must be called before any other method.":                                "first",
		"Configure may only be called before first use.":                                  "first",
		"It must be called before the pool is started.":                                   "first",
		"Must not be called after first use.":                                             "first",
		"Close must be called at most once.":                                              "once",
		"It must not be called more than once.":                                           "once",
		"Stop must only be called by one goroutine.":                                      "1",
		"Pop must be called by a single consumer.":                                        "1",
		"Push must not be called by multiple goroutines.":                                 "1",
		"Push must only be called by the owner goroutine.":                                "1",
		"Only the owner calls it.":                                                        "1",
		"Push and Pop are called by its owner only, Steal by any goroutine.":              "1",
		"Pop may only be called by the owner.":                                            "1",
		"Only the owner of the lock may call it.":                                         "",
		"It returns an error if it is called by the owner.":                               "",
		"Only the owner sees it.":                                                         "",
		"Unlock must only be called by the owner of the lock.":                            "",
		"A Cond must not be copied after first use.":                                      "-",
		"Wait blocks until all calls have returned.":                                      "",
		"Put adds an item while the queue is not full.":                                   "",
		"It need not be called before first use.":                                         "",
		"Stop may be called concurrently.":                                                "",
		"Get returns false if the queue is empty, before any item was added.":             "",
		"Add calls must happen before the call of Wait.":                                  "",
		"Close is called once by the library.":                                            "",
		"The caller holds the lock while it calls Swap.":                                  "",
		"Next returns the item of the one reader that was registered first.":              "",
		"A negative value indicates no limit.":                                            "",
		"Any subsequent call will block until it can add an active goroutine.":            "",
		"Size may be off while other goroutines are adding, and should be used for logs.": "",
	} {
		roles, ok := meaning(sentence)
		got := strings.Join(roles, " ")
		if ok && got == "" {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
