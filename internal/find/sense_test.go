// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"testing"

	"pangolin/oracle"
)

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
		{oracle.Delete, "Remove reports whether k was present.", Done},
		{oracle.Delete, "Remove removes k.", Untold},
		{oracle.Delete, "Remove reports whether k was missing. It returns true if it was removed.", Untold},
	} {
		if got := senseOf(c.role, c.doc); got != c.want {
			t.Errorf("%s: %s: %d, want %d", c.role, c.doc, got, c.want)
		}
	}
}
