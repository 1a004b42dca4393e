// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strings"

	"pangolin/internal/ir"
)

// Functions without code, and those that read the clock.

// isClock says whether a function is time.Now, or the model of it.
func isClock(f *ir.Func) bool {
	return f.Name == "time.Now" || f.Model && f.Name == "pangolin/prelude.timeNow"
}

// clock reads the clock. Between two calls that have the lock for writing time goes on as it does between two calls one after the other.
func (c *checker) clock(at spot, s *state, t target) ([]outcome, error) {
	if !s.phase.locksOut() && s.phase != making {
		return nil, c.reject(at, "%s reads the clock in the phase %v", c.calls[at.call].fn.Short, s.phase)
	}
	return []outcome{{s, s.contents(foreign, layoutOf(t.fn.Results))}}, nil
}

// operation is what one on a lock does: the phases behind it, by those in which it is allowed.
type operation map[phase]phase

var (
	takes    = operation{before: writing}
	gives    = operation{writing: after, writingPlus: after}
	takesFor = operation{before: reading}
	givesFor = operation{reading: after, readingPlus: after}
)

// locks are the operations on locks.
var locks = map[string]operation{
	"(*sync.Mutex).Lock":      takes,
	"(*sync.Mutex).Unlock":    gives,
	"(*sync.RWMutex).Lock":    takes,
	"(*sync.RWMutex).Unlock":  gives,
	"(*sync.RWMutex).RLock":   takesFor,
	"(*sync.RWMutex).RUnlock": givesFor,
}

// calculates are functions without code that only compute with numbers and strings, or choose a number.
var calculates = map[string]bool{
	"runtime.Gosched": true, "pangolin/mark.Choose": true, "pangolin/prelude.choose": true, "pangolin/prelude.chooseNumber": true, "pangolin/prelude.chooseQuarter": true, "pangolin/prelude.inTest": true,
	// Those of the model of package time that tell the machine what is done with moments.
	"pangolin/prelude.comparesTimes": true, "pangolin/prelude.subtractsTimes": true, "pangolin/prelude.addedTime": true, "pangolin/prelude.looksAtTime": true,
	"pangolin/prelude.clockForm": true, "pangolin/prelude.clockJumps": true, "pangolin/prelude.virtualTime": true,
	// The hash of a number or a string with a seed, which is the same whenever it is asked for.
	"hash/maphash.Comparable": true, "hash/maphash.String": true,
}

// formats are functions without code that read what their arguments lead to, and write nothing.
var formats = map[string]bool{
	"pangolin/prelude.formatNeeds": true, "pangolin/prelude.formatWith": true, "pangolin/prelude.formatWrapped": true, "pangolin/prelude.typeName": true, "pangolin/prelude.isNilPointer": true,
	"pangolin/prelude.isComparable": true,
}

// shallow are those of them that read nothing but an interface value: its type, whether it is nil, and the copy of a struct that it has, which nobody writes and no atomic instruction accesses.
var shallow = map[string]bool{"pangolin/prelude.typeName": true, "pangolin/prelude.isNilPointer": true, "pangolin/prelude.isComparable": true}

// harmless are functions without code that keep nothing of what they are given, and call nothing: what a constructor has made is still its own behind them.
var harmless = map[string]bool{
	"pangolin/prelude.atomicBegin": true, "pangolin/prelude.atomicEnd": true, "pangolin/prelude.sliceLen": true, "pangolin/prelude.waitGroupCount": true, "runtime.memhash": true, "hash/maphash.Bytes": true,
}

// isMath says whether a function is one of package math, and not of a package whose path begins so.
func isMath(name string) bool {
	rest, is := strings.CutPrefix(name, "math.")
	return is && !strings.ContainsAny(rest, "./")
}

// external calls a function without code.
func (c *checker) external(at spot, s *state, t target) ([]outcome, error) {
	f, name := c.calls[at.call].fn, t.fn.Name
	results := layoutOf(t.fn.Results)
	if s.phase == making && isOfLock(name) {
		return []outcome{{s, s.contents(own|foreign, results)}}, nil
	}
	if op, is := locks[name]; is {
		return c.locking(at, s, t, op)
	}
	switch {
	case name == "runtime.KeepAlive", name == "internal/abi.NoEscape" && len(results) == 1 && len(t.given) == 1:
		return []outcome{{s, t.given[:len(results)]}}, nil
	case calculates[name], isMath(name), t.fn.Harness && strings.HasSuffix(name, ".pangolinThread"):
		for _, k := range append(results, layoutOf(t.fn.Params)...) {
			if k != ir.Scalar && k != ir.String {
				return nil, c.reject(at, "it is not known what %s does", name)
			}
		}
		return []outcome{{s, make([]value, len(results))}}, nil
	case formats[name]:
		return c.formatting(at, s, t)
	case t.fn.Harness && strings.HasSuffix(name, ".pangolinObject"):
		return c.numbering(at, s, t)
	case s.phase != making || isCleanup(name):
		return nil, c.reject(at, "%s calls %s, and it is not known what that does", f.Short, name)
	case reach(t.given)&(own|shared) != 0 && !harmless[name]:
		return nil, c.reject(at, "%s gives %s what the constructor has made, and it is not known what that does with it", f.Short, name)
	}
	return []outcome{{s, s.contents(own|foreign, results)}}, nil
}

// isOfLock says whether a function is a method of a lock.
func isOfLock(name string) bool {
	return strings.HasPrefix(name, "(*sync.Mutex).") || strings.HasPrefix(name, "(*sync.RWMutex).")
}

// reach is where one of some values may lead.
func reach(values []value) (out set) {
	for i := range values {
		out |= values[i].set
	}
	return out
}

// formatting reads all that the arguments lead to, and calls nothing: the methods that it calls are called by instructions before it, or it is refused. Who formats what others may have has the lock, unless it is memory of package variables that nobody writes; and finds no lock there, for its words are
// accessed by who waits for it. Atomic words it would read without an atomic instruction.
func (c *checker) formatting(at spot, s *state, t target) ([]outcome, error) {
	may := reach(t.given)
	if may&own != 0 {
		may |= s.holds
	}
	f := c.calls[at.call].fn
	switch hidden := c.printed().calls; {
	case hidden != "" && !shallow[t.fn.Name]:
		return nil, c.reject(at, "%s formats a value, which may call %s, and that is not followed", f.Short, hidden)
	case s.phase == making:
	case may&(shared|foreign) != 0 && c.hasAtomicWords() && !shallow[t.fn.Name]:
		return nil, c.reject(at, "%s formats what others may have, and some words of the program are atomic", f.Short)
	case may&shared != 0 && !s.phase.locked():
		return nil, c.reject(at, "%s formats shared memory in the phase %v", f.Short, s.phase)
	case may&(shared|foreign) != 0 && c.printed().lock != "":
		return nil, c.reject(at, "%s formats what others may have, which may be a %s with a lock", f.Short, c.printed().lock)
	case may&foreign != 0 && !s.phase.locked():
		c.deep = &spot{at.call, at.pc}
	}
	results := make([]value, 0, 2)
	for _, k := range layoutOf(t.fn.Results) {
		results = append(results, only(own|may).fitted(k))
	}
	if reach(results) != 0 { // else nothing that it made can be reached
		s.holds |= may &^ own
		c.holding(at.call, s.holds)
	}
	return []outcome{{s, results}}, nil
}

// numbering gives an object a number, for which a package variable of the harness keeps it.
func (c *checker) numbering(at spot, s *state, t target) ([]outcome, error) {
	kinds := layoutOf(t.fn.Params)
	results := layoutOf(t.fn.Results)
	if len(t.given) != 3 || kinds[2] != ir.IfaceData || len(results) != 1 || results[0] != ir.Scalar {
		return nil, c.reject(at, "it is not known what %s does", t.fn.Name)
	}
	if t.given[2].set&own != 0 {
		if s.phase == making {
			return nil, c.reject(at, "the constructor gives what it makes to a package variable")
		}
		c.publishes(at, s)
	}
	return []outcome{{s, make([]value, 1)}}, nil
}

// locking takes the lock, or gives it back.
func (c *checker) locking(at spot, s *state, t target, op operation) ([]outcome, error) {
	to, allowed := op[s.phase]
	switch v := t.given[0]; {
	case !v.path.set || v.path != c.lock:
		return nil, c.reject(at, "%s: %s of %q, which is not the lock at %v", c.calls[at.call].fn.Short, t.fn.Short, v, c.lock)
	case !allowed:
		return nil, c.reject(at, "%s: %s in the phase %v", c.calls[at.call].fn.Short, t.fn.Short, s.phase)
	case c.careful:
		return nil, c.reject(at, "%s: %s where a panic may be recovered", c.calls[at.call].fn.Short, t.fn.Short)
	}
	if to.locked() {
		c.mayWait(at, s)
	}
	s.phase = to
	return []outcome{{s, nil}}, nil
}
