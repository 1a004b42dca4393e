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

		// Other words for the same.
		"Init should be invoked before any use.":                        "first",
		"Handle must be set before any Serve.":                          "first",
		"SetLogger must be called before any other call of the queue.":  "first",
		"It must be called before calls to Get are made.":               "first",
		"It must be called before any goroutines use it.":               "first",
		"It has to be called before the first Get.":                     "first",
		"Set must not be called while Get is running.":                  "alone first",
		"It must not run concurrently with Observe or Count.":           "alone first",
		"It must not be executed while other goroutines use h.":         "alone first",
		"It may not be run in parallel with other methods.":             "alone first",
		"Reset must never be in flight while others are.":               "alone first",
		"Reset should not be performed while Observe is running.":       "alone first",
		"It must not happen concurrently with other operations.":        "alone first",
		"Do not call it while others use h.":                            "alone first",
		"It is not safe to call concurrently with Add.":                 "alone first",
		"It is not safe for concurrent use with the other methods.":     "alone first",
		"No other method may be in progress.":                           "alone first",
		"It is not safe for concurrent use.":                            "",
		"You must not call it while other calls are in progress.":       "alone first",
		"Callers must not modify the limit during a call of Do.":        "alone first",
		"Close should be called only once.":                             "once",
		"Close can only be called once, by whoever opened it.":          "once",
		"A Conn is only used from one goroutine.":                       "1",
		"Only one goroutine may call Push.":                             "1",
		"It is called only by one goroutine.":                           "1",
		"Take must only be called by one goroutine, and returns false.": "1",
		"It must not be called concurrently, or items get lost.":        "1",

		// Promises of what the operation does.
		"Inc must not lose an update when called concurrently.":                                             "",
		"Enter returns false if there are two; more than two goroutines must never be inside concurrently.": "",
		"More than two goroutines must never be inside concurrently.":                                       "",
		"Push must not block while another Push is in progress.":                                            "",
		"Deposit adds n; it should never be seen in part while another goroutine reads.":                    "",
		"Set stores v in both; a Get can not see a mix while Set is running.":                               "",
		"Put adds v; it should write the item before any consumer sees the new tail.":                       "",
		"Both must be done before any other call sees k.":                                                   "",
		"The item must be set before any other call sees it.":                                               "",
		"The channel can only be closed once, so that further calls return nil and do nothing.":             "",
		"Close should be called only once, further calls return an error.":                                  "",
		"fn must be called at most once.":                                                                   "",
		"The callback should only be called by one goroutine.":                                              "",
		"Only one goroutine can be inside.":                                                                 "",
		"Only one consumer gets the item.":                                                                  "",
		"Each item must come out exactly once.":                                                             "",
		"An item can only be taken by one consumer.":                                                        "",
		"An update must not be made to fail while others read.":                                             "",
		"It should not deadlock if called simultaneously by several goroutines.":                            "",
		"Values must not change while a Snapshot is read.":                                                  "",
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

// Sentences of types' documentation, and who is one: a producer, a consumer.
func TestContracts_SentencesMeanParties(t *testing.T) {
	for sentence, want := range map[string]string{
		"Ring is a bounded queue for a single producer and a single consumer.":  "producer consumer",
		"Ring is a single-producer single-consumer queue.":                      "producer consumer",
		"It is an SPSC queue that does not allocate.":                           "producer consumer",
		"Inbox is an MPSC queue.":                                               "consumer",
		"Inbox is for any number of producers and one consumer.":                "consumer",
		"It has one producer, and many consumers.":                              "producer",
		"Unlike Ring, it is for a single producer.":                             "producer",
		"It is not bounded, and for one producer.":                              "producer",
		"Queue is for any number of producers, unlike a single-producer queue.": "",
		"Queue is unlike a single-producer queue.":                              "",
		"It is not a single-producer queue.":                                    "",
		"It is not meant for one producer.":                                     "",
		"It needs more words than a single-producer queue.":                     "",
		"It is an MPMC queue rather than an SPSC queue.":                        "",
		"Use it instead of an SPSC ring.":                                       "",
		"Queue is for producers and consumers.":                                 "",
	} {
		var got []string
		if oneProducer(sentence) {
			got = append(got, "producer")
		}
		if oneConsumer(sentence) {
			got = append(got, "consumer")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}

// Sentences that ask for calls before one of another operation, and its name.
func TestContracts_SentencesNameWhatIsCalledLater(t *testing.T) {
	for sentence, want := range map[string]string{
		"The first call to Go must happen before a Wait.": "Wait",
		"Add must be called before Wait.":                 "Wait",
		"It has to be called before any call to Wait.":    "Wait",
		"It must write the item before Get sees it.":      "",
		"All must be done before Wait returns.":           "",
		"The item must be set before Get returns.":        "",
		"It need not be called before Wait.":              "",
	} {
		if got := awaitedBy(sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
