// SPDX-License-Identifier: BSD-3-Clause

package judge

import "slices"

// The versions of each key that transactions write, who reads them, and which follow each other directly (serialize.go).

// version is what one transaction left in a key.
type version struct {
	writer  int32 // a transaction; -1: the initial value
	readers []int32
	next    int32 // the version whose writer read this one, as a number of the key's versions; -1: none
	chained bool  // some version is followed by this one
}

// versions are those of a key; number 0 is the initial one.
type versions struct {
	key    Value
	list   []version
	of     map[Value]int32 // by value written: the version
	inner  map[Value]int32 // by value that its transaction overwrote or extended: the transaction
	isList bool
	lists  []reading // of a key with lists: what was read
	chains []chainOf
	rivals [][2]int32 // transactions that would both have to write directly behind one version
}

// reading is a list that a transaction read, without what it appended before by itself.
type reading struct {
	by   int32
	list []Value
}

// chainOf are versions that follow each other directly.
type chainOf struct {
	first, last int32 // versions
	early, late int32 // the least End and the greatest Begin of its transactions
}

// collect makes the versions and finds who reads them. It is false if a value of a key is written twice, or a key is both written and appended to.
func (s *serializer) collect() bool {
	if !s.collectWrites() {
		return false
	}
	s.leaveOut()
	for i := range s.calls {
		s.writes(int32(i))
	}
	type own struct {
		wrote  bool
		value  Value   // that was written last
		adds   []Value // that were appended
		read   bool    // of the key as it was before the transaction
		before Value
	}
	for i := range s.calls {
		if s.calls[i].Unknown {
			continue
		}
		mine := map[Value]*own{}
		for _, step := range s.steps[i] {
			k := s.keyOf(step.Key)
			o := mine[step.Key]
			if o == nil {
				o = &own{}
				mine[step.Key] = o
			}
			switch {
			case step.Op == Write:
				o.wrote, o.value = true, step.Value
			case step.Op == Append:
				o.adds = append(o.adds, step.Value)
			case o.wrote:
				if step.Value != o.value {
					s.violated(int32(i))
				}
			default:
				before, fits := s.before(k, step.Value, o.adds)
				if !fits || o.read && o.before != before {
					s.violated(int32(i))
				}
				if !o.read {
					s.reads(k, int32(i), before)
				}
				o.read, o.before = true, before
			}
		}
	}
	for _, k := range s.keys {
		if k.isList {
			s.longest(k)
		}
		s.follow(k)
		s.chain(k)
	}
	return true
}

// collectWrites reads the steps, and reports whether each value of a key is written once, and not the initial one.
func (s *serializer) collectWrites() bool {
	h := s.j.h
	seen := map[cellValue]bool{}
	s.steps = make([][]Step, len(s.calls))
	for i := range s.calls {
		s.steps[i] = h.Steps(&s.calls[i])
		for _, step := range s.steps[i] {
			if step.Op == Read {
				continue
			}
			k := s.keyOf(step.Key)
			v := cellValue{step.Key, step.Value}
			if seen[v] || len(k.inner) > 0 && k.isList != (step.Op == Append) {
				return false
			}
			if step.Op == Write && step.Value == h.Initial {
				return false
			}
			seen[v], k.isList, k.inner[step.Value] = true, step.Op == Append, -1
		}
	}
	for _, k := range s.keys {
		if k.isList && h.Initial != Nil {
			return false
		}
		clear(k.inner)
	}
	return true
}

// leaveOut leaves out the transactions that did not return, unless one that stays has read something that they wrote.
func (s *serializer) leaveOut() {
	writers := map[cellValue]int{}
	stays := make([]bool, len(s.calls))
	var list []int
	for i := range s.calls {
		for _, step := range s.steps[i] {
			if step.Op != Read {
				writers[cellValue{step.Key, step.Value}] = i
			}
		}
		if stays[i] = !s.calls[i].Pending(); stays[i] {
			list = append(list, i)
		}
	}
	read := func(key, v Value) {
		if w, ok := writers[cellValue{key, v}]; ok && !stays[w] {
			stays[w] = true
			list = append(list, w)
		}
	}
	for len(list) > 0 {
		i := list[len(list)-1]
		list = list[:len(list)-1]
		if s.calls[i].Unknown {
			continue
		}
		for _, step := range s.steps[i] {
			if step.Op == Read {
				read(step.Key, step.Value)
				for _, v := range s.j.h.Values.Items(step.Value) {
					read(step.Key, v)
				}
			}
		}
	}
	calls, steps := s.calls, s.steps
	s.calls, s.steps = nil, nil
	for i := range calls {
		if stays[i] {
			s.calls, s.steps = append(s.calls, calls[i]), append(s.steps, steps[i])
		}
	}
	s.nodes = len(s.calls)
}

// writes makes the versions of a transaction.
func (s *serializer) writes(i int32) {
	for n, step := range s.steps[i] {
		if step.Op == Read {
			continue
		}
		k := s.keyOf(step.Key)
		last := true
		for _, later := range s.steps[i][n+1:] {
			last = last && (later.Op == Read || later.Key != step.Key)
		}
		if !last {
			k.inner[step.Value] = i
			continue
		}
		k.of[step.Value] = int32(len(k.list))
		k.list = append(k.list, version{writer: i, next: -1})
	}
}

// before is what a key held before a transaction that has appended adds and then reads v; false if there is no such value.
func (s *serializer) before(k *versions, v Value, adds []Value) (Value, bool) {
	h := s.j.h
	if !k.isList {
		return v, true
	}
	items := h.Values.Items(v)
	if !v.IsList() && v != Nil || len(items) < len(adds) || !slices.Equal(items[len(items)-len(adds):], adds) {
		return 0, false
	}
	return h.Values.List(items[:len(items)-len(adds)]), true
}

// reads notes that a transaction reads a value that it did not write.
func (s *serializer) reads(k *versions, i int32, v Value) {
	if k.isList {
		k.lists = append(k.lists, reading{i, s.j.h.Values.Items(v)})
		return
	}
	n, ok := k.of[v]
	if by, inner := k.inner[v]; !ok && inner {
		s.violated(i, by) // a value that no other transaction can see
		return
	}
	if !ok && v != s.j.h.Initial || ok && k.list[n].writer == i {
		s.violated(i) // a value that was never written, or that the transaction itself writes later
		return
	}
	k.list[n].readers = append(k.list[n].readers, i)
}

// longestRead is the longest list of a key that was read, by -1 if none was.
func (k *versions) longestRead() reading {
	long := reading{by: -1}
	for _, r := range k.lists {
		if len(r.list) > len(long.list) {
			long = r
		}
	}
	return long
}

// longest takes the order of versions from the longest list that was read, and finds the version that each list shows.
func (s *serializer) longest(k *versions) {
	long := k.longestRead()
	at := make([]int32, len(long.list)+1) // by length: the version that a list of it shows; -1: none
	now := int32(0)
	for n, v := range long.list {
		at[n+1] = -1
		if by, inner := k.inner[v]; inner {
			if n+1 == len(long.list) || s.writer(k, long.list[n+1]) != by {
				s.violated(long.by, by) // the rest of what the transaction appended does not follow
				return
			}
			continue
		}
		next, ok := k.of[v]
		if !ok || k.list[next].chained || s.torn(k, long.list[:n+1], k.list[next].writer) {
			s.violated(long.by) // something that was never appended, that occurs twice, or that has others between it and what its transaction appended before
			return
		}
		k.list[now].next, k.list[next].chained = next, true
		now, at[n+1] = next, next
	}
	for _, r := range k.lists {
		switch {
		case !slices.Equal(r.list, long.list[:len(r.list)]):
			s.violated(r.by, long.by) // neither list is the beginning of the other one
			return
		case at[len(r.list)] < 0:
			s.violated(r.by, k.inner[r.list[len(r.list)-1]])
			return
		}
		v := &k.list[at[len(r.list)]]
		if v.writer == r.by {
			s.violated(r.by)
			return
		}
		v.readers = append(v.readers, r.by)
	}
}

// writer is the transaction that wrote a value; -1: none did.
func (s *serializer) writer(k *versions, v Value) int32 {
	if by, inner := k.inner[v]; inner {
		return by
	}
	if n, ok := k.of[v]; ok {
		return k.list[n].writer
	}
	return -1
}

// torn reports whether a list does not end with all that a transaction appended to a key, or has more of it before.
func (s *serializer) torn(k *versions, list []Value, by int32) bool {
	var adds []Value
	for _, step := range s.steps[by] {
		if step.Op == Append && step.Key == k.key {
			adds = append(adds, step.Value)
		}
	}
	if len(list) < len(adds) || !slices.Equal(list[len(list)-len(adds):], adds) {
		return true
	}
	for _, v := range list[:len(list)-len(adds)] {
		if slices.Contains(adds, v) {
			return true
		}
	}
	return false
}

// follow finds the transactions that read a version and write the key. Two of one version are a cycle.
func (s *serializer) follow(k *versions) {
	made := make(map[int32]int32, len(k.list)) // by transaction: the version that it wrote
	for n := 1; n < len(k.list); n++ {
		made[k.list[n].writer] = int32(n)
	}
	for n := range k.list {
		v := &k.list[n]
		for _, r := range v.readers {
			next, writes := made[r]
			switch {
			case !writes || v.next == next:
			case v.next >= 0:
				k.rivals = append(k.rivals, [2]int32{r, k.list[v.next].writer}) // both would have to come directly behind the version
			default:
				v.next, k.list[next].chained = next, true
			}
		}
	}
}

// chain lists the chains of a key.
func (s *serializer) chain(k *versions) {
	for n := range k.list {
		if n > 0 && k.list[n].chained {
			continue
		}
		c := chainOf{first: int32(n), last: int32(n), early: Never, late: -1}
		see := func(i int32) {
			c.early, c.late = min(c.early, s.calls[i].End), max(c.late, s.calls[i].Begin)
		}
		for at, left := int32(n), len(k.list); at >= 0 && left > 0; at, left = k.list[at].next, left-1 {
			c.last = at
			if w := k.list[at].writer; w >= 0 {
				see(w)
			}
			for _, r := range k.list[at].readers {
				see(r)
			}
		}
		k.chains = append(k.chains, c)
	}
}
