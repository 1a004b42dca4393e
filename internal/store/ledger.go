// SPDX-License-Identifier: BSD-3-Clause

package store

const pageWords = 512

// ledger keeps, for each element in the order of insertion, the words that its key does
// not hold: the second half of a 128-bit fingerprint, or the whole state. It consists of
// pages, so that growing copies nothing.
type ledger struct {
	fixed bool       // every record is one word, and its place is its number
	pages [][]uint64 // the records
	ends  [][]uint64 // not fixed: page<<32 | first word, and the length, of each record
	count uint32
}

func newLedger(k Kind) *ledger { return &ledger{fixed: k == Hash128} }

// append adds a record and returns its number.
func (l *ledger) append(s *Set, rest []uint64) uint32 {
	n := l.count
	l.count++
	page := l.room(s, &l.pages, len(rest))
	first := len(l.pages[page])
	l.pages[page] = append(l.pages[page], rest...)
	if !l.fixed {
		index := l.room(s, &l.ends, 2)
		l.ends[index] = append(l.ends[index], uint64(page)<<32|uint64(first), uint64(len(rest)))
	}
	return n
}

// room returns a page with room for n more words: the last one or a new one.
func (l *ledger) room(s *Set, pages *[][]uint64, n int) int {
	last := len(*pages) - 1
	if last >= 0 && len((*pages)[last])+n <= cap((*pages)[last]) {
		return last
	}
	size := max(n, pageWords)
	*pages = append(*pages, make([]uint64, 0, size))
	s.bytes.Add(8 * int64(size))
	return last + 1
}

// equal reports whether record n is rest.
func (l *ledger) equal(n uint32, rest []uint64) bool {
	if l.fixed {
		return l.pages[n/pageWords][n%pageWords] == rest[0]
	}
	const perPage = pageWords / 2
	at := l.ends[n/perPage][n%perPage*2:]
	if at[1] != uint64(len(rest)) {
		return false
	}
	first := at[0] & (1<<32 - 1)
	for i, w := range l.pages[at[0]>>32][first : first+at[1]] {
		if w != rest[i] {
			return false
		}
	}
	return true
}
