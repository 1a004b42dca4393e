// SPDX-License-Identifier: BSD-3-Clause

package explore

// arena holds the states of a worker's frames, one behind the other. It grows by pages:
// a slice that grows is copied, and in a deep search the old and the new one together
// would take several times the memory that the states need.
type arena struct {
	page   []uint64   // the one that is being filled
	below  [][]uint64 // those that are full
	spare  []uint64   // an empty one, or nil
	newest int        // where the newest state begins in page
	words  int        // in all pages
}

// span is a state's place in an arena.
type span struct{ page, from, to int32 }

// Pages have firstPage words, and each next one twice as many, up to largestPage.
const (
	firstPage   = 1 << 8
	largestPage = 1 << 18
)

// save adds the state that a cursor stands in.
func (a *arena) save(c Cursor) {
	a.room(2*(len(a.page)-a.newest) + 64)
	a.newest = len(a.page)
	saved := c.Save(a.page)
	if cap(saved) == cap(a.page) {
		a.page = saved
		return
	}
	a.add(saved[a.newest:]) // it did not fit, and was saved elsewhere
}

// add adds a state.
func (a *arena) add(state []uint64) {
	a.room(len(state))
	a.newest = len(a.page)
	a.page = append(a.page, state...)
}

// room begins a new page if fewer words than these are left in the present one.
func (a *arena) room(words int) {
	if cap(a.page)-len(a.page) >= words {
		return
	}
	if len(a.page) > 0 {
		a.below = append(a.below, a.page)
		a.page, a.spare = a.spare, nil
	}
	if cap(a.page) < words {
		a.words -= cap(a.page)
		a.page = make([]uint64, 0, max(words, min(firstPage<<min(len(a.below), 16), largestPage)))
		a.words += cap(a.page)
	}
	a.newest = 0
}

// state is the newest state.
func (a *arena) state() []uint64 { return a.page[a.newest:] }

// drop removes the newest state.
func (a *arena) drop() { a.page = a.page[:a.newest] }

// place is the span of the newest state, by which at finds it when others have been added.
func (a *arena) place() span { return span{int32(len(a.below)), int32(a.newest), int32(len(a.page))} }

// at is the state at a place.
func (a *arena) at(s span) []uint64 {
	if int(s.page) < len(a.below) {
		return a.below[s.page][s.from:s.to]
	}
	return a.page[s.from:s.to]
}

// release removes the state that was kept last, and with it everything newer.
func (a *arena) release(s span) {
	for n := len(a.below) - 1; int(s.page) <= n; n-- {
		a.words -= cap(a.spare)
		a.spare, a.page, a.below = a.page[:0], a.below[n], a.below[:n]
	}
	a.page = a.page[:s.from]
	a.newest = len(a.page)
}

// reset removes all states.
func (a *arena) reset() { a.release(span{}) }

func (a *arena) bytes() int { return 8 * a.words }
