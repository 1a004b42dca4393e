// SPDX-License-Identifier: BSD-3-Clause

package judge

// index numbers values. Values that are close together are numbered by a table, others by a map.
type index struct {
	low   Value
	table []int32 // number plus one, by value
	rest  map[Value]int32
}

// newIndex makes an empty index for the values of calls.
func newIndex(calls []Call) index {
	low, high := Value(MaxInt), Value(-MaxInt)
	for i := range calls {
		c := &calls[i]
		for _, v := range [...]Value{c.A, c.B, c.R} {
			if v.IsInteger() {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	x := index{low: low}
	if high >= low && int64(high-low) < 8*int64(len(calls))+64 {
		x.table = make([]int32, high-low+1)
	}
	return x
}

// get is the number of a value; -1 if it has none.
func (x *index) get(v Value) int32 {
	if at := v - x.low; v >= x.low && at < Value(len(x.table)) {
		return x.table[at] - 1
	}
	if n, ok := x.rest[v]; ok {
		return n
	}
	return -1
}

func (x *index) put(v Value, n int32) {
	if at := v - x.low; v >= x.low && at < Value(len(x.table)) {
		x.table[at] = n + 1
		return
	}
	if x.rest == nil {
		x.rest = map[Value]int32{}
	}
	x.rest[v] = n
}
