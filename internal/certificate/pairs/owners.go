// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"cmp"
	"maps"
	"slices"

	"pangolin/internal/vm/state"
)

// Words that belong to threads. The head of a certificate may say that a word, as long as it has a certain value, belongs to the thread that has
// written the value. The thread then has the word in its list of locks. The checker follows that, and rejects a certificate in which a
// thread changes such a value that is not its own: then two threads never have one word.

// Owned is a value of a word of all objects of a type that belongs to the thread that has written it.
type Owned struct {
	Type  int    `json:"type"` // number in the program
	Word  int    `json:"word"` // of an element
	Value uint64 `json:"value"`
}

// Compare orders such values.
func (a Owned) Compare(b Owned) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Word, b.Word), cmp.Compare(a.Value, b.Value))
}

// belongs reports whether word k of object id belongs to the thread that has written it, if it has a value.
func (c *Checker) belongs(id, k int, value uint64) bool {
	t := c.m.Objs[id].Info.Type
	return slices.Contains(c.head.Owned, Owned{t.ID, k % t.Size, value})
}

// remembered copies the words of all objects of the loaded view v that several threads may know, by number. Maps are left out: their words belong to
// nobody, because entries move when others are made or deleted, and when a state is saved.
func (c *Checker) remembered(v *view) map[int][]uint64 {
	if len(c.head.Owned) == 0 {
		return nil
	}
	out := map[int][]uint64{}
	for id := c.base + 1; id <= c.base+v.in.count+len(v.cells); id++ {
		if own := id - c.base - 1 - v.in.count; own < 0 || v.cells[own].Known() {
			if o := &c.m.Objs[id]; o.Info.Unordered == nil {
				out[id] = slices.Clone(c.m.Mem[o.At : o.At+o.Words()])
			}
		}
	}
	return out
}

// follow changes the list of words that belong to thread 0 as its step has changed words, which were as remembered says.
func (c *Checker) follow(before map[int][]uint64, at string) error {
	t := c.m.Thread[0]
	for _, id := range slices.Sorted(maps.Keys(before)) {
		words := before[id]
		o := &c.m.Objs[id]
		now := c.m.Mem[o.At : o.At+o.Words()]
		if len(now) < len(words) {
			return reject("words that may belong to threads go away: %s", at)
		}
		for k, old := range words {
			if now[k] == old || !c.m.HoldsNoReference(id, k) {
				continue
			}
			mark := state.Pointer(id, k) | state.WordHold
			if c.belongs(id, k, old) {
				i := slices.Index(t.Held, mark)
				if i < 0 {
					return reject("a thread changes a word that does not belong to it: %s", at)
				}
				t.Held = slices.Delete(t.Held, i, i+1)
			}
			if c.belongs(id, k, now[k]) {
				t.Held = append(t.Held, mark)
			}
		}
	}
	return nil
}
