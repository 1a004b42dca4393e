// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"pangolin/oracle"
)

// view is a state in which a read may have looked.
type view struct {
	state oracle.StateID
	// skip are calls in progress that have taken effect, but not in this state; of some and between.
	skip ThreadSet
	// missed are the keys of which a call was not seen, as varints, ascending: no later call with this key is seen; of parts.
	missed string
}

func compareViews(a, b view) int {
	return cmp.Or(cmp.Compare(a.state, b.state), cmp.Compare(a.skip, b.skip), strings.Compare(a.missed, b.missed))
}

// sorted sorts views, and removes repetitions.
func sorted(list []view) []view {
	slices.SortFunc(list, compareViews)
	return slices.Compact(list)
}

func (w *writer) views(list []view) {
	w.u32(uint32(len(list)))
	for _, v := range list {
		w.u32(uint32(v.state))
		w.u16(uint16(v.skip))
		w.u32(uint32(len(v.missed)))
		w.buf = append(w.buf, v.missed...)
	}
}

func (r *reader) views() (list []view) {
	for range r.u32() {
		v := view{state: oracle.StateID(r.u32()), skip: ThreadSet(r.u16())}
		n := r.u32()
		v.missed, r.rest = r.rest[:n], r.rest[n:]
		list = append(list, v)
	}
	return list
}

// partOf is the part that a call is about: a key, or one of its own.
type partOf struct {
	key   int64
	keyed bool
}

// part are the views from one of them behind a call, which is seen or not.
func (o overlapping) part(v view, call oracle.CallID, of partOf) (list []view) {
	if of.keyed && misses(v.missed, of.key) {
		return []view{v}
	}
	for _, to := range o.applied(v.state, call) {
		list = append(list, view{state: to, missed: v.missed})
	}
	if len(list) == 1 && list[0] == v { // seen or not is the same
		return list
	}
	if of.keyed {
		v.missed = missing(v.missed, of.key)
	}
	return append(list, v)
}

func misses(missed string, key int64) bool { return slices.Contains(keysOf(missed), key) }

func missing(missed string, key int64) string {
	keys := append(keysOf(missed), key)
	slices.Sort(keys)
	return textOf(slices.Compact(keys))
}

func keysOf(missed string) (keys []int64) {
	for buf := []byte(missed); len(buf) > 0; {
		v, n := binary.Varint(buf)
		keys, buf = append(keys, v), buf[n:]
	}
	return keys
}

func textOf(keys []int64) string {
	var buf []byte
	for _, k := range keys {
		buf = binary.AppendVarint(buf, k)
	}
	return string(buf)
}
