// SPDX-License-Identifier: BSD-3-Clause

package vm

import "pangolin/internal/vm/state"

// A harness keeps a word for each goroutine, of which others know nothing:
//
//	func pangolinOwn(table *[16]int, write bool, word int) int
//
// It has no body. It gives the word of the goroutine that calls it, and sets it if write is true; a goroutine beyond the table has none. Reading and writing it
// are no accesses that another thread could notice, for no other thread reads or writes that word: they go with the step before. The place in the table is
// the thread's number, so threads are told apart.

// mostWords is the length of the table.
const mostWords = 16

var ownBuiltins = map[string]*builtin{
	"pangolin/mark.own": {run: ownWord},
}

func ownWord(c *call) control {
	at := c.m.OwnNumber(c.t)
	if at >= mostWords {
		return ctlNext
	}
	id := state.ObjectID(c.args[0])
	c.m.Touch(id)
	table := c.object(0, mostWords)
	if c.out[0] = table[at]; c.args[1] != 0 {
		table[at] = c.args[2]
	}
	return ctlNext
}
