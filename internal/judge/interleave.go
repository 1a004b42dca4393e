// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"encoding/binary"
)

// Sequential consistency: is there an order that keeps each client's calls in their order? The
// search lets one client's next call after another's take effect. A configuration is how many calls
// of each client have done so, and the state. A pure call (search.go) takes effect at once, since
// only its own client's order binds it. A call that did not return counts as a client of its own
// and may be left out; it comes after the calls that its client made before it.

// bound says that the order keeps each client's calls in theirs; transactions that are serializable have any order.
func (j *job) interleave(calls []Call, bound bool) outcome {
	s := &interleaving{m: newModel(j.h, true), calls: calls, done: j.ctx.Done(), room: j.o.MaxMemory, slow: j.h.Kind == Object}
	number := map[int32]int{}
	for i := range calls {
		c := &calls[i]
		n, ok := number[c.Client]
		if !ok || c.Pending() {
			first := behind{client: -1}
			if ok {
				first = behind{n, int32(len(s.clients[n]))}
			}
			n = len(s.clients)
			s.clients, s.behind = append(s.clients, nil), append(s.behind, first)
			if bound && !c.Pending() {
				number[c.Client] = n
			}
		}
		s.clients[n] = append(s.clients[n], int32(i))
		if !c.Pending() {
			s.left++
		}
	}
	s.at, s.failed = make([]int32, len(s.clients)), map[string]struct{}{}
	all := s.left
	got := outcome{way: "search"}
	s.least = all
	switch {
	case s.from(s.m.initial()):
	case s.reason != "":
		got.status, got.reason = Unknown, s.reason
		if s.reason == limitTime {
			got.reason = j.overtime()
		}
	default:
		got.status, got.calls = Violated, calls
	}
	got.explained = all - s.least
	return got
}

type interleaving struct {
	m       model
	calls   []Call
	clients [][]int32
	behind  []behind // by client: the client that it has to wait for
	at      []int32
	left    int // number of calls that still have to take effect
	least   int // the least value that left has had
	failed  map[string]struct{}
	room    int64
	nodes   int
	slow    bool // steps take long: an object's
	done    <-chan struct{}
	reason  string
	key     []byte
}

// behind tells how many calls of a client have to take effect before those of another one. A client
// below 0 is none.
type behind struct {
	client int
	calls  int32
}

// held reports whether client n's next call has to wait for calls of another client.
func (s *interleaving) held(n int) bool {
	b := s.behind[n]
	return b.client >= 0 && s.at[b.client] < b.calls
}

// from reports whether an order goes on from the state. The recursion is as deep as there are calls
// that change states.
func (s *interleaving) from(state Value) bool {
	var undo []int
	for again := true; again; {
		again = false
		for n, list := range s.clients {
			for int(s.at[n]) < len(list) {
				c := &s.calls[list[s.at[n]]]
				if !c.pure() || s.held(n) || len(s.m.step(state, c, nil)) == 0 {
					break
				}
				s.advance(n, 1)
				undo = append(undo, n)
				again = true
			}
		}
	}
	s.least = min(s.least, s.left)
	if s.left == 0 {
		return true
	}
	ok := s.tryEach(state)
	for _, n := range undo {
		s.advance(n, -1)
	}
	return ok
}

func (s *interleaving) advance(n int, by int32) {
	if by < 0 {
		s.at[n]--
	}
	if !s.calls[s.clients[n][s.at[n]]].Pending() {
		s.left -= int(by)
	}
	if by > 0 {
		s.at[n]++
	}
}

func (s *interleaving) tryEach(state Value) bool {
	s.key = s.key[:0]
	for _, at := range s.at {
		s.key = binary.AppendUvarint(s.key, uint64(at))
	}
	key := string(binary.AppendVarint(s.key, int64(state)))
	if _, ok := s.failed[key]; ok {
		return false
	}
	if s.room < s.m.bytes() {
		s.reason = limitMemory
		return false
	}
	if s.nodes++; s.slow || s.nodes&0x3ff == 0 {
		select {
		case <-s.done:
			s.reason = limitTime
		default:
		}
	}
	for n, list := range s.clients {
		if int(s.at[n]) == len(list) || s.held(n) {
			continue
		}
		for _, next := range s.m.step(state, &s.calls[list[s.at[n]]], nil) {
			s.advance(n, 1)
			ok := s.from(next)
			if ok {
				return true
			}
			s.advance(n, -1)
			if s.reason != "" {
				return false
			}
		}
	}
	if s.room -= int64(len(key)) + 48; s.room < s.m.bytes() {
		s.reason = limitMemory
		return false
	}
	s.failed[key] = struct{}{}
	return false
}
