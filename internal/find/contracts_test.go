// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"slices"
	"strings"
	"testing"
)

// said is how the sentences speak of a type and its operations.
var said = spoken{"Conn", []string{"SetLimit", "Reset", "Configure", "Close", "Stop", "Push", "Pop", "Init", "Handle", "SetLogger", "Set", "Take", "Clone"}}

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
		"Close must be called once, after all other calls.":                               "last",
		"It must only be called after all producers have finished.":                       "last",
		"Stop must be called last.":                                                       "last",
		"It should be called as the last method.":                                         "last",
		"Flush must be called after every write.":                                         "",
		"It must be called after all.":                                                    "",
		"Len should be called after all calls of Add to see what is there.":               "",
		"Close must be called exactly once, after all workers have read the last item.":   "once",
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

		// Restrictions of items, arguments and results.
		"The item must not be modified while it is in the queue.":                                    "",
		"An item must not be changed while other goroutines read it.":                                "",
		"The same item must not be used again until it was popped.":                                  "",
		"Callers must not use v concurrently once it was pushed.":                                    "",
		"Callers must not modify the returned slice while they iterate over it.":                     "",
		"Callers must not modify it while other goroutines are active.":                              "alone first",
		"Users must not change the item after other goroutines have seen it.":                        "",
		"Values must not be shared by several goroutines.":                                           "",
		"The item may only be used by one goroutine.":                                                "",
		"Only one goroutine may use the returned value.":                                             "",
		"The value that Pop returns must only be used by one goroutine.":                             "",
		"Keys and elements must not be used concurrently.":                                           "",
		"Pop can be called by many goroutines; each item is only used by one goroutine.":             "",
		"Push can be called by multiple goroutines, but items should be used by a single goroutine.": "",
		"Each item is copied; Push must not be called concurrently.":                                 "1",
		"Pop takes the oldest item, and must only be called by one goroutine.":                       "1",
		"Push and Pop must not be called concurrently.":                                              "1",
		"Calls to Push must not be made concurrently.":                                               "1",
		"This method must not be called concurrently.":                                               "1",
		"Note that a Conn must not be used by several goroutines.":                                   "1",
		"The connection must not be used by several goroutines.":                                     "",
		"A Conn is used by one goroutine; its buffers must not be shared by several goroutines.":     "",
		"The methods of a Conn should only be called by one goroutine at a time.":                    "1",
		"However, the limit should not be changed while any goroutines run.":                         "alone first",

		"This method changes what it has and may not be called concurrently with any other methods.": "alone first",
		"Clone should not be called concurrently, but the copy can be used once the call has ended.": "1",

		"It must not be modified while anybody works.": "alone first",

		"It must not be used again.":                          "",
		"Accesses to the item must not be made concurrently.": "",
		"Calls of Push must not be made concurrently.":        "1",

		// Restrictions of some calls.
		"Push must not be called twice with the same item.":                 "",
		"It must not be called twice with the same name.":                   "",
		"It must not be called again for an equal key.":                     "",
		"It must not be called more than once with one name.":               "",
		"It must not be called twice in a row.":                             "",
		"Push should only be called once per item.":                         "",
		"Push must be called at most once for each item.":                   "",
		"Push should be called exactly once with every key.":                "",
		"Push may only be called once the queue has been opened.":           "",
		"Push may only be called once all items were counted.":              "",
		"Close must be called only once per Conn.":                          "once",
		"Close must not be called twice.":                                   "once",
		"Close must not be called again after it has been called.":          "once",
		"Close must be called exactly once by the goroutine that sends it.": "once",

		// Restrictions at some time.
		"Push must not be called by several goroutines after Stop.":                   "",
		"After Stop, Push must not be called by several goroutines.":                  "",
		"If the queue is bounded, Push must only be called by one goroutine.":         "",
		"It must not be called concurrently unless the queue was made by New.":        "",
		"Push may only be called by one goroutine, while Pop may be called by all.":   "1",
		"Push may only be called by one goroutine while Pop may be called by all.":    "1",
		"Push must only be called by one goroutine, and returns false if it is full.": "1",

		"In debug mode, Push must not be called by several goroutines.":        "",
		"Push must not be called concurrently in version 1.":                   "",
		"Push should only be called by one goroutine for the best throughput.": "",
		"For speed, it should be called by one goroutine.":                     "",

		// What the operation sees to, and what its caller does.
		"Push can only be run by one goroutine at a time: it takes a lock.":             "",
		"Push can only be called by one goroutine at a time, for it locks a mutex.":     "",
		"Push can only be called by one goroutine at a time: callers hold their lock.":  "1",
		"Push can only be called by one goroutine at a time.":                           "1",
		"A consumer should not call Pop in parallel with long computations.":            "",
		"A consumer should not call Pop in parallel with other calls.":                  "alone first",
		"Consumers must not call Pop concurrently.":                                     "1",
		"Pop must not be called while holding a lock that a producer needs.":            "",
		"Push should be called before calling Pop, or Pop finds nothing.":               "",
		"Push should be called before calling other methods, or they return old items.": "first",

		// Sentences about another thing.
		"Unlike a list, which must not be used concurrently, it grows.":            "",
		"It grows, unlike a list, which must not be called by several goroutines.": "",
		"Unlike Pop, Push must not be called by several goroutines.":               "1",
		"Push may be called by all, whereas Pop must not be called concurrently.":  "",

		// Operations that must not be in progress.
		"Reset must not be called concurrently with Push.":                 "not-Push",
		"Reset must not be called concurrently with calls to Push or Pop.": "not-Push+Pop",
		"Reset must not be called while Push and Pop are running.":         "not-Push+Pop",
		"Reset must not be called while a Push is in progress.":            "not-Push",
		"It is not safe to call concurrently with Pop.":                    "not-Pop",
		"Reset must not be called concurrently with Push or Len.":          "alone first",
		"Reset must not be called concurrently with Push or others.":       "alone first",
	} {
		roles, ok := said.meaning(sentence)
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

		"Queue supports one producer and one consumer.":                            "producer consumer",
		"It requires a single producer.":                                           "producer",
		"A Queue allows a single consumer.":                                        "consumer",
		"It may be used by one producer and one consumer.":                         "producer consumer",
		"It must only be used by a single consumer.":                               "consumer",
		"It is safe for concurrent use by one producer and one consumer.":          "producer consumer",
		"This queue is lock-free for a single consumer.":                           "consumer",
		"A bounded single-producer single-consumer ring.":                          "producer consumer",
		"Safe for one producer and one consumer.":                                  "producer consumer",
		"For use by a single producer and a single consumer.":                      "producer consumer",
		"Only one producer may call Push.":                                         "producer",
		"There must be a single consumer.":                                         "consumer",
		"A single producer may push while a single consumer pops.":                 "producer consumer",
		"It does not block, and has one producer.":                                 "producer",
		"The single producer can both push and pop.":                               "producer",
		"It has a fast path for the single-consumer case.":                         "",
		"In benchmarks with a single producer it is as fast as a channel.":         "",
		"With a single producer it is as fast as a channel.":                       "",
		"It is as fast as a channel with a single producer.":                       "",
		"It is fastest with a single producer.":                                    "",
		"It is optimised for a single producer.":                                   "",
		"A single consumer suffices for most programs.":                            "",
		"It is enough for one consumer to run.":                                    "",
		"Each item is taken by one consumer only.":                                 "",
		"An item goes to one consumer.":                                            "",
		"Items are taken by one consumer only.":                                    "",
		"Use Ring if there is a single consumer.":                                  "",
		"Use Ring for a single consumer.":                                          "",
		"It does not need a single consumer.":                                      "",
		"It does not require one producer.":                                        "",
		"The single-producer queue of version 1 has been replaced.":                "",
		"It can only be used with a single producer.":                              "producer",
		"It works with a single producer and a single consumer only.":              "producer consumer",
		"Only a single producer and a single consumer may use it.":                 "producer consumer",
		"It is limited to one consumer.":                                           "consumer",
		"Only one producer is allowed.":                                            "producer",
		"It works with a single producer as well.":                                 "",
		"Queue is efficient even with one producer.":                               "",
		"Queue supports one producer or many.":                                     "",
		"It allows a single producer to push without a lock.":                      "",
		"A Queue has a single-producer constructor.":                               "",
		"It is used by one producer in most programs.":                             "",
		"It is a generalisation of the single-producer queue.":                     "",
		"It wakes one consumer.":                                                   "",
		"Exactly one consumer gets each item.":                                     "",
		"At most one consumer is woken.":                                           "",
		"It is locked by one consumer at a time.":                                  "",
		"It was a single-producer queue.":                                          "",
		"It is made of single-producer queues.":                                    "",
		"Queue has a mode for a single producer.":                                  "",
		"It never waits, unlike an SPSC queue.":                                    "",
		"Ring is for one producer; Queue is for many.":                             "producer",
		"The producers write to a queue each, which is read by a single consumer.": "",
	} {
		var got []string
		typ, _, _ := strings.Cut(sentence, " ")
		if !slices.Contains([]string{"Ring", "Inbox"}, typ) {
			typ = "Queue"
		}
		if oneProducer(sentence, typ) {
			got = append(got, "producer")
		}
		if oneConsumer(sentence, typ) {
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
