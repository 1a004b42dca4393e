// SPDX-License-Identifier: BSD-3-Clause

package parts

import "testing"

// Two threads may both lead to an object, or hold an item, that the heap has lost: they meet if one is the same.
func TestLost_MeetsIfTwoThreadsHoldTheSame(t *testing.T) {
	for _, c := range []struct {
		what string
		a, b lost
		want bool
	}{
		{"nothing", lost{}, lost{}, false},
		{"different objects", lost{objects: 1}, lost{objects: 2}, false},
		{"different items", lost{items: 4}, lost{items: 8}, false},
		{"an object and an item of the same number", lost{objects: 1}, lost{items: 1}, false},
		{"one object", lost{objects: 3}, lost{objects: 6}, true},
		{"one item", lost{items: 1 << 31}, lost{items: 1<<31 | 1}, true},
	} {
		if c.a.meets(c.b) != c.want || c.b.meets(c.a) != c.want {
			t.Errorf("%s: meets is not %t", c.what, c.want)
		}
		if both := c.a.and(c.b); both.objects != c.a.objects|c.b.objects || both.items != c.a.items|c.b.items {
			t.Errorf("%s: together %v", c.what, both)
		}
	}
}
