// SPDX-License-Identifier: BSD-3-Clause

package pairs

// BesideAll lets the checker make each step beside each other thread as well, and tells what one thread sees behind the step of another: the
// numbers of their views, and a key for what is seen. Of each step it is told first all that is seen if it is made beside the other
// thread, and then all that is seen in the memory that the step has left behind alone.
func (c *Checker) BesideAll(saw func(a, b int, key string)) {
	number := map[*view]int{}
	for _, m := range c.memories {
		for _, v := range m.views {
			number[v] = len(number)
		}
	}
	c.allBeside = true
	c.saw = func(a, b *view, key []byte) { saw(number[a], number[b], string(key)) }
}
