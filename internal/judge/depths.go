// SPDX-License-Identifier: BSD-3-Clause

package judge

// depths counts for each moment how many spans contain it. It is a tree over moments: a node has
// the number that was added to all moments below it, and the least count below it without what was
// added above.
type depths struct {
	size  int
	added []int32
	least []int32
}

func newDepths(moments int) *depths {
	d := &depths{size: 1}
	for d.size < moments {
		d.size *= 2
	}
	d.added = make([]int32, 2*d.size)
	d.least = make([]int32, 2*d.size)
	return d
}

// difference adds one to the moments from one to before another. It must be called before build.
func (d *depths) difference(from, to int) {
	d.least[d.size+from]++
	if to < d.size {
		d.least[d.size+to]--
	}
}

// build computes the tree from the differences.
func (d *depths) build() {
	for i := d.size + 1; i < 2*d.size; i++ {
		d.least[i] += d.least[i-1]
	}
	for i := d.size - 1; i > 0; i-- {
		d.least[i] = min(d.least[2*i], d.least[2*i+1])
	}
}

// remove subtracts one from the moments from one to before another.
func (d *depths) remove(from, to int) { d.removeIn(1, 0, d.size, [2]int{from, to}) }

func (d *depths) removeIn(node, at, size int, r [2]int) {
	if r[0] >= at+size || r[1] <= at {
		return
	}
	if r[0] <= at && at+size <= r[1] {
		d.added[node]--
		d.least[node]--
		return
	}
	d.removeIn(2*node, at, size/2, r)
	d.removeIn(2*node+1, at+size/2, size/2, r)
	d.least[node] = min(d.least[2*node], d.least[2*node+1]) + d.added[node]
}

// zero is the first moment in a range that no span contains; -1 if there is none.
func (d *depths) zero(from, to int) int {
	var in func(node, at, size int, above int32) int
	in = func(node, at, size int, above int32) int {
		if from >= at+size || to < at || d.least[node]+above > 0 {
			return -1
		}
		if size == 1 {
			return at
		}
		above += d.added[node]
		if z := in(2*node, at, size/2, above); z >= 0 {
			return z
		}
		return in(2*node+1, at+size/2, size/2, above)
	}
	return in(1, 0, d.size, 0)
}
