// SPDX-License-Identifier: BSD-3-Clause

package judge

// part are the calls of one key, or all calls of the history.
type part struct {
	key     Value
	divided bool
	calls   []Call
	// searched is true if the part has to be searched, because some value is written or put twice.
	searched bool
	search   *search // what its last turn has left; nil: nothing
	carried  int64   // bytes of that
}

// parts divides a history of a map or a set by key, if the property allows that: that each key's
// part is sequentially consistent does not imply it of the whole. Calls that constrain nothing are
// left out. The calls of a part are ordered by Begin.
func (j *job) parts() []part {
	divided := j.o.Property == Linear && (j.h.Kind == Map || j.h.Kind == Set || j.h.Kind == Object && j.h.keyed)
	if !divided {
		all := part{calls: make([]Call, 0, len(j.h.Calls))}
		for i := range j.h.Calls {
			if c := &j.h.Calls[i]; !c.idle() {
				all.calls = append(all.calls, *c)
			}
		}
		return []part{all}
	}
	numbers := map[Value]int{}
	of := make([]int32, len(j.h.Calls))
	var parts []part
	var sizes []int
	for i := range j.h.Calls {
		c := &j.h.Calls[i]
		if c.idle() {
			of[i] = -1
			continue
		}
		n, ok := numbers[c.Key]
		if !ok {
			n = len(parts)
			numbers[c.Key] = n
			parts = append(parts, part{key: c.Key, divided: true})
			sizes = append(sizes, 0)
		}
		of[i] = int32(n)
		sizes[n]++
	}
	for i := range j.h.Calls {
		n := of[i]
		if n < 0 {
			continue
		}
		if parts[n].calls == nil {
			parts[n].calls = make([]Call, 0, sizes[n])
		}
		parts[n].calls = append(parts[n].calls, j.h.Calls[i])
	}
	return parts
}
