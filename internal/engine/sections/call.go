// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// target is a function that a call may be of, with all that it is given.
type target struct {
	fn    *ir.Func
	given []value
}

// mostDeferred bounds the deferred calls of a function.
const mostDeferred = 8

// targets are the functions that a call may be of, by the words of its function and arguments. None: the function value is nil.
func (r *run) targets(c *ir.Call, words []value) (list []target) {
	args := words[c.FnWords():]
	switch c.Kind {
	case ir.CallStatic:
		return []target{{c.Func, args}}
	case ir.CallMethod:
		for _, t := range r.p.prog.Types {
			if t == nil || !t.Dynamic || t.Methods[c.Method] == nil {
				continue
			}
			receiver := make([]value, t.Size)
			for i, k := range t.Layout() {
				if receiver[i] = plain(words[1].may); t.Size == 1 {
					receiver[i] = words[1]
				}
				if !isReference(k) {
					receiver[i] = value{}
				}
			}
			list = append(list, target{t.Methods[c.Method], slices.Concat(receiver, args)})
		}
		return list
	}
	switch fn := words[0]; {
	case fn.fn != nil:
		return []target{{fn.fn.fn, slices.Concat(args, fn.fn.words)}}
	case fn.may != 0:
		for _, f := range r.p.values {
			if !takes(f, c) {
				continue
			}
			list = append(list, target{f, slices.Concat(args, valuesLike(f.Free, fn.may))})
		}
	}
	return list
}

// takes reports whether a function has the parameters and results of a call.
func takes(f *ir.Func, c *ir.Call) bool {
	return slices.EqualFunc(f.Params, c.Args, func(t *ir.Type, a ir.Arg) bool { return t == a.Type }) && slices.Equal(f.Results, c.Result)
}

// valuesOf lists the functions of which a program makes values.
func valuesOf(p *ir.Program) (list []*ir.Func) {
	is := map[*ir.Func]bool{}
	for i, w := range p.Consts {
		if p.ConstKinds[i] == ir.Code && w&ir.FuncTag != 0 {
			is[p.Funcs[w&^ir.FuncTag]] = true
		}
	}
	for _, f := range p.Funcs {
		for i := range f.Code {
			if f.Code[i].Op == ir.OpMakeClosure {
				is[p.Funcs[f.Code[i].N]] = true
			}
		}
	}
	for _, f := range p.Funcs {
		if is[f] {
			list = append(list, f)
		}
	}
	return list
}

// wordsOf are the words of a call's function and arguments.
func (r *run) wordsOf(s *state, c *ir.Call) (words []value) {
	if n := c.FnWords(); n > 0 {
		words = r.all(s, c.Fn, n)
	}
	for _, a := range c.Args {
		words = append(words, r.all(s, a.Reg, a.Type.Size)...)
	}
	return words
}

// call executes a call, and what is behind it once for each way in which it returns.
func (r *run) call(s *state, in *ir.Instr) {
	c := r.p.prog.Calls[in.X]
	r.invoke(s, c, r.wordsOf(s, c), func(s *state, results []value) {
		then := *r
		then.set(s, in.Dst, results...)
		then.pc++
		then.goOn(s)
	})
}

// invoke calls then with the state behind each way in which a call returns.
func (r *run) invoke(s *state, c *ir.Call, words []value, then func(*state, []value)) {
	for _, to := range r.targets(c, words) {
		if special := r.special(s, c, &to); special != nil {
			special(then)
			continue
		}
		if to.fn.External && s.phase == making && (!leads(to.given) || keepsNothing[to.fn.Name]) {
			then(s.clone(), valuesLike(c.Result, own|foreign))
			continue
		}
		if to.fn.External {
			r.refuse(true, "%s is called, of which it is not known what it touches", to.fn.Name)
		}
		e := r.t.enter(r, s, &to)
		for _, end := range e.ends {
			next := s.clone()
			if end.published {
				r.publish(next)
			}
			next.phase, next.holds = end.phase, end.holds
			then(next, end.results)
		}
	}
}

// deferCall notes a deferred call.
func (r *run) deferCall(s *state, in *ir.Instr) {
	c := r.p.prog.Calls[in.X]
	if in.A != ir.NoReg {
		r.refuse(true, "a call is deferred to the end of another function")
	}
	if r.in.exposed {
		r.refuse(true, "a call is deferred, and who calls the function recovers from panics")
	}
	if len(s.deferred) == mostDeferred {
		r.refuse(true, "more than %d calls may be deferred", mostDeferred)
	}
	s.deferred = append(slices.Clone(s.deferred), deferred{c, r.wordsOf(s, c)})
}

// runDefers executes the deferred calls, and then what is behind the instruction.
func (r *run) runDefers(s *state) {
	r.unwind(s, func(s *state) {
		then := *r
		then.pc++
		then.goOn(s)
	})
}

// special gives what a function does that is not entered; nil: it is entered.
func (r *run) special(s *state, c *ir.Call, to *target) func(then func(*state, []value)) {
	returns := func(then func(*state, []value)) { then(s.clone(), valuesLike(c.Result, foreign)) }
	switch name := to.fn.Name; {
	case strings.HasPrefix(name, "(*sync.Mutex).") || strings.HasPrefix(name, "(*sync.RWMutex).") && to.fn.External:
		return func(then func(*state, []value)) { r.locks(s, to, then) }
	case isObject(to.fn):
		return func(then func(*state, []value)) { r.object(s, c, to, then) }
	case to.fn.External && to.fn.Harness && strings.HasSuffix(name, ".pangolinObject"): // it keeps the pointer
		return func(then func(*state, []value)) {
			s := s.clone()
			if to.given[2].may&own != 0 {
				if s.phase == making {
					r.refuse(true, "the constructor gives what it makes to a package variable of the harness")
				}
				r.givesAway(s)
			}
			then(s, []value{{}})
		}
	case to.fn.External && name == "internal/abi.NoEscape":
		return func(then func(*state, []value)) { then(s.clone(), to.given) }
	case to.fn.External && deep[name]:
		return func(then func(*state, []value)) { r.readsDeep(s, c, to, then) }
	case name == "pangolin/prelude.timeNow": // time.Now
		if !s.phase.writes() && s.phase != making {
			r.refuse(true, "the clock is read without the lock")
		}
		return returns
	case to.fn.External && (harmless[name] || isMath(name) || hashesWords(to.fn) || to.fn.Harness && strings.HasSuffix(name, ".pangolinThread")):
		return returns
	}
	return nil
}

// isMath reports whether a name is that of a function of package math.
func isMath(name string) bool {
	name, found := strings.CutPrefix(name, "math.")
	return found && !strings.ContainsAny(name, "./")
}

// hashesWords reports whether a function gives a hash of numbers and strings, with a seed: it depends on nothing else.
func hashesWords(f *ir.Func) bool {
	if f.Name != "hash/maphash.Comparable" && f.Name != "hash/maphash.String" {
		return false
	}
	return !slices.ContainsFunc(f.Params, func(t *ir.Type) bool {
		return slices.ContainsFunc(t.Layout(), func(k ir.Kind) bool { return k != ir.Scalar && k != ir.String })
	})
}

// leads reports whether a function is given what is own or shared.
func leads(given []value) bool {
	return slices.ContainsFunc(given, func(v value) bool { return v.may&(own|shared) != 0 })
}

// keepsNothing are functions without code that keep nothing of what a constructor gives them, and call nothing.
var keepsNothing = map[string]bool{"pangolin/prelude.atomicBegin": true, "pangolin/prelude.atomicEnd": true, "pangolin/prelude.sliceLen": true, "pangolin/prelude.waitGroupCount": true, "runtime.memhash": true,
	"hash/maphash.Bytes": true}

// valuesLike are values of some types whose references may lead to some memory.
func valuesLike(types []*ir.Type, may origins) (list []value) {
	for _, t := range types {
		for _, k := range t.Layout() {
			v := value{}
			if isReference(k) {
				v = plain(may)
			}
			list = append(list, v)
		}
	}
	return list
}

// harmless are functions without code that only calculate with numbers and strings, choose, or do nothing.
var harmless = map[string]bool{"runtime.Gosched": true, "runtime.KeepAlive": true, "pangolin/mark.Choose": true, "pangolin/prelude.choose": true, "pangolin/prelude.chooseNumber": true,
	"pangolin/prelude.chooseQuarter": true, "pangolin/prelude.clockForm": true, "pangolin/prelude.clockJumps": true, "pangolin/prelude.virtualTime": true, "pangolin/prelude.addedTime": true,
	"pangolin/prelude.comparesTimes": true, "pangolin/prelude.subtractsTimes": true, "pangolin/prelude.looksAtTime": true, "pangolin/prelude.inTest": true}

// deep are functions without code that read all that their arguments lead to, and return no more than that.
var deep = map[string]bool{"pangolin/prelude.formatNeeds": true, "pangolin/prelude.formatWith": true, "pangolin/prelude.formatWrapped": true, "pangolin/prelude.typeName": true, "pangolin/prelude.isNilPointer": true,
	"pangolin/prelude.isComparable": true}

// looksAtType are those of them that look at an interface value's type, and at no word that it leads to.
var looksAtType = map[string]bool{"pangolin/prelude.typeName": true, "pangolin/prelude.isNilPointer": true, "pangolin/prelude.isComparable": true}

// readsDeep executes a function that reads all that its arguments lead to.
func (r *run) readsDeep(s *state, c *ir.Call, to *target, then func(*state, []value)) {
	var may origins
	for _, v := range to.given {
		may |= v.may
	}
	if may&own != 0 {
		may |= s.holds
	}
	if r.p.unfollowed != "" && !looksAtType[to.fn.Name] {
		r.refuse(true, "a value is formatted, and %s, which is not followed", r.p.unfollowed)
	}
	if s.phase != making && may&(shared|foreign) != 0 && !looksAtType[to.fn.Name] && r.t.hasAtomicWords() {
		r.refuse(true, "%s may format a word that is accessed atomically", to.fn.Short)
	}
	if !s.phase.locks() && s.phase != making && may&shared != 0 {
		r.refuse(false, "%s reads what others may write, without the lock", to.fn.Short)
	}
	if s.phase != making && may&(shared|foreign) != 0 && r.p.locks {
		r.refuse(true, "%s may format a value with a lock", to.fn.Short)
	}
	r.t.deep = r.t.deep || may&foreign != 0 && (s.phase == before || s.phase == after)
	results := valuesLike(c.Result, own|may)
	s = s.clone()
	if slices.ContainsFunc(results, func(v value) bool { return v.may != 0 }) {
		s.holds |= may &^ own
	}
	then(s, results)
}

// locks executes a call of a method of a lock.
func (r *run) locks(s *state, to *target, then func(*state, []value)) {
	at := to.given[0]
	if at.may == 0 {
		return // a nil pointer
	}
	if s.phase == making {
		then(s.clone(), make([]value, to.fn.ResultWords()))
		return
	}
	_, method, _ := strings.Cut(to.fn.Name, ").")
	next, allowed := after, s.phase == before
	switch method {
	case "Lock":
		next = writing
	case "RLock":
		next = reading
	case "Unlock":
		allowed = s.phase.writes()
	case "RUnlock":
		allowed = s.phase.locks() && !s.phase.writes()
	default:
		r.refuse(true, "%s may fail while another call has the lock", to.fn.Short)
	}
	if r.t.lock == (path{}) && at.at.is && next != after {
		r.t.lock, r.t.lockHint = at.at, at.hint
	}
	switch {
	case !at.at.is || at.at != r.t.lock:
		r.refuse(true, "there is another lock than that of the collection")
	case !allowed && s.phase == after && r.t.moments:
		r.refuse(true, "the lock is taken again, or behind an atomic access: the operation has two moments")
	case !allowed && s.phase == after:
		r.refuse(true, "the lock is taken again: the operation has two critical sections")
	case !allowed:
		r.refuse(true, "%s is called in the phase %s", to.fn.Short, s.phase)
	}
	r.in.locks = true
	r.effect()
	behind := s.clone()
	behind.phase = next
	then(behind, nil)
}
