// SPDX-License-Identifier: BSD-3-Clause

package find

import "testing"

// Sentences as documentation has them, and the error with which an operation may fail because of others.
func TestMayFail_SentencesNameTheError(t *testing.T) {
	for sentence, want := range map[string]string{
		"If it does not succeed to acquire the lock, it returns ErrAcquireLock.":                              "ErrAcquireLock",
		"It returns ErrBusy if another write is in progress.":                                                 "ErrBusy",
		"TryPop fails with ErrContention under contention.":                                                   "ErrContention",
		"ErrLocked is returned when the mutex is held by another goroutine.":                                  "ErrLocked",
		"TryLock returns errLocked if the lock is already taken.":                                             "errLocked",
		"TryTake returns ErrBusy if the lock cannot be obtained.":                                             "ErrBusy",
		"It returns ErrBusy if another goroutine holds the lock.":                                             "ErrBusy",
		"It returns ErrLocked on failure to get the lock.":                                                    "ErrLocked",
		"It returns ErrEmpty if the queue is empty.":                                                          "",
		"It acquires the lock and returns ErrEmpty if there is no item.":                                      "",
		"If it is empty, it acquires the lock and returns ErrEmpty.":                                          "",
		"It returns ErrEmpty if nothing is there when it gets the lock.":                                      "",
		"It stops other running workers and returns ErrClosed if it was closed.":                              "",
		"It returns ErrNotLocked if the lock is not held.":                                                    "",
		"It returns ErrNotLocked unless the lock is held.":                                                    "",
		"It returns ErrIdle if no other call is in progress.":                                                 "",
		"Lock returns ErrDeadlock if the caller holds the lock.":                                              "",
		"Lock returns ErrDeadlock if the lock is held by the calling goroutine.":                              "",
		"Lock returns ErrTwice if it already holds the lock.":                                                 "",
		"Read returns ErrClosed after Close.":                                                                 "",
		"It acquires the lock before it reads.":                                                               "",
		"It returns an error if the lock is held.":                                                            "",
		"ErrClosed is returned if the lock file is missing.":                                                  "",
		"Get returns ErrMissing if another key is stored.":                                                    "",
		"It returns ErrBusy or ErrClosed if the lock is held.":                                                "",
		"While another call is in progress it waits.":                                                         "",
		"It does not wait, and returns ErrBusy if the lock is held.":                                          "ErrBusy",
		"It returns ErrBusy not only under contention.":                                                       "ErrBusy",
		"Take returns ErrEmpty if there is nothing, never under contention.":                                  "",
		"Take returns ErrEmpty if there is nothing, not even under contention.":                               "",
		"It returns ErrEmpty if there is nothing but not if the lock is held.":                                "",
		"It returns ErrEmpty rather than under contention.":                                                   "",
		"It never returns ErrBusy if another write is in progress.":                                           "",
		"ErrBusy is not returned when the lock is held.":                                                      "",
		"It doesn't fail with ErrBusy under contention.":                                                      "",
		"Fetch returns ErrMissing if k is not there; it may be called while another update is in progress.":   "",
		"Get returns ErrMissing for keys that are not there, and may be called while another Set is running.": "",
		"Get returns ErrMissing if k is not there and may be called while another Set is running.":            "",
		"Get may be called while another Set is running and returns ErrMissing if k is not there.":            "",
		"Get, which is safe to call while another Set is running, returns ErrMissing if k is not there.":      "",
		"It can be used while another call is in progress, but returns ErrMissing if k is not there.":         "",
		"It waits while another call is running; ErrMissing is returned if k is not there.":                   "",
		"It returns ErrMissing if k is not there while another goroutine may have an update in progress.":     "",
		"It returns ErrMissing if k is not there, even while another call is in progress.":                    "",
		"It returns ErrMissing, also if another call is in progress, when k is not there.":                    "",
		"While another call is in progress it returns ErrMissing if k is not there.":                          "",
		"While another call is in progress, it returns ErrMissing if k is not there.":                         "",
		"While another call is in progress, it returns ErrBusy.":                                              "ErrBusy",
		"It returns ErrBusy if another call is in progress when it is called.":                                "ErrBusy",
		"It returns ErrBusy if the lock is held while another write is in progress.":                          "ErrBusy",
		"It returns ErrBusy if it is too late or if the lock is held.":                                        "ErrBusy",
		"It may be called at any time; it returns ErrBusy if another write is in progress.":                   "ErrBusy",
		"It never waits, and fails with ErrBusy while another call is in progress.":                           "ErrBusy",
		"The caller has to hold the lock.":                                                                    "",
		"Put returns ErrFull if there is no room, or blocks if others take at once":                           "",
	} {
		if got := failsAs(sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
