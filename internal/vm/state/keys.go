// SPDX-License-Identifier: BSD-3-Clause

package state

// Keys are the values that a collection orders. If code only compares them with each
// other, just their order matters, and states that differ by a monotone renaming of
// keys are one. An engine renames them; the machine provides the words, and checks
// that keys are only compared with keys, as it does for items (items.go).
//
// Words leave room for one new key between any two: key k of a state is the word at
// offset 2k+2, and the place before key k the one at offset 2k+1.

// MaxKeys is how many keys there can be at a time.
const MaxKeys = 16

const (
	keyBase uint64 = 0x5d1fc3a9e6400000
	keySpan uint64 = 2*MaxKeys + 3
)

// Key is the word of key k.
func Key(k int) uint64 { return keyBase + uint64(2*k+2) }

// KeyBefore is a word between those of keys k-1 and k.
func KeyBefore(k int) uint64 { return keyBase + uint64(2*k+1) }

// KeyOffset is the place of a key's word among all 64; ok is false if the word is no key.
func KeyOffset(w uint64) (offset int, ok bool) { return int(w - keyBase), isKey(w) }

func isKey(w uint64) bool { return w-keyBase < keySpan }

// Compared records a comparison of an item, of a key with something else, or of a
// thread's number with one that it might be equal to under another name.
func (m *State) Compared(a, b uint64) {
	m.Inspected = m.Inspected || IsItem(a) || IsItem(b)
	m.Miscompared = m.Miscompared || isKey(a) != isKey(b)
	m.Misnumbered = m.Misnumbered || (IsNumber(a) || IsNumber(b)) && !m.sameWhateverNumbers(a, b)
}

// Ordered records a comparison by order, which numbers of threads do not have.
func (m *State) Ordered(a, b uint64) {
	m.Compared(a, b)
	m.Misnumbered = m.Misnumbered || IsNumber(a) || IsNumber(b)
}
