package native

import (
	"slices"
	"strconv"
	"strings"
)

// reply is what a specification says to a call: whether it succeeds, and with which value.
type reply struct {
	ok    bool
	value int64
	has   bool // there is a value
}

// specification is a sequential object. A state is a list of numbers that is never
// changed; what they mean is its own business.
type specification map[string]func(state []int64, a []int64) ([]int64, reply)

// Specifications are the sequential objects that a Subject may name as its oracle, with
// the roles that their operations have. A role that ends in "!" waits where the one without
// fails.
func Specifications() map[string][]string {
	out := map[string][]string{}
	for name, s := range specifications {
		for role := range s {
			out[name] = append(out[name], role)
		}
		if name == "pqueue" {
			out[name] = append(out[name], "take", "peek")
		}
		slices.Sort(out[name])
	}
	return out
}

func yes(s []int64) ([]int64, reply)            { return s, reply{ok: true} }
func no(s []int64) ([]int64, reply)             { return s, reply{} }
func is(s []int64, b bool) ([]int64, reply)     { return s, reply{ok: b} }
func gives(s []int64, v int64) ([]int64, reply) { return s, reply{ok: true, value: v, has: true} }

func with(s []int64, v ...int64) []int64 { return append(slices.Clone(s), v...) }

func without(s []int64, i int) []int64 { return slices.Delete(slices.Clone(s), i, i+1) }

func size(s, _ []int64) ([]int64, reply) { return gives(s, int64(len(s))) }

func empty(s, _ []int64) ([]int64, reply) { return is(s, len(s) == 0) }

func addLast(s, a []int64) ([]int64, reply) { return yes(with(s, a[0])) }

func addFirst(s, a []int64) ([]int64, reply) { return yes(append([]int64{a[0]}, s...)) }

// takeAt removes the element that an index function picks.
func takeAt(index func(s []int64) int) func(s, a []int64) ([]int64, reply) {
	return func(s, _ []int64) ([]int64, reply) {
		if len(s) == 0 {
			return no(s)
		}
		i := index(s)
		next, r := gives(without(s, i), s[i])
		return next, r
	}
}

// lookAt is takeAt without removing.
func lookAt(index func(s []int64) int) func(s, a []int64) ([]int64, reply) {
	return func(s, _ []int64) ([]int64, reply) {
		if len(s) == 0 {
			return no(s)
		}
		return gives(s, s[index(s)])
	}
}

func first([]int64) int  { return 0 }
func last(s []int64) int { return len(s) - 1 }

var specifications = map[string]specification{
	"set": {
		"add": func(s, a []int64) ([]int64, reply) {
			if slices.Contains(s, a[0]) {
				return no(s)
			}
			return yes(with(s, a[0]))
		},
		"remove": func(s, a []int64) ([]int64, reply) {
			if i := slices.Index(s, a[0]); i >= 0 {
				return yes(without(s, i))
			}
			return no(s)
		},
		"contains": func(s, a []int64) ([]int64, reply) { return is(s, slices.Contains(s, a[0])) },
		"size":     size, "empty": empty,
	},
	"queue": {"put": addLast, "take": takeAt(first), "peek": lookAt(first), "size": size, "empty": empty},
	"stack": {"put": addLast, "take": takeAt(last), "peek": lookAt(last), "size": size, "empty": empty},
	"deque": {"putfirst": addFirst, "putlast": addLast, "takefirst": takeAt(first), "takelast": takeAt(last), "size": size, "empty": empty},
	"counter": {
		"inc":    func(s, _ []int64) ([]int64, reply) { return gives(number(s, 1), at(s)+1) },
		"dec":    func(s, _ []int64) ([]int64, reply) { return gives(number(s, -1), at(s)-1) },
		"add":    func(s, a []int64) ([]int64, reply) { return gives(number(s, a[0]), at(s)+a[0]) },
		"getinc": func(s, _ []int64) ([]int64, reply) { return gives(number(s, 1), at(s)) },
		"getadd": func(s, a []int64) ([]int64, reply) { return gives(number(s, a[0]), at(s)) },
		"get":    func(s, _ []int64) ([]int64, reply) { return gives(s, at(s)) },
	},
	"register": {
		"write": func(s, a []int64) ([]int64, reply) { return yes([]int64{a[0]}) },
		"read":  func(s, _ []int64) ([]int64, reply) { return gives(s, at(s)) },
		"swap":  func(s, a []int64) ([]int64, reply) { return gives([]int64{a[0]}, at(s)) },
		"cas": func(s, a []int64) ([]int64, reply) {
			if at(s) != a[0] {
				return no(s)
			}
			return yes([]int64{a[1]})
		},
	},
	// The state has an item and its priority, in turn. An item without a priority is its own.
	"pqueue": {
		"put":   func(s, a []int64) ([]int64, reply) { return yes(with(s, a[0], a[len(a)-1])) },
		"empty": empty,
		"size":  func(s, _ []int64) ([]int64, reply) { return gives(s, int64(len(s)/2)) },
	},
	"map": {
		"set": func(s, a []int64) ([]int64, reply) {
			if i := key(s, a[0]); i >= 0 {
				next := slices.Clone(s)
				next[i+1] = a[1]
				return yes(next)
			}
			return yes(with(s, a[0], a[1]))
		},
		"insert": func(s, a []int64) ([]int64, reply) {
			if key(s, a[0]) >= 0 {
				return no(s)
			}
			return yes(with(s, a[0], a[1]))
		},
		"get": func(s, a []int64) ([]int64, reply) {
			if i := key(s, a[0]); i >= 0 {
				return gives(s, s[i+1])
			}
			return no(s)
		},
		"delete": func(s, a []int64) ([]int64, reply) {
			if i := key(s, a[0]); i >= 0 {
				return yes(slices.Delete(slices.Clone(s), i, i+2))
			}
			return no(s)
		},
		"contains": func(s, a []int64) ([]int64, reply) { return is(s, key(s, a[0]) >= 0) },
		"size":     func(s, _ []int64) ([]int64, reply) { return gives(s, int64(len(s)/2)) },
	},
}

// at is the number that the state of a counter or a register holds.
func at(s []int64) int64 {
	if len(s) == 0 {
		return 0
	}
	return s[0]
}

func number(s []int64, delta int64) []int64 { return []int64{at(s) + delta} }

// key is the index of a key in the state of a map, whose keys and values alternate.
func key(s []int64, k int64) int {
	for i := 0; i < len(s); i += 2 {
		if s[i] == k {
			return i
		}
	}
	return -1
}

// sequential is a specification with its capacity.
type sequential struct {
	specification
	capacity int
}

// answer is one way in which a specification may answer a call.
type answer struct {
	next  []int64
	reply reply
}

// apply makes a call and gives all answers; none means that it waits in this state.
func (q sequential) apply(state []int64, role string, args []int64) []answer {
	name, waiting := strings.CutSuffix(role, "!")
	var list []answer
	switch {
	case strings.HasPrefix(name, "put") && q.capacity > 0 && len(state) >= q.capacity:
		list = []answer{{next: state}}
	case q.specification[name] == nil:
		list = leastOf(state, name == "peek")
	default:
		next, r := q.specification[name](state, args)
		list = []answer{{next, r}}
	}
	if waiting {
		list = slices.DeleteFunc(list, func(a answer) bool { return !a.reply.ok })
	}
	return list
}

// leastOf takes any item of a priority queue that has the least priority.
func leastOf(s []int64, peek bool) []answer {
	if len(s) == 0 {
		return []answer{{next: s}}
	}
	low := s[1]
	for i := 1; i < len(s); i += 2 {
		low = min(low, s[i])
	}
	var list []answer
	for i := 0; i < len(s); i += 2 {
		if s[i+1] != low {
			continue
		}
		next := s
		if !peek {
			next = slices.Delete(slices.Clone(s), i, i+2)
		}
		list = append(list, answer{next, reply{ok: true, value: s[i], has: true}})
	}
	return list
}

// fits says whether results, as text, are those of a reply. Truth values and errors tell
// success; another result is the value, which a failure leaves open if something else
// tells it, and which is then zero if nothing does.
func (r reply) fits(results []string) bool {
	told := false
	for _, text := range results {
		switch {
		case text == "true" || text == "<nil>":
			told = true
			if !r.ok {
				return false
			}
		case text == "false" || !isNumber(text):
			told = true
			if r.ok {
				return false
			}
		}
	}
	for _, text := range results {
		if !isNumber(text) {
			continue
		}
		if v, _ := strconv.ParseInt(text, 10, 64); r.ok && r.has && v != r.value || !r.ok && !told && v > 0 {
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// SPDX-License-Identifier: BSD-3-Clause
