// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"

	"pangolin/oracle"
)

// A bool that says whether an operation was done may be true where it was, Add(k) (added bool), or where it was not, Add(k) (existed bool). Its name tells. If it
// has none, or another one, it is taken to be true where it was done, and the operation is marked: what documentation says, or one thread shows, may be the opposite
// (packages find and inquiry, Overrides.Readings).

// boolNames are names of a bool of an operation, folded.
type boolNames struct{ done, not []string }

// anyDone are names of a bool of any operation.
var anyDone = []string{"ok", "done", "success", "succeeded", "successful"}

// namesOfBool are the names of what an operation with the role tells.
func (b *binding) namesOfBool() boolNames {
	switch {
	case b.role == oracle.Add:
		return boolNames{[]string{"added", "inserted", "new", "isnew", "fresh", "changed", "modified", "absent", "unique"}, []string{"exists", "existed", "present", "found", "already", "dup", "duplicate"}}
	case b.role == oracle.LoadOrStore:
		return boolNames{[]string{"loaded", "found", "exists", "existed", "present", "hit", "already", "had"}, []string{"stored", "inserted", "added", "absent", "created", "new"}}
	case b.isPut():
		return boolNames{[]string{"added", "pushed", "put", "enqueued", "queued", "inserted", "accepted", "stored", "sent", "offered"}, []string{"full", "closed", "dropped", "overflow"}}
	}
	return boolNames{[]string{"found", "exists", "existed", "present", "removed", "deleted", "popped", "dequeued", "taken", "received", "got", "loaded", "hit", "had", "has", "any", "some", "valid", "notempty", "nonempty"},
		[]string{"empty", "closed", "missing", "absent"}}
}

// polarity tells from a bool's name whether true means that it was done.
func (b *binding) polarity(name string) oracle.Slot {
	names, name := b.namesOfBool(), fold(name)
	switch {
	case slices.Contains(names.not, name):
		return oracle.SlotNotOK
	case !slices.Contains(names.done, name) && !slices.Contains(anyDone, name):
		b.eitherSense = true
	}
	return oracle.SlotOK
}

// readBool gives the bool of which no name tells what it means the meaning that somebody has found.
func (b *binding) readBool(slot oracle.Slot) {
	b.eitherSense = false
	if at := slices.Index(b.slots, oracle.SlotOK); at >= 0 && slot == oracle.SlotNotOK {
		b.slots[at] = slot
	}
}
