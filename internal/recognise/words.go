// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"strings"
	"unicode"

	"pangolin/internal/collection"
)

// words splits an identifier into lower-case words: "TryPushHTTPItem" is try,
// push, http, item.
func words(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_' || r == '/' || r == '-' || r == '.':
			flush(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r):
			endOfRun := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(runes[i-1]) || endOfRun {
				flush(i)
			}
		}
	}
	flush(len(runes))
	return out
}

// fold is an identifier in lower case without underscores.
func fold(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// untried drops a leading "try" and reports whether there was one.
func untried(name string) (string, bool) {
	folded := fold(name)
	rest := strings.TrimPrefix(folded, "try")
	return rest, rest != folded && rest != ""
}

// hints are words of a type's or a package's name that tell a kind.
type hints struct {
	fifo, lifo, priority, synchronous, unbounded, forgets bool
	first                                                 string // of a MinHeap Smallest, of a MaxHeap Largest
}

func hintsOf(name string) hints {
	low := strings.ReplaceAll(fold(name), "asynchronous", "") // which is not synchronous
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(low, s) })
	}
	first := ""
	if isHeap(name) || isPQueue(name) || has("priority") {
		smallest, largest := ofItems(name, "min"), ofItems(name, "max")
		switch {
		case smallest && !largest:
			first = collection.Smallest
		case largest && !smallest:
			first = collection.Largest
		}
	}
	return hints{
		first:       first,
		fifo:        has("queue", "fifo", "buffer", "channel", "mailbox", "pipe") || slices.ContainsFunc(words(name), func(w string) bool { return w == "chan" || strings.HasPrefix(w, "ring") }), // a string is no ring
		lifo:        has("stack", "lifo"),
		priority:    has("priority") || isHeap(name) || isPQueue(name),
		synchronous: has("synchronous", "rendezvous", "handoff", "handover"),
		unbounded:   has("unbounded", "growable", "dynamic", "infinite"),
		forgets:     has("cache", "lru", "lfu", "evict", "expir"),
	}
}

// ofItems reports whether a name has a word, min or max, that is about items, and not about how many there are: MaxHeap, but not MaxSizeHeap.
func ofItems(name, word string) bool {
	list := words(name)
	i := slices.Index(list, word)
	return i >= 0 && (i+1 == len(list) || !slices.Contains([]string{"size", "len", "length", "cap", "capacity", "count", "items", "entries"}, list[i+1]))
}

// isHeap reports whether a name has a heap in it: MinHeap and minheap, but not CheapQueue.
func isHeap(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return strings.Contains(strings.ReplaceAll(w, "cheap", ""), "heap") })
}

// isPQueue reports whether a name says that something is a priority queue for short: PQueue, MinPQ and pqueue, but not GroupQueue.
func isPQueue(name string) bool {
	list := words(name)
	for i, w := range list {
		if w == "pqueue" || w == "pq" || w == "p" && i+1 < len(list) && list[i+1] == "queue" {
			return true
		}
	}
	return false
}

// order decides between first in first out and last in first out; a type's own
// name counts before its package's.
func (h hints) order(pkg hints) (fifo, lifo bool) {
	if h.fifo || h.lifo {
		return h.fifo && !h.lifo, h.lifo
	}
	return pkg.fifo && !pkg.lifo, pkg.lifo && !pkg.fifo
}
