// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Strings interns the strings of a program's executions: a String word is an
// index, and two words are equal iff the strings are. Indices depend on the order
// in which strings appear, so nothing that is printed or ordered may rest on
// them. It is safe for concurrent use.
type Strings struct {
	mu    sync.RWMutex
	ids   map[string]uint64
	bytes atomic.Int64
	list  atomic.Pointer[[]string]
}

func newStrings(first []string) *Strings {
	s := &Strings{ids: make(map[string]uint64, len(first))}
	list := append(make([]string, 0, len(first)+64), first...)
	if len(list) == 0 {
		list = append(list, "")
	}
	for i, v := range list {
		s.ids[v] = uint64(i)
	}
	s.list.Store(&list)
	return s
}

// Text returns the string of a word.
func (s *Strings) Text(w uint64) string { return (*s.list.Load())[w&^Borrowed] }

// Constants is the number of strings that the program names itself: they have the first numbers.
func (g *Ground) Constants() int { return max(len(g.Prog.Strings), 1) }

// All lists the strings that there are so far.
func (s *Strings) All() []string { return *s.list.Load() }

// Word returns the word of a string.
func (s *Strings) Word(v string) uint64 {
	if v == "" {
		return 0
	}
	s.mu.RLock()
	id, ok := s.ids[v]
	s.mu.RUnlock()
	if ok {
		return id
	}
	return s.add(v)
}

func (s *Strings) add(v string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := s.ids[v]; ok {
		return id
	}
	list := append(*s.list.Load(), v)
	id := uint64(len(list) - 1)
	s.list.Store(&list)
	s.ids[v] = id
	s.bytes.Add(int64(len(v)) + stringOverhead)
	return id
}

// stringOverhead estimates the bytes of an interned string besides its text.
const stringOverhead = 64

// Bytes estimates the memory of all strings except the program's constants. No string is ever
// dropped.
func (s *Strings) Bytes() int64 { return s.bytes.Load() }

// Join interns the concatenation of two strings, unless the program's strings grow without end.
func (m *State) Join(a, b string) uint64 {
	if int64(len(a)+len(b))+m.img.Strings.Bytes() > m.Limits.Strings {
		m.Fail(FaultMemory, fmt.Sprintf("strings without end: they take more than %d MiB", m.Limits.Strings>>20))
		return 0
	}
	return m.img.Strings.Word(a + b)
}
