// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"testing"

	"pangolin/oracle"
)

// Sentences as documentation has them: what a bool tells, and what a type is beyond its name.

func TestSense_IsWhatDocumentationSays(t *testing.T) {
	for _, c := range []struct {
		role oracle.Role
		doc  string
		want Sense
	}{
		{oracle.Add, "Insert adds k and reports whether it was already present.", NotDone},
		{oracle.Add, "Add adds k. It returns true if k was not in the set, false if it was already there.", Done}, // of the first nothing is known
		{oracle.Add, "Add adds k. It returns false if k was already there.", Done},
		{oracle.Add, "Add returns true if k was not already there.", Done},
		{oracle.Add, "Add reports whether k was added (it is not if it exists).", Done},
		{oracle.Add, "Add does nothing if k exists already.", Untold},
		{oracle.Add, "Add reports whether it was new and not present.", Untold},
		{oracle.LoadOrStore, "LoadOrStore gives the value of k, and whether v was stored.", NotDone},
		{oracle.LoadOrStore, "The result is true if the value was loaded, false if stored.", Done},
		{oracle.LoadOrStore, "It tells whether it has loaded or stored it.", Untold},
		{oracle.Put, "Push adds v, and returns true if the queue was full.", NotDone},
		{oracle.Put, "Push returns false if the queue is full.", Done},
		{oracle.Put, "Push reports whether there was room.", Done},
		{oracle.Put, "Push returns true when there was no room.", NotDone},
		{oracle.Put, "Push adds v unless two are there, and reports whether the queue is full now.", Else},
		{oracle.Take, "Pop takes the top; the bool is true if the stack was empty.", NotDone},
		{oracle.Take, "Pop returns false if the stack is empty.", Done},
		{oracle.Take, "Pop reports whether the stack was not empty.", Done},
		{oracle.Put, "Push adds v, and reports whether it has dropped the oldest one.", Else},
		{oracle.Put, "Push adds v, and reports whether somebody is waiting for it.", Else},
		{oracle.Take, "Pop takes the first, and reports whether there are more.", Else},
		{oracle.Contains, "Has reports whether k is a member.", Done},

		// Other words for the same.
		{oracle.Add, "Add returns false if k was added before.", Done},
		{oracle.Add, "It returns false when k has been added before.", Done},
		{oracle.Add, "It returns true if nothing was there before.", Done},
		{oracle.Add, "It returns false if nothing was added.", Done},
		{oracle.Add, "It returns true if k was not in the set.", Done},
		{oracle.Add, "It returns true if the set did not contain k.", Done},
		{oracle.Add, "It returns true if it is the first time.", Done},
		{oracle.Add, "It returns true only the first time k is added.", Done},
		{oracle.Add, "It returns true on success, false for a duplicate.", Done},
		{oracle.Add, "It returns false for items that are in the set already.", Done},
		{oracle.Add, "It reports if k has been added.", Done},
		{oracle.Add, "Adding k a second time returns false.", Done},
		{oracle.Add, "It returns false if it cannot be added because it is present.", Done},
		{oracle.Add, "It tells whether the set has grown.", Done},
		{oracle.Add, "It returns true, unless it is in the set: then false.", Done},
		{oracle.Add, "It returns true if k was added earlier.", NotDone},
		{oracle.Add, "It returns true if k is in the set already.", NotDone},
		{oracle.Add, "It returns true for a duplicate.", NotDone},
		{oracle.Delete, "Remove returns true if k was in the set.", Done},
		{oracle.Delete, "It returns false if nothing was removed.", Done},
		{oracle.Delete, "It returns true if there was nothing to remove.", NotDone},
		{oracle.Load, "Load gives the value of k, and whether there is one.", Done},
		{oracle.Load, "The bool is true if there is none.", NotDone},
		{oracle.Delete, "It returns true if there was no such item.", NotDone},
		{oracle.Put, "TryPush returns true, or returns false if that would exceed the capacity.", Done},
		{oracle.Put, "Enqueue returns true if it had no room left.", NotDone},
		{oracle.Take, "Dequeue returns false unless there was something.", Done},
		{oracle.Take, "It returns false if there are no more items.", Done},
		{oracle.Take, "It returns false when no items are left.", Done},
		{oracle.Delete, "Remove reports whether k was present.", Done},
		{oracle.Delete, "Remove removes k.", Untold},
		{oracle.Delete, "Remove reports whether k was missing. It returns true if it was removed.", Untold},
	} {
		if got := senseOf(c.role, c.doc); got != c.want {
			t.Errorf("%s: %s: %d, want %d", c.role, c.doc, got, c.want)
		}
	}
}

// What documentation says of a type that its name does not.
func TestAnother_IsSaidOfTheType(t *testing.T) {
	for doc, want := range map[string]string{
		"JobQueue is a priority queue.":                                      "queue",
		"Jobs come out by their deadlines.":                                  "queue",
		"The most urgent job is taken first.":                                "queue",
		"A push into a full queue overwrites the oldest item.":               "queue",
		"It keeps the last two changes, and forgets older ones.":             "queue",
		"It ignores an item that waits in it already.":                       "queue",
		"It is a binary heap under a lock.":                                  "queue",
		"JobQueue is a FIFO queue of jobs. Jobs have a priority field.":      "",
		"Jobs have a priority field, which the queue ignores.":               "",
		"It is a first-in first-out queue: the earliest item comes first.":   "",
		"Its nodes live on the heap.":                                        "",
		"Push returns without delay.":                                        "",
		"It is a LIFO stack of jobs, each with a deadline.":                  "",
		"It delays consumers only while it is empty.":                        "",
		"Unlike a priority queue, it gives jobs as they came.":               "",
		"Callers should give due notice.":                                    "",
		"IntSet is a multiset of numbers.":                                   "set",
		"It counts how often an item was added.":                             "set",
		"It is a FIFO queue which ignores an item that waits in it already.": "queue",
		"It has at most two items.":                                          "set",
		"Unlike a multiset or a bag, it holds each item once.":               "",
		"It is a set, not a bag.":                                            "",
		"HeaderMap gives all the values that were added for a key.":          "map",
		"It keeps the first value of each key.":                              "map",
		"It is a map that many goroutines may use.":                          "",
	} {
		queue, set, many := tellsOfAnother(oracle.Queue, doc), tellsOfAnother(oracle.Set, doc), tellsOfAnother(oracle.Map, doc)
		is := map[string]bool{"queue": queue, "set": set, "map": many, "": !queue && !set && !many}
		if !is[want] {
			t.Errorf("%q: %v, want %q", doc, is, want)
		}
	}
}
