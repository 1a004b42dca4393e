// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"bytes"
	"slices"

	"pangolin/oracle"
)

// speculation is the judge of a policy some of whose announcements may be made or not: what is
// right is known later. Its states are sets of those of the judge of definite announcements, one
// for each way of having made them; a way that breaks a rule is given up, and the history is
// rejected when none is left. So the intermediate system of the paper on model checking nonblocking
// algorithms (several steps may be the linearization point) is followed without a search of its
// own.
type speculation struct{ one *announced }

// ways reads the states of a set.
func (s *speculation) ways(words string) []string {
	r := &reader{words}
	out := make([]string, r.u16())
	for i := range out {
		n := int(r.u16())
		out[i], r.rest = r.rest[:n], r.rest[n:]
	}
	return out
}

// first is the first state of a set. The pending calls are the same in all.
func (s *speculation) first(words string) string {
	r := &reader{words}
	r.u16()
	n := int(r.u16())
	return r.rest[:n]
}

// write writes a set; nil if it is empty.
func (s *speculation) write(ways [][]byte) []byte {
	ways = slices.DeleteFunc(ways, func(w []byte) bool { return w == nil })
	if len(ways) == 0 {
		return nil
	}
	slices.SortFunc(ways, bytes.Compare)
	ways = s.largest(slices.CompactFunc(ways, bytes.Equal))
	w := &writer{}
	w.u16(uint16(len(ways)))
	for _, one := range ways {
		w.u16(uint16(len(one)))
		w.buf = append(w.buf, one...)
	}
	return w.buf
}

// largest removes ways that another one makes superfluous: it differs only in that calls may return
// more. Whatever is accepted after the one is accepted after the other.
func (s *speculation) largest(ways [][]byte) [][]byte {
	if len(ways) == 1 {
		return ways
	}
	states := make([]announcedState, len(ways))
	for i, w := range ways {
		s.one.read(&states[i], string(w))
	}
	var out [][]byte
	for i := range states {
		superfluous := false
		for k := range states {
			superfluous = superfluous || i != k && s.one.within(&states[i], &states[k])
		}
		if !superfluous {
			out = append(out, ways[i])
		}
	}
	return out
}

// each applies f to all ways.
func (s *speculation) each(words string, f func(words string) []byte) []byte {
	var out [][]byte
	for _, w := range s.ways(words) {
		out = append(out, f(w))
	}
	return s.write(out)
}

func (s *speculation) initial(state oracle.StateID) []byte {
	return s.write([][]byte{s.one.initial(state)})
}

func (s *speculation) invoke(words string, thread int, c oracle.CallID) []byte {
	return s.each(words, func(w string) []byte { return s.one.invoke(w, thread, c) })
}

func (s *speculation) respond(words string, thread int, r oracle.ResultID) []byte {
	return s.each(words, func(w string) []byte { return s.one.respond(w, thread, r) })
}

func (s *speculation) announce(words string, a Announcement) []byte {
	var out [][]byte
	for _, w := range s.ways(words) {
		if a.May {
			out = append(out, []byte(w))
		}
		out = append(out, s.one.announce(w, a))
	}
	return s.write(out)
}

// union is the union of several sets.
func (s *speculation) union(sets []string) []byte {
	var out [][]byte
	for _, set := range sets {
		for _, w := range s.ways(set) {
			out = append(out, []byte(w))
		}
	}
	return s.write(out)
}

func (s *speculation) pending(words string, thread int) oracle.CallID {
	return s.one.pending(s.first(words), thread)
}

func (s *speculation) mayReturn(words string, thread int) []uint16 {
	var out []uint16
	for _, w := range s.ways(words) {
		out = append(out, s.one.mayReturn(w, thread)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *speculation) busy(words string) ThreadSet { return s.one.busy(s.first(words)) }

func (s *speculation) complete(words string) bool {
	return slices.ContainsFunc(s.ways(words), s.one.complete)
}

// blocked returns -1 if all stuck calls may be stuck in one of the ways.
func (s *speculation) blocked(words string, stuck ThreadSet) int {
	first := -1
	for i, w := range s.ways(words) {
		t := s.one.blocked(w, stuck)
		if t < 0 {
			return -1
		}
		if i == 0 {
			first = t
		}
	}
	return first
}

func (s *speculation) permute(words string, p Perm) []byte {
	return s.each(words, func(w string) []byte { return s.one.permute(w, p) })
}

func (s *speculation) rename(words string, r oracle.RenamingID) []byte {
	return s.each(words, func(w string) []byte { return s.one.rename(w, r) })
}

func (s *speculation) names(words string, n *oracle.Names) {
	for _, w := range s.ways(words) {
		s.one.names(w, n)
	}
}

// describe adds up the descriptions of the ways, as their order depends on numbers.
func (s *speculation) describe(words string, signatures []uint64) (content uint64) {
	var room [MaxThreads]uint64
	for _, w := range s.ways(words) {
		clear(room[:])
		content = addWay(content, s.one.describe(w, room[:len(signatures)]), signatures, &room)
	}
	return content
}

// addWay adds the hashes of one way to those of a set.
func addWay(content, way uint64, signatures []uint64, ofWay *[MaxThreads]uint64) uint64 {
	for t := range signatures {
		signatures[t] += mix(ofWay[t], 7)
	}
	return content + mix(way, 5)
}
